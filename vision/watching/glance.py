"""A small picture of a frame, in the form in which two of them are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from vision.types import Floats, Pixels

    Mask: TypeAlias = NDArray[np.bool_]

WINDOW_PX = 7
TEXTURED = 6.0  # grey levels about the local mean that are no noise
BLACK_LEVEL = 14.0
RIM_LEVEL = 7.0
WIDEST_RIM = 0.04  # of the picture's side
FLAT_LEVEL = 1.2


@dataclass(frozen=True)
class Glance:
    """A frame made small; what comparing needs is computed once, when it is first asked for.

    Attributes
    ----------
    bgr
        (h, w, 3) uint8.
    scale
        Size of the small picture as a part of the frame's.
    """

    bgr: Pixels
    scale: float

    @classmethod
    def of(cls, pixels: Pixels, width_px: int) -> Glance:
        """Make (h, w, 3) uint8 BGR pixels small."""
        height, width = pixels.shape[:2]
        scale = min(1.0, width_px / width)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
        return cls(_without_rim(np.asarray(small, np.uint8)), size[0] / width)

    def part(self, rows: slice, columns: slice) -> Glance:
        """Cut a part out."""
        return Glance(self.bgr[rows, columns], self.scale)

    @cached_property
    def grey(self) -> Pixels:
        """(h, w) uint8."""
        return np.asarray(cv2.cvtColor(self.bgr, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def level(self) -> Floats:
        """(h, w) float32 grey."""
        return self.grey.astype(np.float32)

    @cached_property
    def mean(self) -> Floats:
        """(h, w) float32: mean grey around each pixel."""
        return around(self.level)

    @cached_property
    def variance(self) -> Floats:
        """(h, w) float32: variance of the grey around each pixel."""
        spread = around(self.level * self.level) - self.mean * self.mean
        return np.asarray(np.maximum(spread, 0), np.float32)

    @cached_property
    def deviation(self) -> Floats:
        """(h, w) float32: local contrast, grey levels."""
        return np.sqrt(self.variance)

    @cached_property
    def textured(self) -> Mask:
        """(h, w): where there is something to compare."""
        return np.asarray(self.deviation > TEXTURED)

    @cached_property
    def contrast(self) -> float:
        """Grey levels about the local mean where there is most of it."""
        return max(float(np.percentile(self.deviation[::2, ::2], 97)), 0.5)

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width."""
        return self.grey.shape[0], self.grey.shape[1]

    @cached_property
    def is_black(self) -> bool:
        """Whether hardly any light reaches the lens."""
        return float(np.percentile(self.grey[::2, ::2], 99)) < BLACK_LEVEL

    @cached_property
    def is_flat(self) -> bool:
        """Whether there is nothing to be seen but one plain surface."""
        return float(np.percentile(self.deviation[::2, ::2], 98)) < FLAT_LEVEL


def around(level: Floats) -> Floats:
    """Return the mean of (h, w) around each pixel."""
    return np.asarray(cv2.boxFilter(level, -1, (WINDOW_PX, WINDOW_PX)), np.float32)


def _without_rim(small: Pixels) -> Pixels:
    """Return a small picture with what lies beside its rim in the rim's place.

    Some cameras and grabbers leave a few black lines along the edge; beside them next to nothing
    else would count as structure, and no arm would reach in over the edge. The outermost line is
    always taken for a rim, or for what a rim is mixed into.
    """
    blue, green, red = cv2.split(small)  # NumPy takes 40 times as long for the largest of three
    light = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
    if min(light.shape) <= 2:  # noqa: PLR2004 - nothing lies beside it
        return small
    rows, columns = light.mean(1), light.mean(0)
    top, bottom, left, right = map(_rim, (rows, rows[::-1], columns, columns[::-1]))
    height, width = light.shape
    inner = small[top : height - bottom, left : width - right]
    whole = cv2.copyMakeBorder(inner, top, bottom, left, right, cv2.BORDER_REPLICATE)
    return np.asarray(whole, np.uint8)


def _rim(levels: Floats) -> int:
    """Count the lines of a rim, given the light of all lines (n,) from the edge on."""
    dark = int(np.argmax(levels > RIM_LEVEL))
    return 1 + (dark if dark <= WIDEST_RIM * len(levels) else 0)
