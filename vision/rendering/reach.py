"""Hands over the table: where they reach, how they are lit, what they shade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.quads import rectangle
from vision.rendering.arrays import dim, lay_over
from vision.rendering.hands import DENSITY, LEFT, LONG, TOP, WIDE
from vision.rendering.lighting import soften

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.camera import Camera
    from vision.rendering.canvas import Canvas
    from vision.rendering.hands import Hand

_TIP_HEIGHT, _RISE = 0.35, 0.11
_NEAREST: Final = 0.3  # share of the camera's distance nearer than which no arm comes
_HALF = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where a hand is: its finger tips, and where its arm comes from, in tile widths."""

    tip: tuple[float, float]
    shoulder: tuple[float, float]
    height: float = 0.0


def draw_hand(canvas: Canvas, hand: Hand, reach: Reach) -> None:
    """Draw a hand over all that is there, and its shadow first."""
    long = _before_the_lens(canvas.camera, reach)
    rows = int(long * DENSITY)
    lying = _place(reach, long)
    throw = canvas.light_xyz[:2] / max(canvas.light_xyz[2], 0.3)
    flat = np.c_[lying[:, :2] - throw * lying[:, 2:], np.zeros(4)]
    _shade(canvas, hand.alpha[:rows], flat)
    lit = _light(canvas, hand, reach, rows)
    window = _warp(canvas, lit, lying)
    if window is None:
        return
    warped, box = window
    alpha = lay_over(canvas.radiance[box], warped)
    canvas.owner[box][alpha > 0.5] = 0


def _before_the_lens(camera: Camera, reach: Reach) -> float:
    """Return how much of the arm lies well before the camera, in tile widths."""
    nearest = _NEAREST * float(camera.matrix[2] @ (0, 0, 0, 1))
    for long in np.arange(LONG, 4.0, -1.0):
        corners = _place(reach, long)
        if (corners @ camera.matrix[2, :3] + camera.matrix[2, 3]).min() > nearest:
            return float(long)
    return 4.0


def _place(reach: Reach, long: float) -> Array:
    """Return the corners of so much of the hand's picture over the table, (4, 3)."""
    tip, shoulder = np.array(reach.tip), np.array(reach.shoulder)
    back = (shoulder - tip) / np.linalg.norm(shoulder - tip)
    right = np.array([back[1], -back[0]])
    x = LEFT + _HALF[:, :1] * WIDE
    y = TOP + _HALF[:, 1:] * long
    height = reach.height + _TIP_HEIGHT + _RISE * y
    return np.asarray(np.c_[tip + x * right + y * back, height], np.float64)


def _light(canvas: Canvas, hand: Hand, reach: Reach, rows: int) -> Array:
    """Return the hand's first rows as the main lamp shades them, premultiplied, (rows, w, 4)."""
    arm = np.subtract(reach.shoulder, reach.tip)
    back = arm / np.linalg.norm(arm)
    sun = np.array(
        [
            canvas.light_xyz[0] * back[1] - canvas.light_xyz[1] * back[0],
            canvas.light_xyz[:2] @ back,
            canvas.light_xyz[2],
        ],
        np.float32,
    )
    lambert = np.clip(cv2.transform(hand.normal[:rows], sun[None]), 0, 1)
    upward = cv2.extractChannel(hand.normal[:rows], 2)
    alpha = hand.alpha[:rows]
    shade = cv2.addWeighted(lambert, 0.55, upward, 0.175, 0.325) * alpha
    lit = cv2.multiply(hand.albedo_bgr[:rows], cv2.merge([shade] * 3))
    return np.asarray(cv2.merge([lit, alpha]), np.float32)


def _shade(canvas: Canvas, alpha: Array, corners: Array) -> None:
    window = _warp(canvas, alpha, corners)
    if window is None:
        return
    shadow, box = window
    side = float(np.linalg.norm(np.diff(canvas.camera.project(corners)[:2], axis=0))) / WIDE
    soft = soften(shadow, max(side * 0.22, 0.5))
    dim(canvas.radiance[box], 1 - np.float32(0.42) * soft)


def _warp(
    canvas: Canvas, picture: Array, corners: Array
) -> tuple[Array, tuple[slice, slice]] | None:
    """Return a hand's picture as seen at these corners, and its window of the canvas."""
    quad = canvas.camera.project(corners)
    size = canvas.size_px
    low = np.clip(np.floor(quad.min(0)).astype(int) - 20, 0, size)
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 20, 0, size)
    if (high - low < 2).any():
        return None
    h, w = picture.shape[:2]
    source = rectangle(0, 0, w, h) - 0.5
    warp = cv2.getPerspectiveTransform(source, (quad - low).astype(np.float32) - 0.5)
    shown = cv2.warpPerspective(picture, warp, tuple(int(v) for v in high - low))
    return np.asarray(shown, np.float32), (slice(low[1], high[1]), slice(low[0], high[0]))
