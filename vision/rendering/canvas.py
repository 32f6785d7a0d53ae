"""The picture in the making, which everything that is drawn shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.rendering.lens import STRAIGHT, Lens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.rendering.arrays import Array
    from vision.rendering.camera import Camera
    from vision.rendering.layouts import Pose

# Corners of the face as (along right, along down) in half sizes, clockwise from the top left.
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)


@dataclass(slots=True)
class Canvas:
    """A square picture before light, lens and codec.

    Attributes
    ----------
    camera
        What the table is seen with.
    radiance
        (size, size, 3) float32 BGR, about 0 to 1; drawn upon in place.
    owner
        (size, size) int16: which tile a pixel shows, counted from 1; 0 for anything else.
    light_xyz
        (3,) direction to the main lamp, z up.
    relief
        How strongly that lamp shades what stands out of a face.
    ambient
        How bright a wall is that looks away from that lamp; 1 is a face in it.
    lens
        What the finished picture was bent by; drawing knows nothing of it.
    """

    camera: Camera
    radiance: Array
    owner: NDArray[np.int16]
    light_xyz: Array
    relief: float
    ambient: float = 0.45
    lens: Lens = STRAIGHT

    @property
    def size_px(self) -> int:
        """Side of the picture."""
        return len(self.owner)


def pose_corners(pose: Pose, tall: float) -> Array:
    """Return the face's corners on the table, (4, 3), clockwise from the upright top left."""
    half = _CORNERS * (0.5, tall / 2)
    return np.asarray(pose.centre + half[:, :1] * pose.right + half[:, 1:] * pose.down)


def pose_normal(pose: Pose) -> Array:
    """Return the unit vector out of the face; right, down and this are x, y and z."""
    (a, b, c), (d, e, f) = pose.right.tolist(), pose.down.tolist()
    return np.array([b * f - c * e, c * d - a * f, a * e - b * d])  # np.cross takes ten times it
