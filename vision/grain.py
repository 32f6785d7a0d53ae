"""Grain: what a sensor adds to a picture of a dark room, and the detector takes for edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Pixels

# Second differences both ways: planes and edges along an axis leave nothing (Immerkaer 1996).
_DIFFERENCES: Final = ((1, -2, 1), (-2, 4, -2), (1, -2, 1))
_GAIN: Final = 6.0  # what that makes of grain with a standard deviation of 1
_MEDIAN: Final = 0.6745  # of a normal deviate's size; next to texture the median is what is even
SAMPLED: Final = 3  # every so many pixels each way
# Of the span from dark to bright: in light no picture has more, in a quarter of it most have.
GRAINY: Final = 0.02
SOFTENED: Final = 20.0  # pixels of blur for as much grain as the span
MOST_SOFTENED: Final = 1.5


def grain(pixels: Pixels) -> float:
    """Return the standard deviation of a picture's grain, as a part of its span of light.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    rough = np.zeros_like(grey[:-2:SAMPLED, :-2:SAMPLED], np.int16)
    for row, weights in enumerate(_DIFFERENCES):
        for column, weight in enumerate(weights):
            shifted = grey[row : row - 2 or None : SAMPLED, column : column - 2 or None : SAMPLED]
            rough += np.int16(weight) * shifted.astype(np.int16)
    if rough.size == 0:
        return 0.0
    dark, bright = np.percentile(grey[::SAMPLED, ::SAMPLED], (1, 99))
    return float(np.median(np.abs(rough))) / (_MEDIAN * _GAIN) / max(float(bright - dark), 1.0)


def softened(pixels: Pixels) -> Pixels:
    """Return a picture without most of its grain, or itself if it has little."""
    found = grain(pixels)
    if found < GRAINY:
        return pixels
    blur_px = min(SOFTENED * found, MOST_SOFTENED)
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur_px), np.uint8)
