"""When table and record disagree: in which tiles, and what has to move to put it right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.phrases import say, several
from referee.table import Grid, TileSet
from web.live.comparing import compare, compare_seen, shared, tiles_of_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.phrases import Phrase, Series
    from referee.table import Table
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
    found = compare_seen(record, settled)
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


def _text(found: Difference, settled: SettledTable) -> Phrase:
    sentences = []
    if found.missing:
        missing = _named(found.missing)
        sentences.append(
            say("differs.missing", "Not seen, but on the record: {tiles}.", tiles=missing)
        )
    if found.extra:
        extra = _named(found.extra)
        sentences.append(
            say("differs.extra", "Seen, but not on the record: {tiles}.", tiles=extra)
        )
    if found.same_tiles:
        sets = several("; ", [_tiles(settled.table.parts[part]) for part in found.come])
        sentences.append(
            say(
                "differs.sets",
                "The same tiles lie in other sets than on the record: {sets}.",
                sets=sets,
            )
        )
    return say("differs.all", "{sentences}", sentences=several(" ", sentences))


def _named(faces: Counter[Tile]) -> Series:
    ordered = sorted(faces, key=lambda tile: tile.index)
    return several(", ", [_counted(tile, faces[tile]) for tile in ordered])


def _counted(tile: Tile, times: int) -> Tile | Phrase:
    if times == 1:
        return tile
    return say("differs.often", "{tile} ({times} of them)", tile=tile, times=times)


def _tiles(part: TileSet | Grid) -> TileSet:
    """Return what lies in a set or grid, in one line."""
    return TileSet(part.tiles)


def restore_moves(record: Table, seen: Table) -> tuple[Move, ...]:
    """Return what has to be moved so that the seen table becomes the one on the record.

    Sets that share the most tiles are taken for the same; their tiles stay.

    >>> from referee import parse_table
    >>> found = restore_moves(parse_table("R5 R6 R7"), parse_table("R5 R6 | K1"))
    >>> [f"{move.tile}: {move.text}" for move in found]
    ['K1: back to the rack', 'R7: back after Red 6']
    """
    found = compare(record, seen)
    to_rack = say("move.to_rack", "back to the rack")
    moves = [Move(tile, to_rack) for tile in found.extra.elements()]
    left = [seen.parts[part] for part in found.come]
    for part in sorted((record.parts[p] for p in found.gone), key=lambda p: -len(p.tiles)):
        nearest = max(left, key=lambda other: shared(part, other), default=None)
        if nearest is None or not shared(part, nearest):
            moves += _whole(part)
            continue
        left.remove(nearest)
        moves += _into(part, Counter(nearest.tiles))
    return tuple(moves)


def _whole(part: TileSet | Grid) -> Iterable[Move]:
    text = say("move.into_set", "into a set again: {tiles}", tiles=_tiles(part))
    return [Move(tile, text) for tile in part.tiles]


def _into(part: TileSet | Grid, lying: Counter[Tile]) -> Iterator[Move]:
    """Yield a move for each tile of a recorded set that is not in the set that is left of it."""
    for place, tile in enumerate(part.tiles):
        if lying[tile] > 0:
            lying[tile] -= 1
        elif isinstance(part, Grid):
            yield Move(
                tile, say("move.into_sets", "back into the sets of {tiles}", tiles=_tiles(part))
            )
        else:
            yield Move(tile, _where(part.tiles, place))


def _where(tiles: tuple[Tile, ...], place: int) -> Phrase:
    if len(tiles) == 1:
        return say("move.alone", "back by itself")
    if place == 0:
        return say("move.before", "back before {next}", next=tiles[1])
    if place == len(tiles) - 1:
        return say("move.after", "back after {previous}", previous=tiles[place - 1])
    return say(
        "move.between",
        "back between {previous} and {next}",
        previous=tiles[place - 1],
        next=tiles[place + 1],
    )
