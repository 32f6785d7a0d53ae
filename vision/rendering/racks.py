"""The rack itself: the plastic or wooden steps that tiles lean on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.rendering.canvas import Canvas, pose_normal

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


def draw_step(
    canvas: Canvas, tier: Sequence[Pose], tall: float, thick: float, colour: Array, margin: float
) -> None:
    """Draw the step that one tier of tiles leans on, over what lies behind it."""
    first = tier[0]
    spots = [float((pose.centre - first.centre) @ first.right) for pose in tier]
    ends = np.array([min(spots) - 0.5 - margin, max(spots) + 0.5 + margin])
    behind = first.centre - pose_normal(first) * thick
    foot = behind + first.down * tall / 2
    sides = foot + ends[:, None] * first.right
    up, drop = -first.down * tall * 0.45, np.array([0, 0, -0.5 * tall])
    lip = sides + pose_normal(first) * thick * 1.15
    _fill(canvas, [sides[0] + up, sides[1] + up, sides[1], sides[0]], colour * 0.8)
    _fill(canvas, [sides[0], sides[1], lip[1], lip[0]], colour * 1.2)
    _fill(canvas, [lip[0], lip[1], lip[1] + drop, lip[0] + drop], colour * 0.6)


def _fill(canvas: Canvas, corners: list[Array], colour: Array) -> None:
    polygon = canvas.camera.project(np.array(corners)).astype(np.float32)
    behind_the_lens = np.abs(polygon).max() > 30 * canvas.size_px
    if behind_the_lens or cv2.contourArea(polygon, oriented=True) <= 0:  # or turned away
        return
    shade = [float(value) for value in colour]
    cv2.fillConvexPoly(canvas.radiance, (polygon * 16).astype(np.int32), shade, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(canvas.owner, polygon.astype(np.int32), 0)
