"""Votes over frames: several readings of one tile become one."""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING

from vision.doubts import DISPUTED, LEAST_ALTERNATIVE, MOST_ALTERNATIVES, NEARLY, face_is_unsure
from vision.faces import FACES
from vision.types import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.tiles import Tile

FLOOR = LEAST_ALTERNATIVE / 5  # what is left for a face that a reading did not name


def vote(readings: Sequence[Reading]) -> Reading:
    """Make one reading of several of the same tile.

    The frames of a second share their glare and their blur, so their log probabilities are
    averaged, not added: three doubtful looks don't make a sure one. Sure is what all agree on
    and most are sure of; where they disagree a person is asked.

    Raises
    ------
    ValueError
        If there are no readings.

    Examples
    --------
    >>> from referee.tiles import Tile
    >>> seven, one = Tile.parse("R7"), Tile.parse("R1")
    >>> sure = vote([Reading(seven, 0.99), Reading(seven, 0.97)])
    >>> str(sure.tile), sure.unsure
    ('R7', False)
    >>> split = vote([Reading(seven, 0.9), Reading(seven, 0.9), Reading(one, 0.9)])
    >>> str(split.tile), split.doubt
    ('R7', 'Another look says Red 1.')
    """
    if not readings:
        raise ValueError("expected one reading or more of the tile, got none")
    if len(readings) == 1:
        return readings[0]
    chances = _average(readings)
    order = sorted(chances, key=lambda face: -chances[face])
    best = order[0]
    others = tuple(
        (face, chances[face])
        for face in order[1 : MOST_ALTERNATIVES + 1]
        if chances[face] >= LEAST_ALTERNATIVE
    )
    return Reading(best, chances[best], others, _doubt(readings, best))


def _average(readings: Sequence[Reading]) -> dict[Tile, float]:
    named = {reading.tile for reading in readings}
    named |= {face for reading in readings for face, _ in reading.alternatives}
    sums = dict.fromkeys(named, 0.0)
    for reading in readings:
        given = {reading.tile: reading.confidence, **dict(reading.alternatives)}
        for face in named:
            sums[face] += log(max(given.get(face, FLOOR), FLOOR)) / len(readings)
    rest = FLOOR * (len(FACES) - len(named))
    total = sum(exp(value) for value in sums.values()) + rest
    return {face: exp(value) / total for face, value in sums.items()}


def _doubt(readings: Sequence[Reading], best: Tile) -> str:
    """Say why the tile that won is unsure, or nothing."""
    sure_rivals = [one for one in readings if one.tile != best and not face_is_unsure(one)]
    if sure_rivals:
        return DISPUTED.format(other=sure_rivals[-1].tile.words)
    unsure = [reading for reading in readings if reading.unsure]
    if 2 * len(unsure) < len(readings):
        return ""
    others = [reading.tile for reading in unsure if reading.tile != best]
    return NEARLY.format(other=others[-1].words) if others else unsure[-1].doubt
