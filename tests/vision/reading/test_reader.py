"""What the reader makes of its networks' answers, and of tiles at the picture's edge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from referee import load_ruleset
from tests.vision.reading.sample import detector, legal_table, reader, seen_from_low
from vision.crops import face_light
from vision.doubts import FOREIGN
from vision.evaluation.suite_scores import canonical
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.network import Network
from vision.outlines import (
    DWARF,
    ENOUGH_TO_FIT,
    GIANT,
    NARROW,
    beside,
    collide,
    cut_off,
    lie_alike,
    relative_size,
    relative_width,
)
from vision.pipeline import TableReader
from vision.reading.examine import Examiner
from vision.reading.sight import Look
from vision.rendering.camera import aim
from vision.types import Detections

if TYPE_CHECKING:
    from referee import Table
    from vision.types import Floats


@pytest.mark.parametrize(
    ("left", "top", "cut"),
    [(100, 100, False), (-5, 100, False), (-20, 100, True), (100, -20, True),
     (100, 325, False), (100, 365, True), (370, 100, True)],
)  # fmt: skip
def test_a_number_beyond_the_edge_is_cut_off(left: float, top: float, cut: bool) -> None:
    tile = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)
    quad = tile + np.array([left, top], np.float32)
    assert cut_off(quad[None], 400, 380)[0] == cut


def row(*flipped: bool, gap: float = 2) -> np.ndarray:
    """Tiles side by side, some of them upside down."""
    tile = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)
    quads = [tile + np.array((i * (40 + gap), 0), np.float32) for i in range(len(flipped))]
    turned = [np.roll(q, 2, 0) if flip else q for q, flip in zip(quads, flipped, strict=True)]
    return np.array(turned, np.float32)


@pytest.mark.parametrize(
    ("flipped", "gap", "alike"),
    [
        ((False, False, False), 2, [2, 2, 2]),
        ((False, True, False), 2, [0, -2, 0]),
        ((True, True, True), 2, [2, 2, 2]),
        ((False, False, True), 2, [0, 0, -2]),
        ((True,), 2, [0]),
        ((False, True), 2, [-1, -1]),
        ((False, True, False), 80, [0, 0, 0]),
    ],
)
def test_tiles_that_lie_like_their_neighbours(
    flipped: tuple[bool, ...], gap: float, alike: list[int]
) -> None:
    quads = row(*flipped, gap=gap)
    assert lie_alike(quads, np.ones(len(quads), np.bool_)).tolist() == alike
    assert not lie_alike(quads, np.zeros(len(quads), np.bool_)).any()


def test_the_row_says_which_way_up_a_nine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone it may as well be a 6; the reader's answers are made up, in place of a network's."""
    examiner = Examiner.load()
    monkeypatch.setattr(Examiner, "_number_temperature", 1.0)
    chances = np.full((8, 15), 1e-3)
    for tile, (here, there) in enumerate([(2, 14), (14, 3), (8, 5), (5, 14)]):
        chances[tile, here], chances[4 + tile, there] = 1, 1
    nothing = np.zeros((8, 0), np.float32)
    look = Look(nothing, np.log(chances).astype(np.float32), nothing, nothing, nothing)
    quads = row(False, True, False, False)
    numbers, turned = examiner.weigh(look)
    assert numbers[2, [5, 8]] == pytest.approx([0.5, 0.5], abs=0.01)
    numbers, turned = examiner.weigh(look, quads)
    assert numbers.argmax(1).tolist() == [2, 3, 8, 5]
    assert turned.tolist() == [False, True, False, False]
    assert numbers[2, 8] > 0.9


