"""What the lamps do to a table: light on it, shadows beside the tiles, glare upon them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.quads import rectangle
from vision.rendering.arrays import dim
from vision.rendering.canvas import Canvas, pose_corners
from vision.rendering.shading import GAMMA, sky_light, slats
from vision.rendering.tables import fractal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cv2.typing import MatLike

    from vision.rendering.arrays import Array
    from vision.rendering.layouts import Pose
    from vision.types import Pixels

GLARE_BLUR: Final = (0.04, 0.14)  # of the picture's side
_SPOT_SHARE: Final = 4
# How far apart the bars of windows and blinds throw their shadows, and how soft the edges are, in
# parts of the picture's side; the sun's tint (blue, green, red), and how bright it is at most.
BARS, BAR_EDGE = (0.06, 2.0), (0.0006, 0.006)
SUN: Final = np.array((0.88, 1.0, 1.06))
BRIGHTEST: Final = 1.25
_FINE_PX: Final = 2.0  # a blur of this many pixels is left of a wide one in its smaller copy


def cast_shadows(
    rng: np.random.Generator, canvas: Canvas, poses: Sequence[Pose], tall: float
) -> None:
    """Darken the table where tiles stand in the light, softly, and hard at their feet."""
    if not poses:
        return
    cast, contact = _footprints(canvas, poses, tall)
    side = np.diff(canvas.camera.project(pose_corners(poses[0], tall))[:2], axis=0)
    scale = float(np.linalg.norm(side))
    thrown = soften(cast, max(scale * rng.uniform(0.02, 0.25), 0.5))
    touched = soften(contact, max(scale * 0.03, 0.5))
    light = cv2.addWeighted(thrown, -rng.uniform(0.1, 0.65), thrown, 0, 255)
    here = cv2.addWeighted(touched, -rng.uniform(0.1, 0.5), touched, 0, 255)
    dim(canvas.radiance, cv2.multiply(light, here, dst=light, scale=1 / 255))


def soften(mask: MatLike, sigma_px: float) -> MatLike:
    """Blur a mask, (h, w); a wide blur is done on a smaller copy, which nobody can tell."""
    factor = 2 ** max(0, int(np.log2(sigma_px / _FINE_PX)))
    if factor == 1:
        return cv2.GaussianBlur(mask, (0, 0), sigma_px)
    height, width = mask.shape
    least = (-(-width // factor), -(-height // factor))
    small = cv2.resize(mask, least, interpolation=cv2.INTER_AREA)
    # Making it smaller and larger again blurs, too.
    soft = cv2.GaussianBlur(small, (0, 0), float(np.sqrt((sigma_px / factor) ** 2 - 0.25)))
    return cv2.resize(soft, (width, height))


def _footprints(canvas: Canvas, poses: Sequence[Pose], tall: float) -> tuple[Pixels, Pixels]:
    """Return masks, 0 or 255, of the cast shadows, and of the ground that tiles touch."""
    cast = np.zeros(canvas.owner.shape, np.uint8)
    contact = np.zeros_like(cast)
    throw = canvas.light_xyz[:2] / max(canvas.light_xyz[2], 0.3)
    for pose in poses:
        corners = pose_corners(pose, tall)
        ground = corners.copy()
        ground[:, :2] -= throw * corners[:, 2:]
        ground[:, 2] = 0
        both = np.concatenate([ground, corners * (1, 1, 0)])
        hull = cv2.convexHull(canvas.camera.project(both).astype(np.float32))
        cv2.fillConvexPoly(cast, hull.astype(np.int32), 255)
        wide = (corners - corners.mean(0)) * 1.05 + corners.mean(0)
        feet = canvas.camera.project(wide * (1, 1, 0)).astype(np.int32)
        cv2.fillConvexPoly(contact, feet, 255)
    return cast, contact


def lamps(rng: np.random.Generator, size_px: int) -> Array:
    """Light falling on the table, (size, size, 3) float32 BGR, about 1: two lamps and shadows."""
    coarse = max(size_px // 3, 64)  # light changes slowly
    light = _light_field(rng, coarse)
    return np.asarray(cv2.resize(light, (size_px, size_px)), np.float32)


def _light_field(rng: np.random.Generator, size_px: int) -> Array:
    x = np.arange(size_px, dtype=np.float32)[None] / np.float32(size_px) - np.float32(0.5)
    y = x.T
    angle = rng.uniform(0, 2 * np.pi)
    ramp = (x * np.cos(angle) + y * np.sin(angle)) * rng.uniform(0.3, 2)
    ramp = np.clip(ramp + 0.5, 0, 1).astype(np.float32)
    near, change = lamp_colour(rng), lamp_colour(rng) - lamp_colour(rng)
    strength = 1 + (ramp - 0.5) * np.float32(rng.uniform(-0.5, 0.5))
    if rng.random() < 0.45:  # the shadow of a head, a phone or a window bar
        edge = fractal(rng, size_px, 1.5, 2) + (x * np.cos(angle) - y * np.sin(angle)) * 0.6
        blade = np.clip((edge - rng.uniform(0.3, 0.7)) / rng.uniform(0.01, 0.2), 0, 1)
        strength = strength * (1 - blade * rng.uniform(0.15, 0.6))
    if rng.random() < 0.5:
        strength = strength * (1 - (x**2 + y**2) * rng.uniform(0, 1.2))
    colours = [(ramp * change[i] + near[i]) * strength for i in range(3)]
    return np.asarray(np.clip(cv2.merge(colours), 0.05, 2), np.float32)


def lamp_colour(rng: np.random.Generator) -> Array:
    """Return one lamp's BGR: from a candle's orange over daylight to a screen's blue."""
    warmth = rng.normal(0.05, 0.16)
    tint = rng.normal(0, 0.03)
    bgr = np.array([1 - warmth * 1.3, 1 - abs(warmth) * 0.2 + tint, 1 + warmth * 0.7])
    return np.asarray(np.clip(bgr, 0.25, 1.6), np.float32)


