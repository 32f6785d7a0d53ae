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
from vision.doubts import RACK, face_is_unsure
from vision.faces import FACES
from vision.pipeline import TableReader
from vision.types import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.pipeline import TableReading

STANDARD = load_ruleset("standard")
HAND = "R4 B5 B7 B10 B13"


def seen(
    *rows: str, apart_px: int = 95, said: Sequence[str] = (), rules: str = ""
) -> TableReading:
    """Read rows that lie so far under one another; a person has said what some tiles are."""
    places = [(j, i, face) for j, row in enumerate(rows) for i, face in enumerate(row.split())]
    quads = np.array([quad_at(200 + 62 * i, 100 + apart_px * j) for j, i, _ in places])
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
