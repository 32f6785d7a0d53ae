"""What is done to a picture before the detector sees it: crop, turn, scale, light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import clockwise, shortest_sides
from vision.rendering.photograph import shallow_focus
from vision.rendering.shading import in_shade, like_the_table, sky_light, slats
from vision.training.data import Labelled, inside_share

if TYPE_CHECKING:
    from vision.types import Floats, Pixels, Reals

SMALLEST_TILE_PX, LARGEST_TILE_PX = 12.0, 240.0
SCALES = (0.3, 2.5)
# Share of the views from the side, and how short those make what they make shortest.
TILTED, FLATTEST = 0.5, 0.36
UNTILTED = 0.7  # area of a tile seen from above, over its longer side's square
# Sides of the view from its focus to the horizon, and to the camera; depths over the focus's.
HORIZON, NEAREST, LEAST_DEPTH = (1.0, 8.0), 0.8, 0.25
LEAST_VISIBLE = 0.38  # below it a tile is a sliver, and slivers are not tiles
GREY = 0.1  # share of the pictures that lose their colours
RECOLOURED, VIVIDNESS = 0.2, (0.5, 1.6)  # share of those whose colours pale or shine
VEILED, VEIL, VEIL_LEVEL = 0.12, (0.1, 0.5), (0.5, 1.0)  # a window mirrored in the lens
# Share of the views that hard shadows fall across, and how soft their edges are, px.
SHADOWED, EDGE = 0.25, (0.4, 6.0)
STRIPES, STRIPE, CASTERS = 0.5, (0.05, 0.4), (1, 4)  # of a blind, parts of the side; things
SHALLOW = 0.2  # share of the views that are sharp along a line across them only
# Share of the views whose tiles look like the table, how much, and how much of them is seen.
ALIKE, LIKENESS, MOSTLY = 0.15, (0.3, 0.9), 0.6


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
    if rng.random() < ALIKE:
        whole = quads[sample.visible >= MOSTLY]
        pixels = like_the_table(pixels, whole, rng.uniform(*LIKENESS))
    focus = _focus(rng, quads, width, height)
    angle = rng.uniform(0, 360)
    turn = cv2.getRotationMatrix2D(focus, angle, scale)
    if rng.random() < 0.5:  # a mirrored tile is still a tile, and the detector reads nothing
        turn[0] *= -1
    turn[:, 2] -= turn @ np.array([*focus, 1])
    tilt = _tilt(rng, size_px, _flatness(quads)) if rng.random() < TILTED else np.eye(3)
    shift = np.eye(3)
    shift[:2, 2] = size_px / 2 + rng.uniform(-0.2, 0.2, 2) * size_px
    warp = shift @ tilt @ np.array([*turn, (0, 0, 1)])
    fill = tuple(int(v) for v in rng.integers(0, 256, 3))
    view = cv2.warpPerspective(
        pixels, warp, (size_px, size_px), flags=cv2.INTER_LINEAR, borderValue=fill
    )
    placed = np.concatenate([quads, np.ones_like(quads[..., :1])], 2) @ warp.T
    seen = (placed[..., 2] > LEAST_DEPTH).all(1)
    moved = placed[seen, :, :2] / placed[seen, :, 2:]
    moved = clockwise(moved.astype(np.float32))  # a mirrored quad turns the other way
    visible = inside_share(moved, size_px, size_px) * sample.visible[seen]
    shown = np.asarray(view, np.uint8)
    if rng.random() < SHADOWED:
        shown = in_hard_shadow(rng, shown)
    if rng.random() < SHALLOW:
        shown = np.asarray(shallow_focus(rng, shown), np.uint8)
    return relight(rng, shown), moved[visible >= LEAST_VISIBLE]


def _flatness(quads: Floats) -> float:
    """Return how much of their height the tiles of a picture have, 1 if seen from above."""
    if len(quads) == 0:
        return 1.0
    longest = np.linalg.norm(quads - np.roll(quads, -1, 1), axis=2).max(1)
    areas = np.array([cv2.contourArea(quad) for quad in quads])
    return float(np.clip(np.median(areas / longest**2) / UNTILTED, FLATTEST, 1))


def _tilt(rng: np.random.Generator, size_px: int, flatness: float) -> Reals:
    """Return (3, 3): the plane seen from the side, from any side, in perspective.

    Squares come out slanted, as the tiles of a rack do that is seen along its rows. What is flat
    already is made no flatter than anything else.
    """
    least = FLATTEST / flatness
    angle, flat = rng.uniform(0, 2 * np.pi), least + (1 - least) * rng.random() ** 2
    axes = np.eye(3)
    axes[:2, :2] = (np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))
    tilted = np.diag([1, flat, 1])
    # The horizon stays outside the view: beyond it the warp would show the table once more.
    horizon = float(np.exp(rng.uniform(*np.log(HORIZON))))
    tilted[2, 1] = min(flat / horizon, np.sqrt(1 - flat**2) / NEAREST) / size_px
    turned: Reals = axes @ tilted @ axes.T
    return turned


def _random_scale(rng: np.random.Generator, sample: Labelled, size_px: int) -> float:
    # Mostly the picture fills the view; filler teaches nothing about tables.
    filling = 0.8 * size_px / min(sample.pixels_bgr.shape[:2])
    least = SCALES[0] if rng.random() < 0.2 else filling
    if len(sample.quads_img) == 0:
        return float(np.exp(rng.uniform(np.log(least), np.log(SCALES[1]))))
    typical = float(np.median(shortest_sides(sample.quads_img)))
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


def in_hard_shadow(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Let the sun or one lamp throw shadows with hard edges across a picture.

    Of a blind's slats, or of things and people beside the table.
    """
    height, width = pixels.shape[:2]
    if rng.random() < STRIPES:
        angle, every_px = rng.uniform(0, np.pi), rng.uniform(*STRIPE) * width
        shade = slats((width, height), angle, every_px, rng.random(), rng.uniform(0.3, 0.7))
    else:
        shade = np.zeros((height, width), np.uint8)
        for _ in range(int(rng.integers(*CASTERS))):
            hull = cv2.convexHull(rng.uniform(-0.3, 1.3, (4, 2)).astype(np.float32))
            cv2.fillConvexPoly(shade, np.rint(hull * (width, height)).astype(np.int32), 255)
    soft = cv2.GaussianBlur(shade, (0, 0), float(np.exp(rng.uniform(*np.log(EDGE)))))
    return in_shade(pixels, soft, sky_light(rng))


def relight(rng: np.random.Generator, pixels: Pixels, grey_share: float = GREY) -> Pixels:
    """Change colours, brightness, contrast and sharpness at random; a share goes grey."""
    grey = rng.random() < grey_share
    if grey or rng.random() < RECOLOURED:
        pixels = _recoloured(pixels, 0.0 if grey else rng.uniform(*VIVIDNESS))
    gain = np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.08, 3))
    levels = (np.linspace(0, 1, 256) ** np.exp(rng.normal(0, 0.2)))[:, None] * gain
    if rng.random() < VEILED:
        veil = rng.uniform(*VEIL)
        levels = levels * (1 - veil) + veil * rng.uniform(*VEIL_LEVEL)
    table = np.clip(levels * 255 + rng.normal(0, 6), 0, 255).astype(np.uint8)
    pixels = np.asarray(cv2.LUT(pixels, table[None]), np.uint8)
    if rng.random() < 0.15:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.5, 1.6)), np.uint8)
    return pixels


def _recoloured(pixels: Pixels, vividness: float) -> Pixels:
    """Move a picture's colours that many times as far from grey as they are."""
    grey = cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(pixels, vividness, grey, 1 - vividness, 0), np.uint8)
