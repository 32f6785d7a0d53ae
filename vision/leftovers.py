"""A loser's remaining tiles: what they are, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.scoring import rack_points
from vision.doubts import face_is_unsure

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Readings


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The tiles in a picture of a rack, or spread on the table.

    Attributes
    ----------
    tiles
        In the order of their colours and numbers.
    value
        What they count against their owner under the ruleset.
    unsure
        Numbers, as in the readings, of tiles that a person should look at first.
    """

    tiles: tuple[Tile, ...]
    value: int
    unsure: tuple[int, ...]

    @property
    def notation(self) -> str:
        """The tiles as text."""
        return " ".join(map(str, self.tiles))


def leftovers(readings: Readings, rules: Ruleset) -> Leftovers:
    """Return what is left, whether or not it would make sets.

    >>> import numpy as np
    >>> from referee import load_ruleset, parse_tiles
    >>> from vision.types import Reading, Readings
    >>> seen = [Reading(tile, 1.0) for tile in parse_tiles("R7 J B3")]
    >>> rack = Readings(np.zeros((3, 4, 2), np.float32), tuple(seen))
    >>> found = leftovers(rack, load_ruleset("standard"))
    >>> found.notation, found.value
    ('R7 B3 J', 40)
    """
    tiles = sorted((reading.tile for reading in readings.readings), key=lambda tile: tile.index)
    unsure = tuple(
        number for number, reading in enumerate(readings.readings) if face_is_unsure(reading)
    )
    return Leftovers(tuple(tiles), rack_points(tiles, rules), unsure)
