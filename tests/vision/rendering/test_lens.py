"""Lenses: what is labelled is where the bent picture shows it."""

from __future__ import annotations

import numpy as np
import pytest

from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.clutter import no_clutter
from vision.rendering.editions import all_editions
from vision.rendering.layouts import flat
from vision.rendering.lens import BENT, STRAIGHT, STRENGTHS, Lens, random_lens
from vision.rendering.lighting import even_light, no_glare
from vision.rendering.scene import Style, render


def test_a_few_lenses_bend_and_none_beyond_its_range() -> None:
    bends = np.array([random_lens(np.random.default_rng(s)).strength for s in range(400)])
    assert BENT * 0.7 < np.mean(bends != 0) < BENT * 1.3
    assert STRENGTHS[0] <= bends.min() < 0 < bends.max() <= STRENGTHS[1]
    assert max(map(abs, STRENGTHS)) < 0.2


@pytest.mark.parametrize("strength", [*STRENGTHS, 0.0])
def test_points_lie_where_the_picture_shows_them(strength: float) -> None:
    lens, size = Lens(strength), 201
    dots = np.array([(100, 100), (60, 130), (20, 45), (150, 22), (180, 170)], np.float64)
    for dot in dots:
        picture = np.zeros((size, size), np.float32)
        x, y = dot.astype(int)
        picture[y - 2 : y + 3, x - 2 : x + 3] = 1
        bent = np.asarray(lens.bend(picture)[0])
        seen = np.argwhere(bent > 0.3).mean(0)[::-1]
        assert lens.points(dot[None], size)[0] == pytest.approx(seen, abs=0.6)


def test_a_barrel_bulges_and_keeps_the_corners() -> None:
    corners = np.array([(0, 0), (200, 0), (200, 200), (0, 200)], np.float64)
    assert Lens(0.15).points(corners, 201) == pytest.approx(corners, abs=0.01)
    edge = Lens(0.15).points(np.array([(100.0, 5.0)]), 201)
    assert edge[0, 1] < 5
    assert STRAIGHT.points(corners, 201) is corners


def test_labels_follow_the_lens() -> None:
    box = TileBox(all_editions()[0], np.random.default_rng(1))
    camera, poses = aim(60, 90, 0, 40, 320), [flat("R7", 1.7, -1.2, 0, 0)]

    def plainly(_rng: np.random.Generator, radiance: np.ndarray) -> np.ndarray:
        return np.asarray(np.clip(radiance * 255, 0, 255), np.uint8)

    quads = []
    for strength in (0.0, 0.15):
        style = Style(even_light, no_glare, no_clutter, plainly, Lens(strength))
        rng = np.random.default_rng(3)
        scene = render(rng, box, camera, poses, 320, style=style)
        (label,) = scene.labels
        assert label.visible > 0.95
        assert label.number_visible > 0.95
        quads.append(label.quad_img)
    assert np.linalg.norm(quads[0] - quads[1], axis=1).max() > 2
