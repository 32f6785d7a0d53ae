"""The renderer's benchmark: every part it names is one that the renderer has."""

from __future__ import annotations

from click.testing import CliRunner

from vision.rendering.measure import PARTS, main, shares


def test_parts_take_shares_of_the_whole() -> None:
    taken = shares(6, 64, (12.0, 20.0))
    assert list(taken) == list(PARTS)
    assert 0.5 < sum(taken.values()) < 1
    assert all(taken[part] > 0 for part in ("table", "faces drawn", "tiles placed", "camera"))


def test_it_says_how_fast_a_core_is() -> None:
    told = CliRunner().invoke(main, ["--count", "1", "--size", "64", "--tile", "12", "20"])
    assert told.exit_code == 0, told.output
    first, machine, *parts = told.output.splitlines()
    assert "pictures of 64 px a second on a core" in first
    assert "cores" in machine
    assert len(parts) == len(PARTS)
