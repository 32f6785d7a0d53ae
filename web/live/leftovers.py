"""What is left on a rack at the end of a round, read from a picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.scoring import rack_points
from vision.findings import question
from web.live.comparing import part_key

if TYPE_CHECKING:
    from referee.match_state import Match
    from referee.tiles import Tile
    from vision.pipeline import TableReading


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The tiles on a player's rack, and what they are worth.

    Attributes
    ----------
    questions
        About the tiles that a person should look at.
    text
        What else to check, in words; often empty.
    """

    tiles: tuple[Tile, ...]
    value: int
    questions: tuple[str, ...] = ()
    text: str = ""

    @property
    def notation(self) -> str:
        """The tiles, sorted, as text."""
        return " ".join(str(tile) for tile in sorted(self.tiles, key=lambda tile: tile.index))


def leftovers_in(reading: TableReading, match: Match, player: str) -> Leftovers:
    """Return what a picture shows of a rack; sets of the table that it also shows are left out.

    Raises
    ------
    MatchError
        If nobody of that name plays.
    """
    expected = match.player(player).rack_size
    lying = Counter(part_key(part) for part in match.table.parts)
    numbers: list[int] = []
    for part, placed in zip(reading.table.parts, reading.layout.placed, strict=True):
        key = part_key(part)
        if lying[key] > 0:
            lying[key] -= 1
        else:
            numbers += placed.tiles
    found = [reading.readings.readings[number] for number in numbers]
    tiles = tuple(one.tile for one in found)
    text = ""
    if len(tiles) != expected:
        text = f"{len(tiles)} tiles were found; by the count there should be {expected}."
    questions = tuple(question(one) for one in found if one.unsure)
    return Leftovers(tiles, rack_points(tiles, match.rules), questions, text)
