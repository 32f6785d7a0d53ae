"""What the detector makes of its network's answers."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.detect import (
    LEAST_CONFIDENCE,
    STRIDE_PX,
    WANTED_PX,
    WINDOW_PX,
    Detector,
    _Boxes,
    _unique,
    _windows,
    _without_giants,
)
from vision.network import Network
from vision.quads import quads_of


class Answers:
    """A session that finds a box around every bright patch of its input."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []

    def get_inputs(self) -> list[object]:
        return [type("Input", (), {"name": "image"})]

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        image = feeds["image"]
        self.shapes.append(image.shape)
        bright = (image[0].min(0) > 0.8).astype(np.uint8)
        contours, _hierarchy = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        rows = []
        for contour in contours:
            (x, y), (w, h), angle = cv2.minAreaRect(contour)
            angle += 90 if w > h else 0
            rows.append((x + 0.5, y + 0.5, min(w, h) + 1, max(w, h) + 1, np.radians(angle), 0.9))
        return [np.array(rows, np.float32).reshape(1, -1, 6)]


class CornerAnswers(Answers):
    """The same, with corners besides boxes that are too small."""

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        (rows,) = super().run(_, feeds)
        corners = quads_of(rows[0, :, :5]).reshape(1, -1, 8)
        rows[..., 2:4] /= 2
        return [np.concatenate([rows, corners], 2)]


class Faint(Answers):
    """The same, but what lies in the left half looks little like a tile."""

    def __init__(self, score: float = 0.1) -> None:
        super().__init__()
        self.score = score

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        (rows,) = super().run(_, feeds)
        rows[..., 5] = np.where(rows[..., 0] < feeds["image"].shape[3] / 2, self.score, 0.9)
        return [rows]


def _boxes(xywhr: np.ndarray, scores: np.ndarray) -> _Boxes:
    boxes = np.asarray(xywhr, np.float32)
    return _Boxes(boxes, np.asarray(scores, np.float32), quads_of(boxes))


