"""Ends in doubt: where a wrong set may go on, and what hides there what would make it legal.

Beyond the picture's edge, under a hand, on a tile that can't be read or was not found: there it is
asked, and not held against the set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from referee.judge import judge_part
from vision.adjacency import find_links
from vision.covering import DARKEST, Surroundings
from vision.crops import face_colours
from vision.doubts import BESIDE, BEYOND, FOREIGN, GAP, PARTED, UNDER
from vision.lay_out import stacked, to_part
from vision.open_ends import ends_of, is_curable, may_begin, open_ends
from vision.outlines import lies_over, relative_aspect
from vision.quads import areas
from vision.seams import Networks, at_seams
from vision.types import Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.ruleset import Ruleset
    from referee.verdicts import Verdict
    from vision.open_ends import OpenEnd
    from vision.types import Flags, Floats, Layout, Picture, Pixels, Readings

# How far an unsure tile may lie from where the next tile of a row should, in steps of that row.
_OFF_STEPS: Final = 0.75
# The same for a sure one: so near it would lie in the row, were its outline found as it is.
_PARTED_STEPS: Final = 0.3
# And for what looks at all like a tile: a spot of what is found lies as near to its middle.
_HINT_STEPS: Final = 0.4
# And for what looks somewhat like a tile: how near it lies, how many times as large as the end it
# is, and how much darker and of another hue at most, in logarithms of light. A lamp drowns ink.
_GLIMPSE_STEPS, _ALIKE = 0.3, (0.8, 1.25)
_DARKER, _OTHER_HUE = 0.15, 0.09
# How wide for its height a tile may be beside the picture's middle one.
WIDER: Final = 1.2


def ends_in_doubt(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset, picture: Picture
) -> dict[int, str]:
    """Name the tiles at which wrong sets may go on, with what is to be asked there.

    And those of valid sets beside which another one is glimpsed.
    """
    ends = open_ends(layout, readings, verdict, rules)
    doubts: dict[int, str] = {}
    if not rules.two_dimensional:
        whole = _ends_of_valid(layout, readings, verdict)
        doubts |= dict.fromkeys(beside_glimpsed(whole, readings, picture), BESIDE)
    if picture.pixels is not None:
        doubts |= dict.fromkeys(under_cover(ends.all, readings, picture.pixels), UNDER)
    if rules.two_dimensional:
        doubts |= dict.fromkeys(touching(layout, readings, verdict, rules), PARTED)
    elif ends.curable:  # a legal table, as most are, need not be looked through for neighbours
        doubts |= dict.fromkeys(in_two_lines(layout, readings, verdict, rules), PARTED)
    loose = frozenset() if rules.two_dimensional else lying_alone(layout)
    doubts |= dict.fromkeys(before_a_gap(ends.curable, readings, loose), GAP)
    doubts |= dict.fromkeys(parted(ends.curable, readings, loose), PARTED)
    doubts |= dict.fromkeys(reaching_over(ends.curable, readings), BESIDE)
    unread = beside_unread(ends.all, readings, picture.hints_img)
    unsure = {number for number, reading in enumerate(readings.readings) if reading.unsure}
    # A tile beside which something is to be seen of another may lie over several, and their set.
    beside = unread | beside_tiles(ends.all, readings, unsure | unread)
    doubts |= dict.fromkeys(beside, BESIDE)
    doubts |= dict.fromkeys(beyond_the_edge(ends.all, picture.shape), BEYOND)
    return doubts


def beyond_the_edge(ends: Iterable[OpenEnd], shape: tuple[int, ...]) -> frozenset[int]:
    """Name the end tiles of sets that are too short where the picture stops.

    Parameters
    ----------
    shape
        Height and width of the picture, pixels, then anything.
    """
    height, width = shape[:2]
    return frozenset(
        end.tile
        for end in ends
        if not (0 <= end.after_img[0] <= width) or not (0 <= end.after_img[1] <= height)
    )


def beside_tiles(
    ends: Iterable[OpenEnd], readings: Readings, tiles: Iterable[int]
) -> frozenset[int]:
    """Name the end tiles of sets that are too short where they may go on with one of the tiles.

    Or where one lies over the end, and so may be what parts it from its set.
    """
    quads = readings.quads_img
    return frozenset(
        end.tile
        for end in ends
        for number in tiles
        if number != end.tile
        and (
            end.is_near(quads[[number]].mean(1), _OFF_STEPS)[0]
            or lies_over(quads[number], quads[end.tile])
        )
    )


def beside_unread(
    ends: Iterable[OpenEnd], readings: Readings, hints_img: Floats
) -> frozenset[int]:
    """Name the end tiles of sets that are too short where something looks like the next tile.

    An ink that a lamp drowns leaves a tile on which nothing can be read, and that was left out.
    """
    centres = readings.quads_img.mean(1)
    return frozenset(
        end.tile
        for end in ends
        if end.is_near(hints_img, _HINT_STEPS).any() and not end.is_near(centres, _OFF_STEPS).any()
    )


def beside_glimpsed(
    ends: Iterable[OpenEnd], readings: Readings, picture: Picture
) -> frozenset[int]:
    """Name the end tiles of valid sets where the outline of a next tile is to be seen, unread.

    A set may be valid with it or without, but is not worth the same, and next time it may be read.
    """
    quads, glimpsed = readings.quads_img, picture.glimpsed_img
    middles, centres = glimpsed.mean(1), quads.mean(1)
    sides, own = (np.sqrt(areas(each)) for each in (glimpsed, quads))

    def is_glimpsed(end: OpenEnd) -> bool:
        alike = sides / own[end.tile]
        near = end.is_near(middles, _GLIMPSE_STEPS) & (alike > _ALIKE[0]) & (alike < _ALIKE[1])
        return bool(near.any()) and not end.is_near(centres, _OFF_STEPS).any()

    seen = [end for end in ends if is_glimpsed(end)]
    if not seen or picture.pixels is None:
        return frozenset()
    tiles = quads[[end.tile for end in seen]]
    next_ones = tiles + np.array([end.step_img for end in seen], np.float32)[:, None]
    colours = (face_colours(picture.pixels, each) for each in (tiles, next_ones))
    face, there = (np.log(np.maximum(each, DARKEST)) for each in colours)
    lighter = there - face
    bright = (lighter.min(1) > -_DARKER) & (np.ptp(lighter, axis=1) < _OTHER_HUE)
    return frozenset(end.tile for end, tile in zip(seen, bright, strict=True) if tile)


def _ends_of_valid(layout: Layout, readings: Readings, verdict: Verdict) -> list[OpenEnd]:
    return [
        end
        for placed, part in zip(layout.placed, verdict.parts, strict=True)
        if part.valid
        for end in ends_of(readings.quads_img, placed.tiles)
    ]


def under_cover(ends: Iterable[OpenEnd], readings: Readings, pixels: Pixels) -> frozenset[int]:
    """Name the end tiles of sets that are too short where a hand or a cup may hide the rest.

    What looks unlike a tile may be what is printed on that which hides it.
    """
    plain = np.flatnonzero([reading.doubt != FOREIGN for reading in readings.readings])
    ends = [end for end in ends if end.tile in plain]
    if not ends:
        return frozenset()
    steps = np.array([end.step_img for end in ends], np.float32)
    named = np.array([end.tile for end in ends], np.intp)
    tiles = np.searchsorted(plain, named)
    around = Surroundings(pixels, readings.quads_img[plain])
    hidden = around.is_covered(tiles, steps) | around.shows_beyond(tiles, steps)
    hidden |= around.differs_beyond(tiles, steps) | around.is_half_covered()[tiles]
    return frozenset(named[hidden].tolist())


def reaching_over(ends: Iterable[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short whose outline is too wide for one tile.

    In the dark the edge of the next one may not be seen, nor what it shows.
    """
    aspect = relative_aspect(readings.quads_img, readings.quads_img)
    return frozenset(end.tile for end in ends if aspect[end.tile] > WIDER)


