"""Rows that are a player's rack are asked about, and those of wrong sets are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Colour, Tile, load_ruleset
from referee.verdicts import Status
from tests.fakes import FakeDetector, FakeReader, blank, quad_at, sure
from vision.doubts import RACK, UNDER, face_is_unsure
from vision.faces import FACES
from vision.pipeline import TableReader
from vision.types import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.pipeline import TableReading

STANDARD = load_ruleset("standard")
HAND = "R4 B5 B7 B10 B13"
SETS = ("R1 R2 R3 R4 R5 R6", "B1 B2 B3 B4 B5 B6", "K7 K8 K9 K10")  # enough to tell the table by


def seen(
    *rows: str,
    apart_px: int = 95,
    said: Sequence[str] = (),
    rules: str = "",
    leaning: Sequence[int] = (),
) -> TableReading:
    """Read rows that lie so far under one another; a person has said what some tiles are.

    Those that lean look a seventh less tall; a "." leaves a tile's place free.
    """
    places = [
        (j, i, face)
        for j, row in enumerate(rows)
        for i, face in enumerate(row.split())
        if face != "."
    ]
    quads = np.array([quad_at(200 + 62 * i, 100 + apart_px * j) for j, i, _ in places])
    for (j, *_), quad in zip(places, quads, strict=True):
        quad[2:, 1] -= 0.15 * (quad[2:, 1] - quad[:2, 1]) * (j in leaning)
    readings = (Reading(Tile.parse(f), 1.0) if f in said else sure(f) for *_, f in places)
    reader = TableReader(FakeDetector(quads), FakeReader(tuple(readings)))
    return reader.read(blank(), load_ruleset(rules) if rules else STANDARD)


def asked(reading: TableReading) -> list[str]:
    return [str(one.tile) for one in reading.readings.readings if one.doubt == RACK]


def test_a_row_that_is_nothing_like_a_set_is_asked_about_once() -> None:
    reading = seen(HAND)
    assert asked(reading) == ["R4"]
    assert reading.verdict.ok is None
    assert reading.verdict.parts[0].status is Status.UNKNOWN
    assert not any(map(face_is_unsure, reading.readings.readings))  # what they are is not in doubt


def test_what_a_person_says_is_there_is_judged() -> None:
    reading = seen(HAND, said=["B10"])
    assert asked(reading) == []
    assert reading.verdict.ok is False


@pytest.mark.parametrize(("apart_px", "questions"), [(95, ["R4", "O6"]), (300, ["R4"])])
def test_a_wrong_row_beside_one_is_the_next_tier(apart_px: int, questions: list[str]) -> None:
    reading = seen(HAND, "O6 O7 K2", apart_px=apart_px)
    assert asked(reading) == questions


def test_short_tiers_are_told_together() -> None:
    assert asked(seen("K1 R4 B11", "B9 O1 O5")) == ["K1", "B9"]
    assert asked(seen("K1 R4 B11", "B9 O1 O5", apart_px=300)) == []
    assert asked(seen("K1 R4 B11", "B9 B10 O5")) == ["K1", "B9"]
    assert asked(seen("K1 K2 B11", "B9 B10 O5")) == []
    assert asked(seen("K1 R4 B11 O7")) == []  # so few may be a set that is misread twice


def test_a_legal_set_beside_a_rack_is_legal() -> None:
    statuses = [part.status for part in seen(HAND, "O6 O7 O8").verdict.parts]
    assert sorted(statuses, key=str) == sorted([Status.UNKNOWN, Status.VALID], key=str)


def test_lines_that_cross_are_no_racks() -> None:
    assert asked(seen(HAND, rules="crazy")) == []


@given(
    st.integers(1, 10),
    st.sampled_from(list(Colour)),
    st.integers(4, 7),
    st.booleans(),
    st.data(),
)
def test_a_set_with_one_wrong_tile_is_no_rack(
    first: int, colour: Colour, length: int, as_run: bool, data: st.DataObject
) -> None:
    run = [Tile(colour, number) for number in range(first, min(first + length, 14))]
    tiles = run if as_run else [Tile(each, first) for each in Colour]
    wrong = data.draw(st.integers(0, len(tiles) - 1))
    tiles[wrong] = data.draw(st.sampled_from(FACES))
    assert asked(seen(" ".join(map(str, tiles)))) == []


@pytest.mark.parametrize("rules", ["standard", "crazy"])
def test_wrong_rows_that_stand_before_sets_that_lie_are_asked_about(rules: str) -> None:
    rack = "R9 R10 K12"  # with a tile of another colour it might have been a set
    assert asked(seen(*SETS, rack, rules=rules, apart_px=120)) == []
    reading = seen(*SETS, rack, rules=rules, apart_px=120, leaning=[3])
    assert asked(reading) == ["R9"]
    assert reading.verdict.ok is None
    said = seen(*SETS, rack, rules=rules, apart_px=120, leaning=[3], said=["R9"])
    assert asked(said) == []
    assert said.verdict.ok is False


def test_a_lone_tile_stands_only_beside_others() -> None:
    assert asked(seen(*SETS, "K12", apart_px=120, leaning=[3])) == []
    assert set(asked(seen(*SETS, "K12 . . R9 O10", apart_px=120, leaning=[3]))) == {"R9", "K12"}


def test_what_is_gathered_on_a_rack_is_asked_about_and_sets_that_lie_are_not() -> None:
    rows = ("O7 O8 O9 . R9 R10 K12", "B11 R11 K11")
    assert asked(seen(*SETS, *rows, apart_px=120, leaning=[3])) == ["O7", "R9"]
    assert asked(seen(*SETS, *rows[::-1], apart_px=120, leaning=[4])) == ["O7", "R9"]
    assert asked(seen(*SETS, "O7 O8 O9", apart_px=120, leaning=[3])) == []  # perhaps laid so


def test_a_set_that_may_go_on_under_a_rack_is_asked_about() -> None:
    """A rack that hides a third of the next tile's place has hidden what lay there."""
    behind = seen(*SETS, ". . . . K1 K2", "R9 R10 K12 O3", apart_px=120)
    assert behind.verdict.ok is False
    quads = behind.readings.quads_img.copy()
    rack = slice(len(quads) - 4, None)
    quads[rack, 2:, 1] -= 20
    quads[rack, :, 1] -= 80
    reader = TableReader(FakeDetector(quads), FakeReader(behind.readings.readings))
    reading = reader.read(blank(), STANDARD)
    assert {one.doubt for one in reading.readings.readings if str(one.tile) == "K1"} == {UNDER}
    assert asked(reading) == ["R9"]


def test_a_long_row_of_which_half_may_be_sets_is_none() -> None:
    assert asked(seen("R1 R4 R5 R8 B3 B4 B9 K2")) == ["R1"]
    assert asked(seen("R1 R2 K5 R4 R5 R6 B7 R8 R9")) == []  # two wrong tiles in a run
