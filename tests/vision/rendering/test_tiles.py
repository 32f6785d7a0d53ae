"""Tiles on the canvas: walls, wear, and what is pressed into them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.canvas import Canvas, pose_corners
from vision.rendering.editions import Dish, all_editions
from vision.rendering.faces import draw_blank
from vision.rendering.layouts import flat
from vision.rendering.scene import AMBIENT
from vision.rendering.tiles import (
    DIRTIEST,
    NEW,
    YELLOWEST,
    Wear,
    draw_tile,
    random_wear,
    smudges,
    tint,
)

if TYPE_CHECKING:
    from vision.rendering.editions import Edition

EDITIONS = all_editions()


def table(elevation_deg: float, size_px: int = 240) -> Canvas:
    return Canvas(
        aim(90, elevation_deg, 0, 40, size_px),
        np.full((size_px, size_px, 3), 0.1, np.float32),
        np.zeros((size_px, size_px), np.int16),
        np.array([0, 0, 1.0]),
        0.3,
    )


def drawn(canvas: Canvas, wear: Wear = NEW, name: str = "K1") -> Canvas:
    box = TileBox(EDITIONS[0], np.random.default_rng(1))
    pose = flat(name, 0, 0, 0, 0, lift=box.thick)
    draw_tile(np.random.default_rng(2), canvas, box, pose, 7, wear)
    return canvas


def test_wear_is_rare_and_within_its_range() -> None:
    sets = [random_wear(np.random.default_rng(seed)) for seed in range(400)]
    dirt, yellow = (np.array([getattr(one, part) for one in sets]) for part in ("dirt", "yellow"))
    assert 0 <= dirt.min() < DIRTIEST / 10
    assert DIRTIEST * 0.8 < dirt.max() <= DIRTIEST
    assert np.median(dirt) < DIRTIEST / 5  # most are clean
    assert yellow.min() == 0
    assert YELLOWEST * 0.8 < yellow.max() <= YELLOWEST
    assert 0.1 < np.mean(yellow > 0) < 0.3


def test_yellow_swallows_blue_first() -> None:
    assert tint(0.0) == pytest.approx([1, 1, 1])
    blue, green, red = tint(YELLOWEST)
    assert 0.6 < blue < green < red == 1
    new, old = (drawn(table(90), replace(NEW, yellow=y)) for y in (0.0, YELLOWEST))
    face = new.owner == 7
    change = old.radiance[face].mean(0) / new.radiance[face].mean(0)
    assert change[0] < 0.85
    assert change[2] > 0.95


def test_dirt_darkens_in_places() -> None:
    clean = smudges(np.random.default_rng(3), 0.0, (128, 90))
    assert np.ptp(clean) == 0
    assert clean[0, 0] == pytest.approx(1, abs=0.1)
    dirty = smudges(np.random.default_rng(3), DIRTIEST, (128, 90))
    assert dirty.shape == (128, 90)
    assert 0.55 < dirty.min() < 0.85 < dirty.mean() < 1.02


def test_walls_show_from_the_side_only_and_are_darker_at_their_feet() -> None:
    above, aside = drawn(table(90)), drawn(table(35))
    lit = [canvas.radiance.mean(-1) for canvas in (above, aside)]
    walls = [(light > 0.15) & (c.owner == 0) for light, c in zip(lit, (above, aside), strict=True)]
    assert walls[0].sum() < 0.1 * (above.owner == 7).sum()
    assert walls[1].sum() > 0.15 * (aside.owner == 7).sum()
    column = np.flatnonzero(walls[1][:, 120])
    assert lit[1][column[3], 120] > lit[1][column[-4], 120] * 1.05
    assert lit[1][walls[1]].mean() < 0.8 * lit[1][aside.owner == 7].mean()


def test_edges_of_walls_are_smooth() -> None:
    canvas = table(40)
    box = TileBox(EDITIONS[0], np.random.default_rng(1))
    draw_tile(np.random.default_rng(2), canvas, box, flat("", 0, 0, 0.3, 0, lift=0.3), 7)
    light = canvas.radiance.mean(-1)
    table_light, wall = 0.1, float(np.median(light[(light > 0.15) & (canvas.owner == 0)]))
    between = (light > table_light + 0.1 * wall) & (light < 0.75 * wall)
    assert between.sum() > 40


def test_shade_has_a_range() -> None:
    assert 0.3 < AMBIENT[0] < AMBIENT[1] < 0.85
    corners = pose_corners(flat("R1", 0, 0, 0, 0), 1.4)
    assert np.ptp(corners, axis=0) == pytest.approx([1, 1.4, 0])


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_edges_are_bevelled_and_names_stand_in_relief_only(edition: Edition) -> None:
    rng = np.random.default_rng(1)
    edition = edition.model_copy(update={"dish": Dish()})
    blank, back = draw_blank(edition, rng), draw_blank(edition, rng, back=True)
    steep = np.abs(back.slope).max(-1)
    height, width = steep.shape
    middle = steep[height // 3 : -height // 3, width // 3 : -width // 3]
    assert middle.max() < 0.01
    assert steep[height // 2, :3].max() > 0.02
    rows = slice(round(height * 0.72), round(height * 0.9))
    name = np.abs(blank.slope[rows, width // 4 : -width // 4]).max()
    assert (name > 0.02) == bool(edition.wordmark.relief)
