"""Where reasons and numbers stand in an annotated picture: each points at its own tiles only."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from vision.types import Flags, Floats

_REACH: Final = 0.18  # how far from its tiles a plate may stand, in widths of the picture
_INSIDE: Final = 0.05  # how far inside a tile a line ends, in its widths
_STEEP: Final = 0.5  # of a line on the side where it ends: the sine of its angle, at least
_TRIES: Final = 64  # lines that are looked at, shortest first
_OFF_RIM: Final = (1.15, 0.5, 0.0, -0.5)  # where a number hangs, in radii outwards from a rim
# Sides of a tile, top first and clockwise, in the order in which numbers are hung there: of one
# tile above or below it, of a whole set at its ends.
_TILE_SIDES: Final = (0, 2, 3, 1)
_SET_SIDES: Final = (3, 1, 0, 2)


@dataclass(frozen=True, slots=True)
class Target:
    """The tiles that a note is about: a single one, or a whole set.

    Attributes
    ----------
    tiles
        Their indices.
    rim
        (4 n, 2) float32, image pixels: the middle of every side.
    ways
        (4 n, 2) float32: away from the tile, of length 1.
    end_px, beyond_px
        How far outwards of the rim a line ends, at a set's frame or just inside a single tile; and
        where it must be clear of other tiles.
    side_px
        How wide a tile is.
    """

    tiles: tuple[int, ...]
    rim: Floats
    ways: Floats
    end_px: float
    beyond_px: float
    side_px: float

    @classmethod
    def of(cls, tiles: tuple[int, ...], quads: Floats, size: tuple[int, int]) -> Target:
        """Aim at those of all tiles (m, 4, 2) in a picture of that size."""
        own = quads[list(tiles)]
        sides = (own + np.roll(own, -1, axis=1)) / 2
        ways = sides - own.mean(axis=1, keepdims=True)
        away = np.linalg.norm(ways, axis=2, keepdims=True)
        order = list(_TILE_SIDES if len(tiles) == 1 else _SET_SIDES)
        rim, ways = (
            part[:, order].swapaxes(0, 1).reshape(-1, 2).astype(np.float32)
            for part in (sides, ways / (away + 1e-6))
        )
        side_px = float(np.median(short_sides(own)))
        frame_px = outset_px(own, size)
        end_px = -_INSIDE * side_px if len(tiles) == 1 else frame_px
        return cls(tiles, rim, ways, end_px, frame_px, side_px)

    @property
    def box(self) -> Floats:
        """Left, top, right and bottom of them all."""
        return np.concatenate([self.rim.min(axis=0), self.rim.max(axis=0)])

    def astray(self, away: Floats) -> Flags:
        """Tell which points (n,) are no nearer to it than to others, from all distances (n, m)."""
        own = np.isin(np.arange(away.shape[1]), self.tiles)
        nearest = away[:, own].min(axis=1)
        return np.asarray(nearest >= away[:, ~own].min(axis=1, initial=np.inf))


@dataclass(frozen=True, slots=True)
class Desk:
    """A picture to put notes on, and which places of it are taken.

    Attributes
    ----------
    size
        Its width and height.
    quads
        (m, 4, 2) float32: its tiles.
    font_px
        How tall letters are.
    plates, lines
        What stands there already: (4,) boxes with words or numbers, and (2, 2) lines.
    """

    size: tuple[int, int]
    quads: Floats
    font_px: int
    plates: list[Floats] = field(default_factory=list)
    lines: list[Floats] = field(default_factory=list)

    def beside(self, size: tuple[float, float], target: Target) -> tuple[Floats, Floats] | None:
        """Find room for a plate near its target, and for a line (2, 2) from the one to the other.

        The plate covers nothing. The line ends at its target, and no tile, no plate and no other
        line is in its way. None where there is no such place.
        """
        places = self._free(_lattice(size, target.box, self.size))
        away = distances(target.rim + target.beyond_px * target.ways, self.quads)
        open_ = away.all(axis=1) & ~target.astray(away)
        ends, ways = (target.rim + target.end_px * target.ways)[open_], target.ways[open_]
        starts = np.clip(ends, places[:, None, :2], places[:, None, 2:])
        gaps = np.linalg.norm(starts - ends, axis=2)
        off = np.abs(_middles(places) - _middles(target.box[None])).sum(axis=1)
        costs = gaps + 0.1 * off[:, None]
        costs[((starts - ends) * ways).sum(axis=2) < _STEEP * gaps] = np.inf
        tried = np.argsort(costs, axis=None)[:_TRIES]
        place, end = np.unravel_index(tried[np.isfinite(costs.flat[tried])], costs.shape)
        lines = np.stack([starts[place, end], ends[end]], axis=1)
        free = np.flatnonzero(self._unhindered(lines, target) & self._off_lines(places[place]))
        if not len(free):
            return None
        self.plates.append(places[place[free[0]]])
        self.lines.append(lines[free[0]])
        return self.plates[-1], self.lines[-1]

    def at(self, target: Target) -> Floats:
        """Find room for a number at the rim of its target, nearer to it than to any other tile."""
        size = min(1.5 * self.font_px, max(0.8 * self.font_px, target.side_px))
        radius = np.float32(size / 2)
        middles = np.concatenate([target.rim + k * radius * target.ways for k in _OFF_RIM])
        middles = np.clip(middles, radius, np.maximum(np.array(self.size) - radius, radius))
        places = np.concatenate([middles - radius, middles + radius], axis=1).astype(np.float32)
        away = distances(middles, self.quads)
        hiding = _overlap(places, np.array(self.plates)).any(axis=1) | ~self._off_lines(places)
        costs = (
            8.0 * target.astray(away) + 4.0 * hiding + np.maximum(1 - away.min(axis=1) / radius, 0)
        )
        self.plates.append(places[np.argmin(costs + 1e-3 * np.arange(len(costs)))])
        return self.plates[-1]

    def _free(self, places: Floats) -> Floats:
        """Return those of the places (n, 4) that cover no tile and no plate, not even nearly."""
        room = 0.14 * short_sides(self.quads)[:, None] + 0.2 * self.font_px
        tiles = np.hstack([self.quads.min(axis=1) - room, self.quads.max(axis=1) + room])
        gap = 0.2 * self.font_px * np.array([-1, -1, 1, 1], np.float32)
        taken = np.concatenate([tiles, np.array(self.plates).reshape(-1, 4) + gap])
        return places[~_overlap(places, taken).any(axis=1)]

    def _unhindered(self, lines: Floats, target: Target) -> Flags:
        """Tell which lines (n, 2, 2) to a target meet no other tile, no plate and no line."""
        own = target.tiles if len(target.tiles) == 1 else ()
        others = np.delete(self.quads, own, axis=0)
        strokes = np.array(self.lines).reshape(-1, 2, 2)[:, [0, 1, 1, 0]]
        barred = np.concatenate([others, _quads(np.array(self.plates)), strokes])
        return np.asarray(~meet(lines, barred).any(axis=1))

    def _off_lines(self, places: Floats) -> Flags:
        """Tell which places (n, 4) no line runs through."""
        lines = np.array(self.lines).reshape(-1, 2, 2)
        return np.asarray(~meet(lines, _quads(places)).any(axis=0))


def short_sides(quads: Floats) -> Floats:
    """Measure the shorter sides of quads (n, 4, 2), (n,)."""
    sides = np.linalg.norm(quads - np.roll(quads, -1, axis=1), axis=2)
    return np.asarray((sides[:, :2] + sides[:, 2:]).min(axis=1) / 2)


def outset_px(quads: Floats, size: tuple[int, int]) -> int:
    """Return how far outside its tiles (n, 4, 2) a set's frame is, in a picture of that size."""
    return round(min(max(2.0, 0.12 * float(np.median(short_sides(quads)))), 0.02 * max(size)))


