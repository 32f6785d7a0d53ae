"""Seeded positions to measure the referee on: the same on every machine."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from referee.rulesets import load_ruleset
from referee.table import Grid, Table, TileSet
from referee.templates import templates
from referee.tiles import ALL_FACES, JOKER, Colour, Tile

if TYPE_CHECKING:
    from random import Random

_BOX: Final = Counter(dict.fromkeys(ALL_FACES, 2))
_COMB: Final = {
    Colour.RED: (1, "BO"),
    Colour.BLUE: (1, "RK"),
    Colour.ORANGE: (2, "RK"),
    Colour.BLACK: (2, "BO"),
}
"""Under a run of each colour, groups hang from every other number: where they start, and the
colours that hang there."""
_GRID_JOKERS: Final = 4


def legal_table(random: Random, tiles: int) -> Table:
    """Return legal sets of this many tiles, the jokers among them as often as in the box.

    >>> from random import Random
    >>> len(legal_table(Random(1), 45).tiles)
    45
    """
    sets = _some_sets(random, tiles)
    while not sets:
        sets = _some_sets(random, tiles)
    for _ in range(2):
        if random.random() < tiles / _BOX.total():
            place = random.randrange(len(sets))
            sets[place] = _with_joker(random, sets[place])
    return Table(tuple(TileSet(found) for found in sets))


def _some_sets(random: Random, tiles: int) -> list[tuple[Tile, ...]]:
    """Draw sets that one box holds; none if they do not come to this many tiles."""
    left, missing, sets = Counter(_BOX), tiles, list[tuple[Tile, ...]]()
    for drawn in random.choices(_natural_sets(), k=20 * tiles):
        rest = missing - len(drawn)
        if rest >= 0 and rest not in {1, 2} and all(left[tile] for tile in drawn):
            left.subtract(drawn)
            missing = rest
            sets.append(drawn)
    return [] if missing else sets


@lru_cache
def _natural_sets() -> tuple[tuple[Tile, ...], ...]:
    found = (template.tiles for template in templates(load_ruleset("standard")))
    return tuple(tiles for tiles in found if JOKER not in tiles)


def _with_joker(random: Random, tiles: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Put a joker in place of one tile, for which it then stands."""
    place = random.randrange(len(tiles))
    return (*tiles[:place], JOKER, *tiles[place + 1 :])


def rack(random: Random, table: Table, tiles: int) -> tuple[Tile, ...]:
    """Draw a rack from what is not on the table."""
    left = sorted((_BOX - table.faces).elements(), key=lambda tile: tile.index)
    return tuple(random.sample(left, tiles))


def crossing_grid(random: Random) -> Grid:
    """Return a legal Crazy table: a run of each colour, with groups hanging from its numbers.

    >>> from random import Random
    >>> grid = crossing_grid(Random(1))
    >>> len(grid.tiles), sum(tile.is_joker for tile in grid.tiles)
    (100, 4)
    """
    rows: list[list[Tile | None]] = []
    for colour, (first, hanging) in _COMB.items():
        rows.append([Tile(colour, number) for number in range(1, 14)])
        for other in hanging:
            numbers = range(first, 14, 2)
            rows.append([Tile(Colour(other), n) if n in numbers else None for n in range(1, 14)])
        rows.append([None] * 13)
    for column in (1, 3):  # two groups less leave a hundred tiles
        rows[-2][column] = rows[-3][column] = None
    cells = [(r, c) for r, row in enumerate(rows) for c, tile in enumerate(row) if tile]
    for r, c in random.sample(cells, _GRID_JOKERS):
        rows[r][c] = JOKER
    return Grid(tuple(map(tuple, rows)))
