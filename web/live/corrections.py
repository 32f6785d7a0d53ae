"""What people put right on the table as it lies: it tells how a reading was bad.

That their word stands is for the watchers to see to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.recalled import Lying
    from vision.watching.sights import SettledTable
    from web.live.words import Tables


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """A person's word for one tile.

    Attributes
    ----------
    quad_img
        (4, 2) float32, image pixels, clockwise from the corner that is top left when upright.
    was
        As what it was read; None where no tile was seen.
    tile
        What it is; None where there is none.
    """

    id: int
    quad_img: Floats
    was: Tile | None
    tile: Tile | None


class Corrections:
    """The corrections of the table that lies there; used under the table's lock."""

    def __init__(self) -> None:
        self._by_tile: dict[int, Correction] = {}
        self._waiting: tuple[Lying, ...] = ()

    def recall(self, tables: Tables) -> None:
        """Go on from what was put right before the watchers began, who have no number of it."""
        lying = next(iter(tables.values()), ())
        self._by_tile = {}
        self._waiting = tuple(one for one in lying if one.said and one.read != one.tile)

    def __call__(self) -> tuple[Correction, ...]:
        """Return all, the oldest first."""
        return tuple(self._by_tile.values())

    def note(
        self, before: SettledTable | None, after: SettledTable, tile_id: int | None = None
    ) -> None:
        """Take down what a person made of a table; as what a tile was read first is remembered.

        Parameters
        ----------
        tile_id
            The tile that it is about; None for one that was added.
        """
        read = {tile.id: tile for tile in before.tiles} if before else {}
        there = {tile.id: tile for tile in after.tiles}
        said = [tile.id for tile in after.tiles if tile.status == "corrected"]
        for number in said if tile_id is None else [tile_id]:
            seen = there.get(number) or read[number]
            known = self._by_tile.pop(number, None)
            was = read[number].reading.tile if number in read else None
            was = known.was if known else was
            tile = seen.reading.tile if number in there else None
            if was != tile:
                self._by_tile[number] = Correction(number, seen.quad_img, was, tile)

    def see(self, settled: SettledTable | None, *, hand: bool) -> None:
        """Forget what is about tiles that were moved or taken away."""
        if settled is None:
            return
        if self._waiting and settled.tiles:
            for one in (*self._found(settled), *self._struck(settled)):
                self._by_tile[one.id] = one
            self._waiting = ()
        faces = {tile.id: tile.reading.tile for tile in settled.tiles}
        self._by_tile = {
            tile_id: one
            for tile_id, one in self._by_tile.items()
            if (not hand if one.tile is None else faces.get(tile_id) == one.tile)
        }

    def _found(self, settled: SettledTable) -> Iterator[Correction]:
        """Yield what was put right, by the tiles of which the watchers still know it."""
        left = [tile for tile in settled.tiles if tile.status == "corrected"]
        for one in self._waiting:
            same = [tile for tile in left if tile.reading.tile == one.tile]
            if same:
                found = min(same, key=lambda tile: _apart(tile.quad_img, one.quad_img))
                left.remove(found)
                yield Correction(found.id, found.quad_img, one.read, one.tile)

    def _struck(self, settled: SettledTable) -> Iterator[Correction]:
        """Yield what was no tile, and is none now; no tile has its number."""
        struck = [one for one in self._waiting if one.tile is None]
        for number, one in enumerate(struck, 1):
            width = _apart(one.quad_img[:1], one.quad_img[1:2])
            same = (t.quad_img for t in settled.tiles if t.reading.tile == one.read)
            if all(_apart(quad, one.quad_img) > width for quad in same):
                yield Correction(-number, one.quad_img, one.read, None)


def _apart(one: Floats, other: Floats) -> float:
    return float(np.linalg.norm(one.mean(0) - other.mean(0)))
