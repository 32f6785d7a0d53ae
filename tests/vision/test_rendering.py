"""Rendered pictures: what is labelled is what is drawn."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.rendering.boxes import TileBox, fill_boxes
from vision.rendering.camera import aim
from vision.rendering.canvas import Canvas, pose_corners
from vision.rendering.capture import capture
from vision.rendering.clutter import add_hands, no_clutter
from vision.rendering.editions import EditionError, all_editions, load_edition
from vision.rendering.faces import draw_face
from vision.rendering.hands import random_hand
from vision.rendering.jokers import draw_joker
from vision.rendering.layouts import FACES, flat
from vision.rendering.lighting import even_light, lamps, no_glare, soften
from vision.rendering.makers import MAKERS
from vision.rendering.reach import Reach, draw_hand
from vision.rendering.rows import (
    close_rows_of_sets,
    loose_rows_of_sets,
    rows_of_sets,
    sets_from_all_sides,
    whole_table,
)
from vision.rendering.samples import SAMPLES, poses_of
from vision.rendering.scene import Style, render, render_scene
from vision.rendering.tabletop import random_table
from vision.rendering.variety import vary
from vision.resources import resource_dir

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.rendering.arrays import Array
    from vision.rendering.editions import Edition, Pip
    from vision.rendering.layouts import Pose
    from vision.rendering.makers import Maker
    from vision.types import Floats, Pixels

EDITIONS = all_editions()


def test_all_editions_load() -> None:
    assert {edition.name.split(":")[0] for edition in EDITIONS} >= {
        "A",
        "B",
        "C",
        "D",
        "E",
        "Okey",
    }


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("aspect = 0.7", "aspekt = 0.7", "body.aspekt"),
        ("aspect = 0.7", "aspect = 7", "body.aspect"),
        ('kind = "outline"', 'kind = "hole"', "dish.kind"),
        ("[body]", "[body", "not valid TOML"),
    ],
)
def test_a_typo_in_an_edition_is_named(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    text = (resource_dir("editions") / "c.toml").read_text(encoding="utf-8")
    broken = tmp_path / "c.toml"
    broken.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(EditionError, match=complaint):
        load_edition(broken)


def test_an_edition_can_be_left_out() -> None:
    kept = all_editions(("e", "okey"))
    assert len(kept) == len(EDITIONS) - 2
    assert not any(edition.name.startswith("E:") for edition in kept)
    with pytest.raises(EditionError, match="no edition is called 'z'"):
        all_editions(("z",))


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_every_face_differs_from_the_back_and_the_others(edition: Edition) -> None:
    box = TileBox(edition, np.random.default_rng(1))
    shown = {name: draw_face(box.edition, name, box.rng).albedo_bgr for name in FACES}
    blank = draw_face(box.edition, "", box.rng).albedo_bgr
    assert all(np.abs(face - blank).max() > 0.2 for face in shown.values())
    assert np.abs(shown["R6"] - shown["R9"]).max() > 0.2


def test_a_raised_disc_is_lit_from_the_other_side_than_a_dish() -> None:
    ivory = next(edition for edition in EDITIONS if edition.name.startswith("E:"))
    raised = ivory.model_copy(update={"dish": ivory.dish.model_copy(update={"kind": "raised"})})
    dished, embossed = (
        draw_face(edition, "R7", np.random.default_rng(0)).slope[..., 1]
        for edition in (ivory, raised)
    )
    rows = slice(round(256 * (ivory.dish.centre_y - 0.16)), round(256 * ivory.dish.centre_y))
    column = dished.shape[1] // 2
    assert dished[rows, column].mean() < -0.01 < 0.01 < embossed[rows, column].mean()


def ink(edition: Edition, name: str, **digit: float) -> Array:
    """How far each pixel of a face is from its blank body, (h, w)."""
    drawn = edition.model_copy(update={"digit": edition.digit.model_copy(update=digit)})
    albedo = draw_face(drawn, name, np.random.default_rng(0)).albedo_bgr
    return np.asarray(np.abs(albedo - albedo[0, 0]).max(-1), np.float32)


def test_numbers_lean_stray_and_wear_off() -> None:
    edition = EDITIONS[0]
    upright = ink(edition, "K1")
    tops, feet = (
        np.flatnonzero(half.max(0) > 0.2).mean()
        for half in np.array_split(ink(edition, "K1", slant=0.2), (round(256 * 0.34),))
    )
    assert tops > feet + 2
    strayed = ink(edition, "K1", wobble=0.05)
    assert 0.8 < strayed.sum() / upright.sum() < 1.25
    assert np.abs(strayed - upright).max() > 0.2
    assert 0.4 < ink(edition, "K1", wear=0.4).sum() / upright.sum() < 0.9


def test_no_two_jokers_put_together_are_alike() -> None:
    edition = EDITIONS[0]
    mixed = edition.joker.model_copy(update={"style": "mixed"})
    rng = np.random.default_rng(0)
    faces = [draw_joker(mixed, edition.ink, 90, 128, rng)[0] for _ in range(20)]
    assert all(0.01 < face.mean() < 0.5 for face in faces)
    assert all(np.abs(a - b).max() > 0.5 for a, b in combinations(faces, 2))


def test_varied_editions_stay_within_the_model() -> None:
    rng = np.random.default_rng(3)
    for index in range(60):
        edition = vary(EDITIONS[index % len(EDITIONS)], EDITIONS, rng)
        assert type(edition).model_validate(edition.model_dump()) == edition


def test_inks_of_one_set_stay_apart() -> None:
    rng = np.random.default_rng(5)
    for index in range(300):
        ink = vary(EDITIONS[index % len(EDITIONS)], EDITIONS, rng).ink
        inks = np.array([[ink.red, ink.blue, ink.orange, ink.black]], np.uint8)
        lab = cv2.cvtColor(inks.astype(np.float32) / 255, cv2.COLOR_RGB2LAB)[0]
        nearest = min(float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))
        assert nearest > 18, ink  # bytes round a little


@pytest.mark.parametrize("pip", ["suits", "disc", "ring", "star"])
def test_what_is_printed_under_a_number_leaves_it_alone(pip: Pip) -> None:
    edition = EDITIONS[0].model_copy(update={"pip": pip})
    with_pip, without = (
        draw_face(e, "R8", np.random.default_rng(1)).albedo_bgr for e in (edition, EDITIONS[0])
    )
    changed = np.flatnonzero((with_pip != without).any(axis=(1, 2)))
    foot = edition.digit.centre_y + edition.digit.height / 2
    assert len(changed)
    assert changed[0] > foot * len(with_pip)


def test_the_same_seed_gives_the_same_picture() -> None:
    def picture() -> Pixels:
        rng = np.random.default_rng(7)
        return render_scene(rng, fill_boxes(rng, EDITIONS, 1), 160, (20, 40)).pixels_bgr

    assert np.array_equal(picture(), picture())


def test_a_style_decides_light_clutter_and_camera() -> None:
    seen = []

    def develop(rng: np.random.Generator, radiance: Array) -> Pixels:
        seen.append(rng)
        return capture(rng, radiance, exposure=(0.1, 0.1), noise=(0, 0))

    rng = np.random.default_rng(5)
    box, camera = TileBox(EDITIONS[1], rng), aim(60, 90, 0, 40, 320)
    style = Style(even_light, no_glare, add_hands, develop)
    dark = render(rng, box, camera, [flat("R7", 0, 0, 0, 0)], 320, style=style)
    assert seen == [rng]
    assert dark.pixels_bgr.mean() < 30


@pytest.mark.parametrize("sigma_px", [1.5, 9.0, 40.0])
def test_wide_blurs_are_as_soft_as_exact_ones(sigma_px: float) -> None:
    mask = np.zeros((301, 423), np.float32)
    cv2.ellipse(mask, (200, 140), (90, 40), 20, 0, 360, 1.0, -1)
    exact = cv2.GaussianBlur(mask, (0, 0), sigma_px)
    assert np.abs(soften(mask, sigma_px) - exact).max() < 0.03


def test_a_hand_hides_what_it_covers() -> None:
    rng = np.random.default_rng(2)
    canvas = Canvas(
        aim(40, 60, 0, 40, 400),
        np.full((400, 400, 3), 0.5, np.float32),
        np.ones((400, 400), np.int16),
        np.array([0, 0, 1.0]),
        0.3,
    )
    draw_hand(canvas, random_hand(rng), Reach((0, 0), (0, 24)))
    covered = canvas.owner == 0
    assert 0.1 < covered.mean() < 0.6
    assert not covered[:150].any()  # nothing beyond the finger tips
    assert covered[-20:].any()  # the arm comes from the near edge
    assert canvas.radiance.min() >= 0


@pytest.mark.parametrize(
    ("chosen", "sharper", "brighter"),
    [
        ({"blur_px": (3, 3)}, False, None),
        ({"shake_px": (9, 9)}, False, None),
        ({"scale": (0.3, 0.3)}, False, None),
        ({"exposure": (0.3, 0.3)}, None, False),
        ({"exposure": (1.6, 1.6)}, None, True),
        ({"noise": (0.1, 0.1)}, True, None),
    ],
)
def test_cameras_of_a_chosen_kind(
    chosen: dict[str, tuple[float, float]], sharper: bool | None, brighter: bool | None
) -> None:
    radiance = np.tile(np.kron([[0.2, 0.6], [0.6, 0.2]], np.ones((4, 4)))[..., None], (12, 12, 3))

    def taken(**settings: tuple[float, float]) -> Pixels:
        default = {"noise": (0.0, 0.0), "exposure": (1.0, 1.0)}
        rng = np.random.default_rng(1)
        return capture(rng, radiance.astype(np.float32), **(default | settings))

    plain, other = taken(), taken(**chosen)
    assert plain.shape == other.shape
    edges = [np.abs(np.diff(pixels.astype(float), axis=1)).mean() for pixels in (plain, other)]
    if sharper is not None:
        assert (edges[1] > edges[0]) == sharper
    if brighter is not None:
        assert (other.mean() > plain.mean()) == brighter


def test_labels_lie_where_the_camera_puts_the_tiles() -> None:
    rng = np.random.default_rng(5)
    box = TileBox(EDITIONS[0], rng)
    camera = aim(60, 90, 0, 40, 320)
    scene = render(
        rng, box, camera, [flat("R7", 0, 0, 0, 0)], 320, style=Style(clutter=no_clutter)
    )
    (label,) = scene.labels
    tall = 60 / box.edition.body.aspect
    expected = np.array(
        [
            (130, 160 - tall / 2),
            (190, 160 - tall / 2),
            (190, 160 + tall / 2),
            (130, 160 + tall / 2),
        ]
    )
    assert label.quad_img == pytest.approx(expected, abs=3)  # the face is nearer than the table
    assert label.visible > 0.9
    assert label.number_visible == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("maker", [maker for maker, _ in MAKERS.values()], ids=list(MAKERS))
def test_layouts_lay_known_faces_on_straight_axes(maker: Maker) -> None:
    for seed in range(20):
        poses = maker(np.random.default_rng(seed), 6.0, 1.43)
        for pose in poses:
            assert pose.name == "" or pose.name in FACES
            assert abs(pose.right @ pose.down) < 1e-9
            assert np.linalg.norm(pose.right) == pytest.approx(1)


@pytest.mark.parametrize(("half", "most"), [(3.0, 5), (9.0, 46), (20.0, 60)])
def test_a_whole_table_has_as_many_tiles_as_fit(half: float, most: int) -> None:
    tables = [whole_table(np.random.default_rng(seed), half, 1.43) for seed in range(40)]
    assert 0.8 * most <= max(map(len, tables)) <= most
    middles = np.array([pose.centre[:2] for poses in tables for pose in poses])
    assert (np.abs(middles) < max(half, 7)).all(1).mean() > 0.9  # a row has room for seven


def test_a_whole_table_of_all_tiles_is_laid_in_the_end() -> None:
    poses, _ = rows_of_sets(np.random.default_rng(0), 100, 1.43)
    assert len(poses) == 100


def gaps(layout: Callable[..., tuple[list[Pose], object]], *, inside: bool) -> Floats:
    """Return the gaps between tiles in line, of one set or of two, in tile widths."""
    found = []
    for seed in range(20):
        poses, _ = layout(np.random.default_rng(seed), 60, 1.43)
        for one, other in pairwise(poses):
            along, across = (other.centre - one.centre) @ np.c_[one.right, one.down]
            if (one.group == other.group) is inside and along > 0 and abs(across) < 0.7:
                found.append(along - 1)
    return np.array(found, np.float32)


def test_sets_lie_close_together_or_loosely_within_a_range() -> None:
    near = gaps(close_rows_of_sets, inside=False)
    assert 0.08 < near.min() < 0.2
    assert 0.5 < near.max() < 0.8
    assert gaps(close_rows_of_sets, inside=True).max() < 0.1
    loose = gaps(loose_rows_of_sets, inside=True)
    assert 0 < loose.min() < 0.06
    assert 0.3 < loose.max() < 0.5
    assert gaps(loose_rows_of_sets, inside=False).min() > 0.6


def test_sets_come_from_all_sides_and_lie_apart() -> None:
    poses, _ = sets_from_all_sides(np.random.default_rng(1), 50, 1.43)
    headings = {
        round(np.arctan2(pose.right[1], pose.right[0]) / (np.pi / 2)) % 4 for pose in poses
    }
    assert headings == {0, 1, 2, 3}
    middles = np.array([pose.centre[:2] for pose in poses])
    away = np.linalg.norm(middles[:, None] - middles, axis=2) + 9 * np.eye(len(middles))
    assert away.min() > 0.9


@pytest.mark.parametrize("seed", range(12))
def test_no_two_sets_lie_on_the_same_ground(seed: int) -> None:
    poses, _ = sets_from_all_sides(np.random.default_rng(seed), 30, 1.43)
    ground = [pose_corners(pose, 1.43)[:, :2].astype(np.float32) for pose in poses]
    for one, other in combinations(range(len(poses)), 2):
        if poses[one].group != poses[other].group:
            assert cv2.intersectConvexConvex(ground[one], ground[other])[0] == 0


def test_tables_and_light_stay_in_range() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        # At 30 degrees the horizon would hit pixels exactly, and OpenCV mirror the table for long.
        table = random_table(rng, aim(12, 29 + 5 * seed, 7 * seed, 60, 64), 64)
        assert table.shape == (64, 64, 3)
        assert 0 <= table.min() <= table.max() <= 1
        light = lamps(rng, 64)
        assert 0.05 <= light.min() <= light.max() <= 2


def test_samples_lay_what_they_say() -> None:
    rng = np.random.default_rng(0)
    for sample in SAMPLES.values():
        for laid in sample.laid:
            names = [pose.name for pose in poses_of(laid, 1.43, 0, rng)]
            assert names == [name for name in laid.text.split() if name not in {".", "/"}]