def meet(lines: Floats, quads: Floats) -> Flags:
    """Tell which lines (n, 2, 2) meet which convex quads (m, 4, 2), (n, m).

    >>> square = np.array([[(0, 0), (2, 0), (2, 2), (0, 2)]], np.float32)
    >>> meet(np.array([[(-1, 1), (3, 1)], [(-1, 2), (1, 4)]], np.float32), square)
    array([[ True],
           [False]])
    """
    starts, ends = lines[:, 0].T, lines[:, 1].T
    normals = _turned(np.roll(quads, -1, axis=1) - quads)
    reach = normals @ quads.swapaxes(1, 2)
    low, high = reach.min(axis=2, keepdims=True), reach.max(axis=2, keepdims=True)
    start, end = normals @ starts, normals @ ends
    apart = ((start < low) & (end < low)) | ((start > high) & (end > high))
    across = _turned(ends.T - starts.T).T
    off = quads @ across - (starts * across).sum(axis=0)
    beside = (off > 0).all(axis=1) | (off < 0).all(axis=1)
    return np.asarray(~(apart.any(axis=1) | beside).T)


def distances(points: Floats, quads: Floats) -> Floats:
    """Measure how far points (n, 2) are from clockwise quads (m, 4, 2), 0 inside, (n, m).

    >>> square = np.array([[(0, 0), (2, 0), (2, 2), (0, 2)]], np.float32)
    >>> distances(np.array([(1, 1), (5, 6)], np.float32), square).tolist()
    [[0.0], [5.0]]
    """
    (along_x, along_y), (x, y) = (
        np.moveaxis(part, -1, 0) for part in (np.roll(quads, -1, axis=1) - quads, quads)
    )
    to_x, to_y = points[:, 0, None, None] - x, points[:, 1, None, None] - y
    share = (to_x * along_x + to_y * along_y) / np.maximum(along_x**2 + along_y**2, 1e-6)
    share = share.clip(0, 1)
    gaps = np.hypot(to_x - share * along_x, to_y - share * along_y).min(axis=2)
    inside = (along_x * to_y >= along_y * to_x).all(axis=2)
    return np.where(inside, np.float32(0), gaps)


