"""What is known of every rendered tile: face, place, and how much of it can be seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.crops import straighten
from vision.quads import inside, rectangle
from vision.rendering.canvas import Canvas, pose_corners

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.rendering.arrays import Array, Mask
    from vision.rendering.layouts import Pose
    from vision.types import Floats, Pixels

# Where numbers and joker faces stand, as parts of the face.
NUMBER_ZONE = rectangle(0.15, 0.1, 0.85, 0.62)
ZONE_PX = (28, 30)  # width and height in which its contrast is measured
# A mirrored lamp stronger than this can drown ink, and has where less contrast than this is left,
# of 255, in a neighbourhood of so many of `ZONE_PX`.
DROWNING, LEAST_CONTRAST, NEARBY_PX = 0.2, 28, 15
# Where nothing is known of the lamps: in the middle of the number's place ink differs from the
# body by this share of the light at least; a mirrored lamp is all white there, if not below.
NUMBER_CORE, FOOT = rectangle(0.26, 0.18, 0.74, 0.54), rectangle(0.12, 0.68, 0.88, 0.94)
INK_CONTRAST, WHITE = 0.1, 247


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
    straight = canvas.camera.project(pose_corners(pose, tall))
    quad = canvas.lens.points(straight, canvas.size_px).astype(np.float32)
    if cv2.contourArea(quad, oriented=True) <= 0:  # seen from behind
        return None
    corner, mine = _seen(canvas, quad, owner)
    if not mine.any():
        return None
    visible = _share(mine, quad - corner)
    return Label(
        pose.name, quad, visible, _share(mine, inside(quad, NUMBER_ZONE) - corner), pose.group
    )


def _seen(canvas: Canvas, quad: Array, owner: int) -> tuple[Array, Mask]:
    """Return the corner of a window around a quad, and where in it the tile can be seen."""
    size = canvas.size_px
    low = np.clip(np.floor(quad.min(0)).astype(int) - 2, 0, size)
    high = np.clip(np.ceil(quad.max(0)).astype(int) + 3, 0, size)
    mine = canvas.owner[low[1] : high[1], low[0] : high[0]] == owner
    return low.astype(np.float32), mine


def drowned(label: Label, pixels_bgr: Pixels, mirrored: MatLike) -> float:
    """Return the share of a tile's number zone in which a mirrored lamp has drowned the ink.

    Parameters
    ----------
    pixels_bgr
        (h, w, 3): the finished picture.
    mirrored
        (h, w): the light that was added to it, 1 for that of a white face.
    """
    width, height = ZONE_PX
    flat = rectangle(0, 0, width, height)
    zone = inside(label.quad_img, NUMBER_ZONE)
    warp = cv2.getPerspectiveTransform(zone, flat)
    lit = cv2.warpPerspective(mirrored, warp, ZONE_PX) > DROWNING
    if not lit.any():
        return 0.0
    seen = cv2.blur(cv2.warpPerspective(pixels_bgr, warp, ZONE_PX), (3, 3))
    near = np.ones((NEARBY_PX, NEARBY_PX), np.uint8)
    contrast = cv2.morphologyEx(seen, cv2.MORPH_GRADIENT, near).max(-1)
    return float(np.mean(lit & (contrast < LEAST_CONTRAST)))


def legible(label: Label, pixels_bgr: Pixels) -> float:
    """Return the share of a tile's number that the light leaves to be read, by its looks alone.

    Parameters
    ----------
    pixels_bgr
        (h, w, 3): the finished picture.
    """
    core, foot = (
        straighten(pixels_bgr, inside(label.quad_img, zone), ZONE_PX, 0.0)
        for zone in (NUMBER_CORE, FOOT)
    )
    white = float(np.mean(core.min(-1) > WHITE)) if np.mean(foot.min(-1) > WHITE) < 0.5 else 0.0
    low, high = np.percentile(cv2.blur(core, (3, 3)).reshape(-1, 3), (4, 96), axis=0)
    contrast = float(((high - low) / (high + 8)).max())
    return (1 - white) * min(contrast / INK_CONTRAST, 1.0)


def _share(mine: Mask, polygon: Array) -> float:
    """Share of a polygon's area (which may leave the picture) that belongs to the tile."""
    area = cv2.contourArea(polygon)
    room = mine.shape[::-1]
    low = np.clip(np.floor(polygon.min(0)).astype(int), 0, room)
    high = np.clip(np.ceil(polygon.max(0)).astype(int) + 1, 0, room)
    if (high <= low).any() or area < 1:
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round(polygon - low).astype(np.int32), 1)
    seen = np.count_nonzero(mask.astype(bool) & mine[low[1] : high[1], low[0] : high[0]])
    return float(min(seen / area, 1.0))
