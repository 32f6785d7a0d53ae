"""Tiles that lie open at the side, and are none of the table's (McGraw's free tiles)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.judge import judge_table
from referee.table import Table
from referee.verdicts import Status
from vision.doubts import face_is_unsure
from vision.types import Layout, Placed
from web.live.comparing import compare_seen

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from referee.match_state import Match
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable


def free_tiles_in(settled: SettledTable, count: int) -> tuple[Tile, ...]:
    """Return what lies there before a round, if it can only be the free tiles; else nothing."""
    tiles = [seen.reading.tile for seen in settled.tiles]
    # They make no sets, so it does not matter where one might go on.
    unsure = any(
        face_is_unsure(seen.reading) or seen.status == "doubtful" for seen in settled.tiles
    )
    joker = any(tile.is_joker for tile in tiles)
    return () if unsure or joker or len(tiles) != count else tuple(tiles)


def without_aside(settled: SettledTable, match: Match) -> SettledTable:
    """Return a table without the free tiles that are seen beside it.

    They are what nobody has laid: not on the record, no set, and nothing but free tiles.
    """
    left = Counter(match.free_tiles or ())
    aside = set()
    for part in compare_seen(match.table, settled).come if left else ():
        tiles = Counter(settled.table.parts[part].tiles)
        if settled.verdict.parts[part].status is not Status.VALID and tiles <= left:
            left -= tiles
            aside.add(part)
    return without_parts(settled, aside, match) if aside else settled


def without_parts(settled: SettledTable, aside: AbstractSet[int], match: Match) -> SettledTable:
    """Return a table without some parts and their tiles."""
    kept = [part for part in range(len(settled.table.parts)) if part not in aside]
    placed = [settled.layout.placed[part] for part in kept]
    numbers = sorted(tile for part in placed for tile in part.tiles)
    place = {tile: new for new, tile in enumerate(numbers)}
    layout = Layout(
        tuple(
            Placed(
                tuple(tuple(None if t is None else place[t] for t in row) for row in part.cells)
            )
            for part in placed
        )
    )
    tiles = tuple(settled.tiles[number] for number in numbers)
    table = Table(tuple(settled.table.parts[part] for part in kept))
    unsure = frozenset(
        (part, position)
        for part, lying in enumerate(layout.placed)
        for position, tile in enumerate(lying.tiles)
        if tiles[tile].unsure
    )
    verdict = judge_table(table, match.rules, unsure)
    return replace(settled, tiles=tiles, layout=layout, table=table, verdict=verdict)


@dataclass(slots=True)
class Aside:
    """Leaves the free tiles out of each settled table once, as long as nothing changes.

    What comes back stays the same object for the same table, as nothing new was seen.
    """

    _given: SettledTable | None = None
    _match: Match | None = None
    _made: SettledTable | None = None

    def left_out(self, settled: SettledTable | None, match: Match | None) -> SettledTable | None:
        """Return a settled table, as it was seen or as it was given back before, without them."""
        given = self._given if settled is self._made else settled
        if given is not self._given or not _alike(match, self._match):
            self._given, self._match = given, match
            self._made = given
            if given is not None and match is not None:
                self._made = without_aside(given, match)
        return self._made


def _alike(first: Match | None, second: Match | None) -> bool:
    """Whether two states of a match leave out the same."""
    if first is None or second is None:
        return first is second
    return (first.free_tiles, first.table) == (second.free_tiles, second.table)
