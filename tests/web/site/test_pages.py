from __future__ import annotations

import errno
import io
import logging
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import cv2
import numpy as np
import pytest

import web
from tests.web.site.conftest import OWN, Site, error_of, picture
from web.site import spool
from web.site.roles import Role
from web.site.uploads import UploadLimits

if TYPE_CHECKING:
    from flask.testing import FlaskClient

JSON = {**OWN, "Accept": "application/json"}


@pytest.mark.parametrize(
    "path", ["/", "/watch", "/phone", "/phone/setup", "/matches", "/matches/1"]
)
def test_every_page_is_shown(organiser: FlaskClient, path: str) -> None:
    answer = organiser.get(path)
    assert answer.status_code == 200
    assert answer.mimetype == "text/html"


@pytest.mark.parametrize("path", ["/watch", "/matches", "/matches/1"])
def test_spectators_find_the_matches_and_another_language_everywhere(
    spectator: FlaskClient, path: str
) -> None:
    shown = spectator.get(path).text
    assert 'href="/matches"' in shown
    assert 'href="?lang=de"' in shown


def test_the_list_of_matches_has_the_names_of_their_rules(spectator: FlaskClient) -> None:
    assert "· Standard ·" in spectator.get("/matches").text
    assert "· Standard<" in spectator.get("/matches/1").text


@pytest.mark.parametrize(
    ("roles", "linked"),
    [
        ([Role.CAMERA], False),
        ([Role.CAMERA, Role.SPECTATOR], True),
        ([Role.CAMERA, Role.ORGANISER], True),
    ],
)
def test_a_camera_is_not_sent_where_it_may_not_go(
    site: Site, roles: list[Role], *, linked: bool
) -> None:
    client = site.client(*roles)
    assert ('href="/matches"' in client.get("/phone").text) is linked
    assert (client.get("/matches").status_code == 200) is linked


@pytest.mark.parametrize(
    "sheet", sorted(Path(web.__file__).parent.rglob("*.css")), ids=lambda sheet: sheet.name
)
def test_nothing_moves_for_who_asks_for_less_motion(sheet: Path) -> None:
    asked = "@media (prefers-reduced-motion: no-preference)"
    moving = re.compile(r"\b(transition|animation|scroll-behavior)\b")
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if moving.search(line) and not line.startswith(asked)] == []


@pytest.mark.parametrize("path", ["/phone", "/phone/setup"])
@pytest.mark.parametrize(("https_port", "offered"), [(8443, True), (0, False)])
def test_a_live_camera_is_offered_only_where_it_works(
    path: str, https_port: int, offered: bool
) -> None:
    site = Site(https_port=https_port)
    shown = site.client(Role.CAMERA).get(path).text
    live = "/phone/setup" if path == "/phone" else "/phone/ca.crt"
    assert (f'href="{live}"' in shown) is offered
    assert ("phone.no_live" in shown) is not offered


@pytest.mark.parametrize("path", ["/phone", "/phone/setup"])
def test_the_demo_has_no_live_camera_that_somebody_could_start(path: str) -> None:
    shown = Site(https_port=0, demo=True).client(Role.CAMERA).get(path).text
    assert "phone.no_live_demo" in shown


def test_the_state_and_its_pictures(site: Site, spectator: FlaskClient) -> None:
    assert spectator.get("/snapshot.json").get_json() == site.table.snapshot()
    assert spectator.get("/picture.jpg").data.startswith(b"\xff\xd8")
    assert spectator.get("/evidence/6.jpg").data.startswith(b"\xff\xd8")
    assert spectator.get("/evidence/7.jpg").status_code == 404


def test_a_picture_is_encoded_once_for_all(site: Site, spectator: FlaskClient) -> None:
    asked: list[bytes] = []

    def encode() -> bytes:
        asked.append(picture())
        return asked[-1]

    site.table.picture_jpeg = encode  # type: ignore[method-assign]
    spectator.get("/picture.jpg")
    site.client(Role.SPECTATOR).get("/picture.jpg")
    assert len(asked) == 1
    site.table.show({"picture": {"width": 320, "height": 240, "number": 2}})
    spectator.get("/picture.jpg")
    assert len(asked) == 2


