"""Racks in the picture: rows of tiles that nobody laid as sets.

Before a camera that sees a player's rack its tiles lie side by side as those of sets do. A set
that somebody got wrong is nearly one; what is nothing like one is asked about, and held against
nobody.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.tiles import HIGHEST_NUMBER
from referee.verdicts import Status
from vision.doubts import RACK
from vision.quads import within

if TYPE_CHECKING:
    from referee.tiles import Tile
    from referee.verdicts import Verdict
    from vision.types import Layout, Readings

# Rows are nothing like sets if they have so many pairs of tiles side by side, and so few of these
# may be a set's: in a row of five with one wrong tile half of them may.
LEAST, MOST_FITTING = 4, 0.25
# How far the next tier of a rack lies, in widths and heights of its tiles. Rows of sets lie
# farther apart: at 1.6 `illegal`, all of whose sets are wrong, asks about 648 tiles, not 51.
NEXT_TIER: Final = (0.75, 1.15)


def on_racks(layout: Layout, readings: Readings, verdict: Verdict) -> dict[int, str]:
    """Name a tile of each wrong row that may be a rack's, with what is to be asked there.

    Such are rows that are nothing like a set, by themselves or with the next one, and wrong ones
    beside those, as the tiers of a rack. Where a person has said what a tile is, the row is there
    to be judged.
    """
    parts = [
        (placed.tiles, part.status)
        for placed, part in zip(layout.placed, verdict.parts, strict=True)
        if part.status is not Status.VALID
        and len(placed.cells) == 1
        and all(readings.readings[tile].confidence < 1 for tile in placed.tiles)
    ]
    if all(status is not Status.INVALID for _, status in parts):
        return {}
    rows = [tiles for tiles, _ in parts]
    faces = [[readings.readings[tile].tile for tile in row] for row in rows]
    near = within(readings.quads_img, readings.quads_img, NEXT_TIER)
    beside = [
        [i for i, other in enumerate(rows) if other != row and near[np.ix_(row, other)].any()]
        for row in rows
    ]
    tiers = [
        i
        for i, row in enumerate(faces)
        if _are_no_sets(row) or any(_are_no_sets(row, faces[j]) for j in beside[i])
    ]
    for tier in tiers:  # and those beside what is found so
        tiers += [i for i in beside[tier] if i not in tiers]
    return {rows[i][0]: RACK for i in tiers if parts[i][1] is Status.INVALID}


def _are_no_sets(*rows: list[Tile]) -> bool:
    """Whether rows are nothing like sets.

    >>> from referee import parse_tiles
    >>> _are_no_sets(list(parse_tiles("R4 B5 B7 B10 B13")))
    True
    >>> _are_no_sets(list(parse_tiles("R3 R4 B9 R6")))
    False
    """
    pairs = [_fit(*pair) for row in rows for pair in pairwise(row)]
    return len(pairs) >= LEAST and sum(pairs) <= MOST_FITTING * len(pairs)


def _fit(one: Tile, other: Tile) -> bool:
    """Whether two tiles may lie side by side in a set; in some games a 1 follows a 13."""
    if one.number is None or other.number is None:
        return True
    if one.colour is other.colour:
        return abs(one.number - other.number) in {1, HIGHEST_NUMBER - 1}
    return one.number == other.number
