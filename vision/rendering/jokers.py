"""Jokers' faces, in the styles that makers print; no two of a style are quite alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.editions import Joker

_SUPERSAMPLING = 2


def draw_joker(joker: Joker, width: int, height: int, rng: np.random.Generator) -> Array:
    """Draw a laughing, smiling or stern face, large first and then shrunk for smooth lines.

    Returns
    -------
        (height, width) float32, 0 to 1: the ink's coverage.
    """
    scale = _SUPERSAMPLING
    mask = np.zeros((height * scale, width * scale), np.float32)
    radius = joker.diameter * width * scale / 2
    pen = _Pen(
        mask,
        np.array([width * scale / 2, joker.centre_y * height * scale]),
        radius,
        max(1, round(joker.line * radius * 2)),
        rng,
    )
    if joker.ring:
        pen.arc((0, 0), (1, 1), 0, 360, width_px=max(1, round(joker.ring * radius * 2)))
    _STYLES[joker.style](pen)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


@dataclass(slots=True)
class _Pen:
    """Draws in units of the face's radius, with a hand that is never quite the same."""

    mask: Array
    centre: Array
    radius: float
    line_px: int
    rng: np.random.Generator

    def _at(self, point: tuple[float, float]) -> tuple[int, int]:
        shaky = np.array(point) + self.rng.normal(0, 0.015, 2)
        x, y = self.centre + shaky * self.radius
        return round(float(x)), round(float(y))

    def arc(
        self,
        centre: tuple[float, float],
        axes: tuple[float, float],
        start_deg: float,
        end_deg: float,
        *,
        tilt_deg: float = 0,
        width_px: int = 0,
    ) -> None:
        wobble = 1 if width_px else self.rng.uniform(0.93, 1.07)
        size = (round(axes[0] * self.radius * wobble), round(axes[1] * self.radius * wobble))
        at = self._at(centre) if not width_px else tuple(int(v) for v in self.centre)
        line = width_px or self.line_px
        cv2.ellipse(self.mask, at, size, tilt_deg, start_deg, end_deg, 1.0, line, cv2.LINE_AA)

    def dot(self, centre: tuple[float, float], radius: float) -> None:
        size = max(1, round(radius * self.radius))
        cv2.circle(self.mask, self._at(centre), size, 1.0, -1, cv2.LINE_AA)

    def line(self, *points: tuple[float, float]) -> None:
        path = np.array([self._at(point) for point in points], np.int32)
        cv2.polylines(self.mask, [path], False, 1.0, self.line_px, cv2.LINE_AA)

    def both(self, x: float) -> tuple[float, float]:
        return -x, x


def _draw_clown(pen: _Pen) -> None:
    for x in pen.both(0.33):
        pen.arc((x, -0.2), (0.2, 0.1), 0, 360)
        pen.dot((x, -0.18), 0.07)
        pen.arc((x, -0.36), (0.24, 0.14), 190, 350)
        pen.arc((x * 1.6, 0.3), (0.12, 0.2), 60, 300)
    pen.line((-0.04, -0.15), (-0.1, 0.15), (0.0, 0.2), (0.1, 0.15))
    pen.arc((0, 0.2), (0.45, 0.35), 15, 165)
    pen.arc((0, 0.36), (0.24, 0.1), 0, 180)


def _draw_smile(pen: _Pen) -> None:
    for x in pen.both(0.34):
        pen.arc((x, -0.22), (0.15, 0.11), 0, 360)
        pen.dot((x, -0.2), 0.08)
        pen.arc((x, -0.42), (0.2, 0.1), 200, 340)
    pen.line((0.0, -0.12), (-0.08, 0.14), (0.06, 0.16))
    pen.arc((0, 0.3), (0.42, 0.2), 0, 180)
    pen.arc((0, 0.3), (0.42, 0.08), 0, 180)


def _draw_fine(pen: _Pen) -> None:
    for x in pen.both(0.32):
        pen.arc((x, -0.15), (0.16, 0.08), 0, 360)
        pen.dot((x, -0.15), 0.05)
        pen.arc((x, -0.33), (0.2, 0.08), 190, 350)
        pen.line((x * 0.6, -0.95), (x * 1.4, -0.6), (x * 2.2, -0.75))
        pen.arc((x * 1.7, 0.2), (0.1, 0.25), 90, 270 if x < 0 else 450)
    pen.arc((0, 0.1), (0.1, 0.07), 0, 360)
    pen.arc((0, 0.25), (0.45, 0.3), 10, 170)


def _draw_small(pen: _Pen) -> None:
    for x in pen.both(0.4):
        pen.dot((x, -0.3), 0.13)
        pen.line((x * 1.4, -0.6), (x * 0.5, -0.65))
    pen.dot((0, 0.05), 0.09)
    pen.arc((0, 0.1), (0.65, 0.55), 15, 165)
    pen.line((-0.9, -0.7), (-0.5, -1.1), (0, -0.75), (0.5, -1.1), (0.9, -0.7))


def _draw_stern(pen: _Pen) -> None:
    for x in pen.both(0.34):
        pen.line((x * 1.7, -0.42), (x * 0.4, -0.28))
        pen.dot((x, -0.12), 0.11)
    pen.line((0.0, -0.15), (0.0, 0.2))
    pen.line((-0.35, 0.48), (0.35, 0.48))
    pen.arc((0, 0.75), (0.3, 0.14), 180, 360)


_STYLES = {
    "clown": _draw_clown,
    "smile": _draw_smile,
    "fine": _draw_fine,
    "small": _draw_small,
    "stern": _draw_stern,
}
