"""`meldwatch evaluate --suite`: rendered tables instead of photos."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from tests.fakes import fake_reader
from vision.pictures import load_picture
from web.cli import cli

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["evaluate", *arguments], obj=lambda _: fake_reader("R7 B7"))
    return result.exit_code, result.output


def test_a_suite_is_scored_and_written(tmp_path: Path) -> None:
    path = tmp_path / "suites.csv"
    code, output = run("--suite", "small", "--tables", "2", "--verbose", "--csv", str(path))
    assert code == 0
    assert "not found" in output
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert [(row["suite"], row["edition"], row["tables"]) for row in rows] == [
        ("small", "a", "1"),
        ("small", "b", "1"),
        ("small", "all", "2"),
    ]
    assert rows[-1]["tables_exact"] == "0.0000"
    assert int(rows[-1]["confident_wrong"]) > 0


def test_tables_that_were_not_read_exactly_are_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "failures"
    code, _ = run("--suite", "small", "--tables", "2", "--failures", str(folder))
    assert code == 0
    drawn = sorted(folder.iterdir())
    assert [path.name for path in drawn] == ["small-0.jpg", "small-1.jpg"]
    assert all(load_picture(path).any() for path in drawn)


def test_pictures_that_are_not_drawn_yet_are_asked_for(tmp_path: Path) -> None:
    code, output = run("--suite", "small", "--tables", "1", "--drawn", str(tmp_path))
    assert code == 1
    assert f"{tmp_path / 'small-000.png'} is not drawn yet: `make trace` draws it" in output


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("a file", encoding="utf-8")
    code, output = run("--suite", "small", "--tables", "1", "--failures", str(taken / "here"))
    assert code == 1
    assert f"cannot write {taken / 'here'}" in output


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "give either LABELS.json or --suite NAME"),
        (["labels.json", "--suite", "plain"], "give either LABELS.json or --suite NAME"),
        (["--suite", "pretty"], "there is no suite 'pretty'; there are plain, oblique"),
        (["--suite", "plain", "--tables", "0"], "0 is not in the range"),
    ],
)
def test_wrong_usage_is_named(arguments: list[str], complaint: str) -> None:
    code, output = run(*arguments)
    assert code == 2
    assert complaint in output