def test_a_tile_is_cut_out_upright(spectator: FlaskClient) -> None:
    crop = spectator.get("/tile-picture?id=1")
    pixels = cv2.imdecode(np.frombuffer(crop.data, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    assert pixels.shape == (128, 96, 3)
    assert pixels[110, 70].min() > 200
    for wrong in ("", "?id=x", "?id=999"):
        assert spectator.get(f"/tile-picture{wrong}").status_code == 404


def test_before_the_first_picture_there_is_none(site: Site, spectator: FlaskClient) -> None:
    site.table.picture_jpeg = lambda: None  # type: ignore[method-assign]
    assert "camera runs" in spectator.get("/picture.jpg").text
    assert spectator.get("/tile-picture?id=1").status_code == 404


def test_rulesets_come_with_their_parameters(spectator: FlaskClient) -> None:
    rules = spectator.get("/rules.json").get_json()
    names = [parameter["name"] for parameter in rules["parameters"]]
    assert all(set(names) <= set(ruleset) for ruleset in rules["rulesets"])
    kinds = {parameter["name"]: parameter["kind"] for parameter in rules["parameters"]}
    assert kinds["wrap"] == "switch"
    assert kinds["deal"] == "number"
    assert kinds["tile_values"] == "numbers"
    assert kinds["scoring"] == "choice"


def test_a_command_is_handed_on(site: Site, organiser: FlaskClient) -> None:
    answer = organiser.post(
        "/api/commands/correct_tile", headers=OWN, json={"id": 7, "tile": "R7"}
    )
    assert answer.get_json() == {"ok": True}
    assert site.table.commands == [("correct_tile", {"id": 7, "tile": "R7"})]


def test_a_rack_is_read_from_a_photo_and_from_nothing_else(
    site: Site, organiser: FlaskClient
) -> None:
    form = {"player": "Ann", "mark": "7", "photo": (io.BytesIO(picture()), "rack.jpg")}
    assert organiser.post("/leftovers", headers=JSON, data=form).get_json() == {"ok": True}
    name, values = site.table.commands[0]
    assert (name, values["player"], values["mark"], values["pixels"].shape) == (
        "read_leftovers",
        "Ann",
        "7",
        (240, 320, 3),
    )
    given = {"player": "Ann", "pixels": [[1]]}
    answer = organiser.post("/api/commands/read_leftovers", headers=OWN, json=given)
    assert answer.status_code == 400
    assert len(site.table.commands) == 1


def test_there_is_no_certificate_without_https(camera: FlaskClient) -> None:
    assert "https port" in camera.get("/phone/ca.crt").text


def test_a_refused_command_says_why(organiser: FlaskClient) -> None:
    answer = organiser.post("/api/commands/refuse_me", headers=OWN, json={})
    assert answer.status_code == 409
    assert error_of(answer) == "This table is canned, and refuses that."


@pytest.mark.parametrize("body", [b"", b"no json", b"[1]", b'"x"'])
def test_the_values_of_a_command_are_an_object(organiser: FlaskClient, body: bytes) -> None:
    answer = organiser.post(
        "/api/commands/undo", headers=OWN, data=body, content_type="application/json"
    )
    assert answer.status_code == 400
    assert "JSON object" in error_of(answer)


def test_a_command_is_small(organiser: FlaskClient) -> None:
    answer = organiser.post("/api/commands/undo", headers=OWN, json={"x": "y" * 70_000})
    assert answer.status_code == 413


def test_matches_go_out(organiser: FlaskClient) -> None:
    with organiser.get("/export/1.zip") as out:
        assert out.headers["Content-Disposition"] == "attachment; filename=meldwatch-match-1.zip"
        assert zipfile.ZipFile(io.BytesIO(out.data)).namelist() == ["match.txt"]
    scores = organiser.get("/export/1.csv")
    assert scores.text.splitlines()[0] == "round,Ann,Bob,Chidi"
    assert scores.mimetype == "text/csv"
    assert organiser.get("/export/9.zip").status_code == 404
    assert organiser.get("/export/9.csv").status_code == 404


def test_matches_come_in(organiser: FlaskClient) -> None:
    with organiser.get("/export/1.zip") as out:
        data = out.data
    shown = organiser.post("/import", headers=OWN, data={"file": (io.BytesIO(data), "../x.zip")})
    assert shown.location == "/matches/1"
    told = organiser.post("/import", headers=JSON, data={"file": (io.BytesIO(data), "x")})
    assert told.get_json() == {"ok": True, "id": 1}
    wrong = organiser.post("/import", headers=JSON, data={"file": (io.BytesIO(b"x"), "x")})
    assert wrong.status_code == 409
    assert organiser.post("/import", headers=JSON, data={}).status_code == 400
    large = {"file": (io.BytesIO(bytes(70_000)), "x")}
    assert organiser.post("/import", headers=JSON, data=large).status_code == 413


def test_a_bad_reading_can_be_sent_in_without_the_players(organiser: FlaskClient) -> None:
    answer = organiser.post("/report", headers=OWN, data={"note": "This is a red 7."})
    report = zipfile.ZipFile(io.BytesIO(answer.data))
    assert report.namelist() == ["note.txt", "reading.json", "picture.jpg"]
    assert report.read("note.txt") == b"This is a red 7."
    assert b"Chidi" not in report.read("reading.json")


def test_an_unforeseen_error_is_told_in_words_and_logged_with_its_traceback(
    site: Site, organiser: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> None:
        raise RuntimeError("a secret of the house")

    site.table.snapshot = broken  # type: ignore[method-assign,assignment]
    with caplog.at_level(logging.ERROR):
        answer = organiser.get("/snapshot.json")
    assert answer.status_code == 500
    assert "Try again" in error_of(answer)
    assert "secret" not in answer.text
    assert caplog.records[0].exc_info is not None
    assert "a secret of the house" in caplog.text


def test_a_full_disk_is_told_apart(
    site: Site, organiser: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    site.table.snapshot = full  # type: ignore[method-assign,assignment]
    answer = organiser.get("/snapshot.json")
    assert (answer.status_code, "disk of this machine is full" in error_of(answer)) == (507, True)
    assert "No space left on device" in caplog.text


def test_large_files_wait_in_the_folder_of_the_services_and_leave_nothing_there(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    used: list[Path | None] = []

    def noted(dir: Path | None) -> IO[bytes]:  # noqa: A002 - its name there
        used.append(dir)
        return TemporaryFile(dir=dir)

    monkeypatch.setattr(spool, "TemporaryFile", noted)
    site.app.extensions["meldwatch"] = replace(
        site.services, spool=tmp_path, uploads=UploadLimits(import_bytes=2_000_000)
    )
    organiser = site.client(Role.ORGANISER)
    for size, folders in ((1_000, []), (1_000_000, [tmp_path])):
        told = b'--x\r\nContent-Disposition: form-data; name="file"; filename="match.zip"\r\n\r\n'
        body = told + b"PK" + bytes(size) + b"\r\n--x--\r\n"
        kind = "multipart/form-data; boundary=x"
        answer = organiser.post("/import", headers=JSON, data=body, content_type=kind)
        assert answer.status_code == 409
        assert used == folders
    assert list(tmp_path.iterdir()) == []


def test_errors_come_as_they_were_asked_for(site: Site) -> None:
    client = site.client()
    assert client.get("/nothing").mimetype == "text/html"
    assert "nothing here" in client.get("/nothing").text
    assert "nothing here" in error_of(client.get("/nothing", headers=JSON))
    assert client.get("/events").mimetype == "application/json"
    wrong = client.post("/healthz", headers=OWN)
    assert wrong.status_code == 405
    assert "GET" in wrong.headers["Allow"]


@pytest.mark.parametrize(
    ("query", "headers", "expected"),
    [
        ("", {}, "en"),
        ("", {"Accept-Language": "de-AT,de;q=0.9"}, "de"),
        ("", {"Accept-Language": "fr"}, "en"),
        ("?lang=de", {}, "de"),
        ("?lang=../x", {}, "en"),
    ],
)
def test_pages_speak_the_browsers_language(
    site: Site, query: str, headers: dict[str, str], expected: str
) -> None:
    template = site.app.jinja_env.from_string("{{ language }} {{ t('hello', name='<Ann>') }}")
    site.app.view_functions["pages.watch"] = lambda: template.render(
        site.app.template_context_processors[None][-1]()
    )
    answer = site.client(Role.SPECTATOR).get(f"/watch{query}", headers=headers)
    assert answer.text.split()[0] == expected
    assert answer.text.endswith("&lt;Ann&gt;") or "<Ann>" in answer.text


def test_a_match_that_is_over_can_still_be_corrected(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {**(site.archive.match(1) or {}), "phase": "over"}
    monkeypatch.setattr(site.archive, "match", lambda _number: found)
    client = site.client(Role.ORGANISER)
    assert "matches.correct" in client.get("/matches/1").text
    assert "go-on" not in site.client(Role.SPECTATOR).get("/matches/1").text
