"""Grouping: sets so close together that they look like one, or so loose that they look like two.

How far apart two sets are is up to the players: on a full table it is no further than a careless
hand leaves two tiles of one set. So a row that is no set, but falls into sets with no tile left
over, is these sets; and rows too short for a set that make one, and lie in a line, are that set. A
table is legal if every tile on it belongs to a legal set, and nobody is accused of how neatly it
was laid. No reading changes, and no tile is left out.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.judge import judge_part, judge_table
from vision.adjacency import BELOW, find_links
from vision.assembly import GapRule
from vision.lay_out import VISIBLE, as_seen, lay_out, row_gaps, to_part, to_table
from vision.misread import nearly_legal
from vision.open_ends import ends_of, is_curable
from vision.row_parts import legal_sets, part_row, smallest_set
from vision.seams import Networks
from vision.types import Layout, Placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.ruleset import Ruleset
    from vision.adjacency import Links
    from vision.types import Floats, Readings

# As `VISIBLE`, where sets cross and all of them are legal then.
HAIR: Final = 0.04
# How far from where the next tile of a row would lie it may lie, in steps of that row.
LOOSELY: Final = 0.75


def lay_out_sets(readings: Readings, rules: Ruleset) -> Layout:
    """Lay out what was read: sets that look like one are apart, and one that looks like two whole.

    Where sets cross, what touches belongs together, whatever the rules make of it.
    """
    layout = lay_out(readings.quads_img, two_dimensional=rules.two_dimensional)
    if rules.two_dimensional:
        return _networks_apart(layout, readings, rules)
    apart = [part for placed in layout.placed for part in _apart(placed, readings, rules)]
    return Layout(tuple(as_seen(_whole(apart, readings, rules), readings.quads_img)))


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
        stacked = _stacked(part, short, links) if part in short else ()
        for one, other in chain(_in_line(part, parts, readings.quads_img), stacked):
            if sets := _laid_together(one, other, readings, rules):
                left = [each for each in parts if each not in (one, other)]
                return _whole([*left, *sets], readings, rules)
    return parts


def _laid_together(one: Placed, other: Placed, readings: Readings, rules: Ruleset) -> list[Placed]:
    """Return the legal sets of two rows, one after the other; none if any tile is in none."""
    tiles = (*one.tiles, *other.tiles)
    if judge_part(to_part(Placed((tiles,)), readings), rules).valid:
        return [Placed((tiles,))]
    faces = [readings.readings[tile].tile for tile in tiles]
    before, after = (row_gaps(readings.quads_img[list(row.tiles)]) for row in (one, other))
    gaps = [*before, VISIBLE, *after]
    ends = legal_sets(faces, gaps, rules)
    return [] if ends is None else _cut(tiles, ends)


def _cut(tiles: tuple[int, ...], ends: Sequence[int]) -> list[Placed]:
    """Return the rows of which each but the first begins at one of the ends."""
    return [
        Placed((tiles[begin:end],)) for begin, end in zip((0, *ends), (*ends, None), strict=True)
    ]


def _stacked(
    part: Placed, parts: Sequence[Placed], links: Links
) -> Iterator[tuple[Placed, Placed]]:
    """Yield a row and each that touches it below or above, the upper one first."""
    of = {tile: one for one in parts for tile in one.tiles}
    end_to_end = links.where(~links.beside & GapRule.of(links).holds(links))
    pairs = zip(end_to_end.firsts, end_to_end.seconds, end_to_end.sides, strict=True)
    for first, second, side in pairs:
        one, other = of.get(int(first)), of.get(int(second))
        if one is part and other is not None and other is not part:
            yield (part, other) if side == BELOW else (other, part)


def _in_line(
    part: Placed, parts: Sequence[Placed], quads: Floats
) -> Iterator[tuple[Placed, Placed]]:
    """Yield a row and each that lies about where it would go on, as they lie in reading order."""
    back, on = ends_of(quads, part.tiles)
    begins, ends = (quads[[one.tiles[k] for one in parts]].mean(1) for k in (0, -1))
    for near in np.flatnonzero(back.is_near(ends, LOOSELY)).tolist():
        yield parts[near], part
    for near in np.flatnonzero(on.is_near(begins, LOOSELY)).tolist():
        yield part, parts[near]
