"""Where something lies on the table that is no tile: a hand, a sleeve, a cup.

Whatever it is, it is seen by its colour: the table looks alike beside most of its tiles. And where
it lies on a tile, a sliver of that is often left to be seen.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.outlines import axes

if TYPE_CHECKING:
    from vision.adjacency import Indices
    from vision.types import Flags, Floats, Pixels

WIDTH_PX: Final = 6.0  # of a tile: weave, grain and prints blur into one colour
BLUR_PX: Final = 1.2
DARKEST: Final = 0.03  # of white: darker colours are noise
# What a shade makes of a colour counts for less than another colour.
SHADE: Final = 0.25
FREE: Final = 0.85  # of a tile's width from the middle of any tile
FAR: Final = 2.5  # tile widths: what lies there may reach as far
ENOUGH: Final = 6  # places to compare with
# The table may look different here and there: the tenth that is most alike counts, and how much
# places on it differ among themselves. Of 3,000 ends of sets with neither hands nor cups about 4 %
# differ by more, of 87 at which a set goes on under a hand 89 %.
MOST_ALIKE, UNLIKE, MORE = 0.1, 0.1, 2.5
SLIVER_WIDTH_PX: Final = 24.0  # of a tile
# Where the next tile begins, in steps of its row from the last one's middle, and up and down.
_SLIVER, _UP_AND_DOWN = (0.62, 0.8), 0.35
_FACE: Final = 0.4  # of a tile, each way, that is surely its own
_BLANK: Final = 1 / 3  # of a face is darker than its body
# How unlike its body the edge of the next may be, in light or colour, for how much of its height;
# and how unlike both most of the table is, but for other tiles and paper. Of the same 3,000 ends
# 0.8 % look so, of 62 at which a set goes on under a card or paper 74 %.
_LIKE, _HALF = 0.35, 0.5
_OFF_TABLE, _MOST = 0.5, 0.3


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
    width_px = float(np.median(np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)))
    table_img = _table(pixels, quads_img)
    scale = min(1.0, WIDTH_PX / max(width_px, 1.0))
    colours = _colours(pixels, scale)
    table, there = (_at(colours, points * np.float32(scale)) for points in (table_img, places_img))

    def unlike(found: Floats, at_img: Floats) -> Floats:
        """Return how unlike the table elsewhere colours (k, 3) at places (k, 2) are, (k,)."""
        far = np.linalg.norm(at_img[:, None] - table_img, axis=2) > FAR * width_px
        away = np.linalg.norm(found[:, None] - table, axis=2)
        return np.array(
            [
                np.quantile(one[others], MOST_ALIKE) if others.sum() >= ENOUGH else np.nan
                for one, others in zip(away, far, strict=True)
            ],
            np.float32,
        )

    usual = unlike(table, table_img)
    usual = usual[np.isfinite(usual)]
    if len(usual) == 0:
        return np.zeros(len(places_img), np.bool_)
    return (
        (unlike(there, places_img) > max(UNLIKE, MORE * float(np.median(usual))))
        & _is_free(places_img, quads_img)
        & _is_inside(places_img, pixels)
    )


def shows_beyond(pixels: Pixels, quads_img: Floats, ends: Indices, steps_img: Floats) -> Flags:
    """Tell beside which tiles at ends of rows a sliver of another is to be seen, (m,).

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    quads_img
        (n, 4, 2) px: the tiles.
    ends
        (m,) numbers of tiles.
    steps_img
        (m, 2) px: the way from each to where the next one's middle would be.
    """
    if len(ends) == 0:
        return np.zeros(0, np.bool_)
    _, along, widths, _ = axes(quads_img)
    scale = min(1.0, SLIVER_WIDTH_PX / max(float(np.median(widths)), 1.0))
    light = _light(pixels, scale)

    def at(points: Floats) -> Floats:
        return _at(light, points.reshape(-1, 2) * np.float32(scale)).reshape(*points.shape[:-1], 3)

    def around(across: tuple[float, float], down: float) -> Floats:
        """Return (m, 9, 9, 2) px: from so many steps on from each tile, as far up as down."""
        steps, heights = np.linspace(*across, 9), np.linspace(-down, down, 9)
        points = (
            quads_img[ends].mean(1)[:, None, None]
            + steps[:, None, None] * steps_img[:, None, None]
            + heights[:, None] * along[ends][:, None, None]
        )
        return np.asarray(points, np.float32)

    faces, beyond = at(around((-_FACE, _FACE), _FACE)), at(around(_SLIVER, _UP_AND_DOWN))
    bodies = np.array([_body(face.reshape(-1, 3)) for face in faces], np.float32)
    like_it = np.linalg.norm(beyond - bodies[:, None, None], axis=3) < _LIKE
    table = at(_table(pixels, quads_img))
    if len(table) < ENOUGH:
        return np.zeros(len(ends), np.bool_)
    unlike = np.quantile(np.linalg.norm(table - bodies[:, None], axis=2), _MOST, axis=1)
    return np.asarray((like_it.mean(2).max(1) >= _HALF) & (unlike > _OFF_TABLE))


def _body(face: Floats) -> Floats:
    """Return the colour of a tile from all over its face (k, 3), without what is printed on it."""
    by_light = face[np.argsort(face.sum(1))]
    return np.asarray(np.median(by_light[int(_BLANK * len(face)) :], 0))


def _table(pixels: Pixels, quads_img: Floats) -> Floats:
    """Return places (k, 2) px around the tiles where the table is to be seen."""
    across, along = quads_img[:, 1] - quads_img[:, 0], quads_img[:, 3] - quads_img[:, 0]
    centres = quads_img.mean(1)
    ways = (way for way in product((-1, 0, 1), repeat=2) if any(way))
    around = np.concatenate([centres + x * across + y * along for x, y in ways])
    return np.asarray(around[_is_free(around, quads_img) & _is_inside(around, pixels)])


def _is_free(points: Floats, quads_img: Floats) -> Flags:
    away = np.linalg.norm(points[:, None] - quads_img.mean(1), axis=2)
    widths = np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)
    return np.asarray((away > FREE * widths).all(1))


def _is_inside(points: Floats, pixels: Pixels) -> Flags:
    height, width = pixels.shape[:2]
    return np.asarray(((points >= 0) & (points < (width, height))).all(1))


def _colours(pixels: Pixels, scale: float) -> Floats:
    """Return a small picture's shade and the ratios of its colours, (h, w, 3), as logarithms."""
    blue, green, red = _light(pixels, scale, BLUR_PX).transpose(2, 0, 1)
    return np.stack([SHADE * (blue + green + red) / 3, blue - green, red - green], 2)


def _light(pixels: Pixels, scale: float, blur_px: float = 0.0) -> Floats:
    """Return a small picture's light as logarithms, (h, w, 3) BGR."""
    small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if blur_px:
        small = cv2.GaussianBlur(small, (0, 0), blur_px)
    return np.asarray(np.log(np.maximum(small.astype(np.float32) / 255, DARKEST)))


def _at(colours: Floats, points: Floats) -> Floats:
    """Return the colours at points (n, 2) of their picture, (n, 3)."""
    x, y = (points.astype(np.float32) - np.float32(0.5)).T[..., None]
    found = cv2.remap(
        colours, x.copy(), y.copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(found, np.float32).reshape(-1, 3)
