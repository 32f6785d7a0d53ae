from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.web.label.desks import (
    DOUBT,
    blind_reader,
    change_of,
    desk_of,
    file_of,
    photo,
    reader_of,
)
from web.label.app import create_app
from web.site.texts import Texts

if TYPE_CHECKING:
    from pathlib import Path

    from flask.testing import FlaskClient

    from web.label.desk import Desk

TOKEN = "a-token-that-nobody-guesses"  # noqa: S105 - of a test
OWN = {"Origin": "http://localhost"}
QUAD = [[300, 200], [350, 200], [350, 280], [300, 280]]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return desk_of(tmp_path / "labels.json", photo(tmp_path), photo(tmp_path, "b.jpg"))


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    return create_app(desk, Texts.load(), TOKEN).test_client()


def test_the_page_and_all_that_it_loads_are_there(client: FlaskClient) -> None:
    page = client.get(f"/{TOKEN}/")
    assert (page.status_code, 'src="static/label.js"' in page.text) == (200, True)
    for name in ("label.js", "store.js", "label.css"):
        with client.get(f"/{TOKEN}/static/{name}") as answer:
            assert answer.status_code == 200
    with client.get("/static/style.css") as answer:
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("wanted", "words"), [("de", "Fotos beschriften"), ("en", "Label photos")]
)
def test_the_page_speaks_the_language_of_whoever_looks(
    client: FlaskClient, wanted: str, words: str
) -> None:
    assert words in client.get(f"/{TOKEN}/?lang={wanted}").text
    assert words in client.get(f"/{TOKEN}/", headers={"Accept-Language": wanted}).text


@pytest.mark.parametrize(
    ("path", "sent", "german"),
    [
        ("/photos/7", {}, "Dieses Foto gibt es nicht. Lade die Seite neu."),
        ("/photos/0", {"version": 1}, "Das wurde in einem anderen Fenster schon geändert;"),
        ("/photos/0", {"tiles": [{"tile": "R14", "quad": QUAD}]}, "R14 ist kein Stein."),
        ("/photos/0", {"tiles": [{"tile": "R1", "quad": QUAD[::-1]}]}, "Die Ecken müssen im"),
        ("/photos/0", {"checked": True}, "Noch unsichere Steine: 1. Sieh sie dir zuerst an."),
        ("/photos/0", {"evil": 1}, "Die Seite hat etwas Falsches geschickt (evil: "),
        ("/photos/0/read", {"a": " " * 2_100_000}, "Das ist zu groß."),
    ],
)
def test_what_is_refused_is_said_in_the_language_of_whoever_looks(
    client: FlaskClient, desk: Desk, path: str, sent: dict[str, object], german: str
) -> None:
    told = client.post(
        f"/{TOKEN}{path}?lang=de", json={**change_of(desk), **sent}, headers=OWN
    ).get_json()
    assert told["error"].startswith(german)


def test_without_the_token_it_is_said_in_german_too(client: FlaskClient) -> None:
    told = client.get("/guess/", headers={"Accept-Language": "de"}).get_json()
    assert told["error"].startswith("Hier ist nichts. Nimm die Adresse, die `meldwatch label`")


def test_a_language_that_was_chosen_is_kept(client: FlaskClient) -> None:
    client.get(f"/{TOKEN}/?lang=de")
    assert "Fotos beschriften" in client.get(f"/{TOKEN}/").text


def test_a_doubt_is_asked_about_in_german_and_kept_in_english(
    client: FlaskClient, desk: Desk, tmp_path: Path
) -> None:
    told = client.get(f"/{TOKEN}/photos/0.json?lang=de").get_json()
    assert (told["tiles"][4]["doubt"], told["tiles"][4]["question"]) == (
        DOUBT,
        "Das könnte auch Blau 8 sein.",
    )
    change = change_of(desk, split="dev", tiles=told["tiles"])
    assert client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN).status_code == 200
    tile = file_of(tmp_path / "labels.json")[0]["tiles"][4]
    assert (tile["doubt"], "question" in tile) == (DOUBT, False)


def test_a_tile_that_cannot_be_read_is_asked_about_in_german(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "labels.json", photo(tmp_path), reader=blind_reader())
    client = create_app(desk, Texts.load(), TOKEN).test_client()
    answer = client.post(f"/{TOKEN}/photos/0/read?lang=de", json={"quad": QUAD}, headers=OWN)
    assert answer.get_json()["question"] == "Hier ist kein Stein zu lesen: sage, welcher es ist."


