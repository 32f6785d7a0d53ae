"""What a person put right is left open wherever else the same may be misread."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee import Tile
from referee.verdicts import Status
from tests.vision.watching.made_scenes import Evening, Scene, row
from tests.vision.watching.test_recalled import after
from tests.vision.watching.test_refound import misread, named, settled

BEFORE = Scene(row(150, 120, "R3 R4 R5 R6") | row(500, 120, "K7 B7 J"))
OTHERS = row(150, 120, "R3 R4 R5 R6")


def told(**slips: str) -> Evening:
    """An evening on which one tile was put right; another one alike may still be misread."""
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, **slips)
    table = settled(evening, BEFORE)
    for right, read in slips.items():
        evening.watcher.correct({named(table, read).id: Tile.parse(right)})
    return evening


def status_of(evening: Evening, laid: str) -> Status:
    """Return what is said of a set that is laid in the place of the second one."""
    scene = replace(BEFORE, tiles=OTHERS | row(500, 300, laid))
    evening.reach(BEFORE, scene)
    return settled(evening, scene).verdict.parts[1].status


@pytest.mark.parametrize(
    ("laid", "status"),
    [("R10 J R12", Status.VALID), ("B3 J B5", Status.UNKNOWN), ("B3 J B6", Status.INVALID)],
)
def test_a_joker_that_is_taken_for_an_eleven_accuses_nobody_twice(
    laid: str, status: Status
) -> None:
    assert status_of(told(J="R11"), laid) is status
    restarted = after(told(J="R11"))
    settled(restarted, BEFORE)
    assert status_of(restarted, laid) is status


def test_without_a_word_it_stands_as_it_is_read() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, J="R11")
    settled(evening, BEFORE)
    assert status_of(evening, "B3 J B5") is Status.INVALID


@pytest.mark.parametrize(
    ("laid", "status"),
    [
        ("O11 O12 O13", Status.UNKNOWN),
        ("R11 B11 O11", Status.UNKNOWN),
        ("O11 K12 O13", Status.INVALID),
    ],
)
def test_an_ink_that_was_taken_for_another_is_in_doubt_on_other_numbers(
    laid: str, status: Status
) -> None:
    scene = replace(BEFORE, tiles=OTHERS | row(500, 120, "K7 B7 O7"))
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, O7="R7", O11="R11")
    evening.watcher.correct({named(settled(evening, scene), "R7").id: Tile.parse("O7")})
    assert status_of(evening, laid) is status


@pytest.mark.parametrize(("now", "laid"), [("B9", "K9 O9 R3"), ("R3", "B9 R4 R5")])
def test_a_tile_that_changed_unseen_was_not_misread(now: str, laid: str) -> None:
    evening = Evening()
    settled(evening, BEFORE)
    changed = replace(BEFORE, tiles={**BEFORE.tiles, (150, 120): "B9"})
    (tile,) = (one for one in settled(evening, changed).tiles if one.status == "doubtful")
    evening.watcher.correct({tile.id: Tile.parse(now)})
    assert status_of(evening, laid) is Status.INVALID


def test_a_word_that_is_taken_back_opens_nothing() -> None:
    evening = told(J="R11")
    joker = named(settled(evening, BEFORE), "J")
    evening.watcher.correct({joker.id: Tile.parse("R11")})
    assert status_of(evening, "B3 J B5") is Status.INVALID


def test_a_word_that_could_not_be_kept_opens_nothing() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, J="R11")
    eleven = named(settled(evening, BEFORE), "R11")
    mark = evening.watcher.mark()
    evening.watcher.correct({eleven.id: Tile.parse("J")})
    evening.watcher.go_back(mark)
    assert status_of(evening, "B3 J B5") is Status.INVALID