def table(height: int, width: int, tiles: list[tuple[int, int]], side: int) -> np.ndarray:
    picture = np.full((height, width, 3), 40, np.uint8)
    for x, y in tiles:
        picture[y : y + side * 3 // 2, x : x + side] = 250
    return picture


@pytest.mark.parametrize("session", [Answers(), CornerAnswers()])
@pytest.mark.parametrize(
    ("size", "side"), [((300, 400), 40), ((750, 1000), 60), ((3000, 4000), 60), ((1200, 300), 30)]
)
def test_tiles_come_back_in_pixels_of_the_picture(
    size: tuple[int, int], side: int, session: Answers
) -> None:
    spots = [(20, 30), (size[1] - 3 * side, size[0] - 4 * side), (size[1] // 2, size[0] // 2)]
    detector = Detector(Network(session, {}))
    found = detector.detect(table(*size, spots, side))
    corners = sorted(tuple(quad.min(0)) for quad in found.quads_img)
    assert np.array(corners) == pytest.approx(np.array(sorted(spots)), abs=side * 0.12)


def test_every_input_fits_the_network() -> None:
    session = Answers()
    Detector(Network(session, {})).detect(table(2011, 3017, [(100, 100)], 40))
    assert all(h % 32 == 0 and w % 32 == 0 for _, _, h, w in session.shapes)


def test_small_tiles_are_looked_at_enlarged() -> None:
    session = Answers()
    Detector(Network(session, {})).detect(table(300, 400, [(50, 50), (200, 150)], 12))
    widths = [shape[3] for shape in session.shapes]
    assert max(widths) >= 1.9 * min(widths)


class Pairs(Answers):
    """The same, but where tiles are small two that lie together are taken for one."""

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        (rows,) = super().run(_, feeds)
        if np.median(rows[0, :, 2]) < PAIRED_PX:
            rows[..., 2:4] *= 2.4
            rows[..., 5] = 0.6
            rows = rows[:, ::2]
        return [rows]


PAIRED_PX = 16


def test_tiles_that_were_taken_for_one_are_looked_at_closer_again() -> None:
    session = Pairs()
    spots = [(100 + 60 * i, 200) for i in range(6)]
    found = Detector(Network(session, {})).detect(table(400, 500, spots, 12))
    assert len(found) == len(spots)
    first, second, third, *_ = (shape[3] for shape in session.shapes)
    assert first < second < third


class Doubtful(Answers):
    """The same, but small patches are passed over, and what is as large as cups may be tiles."""

    def run(self, _: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        (rows,) = super().run(_, feeds)
        widths = rows[..., 2]
        rows[..., 5] = np.where(widths > CUP_PX, 0.5, np.where(widths > PAIRED_PX, 0.9, 0.6))
        return [rows[:, rows[0, :, 2] > LOST_PX]]


CUP_PX, LOST_PX = 50, 10


@pytest.mark.parametrize(("size", "found"), [((3600, 4000), 6), ((540, 600), 1)])
def test_tiles_too_small_beside_what_may_be_some_are_looked_for_nearer(
    size: tuple[int, int], found: int
) -> None:
    """Of a picture that the first look saw as it is nothing nearer can be seen."""
    scale = size[1] / 4000
    spots = np.array([(1500 + 100 * i, 2500) for i in range(6)]) * scale
    picture = table(*size, spots.round().astype(int).tolist(), round(60 * scale))
    cup = round(500 * scale)
    picture[:cup, :cup] = 250
    assert len(Detector(Network(Doubtful(), {})).detect(picture)) == found


def test_a_box_around_several_tiles_is_dropped() -> None:
    boxes = np.array([(100 * n, 50, 40, 60, 0) for n in range(5)] + [(250, 90, 130, 150, 0)])
    kept = _without_giants(_boxes(boxes, np.ones(6)))
    assert kept.xywhr[:, 2].tolist() == [40] * 5


@given(st.integers(3, 30), st.integers(5, 30), st.floats(0, 3.14))
def test_letters_in_the_picture_do_not_make_giants_of_tiles(
    tiles: int, letters: int, angle: float
) -> None:
    clock = [(300 + 18 * i, 20, 15, 20, 0) for i in range(letters)]
    lying = [(100 + 60 * i, 300, 47, 67, angle) for i in range(tiles)]
    kept = _without_giants(_boxes(np.array([*clock, *lying]), np.full(letters + tiles, 0.9)))
    assert len(kept.scores) == letters + tiles


def test_a_picture_without_tiles_gives_none() -> None:
    assert len(Detector(Network(Answers(), {})).detect(table(500, 500, [], 1))) == 0


@pytest.mark.parametrize("size", [(100, 100), (1024, 1024), (1300, 2000), (3000, 4000)])
def test_windows_cover_the_picture(size: tuple[int, int]) -> None:
    seen = np.zeros(size, bool)
    for top, bottom, left, right in _windows(*size):
        seen[top:bottom, left:right] = True
        assert bottom - top <= max(WINDOW_PX, 0) or len(_windows(*size)) == 1
    assert seen.all()


@pytest.mark.parametrize("width", [1025, 1300, 1500, 2000, 2600, 4000])
def test_windows_lie_over_a_whole_tile_and_are_no_larger_than_that_takes(width: int) -> None:
    spans = [(left, right) for _, _, left, right in _windows(600, width)]
    common = [right - left for (_, right), (left, _) in pairwise(spans)]
    assert min(common) >= 2 * WANTED_PX
    least = (width + (len(spans) - 1) * 3 * WANTED_PX) / len(spans)
    assert all(least <= right - left < least + 2 * STRIDE_PX for left, right in spans)


def test_of_boxes_on_one_tile_the_surest_stays() -> None:
    boxes = np.array(
        [(50, 50, 40, 60, 0), (52, 48, 38, 58, 0.05), (50, 42, 20, 20, 0), (92, 50, 40, 60, 0)],
        np.float32,
    )
    kept = _unique(_boxes(boxes, np.array([0.8, 0.9, 0.5, 0.7])))
    assert kept.scores.tolist() == pytest.approx([0.9, 0.7])


def test_quads_turn_clockwise_from_a_short_side() -> None:
    quad = quads_of(np.array([[100, 100, 40, 60, np.pi / 3]], np.float32))[0]
    assert cv2.contourArea(quad, oriented=True) > 0
    assert np.linalg.norm(quad[1] - quad[0]) == pytest.approx(40, abs=1e-3)


def test_specks_that_may_be_tiles_do_not_make_giants_of_tiles() -> None:
    specks = [(50 + 40 * i, 700, 20, 28, 0) for i in range(5)]
    tiles = [(100 + 200 * i, 300, 190, 270, 0) for i in range(3)]
    scores = np.array([0.4] * 5 + [0.9] * 3, np.float32)
    kept = _without_giants(_boxes(np.array([*specks, *tiles]), scores))
    assert len(kept.scores) == 8


def test_what_looks_little_like_a_tile_is_a_hint() -> None:
    pixels = table(300, 400, [(60, 100), (300, 100)], 40)
    found = Detector(Network(Faint(), {})).detect(pixels)
    assert found.quads_img.mean(1).round() == pytest.approx(np.array([[320, 130]]), abs=2)
    assert sorted(found.hints_img[:, 0].round()) == pytest.approx([80, 320], abs=2)


@pytest.mark.parametrize(("score", "glimpsed"), [(0.1, [320]), (0.2, [80, 320]), (0.6, [80, 320])])
def test_what_looks_somewhat_like_a_tile_is_glimpsed(score: float, glimpsed: list[int]) -> None:
    pixels = table(300, 400, [(60, 100), (300, 100)], 40)
    found = Detector(Network(Faint(score), {})).detect(pixels)
    middles = found.glimpsed_img.mean(1)
    assert sorted(middles[:, 0].round()) == pytest.approx(glimpsed, abs=2)
    assert len(found) == (2 if score > LEAST_CONFIDENCE else 1)
