"""When table and record disagree: in which tiles, and what has to move to put it right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.table import Grid
from web.live.comparing import compare, tiles_of_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.table import Table, TileSet
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from web.live.comparing import Difference


@dataclass(frozen=True, slots=True)
class Desync:
    """How the table differs from the record.

    Attributes
    ----------
    missing
        Faces that are on the record, but not seen.
    extra
        Tiles that are seen, but not on the record, by id and face.
    """

    text: str
    missing: tuple[Tile, ...]
    extra: tuple[tuple[int, Tile], ...]


@dataclass(frozen=True, slots=True)
class Move:
    """One thing to do so that the table lies as on the record."""

    tile: Tile
    text: str


def describe(record: Table, settled: SettledTable) -> Desync | None:
    """Say in which tiles the seen table differs from the record; None where it does not."""
    found = compare(record, settled.table)
    if found.none:
        return None
    missing = tuple(found.missing.elements())
    extra = tuple(_extra(found, settled))
    return Desync(_text(found, settled), missing, extra)


def _extra(found: Difference, settled: SettledTable) -> Iterator[tuple[int, Tile]]:
    """Yield the seen tiles that are too many, those of changed sets first."""
    wanted = Counter(found.extra)
    changed = tiles_of_parts(settled, found.come)
    others = [place for place in range(len(settled.tiles)) if place not in set(changed)]
    for place in (*changed, *others):
        tile = settled.tiles[place]
        if wanted[tile.reading.tile] > 0:
            wanted[tile.reading.tile] -= 1
            yield tile.id, tile.reading.tile


def _text(found: Difference, settled: SettledTable) -> str:
    sentences = []
    if found.missing:
        sentences.append(f"Not seen, but on the record: {_named(found.missing)}.")
    if found.extra:
        sentences.append(f"Seen, but not on the record: {_named(found.extra)}.")
    if found.same_tiles:
        sets = "; ".join(_words(settled.table.parts[part]) for part in found.come)
        sentences.append(f"The same tiles lie in other sets than on the record: {sets}.")
    return " ".join(sentences)


def _named(faces: Counter[Tile]) -> str:
    ordered = sorted(faces, key=lambda tile: tile.index)
    return ", ".join(
        tile.words if faces[tile] == 1 else f"{tile.words} ({faces[tile]} of them)"
        for tile in ordered
    )


def _words(part: TileSet | Grid) -> str:
    return ", ".join(tile.words for tile in part.tiles)


def restore_moves(record: Table, seen: Table) -> tuple[Move, ...]:
    """Return what has to be moved so that the seen table becomes the one on the record.

    Sets that share the most tiles are taken for the same; their tiles stay.

    >>> from referee import parse_table
    >>> found = restore_moves(parse_table("R5 R6 R7"), parse_table("R5 R6 | K1"))
    >>> [f"{move.tile}: {move.text}" for move in found]
    ['K1: back to the rack', 'R7: back after Red 6']
    """
    found = compare(record, seen)
    moves = [Move(tile, "back to the rack") for tile in found.extra.elements()]
    left = [seen.parts[part] for part in found.come]
    for part in sorted((record.parts[p] for p in found.gone), key=lambda p: -len(p.tiles)):
        nearest = max(left, key=lambda other: _shared(part, other), default=None)
        if nearest is None or not _shared(part, nearest):
            moves += _whole(part)
            continue
        left.remove(nearest)
        moves += _into(part, Counter(nearest.tiles))
    return tuple(moves)


def _shared(first: TileSet | Grid, second: TileSet | Grid) -> int:
    return (Counter(first.tiles) & Counter(second.tiles)).total()


def _whole(part: TileSet | Grid) -> Iterable[Move]:
    return [Move(tile, f"into a set again: {_words(part)}") for tile in part.tiles]


def _into(part: TileSet | Grid, lying: Counter[Tile]) -> Iterator[Move]:
    """Yield a move for each tile of a recorded set that is not in the set that is left of it."""
    for place, tile in enumerate(part.tiles):
        if lying[tile] > 0:
            lying[tile] -= 1
        elif isinstance(part, Grid):
            yield Move(tile, f"back into the sets of {_words(part)}")
        else:
            yield Move(tile, _where(part.tiles, place))


def _where(tiles: tuple[Tile, ...], place: int) -> str:
    if place == 0:
        return f"back before {tiles[1].words}" if len(tiles) > 1 else "back by itself"
    if place == len(tiles) - 1:
        return f"back after {tiles[place - 1].words}"
    return f"back between {tiles[place - 1].words} and {tiles[place + 1].words}"
