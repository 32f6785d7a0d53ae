"""Reports of bad readings are labelled like photos."""

from __future__ import annotations

import json
import zipfile
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings

from tests.web.label.test_command import run
from tests.web.site.conftest import OWN, Site, picture
from tests.web.test_zips import DAMAGE, damaged
from vision.pictures import PictureError
from web.label.package import open_report
from web.site.roles import Role

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A report as the dashboard saves it."""
    client = Site().client(Role.ORGANISER)
    path = tmp_path / "meldwatch-report.zip"
    path.write_bytes(client.post("/report", headers=OWN, data={"note": "A red 7, no?"}).data)
    return path


def test_a_report_is_labelled_like_a_photo(report: Path, ended: list[str]) -> None:
    result = run(report)
    assert (result.exit_code, len(ended)) == (0, 1)
    photo = report.with_suffix(".jpg")
    assert result.stdout.splitlines()[:2] == [
        f"{report}: A red 7, no?",
        f"{photo}: 5 tiles, 1 unsure",
    ]
    assert photo.read_bytes()[:2] == b"\xff\xd8"
    assert run(report, photo).exit_code == 0


def test_what_is_no_report_is_told_and_the_rest_goes_on(
    report: Path, tmp_path: Path, ended: list[str]
) -> None:
    other = tmp_path / "other.zip"
    other.write_bytes(b"no ZIP file")
    result = run(other, report)
    assert (result.exit_code, len(ended)) == (1, 1)
    assert result.stderr == f"{other}: not a whole ZIP file: save the report again\n"


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(**DAMAGE)
def test_a_damaged_report_is_refused_in_words(
    report: Path, place: float, gone: int, instead: bytes
) -> None:
    path = report.with_name("damaged.zip")
    path.write_bytes(damaged(report.read_bytes(), place, gone, instead))
    path.with_suffix(".jpg").unlink(missing_ok=True)
    with suppress(PictureError):
        open_report(path)


def test_another_picture_is_not_replaced(report: Path) -> None:
    path = report.with_suffix(".jpg")
    path.write_bytes(picture())
    with pytest.raises(PictureError, match="is another picture"):
        open_report(report)
    assert path.read_bytes() == picture()


def test_a_file_without_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("note.txt", "no picture")
    with pytest.raises(PictureError, match=r"no picture\.jpg in it"):
        open_report(path)
    with pytest.raises(PictureError, match="No such file"):
        open_report(tmp_path / "none.zip")


def test_a_picture_that_is_far_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("picture.jpg", bytes(50_000_001))
    with pytest.raises(PictureError, match="over 50 MB"):
        open_report(path)


def _report_of(tmp_path: Path, corrections: object) -> Path:
    """A report of the picture that the desks of tests know, with tiles put right in it."""
    path = tmp_path / "meldwatch-report.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("picture.jpg", picture(kind=".jpg"))
        archive.writestr("reading.json", json.dumps({"corrections": corrections}))
    return path


def test_what_was_put_right_before_the_report_is_right_in_the_labels(
    tmp_path: Path, ended: list[str]
) -> None:
    first = _report_of(tmp_path, [])
    assert run(first).exit_code == 0
    labels = tmp_path / "labels.json"
    (proposed,) = json.loads(labels.read_text())
    labels.unlink()
    quads = {tile["tile"]: tile["quad"] for tile in proposed["tiles"]}
    away = [[x + 900, y] for x, y in quads["R3"]]
    report = _report_of(
        tmp_path,
        [
            {"id": 4, "was": "K8", "tile": "B8", "quad": quads["K8"]},
            {"id": 1, "was": "R4", "tile": None, "quad": quads["R4"]},
            {"id": 9, "was": None, "tile": "O1", "quad": away},
        ],
    )
    assert run(report).exit_code == 0
    (entry,) = json.loads(labels.read_text())
    assert [tile["tile"] for tile in entry["tiles"]] == ["R3", "R5", "B7", "B8", "O1"]
    assert not any(tile.get("doubt") for tile in entry["tiles"])
    # Given once more, and with its picture, nothing is proposed anew.
    assert run(report, report.with_suffix(".jpg")).exit_code == 0
    assert json.loads(labels.read_text()) == [entry]
    assert len(ended) == 3


@pytest.mark.parametrize(
    "corrections", [7, [{"tile": "X9", "quad": [[0, 0]] * 4}], [{"tile": "R1", "quad": [[0, 0]]}]]
)
def test_a_damaged_reading_is_said(tmp_path: Path, corrections: object) -> None:
    with pytest.raises(PictureError, match="is damaged: save the report again"):
        open_report(_report_of(tmp_path, corrections))
