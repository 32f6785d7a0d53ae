"""Take a table apart into networks: single sets, or sets that cross and hang together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.grids import line_as_read
from referee.judge import best_turn, judge_part
from referee.layout import taken_readings
from referee.table import Grid, TileSet
from referee.tiles import Colour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.ruleset import Ruleset
    from referee.table import Cell, Flips, Table
    from referee.tiles import Tile

Identity = tuple[Colour, int]
"""What a joker stands for; zero is possible in Crazy."""
Key = tuple[tuple[tuple[int, ...], ...], tuple[tuple[str, ...], ...]]
"""The faces of every line, and what each joker stands for."""


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker on the table, with all that it may stand for."""

    identities: frozenset[Identity]
    lines: tuple[TileSet, ...]
    """The set that holds it, or the two where sets cross."""


@dataclass(frozen=True, slots=True)
class Network:
    """Tiles that hang together: one set, or crossing sets."""

    part: int
    lines: tuple[TileSet, ...]
    tiles: tuple[Tile, ...]
    jokers: tuple[Joker, ...]
    points: tuple[int, ...]
    """Every total it may be worth, seen from either side; empty where it is not legal."""

    @property
    def key(self) -> Key:
        """What stays the same while the network only lies elsewhere."""
        lines = (tuple(sorted(tile.index for tile in line.tiles)) for line in self.lines)
        jokers = (tuple(sorted(f"{c.value}{n}" for c, n in j.identities)) for j in self.jokers)
        return tuple(sorted(lines)), tuple(sorted(jokers))


def networks(table: Table, rules: Ruleset, flipped: Flips | None = None) -> tuple[Network, ...]:
    """Return the networks of a table, in its order.

    >>> from referee import load_ruleset, parse_table
    >>> table = parse_table("R7 R8 R9 | B1 B2 J . / . . . . / K5 O5 R5 .")
    >>> [str(line) for found in networks(table, load_ruleset("standard")) for line in found.lines]
    ['R7 R8 R9', 'B1 B2 J', 'K5 O5 R5']
    """
    turn = best_turn(table, rules) if flipped is None else flipped
    return tuple(
        replace(network, part=part)
        for part, lying in enumerate(table.parts)
        for network in _networks(lying, rules, turn)
    )


def forget_networks() -> None:
    """Forget what is remembered from earlier tables, so that time can be measured."""
    _networks.cache_clear()


@lru_cache(maxsize=4096)
def _networks(lying: TileSet | Grid, rules: Ruleset, flipped: Flips) -> tuple[Network, ...]:
    return tuple(_network(piece, rules, flipped) for piece in _pieces(lying))


def _network(lying: TileSet | Grid, rules: Ruleset, flipped: Flips) -> Network:
    points = judge_part(lying, rules, flipped).points
    if isinstance(lying, TileSet):
        line = TileSet(lying.tiles[::-1]) if flipped.rows else lying
        if not rules.two_dimensional:
            far = judge_part(TileSet(lying.tiles[::-1]), rules)
            points = tuple(sorted({*points, *far.points}))
        jokers = tuple(Joker(identities, (line,)) for identities in _identities(line, rules))
        return Network(0, (line,), lying.tiles, jokers, points)
    read = [line_as_read(line, flipped) for line in lying.lines()]
    lines = tuple(line for line, _ in read)
    return Network(0, lines, lying.tiles, _grid_jokers(read, rules), points)


def _grid_jokers(
    read: list[tuple[TileSet, tuple[Cell, ...]]], rules: Ruleset
) -> tuple[Joker, ...]:
    """Return the jokers of crossing lines; at a crossing both lines must allow the colour."""
    held: dict[Cell, list[tuple[TileSet, frozenset[Identity]]]] = {}
    for line, cells in read:
        places = [cell for cell, tile in zip(cells, line.tiles, strict=True) if tile.is_joker]
        for cell, identities in zip(places, _identities(line, rules), strict=True):
            held.setdefault(cell, []).append((line, identities))
    jokers = []
    for found in held.values():
        colours = set(Colour).intersection(*({c for c, _ in ids} for _, ids in found))
        identities = frozenset(i for _, ids in found for i in ids if i[0] in colours)
        jokers.append(Joker(identities, tuple(line for line, _ in found)))
    return tuple(jokers)


def _identities(line: TileSet, rules: Ruleset) -> list[frozenset[Identity]]:
    """Return all that each joker may stand for, seen from either side of the table."""
    count = sum(tile.is_joker for tile in line.tiles)
    ways = [[(j.colour, j.number) for j in found.jokers] for found in taken_readings(line, rules)]
    if count and not rules.two_dimensional:
        mirrored = taken_readings(TileSet(line.tiles[::-1]), rules)
        ways += [[(j.colour, j.number) for j in found.jokers[::-1]] for found in mirrored]
    return [frozenset(way[place] for way in ways) for place in range(count)]


def _pieces(lying: TileSet | Grid) -> Iterator[TileSet | Grid]:
    """Yield the parts of a grid that hang together."""
    if isinstance(lying, TileSet):
        yield lying
        return
    waiting = dict(zip(lying.cells, lying.tiles, strict=True))
    while waiting:
        edge, piece = [next(iter(waiting))], dict[tuple[int, int], "Tile"]()
        while edge:
            row, column = cell = edge.pop()
            if cell in waiting:
                piece[cell] = waiting.pop(cell)
                edge += [
                    (row + 1, column),
                    (row - 1, column),
                    (row, column + 1),
                    (row, column - 1),
                ]
        yield _cropped(piece)


def _cropped(piece: dict[Cell, Tile]) -> TileSet | Grid:
    top, bottom = min(row for row, _ in piece), max(row for row, _ in piece)
    left, right = min(column for _, column in piece), max(column for _, column in piece)
    if top == bottom:
        return TileSet(tuple(piece[cell] for cell in sorted(piece)))
    return Grid(
        tuple(
            tuple(piece.get((row, column)) for column in range(left, right + 1))
            for row in range(top, bottom + 1)
        )
    )


def real_tiles(line: TileSet) -> Counter[Tile]:
    """Return a line's numbered tiles, counted.

    >>> from referee import parse_set
    >>> [str(tile) for tile in real_tiles(parse_set("R3 J R5"))]
    ['R3', 'R5']
    """
    return Counter(tile for tile in line.tiles if not tile.is_joker)
