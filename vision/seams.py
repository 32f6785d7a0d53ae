"""Seams: where a network of crossing sets comes apart into legal ones.

Where sets cross, what touches is in one network, and each of its lines has to be legal (rules
reference 10.2). But networks lie as close to one another as the table is full, and then they look
like one.
"""

from __future__ import annotations

from functools import cache
from heapq import heappop, heappush
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from referee.judge import best_turn, judge_part
from referee.table import TileSet
from vision.adjacency import find_links
from vision.assembly import GapRule
from vision.lay_out import to_part, to_table
from vision.types import Placed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.verdicts import SetVerdict
    from vision.types import Layout, Readings

Pair = tuple[int, int]
Cell = tuple[int, int]
Tiles = frozenset[int]

# Of the ways to part a network, the most promising first, how many are parted further.
MOST_WAYS: Final = 12
# Of the lines of one that have all to be cut, the shortest first, how many are tried.
MOST_LINES: Final = 6
# Tile widths: what is so far apart holds nothing together.
LOOSE: Final = 0.15
# How fine gaps are weighed, of a tile width.
_GRAIN: Final = 0.0002
# How much less a line that is no set holds tiles together than one that is.
_LESS: Final = 0.05


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
        self._faults: dict[Placed, list[tuple[int, ...]]] = {}

    def faults(self, placed: Placed) -> list[tuple[int, ...]]:
        """Return the tiles of each line of a network that is no set.

        Where all are, but their jokers don't go together, those of the network. Nothing if it is
        legal.
        """
        if placed not in self._faults:
            self._faults[placed] = list(self._find_faults(placed))
        return self._faults[placed]

    def _find_faults(self, placed: Placed) -> Iterator[tuple[int, ...]]:
        verdict = judge_part(to_part(placed, self._readings), self._rules, self._turn)
        if not verdict.valid:
            lines = [tiles for tiles, _ in wrong_lines(placed, verdict, self._readings)]
            yield from lines or [placed.tiles]

    def parted(self, placed: Placed, least: float) -> list[Placed]:
        """Part a network, as `part_network` does, at gaps so much wider than usual."""
        return part_network(placed, self._gaps, self.faults, least)

    def all_legal(self, placed: Placed, least: float = -inf) -> list[Placed]:
        """Return the legal networks into which one parts; nothing if any is wrong."""
        parts = part_network(placed, self._gaps, self.faults, least, all_legal=True)
        return [] if any(map(self.faults, parts)) else parts


def wrong_lines(
    placed: Placed, verdict: SetVerdict, readings: Readings
) -> Iterator[tuple[tuple[int, ...], SetVerdict]]:
    """Yield the tiles of each line of a part that is no set, and what is said of it.

    A set is a line itself.
    """
    lying = to_part(placed, readings)
    if isinstance(lying, TileSet):
        yield placed.tiles, verdict
        return
    for line, found in zip(lying.lines(), verdict.lines, strict=True):
        if not found.valid:
            tiles = (placed.cells[row][column] for row, column in line.cells)
            yield tuple(tile for tile in tiles if tile is not None), found


class _Way(NamedTuple):
    """A way to part a network; the less the better."""

    wrong: int  # tiles in networks that are not legal
    networks: int
    closeness: float  # of the networks, at the seams between them
    number: int  # no two ways are equal
    parts: frozenset[Tiles]


def part_network(
    placed: Placed,
    gaps: Mapping[Pair, float],
    faults: Callable[[Placed], Sequence[Sequence[int]]],
    least: float,
    *,
    all_legal: bool = False,
) -> list[Placed]:
    """Part a network so that as few tiles as can be are in networks that are not legal.

    It is cut across the lines that are no sets, each time at the widest gaps that part what lies
    on either side, and where that leaves networks that are not legal, these are cut further: the
    most promising way first.

    Parameters
    ----------
    gaps
        How far tiles that lie beside one another or end to end are apart, by their numbers, the
        lower first, in tile widths. What is not there is far apart.
    faults
        The tiles of each line of a network that is no set.
    least
        It is cut where gaps are wider.
    all_legal
        Whether it is of no use to part it into networks of which any is wrong: then it is cut
        across each of its lines that are no sets, one after another.

    Returns
    -------
    list
        Of ways as good the one with the fewest networks, and then the one at the widest gaps; the
        network itself if none is better.
    """
    cells = dict(_cells(placed))
    pairs = {pair: gaps.get(pair, inf) for pair in _touching(cells)}
    parting = _Parting(
        pairs, lambda part: faults(_placed(cells, part)), least, all_legal=all_legal
    )
    return [_placed(cells, part) for part in parting.best(frozenset(cells.values()))]


