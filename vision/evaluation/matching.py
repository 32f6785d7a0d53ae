"""Which detection is which labelled tile: by overlap of their outlines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from vision.quads import pair_off, quad_iou, rectangle

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


def label_overlap(label: LabelledTile, quad_img: Floats) -> float | None:
    """Intersection over union, or None if it is too small to be the same tile.

    A loose label is compared with the upright box around the quad, and asks for less.
    """
    if label.loose:
        quad_img = rectangle(*quad_img.min(axis=0), *quad_img.max(axis=0))
    overlap = quad_iou(label.outline_img, quad_img)
    return overlap if overlap >= (MIN_BOX_IOU if label.loose else MIN_QUAD_IOU) else None
