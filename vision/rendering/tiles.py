"""Tiles on the canvas: side walls, and faces in perspective."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.arrays import lay_over
from vision.rendering.canvas import Canvas, pose_corners, pose_normal

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.boxes import TileBox
    from vision.rendering.faces import Face
    from vision.rendering.layouts import Pose

_SHARP: Final = 0.03  # corners rounder than this, of a tile's width, are drawn round
_SHARPNESS: Final = 1.3  # rows of a face's picture for one of the scene's
_ARC: Final = 4
_COARSE_PX: Final = 24.0  # in smaller tiles nobody sees it


def draw_tile(
    rng: np.random.Generator, canvas: Canvas, box: TileBox, pose: Pose, owner: int, dirt: float
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
    body_bgr = np.array(box.edition.body.colour[::-1], np.float32) / 255
    wide_px = hypot(*(face_img[1] - face_img[0]))
    rounded = _rounded(top, box.edition.body.corner) if wide_px > _COARSE_PX else top
    _draw_walls(canvas, body_bgr, rounded, box.thick, pose)
    _paint_face(rng, canvas, box.face(pose.name), pose, face_img, owner, dirt)


def _rounded(corners: Array, radius: float) -> Array:
    """Return the outline of a face with these corners, (n, 3), in the same direction."""
    if radius < _SHARP:
        return corners
    before = np.roll(corners, 1, axis=0) - corners
    after = np.roll(corners, -1, axis=0) - corners
    before /= np.linalg.norm(before, axis=1, keepdims=True)
    after /= np.linalg.norm(after, axis=1, keepdims=True)
    angle = np.linspace(0, np.pi / 2, _ARC)[None, :, None]
    inwards = before[:, None] * (1 - np.sin(angle)) + after[:, None] * (1 - np.cos(angle))
    return np.asarray((corners[:, None] + radius * inwards).reshape(-1, 3), np.float64)


def _draw_walls(canvas: Canvas, body_bgr: Array, top: Array, thick: float, pose: Pose) -> None:
    """Draw those parts of the side wall that look towards the camera."""
    normal = pose_normal(pose)
    face_img = canvas.camera.project(top)
    foot_img = canvas.camera.project(top - normal * thick)
    outwards = np.cross(np.roll(top, -1, axis=0) - top, normal)
    outwards /= np.linalg.norm(outwards, axis=1, keepdims=True)
    shades = 0.45 + 0.4 * np.maximum(outwards @ canvas.light_xyz, 0)
    towards = ((canvas.camera.eye - top) * outwards).sum(1) > 0
    for i in np.flatnonzero(towards):
        j = (i + 1) % len(top)
        side = np.array([foot_img[i], foot_img[j], face_img[j], face_img[i]])
        colour = [float(v) for v in body_bgr * shades[i]]
        polygon = (side * 16).astype(np.int32)
        cv2.fillConvexPoly(canvas.radiance, polygon, colour, cv2.LINE_AA, 4)
        cv2.fillConvexPoly(canvas.owner, side.astype(np.int32), 0)


def _paint_face(
    rng: np.random.Generator,
    canvas: Canvas,
    face: Face,
    pose: Pose,
    quad: Array,
    owner: int,
    dirt: float,
) -> None:
    size = canvas.size_px
    x0, y0 = (int(v) for v in np.clip(np.floor(quad.min(0)).astype(int) - 1, 0, size))
    x1, y1 = (int(v) for v in np.clip(np.ceil(quad.max(0)).astype(int) + 2, 0, size))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    tone = 1 + rng.normal(0, 0.02)
    clean = np.full((5, 5), tone, np.float32)
    if dirt > 0.02:
        clean *= 1 - np.float32(dirt) * 3 * rng.random((5, 5), dtype=np.float32)
    lit = _light(canvas, face.at_height(_height_px(quad) * _SHARPNESS), pose, clean)
    warped = _warp(lit, quad, (x0, y0), (x1 - x0, y1 - y0))
    alpha = lay_over(canvas.radiance[y0:y1, x0:x1], warped)
    canvas.owner[y0:y1, x0:x1][alpha > 0.5] = owner


def _light(canvas: Canvas, face: Face, pose: Pose, tone: Array) -> Array:
    """Return the face as the main lamp shades its relief, (h, w, 4): BGR times alpha, alpha.

    `tone`, of any size, says how bright it is from corner to corner.
    """
    sun = [[float(pose.right @ canvas.light_xyz), float(pose.down @ canvas.light_xyz)]]
    rise = np.asarray(cv2.transform(face.slope, np.array(sun) * -canvas.relief), np.float32)
    shade = np.clip(rise + 1, 0.3, 1.5)
    shade *= cv2.resize(tone, shade.shape[::-1])
    shade *= face.alpha
    lit = cv2.multiply(face.albedo_bgr, cv2.merge([shade] * 3))
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
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32) - 0.5
    target = (quad - origin).astype(np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(source, target)
    return np.asarray(cv2.warpPerspective(lit, warp, size, flags=cv2.INTER_LINEAR), np.float32)
