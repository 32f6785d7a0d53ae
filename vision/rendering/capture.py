"""Cameras of a chosen kind: how bright, blurred, noisy and squeezed their pictures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.arrays import jpeg

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.types import Pixels

Range = tuple[float, float]
"""Least and most; a value between is drawn for every picture."""


def capture(
    rng: np.random.Generator,
    radiance: Array,
    *,
    exposure: Range = (0.9, 1.1),
    blur_px: Range = (0.3, 0.8),
    shake_px: Range = (0.0, 0.0),
    noise: Range = (0.002, 0.01),
    scale: Range = (1.0, 1.0),
    quality: Range = (85, 95),
) -> Pixels:
    """Turn what reaches the lens into the file that a camera of this kind would write.

    Parameters
    ----------
    radiance
        (h, w, 3) float32 BGR, about 0 to 1.
    exposure
        What it is multiplied by; 1 is well exposed.
    blur_px, shake_px
        Standard deviation of the defocus, and length of the streak that a moving camera draws.
    noise
        Standard deviation of the grain, white being 1.
    scale, quality
        How much smaller the picture is transmitted, and with which JPEG quality.
    """
    picture = radiance * np.float32(rng.uniform(*exposure))
    picture = shaken(rng, picture, rng.uniform(*shake_px))
    picture = blurred(picture, rng.uniform(*blur_px))
    picture = grainy(rng, smaller(picture, rng.uniform(*scale)), noise)
    sent = compressed(picture, round(rng.uniform(*quality)))
    height, width = radiance.shape[:2]
    return np.asarray(cv2.resize(sent, (width, height)), np.uint8)


def blurred(picture: Array, deviation_px: float) -> Array:
    """Put a picture out of focus, at least as little as every lens does."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), max(deviation_px, 0.1)), np.float32)


def smaller(picture: Array, factor: float) -> Array:
    """Make a picture so many times as large; never larger than it is."""
    if factor >= 1:
        return picture
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def grainy(rng: np.random.Generator, picture: Array, noise: Range) -> Array:
    """Add the grain of a sensor."""
    grain = rng.standard_normal(picture.shape, dtype=np.float32)
    return np.asarray(picture + grain * np.float32(rng.uniform(*noise)), np.float32)


def compressed(picture: Array, quality: int) -> Pixels:
    """Return a picture as a JPEG of this quality holds it."""
    return jpeg((np.clip(picture, 0, 1) * 255).astype(np.uint8), quality)


def shaken(rng: np.random.Generator, picture: Array, length_px: float) -> Array:
    """Smear a picture along a straight line at any angle."""
    if length_px < 1:
        return picture
    size = int(np.ceil(length_px)) | 1
    fine = 8  # the line is drawn finer than pixels, so that any length and angle comes out
    kernel = np.zeros((size * fine, size * fine), np.float32)
    angle, middle = rng.uniform(0, np.pi), size * fine / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * length_px * fine / 2
    ends = [tuple(round(float(v)) for v in middle + sign * reach) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, fine)
    kernel = np.asarray(cv2.resize(kernel, (size, size), interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
