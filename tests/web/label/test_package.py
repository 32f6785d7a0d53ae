"""Reports of bad readings are labelled like photos."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from tests.web.label.test_command import run
from tests.web.site.conftest import OWN, Site, picture
from vision.pictures import PictureError
from web.label.package import picture_of
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
    assert result.stderr == f"{other}: not a ZIP file: save the report again\n"


def test_another_picture_is_not_replaced(report: Path) -> None:
    path = report.with_suffix(".jpg")
    path.write_bytes(picture())
    with pytest.raises(PictureError, match="is another picture"):
        picture_of(report)
    assert path.read_bytes() == picture()


def test_a_file_without_a_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "match.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("note.txt", "no picture")
    with pytest.raises(PictureError, match=r"no picture\.jpg in it"):
        picture_of(path)
    with pytest.raises(PictureError, match="No such file"):
        picture_of(tmp_path / "none.zip")


def test_a_picture_that_is_far_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("picture.jpg", bytes(50_000_001))
    with pytest.raises(PictureError, match="over 50 MB"):
        picture_of(path)
