"""What people put right on the table as it lies: it tells how a reading was bad."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.sights import SettledTable


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
        if settled is None or not self._by_tile:
            return
        faces = {tile.id: tile.reading.tile for tile in settled.tiles}
        self._by_tile = {
            tile_id: one
            for tile_id, one in self._by_tile.items()
            if (not hand if one.tile is None else faces.get(tile_id) == one.tile)
        }
