"""What is drawn on tiles, how they lie and how they are seen: every layer, and its range."""

from __future__ import annotations

import colorsys
from itertools import combinations
from math import degrees
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
import pytest

from vision.rendering import camera, scene
from vision.rendering.boxes import fill_boxes
from vision.rendering.clutter import add_hands
from vision.rendering.editions import Joker, all_editions
from vision.rendering.faces import draw_face
from vision.rendering.hands import SKINS, random_hand
from vision.rendering.held import rack
from vision.rendering.jokers import draw_joker
from vision.rendering.layouts import BACK, crossing_grid, pile, sets_on_a_table
from vision.rendering.lighting import washout
from vision.rendering.photograph import _blur, photograph
from vision.rendering.scene import FROM_ABOVE, FROM_THE_SIDE, render_scene
from vision.rendering.variety import vary

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.rendering.arrays import Array
    from vision.rendering.camera import Camera
    from vision.rendering.editions import Edition
    from vision.rendering.makers import Maker

EDITIONS = all_editions()
INK = EDITIONS[0].ink
TALL = 1.43


def face_of(name: str, **digit: object) -> tuple[Array, Array]:
    """Return a face's inks, (h, w), and how steep it is, (h, w)."""
    edition = EDITIONS[0]
    changed = edition.model_copy(update={"digit": edition.digit.model_copy(update=digit)})
    face = draw_face(changed, name, np.random.default_rng(0))
    ink = np.abs(face.albedo_bgr - face.albedo_bgr[0, 0]).max(-1)
    return np.asarray(ink), np.asarray(np.abs(face.slope).max(-1))


def test_engraved_numbers_have_flanks_and_printed_ones_none() -> None:
    (ink, printed), (same_ink, engraved) = (
        face_of("K8", engraved=engraved) for engraved in (False, True)
    )
    assert np.array_equal(ink, same_ink)
    flanks = np.abs(engraved - printed) > 0.1
    assert 0.02 < flanks.mean() < 0.3
    assert not flanks[-60:].any()  # nothing is cut where nothing is printed


@pytest.mark.parametrize("mark", ["dot", "bar"])
@pytest.mark.parametrize(("name", "marked"), [("R6", True), ("B9", True), ("K8", False)])
def test_dots_and_bars_tell_six_from_nine(
    mark: Literal["dot", "bar"], name: str, marked: bool
) -> None:
    bare, other = (face_of(name, mark=kind)[0] for kind in ("none", mark))
    assert bool(np.abs(bare - other).max() > 0.2) == marked
    if marked:
        rows = np.flatnonzero(np.abs(bare - other).max(1) > 0.2)
        assert rows[0] > 0.3 * len(bare)  # at the foot


def test_five_makers_drew_five_jokers() -> None:
    styles = get_args(Joker.model_fields["style"].annotation)
    assert len(styles) == 9  # with `mixed`, `emblem`, `pictograph` and `lettering`
    drawn = {
        style: draw_joker(Joker(style=style), INK, 180, 256, np.random.default_rng(1))[0]
        for style in styles
        if style != "pictograph"
    }
    assert all(0.01 < face.mean() < 0.5 for face in drawn.values())
    assert all(np.abs(a - b).mean() > 0.01 for a, b in combinations(drawn.values(), 2))


def test_emblems_differ_and_stay_on_the_tile() -> None:
    rng = np.random.default_rng(3)
    drawn = [
        draw_joker(Joker(style="emblem", diameter=0.6, ring=0), INK, 90, 128, rng)[0]
        for _ in range(60)
    ]
    assert all(0.008 < emblem.mean() < 0.5 for emblem in drawn)
    assert all(max(emblem[0].max(), emblem[-1].max()) == 0 for emblem in drawn)
    alike = [np.abs(a - b).mean() < 0.005 for a, b in combinations(drawn, 2)]
    assert np.mean(alike) < 0.01


def varied(count: int = 240) -> list[Edition]:
    rng = np.random.default_rng(9)
    return [vary(EDITIONS[i % len(EDITIONS)], EDITIONS, rng) for i in range(count)]


@pytest.mark.parametrize(
    ("layer", "low", "high"),
    [
        (lambda e: e.digit.height, 0.24, 0.52),
        (lambda e: e.digit.slant, -0.1, 0.1),
        (lambda e: e.digit.spacing, 0.0, 0.2),
        (lambda e: e.digit.wear, 0.0, 0.2),
        (lambda e: e.digit.engraved, 0, 1),
        (lambda e: e.joker.style == "emblem", 0, 1),
        (lambda e: e.digit.mark == "dot", 0, 1),
        (lambda e: e.digit.mark == "bar", 0, 1),
        (lambda e: e.dish.kind == "concave", 0, 1),
        (lambda e: e.dish.kind == "raised", 0, 1),
        (lambda e: e.dish.depth, 0.15, 0.9),
        (lambda e: e.body.bevel, 0.03, 0.1),
        (lambda e: e.body.corner, 0.04, 0.2),
        (lambda e: e.body.thickness, 0.2, 0.35),
        (lambda e: e.body.gloss, 0.1, 0.9),
        (lambda e: e.wordmark.relief, 0.0, 0.5),
        (lambda e: e.pip == "suits", 0, 1),
    ],
)
def test_looks_are_drawn_from_wide_ranges(
    layer: Callable[[Edition], float], low: float, high: float
) -> None:
    values = [float(layer(edition)) for edition in varied()]
    assert min(values) <= low
    assert max(values) >= high


