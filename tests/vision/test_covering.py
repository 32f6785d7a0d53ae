"""Hands, sleeves and cups over the table, told from the table by their colour."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from referee import Code, load_ruleset
from referee.verdicts import Status
from tests.fakes import sure
from tests.vision.watching.made_scenes import Frame
from vision.covering import Surroundings
from vision.doubts import FOREIGN, UNDER
from vision.ends_in_doubt import under_cover
from vision.loading import load_table_reader
from vision.open_ends import OpenEnd
from vision.pictures import load_picture
from vision.resources import resource_dir
from vision.types import Readings
from vision.watching import Watcher

if TYPE_CHECKING:
    from vision.pipeline import TableReading
    from vision.types import Floats, Pixels

STANDARD = load_ruleset("standard")
SKIN, GREEN, CUP = (120, 150, 205), (70, 110, 60), (200, 90, 40)
SHADE = (35, 55, 30)
FIRST, STEP = np.array([0]), np.array((41, 0), np.float32)
CLOAK = np.array([(0, -30), (0, 30), (90, 30), (90, -30)])  # px beyond two corners
TILE = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)


def table(colours: tuple[tuple[int, int, int], ...] = (GREEN,)) -> tuple[Pixels, Floats]:
    """Return checks of so many colours, in light that falls off, with nine tiles in rows."""
    rng = np.random.default_rng(2)
    check = (np.add.outer(np.arange(500) // 90, np.arange(700) // 90) % len(colours))[..., None]
    pixels = np.choose(check, [np.array(colour)[None, None] for colour in colours])
    pixels = pixels * np.linspace(0.7, 1.2, 700)[None, :, None] + rng.normal(0, 6, (500, 700, 3))
    picture = np.clip(pixels, 0, 255).astype(np.uint8)
    quads = np.array(
        [TILE + np.array((120 + 150 * x, 80 + 130 * y)) for y in range(3) for x in range(3)]
    )
    for quad in quads:
        cv2.fillPoly(picture, [quad.astype(np.int32)], (225, 235, 240))
    return picture, quads.astype(np.float32)


@pytest.mark.parametrize("colours", [(GREEN,), (GREEN, (190, 200, 200))])
@pytest.mark.parametrize("over", [SKIN, CUP, (30, 30, 120)])
def test_what_is_not_the_table_is_told_by_its_colour(
    over: tuple[int, int, int], colours: tuple[tuple[int, int, int], ...]
) -> None:
    pixels, quads = table(colours)
    ends, steps = np.array([0, 4, 6]), np.array([STEP, -1.2 * STEP, STEP])
    assert not Surroundings(pixels, quads).is_covered(ends, steps).any()
    cv2.ellipse(pixels, (190, 100), (30, 60), 20, 0, 360, over, -1)
    assert Surroundings(pixels, quads).is_covered(ends, steps).tolist() == [True, False, False]


def test_beyond_a_tile_that_is_cut_aslant_its_own_outline_is_no_tile() -> None:
    """What hides a corner of it makes the step to the next one shorter than its upper side."""
    pixels, quads = table()
    quads[4, 2, 0] -= 18
    cv2.fillConvexPoly(pixels, (quads[4, 1:3][[0, 1, 1, 0]] + CLOAK).astype(np.int32), SKIN)
    ends, steps = np.array([4, 4]), np.float32(0.775) * np.array([STEP, -STEP])
    around = Surroundings(pixels, quads)
    assert around.is_covered(ends, steps).tolist() == [True, False]
    assert around.differs_beyond(ends, steps).tolist() == [True, False]


@pytest.mark.parametrize("light", [0.65, 0.8, 1.3])
def test_a_shade_is_no_cover(light: float) -> None:
    pixels, quads = table()
    shaded = pixels[60:160, 165:260]
    pixels[60:160, 165:260] = np.clip(shaded * light, 0, 255).astype(np.uint8)
    assert not Surroundings(pixels, quads).is_covered(FIRST, 1.5 * STEP[None]).any()


@pytest.mark.parametrize("step", [(150, 0), (-160, 0), (0, 590)])
def test_where_a_tile_lies_or_the_picture_ends_nothing_covers(step: tuple[float, float]) -> None:
    pixels, quads = table()
    cv2.rectangle(pixels, (0, 80), (700, 140), SKIN, -1)
    assert not Surroundings(pixels, quads).is_covered(FIRST, np.array([step], np.float32)).any()


def test_beside_too_few_tiles_nothing_can_be_told() -> None:
    pixels, quads = table()
    pixels[:, 165:] = SKIN
    assert not Surroundings(pixels, quads[:1]).is_covered(FIRST, STEP[None]).any()
    assert Surroundings(pixels, quads).is_covered(FIRST[:0], STEP[None][:0]).shape == (0,)


def test_where_tiles_fill_the_picture_nothing_covers() -> None:
    pixels, quads = table()
    around = Surroundings(pixels[80:140, 120:160], quads[:1] - quads[0, 0])
    assert not around.is_covered(FIRST, STEP[None]).any()
    assert not around.shows_beyond(FIRST, STEP[None]).any()
    assert not around.differs_beyond(FIRST, STEP[None]).any()


def test_where_a_table_changes_colour_all_over_one_more_covers_nothing() -> None:
    def with_spot(pixels: Pixels, quads: Floats) -> bool:
        cv2.rectangle(pixels, (165, 80), (200, 140), (75, 125, 75), -1)
        return bool(Surroundings(pixels, quads).is_covered(FIRST, STEP[None])[0])

    pixels, quads = table()
    assert with_spot(pixels, quads)
    pixels, quads = table()
    patches = np.random.default_rng(1).normal(0, 0.25, (10, 14, 3))
    cloth = pixels * np.exp(cv2.resize(patches, (700, 500), interpolation=cv2.INTER_CUBIC))
    assert not with_spot(np.clip(cloth, 0, 255).astype(np.uint8), quads)


@pytest.mark.parametrize(
    ("sliver_px", "colour", "seen"),
    [(12, (215, 225, 232), True), (0, GREEN, False), (12, (150, 160, 170), False)],
)
@pytest.mark.parametrize("side", [-1, 1])
def test_a_sliver_of_the_next_tile_is_told_from_the_table(
    sliver_px: int, colour: tuple[int, int, int], seen: bool, side: int
) -> None:
    """Of the tile beside the middle one only a strip is to be seen under a hand."""
    pixels, quads = table()
    middle, step = quads[4].mean(0), np.array((40, 0), np.float32) * side
    corners = np.array([(side * x, y) for x in (21, 21 + sliver_px) for y in (-28, 28)]) + middle
    hand = np.array([(side * x, y) for x in (21 + sliver_px, 90) for y in (-40, 40)]) + middle
    for points, shade in ((hand, SKIN), (corners, colour)):
        cv2.fillConvexPoly(pixels, cv2.convexHull(points.astype(np.int32)), shade)
    ends, steps = np.array([4, 4]), np.array([step, -step])
    assert Surroundings(pixels, quads).shows_beyond(ends, steps).tolist() == [seen, False]
    assert Surroundings(pixels, quads).shows_beyond(ends[:0], steps[:0]).shape == (0,)
    known = np.concatenate([quads, quads[4:5] + 1.15 * step])
    assert not Surroundings(pixels, known).shows_beyond(ends, steps).any()


@pytest.mark.parametrize(
    ("colour", "corner_px", "seen"),
    [
        *((GREEN, 28, True), (GREEN, 6, False)),
        *(((205, 205, 200), 28, True), ((223, 232, 236), 28, False)),
    ],
)
def test_a_corner_of_the_next_tile_is_told_by_how_unlike_it_the_table_is(
    colour: tuple[int, int, int], corner_px: int, seen: bool
) -> None:
    pixels, quads = table((colour,))
    corner = quads[4, 1] + np.array([(1, 0), (1 + corner_px, 0), (1, corner_px)])
    cv2.fillConvexPoly(pixels, corner.astype(np.int32), (223, 233, 239))
    ends, steps = np.array([4, 4]), np.array([STEP, -STEP])
    assert Surroundings(pixels, quads).shows_beyond(ends, steps).tolist() == [seen, False]


def test_beyond_a_column_it_looks_across_it() -> None:
    """Where sets cross, tiles lie below one another."""
    pixels, quads = table()
    ends, steps = np.array([4, 4]), np.array([(0, 62), (0, -62)], np.float32)
    around = Surroundings(pixels, quads)
    assert not (around.shows_beyond(ends, steps) | around.differs_beyond(ends, steps)).any()
    below = quads[4, 3] + np.array([(1, 1), (38, 1), (38, 50), (1, 50)])
    for points, colour in ((below, SKIN), (below[[0, 1, 3]], (215, 225, 232))):
        cv2.fillConvexPoly(pixels, points.astype(np.int32), colour)
    around = Surroundings(pixels, quads)
    assert around.shows_beyond(ends, steps).tolist() == [True, False]
    assert around.differs_beyond(ends, steps).tolist() == [True, False]


def test_on_a_table_as_light_as_the_tiles_no_sliver_can_be_told() -> None:
    pixels, quads = table(((225, 235, 240),))
    ends, steps = np.array([4]), np.array([(40, 0)], np.float32)
    assert not Surroundings(pixels, quads).shows_beyond(ends, steps).any()


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize(("over", "differs"), [(SKIN, True), (SHADE, False)])
def test_a_hand_over_much_of_the_table_is_told_from_what_lies_beside_the_row(
    over: tuple[int, int, int], differs: bool, side: int
) -> None:
    """So much of it that it passes for the table elsewhere; a shade does anywhere."""
    pixels, quads = table()
    bare = pixels.copy()
    x, _ = (int(value) for value in quads[4].mean(0))
    beyond = slice(x + 24, None) if side > 0 else slice(None, x - 24)
    pixels[:, beyond] = over
    for quad in quads:
        cv2.fillPoly(pixels, [quad.astype(np.int32)], (225, 235, 240))
    ends, steps = np.array([4, 4]), np.array([(40, 0), (-40, 0)], np.float32) * side
    around = Surroundings(pixels, quads)
    assert not around.is_covered(ends, steps).any()
    assert around.differs_beyond(ends, steps).tolist() == [differs, False]
    assert not Surroundings(bare, quads).differs_beyond(ends, steps).any()
    known = np.concatenate([quads, quads[4:5] + steps[:1, None]])
    assert not Surroundings(pixels, known).differs_beyond(ends, steps).any()
    assert around.differs_beyond(ends[:0], steps[:0]).shape == (0,)


def test_what_is_printed_on_paper_over_a_set_does_not_hide_that_it_lies_there() -> None:
    """A figure that looks unlike a tile is read where the next tile would lie."""
    pixels, quads = table()
    cv2.rectangle(pixels, (165, 70), (240, 150), (235, 225, 240), -1)
    figure = quads[:1] + np.array((44, 10), np.float32)
    seen = tuple(sure(face) for face in ("R5", "B5", "K7", "O1", "O3", "R9", "R11", "B1", "B2"))
    step = np.array((42, 0), np.float32)
    end = OpenEnd(0, quads[0].mean(0) + step, step)
    for doubt, named in ((FOREIGN, {0}), ("", set())):
        eight = replace(sure("K8"), doubt=doubt)
        readings = Readings(np.concatenate([quads, figure]), (*seen, eight))
        assert under_cover([end], readings, pixels) == named


@pytest.mark.parametrize("side", [-1, 1])
def test_what_lies_on_a_tile_is_told_from_what_tiles_bear(side: int) -> None:
    """All bear a number and a pip; on one lies a finger of the table's colour."""
    pixels, quads = table()
    for quad, number in zip(quads, (1, 3, 13, 7, 8, 12, 5, 11, 9), strict=True):
        left, top = (int(value) for value in quad[0])
        cv2.putText(pixels, str(number), (left + 6, top + 30), 0, 0.7, (20, 30, 160), 2)
        cv2.circle(pixels, (left + 20, top + 46), 6, (20, 30, 160), 2)
    assert not Surroundings(pixels, quads).is_half_covered().any()
    x, y = (int(value) for value in quads[4].mean(0))
    cv2.line(pixels, (x + side * 40, y + 30), (x, y + 8), GREEN, 16)
    assert np.flatnonzero(Surroundings(pixels, quads).is_half_covered()).tolist() == [4]
    assert not Surroundings(pixels, quads[4:5]).is_half_covered().any()


