"""A pen for what is drawn on jokers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
from PIL import Image, ImageDraw

from vision.rendering.editions import open_font

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.types import Pixels

_LETTERS_PX = 160


@dataclass(slots=True)
class Pen:
    """Draws in units of a joker's radius, with a hand that is never quite the same.

    Attributes
    ----------
    mask
        (h, w) float32, 0 to 1: the ink's coverage; drawn into.
    centre, radius
        Pixels; where the unit circle lies.
    line_px
        Width of lines.
    rng
        Moves what is drawn a little.
    typeface
        Path of the font that it writes in; None for plain strokes (A. V. Hershey's).
    """

    mask: Array
    centre: Array
    radius: float
    line_px: int
    rng: np.random.Generator
    typeface: str | None = None

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
        width_px: int = 0,
    ) -> None:
        """Draw a part of an ellipse, in a line of its own width where one is given."""
        wobble = 1 if width_px else self.rng.uniform(0.93, 1.07)
        size = (round(axes[0] * self.radius * wobble), round(axes[1] * self.radius * wobble))
        at = self._at(centre) if not width_px else tuple(int(v) for v in self.centre)
        line = width_px or self.line_px
        cv2.ellipse(self.mask, at, size, 0, start_deg, end_deg, 1.0, line, cv2.LINE_AA)

    def dot(self, centre: tuple[float, float], radius: float) -> None:
        """Draw a filled circle."""
        size = max(1, round(radius * self.radius))
        cv2.circle(self.mask, self._at(centre), size, 1.0, -1, cv2.LINE_AA)

    def line(self, *points: tuple[float, float]) -> None:
        """Draw lines from point to point."""
        path = np.array([self._at(point) for point in points], np.int32)
        cv2.polylines(self.mask, [path], False, 1.0, self.line_px, cv2.LINE_AA)

    def fill(self, *points: tuple[float, float]) -> None:
        """Fill what lies between points."""
        path = np.array([self._at(point) for point in points], np.int32)
        cv2.fillPoly(self.mask, [path], 1.0, cv2.LINE_AA)

    def outline(self, *points: tuple[float, float]) -> None:
        """Draw lines from point to point and back to the first."""
        self.line(*points, points[0])

    def write(self, text: str, centre: tuple[float, float], width: float) -> None:
        """Write a word so wide, but no taller than a circle of such a radius."""
        letters = _lettering(self.typeface, text) if self.typeface else None
        if letters is not None:
            self._paste(letters, centre, width * self.radius)
            return
        face, unit = cv2.FONT_HERSHEY_DUPLEX, 10.0
        (wide, tall), _ = cv2.getTextSize(text, face, unit, 1)
        size = width * self.radius / wide
        x, y = self._at(centre)
        at = (round(x - wide * size / 2), round(y + tall * size / 2))
        written = np.zeros(self.mask.shape, np.uint8)
        cv2.putText(written, text, at, face, unit * size, 255, self.line_px, cv2.LINE_AA)
        np.maximum(self.mask, written / np.float32(255), out=self.mask)

    def _paste(self, letters: Pixels, centre: tuple[float, float], width_px: float) -> None:
        tall, wide = letters.shape
        times = min(width_px / wide, 2 * self.radius / tall)
        size = max(1, round(wide * times)), max(1, round(tall * times))
        small = cv2.resize(letters, size, interpolation=cv2.INTER_AREA)
        x, y = self._at(centre)
        written = np.zeros(self.mask.shape, np.uint8)
        moved = np.array([[1, 0, x - size[0] // 2], [0, 1, y - size[1] // 2]], np.float32)
        cv2.warpAffine(small, moved, written.shape[::-1], written, cv2.INTER_NEAREST)
        np.maximum(self.mask, written / np.float32(255), out=self.mask)

    def within(self, times: float, centre: tuple[float, float] = (0.0, 0.0)) -> Pen:
        """Return a pen for what is so many times as large, somewhere else."""
        moved = self.centre + np.array(centre) * self.radius
        size = self.radius * times
        return Pen(self.mask, moved, size, self.line_px, self.rng, self.typeface)

    def both(self, x: float) -> tuple[float, float]:
        """Return how far left and how far right of the middle a pair stands."""
        return -x, x


def _lettering(typeface: str, text: str) -> Pixels | None:
    """Return a word as a font has it, cut at its ink, (h, w); None if it has figures alone."""
    font = open_font(typeface, _LETTERS_PX)
    left, top, right, bottom = font.getbbox(text)
    word = Image.new("L", (max(1, int(right - left)), max(1, int(bottom - top))))
    ImageDraw.Draw(word).text((-left, -top), text, fill=255, font=font)
    ink = word.getbbox()
    return None if ink is None else np.asarray(word.crop(ink), np.uint8)