@pytest.mark.parametrize("factor", [0.6, 0.85, 1.2, 1.7])
@pytest.mark.parametrize("away", [0, 200])
def test_what_is_of_another_size_than_a_tile_would_be_is_suspect(factor: float, away: int) -> None:
    """In its row, or away from all others, where a slope might explain it."""
    rows = [row(*[False] * 7, gap=2) + np.array((0, down), np.float32) for down in (0, 90)]
    quads = np.concatenate(rows)
    middle = quads[2].mean(0)
    quads[2] = middle + (quads[2] - middle) * np.float32(factor) + (0, away)
    size = relative_size(quads, np.ones(14, np.bool_))
    odd = factor in {0.6, 1.7}
    assert ((size < DWARF) | (size > GIANT)).tolist() == [i == 2 and odd for i in range(14)]
    few = np.arange(14) < ENOUGH_TO_FIT - 1
    assert (relative_size(quads, few) == 1).all()


@pytest.mark.parametrize("covered", [0.2, 0.4])
def test_a_tile_under_a_thumb_is_narrower_than_its_neighbours(covered: float) -> None:
    quads = row(*[False] * 5)
    quads[2, :, 0] = np.maximum(quads[2, :, 0], quads[2, 0, 0] + 40 * covered)
    width = relative_width(quads, beside(quads))
    assert np.flatnonzero(width < NARROW).tolist() == ([2] if covered > 0.3 else [])
    assert (relative_width(quads[2:3], np.zeros((1, 1), np.bool_)) == 1).all()


def test_what_is_farther_or_covered_from_below_is_not_narrower() -> None:
    """A rack's tiles get smaller along it, and the tier in front hides their lower ends."""
    along, place = [], 0.0
    for size in 0.82 ** np.arange(6):
        along.append(row(False)[0] * size + np.array((place, 0)))
        place += 42 * size
    shrinking = np.array(along, np.float32)
    assert relative_width(shrinking, beside(shrinking)).min() > NARROW
    quads = row(*[False] * 5)
    quads[[1, 3], 2:, 1] -= 25
    assert relative_width(quads, beside(quads)).min() > NARROW


@pytest.mark.parametrize(("keys", "away"), [((3, 4), 100), ((5, 3), -260)])
def test_keys_beside_tiles_are_no_perspective(keys: tuple[int, int], away: int) -> None:
    """A slope could explain a calculator's keys, were it not for the tiles themselves."""
    tiles = [row(*[False] * 8) + np.array((0, down), np.float32) for down in (0, 90, 180, 270)]
    key = row(False) * np.float32(0.6)
    places = [(400 + 30 * i, away + 42 * j) for i in range(keys[0]) for j in range(keys[1])]
    quads = np.concatenate([*tiles, *(key + np.array(place, np.float32) for place in places)])
    size = relative_size(quads, np.ones(len(quads), np.bool_))
    assert ((size < DWARF) | (size > GIANT)).tolist() == [i >= 32 for i in range(len(quads))]


