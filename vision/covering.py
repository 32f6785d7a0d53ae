"""Where something lies on the table that is no tile: a hand, a sleeve, a cup.

Whatever it is, it is seen by its colour: the table looks alike beside most of its tiles.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Pixels

WIDTH_PX: Final = 6.0  # of a tile: weave, grain and prints blur into one colour
BLUR_PX: Final = 1.2
DARKEST: Final = 0.03  # of white: darker colours are noise
# What a shade makes of a colour counts for less than another colour.
SHADE: Final = 0.25
FREE: Final = 0.85  # of a tile's width from the middle of any tile
FAR: Final = 2.5  # tile widths: what lies there may reach as far
ENOUGH: Final = 6  # places to compare with
# The table may look different here and there: the tenth that is most alike counts. Of the ends of
# sets that nothing lies beside 1 to 2 % differ by more, of 20 sets half under a hand 18.
MOST_ALIKE, UNLIKE = 0.1, 0.15


def is_covered(pixels: Pixels, quads_img: Floats, places_img: Floats) -> Flags:
    """Tell where something other than the table is to be seen, (m,); no tile lies there.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    quads_img
        (n, 4, 2) px: the tiles.
    places_img
        (m, 2) px, where there may be something.
    """
    if len(quads_img) == 0 or len(places_img) == 0:
        return np.zeros(len(places_img), np.bool_)
    across, along = quads_img[:, 1] - quads_img[:, 0], quads_img[:, 3] - quads_img[:, 0]
    widths, centres = np.linalg.norm(across, axis=1), quads_img.mean(1)
    width_px = float(np.median(widths))
    ways = (way for way in product((-1, 0, 1), repeat=2) if any(way))
    around = np.concatenate([centres + x * across + y * along for x, y in ways])
    around = around[_is_free(around, centres, widths) & _is_inside(around, pixels)]
    scale = min(1.0, WIDTH_PX / max(width_px, 1.0))
    colours = _colours(pixels, scale)
    table, there = (_at(colours, points * np.float32(scale)) for points in (around, places_img))
    far = np.linalg.norm(places_img[:, None] - around, axis=2) > FAR * width_px
    found = [
        np.count_nonzero(others) >= ENOUGH
        and np.quantile(np.linalg.norm(table[others] - colour, axis=1), MOST_ALIKE) > UNLIKE
        for colour, others in zip(there, far, strict=True)
    ]
    return (
        np.array(found, np.bool_)
        & _is_free(places_img, centres, widths)
        & _is_inside(places_img, pixels)
    )


def _is_free(points: Floats, centres: Floats, widths: Floats) -> Flags:
    away = np.linalg.norm(points[:, None] - centres, axis=2)
    return np.asarray((away > FREE * widths).all(1))


def _is_inside(points: Floats, pixels: Pixels) -> Flags:
    height, width = pixels.shape[:2]
    return np.asarray(((points >= 0) & (points < (width, height))).all(1))


def _colours(pixels: Pixels, scale: float) -> Floats:
    """Return a small picture's shade and the ratios of its colours, (h, w, 3), as logarithms."""
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), BLUR_PX)
    blue, green, red = np.log(np.maximum(small.astype(np.float32) / 255, DARKEST)).transpose(
        2, 0, 1
    )
    return np.stack([SHADE * (blue + green + red) / 3, blue - green, red - green], 2)


def _at(colours: Floats, points: Floats) -> Floats:
    """Return the colours at points (n, 2) of their picture, (n, 3)."""
    x, y = (points.astype(np.float32) - np.float32(0.5)).T[..., None]
    found = cv2.remap(
        colours, x.copy(), y.copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(found, np.float32).reshape(-1, 3)
