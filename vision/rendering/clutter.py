"""What else is on a table: hands and sleeves, cups, cards, prints, phones, cables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.quads import rectangle
from vision.rendering.arrays import dim
from vision.rendering.hands import random_hand
from vision.rendering.lighting import soften
from vision.rendering.printed import PRINTS, die
from vision.rendering.reach import Reach, draw_hand
from vision.rendering.tables import fractal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.rendering.arrays import Array
    from vision.rendering.canvas import Canvas
    from vision.types import Pixels

CARD, CUP, CABLE, PHONE = range(4)
_HEIGHTS: Final = (0.02, 1.6, 0.15, 0.3)  # how far each stands over the table, tile widths
CHANCE: Final = 0.4
PRINTED: Final = 0.3  # share of the things with figures or letters on them


def no_clutter(_rng: np.random.Generator, _canvas: Canvas) -> None:
    """Leave the table as it is."""


def add_clutter(rng: np.random.Generator, canvas: Canvas) -> None:
    """Lay up to three things over the tiles or at the table's rim, in some pictures."""
    size = canvas.size_px
    if rng.random() > CHANCE:
        return
    for _ in range(int(rng.integers(1, 4))):
        if rng.random() < PRINTED:
            add_print(rng, canvas)
            continue
        at = rng.uniform(-0.1, 1.1, 2) * size
        at[int(rng.integers(2))] = (
            rng.choice([rng.uniform(-0.1, 0.12), rng.uniform(0.88, 1.1)]) * size
        )
        add_thing(rng, canvas, int(rng.integers(4)), at)


def add_thing(rng: np.random.Generator, canvas: Canvas, kind: int, at: Array) -> None:
    """Lay one thing at a place, pixels, with its shadow."""
    size = canvas.size_px
    mask, inside = _outline(rng, kind, at, size)
    height_px = min(_HEIGHTS[kind] * canvas.camera.tile_px, 0.1 * size)
    _throw_shadow(canvas, mask, height_px)
    colour = rng.uniform(0, 1, 3) ** 1.5
    texture = 0.85 + 0.3 * fractal(rng, size, 5, 2)
    rim_px = max(min(height_px, 0.02 * size), 1.5)
    _lay(canvas, mask, texture, np.asarray(colour, np.float32), rim_px)
    if inside.any():  # a drink, or a screen
        lit = kind == PHONE and rng.random() < 0.4
        tone = rng.uniform(0.3, 1.2, 3) if lit else rng.uniform(0, 0.3, 3)
        _lay(canvas, inside, texture, np.asarray(tone, np.float32), 1.5)


def add_prints(rng: np.random.Generator, canvas: Canvas) -> None:
    """Lay three to eight printed things about."""
    for _ in range(int(rng.integers(3, 9))):
        add_print(rng, canvas)


