"""What else lies about, and what hides tiles."""

from __future__ import annotations

import numpy as np
import pytest

from vision.rendering.camera import aim
from vision.rendering.canvas import Canvas
from vision.rendering.clutter import (
    CABLE,
    CARD,
    CHANCE,
    CUP,
    PHONE,
    add_clutter,
    add_hands,
    add_prints,
    add_thing,
)
from vision.rendering.layouts import flat
from vision.rendering.lighting import GLARE_BLUR, cast_shadows, glare


def covered_table(size_px: int = 240) -> Canvas:
    return Canvas(
        aim(30, 60, 0, 40, size_px),
        np.full((size_px, size_px, 3), 0.5, np.float32),
        np.ones((size_px, size_px), np.int16),
        np.array([0.5, 0.3, 0.8]),
        0.3,
    )


@pytest.mark.parametrize("kind", [CARD, CUP, CABLE, PHONE])
def test_a_thing_hides_what_it_covers_and_throws_a_shadow(kind: int) -> None:
    hidden, shaded = [], []
    for seed in range(6):
        canvas = covered_table()
        add_thing(np.random.default_rng(seed), canvas, kind, np.array([120.0, 120.0]))
        assert canvas.radiance.min() >= 0
        assert canvas.radiance.max() < 2
        open_ = canvas.owner == 1
        hidden.append(1 - open_.mean())
        shaded.append(np.mean(canvas.radiance[open_].max(-1) < 0.47))
    assert 0.001 < max(hidden) < 0.95
    assert max(shaded) > 0.002


def test_prints_lie_about_the_table_and_hide_what_they_cover() -> None:
    hidden = []
    for seed in range(8):
        canvas = covered_table()
        add_prints(np.random.default_rng(seed), canvas)
        assert canvas.radiance.min() >= 0
        assert canvas.radiance.max() < 2
        printed = canvas.owner == 0
        brighter = canvas.radiance.max(-1) > 0.51
        assert (brighter & ~printed).mean() < 0.05  # beside prints are shadows, but for rims
        hidden.append(printed.mean())
    assert 0.02 < np.median(hidden) < 0.9
    assert len({round(float(share), 3) for share in hidden}) == 8


def test_some_tables_are_cluttered() -> None:
    cluttered = 0
    for seed in range(60):
        canvas = covered_table(96)
        add_clutter(np.random.default_rng(seed), canvas)
        cluttered += bool((canvas.radiance != 0.5).any())
    assert 0.5 * CHANCE < cluttered / 60 < 1.5 * CHANCE


def test_hands_come_from_anywhere_and_leave_some_tiles_to_be_seen() -> None:
    shares = []
    for seed in range(6):
        canvas = covered_table()
        add_hands(np.random.default_rng(seed), canvas)
        shares.append(np.mean(canvas.owner == 0))
    assert 0.05 < np.mean(shares) < 0.8
    assert len({round(float(share), 3) for share in shares}) > 3


def test_glare_is_soft_light_in_about_half_of_the_pictures() -> None:
    seen = 0
    for seed in range(60):
        light = glare(np.random.default_rng(seed), covered_table(96), 0.7)
        assert 0 <= light.min() <= light.max() <= 0.7
        seen += light.max() > 0
    assert 25 <= seen <= 45
    assert 0.02 <= GLARE_BLUR[0] < GLARE_BLUR[1] <= 0.2


def test_shadows_are_dark_at_the_feet_and_fall_away_from_the_lamp() -> None:
    canvas = covered_table()
    cast_shadows(np.random.default_rng(1), canvas, [flat("R1", 0, 0, 0, 0, lift=0.6)], 1.4)
    dark = 1 - canvas.radiance.mean(-1) / 0.5
    assert 0.1 <= dark.max() <= 1 - 0.35 * 0.5 + 0.01
    _, x = np.nonzero(dark > 0.05)
    lamp_right = canvas.light_xyz[0] > 0
    assert (x.mean() < 120) == lamp_right
    assert dark[:20].max() < 0.01
