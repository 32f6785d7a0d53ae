"""Outlines: what the quads of tiles tell before their faces are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.medians import quantile_where
from vision.quads import UNIT_SQUARE, area_changes, areas, axes, inside, rectangle, within
from vision.types import stack

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Indices, Reals

# Where numbers and joker faces stand, as parts of the tile: left, top, right, bottom.
NUMBER_ZONE: Final = (0.2, 0.14, 0.8, 0.58)
NUMBER_AT: Final = (0.5, 0.4)  # the middle of most numbers
# How tall most numbers are, in parts of the tile; what room they have to its edges, and from how
# near the smallest are looked at.
USUAL_HEIGHT, RIM, NEAREST = 0.3, 0.05, 2.2
BESIDE: Final = 2.6  # tile widths from centre to centre
STAGGER: Final = 0.2  # tile heights up or down for each width to the side
ALIGNED: Final = 0.96  # cosine of the angle between neighbours
WIDE: Final = 0.82  # wider for its height than a tile is from above: perhaps it lies on its side
AREA_CHANGE: Final = (0.4, 2.2)  # how much smaller or larger than its box a tile may turn out
# Tiles are solid: no other one's centre lies this near, in widths and heights. Those of the next
# tier of a rack may come near from above.
APART: Final = (0.72, 0.33)
# What is that much smaller or larger than a tile would be in its place is suspect. Of 1,470 tiles
# on photographed tables all lie within 0.93 and 1.07, of 360 on photographed racks all but one
# within 0.8 and 1.25. A rack that stands on the table is nearer, and needs more room.
DWARF, GIANT = 0.8, 1.4
# So much narrower than the tiles beside it, and no shorter, is one of which a side is covered. Of
# 10,800 tiles that are surely and rightly read one is; of nine half numbers read as others, six.
NARROW: Final = 0.78
COVERED: Final = 0.1  # of a tile: solid ones that lie side by side share next to nothing
ENOUGH_TO_FIT: Final = 6
FITTING_STEPS: Final = 10
AGREE: Final = 0.03  # of a depth: what agrees with a plane about as well as tiles do
DISLIKE: Final = (0.0, 2.0, 2.0)  # of slopes, in the fit
STEEP: Final = 0.1


def looks_wide(quads: Floats) -> Flags:
    """Tell which quads (n, 4, 2) could be tiles on their side, (n,)."""
    _, _, width, height = axes(quads)
    return np.asarray(width > WIDE * height)


def cut_off(quads: Floats, width: int, height: int) -> Flags:
    """Tell which upright quads (n, 4, 2) have part of their number outside the picture."""
    zone = rectangle(*NUMBER_ZONE)
    corners = [inside(quad, zone) for quad in quads]
    x, y = np.moveaxis(np.array(corners, np.float32).reshape(-1, 4, 2), -1, 0)
    outside = (x < 0) | (x > width) | (y < 0) | (y > height)
    return np.asarray(np.any(outside, axis=1))


def lie_alike(quads: Floats, known: Flags) -> Indices:
    """Count how many more neighbours of upright quads (n, 4, 2) lie like them than opposite.

    A tile's row is what lies beside it, up to two tiles away on each side, and is turned like
    it or opposite.

    Parameters
    ----------
    known
        (n,): which of them count as neighbours.

    Returns
    -------
    (n,) int64
    """
    _, along, _, height = axes(quads)
    down = along / height[:, None]
    row = beside(quads) & known
    return np.asarray((np.sign(down @ down.T) * row).sum(1), np.int64)


def beside(quads: Floats) -> Flags:
    """Tell which upright quads (n, 4, 2) may lie in one row, up to two tiles apart, (n, n)."""
    across, along, width, height = axes(quads)
    right, down = across / width[:, None], along / height[:, None]
    away = quads.mean(1)[None] - quads.mean(1)[:, None]
    sideways = np.abs((away * right[:, None]).sum(2)) / width[:, None]
    upwards = np.abs((away * down[:, None]).sum(2)) / height[:, None]
    row = (sideways < BESIDE) & (upwards < STAGGER * sideways) & (np.abs(down @ down.T) > ALIGNED)
    np.fill_diagonal(row, val=False)
    return np.asarray(row)


def collide(quads: Floats) -> Flags:
    """Tell which quads (n, 4, 2) share their place with another one, (n,).

    Two tiles that were taken for one make an outline that reaches into the next tile's; what
    either of them shows is not to be trusted.
    """
    near = within(quads, quads, APART)
    np.fill_diagonal(near, val=False)
    return np.asarray(near.any(1) | near.any(0))


def lies_over(quad: Floats, tile: Floats) -> bool:
    """Whether an outline (4, 2) covers more of a tile than neighbours do that are found badly."""
    shared = cv2.intersectConvexConvex(quad, tile)[0]
    return bool(shared > COVERED * cv2.contourArea(tile))


def relative_width(quads: Floats, row: Flags) -> Floats:
    """Return how wide upright quads (n, 4, 2) are beside those of their rows, (n,).

    In pixels or for their height, whichever is more: along a row tiles get smaller, and where
    something hides their lower ends, shorter.

    Parameters
    ----------
    row
        (n, n): which others tell of each; with none it is 1.
    """
    _, _, width, height = axes(quads)
    own = np.stack([width, width / height])
    usual = quantile_where(own[:, None], row, 0.5)
    return np.asarray(np.where(row.any(1), (own / usual).max(0), 1), np.float32)


def relative_aspect(quads: Floats, others: Floats) -> Floats:
    """Return how wide for their height quads (n, 4, 2) are beside the middle one of others, (n,).

    With no others it is 1.
    """
    if len(others) == 0:
        return np.ones(len(quads), np.float32)
    (_, _, width, height), (_, _, usual, tall) = axes(quads), axes(others)
    return np.asarray(width / height / np.median(usual / tall), np.float32)


def relative_size(quads: Floats, trusted: Flags) -> Floats:
    """Return how large quads (n, 4, 2) are beside what a tile would be in their place, (n,).

    The tiles of a set are all of one size; figures on a table, keys and slips of paper are of any.
    On a plane the inverse of the depth is linear in the picture (Hartley and Zisserman 2004, 8.1),
    and an area goes with its third power, so that its cube root is linear, too. The plane that
    most of the trusted quads agree about counts (an M-estimate with Cauchy's weights, Huber 1981),
    so that the keys of a calculator beside the tiles do not pass for perspective.
    """
    if np.count_nonzero(trusted) < ENOUGH_TO_FIT:
        return np.ones(len(quads), np.float32)
    depths = np.cbrt(areas(quads))
    depths /= np.median(depths[trusted])
    centres = quads.mean(1) - quads[trusted].mean((0, 1))
    reach = max(float(np.ptp(centres[trusted], axis=0).max()), 1.0)
    places = np.c_[np.ones(len(quads)), centres / reach]
    seen, known = places[trusted], depths[trusted]
    planes = (
        _consensus(seen, known, plane) for plane in (np.array([1.0, 0, 0]), fit_plane(seen, known))
    )
    plane = max(planes, key=lambda plane: _agreement(seen, known, plane))
    expected = np.maximum(places @ plane, 0.2)
    return np.asarray((depths / expected) ** 1.5, np.float32)


def _consensus(places: Reals, depths: Reals, plane: Reals) -> Reals:
    """Return the plane (3,) near another one that most places (n, 3) agree about."""
    for _ in range(FITTING_STEPS):
        away = depths - places @ plane
        plane = fit_plane(places, depths, 1 / (AGREE**2 + away**2))
    return plane


def fit_plane(
    places: Reals,
    depths: Reals,
    weights: Reals | float = 1.0,
    dislike: tuple[float, float, float] = DISLIKE,
) -> Reals:
    """Return the plane (3,) that fits inverse depths (n,) best, and slopes little.

    Parameters
    ----------
    places
        (n, 3): 1, x and y of each.
    weights
        (n,): how much each of them counts.
    dislike
        How much its height and its slopes are kept down.
    """
    weighed = places.T * weights
    return np.asarray(np.linalg.solve(weighed @ places + np.diag(dislike), weighed @ depths))


def _agreement(places: Reals, depths: Reals, plane: Reals) -> float:
    """Return how many depths (n,) a plane explains; of two as good the less sloping is better."""
    explained = 1 / (1 + ((depths - places @ plane) / AGREE) ** 2)
    return float(explained.sum() - STEEP * len(depths) * np.abs(plane[1:]).sum())


def nearer(quads: Floats, times: Floats | float) -> Floats:
    """Return what upright quads (n, 4, 2) show from `times` as near; the number stays in place.

    >>> tile = np.array([[(0, 0), (20, 0), (20, 30), (0, 30)]], np.float32)
    >>> nearer(tile, 2.0)[0].round().tolist()
    [[5.0, 6.0], [15.0, 6.0], [15.0, 21.0], [5.0, 21.0]]
    """
    centre = np.array(NUMBER_AT, np.float32)
    pairs = zip(quads, np.broadcast_to(np.float32(times), len(quads)), strict=True)
    return stack(inside(quad, centre + (UNIT_SQUARE - centre) / each) for quad, each in pairs)


def times_nearer(printed: Floats) -> Floats:
    """Return from how many times as near numbers are as large as is usual, (n,).

    Not so near that one leaves the tile's place; of large ones it is less than 1.

    Parameters
    ----------
    printed
        (n, 4): left, top, right, bottom of each number, in parts of its tile.

    >>> times_nearer(np.array([(0.4, 0.3, 0.6, 0.45), (0.1, 0.3, 0.9, 0.45)], np.float32)).round(2)
    array([2.  , 1.12], dtype=float32)
    """
    left, top, right, bottom = printed.T
    x, y = NUMBER_AT
    # How far a number reaches to each side of its place, against how far it may.
    reach = np.maximum(np.stack([x - left, y - top, right - x, bottom - y]) + 1e-3, 1e-3)
    room = np.array([x, y, 1 - x, 1 - y], np.float32)[:, None] - RIM
    fitting = (room / reach).min(0)
    usual = USUAL_HEIGHT / np.maximum(bottom - top, 1e-3)
    return np.asarray(np.minimum(np.minimum(usual, fitting), NEAREST), np.float32)


def is_plausible(quad: Floats, box: Floats) -> bool:
    """Whether a corner finder's quad may be the tile that its box was about."""
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    return bool(AREA_CHANGE[0] < area_changes(quad[None], box[None])[0] < AREA_CHANGE[1])
