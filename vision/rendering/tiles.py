"""Tiles on the canvas: side walls, and faces in perspective."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.quads import rectangle
from vision.rendering.arrays import bgr, dim, lay_over
from vision.rendering.canvas import Canvas, pose_corners, pose_normal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.rendering.arrays import Array
    from vision.rendering.boxes import TileBox
    from vision.rendering.faces import Face
    from vision.rendering.layouts import Pose
    from vision.types import Pixels

DIRTIEST: Final = 0.12
YELLOWEST: Final = 0.35
_CLEAN: Final = 0.01
_FINE_BITS: Final = 4  # of a pixel, in which corners of walls are given
_FOOT: Final = 0.85  # how bright a wall is near the table
_SHARP: Final = 0.03  # corners rounder than this, of a tile's width, are drawn round
_SHARPNESS: Final = 1.3  # rows of a face's picture for one of the scene's
_FINE_PX: Final = 100.0  # in larger tiles everybody would see corners in the roundings
_COARSE_PX: Final = 24.0  # in smaller tiles nobody sees it


@dataclass(frozen=True, slots=True)
class Wear:
    """What years have done to a set; every tile has had its own share of it.

    Attributes
    ----------
    dirt
        How dark its smudges are, and how many specks and scratches it has, 0 to `DIRTIEST`.
    yellow
        How much of the blue light it has come to swallow, 0 to `YELLOWEST`.
    """

    dirt: float = 0.0
    yellow: float = 0.0


NEW: Final = Wear()


def random_wear(rng: np.random.Generator) -> Wear:
    """Return the wear of any set: most are clean and white, a few dirty or yellowed."""
    yellow = rng.uniform(0, YELLOWEST) if rng.random() < 0.2 else 0.0
    return Wear(DIRTIEST * rng.random() ** 3, yellow)


def draw_tile(
    rng: np.random.Generator,
    canvas: Canvas,
    box: TileBox,
    pose: Pose,
    owner: int,
    wear: Wear = NEW,
) -> None:
    """Draw one tile over what is there, unless it lies outside the picture."""
    top = pose_corners(pose, box.tall)
    bottom = top - pose_normal(pose) * box.thick
    face_img = canvas.camera.project(top)
    foot_img = canvas.camera.project(bottom)
    size = canvas.size_px
    low, high = np.minimum(face_img, foot_img).min(0), np.maximum(face_img, foot_img).max(0)
    if (high < 0).any() or (low >= size).any() or np.ptp(face_img) > 6 * size:
        return
    aged = tint(wear.yellow * rng.uniform(0.6, 1.0))
    body_bgr = bgr(box.edition.body.colour) * aged
    wide_px = hypot(*(face_img[1] - face_img[0]))
    rounded = _rounded(top, box.edition.body.corner, wide_px)
    draw_walls(canvas, body_bgr, rounded, box.thick, pose)
    height_px = _height_px(face_img) * _SHARPNESS
    face = box.face(pose.name).at_height(height_px)
    tone = smudges(rng, wear.dirt, face.alpha.shape)
    lit = _light(canvas, face, pose, tone, aged)
    _paint_face(canvas, lit, face_img, owner)


def tint(yellow: float) -> Array:
    """Return what is left of blue, green and red light."""
    return np.array([1 - yellow, 1 - 0.25 * yellow, 1], np.float32)


def smudges(rng: np.random.Generator, dirt: float, shape: tuple[int, ...]) -> Array:
    """Return how bright a face is from place to place, (h, w): smudges, specks and scratches."""
    tone = np.float32(1 + rng.normal(0, 0.02))
    if dirt < _CLEAN:
        return np.full(shape, tone, np.float32)
    height, width = shape
    coarse = tone * (1 - np.float32(dirt) * 2 * rng.random((5, 5), dtype=np.float32))
    shade = np.asarray(cv2.resize(coarse, (width, height)), np.float32)
    for _ in range(int(rng.poisson(dirt * 60))):
        at = rng.uniform(0, 1, 2) * (width, height)
        long = rng.normal(0, 0.08 if rng.random() < 0.5 else 0.004, 2) * height
        ends = [tuple(int(v) for v in at + side * long) for side in (0, 1)]
        dark = float(tone) * rng.uniform(0.72, 0.97)
        cv2.line(shade, ends[0], ends[1], dark, max(1, height // 128))
    return shade


def _rounded(corners: Array, radius: float, wide_px: float) -> Array:
    """Return the outline of a face with these corners, (n, 3), in the same direction."""
    if radius < _SHARP or wide_px < _COARSE_PX:
        return corners
    before = np.roll(corners, 1, axis=0) - corners
    after = np.roll(corners, -1, axis=0) - corners
    before /= np.linalg.norm(before, axis=1, keepdims=True)
    after /= np.linalg.norm(after, axis=1, keepdims=True)
    angle = np.linspace(0, np.pi / 2, 3 if wide_px < _FINE_PX else 5)[None, :, None]
    inwards = before[:, None] * (1 - np.sin(angle)) + after[:, None] * (1 - np.cos(angle))
    return np.asarray((corners[:, None] + radius * inwards).reshape(-1, 3), np.float64)


def draw_walls(canvas: Canvas, body_bgr: Array, top: Array, thick: float, pose: Pose) -> None:
    """Draw those parts of the side wall that look towards the camera."""
    normal = pose_normal(pose)
    face_img = canvas.camera.project(top)
    foot_img = canvas.camera.project(top - normal * thick)
    outwards = np.cross(np.roll(top, -1, axis=0) - top, normal)
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    towards = np.flatnonzero(((canvas.camera.eye - top) * outwards).sum(1) > 0)
    outline = np.concatenate([face_img, foot_img]).astype(np.float32)
    hull = np.asarray(cv2.convexHull(outline)[:, 0], np.float32)
    box = _window(canvas, hull)
    if box is None or not len(towards):
        return
    low = np.array([box[1].start, box[0].start])
    shades = canvas.ambient + (0.92 - canvas.ambient) * np.maximum(outwards @ canvas.light_xyz, 0)
    sheet = np.empty((box[0].stop - low[1], box[1].stop - low[0], 3), np.uint8)
    sheet[:] = np.clip(body_bgr * shades[towards].mean() * 255, 0, 255)
    for i in towards:
        ends = [i, (i + 1) % len(top)]
        _draw_wall(sheet, face_img[ends] - low, foot_img[ends] - low, body_bgr * shades[i])
    mask = np.zeros(sheet.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, _fine(hull - low), 255, cv2.LINE_AA, _FINE_BITS)
    region = canvas.radiance[box]
    dim(region, cv2.bitwise_not(mask))
    walls = cv2.multiply(sheet, cv2.merge([mask] * 3), scale=255**-2, dtype=cv2.CV_32F)
    cv2.add(region, walls, dst=region)
    canvas.owner[box][mask > 127] = 0


def _draw_wall(sheet: Pixels, upper: Array, lower: Array, bgr: Array) -> None:
    """Draw a piece of wall between its upper and lower ends, (2, 2) each, darker at its foot."""
    for foot, part in ((lower, _FOOT), ((upper + lower) / 2, 1.0)):
        colour = [float(v) for v in np.clip(bgr * part * 255, 0, 255)]
        side = _fine(np.array([foot[0], foot[1], upper[1], upper[0]]))
        cv2.fillConvexPoly(sheet, side, colour, cv2.LINE_AA, _FINE_BITS)


def _fine(points: Array) -> NDArray[np.int32]:
    return (points * 2**_FINE_BITS).astype(np.int32)


def _window(canvas: Canvas, outline: Array) -> tuple[slice, slice] | None:
    """Return the part of the canvas that an outline, (n, 2), needs; None if it is next to none."""
    size = canvas.size_px
    x0, y0 = (int(v) for v in np.clip(np.floor(outline.min(0)).astype(int) - 1, 0, size))
    x1, y1 = (int(v) for v in np.clip(np.ceil(outline.max(0)).astype(int) + 2, 0, size))
    return None if x1 - x0 < 2 or y1 - y0 < 2 else (slice(y0, y1), slice(x0, x1))


def _paint_face(canvas: Canvas, lit: Array, quad: Array, owner: int) -> None:
    box = _window(canvas, quad)
    if box is None:
        return
    rows, columns = box
    size = (columns.stop - columns.start, rows.stop - rows.start)
    warped = _warp(lit, quad, (columns.start, rows.start), size)
    alpha = lay_over(canvas.radiance[box], warped)
    canvas.owner[box][alpha > 0.5] = owner


def _light(canvas: Canvas, face: Face, pose: Pose, tone: Array, aged: Array) -> Array:
    """Return the face as the main lamp shades its relief, (h, w, 4): BGR times alpha, alpha.

    `tone`, (h, w), says how bright it is from place to place, `aged`, (3,), of which colour.
    """
    sun = [[float(pose.right @ canvas.light_xyz), float(pose.down @ canvas.light_xyz)]]
    rise = np.asarray(cv2.transform(face.slope, np.array(sun) * -canvas.relief), np.float32)
    shade = np.clip(rise + 1, 0.3, 1.5)
    shade *= tone
    shade *= face.alpha
    lit = cv2.multiply(face.albedo_bgr, cv2.merge([shade * channel for channel in aged]))
    return np.asarray(cv2.merge([lit, face.alpha]), np.float32)


def _height_px(quad: Array) -> float:
    return max(hypot(*(quad[3] - quad[0])), hypot(*(quad[2] - quad[1])), 8.0)


def _warp(lit: Array, quad: Array, origin: tuple[int, int], size: tuple[int, int]) -> Array:
    """Return the window of `size` at `origin` of the picture, with the face laid on `quad`."""
    shrink = min(1.0, _SHARPNESS * _height_px(quad) / lit.shape[0])
    if shrink < 0.8:  # warping alone would alias
        smaller = cv2.resize(lit, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        lit = np.asarray(smaller, np.float32)
    h, w = lit.shape[:2]
    # Pixel centres: the outline of an image runs from -0.5 to its size - 0.5.
    source = rectangle(0, 0, w, h) - 0.5
    target = (quad - origin).astype(np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, target)
    return np.asarray(cv2.warpPerspective(lit, warp, size, flags=cv2.INTER_LINEAR), np.float32)
