"""The camera over the table, and what lamps, lenses, sensors and codecs do to its picture."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.tables import fractal

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.types import Pixels


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera that looks at the table's origin.

    Attributes
    ----------
    matrix
        (3, 4) float64: homogeneous table coordinates (tile widths, z up) to image pixels.
    eye
        (3,) position of the camera, in tile widths.
    """

    matrix: Array
    eye: Array

    def project(self, points: Array) -> Array:
        """Return the image pixels, (n, 2), of table points, (n, 3)."""
        seen = np.c_[points, np.ones(len(points))] @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)


def aim(
    tile_width_px: float, elevation_deg: float, roll_deg: float, field_deg: float, size_px: int
) -> Camera:
    """Place a camera so that a tile in the middle of the picture is `tile_width_px` wide.

    `elevation_deg` is the height above the table's plane (90: straight down); `field_deg` the
    angle of view over `size_px`. The picture's y axis points down the table.
    """
    focal_px = size_px / 2 / np.tan(radians(field_deg) / 2)
    distance = focal_px / tile_width_px
    tilt = radians(90 - elevation_deg)
    # x to the right; table y grows towards the viewer, that is down in the picture; z up.
    right = np.array([1.0, 0.0, 0.0])
    down = np.array([0.0, cos(tilt), -sin(tilt)])
    forward = np.array([0.0, -sin(tilt), -cos(tilt)])
    eye = -forward * distance
    axes = np.stack([right, down, forward])
    turn = radians(roll_deg)
    roll = np.array([[cos(turn), -sin(turn), 0], [sin(turn), cos(turn), 0], [0, 0, 1]])
    extrinsic = roll @ np.c_[axes, -axes @ eye]
    intrinsic = np.array([[focal_px, 0, size_px / 2], [0, focal_px, size_px / 2], [0, 0, 1]])
    return Camera(intrinsic @ extrinsic, eye)


def lamps(rng: np.random.Generator, size_px: int) -> Array:
    """Light falling on the table, (size, size, 3) float32 BGR, about 1: two lamps and shadows."""
    coarse = max(size_px // 3, 64)  # light changes slowly
    light = _light_field(rng, coarse)
    return np.asarray(cv2.resize(light, (size_px, size_px)), np.float32)


def _light_field(rng: np.random.Generator, size_px: int) -> Array:
    y, x = np.mgrid[:size_px, :size_px].astype(np.float32) / size_px - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    ramp = np.clip(0.5 + (x * np.cos(angle) + y * np.sin(angle)) * rng.uniform(0.3, 2), 0, 1)
    light = lamp_colour(rng) + ramp[..., None] * (lamp_colour(rng) - lamp_colour(rng))
    light *= 1 + (ramp[..., None] - 0.5) * np.float32(rng.uniform(-0.5, 0.5))
    if rng.random() < 0.45:  # the shadow of a head, a phone or a window bar
        edge = fractal(rng, size_px, 1.5, 2) + (x * np.cos(angle) - y * np.sin(angle)) * 0.6
        blade = np.clip((edge - rng.uniform(0.3, 0.7)) / rng.uniform(0.01, 0.2), 0, 1)
        light *= 1 - blade[..., None] * np.float32(rng.uniform(0.15, 0.6))
    if rng.random() < 0.5:
        light *= 1 - (x**2 + y**2)[..., None] * np.float32(rng.uniform(0, 1.2))
    return np.asarray(np.clip(light, 0.05, 2), np.float32)


def lamp_colour(rng: np.random.Generator) -> Array:
    """Return one lamp's BGR: from a candle's orange over daylight to a screen's blue."""
    warmth = rng.normal(0.05, 0.16)
    tint = rng.normal(0, 0.03)
    bgr = np.array([1 - warmth * 1.3, 1 - abs(warmth) * 0.2 + tint, 1 + warmth * 0.7])
    return np.asarray(np.clip(bgr, 0.25, 1.6), np.float32)


def photograph(rng: np.random.Generator, radiance: Array) -> Pixels:
    """Turn what reaches the lens, (h, w, 3) float32, into the file that a phone would write."""
    picture = radiance * np.float32(np.clip(rng.normal(0.95, 0.2), 0.4, 1.5))
    picture = _blur(rng, picture)
    picture = np.asarray(np.clip(picture, 0, None), np.float32)
    if rng.random() < 0.5:  # white balance that half succeeds
        mean = np.array(cv2.mean(picture)[:3]) + 1e-3
        gains = (mean.mean() / mean) ** rng.uniform(0, 0.8)
        picture = np.asarray(cv2.transform(picture, np.diag(gains)), np.float32)
    contrast = rng.uniform(0.75, 1.25)
    picture = np.clip(picture, 0, 1.4) ** np.float32(contrast)
    gain, saturation = rng.uniform(0.9, 1.1), rng.uniform(0.6, 1.35)
    mix = gain * (saturation * np.eye(3) + (1 - saturation) / 3)
    picture = np.asarray(cv2.transform(picture, mix), np.float32)
    noise = rng.uniform(0, 0.035) ** 1.2
    if noise > 0.002:
        grain = _grain(rng, picture.shape)
        if rng.random() < 0.5:  # denoised phones leave blotches
            grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 1.0), np.float32) * 2
        picture = picture + grain * np.float32(noise)
    pixels = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.8, 2))
        pixels = cv2.addWeighted(pixels, 1 + (gain := rng.uniform(0.2, 1.2)), soft, -gain, 0)
    if rng.random() < 0.8:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(30, 95))]
        pixels = cv2.imdecode(cv2.imencode(".jpg", pixels, quality)[1], cv2.IMREAD_COLOR)
    return np.asarray(pixels, np.uint8)


def _blur(rng: np.random.Generator, picture: Array) -> Array:
    kind = rng.random()
    if kind < 0.12:
        return _shallow_focus(rng, picture)
    if kind < 0.45:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.6)), np.float32)
    if kind < 0.6:
        length = int(rng.integers(3, 9))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        middle = (length - 1) / 2
        reach = np.array([np.cos(angle), np.sin(angle)]) * middle
        a, b = (tuple(round(float(v)) for v in middle + sign * reach) for sign in (-1, 1))
        cv2.line(kernel, a, b, 1.0)
        return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.float32)
    if kind < 0.72:  # a small sensor, or a frame scaled up by a video call
        factor = rng.uniform(0.45, 0.9)
        small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        back = cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        return np.asarray(back, np.float32)
    return picture


def _shallow_focus(rng: np.random.Generator, picture: Array) -> Array:
    """Blur what is nearer or farther than a line across the picture, as a phone close by does."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float32) / len(picture) - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    away = np.abs(x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-0.4, 0.4))
    away = np.clip((away - rng.uniform(0, 0.2)) / 0.7, 0, 1) * 2
    sigma = rng.uniform(1.0, 3.5)
    layers = [picture, *(cv2.GaussianBlur(picture, (0, 0), sigma * part) for part in (0.5, 1.0))]
    total = np.zeros_like(picture)
    for level, layer in enumerate(layers):
        share = np.clip(1 - np.abs(away - level), 0, 1).astype(np.float32)
        total += cv2.multiply(layer, cv2.merge([share] * 3), dtype=cv2.CV_32F)
    return total


def _grain(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Return normal noise; OpenCV's generator takes a quarter of NumPy's time."""
    cv2.setRNGSeed(int(rng.integers(2**31)))
    grain = np.empty(shape, np.float32)
    cv2.randn(grain, np.zeros(1), np.ones(1))
    return grain
