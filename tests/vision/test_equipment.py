"""A box's limits settle a wavering tile, and never a plain one."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from referee import load_ruleset, parse_tiles
from referee.tiles import ALL_FACES, Tile
from vision.doubts import CUT_OFF, LEAST_ALTERNATIVE, NEARLY
from vision.equipment import within_equipment
from vision.faces import TRACE
from vision.types import Reading, Readings

STANDARD = load_ruleset("standard")


def seen(*readings: Reading) -> Readings:
    return Readings(np.zeros((len(readings), 4, 2), np.float32), readings)


def wavering(first: Tile, second: Tile, chance: float) -> Reading:
    doubt = NEARLY.format(other=second.words)
    return Reading(first, chance, ((second, 1 - chance),), doubt)


def test_one_copy_on_the_table_settles_nothing() -> None:
    seven, one = parse_tiles("R7 R1")
    before = seen(Reading(seven, 1.0), wavering(seven, one, 0.6))
    assert within_equipment(before, STANDARD) == before


def test_what_is_left_over_must_be_likely_to_be_sure() -> None:
    seven, one, four = parse_tiles("R7 R1 R4")
    doubt = NEARLY.format(other=one.words)
    three_ways = Reading(seven, 0.5, ((one, 0.3), (four, 0.2)), doubt)
    plain = Reading(seven, 1.0)
    found = within_equipment(seen(plain, plain, three_ways), STANDARD).readings[2]
    assert (found.tile, found.unsure) == (one, True)
    assert round(found.confidence, 3) == 0.6


def test_what_is_spent_leaves_a_trace() -> None:
    """A key of a calculator may pass for a tile that is there: who accuses has to know of it."""
    seven, one = parse_tiles("R7 R1")
    plain = Reading(one, 1.0)
    found = within_equipment(seen(plain, plain, wavering(seven, one, 0.8)), STANDARD).readings[2]
    assert (found.tile, found.unsure) == (seven, False)
    assert found.alternatives == ((one, TRACE),)
    assert TRACE >= LEAST_ALTERNATIVE


def test_a_tile_that_is_cut_off_stays_in_doubt() -> None:
    seven, one = parse_tiles("R7 R1")
    plain = Reading(seven, 1.0)
    before = seen(plain, plain, Reading(seven, 0.6, ((one, 0.4),), CUT_OFF))
    assert within_equipment(before, STANDARD) == before


@given(
    tiles=st.lists(st.sampled_from(ALL_FACES), min_size=2, max_size=12),
    chance=st.floats(0.5, 0.95),
)
def test_a_sure_reading_is_never_touched(tiles: list[Tile], chance: float) -> None:
    plain = [Reading(tile, 0.99, ((tiles[0], 0.01),)) for tile in tiles[1:]]
    before = seen(wavering(tiles[0], tiles[1], chance), *plain)
    after = within_equipment(before, STANDARD)
    assert after.readings[1:] == before.readings[1:]


def test_a_joker_that_only_a_full_table_has_is_not_ruled_out() -> None:
    """With five or more players Keadle has four jokers, two more than with fewer."""
    joker, one = parse_tiles("J R1")
    before = seen(Reading(joker, 1.0), Reading(joker, 1.0), wavering(joker, one, 0.9))
    assert within_equipment(before, load_ruleset("keadle")) == before
    assert within_equipment(before, STANDARD) != before
