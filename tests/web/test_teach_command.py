"""`meldwatch teach`, `meldwatch sets` and `--set`, on the real networks where they matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import pytest
from click.testing import CliRunner

from tests.fakes import fake_reader
from tests.vision.teaching.test_photo import laid_out, reader_of
from vision.evaluation.suite_tables import lesson, tables
from vision.evaluation.suites import suite_named
from vision.teaching.profile import load_profile
from web.cli import cli
from web.options import sets_folder
from web.settings import settings_and_folder
from web.teach_command import _that_show_the_set

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from vision.pipeline import TableReader


def run(*args: str | Path, table: str | None = None) -> Result:
    def load(_models_dir: Path | None) -> TableReader:
        return fake_reader(table or "R3 R4 R5")

    return CliRunner().invoke(cli, [str(arg) for arg in args], obj=load if table else None)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A photo of a set laid out, and one of a table laid with it."""
    folder = tmp_path_factory.mktemp("photos")
    given = next(iter(tables(suite_named("edition-d"), "edition-d", 1)))
    cv2.imwrite(str(folder / "table.png"), given.pixels)
    cv2.imwrite(str(folder / "laid-out.png"), lesson(given, "edition-d"))
    return folder / "laid-out.png", folder / "table.png"


def test_a_set_is_taught_used_listed_and_forgotten(
    photos: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    laid_out, table = photos
    taught = run("teach", "grandma", laid_out, table)
    assert taught.exit_code == 0, taught.output
    assert "Taught 'grandma' from 53 tiles in 1 of 2 photos" in taught.output
    assert "--set grandma" in taught.output
    assert "want four rows" in taught.stderr  # the other photo shows no laid-out set

    fitted = load_profile("grandma", sets_folder(None)).correction
    monkeypatch.setattr("vision.teaching.profile.fit_correction", lambda *_, **__: fitted)

    assert run("sets").output == "grandma\n"
    again = run("teach", "Grandma", laid_out)
    assert again.exit_code == 2
    assert "there is a set called 'grandma' already" in again.output
    assert run("teach", "Grandma", laid_out, "--replace").exit_code == 0
    assert run("sets").output == "grandma\n"
    plain, known = run("read", table), run("read", table, "--set", "grandma")
    assert known.exit_code == 0
    assert known.output.count("ok ") >= plain.output.count("ok ") > 0

    elsewhere = tmp_path / "else where"
    taught = run("teach", "grandma", laid_out, "--data", elsewhere)
    assert f'--set "{elsewhere / "sets" / "grandma.set.npz"}"' in taught.output

    assert run("sets", "--forget", "grandma").exit_code == 0
    assert (run("sets").stdout, "No set was taught yet" in run("sets").stderr) == ("", True)


def test_sets_are_where_serving_looks_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    usual, table = tmp_path / "meldwatch", tmp_path / "table"
    usual.mkdir()
    settings = usual / "settings.toml"
    settings.write_text(f"[keeping]\ndata = {str(table)!r}\n", encoding="utf-8")
    assert settings_and_folder()[1] == table
    assert sets_folder(None) == table / "sets"
    assert sets_folder(usual) == usual / "sets"
    settings.write_text("[keeping]\ndate = 'x'\n", encoding="utf-8")
    result = run("sets")
    assert (result.exit_code, "did you mean data?" in result.stderr) == (1, True)


def test_tiles_that_may_lie_in_the_wrong_place_are_told(
    photos: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    names, quads = laid_out()
    six, nine = names.index("R6"), names.index("R9")
    reader = reader_of(names, quads)
    assert len(_that_show_the_set((str(photos[0]),), reader)) == 1
    assert capsys.readouterr().err == ""
    names[six], names[nine] = names[nine], names[six]
    assert len(_that_show_the_set((str(photos[0]),), reader_of(names, quads))) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"{photos[0]}: I read R9 where R6 belongs, R6 where R9 belongs: ")


def test_a_photo_without_the_set_teaches_nothing(
    photos: tuple[Path, Path], tmp_path: Path
) -> None:
    result = run("teach", "mine", photos[1], "--data", tmp_path, table="R3 R4 R5")
    assert result.exit_code == 1
    assert "I see rows of 3 tiles, but want four rows" in result.output
    assert "K1 K2 K3 ... K13 J" in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("teach", "../up", "x.jpg"), "is no name for a set"),
        (("teach", "mine"), "Missing argument 'PHOTO...'"),
        (("teach", "mine", "no-such.jpg"), "no-such.jpg: "),
        (("teach", "mine", *"abcd"), "expected at most 3 photos, got 4"),
        (("teach", "mine", "a", "b", "./a"), "expected different photos, got one twice"),
        (("sets", "--forget", "mine"), "no set called 'mine' has been taught"),
        (
            ("read", "x.jpg", "--set", "mine"),
            "no set called 'mine' has been taught; there are: no",
        ),
    ],
)
def test_what_is_wrong_is_said(
    args: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    result = run(*args, table="R3 R4 R5")
    assert result.exit_code != 0
    assert said in result.output
    assert "Traceback" not in result.output
