"""Seams: where a network of crossing sets comes apart into legal ones.

Where sets cross, what touches is in one network, and each of its lines has to be legal (rules
reference 10.2). But networks lie as close to one another as the table is full, and then they look
like one.
"""

from __future__ import annotations

from itertools import combinations
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.judge import best_turn, judge_part
from vision.adjacency import find_links
from vision.assembly import GapRule
from vision.lay_out import to_part, to_table
from vision.types import Placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from referee.ruleset import Ruleset
    from vision.types import Layout, Readings

Pair = tuple[int, int]
Cell = tuple[int, int]

# Of the seams of a network, how many are looked at; each may hold or not.
MOST_SEAMS: Final = 8


class Networks:
    """The networks of a table that was seen, and how they come apart."""

    def __init__(self, layout: Layout, readings: Readings, rules: Ruleset) -> None:
        """Measure how far the tiles are apart, and find which way round the table reads."""
        self._readings = readings
        self._rules = rules
        self._turn = best_turn(to_table(layout, readings), rules)
        links = find_links(readings.quads_img)
        pairs = np.sort(np.stack([links.firsts, links.seconds], axis=1), axis=1).tolist()
        wider = (links.looseness - GapRule.of(links).usual).tolist()
        self._gaps: dict[Pair, float] = dict(zip(map(tuple, pairs), wider, strict=True))

    def is_legal(self, placed: Placed) -> bool:
        """Whether a network is legal as it lies."""
        part = to_part(placed, self._readings)
        return judge_part(part, self._rules, self._turn).valid

    def parted(self, placed: Placed, least: float) -> list[Placed]:
        """Part a network, as `part_network` does, at gaps so much wider than usual."""
        return part_network(placed, self._gaps, self.is_legal, least)


def part_network(
    placed: Placed,
    gaps: Mapping[Pair, float],
    is_legal: Callable[[Placed], bool],
    least: float,
) -> list[Placed]:
    """Part a network so that as few tiles as can be are in networks that are not legal.

    Parameters
    ----------
    gaps
        How far tiles that lie beside one another or end to end are apart, by their numbers, the
        lower first, in tile widths. What is not there is far apart.
    is_legal
        Whether a network is legal.
    least
        A gap is a seam if it is wider.

    Returns
    -------
    list
        Of ways as good the one with the fewest networks, and then the one at the widest gaps; the
        network itself if none is better.
    """
    cells = dict(_cells(placed))
    pairs = _typical(cells, gaps)
    blocks = _joined(cells.values(), [pair for pair, gap in pairs.items() if gap <= least])
    seams: dict[Pair, float] = {}
    for (first, second), gap in pairs.items():
        here, there = blocks[first], blocks[second]
        seam = min(here, there), max(here, there)
        if here != there:
            seams[seam] = min(gap, seams.get(seam, inf))
    wide = sorted(seams, key=seams.__getitem__, reverse=True)[:MOST_SEAMS]
    tight = seams.keys() - set(wide)

    known: dict[frozenset[int], bool] = {}

    def wrong(part: frozenset[int]) -> int:
        if part not in known:
            known[part] = is_legal(_placed(cells, part))
        return 0 if known[part] else len(part)

    whole = frozenset(cells.values())
    best = ((wrong(whole), 1, 0.0), [whole])
    for count in range(1, len(wide) + 1):
        for cut in combinations(wide, count):
            of = _joined(set(blocks.values()), [*tight, *(set(wide) - set(cut))])
            if any(of[first] == of[second] for first, second in cut):
                continue
            parts = [
                frozenset(tile for tile, block in blocks.items() if of[block] == name)
                for name in set(of.values())
            ]
            score = sum(map(wrong, parts)), len(parts), -sum(seams[seam] for seam in cut)
            best = min(best, (score, parts), key=lambda way: way[0])
    return [_placed(cells, part) for part in best[1]]


def at_seams(placed: Placed, parts: Sequence[Placed]) -> Iterator[int]:
    """Yield the tiles of a network beside which another of its parts begins."""
    of = {tile: number for number, part in enumerate(parts) for tile in part.tiles}
    for first, second in _touching(dict(_cells(placed))):
        if of[first] != of[second]:
            yield first


def _cells(placed: Placed) -> Iterator[tuple[Cell, int]]:
    for row, tiles in enumerate(placed.cells):
        for column, tile in enumerate(tiles):
            if tile is not None:
                yield (row, column), tile


def _touching(cells: Mapping[Cell, int]) -> Iterator[Pair]:
    """Yield the pairs of tiles that touch, the lower number first."""
    for across in (True, False):
        for alongside in _alongside(cells, across=across):
            yield from alongside


def _typical(cells: Mapping[Cell, int], gaps: Mapping[Pair, float]) -> dict[Pair, float]:
    """Return the tiles that touch with how far they are apart.

    Where two lines lie alongside each other, each of their tiles is as far from the other line as
    most are.
    """
    found: dict[Pair, float] = {}
    for across in (True, False):
        for alongside in _alongside(cells, across=across):
            typical = median(gaps.get(pair, inf) for pair in alongside)
            found |= dict.fromkeys(alongside, typical)
    return found


def _alongside(cells: Mapping[Cell, int], *, across: bool) -> Iterator[list[Pair]]:
    """Yield the pairs of tiles beside each other, or end to end, that lie in a row together."""
    (down, on), (side, next_) = ((0, 1), (1, 0)) if across else ((1, 0), (0, 1))
    first = {cell for cell in cells if (cell[0] + down, cell[1] + on) in cells}
    for cell in first:
        if (cell[0] - side, cell[1] - next_) in first:
            continue
        pairs, (row, column) = list[Pair](), cell
        while (row, column) in first:
            here, there = cells[row, column], cells[row + down, column + on]
            pairs.append((min(here, there), max(here, there)))
            row, column = row + side, column + next_
        yield pairs


def _joined(names: Iterable[int], pairs: Iterable[Pair]) -> dict[int, int]:
    """Return for each name the one by which all are known that pairs join with it."""
    of = {name: name for name in names}
    for first, second in pairs:
        keeper, goner = of[first], of[second]
        of = {name: keeper if other == goner else other for name, other in of.items()}
    return of


def _placed(cells: Mapping[Cell, int], tiles: frozenset[int]) -> Placed:
    """Return some tiles of a network on a grid as small as holds them."""
    places = {cell: tile for cell, tile in cells.items() if tile in tiles}
    rows, columns = zip(*places, strict=True)
    return Placed(
        tuple(
            tuple(places.get((row, column)) for column in range(min(columns), max(columns) + 1))
            for row in range(min(rows), max(rows) + 1)
        )
    )