def test_photos_are_listed_and_told(client: FlaskClient) -> None:
    assert client.get(f"/{TOKEN}/photos.json").get_json() == [
        {"name": name, "tiles": 5, "unsure": 1, "checked": False}
        for name in ("table.jpg", "b.jpg")
    ]
    told = client.get(f"/{TOKEN}/photos/1.json").get_json()
    assert (told["name"], told["width"], told["height"], told["version"]) == ("b.jpg", 600, 400, 0)
    picture = client.get(f"/{TOKEN}/photos/1.jpg")
    pixels = cv2.imdecode(np.frombuffer(picture.data, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    assert pixels.shape == (400, 600, 3)


def test_a_change_is_kept(client: FlaskClient, desk: Desk, tmp_path: Path) -> None:
    change = change_of(desk, tiles=[{"tile": "K13", "quad": QUAD}])
    answer = client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN)
    assert (answer.status_code, answer.get_json()["version"]) == (200, 1)
    assert file_of(tmp_path / "labels.json")[0]["tiles"] == [{"tile": "K13", "quad": QUAD}]
    stale = client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN)
    assert (stale.status_code, "another window" in stale.get_json()["error"]) == (409, True)


def test_a_tile_is_read_on_request(client: FlaskClient) -> None:
    answer = client.post(f"/{TOKEN}/photos/0/read", json={"quad": QUAD}, headers=OWN)
    assert (answer.status_code, answer.get_json()["tile"]) == (200, "R9")


@pytest.mark.parametrize("token", ["x", "guess", f"{TOKEN}x", "static"])
@pytest.mark.parametrize("path", ["/", "/photos.json", "/photos/0.jpg", "/static/label.js"])
def test_without_the_token_there_is_nothing(client: FlaskClient, token: str, path: str) -> None:
    assert client.get(f"/{token}{path}").status_code == 404


@pytest.mark.parametrize("host", ["evil.example", "192.168.1.4:80", "localhost.evil.example"])
def test_other_names_are_not_answered(client: FlaskClient, host: str) -> None:
    assert client.get(f"/{TOKEN}/", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site", **OWN}],
)
def test_other_pages_can_change_nothing(
    client: FlaskClient, desk: Desk, headers: dict[str, str]
) -> None:
    answer = client.post(f"/{TOKEN}/photos/0", json=change_of(desk, tiles=[]), headers=headers)
    assert answer.status_code == 403
    assert len(desk.labels(0)["tiles"]) == 5


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/photos/7", "{}", 404),
        ("/photos/0", "{", 400),
        ("/photos/0", '{"version": 0}', 400),
        ("/photos/0", '{"version": 0, "checked": true, "tiles": [], "evil": 1}', 400),
        ("/photos/0", '{"version": 0, "checked": true, "tiles": [{"tile": "R1"}]}', 400),
        ("/photos/0/read", '{"quad": [[1, 1], [2, 1], [2, NaN], [1, 2]]}', 400),
        ("/photos/0/read", '{"quad": [[1, 1], [2, 1], [2, 2], [1, 2]]}', 422),
        ("/photos/0", '{"version": 0, "checked": false, "tiles": []}' + " " * 2_100_000, 413),
    ],
)
def test_what_makes_no_sense_is_said_to(
    client: FlaskClient, desk: Desk, path: str, body: str, status: int
) -> None:
    answer = client.post(
        f"/{TOKEN}{path}", data=body, content_type="application/json", headers=OWN
    )
    assert answer.status_code == status
    assert answer.get_json()["error"]
    assert len(desk.labels(0)["tiles"]) == 5


def test_a_file_that_cannot_be_written_is_said_and_nothing_is_changed(
    client: FlaskClient, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    before = file_of(tmp_path / "labels.json")
    change = change_of(desk, tiles=[])
    monkeypatch.setattr("os.fsync", full)
    answer = client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN)
    assert answer.status_code == 500
    assert "cannot write" in answer.get_json()["error"].lower()
    assert "No space left" in answer.get_json()["error"]
    assert file_of(tmp_path / "labels.json") == before
    monkeypatch.undo()
    assert client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN).status_code == 200


def test_a_photo_that_is_gone_is_said(client: FlaskClient, tmp_path: Path) -> None:
    (tmp_path / "b.jpg").unlink()
    answer = client.get(f"/{TOKEN}/photos/1.jpg")
    assert (answer.status_code, answer.get_json()["error"]) == (
        422,
        "No such file; check the name.",
    )


@pytest.mark.parametrize("path", [f"/{TOKEN}/", f"/{TOKEN}/photos.json", "/nothing"])
def test_every_answer_carries_the_policy(client: FlaskClient, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_a_second_desk_sees_what_was_kept(tmp_path: Path, desk: Desk) -> None:
    client = create_app(desk, Texts.load(), TOKEN).test_client()
    tiles = [{"tile": "J", "quad": QUAD, "visible": 0.6, "number_visible": 0.0}]
    change = change_of(desk, tiles=tiles, checked=True, split="dev")
    assert client.post(f"/{TOKEN}/photos/0", json=change, headers=OWN).status_code == 200
    again = desk_of(tmp_path / "labels.json", tmp_path / "table.jpg", reader=reader_of("K1 K2"))
    told = again.labels(0)
    assert (told["split"], told["checked"], told["tiles"][0]["number_visible"]) == ("dev", True, 0)
