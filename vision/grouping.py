"""Grouping: sets so close together that they look like one, or so loose that they look like two.

How far apart two sets are is up to the players: on a full table it is no further than a careless
hand leaves two tiles of one set. So a row that is no set, but falls into sets with no tile left
over, is these sets; and rows too short for a set that make one, and lie in a line, are that set. A
table is legal if every tile on it belongs to a legal set, and nobody is accused of how neatly it
was laid. No reading changes, and no tile is left out.
"""

from __future__ import annotations

from itertools import chain, product
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.judge import judge_part, judge_table
from vision.adjacency import TILE_HEIGHT, find_links
from vision.assembly import SMALLEST_SET
from vision.lay_out import VISIBLE, as_seen, lay_out, row_gaps, stacked, to_part, to_table
from vision.misread import nearly_legal
from vision.open_ends import ends_of, is_curable
from vision.row_parts import legal_sets, part_row, smallest_set
from vision.seams import Networks
from vision.types import Layout, Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee.ruleset import Ruleset
    from vision.types import Floats, Readings

# As `VISIBLE`, where sets cross and all of them are legal then.
HAIR: Final = 0.04
# How far from where the next tile of a row would lie it may lie, in steps of that row.
LOOSELY: Final = 0.75
# How many times as many tiles are in wrong sets as rows if columns are taken for what lies there.
FAR_BETTER: Final = 2


def lay_out_sets(readings: Readings, rules: Ruleset) -> Layout:
    """Lay out what was read: sets that look like one are apart, and one that looks like two whole.

    Where sets cross, what touches belongs together, whatever the rules make of it.
    """
    quads = readings.quads_img
    if rules.two_dimensional:
        return _networks_apart(lay_out(quads, two_dimensional=True), readings, rules)
    parts = _sets_of(lay_out(quads), readings, rules)
    if _wrong(parts, readings, rules):
        columns = _sets_of(lay_out(quads, columns=True), readings, rules)
        parts = _either_way(parts, columns, readings, rules)
    return Layout(tuple(as_seen(parts, quads)))


def _sets_of(layout: Layout, readings: Readings, rules: Ruleset) -> list[Placed]:
    apart = [part for placed in layout.placed for part in _apart(placed, readings, rules)]
    return _without_strays(_whole(apart, readings, rules), readings, rules)


def _either_way(
    rows: list[Placed], columns: list[Placed], readings: Readings, rules: Ruleset
) -> list[Placed]:
    """Of tiles that lie together take the columns where these explain them far better.

    Sets laid as columns side by side look like rows, all of them wrong.
    """
    heaps: list[set[int]] = []
    for part in chain(rows, columns):
        near = [heap for heap in heaps if not heap.isdisjoint(part.tiles)]
        heaps = [heap for heap in heaps if heap not in near]
        heaps.append(set(part.tiles).union(*near))

    chosen = list[Placed]()
    for heap in heaps:
        lying, standing = (
            [each for each in parts if each.tiles[0] in heap] for parts in (rows, columns)
        )
        wrong, left = (_in_wrong_sets(parts, readings, rules) for parts in (lying, standing))
        chosen += standing if FAR_BETTER * left < wrong else lying
    return chosen


def _wrong(parts: Iterable[Placed], readings: Readings, rules: Ruleset) -> list[Placed]:
    """Return the parts that are no sets."""
    return [part for part in parts if judge_part(to_part(part, readings), rules).violations]


def _in_wrong_sets(parts: Iterable[Placed], readings: Readings, rules: Ruleset) -> int:
    """Count the tiles in parts that are no sets."""
    return len(_tiles(_wrong(parts, readings, rules)))


def _networks_apart(layout: Layout, readings: Readings, rules: Ruleset) -> Layout:
    """Part networks that are not legal at gaps that are seen, where they are then.

    One that is legal in parts that seem to touch stays whole: whether they do is asked.
    """
    networks = Networks(layout, readings, rules)
    apart = list[Placed]()
    for placed in layout.placed:
        if parts := networks.all_legal(placed, HAIR):
            apart += parts
        elif networks.all_legal(placed):
            apart.append(placed)
        else:
            apart += networks.parted(placed, VISIBLE)
    return Layout(tuple(as_seen(apart, readings.quads_img)))


def _apart(placed: Placed, readings: Readings, rules: Ruleset) -> list[Placed]:
    tiles = placed.tiles
    if len(tiles) < 2 * smallest_set(rules):
        return [placed]
    faces = [readings.readings[tile].tile for tile in tiles]
    gaps = row_gaps(readings.quads_img[list(tiles)])
    ends = part_row(faces, gaps, rules)
    if any(gaps[end - 1] <= VISIBLE for end in ends) and _nearly_one(placed, readings, rules):
        return [placed]
    return _cut(tiles, ends)


def _nearly_one(placed: Placed, readings: Readings, rules: Ruleset) -> bool:
    """Whether a row would be one set if a tile were what it may be: that is asked, then."""
    row = Layout((placed,))
    verdict = judge_table(to_table(row, readings), rules)
    return bool(nearly_legal(row, readings, verdict, rules))


