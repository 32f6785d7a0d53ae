"""Where something lies on the table that is no tile: a hand, a sleeve, a cup.

Whatever it is, it is seen by its colour: the table looks alike beside most of its tiles, and tiles
are alike where they bear no number. And beside the last tile that is seen a sliver of the next one
is often left.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from vision.outlines import NUMBER_ZONE
from vision.quads import axes

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Indices, Pixels

WIDTH_PX: Final = 6.0  # of a tile: weave, grain and prints blur into one colour
BLUR_PX: Final = 1.2
DARKEST: Final = 0.03  # of white: darker colours are noise
# What a shade makes of a colour counts for less than another colour.
SHADE: Final = 0.25
FREE: Final = 0.85  # of a tile's width from the middle of any tile
FAR: Final = 2.5  # tile widths: what lies there may reach as far
ENOUGH: Final = 6  # places to compare with
# The table may look different here and there: the tenth that is most alike counts, and up to a
# point how much places on it differ among themselves. Of 3,000 ends of sets with neither hands nor
# cups about 6 % differ by more, of 87 at which a set goes on under a hand 93 %.
MOST_ALIKE, UNLIKE, MORE = 0.1, (0.1, 0.15), 2.5
FACE_WIDTH_PX: Final = 24.0  # of a tile: digits and edges stay what they are
GRID: Final = 9  # places across a face, and as many down
FACE: Final = 0.4  # of a tile, each way, that is surely its own
PRINTED: Final = 1 / 3  # of a face is darker than its body, at most
# Where the next tile begins, in steps of its line from the last one's middle, and to either side.
_BEYOND, _TO_EITHER_SIDE = (0.62, 0.8), 0.35
# How unlike its body the next one may be there, in light or colour, on how much of that place: a
# hand may leave no more than a corner of it. Most of the table, but for other tiles and paper, is
# so unlike them at least, and so many times as much as that corner. Of 28,500 ends of sets 1 %
# look so, of 718 at which a set goes on under a hand, a card or paper 61 %.
_LIKE, _SHARE = 0.35, 0.2
_OFF_TABLE, _TIMES_LIKE, _MOST = 0.1, 4.0, 0.3
# A hand may cover so much of a table that it passes for the table. So the next place is compared
# with some beside the line, too, in steps of it and tiles to either side: how many of them have to
# be seen, and how unlike all of them it has to be. 2 % more of the same ends look so.
_BESIDE = [(x, y) for x in (0, -0.7, -1.4) for y in (-1.2, 1.2)] + [(-1, 0), (-2, 0)]
_PLACES = np.array([(1, 0), *_BESIDE], np.float32)
_SEEN_BESIDE, _UNLIKE_THEM = 3, 0.25
# What lies on a tile is less like its body than other tiles show there, by so much and so many
# times what they differ among themselves, on so much of what bears no number: so white paper is
# told from ivory. Of 35,400 tiles in the open 6 % look so, of 590 with a hidden part 68 %.
_OTHER, _TIMES, _SOME = 0.06, 7.0, 0.14


class Surroundings:
    """What is to be seen on the tiles of a picture, and around them.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    quads_img
        (n, 4, 2) px: the tiles, upright.
    """

    def __init__(self, pixels: Pixels, quads_img: Floats) -> None:
        self._pixels = pixels
        self._quads_img = quads_img

    def is_covered(self, ends: Indices, steps_img: Floats) -> Flags:
        """Tell beyond which ends of rows something other than the table is to be seen, (m,).

        Where another tile lies, there is none. The parameters are those of `shows_beyond`.
        """
        quads_img, table_img = self._quads_img, self._table_img
        if len(ends) == 0 or len(table_img) == 0:  # tiles may fill the picture
            return np.zeros(len(ends), np.bool_)
        places_img = np.asarray(quads_img[ends].mean(1) + steps_img, np.float32)
        table, there = (self._colours.at(each) for each in (table_img, places_img))

        def unlike(found: Floats, at_img: Floats) -> Floats:
            """Return how unlike the table elsewhere colours (k, 3) at places (k, 2) are, (k,)."""
            far = np.linalg.norm(at_img[:, None] - table_img, axis=2) > FAR * self._width_px
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
        limit = np.clip(MORE * float(np.median(usual)), *UNLIKE)
        return np.asarray(
            (unlike(there, places_img) > limit)
            & _is_free(places_img, quads_img, ends)
            & _is_inside(places_img, self._pixels)
        )

    def shows_beyond(self, ends: Indices, steps_img: Floats) -> Flags:
        """Tell beside which tiles at ends of rows a sliver of another is to be seen, (m,).

        Where one lies that is known, there is none.

        Parameters
        ----------
        ends
            (m,) numbers of tiles.
        steps_img
            (m, 2) px: the way from each to where the next one's middle would be.
        """
        if len(ends) == 0 or len(self._table_img) < ENOUGH:
            return np.zeros(len(ends), np.bool_)
        tiles = self._quads_img[ends]
        bodies = _bodies(self._light.on_tiles(tiles))
        beyond = self._light.on_tiles(tiles, steps_img, _BEYOND, _TO_EITHER_SIDE)
        away = np.linalg.norm(self._light.at(self._table_img) - bodies[:, None], axis=2)
        table = np.quantile(away, _MOST, axis=1)
        like_it = np.minimum(_LIKE, table / _TIMES_LIKE)[:, None, None]
        seen = np.linalg.norm(beyond - bodies[:, None, None], axis=3) < like_it
        free = _is_free(tiles.mean(1) + steps_img, self._quads_img, ends)
        return np.asarray((seen.mean((1, 2)) > _SHARE) & (table > _OFF_TABLE) & free)

    def differs_beyond(self, ends: Indices, steps_img: Floats) -> Flags:
        """Tell at which ends of rows the next place looks like nothing beside the row, (m,).

        The parameters are those of `shows_beyond`.
        """
        if len(ends) == 0:
            return np.zeros(0, np.bool_)
        tiles = self._quads_img[ends]
        aside = _aside(tiles, steps_img)
        middles, steps, asides = (each[:, None] for each in (tiles.mean(1), steps_img, aside))
        places = np.asarray(middles + _PLACES[:, :1] * steps + _PLACES[:, 1:] * asides, np.float32)
        flat = places.reshape(-1, 2)
        own = np.repeat(ends, len(_PLACES))
        seen = _is_free(flat, self._quads_img, own) & _is_inside(flat, self._pixels)
        seen = seen.reshape(places.shape[:2])
        colours = self._colours.at(places)
        away = np.linalg.norm(colours[:, 1:] - colours[:, :1], axis=2)
        unlike_all = np.where(seen[:, 1:], away, np.inf).min(1) > _UNLIKE_THEM
        return np.asarray(seen[:, 0] & (seen[:, 1:].sum(1) >= _SEEN_BESIDE) & unlike_all)

    def is_half_covered(self) -> Flags:
        """Tell on which tiles something lies, (n,): where most are blank they are not."""
        if len(self._quads_img) < ENOUGH:
            return np.zeros(len(self._quads_img), np.bool_)
        faces = self._light.on_tiles(self._quads_img)
        unlike = np.linalg.norm(faces - _bodies(faces)[:, None, None], axis=3)
        more = unlike - np.median(unlike, 0)
        other = more > _OTHER + _TIMES * np.median(np.abs(more), 0)
        return np.asarray(other[:, _bears_no_number()].mean(1) > _SOME)

    @cached_property
    def _table_img(self) -> Floats:
        """Places (k, 2) px around the tiles where the table is to be seen."""
        quads = self._quads_img
        across, along, centres = (
            quads[:, 1] - quads[:, 0],
            quads[:, 3] - quads[:, 0],
            quads.mean(1),
        )
        ways = (way for way in product((-1, 0, 1), repeat=2) if any(way))
        around = np.concatenate([centres + x * across + y * along for x, y in ways])
        return np.asarray(around[_is_free(around, quads) & _is_inside(around, self._pixels)])

    @cached_property
    def _width_px(self) -> float:
        _, _, widths_px, _ = axes(self._quads_img)
        return max(float(np.median(widths_px)), 1.0)

    @cached_property
    def _light(self) -> _Seen:
        scale = min(1.0, FACE_WIDTH_PX / self._width_px)
        return _Seen(_light(self._pixels, scale), scale)

    @cached_property
    def _colours(self) -> _Seen:
        scale = min(1.0, WIDTH_PX / self._width_px)
        return _Seen(_colours(self._pixels, scale), scale)


class _Seen(NamedTuple):
    """A picture in which tiles have a certain size.

    Attributes
    ----------
    values
        (h, w, 3): its light or its colours, logarithms.
    scale
        How large it is of the picture.
    """

    values: Floats
    scale: float

    def at(self, points_img: Floats) -> Floats:
        """Return what is at points (..., 2) px of the picture, (..., 3)."""
        rows = points_img.reshape(len(points_img), -1, 2)  # OpenCV takes 32,767 at most
        x, y = np.asarray(rows * self.scale - 0.5, np.float32).transpose(2, 0, 1)
        found = cv2.remap(
            self.values, x.copy(), y.copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(*points_img.shape[:-1], 3)

    def on_tiles(
        self,
        quads_img: Floats,
        steps_img: Floats | None = None,
        from_to: tuple[float, float] = (-FACE, FACE),
        to_either_side: float = FACE,
    ) -> Floats:
        """Return rows of what is on m tiles, or so many steps from them, (m, GRID, GRID, 3)."""
        onward = axes(quads_img)[0] if steps_img is None else steps_img
        aside = _aside(quads_img, onward)
        steps = np.linspace(*from_to, GRID)[None, None, :, None]
        sides = np.linspace(-to_either_side, to_either_side, GRID)[None, :, None, None]
        middles = quads_img.mean(1)[:, None, None]
        points = middles + steps * onward[:, None, None] + sides * aside[:, None, None]
        return self.at(np.asarray(points, np.float32))


def _aside(quads_img: Floats, steps_img: Floats) -> Floats:
    """Return the ways that lead off the lines of m tiles, (m, 2): down in rows, else across."""
    across, along, _, _ = axes(quads_img)
    off_along, off_across = (
        np.abs(np.linalg.det(np.stack([steps_img, way], 1))) for way in (along, across)
    )
    return np.asarray(np.where((off_along > off_across)[:, None], along, across), np.float32)


def _bodies(faces: Floats) -> Floats:
    """Return the colours of tiles from all over their faces (m, GRID, GRID, 3), (m, 3)."""
    places = faces.reshape(len(faces), -1, 3)
    lighter = np.argsort(places.sum(2), axis=1)[:, int(PRINTED * GRID**2) :, None]
    return np.asarray(np.median(np.take_along_axis(places, lighter, 1), 1), np.float32)


def _bears_no_number() -> Flags:
    """Tell which places on a tile bear none, (GRID, GRID)."""
    left, top, right, bottom = NUMBER_ZONE
    places = np.linspace(0.5 - FACE, 0.5 + FACE, GRID)
    across, down = (places > left) & (places < right), (places > top) & (places < bottom)
    return np.asarray(~np.outer(down, across))


def _is_free(points: Floats, quads_img: Floats, own: Indices | None = None) -> Flags:
    """Tell at which points (m, 2) no tile lies, (m,), but for a tile of their `own`, (m,).

    What hides a part of a tile shortens the step to the next one, too.
    """
    away = np.linalg.norm(points[:, None] - quads_img.mean(1), axis=2)
    widths = np.linalg.norm(quads_img[:, 1] - quads_img[:, 0], axis=1)
    free = away > FREE * widths
    if own is not None:
        free[np.arange(len(points)), own] = True
    return np.asarray(free.all(1))


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
