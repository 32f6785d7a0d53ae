"""What players said that jokers stand for: by tile, or by set where it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.errors import NotationError
from referee.notation import parse_set
from referee.table import Grid, TileSet
from referee.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from vision.watching.sights import SettledTable


@dataclass(frozen=True, slots=True)
class Declared:
    """What a joker stands for; tiles have no numbers that outlast the program.

    Attributes
    ----------
    line
        The set it lies in.
    place
        Where in that set.
    """

    line: TileSet
    place: int
    tile: Tile


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


def encoded(declared: Iterable[Declared]) -> list[dict[str, Any]]:
    """Return it as JSON values.

    >>> one = Declared(parse_set("R3 J R5"), 1, Tile.parse("R4"))
    >>> encoded([one])
    [{'line': 'R3 J R5', 'place': 1, 'tile': 'R4'}]
    >>> decoded(encoded([one])) == (one,)
    True
    """
    return [{"line": str(one.line), "place": one.place, "tile": str(one.tile)} for one in declared]


def decoded(values: Iterable[Mapping[str, Any]]) -> tuple[Declared, ...]:
    """Return what JSON values say; what makes no sense is left out.

    >>> decoded([{"line": "R3 J", "place": 7, "tile": "R4"}, {"tile": "X"}])
    ()
    >>> decoded([{"line": "R3 J", "place": -1, "tile": "R4"}])
    ()
    """
    found = []
    for one in values:
        try:
            line, place = parse_set(one["line"]), int(one["place"])
            tile = Tile.parse(one["tile"])
            if place >= 0 and line.tiles[place].is_joker and not tile.is_joker:
                found.append(Declared(line, place, tile))
        except (KeyError, IndexError, TypeError, ValueError, NotationError):
            continue
    return tuple(found)
