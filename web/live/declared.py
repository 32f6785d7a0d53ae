"""What players said that jokers stand for: by tile, and by set where it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.table import Grid
from web.store.declared import Declared

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from referee.table import TileSet
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable


def described(settled: SettledTable, declared: Mapping[int, Tile]) -> tuple[Declared, ...]:
    """Return what was declared of the tiles that lie there, by the sets they lie in."""
    found: dict[int, Declared] = {}
    for ids, line in _lines(settled):
        for place, tile_id in enumerate(ids):
            if tile_id in declared:
                found.setdefault(tile_id, Declared(line, place, declared[tile_id]))
    return tuple(found.values())


def found_again(settled: SettledTable, waiting: Iterable[Declared]) -> dict[int, Declared]:
    """Return what was declared, by the tiles that it is about, where their sets lie there.

    A set may have grown by now, and may be seen from the other side.
    """
    found: dict[int, Declared] = {}
    lines = [*_lines(settled)]
    for one in waiting:
        places = (_place(one, ids, line) for ids, line in lines)
        tile_id = next((n for n in places if n is not None and n not in found), None)
        if tile_id is not None:
            found[tile_id] = one
    return found


def _place(one: Declared, ids: tuple[int, ...], line: TileSet) -> int | None:
    """Return the tile of a line that lies where the joker of a set lay, if that set is in it."""
    wanted = one.line.tiles
    for tiles, numbers in ((line.tiles, ids), (line.tiles[::-1], ids[::-1])):
        for start in range(len(tiles) - len(wanted) + 1):
            if tiles[start : start + len(wanted)] == wanted:
                return numbers[start + one.place]
    return None


def _lines(settled: SettledTable) -> Iterator[tuple[tuple[int, ...], TileSet]]:
    """Yield every set, crossing ones line by line, with the ids of its tiles."""
    for part, placed in zip(settled.table.parts, settled.layout.placed, strict=True):
        ids = [settled.tiles[number].id for number in placed.tiles]
        if isinstance(part, Grid):
            by_cell = dict(zip(part.cells, ids, strict=True))
            for line in part.lines():
                yield tuple(by_cell[cell] for cell in line.cells), line.tiles
        else:
            yield tuple(ids), part
