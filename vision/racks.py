"""Racks in the picture: rows of tiles that nobody laid as sets.

Before a camera that sees a player's rack its tiles lie side by side as those of sets do. What
stands while sets lie, and what is nothing like a set, is asked about and held against nobody; nor
is a set of which a rack hides a part.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.tiles import HIGHEST_NUMBER
from referee.verdicts import Status
from vision.doubts import RACK, UNDER
from vision.open_ends import open_ends
from vision.outlines import lies_over
from vision.quads import within
from vision.standing import stand

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from referee.verdicts import Verdict
    from vision.open_ends import OpenEnd
    from vision.types import Layout, Readings

Row = tuple[int, ...]

# Rows are nothing like sets if they have so many pairs of tiles side by side, and so few of these
# may be a set's: in a row of five with one wrong tile half of them may.
LEAST, MOST_FITTING = 4, 0.25
# Nor is one row of which so many pairs may not, and more than half: a wrong tile spoils two.
SPOILT, HALF = 4, 0.5
# Of wrong rows that stand, and of legal ones: a corner may be found badly.
MOST, ALL = 0.5, 1.0
# How far the next tier of a rack lies, in widths and heights of its tiles. Rows of sets lie
# farther apart: at 1.6 `illegal`, all of whose sets are wrong, asks about 648 tiles, not 51.
NEXT_TIER: Final = (0.75, 1.15)
SAME_TIER: Final = (3.2, 0.4)  # how far what hands have parted on a tier


def on_racks(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> dict[int, str]:
    """Name a tile of each wrong row that may be a rack's, with what is to be asked there.

    Such are rows that stand while legal sets lie, lone tiles only beside others; those that are
    nothing like a set, by themselves or with the next one; and wrong ones beside all these, as the
    tiers of a rack. Where lines cross only what stands is told. Where a person has said what a
    tile is, the row is there to be judged. Named, too, are legal rows that stand beside a rack's,
    which somebody has gathered there, and the ends of sets that may go on under a rack.
    """
    parts = list(zip(layout.placed, verdict.parts, strict=True))
    if all(part.valid for _, part in parts):
        return {}
    statuses = {
        placed.tiles: part.status
        for placed, part in parts
        if all(readings.readings[tile].confidence < 1 for tile in placed.tiles)
    }
    lying = {tile for placed, part in parts if part.valid for tile in placed.tiles}
    wrong = [row for row, status in statuses.items() if status is not Status.VALID]
    up = _that_stand(wrong, lying, readings, MOST)
    leaning = [row for row in up if len(row) > 1]
    leaning += _beside([row for row in up if len(row) == 1], leaning, readings)
    tiers = leaning
    if not rules.two_dimensional:
        tiers = _with_odd_ones(leaning, wrong, readings)
    if not tiers:
        return {}
    legal = [row for row, status in statuses.items() if status is Status.VALID]
    legal = _beside(legal, tiers, readings)
    gathered = _that_stand(legal, lying.difference(*legal), readings, ALL)
    asked = [*(row for row in tiers if statuses[row] is Status.INVALID), *gathered]
    ends = open_ends(layout, readings, verdict, rules).all
    hidden = _hidden(ends, {tile for row in leaning for tile in row}, readings)
    return dict.fromkeys(hidden, UNDER) | {row[0]: RACK for row in asked}


def _that_stand(
    rows: Sequence[Row], lying: Collection[int], readings: Readings, share: float
) -> list[Row]:
    """Return the rows of which so many tiles stand, while others lie."""
    up = stand(readings.quads_img, lying)
    return [row for row in rows if up[list(row)].mean() >= share]


def _with_odd_ones(tiers: list[Row], rows: Sequence[Row], readings: Readings) -> list[Row]:
    """Add to a rack's tiers rows that are nothing like sets, and those beside any of them."""
    faces = {row: [readings.readings[tile].tile for tile in row] for row in rows}
    near = {
        row: [one for one in _near(row, rows, readings, NEXT_TIER) if one != row] for row in rows
    }
    odd = [
        row
        for row in rows
        if _are_no_sets(faces[row]) or any(_are_no_sets(faces[row], faces[o]) for o in near[row])
    ]
    found = list(dict.fromkeys([*tiers, *odd]))
    for tier in found:  # and those beside what is found so
        found += [row for row in near[tier] if row not in found]
    return found


def _beside(rows: Sequence[Row], tiers: Sequence[Row], readings: Readings) -> list[Row]:
    """Return the rows that may be of one rack with any of the tiers."""
    own = tuple(tile for row in tiers for tile in row)
    return _near(own, rows, readings, NEXT_TIER, SAME_TIER)


def _near(
    tiles: Row, rows: Sequence[Row], readings: Readings, *reaches: tuple[float, float]
) -> list[Row]:
    """Return the rows of which a tile is within any of the reaches of one of the tiles."""
    quads = readings.quads_img
    near = np.any([within(quads[list(tiles)], quads, reach).any(0) for reach in reaches], 0)
    return [row for row in rows if near[list(row)].any()]


def _hidden(ends: Iterable[OpenEnd], racks: Collection[int], readings: Readings) -> set[int]:
    """Name the end tiles of sets that are too short where a rack hides the next place."""
    quads = readings.quads_img
    return {
        end.tile
        for end in ends
        for tile in racks
        if end.tile not in racks and lies_over(quads[tile], quads[end.tile] + end.step_img)
    }


def _are_no_sets(*rows: list[Tile]) -> bool:
    """Whether rows are nothing like sets.

    >>> from referee import parse_tiles
    >>> _are_no_sets(list(parse_tiles("R4 B5 B7 B10 B13")))
    True
    >>> _are_no_sets(list(parse_tiles("R1 R4 R5 R8 B3 B4 B9 K2")))
    True
    >>> _are_no_sets(list(parse_tiles("R3 R4 B9 R6")))
    False
    """
    pairs = [_fit(*pair) for row in rows for pair in pairwise(row)]
    wrong = len(pairs) - sum(pairs)
    if len(rows) == 1 and wrong >= SPOILT and wrong > HALF * len(pairs):
        return True
    return len(pairs) >= LEAST and sum(pairs) <= MOST_FITTING * len(pairs)


def _fit(one: Tile, other: Tile) -> bool:
    """Whether two tiles may lie side by side in a set; in some games a 1 follows a 13."""
    if one.number is None or other.number is None:
        return True
    if one.colour is other.colour:
        return abs(one.number - other.number) in {1, HIGHEST_NUMBER - 1}
    return one.number == other.number
