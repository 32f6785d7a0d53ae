"""Whether a table was cleared: its colour is where tiles lay, and everything else is as it was.

A plain table without its tiles has nothing that a move of the camera could be told by, and looks
as if it was out of focus. But what is out of focus keeps its colours, tiles and all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.watching.regions import SHADES, places_of

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.glance import Glance, Mask

LEAST_TABLE: Final = 0.1  # of the picture
SMALLER: Final = 2  # times: colours need no more
FINE_PX: Final = 5  # wood grain is smaller
DARK: Final = 12  # grey levels: keeps the noise of dark colours out of ratios
AROUND_TILES: Final = 2.0  # tile widths: how far around a tile the table tells its colour
MOST_LIGHT: Final = 0.45  # of the logarithm of a ratio: so far may the light have changed
SAME_HUE: Final = 0.1
SAME_COLOUR: Final = 0.12
NEARLY_ALL: Final = 0.9
LEAST_CONTRAST: Final = 0.03  # of tiles to the table, or nothing can be said
LEFT_OF_IT: Final = 0.3  # of the contrast before


def is_bare(before: Glance, quads_img: Floats, now: Glance) -> bool:
    """Tell whether nothing lies where tiles lay, and the table around them is the same.

    Parameters
    ----------
    before, now
        The table with its tiles, and as it is seen now; from one place.
    quads_img
        (n, 4, 2) float32, where the tiles lay, image pixels.
    """
    if not len(quads_img):
        return False
    was, found = _colours(before), _colours(now)
    scale = before.scale / SMALLER
    table = ~places_of(quads_img, (was.shape[0], was.shape[1]), scale, SHADES)
    if table.mean() < LEAST_TABLE or not _is_same(was, found, table):
        return False
    size = float(np.median(np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)))
    sigma = max(size * scale * AROUND_TILES, 1.0)
    middles = quads_img.mean(1) * scale
    contrast, left = (_contrast(colours, table, middles, sigma) for colours in (was, found))
    return contrast > LEAST_CONTRAST and left < LEFT_OF_IT * contrast


def _colours(glance: Glance) -> Floats:
    """Return (h, w, 3) float32, logarithms of the colours, without what is fine."""
    height, width = glance.shape
    size = width // SMALLER, height // SMALLER
    small = cv2.resize(glance.bgr, size, interpolation=cv2.INTER_AREA)
    smooth = cv2.blur(small.astype(np.float32), (FINE_PX, FINE_PX))
    return np.asarray(np.log(smooth + DARK), np.float32)


def _is_same(was: Floats, found: Floats, table: Mask) -> bool:
    """Tell whether the table has its colours, though perhaps in more or less light."""
    ratios = found[table] - was[table]
    light = np.median(ratios, axis=0)
    if abs(float(light.mean())) > MOST_LIGHT or float(np.ptp(light)) > SAME_HUE:
        return False
    apart = np.abs(ratios - light).max(axis=1)
    return float((apart < SAME_COLOUR).mean()) > NEARLY_ALL


def _contrast(colours: Floats, table: Mask, middles: Floats, sigma: float) -> float:
    """Return how far the tiles' middles (n, 2) are from the colour of the table around them."""
    height, width = table.shape
    few = max(1, round(sigma / 2))  # a picture that is blurred so much needs few pixels
    size = max(1, width // few), max(1, height // few)
    weight = table.astype(np.float32)
    planes = [
        cv2.GaussianBlur(
            cv2.resize(plane, size, interpolation=cv2.INTER_AREA), (0, 0), sigma / few
        )
        for plane in (colours * weight[..., None], weight)
    ]
    around = planes[0] / np.maximum(planes[1], 1e-3)[..., None]
    x, y = np.clip(middles, 0, (width - 1, height - 1)).astype(int).T
    level = around[y * size[1] // height, x * size[0] // width]
    return float(np.abs(colours[y, x] - level).max(axis=1).mean())
