"""Quads: four corners of tiles and pictures, and what can be measured and made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.types import Flags, Floats, Reals


def rectangle(left: float, top: float, right: float, bottom: float) -> Floats:
    """Return the corners of an upright rectangle, (4, 2), clockwise from its top left."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


UNIT_SQUARE = rectangle(0, 0, 1, 1)


def axes(quads: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the ways across and along quads (n, 4, 2), (n, 2) each, and their lengths, (n,)."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    lengths = (np.maximum(np.linalg.norm(way, axis=1), 1e-3) for way in (across, along))
    return across, along, *lengths


def shortest_sides(quads: Floats) -> Floats:
    """Return how long the shortest side of each quad (n, 4, 2) is, (n,); a slant shortens it.

    >>> shortest_sides(np.array([[(0, 0), (9, 0), (9, 5), (0, 6)]], np.float32)).tolist()
    [5.0]
    """
    return np.asarray(np.linalg.norm(quads - np.roll(quads, -1, 1), axis=2).min(1))


def shortest_side(quad: Floats) -> float:
    """Return how long the shortest side of one quad (4, 2) is."""
    return float(shortest_sides(quad[None])[0])


def areas(quads: Floats) -> Reals:
    """Return the areas of quads (n, 4, 2), (n,), none of them nought."""
    found = [cv2.contourArea(quad.astype(np.float32)) for quad in quads]
    return np.asarray(np.maximum(found, 1e-3), np.float64)


def area_changes(quads: Floats, boxes: Floats) -> Reals:
    """Return how many times as large as boxes (n, 4, 2) quads are, (n,)."""
    return np.asarray(areas(quads) / areas(boxes))


def steps_to(quads: Floats, others: Floats) -> Reals:
    """Return how far others (m, 4, 2) lie from quads (n, 4, 2), across and along these.

    Returns
    -------
    (n, m, 2) float64, in their widths and heights; infinite from a mere line.
    """
    across, along, _, _ = axes(quads)
    basis = np.stack([across, along], 2).astype(np.float64)
    solid = np.abs(np.linalg.det(basis)) > 1
    inverse = np.linalg.inv(np.where(solid[:, None, None], basis, np.eye(2)))
    away = others.mean(1)[None] - quads.mean(1)[:, None]
    steps = np.einsum("iab,ijb->ija", inverse, away)
    return np.asarray(np.where(solid[:, None, None], steps, np.inf))


def within(quads: Floats, others: Floats, reach: tuple[float, float]) -> Flags:
    """Tell which others (m, 4, 2) have their middle near that of quads (n, 4, 2), (n, m).

    Parameters
    ----------
    reach
        How near, in widths across and heights along each of the quads.
    """
    return np.asarray((np.abs(steps_to(quads, others)) < np.array(reach)).all(2))


def quads_of(xywhr: Floats) -> Floats:
    """Return boxes (n, 5) as quads (n, 4, 2), clockwise, the width first.

    >>> quads_of(np.array([[10, 10, 4, 6, 0]], np.float32))[0].tolist()
    [[8.0, 7.0], [12.0, 7.0], [12.0, 13.0], [8.0, 13.0]]
    """
    angle = xywhr[:, 4:5]
    across = np.concatenate([np.cos(angle), np.sin(angle)], 1) * xywhr[:, 2:3] / 2
    along = np.concatenate([-np.sin(angle), np.cos(angle)], 1) * xywhr[:, 3:4] / 2
    centre = xywhr[:, :2]
    corners = (
        centre - across - along,
        centre + across - along,
        centre + across + along,
        centre - across + along,
    )
    return np.stack(corners, 1).astype(np.float32)


def boxes_of(quads: Floats) -> Floats:
    """Return quads (n, 4, 2) as boxes (n, 5), of which `quads_of` makes quads.

    The width is along a quad's first side, the tile's own top, and the angle is that of the width,
    as of the parallelogram nearest to the quad. Were it the shorter side's, it would jump where
    a tile seen from the side looks square.

    >>> boxes_of(rectangle(8, 7, 12, 13)[None]).tolist()
    [[10.0, 10.0, 4.0, 6.0, 0.0]]
    """
    across, along, width, height = axes(quads)
    # The mean of both sides' directions; for a sheared quad neither alone is the box's.
    upright = np.stack([along[:, 1], -along[:, 0]], 1)
    x, y = (across / width[:, None] + upright / height[:, None]).T
    return np.asarray(np.c_[quads.mean(1), width, height, np.arctan2(y, x)], np.float32)


def quad_iou(one: Floats, other: Floats) -> float:
    """Intersection over union of two convex quads.

    >>> square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]], np.float32)
    >>> round(quad_iou(square, square + np.float32([1, 0])), 3)
    0.333
    """
    if (one.max(axis=0) < other.min(axis=0)).any() or (other.max(axis=0) < one.min(axis=0)).any():
        return 0.0
    hulls = [cv2.convexHull(quad.astype(np.float32)) for quad in (one, other)]
    common, _ = cv2.intersectConvexConvex(hulls[0], hulls[1])
    union = sum(cv2.contourArea(hull) for hull in hulls) - common
    return float(common / union) if union > 0 else 0.0


def pair_off(candidates: Iterable[tuple[float, int, int]]) -> dict[int, int]:
    """Return pairs of firsts and seconds, the one with the least figure first, each at most once.

    >>> pair_off([(0.3, 0, 0), (0.1, 0, 1), (0.2, 1, 1), (0.4, 1, 0)])
    {0: 1, 1: 0}
    """
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, first, second in sorted(candidates):
        if first not in pairs and second not in taken:
            pairs[first] = second
            taken.add(second)
    return pairs


def inside(quad: Floats, points: Floats) -> Floats:
    """Map points (n, 2) of the unit square into a quad, in perspective."""
    warp = cv2.getPerspectiveTransform(UNIT_SQUARE, np.ascontiguousarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None], warp)[0], np.float32)


def turned_round(quads: Floats, turned: Flags) -> Floats:
    """Return the quads (n, 4, 2), those that are turned, (n,), begun at the opposite corner."""
    return np.where(turned[:, None, None], np.roll(quads, 2, 1), quads)


def turned_an_eighth(quads: Floats) -> Floats:
    """Return quads (n, 4, 2) turned clockwise by 45 degrees about their middles."""
    middles = quads.mean(1, keepdims=True)
    eighth = np.array([(1, 1), (-1, 1)]) / np.sqrt(2)
    return np.asarray((quads - middles) @ eighth + middles, np.float32)


def clockwise(quads: Floats) -> Floats:
    """Return the quads, each turning clockwise on screen; its first side stays the first."""
    if len(quads) == 0:
        return quads
    a, b = quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]
    turns_left = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] < 0
    quads = quads.copy()
    quads[turns_left] = quads[turns_left][:, [1, 0, 3, 2]]
    return quads


def short_first(quads: Floats) -> Floats:
    """Return the quads, each beginning with a short side; which of the two is left open.

    >>> wide = np.array([[(0, 0), (9, 0), (9, 5), (0, 5)]], np.float32)
    >>> short_first(wide)[0].tolist()
    [[9.0, 0.0], [9.0, 5.0], [0.0, 5.0], [0.0, 0.0]]
    """
    if len(quads) == 0:
        return quads
    sides = np.linalg.norm(quads - np.roll(quads, -1, 1), axis=-1)
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    return np.where(lying[:, None, None], np.roll(quads, -1, 1), quads)
