from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from flask import template_rendered

from tests.web.site.conftest import SECRET, Clock, Site
from web.site.canned import CannedArchive
from web.site.roles import ExpiredLinkError, LinkError, Links, Role, Session, steady

if TYPE_CHECKING:
    from flask.testing import FlaskClient

HOUR_S = 3600


@pytest.mark.parametrize(
    ("role", "page"),
    [(Role.ORGANISER, "/"), (Role.CAMERA, "/phone"), (Role.SPECTATOR, "/watch")],
)
def test_a_link_leads_to_the_page_of_its_role(site: Site, role: Role, page: str) -> None:
    client = site.client()
    answer = client.get(f"/enter?token={site.services.links.token(role)}")
    assert answer.status_code == 302
    assert answer.location == page
    assert client.get(page).status_code == 200


def test_the_cookie_is_kept_from_scripts_and_other_sites(site: Site) -> None:
    token = site.services.links.token(Role.CAMERA)
    plain = site.client().get(f"/enter?token={token}")
    assert plain.headers["Set-Cookie"].startswith("meldwatch-80=")
    assert "HttpOnly" in plain.headers["Set-Cookie"]
    assert "SameSite=Lax" in plain.headers["Set-Cookie"]
    secure = site.client().get(f"/enter?token={token}", base_url="https://localhost")
    assert secure.headers["Set-Cookie"].startswith("__Host-meldwatch-443=")
    assert "Secure" in secure.headers["Set-Cookie"]


@pytest.mark.parametrize("token", ["", "nonsense", "eyJyIjoib3JnYW5pc2VyIn0.c2lnbmF0dXJl", "ü"])
def test_a_wrong_link_lets_nobody_in(site: Site, token: str) -> None:
    answer = site.client().get("/enter", query_string={"token": token})
    assert answer.status_code == 403
    assert "not one of this table&#39;s" in answer.text
    assert "Set-Cookie" not in answer.headers


def test_a_link_of_another_table_lets_nobody_in(site: Site) -> None:
    token = Links(SECRET[::-1], CannedArchive(), now=site.clock).token(Role.ORGANISER)
    assert site.client().get(f"/enter?token={token}").status_code == 403


def test_a_changed_link_lets_nobody_in(site: Site) -> None:
    payload, _, signature = site.services.links.token(Role.CAMERA).rpartition(".")
    other = site.services.links.token(Role.ORGANISER).rpartition(".")[0]
    assert payload != other
    assert site.client().get(f"/enter?token={other}.{signature}").status_code == 403


def test_a_cookie_is_no_link_and_a_link_no_cookie(site: Site) -> None:
    links = site.services.links
    _, session = links.enter(links.token(Role.ORGANISER))
    with pytest.raises(LinkError):
        links.enter(links.cookie(session))
    assert links.session(links.token(Role.ORGANISER)) is None


@pytest.mark.parametrize(("role", "hours"), [(Role.ORGANISER, 1), (Role.SPECTATOR, 12)])
def test_a_link_expires(site: Site, role: Role, hours: int) -> None:
    token = site.services.links.token(role)
    site.clock.at_s += hours * HOUR_S + 1
    answer = site.client().get(f"/enter?token={token}")
    assert answer.status_code == 410
    assert "has expired" in answer.text


def test_an_organisers_link_works_once(site: Site) -> None:
    token = site.services.links.token(Role.ORGANISER)
    assert site.client().get(f"/enter?token={token}").status_code == 302
    again = site.client().get(f"/enter?token={token}")
    assert again.status_code == 410
    assert "has been used already" in again.text


def test_a_used_link_stays_used_after_a_restart() -> None:
    archive = CannedArchive()
    token = Links(SECRET, archive).token(Role.ORGANISER)
    Links(SECRET, archive).enter(token)
    with pytest.raises(ExpiredLinkError):
        Links(SECRET, archive).enter(token)


