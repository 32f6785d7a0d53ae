"""Traced tables: seen by the same camera, exposed as a camera does, labelled where they lie."""

from __future__ import annotations

from math import tan

import numpy as np
import pytest

from vision.evaluation.suite_tables import table
from vision.evaluation.suites import Suite
from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.canvas import pose_normal
from vision.rendering.editions import edition_named
from vision.rendering.layouts import flat
from vision.rendering.scene import Style
from vision.rendering.traced.blender import placed, posed
from vision.rendering.traced.draw import BRIGHT, PathTracer, exposed
from vision.rendering.traced.rooms import warmth

LITTLE = Suite("a few tiles", (7, 7), (20, 22), size_px=200, edition="a")
ACROSS = np.array([1.0, -1.0, 1.0])  # from the tables' frame to Blender's


@pytest.mark.parametrize("elevation", [25, 60, 90])
def test_blenders_camera_sees_what_the_tables_camera_sees(elevation: int) -> None:
    camera = aim(40, elevation, 20, 60, 800)
    world, angle = placed(camera, 800)
    points = np.array([[3.0, 2, 0], [0, 0, 0.5], [-4, 5, 0.0]])
    seen = np.c_[points * ACROSS, np.ones(3)] @ np.linalg.inv(world).T
    focal_px = 400 / tan(angle / 2)
    pixels = 400 + focal_px * seen[:, :2] * (1, -1) / -seen[:, 2:3]
    assert pixels == pytest.approx(camera.project(points))
    assert np.linalg.det(world[:3, :3]) == pytest.approx(1)


def test_a_tile_lies_where_its_pose_says_and_looks_up() -> None:
    pose = flat("R7", 2.0, 3.0, 0.4, 0, lift=0.3)
    world = posed(pose)
    assert world[:3, 3] == pytest.approx(pose.centre * ACROSS)
    assert world[:3, 0] == pytest.approx(pose.right * ACROSS)
    assert world[:3, 2] == pytest.approx(pose_normal(pose) * ACROSS)
    assert np.linalg.det(world[:3, :3]) == pytest.approx(1)


def test_candles_are_redder_than_the_sky() -> None:
    candle, sky = warmth(2600), warmth(7000)
    assert candle[0] > candle[1] > candle[2]
    assert sky[2] > sky[0]
    assert max(candle.max(), sky.max()) <= 1


@pytest.mark.parametrize("power", [0.01, 1.0, 300.0])
def test_a_picture_is_exposed_whatever_the_lamps(power: float) -> None:
    rng = np.random.default_rng(3)
    white = warmth(2600)
    light = rng.random((40, 40, 1)) * white[::-1] * power
    shown = exposed(rng, light, white)
    bright = np.percentile(shown.max(-1), BRIGHT)
    assert 0.8 < bright <= 1.01
    seen = shown.reshape(-1, 3).mean(0)
    assert seen.min() / seen.max() > white.min() / white.max()  # what is white is less yellow


def test_blender_draws_the_tiles_where_the_labels_are() -> None:
    pytest.importorskip("bpy", reason="Blender's module is there after `make trace` only")
    given = table(LITTLE, "little", 0, PathTracer(samples=4))
    assert [tile.cut for tile in given.photo.tiles] == [False] * 7
    grey = given.pixels.astype(float).mean(-1)
    for tile in given.photo.tiles:
        low, high = tile.outline_img.min(0).astype(int), tile.outline_img.max(0).astype(int)
        window = grey[low[1] : high[1], low[0] : high[0]]
        assert np.ptp(window) > 20  # ink on a body, or a body on the table


def test_what_leaves_the_picture_of_a_tile_is_not_visible() -> None:
    pytest.importorskip("bpy", reason="Blender's module is there after `make trace` only")
    rng = np.random.default_rng(3)
    box = TileBox(edition_named("a"), rng)
    poses = [flat("R7", x, 0.0, 0.0, number) for number, x in enumerate((0.0, 2.5, 9.0))]
    camera = aim(40, 90, 0, 40, 200)
    whole, halved = PathTracer(samples=2)(rng, box, camera, poses, 200, style=Style()).labels
    assert whole.visible == 1
    assert 0.3 < halved.visible < 0.7
