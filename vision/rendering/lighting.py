"""What the lamps do to tiles on a table: shadows beside them, glare upon them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, pose_corners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.arrays import Array
    from vision.rendering.layouts import Pose

_FINE_PX: Final = 4.0  # a blur of this many pixels is left of a wide one in its smaller copy


def cast_shadows(
    rng: np.random.Generator, canvas: Canvas, poses: Sequence[Pose], tall: float
) -> None:
    """Darken the table where tiles stand in the light, softly, and hard at their feet."""
    if not poses:
        return
    cast, contact = _footprints(canvas, poses, tall)
    side = np.diff(canvas.camera.project(pose_corners(poses[0], tall))[:2], axis=0)
    scale = float(np.linalg.norm(side))
    cast = soften(cast, max(scale * rng.uniform(0.02, 0.25), 0.5))
    contact = soften(contact, max(scale * 0.03, 0.5))
    dark = 1 - (1 - cast * rng.uniform(0.1, 0.65)) * (1 - contact * rng.uniform(0.1, 0.5))
    canvas.radiance *= 1 - dark[..., None]


def soften(mask: Array, sigma_px: float) -> Array:
    """Blur a mask, (h, w); a wide blur is done on a smaller copy, which nobody can tell."""
    factor = 2 ** max(0, int(np.log2(sigma_px / _FINE_PX)))
    if factor == 1:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma_px), np.float32)
    height, width = mask.shape
    least = (-(-width // factor), -(-height // factor))
    small = cv2.resize(mask, least, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma_px / factor)
    return np.asarray(cv2.resize(soft, (width, height)), np.float32)


def _footprints(canvas: Canvas, poses: Sequence[Pose], tall: float) -> tuple[Array, Array]:
    """Return masks of the cast shadows, and of the ground that tiles touch."""
    cast = np.zeros(canvas.owner.shape, np.float32)
    contact = np.zeros_like(cast)
    throw = canvas.light_xyz[:2] / max(canvas.light_xyz[2], 0.3)
    for pose in poses:
        corners = pose_corners(pose, tall)
        ground = corners.copy()
        ground[:, :2] -= throw * corners[:, 2:]
        ground[:, 2] = 0
        both = np.concatenate([ground, corners * (1, 1, 0)])
        hull = cv2.convexHull(canvas.camera.project(both).astype(np.float32))
        cv2.fillConvexPoly(cast, hull.astype(np.int32), 1.0)
        wide = (corners - corners.mean(0)) * 1.05 + corners.mean(0)
        feet = canvas.camera.project(wide * (1, 1, 0)).astype(np.int32)
        cv2.fillConvexPoly(contact, feet, 1.0)
    return cast, contact


def even_light(rng: np.random.Generator, size_px: int) -> Array:
    """Return the light of a well lit room, (size, size, 3): a slight fall, a slight tint."""
    y, x = np.mgrid[:size_px, :size_px].astype(np.float32) / size_px - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    fall = 1 + (x * np.cos(angle) + y * np.sin(angle)) * np.float32(rng.uniform(0, 0.3))
    warmth = rng.normal(0.03, 0.04)
    tint = np.array([1 - warmth, 1, 1 + warmth], np.float32)
    return np.asarray(fall[..., None] * tint, np.float32)


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
        total += soften(spot, rng.uniform(0.01, 0.05) * size) * np.float32(rng.uniform(0.3, 1.0))
    table = np.float32(rng.uniform(0, 0.5))
    return np.asarray(total * np.where(canvas.owner > 0, 0.6 + 0.4 * gloss, table), np.float32)


def glare(rng: np.random.Generator, canvas: Canvas, gloss: float) -> Array:
    """Return white light mirrored towards the camera: in patches, more on tiles than on cloth."""
    size = canvas.size_px
    spots = np.zeros((size, size), np.float32)
    if rng.random() < 0.45:
        return spots
    for _ in range(int(rng.integers(1, 4))):
        at = tuple(int(v) for v in rng.uniform(0, size, 2))
        axes = tuple(int(v) for v in rng.uniform(0.03, 0.3, 2) * size)
        cv2.ellipse(spots, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.1, 0.6), -1)
    soft = soften(spots, rng.uniform(0.02, 0.1) * size)
    table_gloss = rng.uniform(0, 0.8)
    on_tiles = np.where(canvas.owner > 0, np.float32(gloss), np.float32(table_gloss))
    return np.asarray(soft * on_tiles, np.float32)
