"""What labels say of tiles that light or other tiles hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.quads import inside
from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.clutter import no_clutter
from vision.rendering.editions import all_editions
from vision.rendering.labels import NUMBER_ZONE, legible
from vision.rendering.layouts import flat
from vision.rendering.lighting import even_light, no_glare
from vision.rendering.scene import Style, render

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.rendering.canvas import Canvas

EDITION = all_editions()[0]
SIZE_PX, TILE_PX = 320, 60.0


@pytest.mark.parametrize(("strength", "least", "most"), [(0.0, 1.0, 1.0), (8.0, 0.0, 0.1)])
def test_a_number_in_a_mirrored_lamp_is_not_visible(
    strength: float, least: float, most: float
) -> None:
    rng = np.random.default_rng(4)

    def lamp(_rng: np.random.Generator, canvas: Canvas, _gloss: float) -> np.ndarray:
        return np.where(canvas.owner == 1, np.float32(strength), np.float32(0))

    style = Style(even_light, lamp, no_clutter, _plainly)
    camera = aim(TILE_PX, 80, 0.0, 45.0, SIZE_PX)
    poses = [flat("K8", -1.0, 0.0, 0.0, 0), flat("R9", 1.0, 0.0, 0.0, 1)]
    box = TileBox(EDITION, rng)
    lit, beside = render(rng, box, camera, poses, SIZE_PX, style=style).labels
    assert least <= lit.number_visible <= most
    assert lit.visible > 0.99
    assert beside.number_visible > 0.99


@pytest.mark.parametrize(
    ("light", "least", "most"),
    [
        (lambda pixels, _: pixels, 1.0, 1.0),
        (lambda pixels, _: np.clip(pixels * 1.7, 0, 255), 1.0, 1.0),  # overexposed, not drowned
        (lambda pixels, number: np.where(number, 255, pixels), 0.0, 0.0),
        (lambda pixels, _: pixels // 32 + 120, 0.3, 0.95),  # little is left of the ink
        (lambda pixels, _: pixels * 0 + 9, 0.0, 0.0),
    ],
)
def test_what_light_leaves_of_a_number_is_seen_in_the_picture(
    light: Callable[[np.ndarray, np.ndarray], np.ndarray], least: float, most: float
) -> None:
    rng = np.random.default_rng(4)
    style = Style(even_light, no_glare, no_clutter, _plainly)
    camera = aim(TILE_PX, 80, 0.0, 45.0, SIZE_PX)
    scene = render(
        rng, TileBox(EDITION, rng), camera, [flat("K8", 0, 0, 0, 0)], SIZE_PX, style=style
    )
    (label,) = scene.labels
    number = np.zeros((SIZE_PX, SIZE_PX, 1), np.uint8)
    cv2.fillConvexPoly(number, inside(label.quad_img, NUMBER_ZONE).astype(np.int32), 1)
    assert least <= legible(label, light(scene.pixels_bgr, number).astype(np.uint8)) <= most


def _plainly(_rng: np.random.Generator, radiance: np.ndarray) -> np.ndarray:
    return np.asarray(np.clip(radiance * 230, 0, 255), np.uint8)
