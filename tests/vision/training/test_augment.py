"""Random views: what the detector learns lies where the tiles are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.rendering.photograph import shallow_focus
from vision.rendering.shading import GAMMA, SKY_LIGHT
from vision.training.augment import in_hard_shadow, random_view, relight
from vision.training.data import Labelled

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.types import Pixels

TABLE, TILE = 60, 200  # grey levels
QUADS = np.array(
    [
        [(x, y), (x + 40, y), (x + 40, y + 60), (x, y + 60)]
        for x in (60, 140, 220, 300)
        for y in (80, 240)
    ],
    np.float32,
)


def table() -> Labelled:
    pixels = np.full((400, 400, 3), TABLE, np.uint8)
    cv2.fillPoly(pixels, list(QUADS.astype(np.int32)), (TILE,) * 3)
    seen = np.ones(len(QUADS), np.float32)
    return Labelled(pixels, ("R1",) * len(QUADS), QUADS, seen, seen, upright_known=True)


@pytest.mark.parametrize("seed", range(40))
def test_quads_lie_on_the_tiles_of_the_view_and_on_nothing_else(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("vision.training.augment.SHADOWED", 0)
    view, quads = random_view(np.random.default_rng(seed), table(), 256)
    inside = np.zeros(view.shape[:2], np.uint8)
    cv2.fillPoly(inside, list(np.round(quads).astype(np.int32)), 1)
    edges = cv2.morphologyEx(inside, cv2.MORPH_GRADIENT, np.ones((7, 7), np.uint8)) > 0
    levels = view.astype(float).mean(2)
    tiles = levels[(inside > 0) & ~edges]
    if len(tiles):
        assert np.ptp(np.percentile(tiles, (3, 97))) < 40


def test_some_sets_are_nearly_as_dark_as_the_table_and_never_darker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.training.augment.SHADOWED", 0)
    monkeypatch.setattr("vision.training.augment.relight", lambda _, pixels: pixels)
    monkeypatch.setattr("vision.training.augment.TILTED", 0)
    levels = []
    for seed in range(200):
        view, quads = random_view(np.random.default_rng(seed), table(), 256)
        inside = [q.mean(0).astype(int) for q in quads if (q > 0).all() and (q < 256).all()]
        levels += [int(view[y, x, 1]) for x, y in inside[:1]]
    alike = np.array(levels) < TILE - 10
    assert 0.07 < alike.mean() < 0.25
    assert TABLE < min(levels) < TABLE + 0.3 * (TILE - TABLE)


def test_views_from_the_side_slant_tiles() -> None:
    leanest = 90.0
    for seed in range(60):
        _, quads = random_view(np.random.default_rng(seed), table(), 256)
        for quad in quads.astype(float):
            (ax, ay), (bx, by) = quad[1] - quad[0], quad[3] - quad[0]
            sine = (ax * by - ay * bx) / (np.hypot(ax, ay) * np.hypot(bx, by))
            assert sine > 0
            leanest = min(leanest, float(np.degrees(np.arcsin(min(sine, 1)))))
    assert leanest < 50


def test_other_light_keeps_what_is_written_and_bounds_what_is_not() -> None:
    """Ink stays darker than the tile, by at least a quarter of what it was."""
    pixels = np.full((40, 40, 3), TILE, np.uint8)
    pixels[10:30, 10:30] = TABLE
    looks = [relight(np.random.default_rng(seed), pixels).astype(float) for seed in range(300)]
    contrasts = np.array([look[:8].mean() - look[15:25, 15:25].mean() for look in looks])
    assert contrasts.min() > (TILE - TABLE) / 4
    assert contrasts.max() < 255


def test_a_share_of_the_light_is_a_veil_and_a_share_has_other_colours() -> None:
    pixels = np.zeros((8, 8, 3), np.uint8)
    pixels[:, 4:] = (40, 90, 200)
    looks = [
        relight(np.random.default_rng(seed), pixels, 0.0).astype(float) for seed in range(400)
    ]
    darkest = np.array([look[:, :2].mean() for look in looks])
    assert 0.06 < (darkest > 30).mean() < 0.18
    colourful = np.array([np.ptp(look[:, 6:].mean((0, 1))) for look in looks])
    assert colourful.min() > 15
    assert colourful.std() > 20
    assert all(np.ptp(relight(np.random.default_rng(0), pixels, 1.0)[0, 6]) < 60 for _ in range(3))


def test_hard_shadows_leave_some_light_and_all_of_it_beside_them() -> None:
    pixels = np.full((200, 200, 3), TILE, np.uint8)
    looks = [in_hard_shadow(np.random.default_rng(seed), pixels)[..., 1] for seed in range(100)]
    assert max(int(look.max()) for look in looks) == TILE
    shades = np.array([float(look.min()) / TILE for look in looks]) ** GAMMA
    shades = shades[shades < 0.9]  # what throws a shadow may lie beside the picture
    assert len(shades) > 60
    assert SKY_LIGHT[0] * 0.8 < shades.min() < 0.2
    assert 0.4 < shades.max() < 0.75
    hardest = max(float(np.abs(np.diff(look.astype(int), axis=1)).max()) for look in looks)
    assert hardest > TILE / 4


def test_hard_shadows_change_no_colour_of_a_row_by_more_than_the_sky_does() -> None:
    pixels = np.full((64, 64, 3), TILE, np.uint8)
    for seed in range(30):
        blue, green, red = in_hard_shadow(np.random.default_rng(seed), pixels).reshape(-1, 3).T
        assert (blue >= green).all()
        assert (green >= red).all()
        assert (blue - red.astype(float)).max() < 0.15 * TILE


def test_some_views_are_sharp_along_a_line_only(monkeypatch: pytest.MonkeyPatch) -> None:
    grain = np.random.default_rng(1).integers(0, 256, (256, 256, 3), np.uint8)
    softest = []

    def of_grain(rng: np.random.Generator, _: Pixels) -> MatLike:
        soft = shallow_focus(rng, grain)
        assert soft.mean() == pytest.approx(grain.mean(), abs=2)
        patches = soft[..., 1].reshape(8, 32, 8, 32).astype(float).std((1, 3))
        softest.append(float(patches.min() / patches.max()))
        return soft

    monkeypatch.setattr("vision.training.augment.shallow_focus", of_grain)
    for seed in range(150):
        random_view(np.random.default_rng(seed), table(), 256)
    assert 0.1 < len(softest) / 150 < 0.3
    assert max(softest) < 0.85
    assert np.median(softest) < 0.4
