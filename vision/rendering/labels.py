"""What is known of every rendered tile: face, place, and how much of it can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, pose_corners

if TYPE_CHECKING:
    from vision.rendering.arrays import Array, Mask
    from vision.rendering.layouts import Pose
    from vision.types import Floats

# Where numbers and joker faces stand, as parts of the face.
NUMBER_ZONE = np.array([(0.15, 0.1), (0.85, 0.1), (0.85, 0.62), (0.15, 0.62)], np.float32)


@dataclass(frozen=True, slots=True)
class Label:
    """What is known of one rendered tile.

    Attributes
    ----------
    name
        Its face; never a back.
    quad_img
        (4, 2) float32, pixels, clockwise from the upright top left; may leave the picture.
    visible
        Share of the face that can be seen, 0 to 1.
    number_visible
        Share of the part with the number that can be seen, 0 to 1.
    group
        Number of the set it belongs to.
    """

    name: str
    quad_img: Floats
    visible: float
    number_visible: float
    group: int = 0


def label_tile(canvas: Canvas, pose: Pose, owner: int, tall: float) -> Label | None:
    """Measure how much of a tile can be seen; None if nothing of it can."""
    quad = canvas.camera.project(pose_corners(pose, tall)).astype(np.float32)
    if cv2.contourArea(quad, oriented=True) <= 0:  # seen from behind
        return None
    mine = canvas.owner == owner
    if not mine.any():
        return None
    visible = _share(mine, quad)
    warp = cv2.getPerspectiveTransform(
        np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), quad
    )
    zone = np.asarray(cv2.perspectiveTransform(NUMBER_ZONE[None], warp)[0], np.float32)
    return Label(pose.name, quad, visible, _share(mine, zone), pose.group)


def _share(mine: Mask, polygon: Array) -> float:
    """Share of a polygon's area (which may leave the picture) that belongs to the tile."""
    area = cv2.contourArea(polygon)
    size = mine.shape[0]
    low = np.clip(np.floor(polygon.min(0)).astype(int), 0, size)
    high = np.clip(np.ceil(polygon.max(0)).astype(int) + 1, 0, size)
    if (high <= low).any() or area < 1:
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
    seen = np.count_nonzero(mask.astype(bool) & mine[low[1] : high[1], low[0] : high[0]])
    return float(min(seen / area, 1.0))
