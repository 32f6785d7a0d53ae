"""Whether a table was cleared: its colour is where tiles lay, and everything else is as it was.

A plain table without its tiles has nothing that a move of the camera could be told by, and looks
as if it was out of focus. But what is out of focus keeps its colours, tiles and all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.watching.regions import places_of

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.glance import Glance, Mask

SHADES: Final = 0.6  # half sizes around a tile that its edges and its shade may change
LEAST_TABLE: Final = 0.1  # of the picture
DARK: Final = 12  # grey levels: keeps the noise of dark colours out of ratios
FINE_PX: Final = 9  # wood grain is smaller
AROUND_TILES: Final = 4.0  # tile widths: how far around a tile the table tells its colour
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
    table = ~places_of(quads_img, before.shape, before.scale, SHADES)
    if table.mean() < LEAST_TABLE:
        return False
    was, found = _colours(before), _colours(now)
    if not _is_same(was, found, table):
        return False
    size = float(np.median(np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)))
    sigma = max(size * before.scale * AROUND_TILES / 2, 1.0)
    tiles = [places_of(quad[None], before.shape, before.scale) for quad in quads_img]
    contrast, left = (_contrast(colours, table, tiles, sigma) for colours in (was, found))
    return contrast > LEAST_CONTRAST and left < LEFT_OF_IT * contrast


def _colours(glance: Glance) -> Floats:
    """(h, w, 3) float32: logarithms of the colours, without what is fine."""
    smooth = cv2.blur(glance.bgr.astype(np.float32), (FINE_PX, FINE_PX))
    return np.asarray(np.log(smooth + DARK), np.float32)


def _is_same(was: Floats, found: Floats, table: Mask) -> bool:
    """Tell whether the table has its colours, though perhaps in more or less light."""
    ratios = found[table] - was[table]
    light = np.median(ratios, axis=0)
    if abs(float(light.mean())) > MOST_LIGHT or float(np.ptp(light)) > SAME_HUE:
        return False
    apart = np.abs(ratios - light).max(axis=1)
    return float((apart < SAME_COLOUR).mean()) > NEARLY_ALL


def _contrast(colours: Floats, table: Mask, tiles: list[Mask], sigma: float) -> float:
    """Return how far the places of tiles are from the colour of the table around them."""
    weight = cv2.GaussianBlur(table.astype(np.float32), (0, 0), sigma)
    around = cv2.GaussianBlur(colours * table[..., None], (0, 0), sigma)
    around = around / np.maximum(weight, 1e-3)[..., None]
    apart = [np.abs(np.median((colours - around)[tile], axis=0)).max() for tile in tiles]
    return float(np.mean([one for one in apart if np.isfinite(one)] or [0.0]))
