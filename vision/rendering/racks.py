"""The rack itself: the plastic or wooden steps that tiles lean on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import rectangle
from vision.rendering.canvas import Canvas, pose_normal
from vision.rendering.faces import WORDMARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.arrays import Array
    from vision.rendering.layouts import Pose

# Black plastic, wood, and the odd coloured rack, BGR.
MATERIALS = ((0.07, 0.06, 0.06), (0.2, 0.33, 0.5), (0.1, 0.17, 0.3), (0.45, 0.25, 0.1))


def leans(pose: Pose) -> bool:
    """Whether a tile stands on a rack rather than lying on the table."""
    return abs(float(pose.down[2])) > 0.1


def material(rng: np.random.Generator) -> Array:
    """Return the colour of a rack, (3,) BGR."""
    colour = np.array(MATERIALS[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))])
    return np.asarray(np.clip(colour * rng.uniform(0.6, 1.5), 0, 1), np.float32)


@dataclass(frozen=True, slots=True)
class Rack:
    """What a rack is made of.

    Attributes
    ----------
    colour
        (3,) BGR.
    margin
        How far its steps reach beyond the tiles, in tile widths.
    word
        What is moulded into the front of each step; "" for nothing.
    relief
        How much lighter or darker than the rest the flanks of the letters are.
    """

    colour: Array
    margin: float
    word: str = ""
    relief: float = 0.0


def random_rack(rng: np.random.Generator) -> Rack:
    """Return a rack of any material, with a maker's name on most."""
    word = str(rng.choice(WORDMARKS)) if rng.random() < 0.6 else ""
    return Rack(material(rng), rng.uniform(0.05, 1.5), word, rng.uniform(0.15, 1.4))


def draw_step(canvas: Canvas, tier: Sequence[Pose], tall: float, thick: float, rack: Rack) -> None:
    """Draw the step that one tier of tiles leans on, over what lies behind it."""
    first = tier[0]
    spots = [float((pose.centre - first.centre) @ first.right) for pose in tier]
    ends = np.array([min(spots) - 0.5 - rack.margin, max(spots) + 0.5 + rack.margin])
    behind = first.centre - pose_normal(first) * thick
    foot = behind + first.down * tall / 2
    sides = foot + ends[:, None] * first.right
    up, drop = -first.down * tall * 0.45, np.array([0, 0, -0.5 * tall])
    lip = sides + pose_normal(first) * thick * 1.15
    _fill(canvas, [sides[0] + up, sides[1] + up, sides[1], sides[0]], rack.colour * 0.8)
    _fill(canvas, [sides[0], sides[1], lip[1], lip[0]], rack.colour * 1.2)
    front = [lip[0], lip[1], lip[1] + drop, lip[0] + drop]
    _fill(canvas, front, rack.colour * 0.6)
    if rack.word:
        _mould(canvas, front, rack)


def _mould(canvas: Canvas, front: list[Array], rack: Rack) -> None:
    """Press the maker's name into the front of a step, near its left end or in its middle."""
    long, high = (float(np.linalg.norm(front[i] - front[0])) for i in (1, 3))
    tall_px = 48
    mask = np.zeros((tall_px, max(round(tall_px * long / high), 8)), np.uint8)
    scale = 1.1
    (wide_px, _), _ = cv2.getTextSize(rack.word, cv2.FONT_HERSHEY_TRIPLEX, scale, 2)
    left = min(tall_px // 3, max((mask.shape[1] - wide_px) // 2, 0))
    cv2.putText(mask, rack.word, (left, 36), cv2.FONT_HERSHEY_TRIPLEX, scale, 255, 2, cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32) / 255
    flanks = cv2.Sobel(soft, cv2.CV_32F, 0, 1) * rack.relief
    wide = mask.shape[1]
    source = rectangle(0, 0, wide, tall_px)
    target = canvas.camera.project(np.array(front)).astype(np.float32)
    if _unseen(canvas, target):
        return
    low = np.clip(np.floor(target.min(0)).astype(int), 0, canvas.size_px)
    high = np.clip(np.ceil(target.max(0)).astype(int) + 1, 0, canvas.size_px)
    if (high - low < 1).any():
        return
    warp = cv2.getPerspectiveTransform(source, target - low.astype(np.float32))
    shown = cv2.warpPerspective(flanks, warp, tuple(int(v) for v in high - low))
    region = canvas.radiance[low[1] : high[1], low[0] : high[0]]
    region += shown[..., None] * (rack.colour * 0.6 + 0.12)
    np.clip(region, 0, None, out=region)


def _fill(canvas: Canvas, corners: list[Array], colour: Array) -> None:
    polygon = canvas.camera.project(np.array(corners)).astype(np.float32)
    if _unseen(canvas, polygon):
        return
    shade = [float(value) for value in colour]
    cv2.fillConvexPoly(canvas.radiance, (polygon * 16).astype(np.int32), shade, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(canvas.owner, polygon.astype(np.int32), 0)


def _unseen(canvas: Canvas, polygon: Array) -> bool:
    """Whether a polygon lies behind the lens or is turned away."""
    behind_the_lens = np.abs(polygon).max() > 30 * canvas.size_px
    return bool(behind_the_lens or cv2.contourArea(polygon, oriented=True) <= 0)