def before_a_gap(
    ends: Iterable[OpenEnd], readings: Readings, loose: frozenset[int]
) -> frozenset[int]:
    """Name the end tiles of sets that are too short where the row goes on after one tile's room.

    So it looks where a tile of a row was not found at all.
    """
    centres = readings.quads_img.mean(1)
    return frozenset(
        end.tile
        for end in ends
        if _akin(end, end.is_near(centres, _PARTED_STEPS, further=1), readings, loose)
    )


def touching(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> frozenset[int]:
    """Name a tile of each wrong network that would be legal ones, were it parted beside that.

    There the tiles touch, as far as can be seen; whether they do is asked.
    """
    pairs = zip(layout.placed, verdict.parts, strict=True)
    wrong = [placed for placed, part in pairs if part.violations]
    if not wrong:
        return frozenset()
    networks = Networks(layout, readings, rules)
    found = ((placed, networks.all_legal(placed)) for placed in wrong)
    return frozenset(next(at_seams(placed, parts)) for placed, parts in found if parts)


def in_two_lines(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> frozenset[int]:
    """Name a tile of each set that is too short and touches one above or below that it continues.

    So a run is laid for which there is no room in a line.
    """
    links = find_links(readings.quads_img)
    return frozenset(
        placed.tiles[0]
        for placed, part in zip(layout.placed, verdict.parts, strict=True)
        if is_curable(part, to_part(placed, readings).tiles)
        for upper, lower in stacked(placed, layout.placed, links)
        if judge_part(to_part(Placed(((*upper.tiles, *lower.tiles),)), readings), rules).valid
    )


def parted(ends: Sequence[OpenEnd], readings: Readings, loose: frozenset[int]) -> frozenset[int]:
    """Name the end tiles of sets that are too short where another's tile lies just as the next.

    What is taken for taller than it is, as its side wall is seen, does not join its row. That
    other tile is named, too, where it is itself the end of such a set, or lies alone.
    """
    centres = readings.quads_img.mean(1)
    last = {end.tile for end in ends}
    named: set[int] = set()
    for end in ends:
        near = _akin(end, end.is_near(centres, _PARTED_STEPS), readings, loose)
        if near:
            named |= {end.tile, *last.intersection(near)}
    return frozenset(named)


def lying_alone(layout: Layout) -> frozenset[int]:
    """Name the tiles that lie in no row."""
    return frozenset(placed.tiles[0] for placed in layout.placed if len(placed.tiles) == 1)


def _akin(end: OpenEnd, near: Flags, readings: Readings, loose: frozenset[int]) -> list[int]:
    """Name the near tiles, (n,), that may be of one set with the end.

    In a heap of loose tiles some lie in line. Two of which not both are loose may always be: what
    else was read wrongly where a tile of a row was not found, nobody knows.
    """
    return [
        tile
        for tile in np.flatnonzero(near).tolist()
        if not loose.issuperset((end.tile, tile))
        or may_begin([readings.readings[one].tile for one in (end.tile, tile)])
    ]