def test_any_number_of_tiles_can_be_looked_at() -> None:
    pixels = np.full((600, 900, 3), GREEN, np.uint8)
    places = np.array([(21 * x, 31 * y) for y in range(15) for x in range(40)], np.float32)
    quads = np.asarray(TILE / 2 + places[:, None], np.float32)
    assert not Surroundings(pixels, quads).is_half_covered().any()


def read(pixels: Pixels) -> TableReading:
    return load_table_reader().read(pixels, STANDARD)


@pytest.mark.parametrize("hand", [True, False])
def test_a_set_under_a_hand_is_asked_about_and_one_that_is_too_short_is_wrong(hand: bool) -> None:
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg").copy()
    whole = read(pixels)
    part = next(placed for placed in whole.layout.placed if len(placed.tiles) == 3)
    quads = whole.readings.quads_img[list(part.tiles)]
    lost = quads[1:].reshape(-1, 2)
    grown = (lost.mean(0) + 1.12 * (lost - lost.mean(0))).astype(np.int32)
    beside = np.median(pixels[pixels.shape[0] // 2 :, :20].reshape(-1, 3), 0)
    cv2.fillConvexPoly(pixels, cv2.convexHull(grown), SKIN if hand else beside.tolist())
    seen = read(pixels)
    [short] = [
        (placed, verdict)
        for placed, verdict in zip(seen.layout.placed, seen.verdict.parts, strict=True)
        if len(placed.tiles) == 1
    ]
    placed, verdict = short
    watcher = Watcher(load_table_reader(), STANDARD)
    for number in range(5):
        sight = watcher.look(Frame(pixels, number, number / 5), photo=True)
    assert sight.settled is not None
    live = [part.status for part in sight.settled.verdict.parts if part.status is not Status.VALID]
    assert live == [verdict.status]
    if hand:
        assert verdict.status is Status.UNKNOWN
        assert seen.readings.readings[placed.tiles[0]].doubt == UNDER
    else:
        assert [violation.code for violation in verdict.violations] == [Code.TOO_SHORT]
        assert verdict.status is Status.INVALID
