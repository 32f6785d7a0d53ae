"""What any lens, sensor and file make of the light of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.arrays import jpeg, random_grain

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.rendering.arrays import Array
    from vision.types import Pixels

BRIGHTEST: Final = 2.0  # light that a sensor still tells from more; 1 is a white tile in the lamp
SHARPEST_PX: Final = (0.4, 0.6)  # what the best lens blurs
VIDEO_CALLS: Final = 0.06  # share of the pictures
VIDEO_QUALITY: Final = (12, 35)
FILE_QUALITY: Final = (30, 95)
_GREY: Final = 0.42  # how bright phones make the average picture


def photograph(rng: np.random.Generator, radiance: Array) -> Pixels:
    """Turn what reaches the lens, (h, w, 3) float32, into the file that a phone would write.

    The radiance is used up: it holds something else afterwards.
    """
    exposure = np.clip(rng.normal(0.95, 0.2), 0.4, 1.5)
    picture = _blur(rng, radiance)
    pixels: MatLike = _develop(rng, picture, exposure)
    if rng.random() < 0.3:
        soft = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.8, 2))
        pixels = cv2.addWeighted(pixels, 1 + (gain := rng.uniform(0.2, 1.2)), soft, -gain, 0)
    return _compress(rng, pixels)


def _compress(rng: np.random.Generator, pixels: MatLike) -> Pixels:
    """Write and read a file, or what a video call makes of a picture, or leave it."""
    height, width = pixels.shape[:2]
    kind = rng.random()
    if kind < VIDEO_CALLS:
        factor = rng.uniform(0.5, 0.85)
        small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        sent = cv2.medianBlur(jpeg(small, int(rng.uniform(*VIDEO_QUALITY))), 3)  # deblocked
        return np.asarray(cv2.resize(sent, (width, height)), np.uint8)
    if kind < 0.85:
        return jpeg(pixels, int(rng.uniform(*FILE_QUALITY)))
    return np.asarray(pixels, np.uint8)


def _develop(rng: np.random.Generator, picture: Array, exposure: float) -> Pixels:
    """Expose, balance, colour, add grain, and bring light to what a file can hold."""
    mean = np.array(cv2.mean(picture)[:3]) + 1e-3
    gains = np.full(3, exposure)
    if rng.random() < 0.7:  # phones make every picture about as bright
        gains *= np.clip((_GREY / mean.mean()) ** rng.uniform(0, 0.7), 0.5, 2.0)
    if rng.random() < 0.5:  # white balance that half succeeds
        gains *= (mean.mean() / mean) ** rng.uniform(0, 0.8)
    saturation = rng.uniform(0.6, 1.35)
    mix = saturation * np.eye(3) + (1 - saturation) / 3
    picture = np.asarray(cv2.transform(picture, mix * gains), np.float32)
    noise = rng.uniform(0, 0.035) ** 1.2
    grain, strength = picture, 0.0
    if noise > 0.002:
        blotchy = rng.random() < 0.5  # denoised phones leave blotches
        height, width = picture.shape[:2]
        grain = random_grain(rng, (height, width, 3), 1.0 if blotchy else 0.0)
        strength = noise * (2 if blotchy else 1)
    full = 65535 / BRIGHTEST
    deep = cv2.addWeighted(picture, full, grain, full * strength, 0, dtype=cv2.CV_16U)
    return np.asarray(cv2.LUT(deep, tone_curve(rng)), np.uint8)


def tone_curve(rng: np.random.Generator) -> Pixels:
    """Return the byte for each of 65,536 levels of light from 0 to `BRIGHTEST`, (65536,).

    Contrast, and in most pictures highlights that are rolled off rather than cut, and blacks that
    are not quite black.
    """
    light = np.linspace(0, BRIGHTEST, 4096) ** rng.uniform(0.75, 1.25) * rng.uniform(0.9, 1.1)
    if rng.random() < 0.65:
        knee = rng.uniform(0.45, 0.9)
        rolled = knee + (1 - knee) * (1 - np.exp((knee - light) / (1 - knee)))
        light = np.where(light > knee, rolled, light)
    black = rng.uniform(0, 0.06) if rng.random() < 0.4 else 0.0
    bytes_ = np.clip((black + (1 - black) * light) * 255, 0, 255).round().astype(np.uint8)
    return np.repeat(bytes_, 16)


def _blur(rng: np.random.Generator, picture: Array) -> Array:
    kind = rng.random()
    if kind < 0.12:
        return np.asarray(shallow_focus(rng, picture), np.float32)
    if kind < 0.45:
        sigma = rng.uniform(SHARPEST_PX[0], 1.6)
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma, dst=picture), np.float32)
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
        back = cv2.resize(small, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC, dst=picture)
        return np.asarray(back, np.float32)
    # No lens is sharper.
    sigma = rng.uniform(*SHARPEST_PX)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma, dst=picture), np.float32)


def shallow_focus(rng: np.random.Generator, picture: MatLike) -> MatLike:
    """Blur what is nearer or farther than a line across the picture, as a phone close by does.

    Parameters
    ----------
    picture
        (h, w, 3), bytes or float32; what is returned is of the same kind.
    """
    height, width = picture.shape[:2]
    x = np.linspace(-0.5, 0.5, width // 8, dtype=np.float32)[None]
    y = np.linspace(-0.5, 0.5, height // 8, dtype=np.float32)[:, None]
    angle = rng.uniform(0, 2 * np.pi)
    away = np.abs(x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-0.4, 0.4))
    away = np.clip((away - rng.uniform(0, 0.2)) / 0.7, 0, 1).astype(np.float32) * 2
    sigma = rng.uniform(1.0, 3.5)
    blurred = cv2.GaussianBlur(picture, (0, 0), SHARPEST_PX[0])
    for level, part in enumerate((0.5, 1.0)):
        share = cv2.resize(np.clip(away - level, 0, 1), (width, height))
        layer = cv2.GaussianBlur(picture, (0, 0), sigma * part)
        blurred = cv2.blendLinear(layer, blurred, share, 1 - share)
    return blurred
