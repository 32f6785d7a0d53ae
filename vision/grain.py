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
# Denoised phones leave blotches, which are grain only when seen from so many times as far.
SIZES: Final = (1, 2)
# Of the span from dark to bright, for each pixel of size: in light no picture has more, in a
# quarter of it most have.
GRAINY: Final = 0.015
# Of each pixel of size: blur for as much grain as the span, and at most.
SOFTENED: Final = 20.0
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


def blur_for_grain(pixels: Pixels) -> float:
    """Return the blur, in pixels, that takes most of a picture's grain; 0 where it has little.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR, as small as it is looked at.
    """
    found, size = max((grain(_from_afar(pixels, size)), size) for size in SIZES)
    return size * min(SOFTENED * found, MOST_SOFTENED) if found >= GRAINY * size else 0.0


def softened(pixels: Pixels, blur_px: float) -> Pixels:
    """Return a picture blurred by so much, or itself where that is nothing."""
    if blur_px == 0:
        return pixels
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), blur_px), np.uint8)


def _from_afar(pixels: Pixels, times: int) -> Pixels:
    if times == 1:
        return pixels
    height, width = (max(1, side // times) for side in pixels.shape[:2])
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
