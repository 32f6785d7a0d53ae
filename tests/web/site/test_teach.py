"""Teaching a set through the pages' routes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.site.conftest import OWN, Site, error_of, picture
from web.site.canned_lessons import CannedTeacher
from web.site.limits import Rate
from web.site.roles import Role
from web.teaching.lessons import Lessons

if TYPE_CHECKING:
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

JSON = {**OWN, "Accept": "application/json"}
SOON_S = 20.0


def send_photo(client: FlaskClient, data: bytes | None = None) -> TestResponse:
    form = {"photo": (BytesIO(data or picture(800, 500)), "../../etc/passwd")}
    return client.post("/teach/photo", headers=JSON, data=form)


def order(client: FlaskClient, what: str, **values: Any) -> TestResponse:  # noqa: ANN401
    return client.post(f"/api/teach/{what}", headers=JSON, json=values)


def state(client: FlaskClient, language: str = "en") -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/teach.json?lang={language}").get_json()
    return found


def test_the_page_is_for_organisers(site: Site, organiser: FlaskClient) -> None:
    assert b'src="/static/teach.js"' in organiser.get("/teach").data
    assert b"data-teaches" in organiser.get("/").data
    assert site.client(Role.SPECTATOR).get("/teach").status_code == 403


def test_a_photo_is_sent_looked_over_and_shown(organiser: FlaskClient) -> None:
    answer = send_photo(organiser)
    assert answer.status_code == 200
    (photo,) = answer.get_json()["photos"]
    assert (photo["width"], photo["problem"], len(photo["tiles"])) == (800, "", 52)
    for path in ("/teach/1.jpg", "/teach/1/tiles.jpg"):
        shown = organiser.get(path)
        assert (shown.mimetype, shown.data[:2]) == ("image/jpeg", b"\xff\xd8")
        assert organiser.get(path.replace("1", "9")).status_code == 404
    assert order(organiser, "remove", photo=1).get_json()["photos"] == []


def test_the_tables_newest_picture_is_taken(site: Site, organiser: FlaskClient) -> None:
    shown = organiser.post("/teach/camera", headers=JSON).get_json()["photos"][0]
    assert shown["width"] == site.table.snapshot()["picture"]["width"]
    site.table.picture_pixels = lambda: None  # type: ignore[method-assign,assignment,return-value]
    answer = organiser.post("/teach/camera", headers=JSON)
    assert answer.status_code == 409
    assert "has given no picture yet" in error_of(answer)


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        (b"no picture", 422, "picture"),
        (picture(kind=".jpg") + bytes(220_000), 413, "too large"),
    ],
)
def test_what_is_no_photo_is_refused(
    organiser: FlaskClient, data: bytes, status: int, words: str
) -> None:
    answer = send_photo(organiser, data)
    assert answer.status_code == status
    assert words in error_of(answer)
    assert state(organiser)["photos"] == []


def test_photos_come_only_so_fast(organiser: FlaskClient) -> None:
    sent = [send_photo(organiser).status_code for _ in range(Rate.PHOTO.burst + 1)]
    assert sent == [200] * 3 + [409] * (Rate.PHOTO.burst - 3) + [429]


def test_a_set_is_taught_and_another_one_used(site: Site, organiser: FlaskClient) -> None:
    send_photo(organiser)
    assert state(organiser)["in_use"] == ""
    assert order(organiser, "start", name="mine", left_out={"1": [0]}).status_code == 200
    site.lessons.wait(SOON_S)
    told = state(organiser)
    assert (told["in_use"], told["said"]["good"]) == ("mine", True)
    assert told["said"]["text"].startswith("mine was taught from 51 tiles")
    assert state(organiser, "de")["said"]["text"].startswith("mine ist aus 51 Steinen gelernt")
    assert order(organiser, "use", name="").status_code == 200
    site.lessons.wait(SOON_S)
    assert state(organiser)["in_use"] == ""


def test_what_cannot_be_taught_is_refused_in_words(organiser: FlaskClient) -> None:
    refused = order(organiser, "start", name="mine")
    assert refused.status_code == 409
    assert (
        error_of(refused) == "No photo shows the whole set yet. Photograph it as it is laid out."
    )
    send_photo(organiser)
    assert "is no name for a set" in error_of(order(organiser, "start", name="../../up"))
    assert "a set called grandma already" in error_of(order(organiser, "start", name="grandma"))
    german = organiser.post("/api/teach/start?lang=de", headers=JSON, json={"name": "a/b"})
    assert "geht nicht als Name" in error_of(german)


@pytest.mark.parametrize(
    "values",
    [
        [],
        {"name": 5},
        {"name": "mine", "replace": "yes"},
        {"name": "mine", "left_out": [1]},
    ],
)
def test_what_is_no_order_is_refused(organiser: FlaskClient, values: object) -> None:
    send_photo(organiser)
    answer = organiser.post("/api/teach/start", headers=JSON, json=values)
    assert answer.status_code == 400
    assert state(organiser)["busy"] is None


def test_odd_tiles_to_leave_out_are_left_aside(site: Site, organiser: FlaskClient) -> None:
    send_photo(organiser)
    odd = {"1": ["x", None, 2], "nine": [1], "2": 7}
    assert order(organiser, "start", name="mine", left_out=odd).status_code == 200
    site.lessons.wait(SOON_S)
    assert "from 51 tiles" in state(organiser)["said"]["text"]


def test_a_match_under_way_is_told(site: Site, organiser: FlaskClient) -> None:
    playing = site.table.snapshot()["match"]
    assert playing["phase"] == "playing"
    assert state(organiser)["playing"] is True
    site.table.show({"match": None})
    assert state(organiser)["playing"] is False


def test_where_nothing_can_be_taught_there_is_no_page(site: Site, organiser: FlaskClient) -> None:
    object.__setattr__(site.services, "lessons", None)
    assert organiser.get("/teach").status_code == 404
    assert organiser.get("/teach.json").status_code == 404
    assert b"data-teaches" not in organiser.get("/").data


def test_trouble_with_the_chosen_set_is_told() -> None:
    teacher = CannedTeacher(trouble="It is gone.")
    assert Lessons(teacher).state()["trouble"] == "It is gone."
