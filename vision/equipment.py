"""What a box of tiles can hold, as a help where a reading wavers between two faces.

Where every copy of one face already lies on the table, plainly read, the wavering tile cannot
be another. Only the tile in doubt is looked at anew; a sure reading is never touched, and what
the sets would like is not asked.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from vision.doubts import NEARLY, names_rival
from vision.faces import POSSIBLE, TRACE

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Reading, Readings

# Stricter than a reading that needs no help.
SURE: Final = 0.98


def within_equipment(readings: Readings, rules: Ruleset) -> Readings:
    """Read tiles that waver between faces again, without the faces that are all on the table.

    >>> import numpy as np
    >>> from referee import load_ruleset, parse_tiles
    >>> from vision.types import Reading, Readings
    >>> seven, one = parse_tiles("R7 R1")
    >>> plain = Reading(seven, 1.0)
    >>> wavers = Reading(seven, 0.6, ((one, 0.4),), NEARLY.format(other=one.words))
    >>> seen = Readings(np.zeros((3, 4, 2), np.float32), (plain, plain, wavers))
    >>> settled = within_equipment(seen, load_ruleset("standard")).readings[2]
    >>> str(settled.tile), settled.doubt
    ('R1', '')
    """
    seen = Counter(reading.tile for reading in readings.readings if not reading.unsure)
    spent = {tile for tile, count in seen.items() if count >= _copies(tile, rules)}
    settled = tuple(_settled(reading, spent) for reading in readings.readings)
    return replace(readings, readings=settled)


def _copies(tile: Tile, rules: Ruleset) -> int:
    return rules.jokers_max if tile.is_joker else rules.copies


def _settled(reading: Reading, spent: AbstractSet[Tile]) -> Reading:
    """Return a reading without spent faces; as it was if it does not waver between faces."""
    faces = ((reading.tile, reading.confidence), *reading.alternatives)
    left = sorted(((t, p) for t, p in faces if t not in spent), key=lambda face: -face[1])
    if not names_rival(reading) or not left or len(left) == len(faces):
        return reading
    excluded = sum(p for t, p in faces if t in spent)
    scale = 1 / max(1 - excluded, left[0][1])
    (tile, chance), *others = ((t, p * scale) for t, p in left)
    doubt = "" if chance >= SURE else reading.doubt
    if doubt and others:
        doubt = NEARLY.format(other=others[0][0].words)
    # A key that passes for a tile may have spent it: who accuses has to know of it.
    traces = ((t, TRACE) for t, p in faces if t in spent and p >= POSSIBLE)
    alternatives = tuple(sorted((*others, *traces), key=lambda face: -face[1]))
    return replace(reading, tile=tile, confidence=chance, alternatives=alternatives, doubt=doubt)
