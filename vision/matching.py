"""Which outline is which: pairs of what overlaps best, each at most once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.labels import LabelledTile
    from vision.types import Floats

MIN_QUAD_IOU: Final = 0.5
MIN_BOX_IOU: Final = 0.3


def match(tiles: Iterable[LabelledTile], quads_img: Floats) -> dict[int, int]:
    """Pair labels with detections, best overlap first, each at most once.

    Returns
    -------
        Detection number by label number.
    """
    return pair_off(
        (-overlap, label_number, number)
        for label_number, label in enumerate(tiles)
        for number, quad in enumerate(quads_img)
        if (overlap := label_overlap(label, quad)) is not None
    )


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


def label_overlap(label: LabelledTile, quad_img: Floats) -> float | None:
    """Intersection over union, or None if it is too small to be the same tile.

    A loose label is compared with the upright box around the quad, and asks for less.
    """
    if label.loose:
        quad_img = _upright_box(quad_img)
    overlap = quad_iou(label.outline_img, quad_img)
    return overlap if overlap >= (MIN_BOX_IOU if label.loose else MIN_QUAD_IOU) else None


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


def _upright_box(quad: Floats) -> Floats:
    (left, top), (right, bottom) = quad.min(axis=0), quad.max(axis=0)
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