@pytest.mark.parametrize("seed", range(6))
def test_perspective_makes_no_tile_suspect(seed: int) -> None:
    rng = np.random.default_rng(seed)
    camera = aim(50, rng.uniform(25, 60), rng.uniform(0, 360), rng.uniform(40, 70), 960)
    places = rng.uniform(-7, 7, (40, 1, 2))
    flat = places + np.array([(0, 0), (1, 0), (1, 1.4), (0, 1.4)])
    corners = np.concatenate([flat, np.zeros((40, 4, 1))], 2)
    quads = camera.project(corners.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
    assert relative_size(quads, np.ones(40, np.bool_)) == pytest.approx(1, abs=0.06)
    quads[7] = quads[7].mean(0) + (quads[7] - quads[7].mean(0)) * np.float32(0.6)
    assert np.flatnonzero(relative_size(quads, np.ones(40, np.bool_)) < DWARF).tolist() == [7]


@pytest.mark.parametrize(
    ("shift", "together"),
    [((42, 0), False), ((24, 0), True), ((0, 62), False), ((0, 26), False), ((20, 8), True)],
)
def test_outlines_that_share_a_place_collide(shift: tuple[float, float], together: bool) -> None:
    quads = row(False, False, False, gap=2)
    quads[1] = quads[0] + np.array(shift, np.float32)
    quads[2] += 200
    assert collide(quads).tolist() == [together, together, False]


@pytest.mark.parametrize("suite", ["plain", "made-up", "oblique"])
def test_a_sparing_look_says_what_a_whole_one_does(
    suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = next(iter(tables(suite_named(suite), suite, 1)))
    found = detector().detect(table.pixels)
    sparing = reader().read(table.pixels, found)
    look = Examiner.face_logits
    monkeypatch.setattr(Examiner, "face_logits", lambda *given, **_: look(*given))
    whole = reader().read(table.pixels, found)
    assert [reading.tile for reading in sparing.readings] == [r.tile for r in whole.readings]
    assert [r.doubt for r in sparing.readings] == [r.doubt for r in whole.readings]
    assert sparing.quads_img == pytest.approx(whole.quads_img)
    for one, other in zip(sparing.readings, whole.readings, strict=True):
        assert one.confidence == pytest.approx(other.confidence, abs=2e-3)


def test_tiles_seen_from_low_are_read() -> None:
    given = seen_from_low()
    reading = TableReader(detector(), reader()).read(given.pixels, load_ruleset("standard"))
    assert canonical_parts(reading.table) == canonical_parts(given.table)


def canonical_parts(table: Table) -> list[str]:
    return sorted(map(canonical, table.parts))


@pytest.mark.parametrize("missed", [0, 8, 15, 20])
def test_a_tile_that_was_missed_is_read_with_the_others(
    missed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are not looked at again; but the colours of all are settled together."""
    pixels, found = legal_table()
    whole = reader().read(pixels, found)
    others = np.arange(len(found)) != missed
    crops: dict[str, list[int]] = {"corners": [], "palette": []}
    run = Network.run

    def counted(network: Network, batch: Floats) -> list[Floats]:
        crops.setdefault(network.settings["name"], []).append(len(batch))
        return run(network, batch)

    monkeypatch.setattr(Network, "run", counted)
    left = Detections(found.quads_img[others], found.confidences[others], found.hints_img)
    read = reader().read(pixels, left)
    tiles = [reading.tile for reading in read.readings]
    assert Counter(tiles) == Counter(reading.tile for reading in whole.readings)
    assert not any(reading.unsure for reading in read.readings)
    assert sum(crops["corners"]) < 2 * 2 * len(left)
    assert crops["palette"][-1] == crops["palette"][0] + 1


def test_what_is_no_tile_does_not_go_on_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels, found = legal_table()
    left = Detections(found.quads_img[1:], found.confidences[1:], found.hints_img)
    assert len(reader().read(pixels, left)) == len(found)
    perhaps = np.float32(0.6)
    monkeypatch.setattr(
        "vision.reading.reader.chances", lambda _, told: np.full(len(told), perhaps)
    )
    assert len(reader().read(pixels, left)) == len(left)


@pytest.mark.parametrize(
    ("light", "genuine", "doubt"),
    [(0.5, 0.7, ""), (0.17, 0.7, FOREIGN), (0.17, 0.99, ""), (0.05, 0.7, None)],
)
def test_what_is_far_darker_than_all_others_must_surely_be_a_tile(
    light: float, genuine: float, doubt: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    pixels, found = legal_table()
    before = reader().read(pixels, found)
    number = int(np.argsort(face_light(pixels, before.quads_img))[len(before.readings) // 2])
    face = before.quads_img[number].astype(np.int32)
    lit = cv2.fillConvexPoly(np.zeros(pixels.shape[:2], np.uint8), face, 1) > 0
    pixels = pixels.copy()
    pixels[lit] = (pixels[lit] * light ** (1 / 2.2)).astype(np.uint8)
    chance = np.float32(genuine)
    monkeypatch.setattr(
        "vision.reading.reader.chances", lambda _, told: np.full(len(told), chance)
    )
    after = reader().read(pixels, found)
    if doubt is None:
        assert len(after.readings) == len(before.readings) - 1
    else:
        was, now = before.readings[number], after.readings[number]
        assert (now.tile, now.doubt) == (was.tile, doubt)
