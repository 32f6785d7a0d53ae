"""What is done to a picture before the detector sees it: crop, turn, scale, light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.data import Labelled, clockwise, inside_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.types import Floats, Pixels

SMALLEST_TILE_PX, LARGEST_TILE_PX = 12.0, 240.0
SCALES = (0.3, 2.5)
SQUEEZED, NARROWEST = 0.4, 0.42
LEAST_VISIBLE = 0.38  # below it a tile is a sliver, and slivers are not tiles
GREY = 0.1  # share of the pictures that lose their colours


def random_view(rng: np.random.Generator, sample: Labelled, size_px: int) -> tuple[Pixels, Floats]:
    """Return a random square view of a picture and the quads of the tiles in it, (n, 4, 2)."""
    height, width = sample.pixels_bgr.shape[:2]
    scale = _random_scale(rng, sample, size_px)
    pixels, quads = sample.pixels_bgr, sample.quads_img
    if scale < 0.7:  # warping alone would alias
        smaller = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        pixels = np.asarray(smaller, np.uint8)
        quads = quads * np.float32(scale)
        height, width, scale = *pixels.shape[:2], 1.0
    focus = _focus(rng, quads, width, height)
    angle = rng.uniform(0, 360)
    turn = cv2.getRotationMatrix2D(focus, angle, scale)
    if rng.random() < SQUEEZED:
        turn[:, :2] = _squeeze(rng) @ turn[:, :2]
    if rng.random() < 0.5:  # a mirrored tile is still a tile, and the detector reads nothing
        turn[0] *= -1
    centre = turn @ np.array([*focus, 1])
    turn[:, 2] += size_px / 2 + rng.uniform(-0.2, 0.2, 2) * size_px - centre
    fill = tuple(int(v) for v in rng.integers(0, 256, 3))
    view = cv2.warpAffine(
        pixels, turn, (size_px, size_px), flags=cv2.INTER_LINEAR, borderValue=fill
    )
    moved = (quads.reshape(-1, 2) @ turn[:, :2].T + turn[:, 2]).reshape(-1, 4, 2)
    moved = clockwise(moved.astype(np.float32))  # a mirrored quad turns the other way
    keep = inside_share(moved, size_px, size_px) * sample.visible >= LEAST_VISIBLE
    return relight(rng, np.asarray(view, np.uint8)), moved[keep]


def _squeeze(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return (2, 2): a view from the side, from any side; squares come out as parallelograms."""
    angle = rng.uniform(0, np.pi)
    axes = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    squeezed: NDArray[np.float64] = axes @ np.diag([1, rng.uniform(NARROWEST, 1)]) @ axes.T
    return squeezed


def _random_scale(rng: np.random.Generator, sample: Labelled, size_px: int) -> float:
    # Mostly the picture fills the view; filler teaches nothing about tables.
    filling = 0.8 * size_px / min(sample.pixels_bgr.shape[:2])
    least = SCALES[0] if rng.random() < 0.2 else filling
    if len(sample.quads_img) == 0:
        return float(np.exp(rng.uniform(np.log(least), np.log(SCALES[1]))))
    sides = np.linalg.norm(sample.quads_img - np.roll(sample.quads_img, -1, 1), axis=-1)
    typical = float(np.median(sides.min(1)))
    wanted = np.exp(rng.uniform(*np.log((SMALLEST_TILE_PX, LARGEST_TILE_PX))))
    return float(np.clip(wanted / max(typical, 1.0), least, SCALES[1]))


def _focus(
    rng: np.random.Generator, quads: Floats, width: int, height: int
) -> tuple[float, float]:
    """Return a point to look at: mostly a tile, sometimes anywhere."""
    if len(quads) and rng.random() < 0.8:
        x, y = quads[int(rng.integers(len(quads)))].mean(0)
        return float(np.clip(x, 0, width)), float(np.clip(y, 0, height))
    return float(rng.uniform(0, width)), float(rng.uniform(0, height))


def relight(rng: np.random.Generator, pixels: Pixels, grey_share: float = GREY) -> Pixels:
    """Change colour balance, brightness, contrast and sharpness at random; a share goes grey."""
    if rng.random() < grey_share:
        grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
        pixels = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)
    gain = np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.08, 3))
    levels = np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.2))
    table = np.clip(levels[:, None] * gain * 255 + rng.normal(0, 6), 0, 255).astype(np.uint8)
    pixels = np.asarray(cv2.LUT(pixels, table[None]), np.uint8)
    if rng.random() < 0.15:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.5, 1.6)), np.uint8)
    return pixels
