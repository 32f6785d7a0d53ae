"""What lenses, sensors and codecs do, each within its range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.rendering.lighting import BRIGHTEST as BRIGHTEST_SUN
from vision.rendering.lighting import lamp_colour, lamps, sunlight
from vision.rendering.photograph import (
    BRIGHTEST,
    FILE_QUALITY,
    SHARPEST_PX,
    VIDEO_CALLS,
    VIDEO_QUALITY,
    _blur,
    _compress,
    photograph,
    tone_curve,
)

if TYPE_CHECKING:
    from vision.rendering.arrays import Array

WHITE = round(65535 / BRIGHTEST)


def squares(size_px: int = 96, pitch_px: int = 7) -> Array:
    """Return a checkerboard of light, (size, size, 3)."""
    y, x = np.mgrid[:size_px, :size_px] // pitch_px
    return np.repeat(np.where((x + y) % 2, 0.7, 0.2).astype(np.float32)[..., None], 3, axis=2)


def test_tone_curves_rise_from_near_black_and_mostly_spare_the_highlights() -> None:
    spared = 0
    for seed in range(100):
        curve = tone_curve(np.random.default_rng(seed)).astype(int)
        assert curve.shape == (65536,)
        assert (np.diff(curve) >= 0).all()
        assert curve[0] <= round(0.06 * 255)
        assert 180 <= curve[WHITE] <= 255
        assert 40 < curve[WHITE // 2] < 200
        spared += curve[WHITE] < curve[-1] and curve[round(WHITE * 1.1)] < 255
    assert 40 < spared < 95


def test_lamps_are_of_mixed_warmth() -> None:
    colours = np.array([lamp_colour(np.random.default_rng(seed)) for seed in range(300)])
    warmth = colours[:, 2] - colours[:, 0]
    assert ((colours >= 0.25) & (colours <= 1.6)).all()
    assert warmth.min() < -0.3 < 0.6 < warmth.max()
    spread = []
    for seed in range(40):
        light = lamps(np.random.default_rng(seed), 64)
        spread.append(np.ptp((light[..., 2] / light[..., 0]).ravel()))
    assert np.median(spread) > 0.05  # one picture is warm here and cool there


def test_light_falls_off_towards_the_corners_in_some_pictures() -> None:
    falls = []
    for seed in range(60):
        light = lamps(np.random.default_rng(seed), 64).mean(-1)
        corners = light[[0, 0, -1, -1], [0, -1, 0, -1]].mean()
        falls.append(corners / light[28:36, 28:36].mean())
    assert 0.3 < np.mean(np.array(falls) < 0.95) < 0.9


def test_the_sun_is_warm_and_what_it_does_not_reach_is_cold_and_has_an_edge() -> None:
    lights = [sunlight(np.random.default_rng(seed), 128) for seed in range(60)]
    depths, hardest = [], []
    for light in lights:
        level = light.mean(-1)
        lit, shaded = level >= np.quantile(level, 0.9), level <= np.quantile(level, 0.1)
        depths.append(level[shaded].mean() / level[lit].mean())
        hardest.append(np.abs(np.diff(level, axis=1)).max())
        assert 0.2 < level.min() < level.max() < BRIGHTEST_SUN * 1.3
        blue = light[..., 0] / light[..., 2]
        assert blue[shaded].mean() > blue[lit].mean() + 0.05
    assert min(depths) < 0.4
    assert 0.6 < max(depths) < 0.9
    assert np.median(hardest) > 0.05


@pytest.mark.parametrize("seed", range(6))
def test_any_camera_gives_bytes_of_the_same_size(seed: int) -> None:
    pixels = photograph(np.random.default_rng(seed), squares())
    assert pixels.shape == (96, 96, 3)
    assert pixels.dtype == np.uint8
    assert pixels.std() > 5


def test_no_picture_is_sharper_than_a_lens_and_some_are_very_soft() -> None:
    edges = []
    for seed in range(80):
        rng = np.random.default_rng(seed)
        blurred = _blur(rng, squares())
        edges.append(np.abs(np.diff(blurred[..., 0], axis=1)).max() / 0.5)
    assert max(edges) < 0.99
    assert min(edges) < 0.35
    assert SHARPEST_PX[0] >= 0.3


def test_codecs_leave_a_picture_recognisable() -> None:
    plain = (squares() * 255).astype(np.uint8)
    lost = []
    for seed in range(120):
        sent = _compress(np.random.default_rng(seed), plain)
        lost.append(np.abs(sent.astype(int) - plain).mean())
    assert 0.03 < np.mean(np.array(lost) == 0) < 0.3  # some phones hand over every pixel
    assert 2 < max(lost) < 40
    assert 0 < VIDEO_CALLS < 0.2
    assert VIDEO_QUALITY[0] < FILE_QUALITY[0] < FILE_QUALITY[1] <= 95