def test_an_orange_is_never_the_redder_ink() -> None:
    for edition in varied(600):
        red, orange = (
            colorsys.rgb_to_hsv(*ink)[0] for ink in (edition.ink.red, edition.ink.orange)
        )
        assert 0 < (orange - red) % 1 < 0.5, edition.ink  # towards yellow, not towards magenta


def test_spacing_parts_the_figures_of_a_number() -> None:
    def gap(name: str, spacing: float) -> int:
        inked = np.flatnonzero((face_of(name, spacing=spacing)[0] > 0.2).any(0))
        return int(np.diff(inked).max())

    assert gap("K12", 0.2) > gap("K12", 0.0) + 4
    assert gap("K8", 0.2) == gap("K8", 0.0) == 1


def test_looks_are_drawn_independently() -> None:
    looks = np.array(
        [(e.body.gloss, e.digit.height, e.body.bevel, e.joker.diameter) for e in varied()]
    )
    apart = np.corrcoef(looks.T) - np.eye(4)
    assert np.abs(apart).max() < 0.5


def test_racks_have_one_to_four_tiers_and_lean() -> None:
    tiers, leans = set(), []
    for seed in range(60):
        poses = rack(np.random.default_rng(seed), 6.0, TALL)
        tiers.add(len({pose.group for pose in poses}))
        leans += [degrees(np.arcsin(-pose.down[2])) for pose in poses[:1]]
    assert tiers >= {1, 2, 3, 4}
    assert 30 < min(leans) < 45
    assert 70 < max(leans) < 80


def test_piles_lie_on_each_other_and_face_down() -> None:
    poses = [pose for s in range(40) for pose in pile(np.random.default_rng(s), 6.0, TALL)]
    backs = np.mean([pose.name == BACK for pose in poses])
    lifted = np.mean([pose.centre[2] > 0 for pose in poses])
    assert 0.03 < backs < 0.4
    assert 0.01 < lifted < 0.3


@pytest.mark.parametrize("maker", [sets_on_a_table, crossing_grid])
def test_sets_lie_at_any_angle(maker: Maker) -> None:
    angles = [
        degrees(np.arctan2(pose.right[1], pose.right[0])) % 360
        for seed in range(60)
        for pose in maker(np.random.default_rng(seed), 6.0, TALL)
    ]
    assert (np.histogram(angles, 8, (0, 360))[0] > 0).sum() >= 4


def test_cameras_look_from_25_degrees_to_straight_down(monkeypatch: pytest.MonkeyPatch) -> None:
    heights = []

    def aimed(width: float, elevation: float, roll: float, field: float, size_px: int) -> Camera:
        heights.append(elevation)
        assert 25 <= field <= 70
        return camera.aim(width, elevation, roll, field, size_px)

    monkeypatch.setattr(scene, "aim", aimed)
    rng = np.random.default_rng(4)
    boxes = fill_boxes(rng, EDITIONS, 2)
    for _ in range(30):
        render_scene(rng, boxes, 48, (8, 12))
    assert (min(FROM_THE_SIDE), max(FROM_ABOVE)) == (25, 90)
    assert 25 <= min(heights) < 40
    assert 80 < max(heights) <= 90


def test_hands_are_of_all_skins_most_in_sleeves() -> None:
    hands = [random_hand(np.random.default_rng(seed)) for seed in range(16)]
    tips = [hand.albedo_bgr[60:110, 120:150].mean() for hand in hands]
    assert max(tips) > 2.5 * min(tips)
    assert len(SKINS) >= 6
    arms = [np.abs(h.albedo_bgr[900, 150] - h.albedo_bgr[100, 130]).max() for h in hands]
    assert 0.4 < np.mean(np.array(arms) > 0.15) <= 1


def test_styles_mix_hands_glare_and_lenses() -> None:
    styles = [scene._random_style(np.random.default_rng(seed)) for seed in range(300)]
    assert 0.08 < np.mean([style.clutter is add_hands for style in styles]) < 0.25
    assert 0.03 < np.mean([style.glare is washout for style in styles]) < 0.15
    assert 0.15 < np.mean([bool(style.lens.strength) for style in styles]) < 0.35


def test_sensors_are_noisy_within_a_range() -> None:
    grey = np.full((64, 64, 3), 0.4, np.float32)
    grain = []
    for seed in range(80):
        pixels = photograph(np.random.default_rng(seed), grey.copy())
        grain.append(pixels[8:-8, 8:-8].astype(float).std(axis=(0, 1)).mean())
    assert min(grain) < 1
    assert 3 < max(grain) < 30


def test_some_pictures_are_shaken_and_some_sharp_in_one_part_only() -> None:
    y, x = np.mgrid[:160, :160] // 5
    squares = np.repeat(((x + y) % 2).astype(np.float32)[..., None], 3, axis=2)
    uneven, directed = 0, 0
    for seed in range(60):
        blurred = _blur(np.random.default_rng(seed), squares.copy())[..., 0]
        rise = np.abs(np.diff(blurred, axis=1))[:-1], np.abs(np.diff(blurred, axis=0))[:, :-1]
        parts = [
            part.max()
            for half in np.array_split(rise[0], 4)
            for part in np.array_split(half, 4, 1)
        ]
        uneven += max(parts) > 1.6 * min(parts)
        sharp = [float(np.quantile(r, 0.99)) for r in rise]
        directed += max(sharp) > 1.5 * min(sharp)
    assert 1 <= uneven <= 20
    assert 1 <= directed <= 20