def _whole(parts: list[Placed], readings: Readings, rules: Ruleset) -> list[Placed]:
    """Lay wrong rows together with what lies in a line with them, if all of it is legal sets then.

    Between two sets a gap may be narrower than within one of them. What more tiles would mend is
    laid together with what lies above or below, too, if that is so there: four of a number are
    laid as a square at times.
    """
    rows = [to_part(part, readings) for part in parts]
    judged = [(part, judge_part(row, rules), row) for part, row in zip(parts, rows, strict=True)]
    wrong = [part for part, verdict, _ in judged if verdict.violations]
    if not wrong:
        return parts
    short = [part for part, verdict, row in judged if is_curable(verdict, row.tiles)]
    links = find_links(readings.quads_img)
    for part in wrong:
        below = stacked(part, short, links) if part in short else ()
        for line in chain(_in_line((part,), parts, readings.quads_img), below):
            if sets := _laid_together(line, readings, rules):
                left = [each for each in parts if each not in line]
                return _whole([*left, *sets], readings, rules)
    return parts


def _without_strays(parts: list[Placed], readings: Readings, rules: Ruleset) -> list[Placed]:
    """Take from wrong rows what lies at their ends, if it is of other sets and leaves a legal one.

    Beside rows a column may lie, and its tiles seem to go on the rows.
    """
    wrong = _wrong(parts, readings, rules)
    cut = {part: pieces for part in wrong if (pieces := _ends_off(part, readings, rules))}
    while cut:
        pieces = [each for part in parts for each in cut.get(part, [part])]
        found = _whole(pieces, readings, rules)
        left = frozenset(_tiles(_wrong(found, readings, rules)))
        if left.isdisjoint(_tiles(cut)):
            return found
        cut = {part: pieces for part, pieces in cut.items() if left.isdisjoint(part.tiles)}
    return parts


def _ends_off(row: Placed, readings: Readings, rules: Ruleset) -> list[Placed]:
    """Return the legal set that a row is but for tiles at its ends, and these; or nothing."""
    tiles = row.tiles
    for before, after in sorted(product(range(SMALLEST_SET), repeat=2), key=sum):
        end = len(tiles) - after
        rest = Placed((tiles[before:end],))
        if end - before >= SMALLEST_SET and not _wrong([rest], readings, rules):
            if _nearly_one(row, readings, rules):
                break
            return [rest, *(Placed(((tile,),)) for tile in (*tiles[:before], *tiles[end:]))]
    return []


def _laid_together(rows: Sequence[Placed], readings: Readings, rules: Ruleset) -> list[Placed]:
    """Return the legal sets of rows, one after the other; none if any tile is in none."""
    tiles = _tiles(rows)
    if judge_part(to_part(Placed((tiles,)), readings), rules).valid:
        return [Placed((tiles,))]
    faces = [readings.readings[tile].tile for tile in tiles]
    gaps = [
        gap for row in rows for gap in (*row_gaps(readings.quads_img[list(row.tiles)]), VISIBLE)
    ]
    ends = legal_sets(faces, gaps[:-1], rules)
    return [] if ends is None else _cut(tiles, ends)


def _tiles(rows: Iterable[Placed]) -> tuple[int, ...]:
    return tuple(tile for row in rows for tile in row.tiles)


def _cut(tiles: tuple[int, ...], ends: Sequence[int]) -> list[Placed]:
    """Return the rows of which each but the first begins at one of the ends."""
    return [
        Placed((tiles[begin:end],)) for begin, end in zip((0, *ends), (*ends, None), strict=True)
    ]


def _in_line(
    rows: tuple[Placed, ...], parts: Sequence[Placed], quads: Floats
) -> Iterator[tuple[Placed, ...]]:
    """Yield rows, and one that lies about where they would go on, as they lie in reading order.

    What lies nearest to there comes first. While that is too little for a set, it may go on from
    there: a set may lie so loosely that no two of its tiles seem to belong together.
    """
    tiles = _tiles(rows)
    back, on = ends_of(quads, tiles)
    begins, ends = (quads[[one.tiles[k] for one in parts]].mean(1) for k in (0, -1))
    before, after = back.steps_off(ends), on.steps_off(begins)
    if len(tiles) < SMALLEST_SET:  # of so few one that lies askew, or off the line, tells little
        back, on = ends_of(quads, tiles[:1])[0], ends_of(quads, tiles[-1:])[-1]
        before = np.minimum(before, back.steps_off(ends))
        after = np.minimum(after, on.steps_off(begins))
        first, last = (quads[[tiles[k]]].mean(1) for k in (0, -1))
        for number, one in enumerate(parts):
            if len(one.tiles) >= SMALLEST_SET:
                back, on = ends_of(quads, one.tiles)
                before[number] = min(before[number], on.steps_off(first)[0])
                after[number] = min(after[number], back.steps_off(last)[0])
    if len(tiles) == 1:  # those of a column need not touch, either
        _, _, up, down = ends_of(quads, tiles, crossing=True)
        loose = np.array([len(one.tiles) == 1 for one in parts], np.bool_)
        before[loose] = np.minimum(before, TILE_HEIGHT * up.steps_off(ends))[loose]
        after[loose] = np.minimum(after, TILE_HEIGHT * down.steps_off(begins))[loose]
    lines = [(off, (one, *rows)) for off, one in zip(before, parts, strict=True)]
    lines += [(off, (*rows, one)) for off, one in zip(after, parts, strict=True)]
    for off, line in sorted(lines, key=itemgetter(0)):
        if off > LOOSELY:
            return
        if len(set(line)) < len(line):  # one upside down points back at the other
            continue
        yield line
        if len(_tiles(line)) < SMALLEST_SET:
            yield from _in_line(line, parts, quads)
