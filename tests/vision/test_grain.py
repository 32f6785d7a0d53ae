"""Grain of dark rooms: how much a picture has, and how the detector does without it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.detect import Detector
from vision.grain import GRAINY, grain, softened
from vision.matching import match
from vision.suites import suite_named, tables

if TYPE_CHECKING:
    from vision.types import Pixels


def grainy(deviation: float, *, light: float = 200.0) -> Pixels:
    """Return light squares on a dark ground, with grain."""
    rng = np.random.default_rng(1)
    picture = np.full((240, 320, 3), 0.1 * light, np.float32)
    for x in range(20, 300, 60):
        picture[60:180, x : x + 40] = light
    return np.clip(picture + rng.normal(0, deviation, (240, 320, 1)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(("deviation", "light"), [(2.0, 200.0), (8.0, 200.0), (4.0, 60.0)])
def test_grain_is_measured_against_the_span_of_light(deviation: float, light: float) -> None:
    assert grain(grainy(deviation, light=light)) == pytest.approx(
        deviation / (0.9 * light), rel=0.3
    )


def test_edges_and_slopes_of_light_are_no_grain() -> None:
    slope = np.linspace(0, 255, 320, dtype=np.float32)[None, :, None]
    even = np.broadcast_to(slope, (240, 320, 3)).astype(np.uint8)
    assert grain(even) < 0.005
    assert grain(grainy(0.0)) == 0


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 5), (40, 2)])
def test_the_smallest_pictures_are_left_as_they_are(shape: tuple[int, int]) -> None:
    picture = np.full((*shape, 3), 90, np.uint8)
    assert softened(picture) is picture


def test_only_what_is_grainy_is_softened_and_the_more_the_more_it_is() -> None:
    clean = grainy(1.0)
    assert softened(clean) is clean
    left = []
    for deviation in (6.0, 20.0):
        before = grainy(deviation)
        assert grain(before) > GRAINY
        left.append(grain(softened(before)) / grain(before))
    assert 0.5 > left[0] > left[1]


def test_most_tiles_in_a_dark_room_are_found() -> None:
    """At an eighth of the light, under coarse grain; as it comes, one of sixty is."""
    given = next(tables(suite_named("plain"), "plain", 1))
    rng = np.random.default_rng(2)
    grains = cv2.GaussianBlur(rng.normal(0, 1, given.pixels.shape).astype(np.float32), (0, 0), 0.6)
    dark = np.clip(given.pixels / 8.0 + 12 * grains / grains.std(), 0, 255).astype(np.uint8)
    found = Detector.load().detect(dark)
    assert len(match(given.photo.tiles, found.quads_img)) >= 0.6 * len(given.photo.tiles)
