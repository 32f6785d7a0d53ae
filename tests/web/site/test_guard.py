from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from flask import Flask

from tests.web.site.conftest import OWN, Site, error_of
from web.site import guard
from web.site.areas import access_of
from web.site.roles import Role

if TYPE_CHECKING:
    from flask.testing import FlaskClient

PLACES = {"<int:match_id>": "1", "<int:evidence_id>": "6", "<role>": "camera", "<name>": "undo"}
PLACES |= {"<int:photo>": "1"}
LOOKING = {"/watch", "/events", "/snapshot.json", "/picture.jpg", "/evidence/6.jpg"}
LOOKING |= {"/tile-picture", "/matches", "/matches/1", "/rules.json"}
LOOKING |= {"/matches/1/history.json"}
SENDING = {"/phone", "/phone/setup", "/phone/ca.crt", "/camera/frame", "/camera/photo"}
OPEN = {"/", "/enter", "/healthz"}


def routes(site: Site) -> list[tuple[str, str]]:
    """Return every route's method and a path of it."""
    found = []
    for rule in site.app.url_map.iter_rules():
        path = rule.rule
        for place, value in PLACES.items():
            path = path.replace(place, value)
        if rule.endpoint != "static":
            found.append(("POST" if "POST" in (rule.methods or ()) else "GET", path))
    return found


@pytest.mark.parametrize("role", [None, *Role])
def test_every_route_is_closed_to_all_but_its_roles(site: Site, role: Role | None) -> None:
    client = site.client(*[role] if role else [])
    mine = {Role.CAMERA: SENDING, Role.SPECTATOR: LOOKING, None: set()}.get(role)
    for method, path in routes(site):
        if path in OPEN:
            continue
        answer = client.open(path, method=method, headers=OWN)
        refused = answer.status_code == 403
        answer.close()
        assert refused == (mine is not None and path not in mine), (role, method, path)


def test_a_route_that_says_not_who_may_use_it_is_refused_at_start() -> None:
    app = Flask("bare")
    app.add_url_rule("/open", view_func=lambda: "", endpoint="open")
    with pytest.raises(ValueError, match="/open does not say who may use it"):
        guard.install(app)


def test_every_change_is_a_post(site: Site) -> None:
    access = access_of(site.app)
    changing = {
        rule.endpoint
        for rule in site.app.url_map.iter_rules()
        if "GET" not in (rule.methods or ())
    }
    assert changing == {
        "commands.command",
        "commands.leftovers",
        "camera.frame",
        "camera.photo",
        "files.import_zip",
        "files.report",
        "teach.photograph",
        "teach.from_camera",
        "teach.remove",
        "teach.start",
        "teach.use",
    }
    assert all(access[endpoint].roles for endpoint in changing)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {},
    ],
)
@pytest.mark.parametrize("path", ["/api/commands/undo", "/camera/photo", "/import", "/report"])
def test_a_change_from_another_site_is_not_done(
    site: Site, organiser: FlaskClient, headers: dict[str, str], path: str
) -> None:
    answer = organiser.post(path, headers=headers, json={})
    assert answer.status_code == 403
    assert "another page" in answer.text
    assert not site.table.commands


@pytest.mark.parametrize(
    "headers",
    [OWN, {**OWN, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "same-origin"}],
)
def test_a_change_from_our_own_page_is_done(
    site: Site, organiser: FlaskClient, headers: dict[str, str]
) -> None:
    assert organiser.post("/api/commands/undo", headers=headers, json={}).status_code == 200
    assert site.table.commands == [("undo", {})]


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "8.8.8.8:80", ""])
def test_a_name_that_is_not_ours_is_refused(site: Site, host: str) -> None:
    answer = site.client().get("/healthz", headers={"Host": host})
    assert answer.status_code in {400, 421}
    assert "error" in answer.text or "name" in answer.text


@pytest.mark.parametrize("host", ["localhost:8765", "127.0.0.1:80", "10.0.0.4", "[::1]:8765"])
def test_our_names_and_addresses_are_known(site: Site, host: str) -> None:
    assert site.client().get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/static/nothing.js", "/watch"])
def test_every_answer_carries_the_policy(site: Site, path: str) -> None:
    answer = site.client(Role.SPECTATOR).get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Cache-Control"] in {"no-store", "no-cache"}


def test_too_many_requests_are_told_when_to_come_back(site: Site, organiser: FlaskClient) -> None:
    answers = [
        organiser.post("/api/commands/undo", headers=OWN, json={}).status_code for _ in range(21)
    ]
    assert answers == [200] * 20 + [429]
    refused = organiser.post("/api/commands/undo", headers=OWN, json={})
    assert refused.headers["Retry-After"] == "1"
    assert "Wait a moment" in error_of(refused)
    site.clock.at_s += 1
    assert organiser.post("/api/commands/undo", headers=OWN, json={}).status_code == 200


def test_links_cannot_be_tried_out(site: Site) -> None:
    answers = {site.client().get("/enter?token=guess").status_code for _ in range(41)}
    assert answers == {403, 429}


def test_no_path_comes_from_a_name(site: Site, organiser: FlaskClient) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/evidence/..%2f1.jpg"):
        assert organiser.get(path).status_code == 404
    assert organiser.post("/api/commands/../../x", headers=OWN, json={}).status_code in {404, 405}
    assert not site.table.commands