def even_light(rng: np.random.Generator, size_px: int) -> Array:
    """Return the light of a well lit room, (size, size, 3): a slight fall, a slight tint."""
    y, x = np.mgrid[:size_px, :size_px].astype(np.float32) / size_px - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    fall = 1 + (x * np.cos(angle) + y * np.sin(angle)) * np.float32(rng.uniform(0, 0.3))
    warmth = rng.normal(0.03, 0.04)
    tint = np.array([1 - warmth, 1, 1 + warmth], np.float32)
    return np.asarray(fall[..., None] * tint, np.float32)


def sunlight(rng: np.random.Generator, size_px: int) -> Array:
    """Return the sun through a window, (size, size, 3): hard shadows of its bars, or of one edge.

    Where they fall there is only the light of the sky.
    """
    every_px, edge_px = (np.exp(rng.uniform(*np.log(r))) * size_px for r in (BARS, BAR_EDGE))
    bars = slats(
        (size_px, size_px), rng.uniform(0, np.pi), every_px, rng.random(), rng.uniform(0.3, 0.7)
    )
    shade = cv2.GaussianBlur(bars, (0, 0), edge_px)[..., None] / np.float32(255)
    sky = sky_light(rng) ** (1 / GAMMA)
    sun = SUN * rng.uniform(1, BRIGHTEST)
    return np.asarray(even_light(rng, size_px) * (shade * sky + (1 - shade) * sun), np.float32)


def no_glare(rng: np.random.Generator, canvas: Canvas, gloss: float) -> Array:
    """Return no light mirrored: lamps with a shade, or a window at one's back."""
    del rng, gloss
    return np.zeros(canvas.owner.shape, np.float32)


def washout(rng: np.random.Generator, canvas: Canvas, gloss: float) -> Array:
    """Return the mirror image of lamps in glossy tiles, strong enough to hide their ink."""
    size = canvas.size_px
    total = np.zeros((size, size), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        spot = np.zeros((size, size), np.float32)
        at = tuple(int(v) for v in rng.uniform(0.1, 0.9, 2) * size)
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.18, 2) * size)
        cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, 1.0, -1, cv2.LINE_AA)
        soft = soften(spot, rng.uniform(0.01, 0.05) * size)
        cv2.scaleAdd(soft, rng.uniform(0.3, 1.0), total, dst=total)
    return _mirrored(canvas, total, 0.6 + 0.4 * gloss, rng.uniform(0, 0.5))


def glare(rng: np.random.Generator, canvas: Canvas, gloss: float) -> Array:
    """Return white light mirrored towards the camera: in patches, more on tiles than on cloth."""
    size = canvas.size_px
    small = max(size // _SPOT_SHARE, 16)  # spots are so soft that nobody can tell
    spots = np.zeros((small, small), np.float32)
    if rng.random() < 0.45:
        return np.zeros((size, size), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = tuple(int(v) for v in rng.uniform(0, small, 2))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.3, 2) * small)
        cv2.ellipse(spots, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.1, 0.6), -1)
    soft = soften(spots, rng.uniform(*GLARE_BLUR) * small)
    if rng.random() < 0.2:
        soft = cv2.max(soft, soften(_window(rng, small), rng.uniform(0.5, 3)))
    wide = np.asarray(cv2.resize(soft, (size, size)), np.float32)
    return _mirrored(canvas, wide, gloss, rng.uniform(0, 0.8))


def _window(rng: np.random.Generator, size_px: int) -> Array:
    """Return a window with bars, mirrored, (size, size)."""
    panes = np.full((2 * int(rng.integers(1, 3)) + 1, 5), np.float32(rng.uniform(0.15, 0.6)))
    panes[1::2] = panes[:, 1::2] = 0
    panes = np.repeat(np.repeat(panes, 4, axis=0), 4, axis=1)
    high, wide = panes.shape
    source = rectangle(0, 0, wide, high)
    turn = rng.uniform(0, 2 * np.pi)
    across = np.array([np.cos(turn), np.sin(turn)]) * rng.uniform(0.1, 0.4)
    down = np.array([-across[1], across[0]]) * rng.uniform(0.5, 1.5)
    corners = np.array([-across - down, across - down, across + down, down - across]) / 2
    corners += rng.uniform(0, 1, 2) + rng.normal(0, 0.02, (4, 2))
    warp = cv2.getPerspectiveTransform(source, (corners * size_px).astype(np.float32))
    return np.asarray(cv2.warpPerspective(panes, warp, (size_px, size_px)), np.float32)


def _mirrored(canvas: Canvas, light: Array, tiles: float, table: float) -> Array:
    """Return how much of a light, (h, w), tiles and table throw back; the light is used up."""
    shares = np.full(256, table, np.float32)
    shares[1] = tiles
    on_tiles = (canvas.owner > 0).view(np.uint8)
    return np.asarray(cv2.multiply(light, cv2.LUT(on_tiles, shares), dst=light), np.float32)
