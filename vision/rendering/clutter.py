"""What else is on a table: arms, sleeves, cups, cards, cables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.hands import Reach, draw_hand, random_hand
from vision.rendering.tables import fractal

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.canvas import Canvas
    from vision.types import Pixels

ARM, CARD, CUP, CABLE = range(4)


def add_clutter(rng: np.random.Generator, canvas: Canvas) -> None:
    """Lay up to three things over the tiles or at the table's rim, in some pictures."""
    size = canvas.size_px
    if rng.random() > 0.4:
        return
    for _ in range(int(rng.integers(1, 4))):
        at = rng.uniform(-0.1, 1.1, 2) * size
        at[int(rng.integers(2))] = (
            rng.choice([rng.uniform(-0.1, 0.12), rng.uniform(0.88, 1.1)]) * size
        )
        kind = int(rng.integers(4))
        thick = rng.uniform(0.01, 0.09) * size
        skin = np.array([0.35, 0.5, 0.75]) * rng.uniform(0.4, 1.2)
        colour = skin if kind == ARM else rng.uniform(0, 1, 3) ** 1.5
        mask = _outline(rng, kind, at, thick, size)
        _lay(canvas, mask, 0.8 + 0.4 * fractal(rng, size, 5, 2), np.asarray(colour, np.float32))


def _lay(canvas: Canvas, mask: Pixels, texture: Array, colour: Array) -> None:
    """Put a thing of that outline, 0 or 255, over what is there."""
    x, y, wide, tall = cv2.boundingRect(mask)
    if wide == 0:
        return
    rim = 4  # the blur's reach
    box = (slice(max(y - rim, 0), y + tall + rim), slice(max(x - rim, 0), x + wide + rim))
    soft = cv2.GaussianBlur(mask[box], (0, 0), 1.0).astype(np.float32)[..., None] / 255
    region = canvas.radiance[box]
    thing = cv2.merge([texture[box] * channel for channel in colour])
    region += soft * (thing - region)
    canvas.owner[box][mask[box] > 127] = 0


def add_hands(rng: np.random.Generator, canvas: Canvas) -> None:
    """Reach over the table with one or two hands, from anywhere around it."""
    for _ in range(int(rng.integers(1, 3))):
        add_hand(rng, canvas)


def add_hand(rng: np.random.Generator, canvas: Canvas) -> None:
    """Reach over the table with one hand."""
    half = canvas.size_px / canvas.tile_px / 2
    tip = rng.uniform(-0.8, 0.8, 2) * half
    away = rng.uniform(0, 2 * np.pi)
    shoulder = tip + np.array([np.cos(away), np.sin(away)]) * 24
    reach = Reach((tip[0], tip[1]), (shoulder[0], shoulder[1]), rng.uniform(0, 1.5))
    draw_hand(canvas, random_hand(rng), reach)


def _outline(rng: np.random.Generator, kind: int, at: Array, thick: float, size: int) -> Pixels:
    """Return what a thing covers, (size, size), 0 or 255."""
    mask = np.zeros((size, size), np.uint8)
    if kind == ARM:
        _draw_arm(rng, mask, at, thick)
    elif kind == CARD:
        sides = rng.uniform(0.05, 0.4, 2) * size
        box = cv2.boxPoints((_pixel(at), (sides[0], sides[1]), rng.uniform(0, 180)))
        cv2.fillConvexPoly(mask, box.astype(np.int32), 255)
    elif kind == CUP:
        cv2.circle(mask, _pixel(at), int(rng.uniform(0.03, 0.2) * size), 255, -1)
    else:
        points = rng.uniform(-0.2, 1.2, (4, 2)) * size
        curve = cv2.resize(points.astype(np.float32), (2, 40), interpolation=cv2.INTER_CUBIC)
        cv2.polylines(mask, [curve.astype(np.int32)], False, 255, int(thick * 0.2) + 1)
    return mask


def _draw_arm(rng: np.random.Generator, mask: Pixels, at: Array, thick: float) -> None:
    """Draw an arm that reaches inwards and ends in fingers."""
    inward = np.array(mask.shape) / 2 - at
    tip = at + inward * rng.uniform(0.2, 0.8)
    cv2.line(mask, _pixel(at), _pixel(tip), 255, int(thick * 2) + 1)
    for spread in np.linspace(-0.5, 0.5, 4):
        turn = np.array([[np.cos(spread), -np.sin(spread)], [np.sin(spread), np.cos(spread)]])
        finger = tip + turn @ inward / np.linalg.norm(inward) * thick * 3
        cv2.line(mask, _pixel(tip), _pixel(finger), 255, int(thick * 0.7) + 1)


def _pixel(point: Array) -> tuple[int, int]:
    return int(point[0]), int(point[1])
