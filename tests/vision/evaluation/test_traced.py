"""Suites drawn anew: what is wanted, where to, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from click.testing import CliRunner

from vision.evaluation.traced import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_suite_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--out", str(tmp_path / "out"), "--suite", "nothing"])
    assert result.exit_code == 2
    assert "there is no suite 'nothing'" in result.output
    assert not (tmp_path / "out").exists()


def test_without_blender_it_is_said_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.rendering.traced.blender.find_spec", lambda _: None)
    result = CliRunner().invoke(main, ["--out", str(tmp_path / "out"), "--suite", "phone"])
    assert result.exit_code == 1
    assert "`make trace`, with Python 3.11, installs it" in result.output


def test_a_folder_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.rendering.traced.blender.find_spec", str)
    taken = tmp_path / "taken"
    taken.write_text("a file", encoding="utf-8")
    result = CliRunner().invoke(main, ["--out", str(taken), "--suite", "phone"])
    assert result.exit_code == 1
    assert f"cannot write to {taken}" in result.output
