"""What players said that jokers stand for, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.errors import NotationError
from referee.notation import parse_set
from referee.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.table import TileSet


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
