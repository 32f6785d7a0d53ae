"""A served table whose process is killed while a turn lies there that somebody put right."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.live.soak.program import Program
from web.site.data_folder import DataFolder
from web.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LAID = [(250, 120, "R10"), (287, 120, "R11"), (324, 120, "O9")]


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    started = Program(tmp_path, speed=1000)
    yield started
    started.stop()


def face(shown: dict[str, Any], place: int) -> tuple[str, str]:
    """Return what the tile at a place of the row is, and why."""
    tile = sorted(shown["tiles"], key=lambda one: one["quad"][0][0])[place]
    return tile["tile"], tile["status"]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there is killed like this")
def test_a_correction_outlasts_the_process(program: Program, tmp_path: Path) -> None:
    program.show([], 8)
    assert not program.command("new_match", players=["Ann", "Bob"])
    assert not program.command("start_round", starter="Ann")
    for y in (430, 350, 300, 350, 430):
        program.show(LAID if y == 300 else [], 1, (480, y))
    program.show(LAID, 12)
    shown = program.follower.until(lambda now: len(now["tiles"]) == len(LAID))
    wrong = next(tile["id"] for tile in shown["tiles"] if tile["tile"] == "O9")
    assert not program.command("correct_tile", id=wrong, tile="R12")
    program.kill()
    program.start()
    program.show(LAID, 12)
    shown = program.follower.until(lambda now: now["tiles"] and now["proposal"])
    assert face(shown, 2) == ("R12", "corrected")
    assert shown["proposal"]["legal"] is True
    assert [(one["was"], one["tile"]) for one in shown["corrections"]] == [("O9", "R12")]
    assert not program.command("end_turn")
    program.kill()
    with open_store(DataFolder(tmp_path).store) as store:
        kinds = [one.kind for one in store.records(1)]
    assert kinds[:4] == ["event", "event", "words", "event"]
    assert set(kinds[4:]) <= {"words"}
    program.start()
    program.show(LAID, 12)
    shown = program.follower.until(lambda now: now["tiles"])
    assert (face(shown, 2), shown["desync"]) == (("R12", "corrected"), None)
