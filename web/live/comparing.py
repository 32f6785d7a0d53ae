"""Compare the table that is seen with the one on the record, wherever the sets lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from referee.table import Grid, TileSet

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from referee.table import Table
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable

Key: TypeAlias = "tuple[tuple[int, ...], ...]"
_EMPTY = -1


def part_key(part: TileSet | Grid) -> Key:
    """Return what stays the same when a set or grid is seen from the other side.

    >>> from referee import parse_set
    >>> part_key(parse_set("R3 R4 R5")) == part_key(parse_set("R5 R4 R3"))
    True
    """
    rows = part.rows if isinstance(part, Grid) else (part.tiles,)
    cells = tuple(tuple(_EMPTY if tile is None else tile.index for tile in row) for row in rows)
    return min(cells, tuple(row[::-1] for row in cells[::-1]))


@dataclass(frozen=True, slots=True)
class Difference:
    """In what the seen table differs from the record.

    Attributes
    ----------
    missing, extra
        Tiles of the record that are not seen, and the other way round; nothing where the same
        tiles lie in other sets.
    gone, come
        The parts of the record that are not seen as they were, and the parts that are new, as
        numbers of parts of the two tables.
    """

    missing: Counter[Tile]
    extra: Counter[Tile]
    gone: tuple[int, ...]
    come: tuple[int, ...]

    @property
    def none(self) -> bool:
        """Whether both tables hold the same sets."""
        return not self.gone and not self.come

    @property
    def same_tiles(self) -> bool:
        """Whether both tables hold the same tiles, in whatever sets."""
        return not self.missing and not self.extra


def compare(record: Table, seen: Table, unsure: Collection[int] = ()) -> Difference:
    """Return the difference between the table on the record and the one that is seen.

    Parameters
    ----------
    unsure
        Parts of the seen table that are not known for certain: where two parts are alike and
        one of them came, it is one of these.

    >>> from referee import parse_table
    >>> found = compare(parse_table("R3 R4 R5 | K1 K2 K3"), parse_table("K3 K2 K1 | R3 R4 O5"))
    >>> [str(tile) for tile in found.missing], [str(tile) for tile in found.extra], found.come
    (['R5'], ['O5'], (1,))
    """
    old = [part_key(part) for part in record.parts]
    new = [part_key(part) for part in seen.parts]
    return Difference(
        record.faces - seen.faces,
        seen.faces - record.faces,
        _beyond(old, Counter(new)),
        _beyond(new, Counter(old), unsure),
    )


def compare_seen(record: Table, settled: SettledTable) -> Difference:
    """Return the difference between the record and what cameras see, sure of it or not."""
    unsure = [
        number
        for number, placed in enumerate(settled.layout.placed)
        if not all(settled.tiles[tile].certain for tile in placed.tiles)
    ]
    return compare(record, settled.table, unsure)


def _beyond(
    keys: Sequence[Key], others: Counter[Key], last: Collection[int] = ()
) -> tuple[int, ...]:
    """Return the places of the keys that are not among others, each of which counts once.

    Of keys that are the same, those at the places `last` are looked for last.
    """
    found = []
    for place in sorted(range(len(keys)), key=lambda place: place in last):
        if others[keys[place]] > 0:
            others[keys[place]] -= 1
        else:
            found.append(place)
    return tuple(sorted(found))


def tiles_of_parts(settled: SettledTable, parts: Iterable[int]) -> tuple[int, ...]:
    """Return the places in `settled.tiles` of everything that lies in some parts."""
    return tuple(tile for part in parts for tile in settled.layout.placed[part].tiles)


def only_doubtful(record: Table, settled: SettledTable) -> bool:
    """Whether nothing but doubtful tiles can tell the seen table from the record.

    A doubtful tile changed though no hand was seen, so it proves no move.
    """
    doubtful = sum(tile.status == "doubtful" for tile in settled.tiles)
    beyond_doubt = Counter(
        tile.reading.tile for tile in settled.tiles if tile.status != "doubtful"
    )
    unaccounted = record.faces - beyond_doubt
    return doubtful > 0 and beyond_doubt <= record.faces and unaccounted.total() <= doubtful


def shared(first: TileSet | Grid, second: TileSet | Grid) -> int:
    """Return how many tiles two sets or grids have in common."""
    return (Counter(first.tiles) & Counter(second.tiles)).total()


def with_tile(
    part: TileSet | Grid, position: int, tile: Tile | None
) -> tuple[TileSet | Grid, ...]:
    """Return a part with another face at one of its places, or with none; nothing may be left.

    >>> from referee import Tile, parse_grid, parse_set
    >>> [str(part) for part in with_tile(parse_grid(". R8 / R7 R9"), 1, Tile.parse("B7"))]
    ['. R8 / B7 R9']
    >>> [str(part) for part in with_tile(parse_set("R3 R4 R5"), 2, None)]
    ['R3 R4']
    >>> with_tile(parse_set("R3"), 0, None)
    ()
    """
    if len(part.tiles) == 1 and tile is None:
        return ()
    if isinstance(part, TileSet):
        middle = () if tile is None else (tile,)
        return (TileSet((*part.tiles[:position], *middle, *part.tiles[position + 1 :])),)
    row, column = part.cells[position]
    rows = [list(line) for line in part.rows]
    rows[row][column] = tile
    return (replace(part, rows=tuple(tuple(line) for line in rows)),)