def test_of_many_devices_at_once_an_organisers_link_lets_in_one() -> None:
    links = Links(SECRET, CannedArchive())
    token, together = links.token(Role.ORGANISER), threading.Barrier(8)
    entered: list[Session] = []

    def try_it() -> None:
        together.wait()
        try:
            entered.append(links.enter(token)[1])
        except ExpiredLinkError:
            return

    threads = [threading.Thread(target=try_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(entered) == 1


def test_used_links_are_forgotten_once_they_have_expired(site: Site) -> None:
    links = site.services.links
    links.enter(links.token(Role.ORGANISER))
    site.clock.at_s += HOUR_S + 1
    links.enter(links.token(Role.ORGANISER))
    assert site.archive.values["used_links"].count(":") == 1


def test_many_phones_share_the_other_links(site: Site) -> None:
    token = site.services.links.token(Role.CAMERA)
    for _ in range(3):
        assert site.client().get(f"/enter?token={token}").status_code == 302


def test_looking_ahead_uses_up_no_link(site: Site) -> None:
    path = f"/enter?token={site.services.links.token(Role.ORGANISER)}"
    client = site.client()
    assert client.get(path, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 503
    assert client.head(path).status_code == 503
    assert client.get(path).status_code == 302


def test_roles_add_up(site: Site) -> None:
    client = site.client(Role.ORGANISER, Role.SPECTATOR, Role.CAMERA)
    assert client.get("/").status_code == 200


def test_a_session_ends(site: Site, spectator: FlaskClient) -> None:
    site.clock.at_s += 25 * HOUR_S
    assert spectator.get("/watch").status_code == 403


def test_the_first_page_sends_everybody_where_they_belong(site: Site) -> None:
    assert site.client().get("/").status_code == 403
    assert site.client(Role.CAMERA).get("/").location == "/phone"
    assert site.client(Role.SPECTATOR).get("/").location == "/watch"


def test_a_code_leads_other_devices_in(site: Site, organiser: FlaskClient) -> None:
    code = organiser.get("/qr/spectator.svg")
    assert code.mimetype == "image/svg+xml"
    assert code.data.startswith(b"<svg")
    assert organiser.get("/qr/nobody.svg").status_code == 404
    links = organiser.get("/links.json").get_json()
    assert sorted(links) == ["camera", "spectator"]
    assert links["camera"].startswith("http://10.0.0.4:8765/enter?token=")
    path = links["spectator"].partition(":8765")[2]
    assert site.client().get(path).location == "/watch"


def test_a_phone_is_shown_its_way_to_the_secure_page(site: Site) -> None:
    client, shown = site.client(Role.CAMERA), []
    with template_rendered.connected_to(
        lambda _app, context, **_: shown.append(context), site.app
    ):
        client.get("/phone")
    assert shown[0]["secure"] is False
    way, _, token = shown[0]["secure_link"].partition("?token=")
    assert way == "https://localhost:8443/enter"
    answer = site.client().get(f"/enter?token={token}", base_url="https://localhost:8443")
    assert answer.location == "/phone"


def test_nobody_loses_a_role_because_the_clock_is_put_right() -> None:
    of_day, running = Clock(), Clock(5.0)
    links = Links(SECRET, CannedArchive(), now=of_day, lasting=steady(of_day, running))
    token = links.token(Role.CAMERA)
    _, session = links.enter(token)
    cookie = links.cookie(session)
    of_day.at_s += 400 * 24 * HOUR_S
    assert links.session(cookie) == session
    assert links.alive(session)
    with pytest.raises(ExpiredLinkError):
        links.enter(token)
    assert links.enter(links.token(Role.ORGANISER), session)[1].roles == set(Role) - {
        Role.SPECTATOR
    }
    running.at_s += 25 * HOUR_S
    assert links.session(cookie) is None
    assert not links.alive(session)


def test_a_device_whose_own_clock_is_another_keeps_its_cookie(site: Site) -> None:
    token = site.services.links.token(Role.CAMERA)
    cookie = site.client().get(f"/enter?token={token}").headers["Set-Cookie"]
    assert f"Max-Age={24 * HOUR_S};" in cookie
    assert site.clock.at_s < 1e9  # long ago
    assert "Expires=Thu, 01 Jan 1970" not in cookie