def _lattice(size: tuple[float, float], around: Floats, picture: tuple[int, int]) -> Floats:
    """Places (n, 4) in the picture and near a box (4,), about as close as a third of the plate."""
    reach = _REACH * picture[0]
    axes = []
    for axis, step in enumerate((max(size[0] / 6, 4.0), max(size[1] / 4, 4.0))):
        low, high, length = float(around[axis]), float(around[axis + 2]), size[axis]
        middle = (low + high - length) / 2
        first = ceil((max(0.0, low - reach - length) - middle) / step)
        last = floor((min(picture[axis] - length, high + reach) - middle) / step)
        axes.append(middle + step * np.arange(first, last + 1))
    left, top = (grid.ravel() for grid in np.meshgrid(*axes))
    return np.stack([left, top, left + size[0], top + size[1]], axis=1).astype(np.float32)


def _overlap(places: Floats, taken: Floats) -> Flags:
    """Tell which places (n, 4) share room with which boxes (m, 4), (n, m)."""
    (left, top, right, bottom), box = places.T[:, :, None], taken.reshape(-1, 4).T
    sideways = (left < box[2]) & (box[0] < right)
    return np.asarray(sideways & (top < box[3]) & (box[1] < bottom))


def _middles(boxes: Floats) -> Floats:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, np.float32)


def _quads(boxes: Floats) -> Floats:
    return boxes.reshape(-1, 4)[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)


def _turned(ways: Floats) -> Floats:
    """Turn (..., 2) a quarter clockwise as seen: what was along a clockwise side leads inwards."""
    return np.asarray(np.stack([-ways[..., 1], ways[..., 0]], axis=-1), np.float32)
