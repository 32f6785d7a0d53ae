"""Table tops: materials of every kind, and how a camera sees them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.rendering import tabletop
from vision.rendering.camera import aim
from vision.rendering.tables import fractal, noise, random_material, table_of
from vision.rendering.tabletop import EDGE, GRAIN_PX, nearness, random_table

KINDS = ("wood", "planks", "cloth", "stone", "glass", "plain", "pattern", "print")


@pytest.mark.parametrize("kind", KINDS)
def test_materials_are_light_within_range_and_no_two_alike(kind: str) -> None:
    one, other = (table_of(kind, np.random.default_rng(seed), 96) for seed in (1, 2))
    for table in (one, other):
        assert table.shape == (96, 96, 3)
        assert table.dtype == np.float32
        assert 0 <= table.min() < table.max() <= 1
    assert np.abs(one - other).max() > 0.05


def test_cloth_is_felt_or_woven_and_only_woven_has_threads_in_rows() -> None:
    peaks = []
    for seed in range(24):
        level = table_of("cloth", np.random.default_rng(seed), 128).mean(-1)
        spectrum = np.abs(np.fft.rfft(level.mean(0) - level.mean()))[4:]
        peaks.append(spectrum.max() / max(float(np.median(spectrum)), 1e-9))
    assert 0.2 < np.mean(np.array(peaks) > 8) < 0.95


@pytest.mark.parametrize("cells", [2.0, 9.0, 40.0])
def test_noise_fills_its_range_however_fine(cells: float) -> None:
    rng = np.random.default_rng(3)
    for made in (noise(rng, 120, (cells, cells)), fractal(rng, 120, cells)):
        assert made.shape == (120, 120)
        assert 0 <= made.min() < 0.4
        assert 0.6 < made.max() <= 1


def test_the_table_is_as_near_as_the_camera_says() -> None:
    camera = aim(40, 35, 25, 60, 240)
    points = np.array([(0, 0, 0), (1.5, -2, 0), (-0.5, 1, 0)], np.float64)
    depth = points @ camera.matrix[2, :3] + camera.matrix[2, 3]
    at = np.arange(240.0)
    near = nearness(camera.matrix[:, [0, 1, 3]], at, at)
    for (x, y), expected in zip(camera.project(points), depth[0] / depth, strict=True):
        assert near[round(y), round(x)] == pytest.approx(expected, abs=0.01)


def test_only_a_camera_that_looks_flatly_sees_the_room(monkeypatch: pytest.MonkeyPatch) -> None:
    white = np.full((160, 160, 3), 255, np.uint8)
    monkeypatch.setattr(
        tabletop,
        "random_material",
        lambda rng, side: white if side == 160 else random_material(rng, side) // 2,
    )
    for elevation, seen in ((90, False), (60, False), (28, True)):
        table = random_table(np.random.default_rng(1), aim(20, elevation, 0, 70, 160), 160)
        room = np.asarray(table.max(-1) < 0.9)
        assert room.any() == seen
        assert not room[60:].any()  # tiles lie there


def test_ranges_of_the_table() -> None:
    assert 0.5 <= GRAIN_PX[0] < GRAIN_PX[1] <= 2.5
    assert 2.2 <= EDGE[0] < EDGE[1]  # layouts reach 2.2 times as far as the middle