def add_print(rng: np.random.Generator, canvas: Canvas) -> None:
    """Lay a card, a sheet, keys or a die on the table, away from its middle."""
    draw, tall = PRINTS[int(rng.integers(len(PRINTS)))]
    sheet = draw(rng)
    height = rng.uniform(*tall)
    half = canvas.size_px / canvas.camera.tile_px / 2
    centre = rng.uniform(-1.1, 1.1, 2) * half
    centre[int(rng.integers(2))] = rng.choice([-1, 1]) * rng.uniform(0.55, 1.1) * half
    turn = rng.uniform(0, 2 * np.pi)
    down = np.array([-np.sin(turn), np.cos(turn)]) * height
    right = np.array([np.cos(turn), np.sin(turn)]) * height * sheet.shape[1] / sheet.shape[0]
    corners = [
        centre + (x * right + y * down) / 2 for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    quad = canvas.camera.project(np.c_[corners, np.zeros(4)]).astype(np.float32)
    size = canvas.size_px
    if not cv2.isContourConvex(quad) or np.ptp(quad) > 4 * size:
        return
    mask = np.zeros((size, size), np.uint8)
    cv2.fillConvexPoly(mask, quad.astype(np.int32), 255)
    smaller = min(1.0, 1.3 * float(np.linalg.norm(quad[3] - quad[0])) / len(sheet))
    if smaller < 1:  # warping alone would alias
        sheet = np.asarray(
            cv2.resize(sheet, None, fx=smaller, fy=smaller, interpolation=cv2.INTER_AREA), np.uint8
        )
    tall_px, wide_px = sheet.shape[:2]
    flat = rectangle(0, 0, wide_px, tall_px)
    warp = cv2.getPerspectiveTransform(flat, quad)
    seen = cv2.warpPerspective(sheet, warp, (size, size), borderMode=cv2.BORDER_REPLICATE)
    _throw_shadow(canvas, mask, (0.5 if draw is die else 0.02) * canvas.camera.tile_px)
    texture = 0.95 + 0.1 * fractal(rng, size, 5, 2)
    _lay(canvas, mask, texture, np.asarray(seen, np.float32) / np.float32(255), 1.5)


def _throw_shadow(canvas: Canvas, mask: Pixels, height_px: float) -> None:
    """Darken what lies beside a thing, away from the lamp."""
    sigma = max(0.25 * height_px, 1.5)
    shift = canvas.light_xyz[:2] / max(canvas.light_xyz[2], 0.3) * -height_px
    box = _around(mask, int(3 * sigma + np.abs(shift).max()) + 1)
    if box is None:
        return
    here = mask[box]
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    shadow = cv2.warpAffine(here, move, here.shape[::-1])
    dark = soften(cv2.max(shadow, here), sigma)
    dim(canvas.radiance[box], cv2.addWeighted(dark, -0.45, dark, 0, 255))


def _around(mask: Pixels, rim: int) -> tuple[slice, slice] | None:
    """Return the part of the picture that a thing and its rim take up; None for no thing."""
    x, y, wide, tall = cv2.boundingRect(mask)
    if wide == 0:
        return None
    return slice(max(y - rim, 0), y + tall + rim), slice(max(x - rim, 0), x + wide + rim)


def _lay(canvas: Canvas, mask: Pixels, texture: Array, colour: Array, rim_px: float) -> None:
    """Put a thing of that outline, 0 or 255, over what is there, round at its rim.

    Its colour is one, (3,), or one for each place, (size, size, 3).
    """
    box = _around(mask, 4)  # the blur's reach
    if box is None:
        return
    soft = cv2.GaussianBlur(mask[box], (0, 0), 1.0)
    deep = np.minimum(cv2.distanceTransform(mask[box], cv2.DIST_L2, 3), rim_px)
    round_ = cv2.GaussianBlur(deep, (0, 0), max(rim_px / 3, 0.8))
    x, y = (float(-0.0625 * part) for part in canvas.light_xyz[:2])
    lit = cv2.addWeighted(
        cv2.Sobel(round_, cv2.CV_32F, 1, 0), x, cv2.Sobel(round_, cv2.CV_32F, 0, 1), y, 1
    )
    shade = texture[box] * np.clip(lit, 0.4, 1.5)
    shade *= soft * np.float32(1 / 255)
    region = canvas.radiance[box]
    dim(region, cv2.bitwise_not(soft))
    tint = colour if colour.ndim == 1 else np.moveaxis(colour[box], -1, 0)
    cv2.add(region, cv2.merge([shade * channel for channel in tint]), dst=region)
    canvas.owner[box][mask[box] > 127] = 0


def add_hands(rng: np.random.Generator, canvas: Canvas) -> None:
    """Reach over the table with one or two hands, from anywhere around it."""
    for _ in range(int(rng.integers(1, 3))):
        add_hand(rng, canvas)


def add_hand(rng: np.random.Generator, canvas: Canvas) -> None:
    """Reach over the table with one hand."""
    half = canvas.size_px / canvas.camera.tile_px / 2
    tip = rng.uniform(-0.8, 0.8, 2) * half
    away = rng.uniform(0, 2 * np.pi)
    shoulder = tip + np.array([np.cos(away), np.sin(away)]) * 24
    reach = Reach((tip[0], tip[1]), (shoulder[0], shoulder[1]), rng.uniform(0, 1.5))
    draw_hand(canvas, random_hand(rng), reach)


def _outline(rng: np.random.Generator, kind: int, at: Array, size: int) -> tuple[Pixels, Pixels]:
    """Return what a thing covers, and its drink or screen, (size, size) each, 0 or 255."""
    mask, inside = np.zeros((2, size, size), np.uint8)
    centre = _pixel(at)
    if kind in {CARD, PHONE}:
        wide = rng.uniform(0.05, 0.4) * size
        tall = wide * (2.05 if kind == PHONE else rng.uniform(0.3, 3))
        turn = rng.uniform(0, 180)
        cv2.fillConvexPoly(mask, _rectangle(centre, wide, tall, turn), 255)
        if kind == PHONE:
            cv2.fillConvexPoly(inside, _rectangle(centre, wide * 0.92, tall * 0.95, turn), 255)
    elif kind == CUP:
        radius = rng.uniform(0.03, 0.2) * size
        cv2.circle(mask, centre, int(radius), 255, -1)
        cv2.circle(inside, centre, int(radius * rng.uniform(0.75, 0.93)), 255, -1)
    else:
        points = rng.uniform(-0.2, 1.2, (4, 2)) * size
        curve = cv2.resize(points.astype(np.float32), (2, 40), interpolation=cv2.INTER_CUBIC)
        thick = rng.uniform(0.002, 0.018) * size
        cv2.polylines(mask, [curve.astype(np.int32)], False, 255, int(thick) + 1)
    return mask, inside


def _rectangle(
    centre: tuple[int, int], wide: float, tall: float, turn: float
) -> NDArray[np.int32]:
    return cv2.boxPoints((centre, (wide, tall), turn)).astype(np.int32)


def _pixel(point: Array) -> tuple[int, int]:
    return int(point[0]), int(point[1])
