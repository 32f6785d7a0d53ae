"""Photographs in other light, by other cameras, from other sides: with the same labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fakes import NOTHING_READ, quad_at, sure
from vision.evaluation.altered import (
    ALTERATIONS,
    CIRCLE_AT,
    CIRCLE_LINE,
    CIRCLE_RADIUS,
    CYAN,
    TEAL,
    UPPER_LEFT,
    alter,
)
from vision.evaluation.photos import by_group, evaluate
from vision.labels import LabelledPhoto, LabelledTile
from vision.pipeline import TableReader
from vision.rendering.shading import GAMMA, like_the_table
from vision.types import Detections, Pixels, Readings

QUADS = np.array([quad_at(60, 50), quad_at(200, 140)], np.float32)
TILES = tuple(LabelledTile(7, "R", quad, loose=False, cut=False) for quad in QUADS)


def picture() -> Pixels:
    """Two blue-green tiles on a dark table."""
    pixels = np.full((300, 400, 3), 60, np.uint8)
    for quad in QUADS:
        cv2.fillConvexPoly(pixels, quad.astype(np.int32), (190, 170, 150))
    return pixels


def photo(path: Path = Path("a.jpg")) -> LabelledPhoto:
    return LabelledPhoto(path, "a", TILES)


@pytest.mark.parametrize("name", ALTERATIONS)
def test_labels_stay_on_their_tiles(name: str) -> None:
    changed, shot = alter(photo(), picture(), name)
    grey = shot.astype(np.float32).mean(2)
    for tile in changed.tiles:
        inside = cv2.fillConvexPoly(
            np.zeros(grey.shape, np.uint8), tile.outline_img.astype(int), 1
        )
        ring = cv2.dilate(inside, np.ones((15, 15))) - cv2.dilate(inside, np.ones((7, 7)))
        inner = cv2.erode(inside, np.ones((7, 7)))
        tile_grey = grey[inner > 0]
        # A tile is brighter than the table about it, whatever the light, but for a circle's shade.
        darkest = np.quantile(tile_grey, 0.05 if ALTERATIONS[name].circle else 0)
        assert darkest > grey[ring > 0].max() + 0.1 * tile_grey.mean()
    assert [(tile.number, tile.colour) for tile in changed.tiles] == [(7, "R"), (7, "R")]
    assert changed.group == name


def test_what_is_not_altered_stays_as_it_is() -> None:
    changed, shot = alter(photo(), picture(), "as it is")
    assert np.array_equal(shot, picture())
    assert np.array_equal(np.array([tile.outline_img for tile in changed.tiles]), QUADS)


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [("candles", "warm", "warm"), ("a screen", "cold", "cold"), ("two lamps", "warm", "cold")],
)
def test_lamps_colour_the_picture(name: str, left: str, right: str) -> None:
    _, shot = alter(photo(), np.full((100, 200, 3), 120, np.uint8), name)
    for side, look in ((shot[:, :40], left), (shot[:, -40:], right)):
        blue, _, red = side.reshape(-1, 3).mean(0)
        assert (look == "warm") == (red > blue + 10)
        assert (look == "cold") == (blue > red + 10)


def test_less_light_is_darker() -> None:
    levels = [
        alter(photo(), picture(), name)[1].mean()
        for name in (
            "a tenth of the light",
            "a quarter of the light",
            "as it is",
            "twice the light",
        )
    ]
    assert levels == sorted(levels)


def test_slats_throw_shadow_on_half_of_the_table() -> None:
    _, shot = alter(photo(), np.full((400, 600, 3), 120, np.uint8), "behind a blind")
    left = (shot[..., 1] / 120) ** GAMMA
    assert np.quantile(left, 0.3) == pytest.approx(
        1 - ALTERATIONS["behind a blind"].blind, abs=0.03
    )
    assert np.quantile(left, 0.7) == pytest.approx(1, abs=0.05)
    assert ((left > 0.3) & (left < 0.9)).mean() < 0.1  # the edges are hard


def test_tiles_like_the_table_are_nearly_as_dark_and_coloured() -> None:
    _, shot = alter(photo(), picture(), "like the table")
    share = 1 - ALTERATIONS["like the table"].likeness
    for quad in QUADS:
        x, y = quad.mean(0).astype(int)
        assert shot[y, x] == pytest.approx(60 + share * (np.array((190, 170, 150)) - 60), abs=4)
    assert (np.abs(shot[:10, :10].astype(int) - 60) < 4).all()


def test_where_tiles_lie_on_one_another_they_are_like_the_table_too() -> None:
    quads = np.array([quad_at(100, 100), quad_at(110, 105)], np.float32)
    pixels = np.full((200, 200, 3), 60, np.uint8)
    for quad in quads:
        cv2.fillConvexPoly(pixels, quad.astype(np.int32), (200, 200, 200))
    assert like_the_table(pixels, quads, 1.0)[150, 140].max() < 70


def test_another_size_and_side() -> None:
    shapes = {name: alter(photo(), picture(), name)[1].shape[:2] for name in ALTERATIONS}
    assert shapes["half as large"] == (150, 200)
    assert shapes["turned a quarter"] == (400, 300)
    assert shapes["upside down"] == (300, 400)


def test_an_unknown_alteration_is_an_error() -> None:
    with pytest.raises(KeyError, match="by moonlight"):
        alter(photo(), picture(), "by moonlight")


class Bright:
    """Finds what is brighter than its surroundings, and takes it for a red 7."""

    network_ms = 0.0

    def detect(self, pixels: Pixels) -> Detections:
        level = pixels.max(2)
        bright = (level > 0.75 * level.max()).astype(np.uint8)
        outlines, _ = cv2.findContours(bright, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        quads = [cv2.boxPoints(cv2.minAreaRect(outline)) for outline in outlines]
        return Detections(
            np.array(quads, np.float32).reshape(-1, 4, 2), np.ones(len(quads), np.float32)
        )

    def read(self, _pixels: Pixels, detections: Detections) -> Readings:
        if not detections.confidences.any():  # places where no tile was found
            return NOTHING_READ
        return Readings(detections.quads_img, tuple(sure("R7") for _ in detections.quads_img))


def test_every_alteration_is_a_group_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), picture())
    groups = by_group(evaluate([photo(path)], TableReader(Bright(), Bright()), altered=True))
    assert set(groups) == {*ALTERATIONS, "all"}
    assert groups["all"].tiles == len(TILES) * len(ALTERATIONS)
    for name in ("as it is", "turned a quarter", "from lower", "half as large", "candles"):
        assert groups[name].photos_right == 1, name


NUMBERS = ("bent numbers", "small numbers", "thin numbers")


def with_numbers() -> Pixels:
    """Two tiles, the second upside down, with a bar in the place of a number."""
    pixels = picture()
    for quad, at in zip(QUADS, (0.4, 0.6), strict=True):
        left, top = quad[0]
        width, height = quad[2] - quad[0]
        middle = (int(left + width / 2), int(top + at * height))
        reach = (int(width * 0.2), int(height * 0.15))
        corners = [tuple(np.add(middle, np.multiply(reach, way))) for way in (-1, 1)]
        cv2.rectangle(pixels, corners[0], corners[1], (20, 20, 160), -1)
    return pixels


def inked(pixels: Pixels) -> list[int]:
    """Return how much ink is on either tile."""
    ink = (pixels[..., 2].astype(int) - pixels[..., 0] > 60).astype(np.uint8)
    tiles = [cv2.fillConvexPoly(np.zeros_like(ink), quad.astype(int), 1) for quad in QUADS]
    return [int((ink * tile).sum()) for tile in tiles]


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_drawn_otherwise_and_the_table_is_not(name: str) -> None:
    before = with_numbers()
    _, after = alter(photo(), before, name)
    tiles = np.zeros(before.shape[:2], np.uint8)
    for quad in QUADS:
        cv2.fillConvexPoly(tiles, quad.astype(int), 1)
    changed = np.abs(after.astype(int) - before).max(2)
    # Another JPEG leaves a little next to the tiles.
    assert changed[cv2.dilate(tiles, np.ones((17, 17))) == 0].max() <= 6
    assert changed[tiles > 0].max() > 60
    for now, then in zip(inked(after), inked(before), strict=True):
        if name != "bent numbers":
            assert 0.1 * then < now < 0.6 * then
        else:
            assert 0.6 * then < now < 1.5 * then


@pytest.mark.parametrize(
    ("name", "ink"),
    [("cyan and yellow", CYAN), ("teal", TEAL)],
)
def test_other_inks_take_the_place_of_blue_alone(name: str, ink: tuple[float, ...]) -> None:
    """The first tile is blue, the other red, and either has a stroke of its ink."""
    tiles = tuple(
        replace(tile, colour=colour) for tile, colour in zip(TILES, ("B", "R"), strict=True)
    )
    before = picture()
    middles = [np.rint(quad[0] + (quad[2] - quad[0]) * (0.5, 0.4)) for quad in QUADS]
    strokes = [np.s_[int(y) - 8 : int(y) + 8, int(x) - 3 : int(x) + 3] for x, y in middles]
    for stroke in strokes:
        before[stroke] = (150, 60, 30)
    _, after = alter(LabelledPhoto(Path("a.jpg"), "a", tiles), before, name)
    face = np.array((190, 170, 150), np.float64)
    blue, red = (after[stroke][4:-4, 2:-2].reshape(-1, 3).mean(0) for stroke in strokes)
    assert blue == pytest.approx(face * ink, abs=8)
    assert red == pytest.approx((150, 60, 30), abs=8)
    assert after[int(middles[0][1]), int(middles[0][0]) - 12] == pytest.approx(face, abs=6)


def test_a_circle_in_relief_is_lit_from_the_upper_left_of_every_tile() -> None:
    _, after = alter(photo(), with_numbers(), "thin over a circle")
    for quad, upright in zip(QUADS, (True, False), strict=True):
        across, down = quad[2] - quad[0]
        at = np.array(CIRCLE_AT if upright else 1 - np.array(CIRCLE_AT))
        middle = quad[0] + at * (across, down)
        # Just outside the line, the slope that falls outwards.
        reach = (CIRCLE_RADIUS + CIRCLE_LINE * 0.7) * across * np.array(UPPER_LEFT)
        lit, shaded = (
            after[tuple(np.rint(middle + way * reach).astype(int)[::-1])].astype(float).mean()
            for way in ((1, -1) if upright else (-1, 1))
        )
        assert lit > 170 + 15  # the face is 170
        assert shaded < 170 - 15


def test_boxes_loosely_about_tiles_keep_their_numbers() -> None:
    boxes = tuple(LabelledTile(7, "R", quad, loose=True, cut=False) for quad in QUADS)
    _, after = alter(LabelledPhoto(Path("a.jpg"), "a", boxes), with_numbers(), "thin numbers")
    assert inked(after) == pytest.approx(inked(with_numbers()), rel=0.1)
