"""The camera over the table: where it stands, and what it sees where."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.rendering.arrays import Array


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera that looks at the table's origin.

    Attributes
    ----------
    matrix
        (3, 4) float64: homogeneous table coordinates (tile widths, z up) to image pixels.
    eye
        (3,) position of the camera, in tile widths.
    """

    matrix: Array
    eye: Array

    def project(self, points: Array) -> Array:
        """Return the image pixels, (n, 2), of table points, (n, 3)."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(seen[:, :2] / seen[:, 2:], np.float64)

    @property
    def tile_px(self) -> float:
        """Width of a tile in the middle of the picture."""
        left, right = self.project(np.array([[-0.5, 0, 0], [0.5, 0, 0]]))
        return float(np.linalg.norm(right - left))


def aim(
    tile_width_px: float, elevation_deg: float, roll_deg: float, field_deg: float, size_px: int
) -> Camera:
    """Place a camera so that a tile in the middle of the picture is `tile_width_px` wide.

    `elevation_deg` is the height above the table's plane (90: straight down); `field_deg` the
    angle of view over `size_px`. The picture's y axis points down the table.
    """
    focal_px = size_px / 2 / np.tan(radians(field_deg) / 2)
    distance = focal_px / tile_width_px
    tilt = radians(90 - elevation_deg)
    # x to the right; table y grows towards the viewer, that is down in the picture; z up.
    right = np.array([1.0, 0.0, 0.0])
    down = np.array([0.0, cos(tilt), -sin(tilt)])
    forward = np.array([0.0, -sin(tilt), -cos(tilt)])
    eye = -forward * distance
    axes = np.stack([right, down, forward])
    turn = radians(roll_deg)
    roll = np.array([[cos(turn), -sin(turn), 0], [sin(turn), cos(turn), 0], [0, 0, 1]])
    extrinsic = roll @ np.c_[axes, -axes @ eye]
    intrinsic = np.array([[focal_px, 0, size_px / 2], [0, focal_px, size_px / 2], [0, 0, 1]])
    return Camera(intrinsic @ extrinsic, eye)