class _Parting:
    """The ways to part a network; what is found out of a part is kept."""

    def __init__(
        self,
        pairs: Mapping[Pair, float],
        faults: Callable[[Tiles], Sequence[Sequence[int]]],
        least: float,
        *,
        all_legal: bool,
    ) -> None:
        """Take the gaps of all pairs that touch; the others are those of `part_network`."""
        self._pairs = pairs
        self._least = least
        self._all_legal = all_legal
        self._faults = cache(faults)
        self._cuts = cache(self._find_cuts)

    def best(self, network: Tiles) -> frozenset[Tiles]:
        """Return the parts of the best way that is found."""
        whole = frozenset({network})
        seen = {whole}
        best = self._way(whole, 0.0, len(seen))
        ways = [best]
        for _ in range(MOST_WAYS):
            if not best.wrong or not ways:
                break
            _, _, closeness, _, parts = heappop(ways)
            for cut, gap in self._cut_further(parts):
                if cut not in seen:
                    seen.add(cut)
                    heappush(ways, self._way(cut, closeness - gap, len(seen)))
            best = min([best, *ways[:1]])
        return best.parts

    def _way(self, parts: frozenset[Tiles], closeness: float, number: int) -> _Way:
        wrong = sum(len(part) for part in parts if self._faults(part))
        return _Way(wrong, len(parts), closeness, number, parts)

    def _cut_further(self, parts: frozenset[Tiles]) -> Iterator[tuple[frozenset[Tiles], float]]:
        """Yield what one more cut through a part that is not legal leaves, and its gap."""
        faulty = sorted(filter(self._faults, parts), key=len)
        for part in faulty[:1] if self._all_legal else faulty:
            for sides, gap in self._cuts(part).items():
                yield parts - {part} | sides, gap

    def _find_cuts(self, part: Tiles) -> dict[frozenset[Tiles], float]:
        """Return what a part may be cut into, with the gap."""
        inside = {pair: gap for pair, gap in self._pairs.items() if part.issuperset(pair)}
        lines = [
            {pair for pair in inside if set(pair) <= set(line)} for line in self._faults(part)
        ]
        weak = set[Pair]().union(*lines)
        some = sorted(lines, key=len)[:MOST_LINES] if self._all_legal else lines
        across = {
            pair
            for pair in set[Pair]().union(*some)
            if self._all_legal or inside[pair] > self._least
        }
        return {
            frozenset({side, part - side}): gap
            for side, gap in _cuts(inside, weak, across)
            if gap > self._least
        }


def _cuts(
    pairs: Mapping[Pair, float], weak: Collection[Pair], across: Collection[Pair]
) -> Iterator[tuple[Tiles, float]]:
    """Yield for each of some pairs that touch what lies on one side of the cut that parts it best.

    With the gap that it goes through for the most part: two lines may lie alongside each other a
    little askew. It is the one that goes through the fewest and widest gaps, and through lines
    that are sets only if it must (Ford and Fulkerson 1956). `weak` are the pairs in lines that
    are none.
    """
    if not across:
        return
    # Loaded where a network is wrong, which most never are.
    from scipy.sparse import coo_array, csgraph  # type: ignore[import-untyped] # noqa: PLC0415

    tiles = sorted({tile for pair in pairs for tile in pair})
    place = {tile: number for number, tile in enumerate(tiles)}
    firsts, seconds = np.array([[place[tile] for tile in pair] for pair in pairs]).T
    held = LOOSE - np.minimum(list(pairs.values()), LOOSE)
    weaker = np.where([pair in weak for pair in pairs], _LESS, 1)
    strength = 1 + np.rint(weaker * held / _GRAIN).astype(np.int32)
    ends = np.concatenate([firsts, seconds]), np.concatenate([seconds, firsts])
    holds = coo_array((np.tile(strength, 2), ends), shape=(len(tiles),) * 2).tocsr()
    for first, second in across:
        left = holds - csgraph.maximum_flow(holds, place[first], place[second]).flow
        left.eliminate_zeros()
        reached = csgraph.breadth_first_order(left, place[first], return_predecessors=False)
        side = frozenset(tiles[number] for number in reached)
        gaps = [gap for pair, gap in pairs.items() if len(side.intersection(pair)) == 1]
        yield side, median(gaps)


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
    for (row, column), tile in cells.items():
        for there in ((row, column + 1), (row + 1, column)):
            if there in cells:
                yield min(tile, cells[there]), max(tile, cells[there])


def _placed(cells: Mapping[Cell, int], tiles: Tiles) -> Placed:
    return Placed.at({cell: tile for cell, tile in cells.items() if tile in tiles})
