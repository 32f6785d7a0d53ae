"""The table under the tiles, as the camera sees it: turned, in perspective, with a far edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.arrays import dim
from vision.rendering.tables import as_light, fractal, random_material

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.rendering.camera import Camera
    from vision.types import Pixels

# How many pixels of the picture's middle one of the material takes up.
GRAIN_PX: Final = (0.8, 2.0)
# How many times farther than the middle the table's far edge is; tiles lie nearer than that.
EDGE: Final = (2.3, 5.0)


def random_table(rng: np.random.Generator, camera: Camera, size_px: int) -> Array:
    """Return a table of any material before a camera, (size, size, 3) float32 BGR, 0 to 1."""
    material = random_material(rng, size_px)
    plane = camera.matrix[:, [0, 1, 3]]
    grain_px = np.exp(rng.uniform(*np.log(GRAIN_PX)))
    laid = plane @ _lay(rng, size_px, grain_px / camera.tile_px)
    size = (size_px, size_px)
    seen = cv2.warpPerspective(material, laid, size, borderMode=cv2.BORDER_REFLECT_101)
    table = as_light(seen)
    _beyond(rng, table, plane)
    return table


def _lay(rng: np.random.Generator, size_px: int, grain: float) -> Array:
    """Return the (3, 3) matrix from a material's pixels to the table, tile widths."""
    turn, middle = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.7, 2) * size_px
    axes = grain * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.vstack([np.c_[axes, -axes @ middle], [0, 0, 1]])


def nearness(plane: Array, x: Array, y: Array) -> Array:
    """Return how near the table is in pixels, (rows, columns), 1 in its middle, 0 far away."""
    across, down, constant = np.linalg.inv(plane)[2] * plane[2, 2]
    return np.asarray((across * x)[None] + (down * y + constant)[:, None], np.float32)


def _beyond(rng: np.random.Generator, table: Array, plane: Array) -> None:
    """Draw the room behind the table's far edge, where a camera that looks flatly sees it."""
    size_px = len(table)
    least = 1 / rng.uniform(*EDGE)
    ends = np.array([0.0, size_px - 1.0])
    if nearness(plane, ends, ends).min() > least:
        return
    at = np.arange(size_px, dtype=np.float32)
    near = nearness(plane, at, at)
    blurred: Pixels = random_material(rng, 64)
    room = as_light(cv2.resize(cv2.GaussianBlur(blurred, (0, 0), 6), (size_px, size_px)))
    dim(room, (0.4 + 0.6 * fractal(rng, size_px, 2, 2)) * np.float32(rng.uniform(0.3, 1)))
    cv2.copyTo(room, (near < least).view(np.uint8), table)
