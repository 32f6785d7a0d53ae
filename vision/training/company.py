"""What the reader sees of a picture's tiles, for what weighs them all together to learn from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vision.quads import shortest_side
from vision.training.data import opened
from vision.training.tiles import loosen, reshot, upright

if TYPE_CHECKING:
    from vision.reading.examine import Examiner
    from vision.reading.sight import Look
    from vision.training.data import Labelled
    from vision.types import Floats

LEAST_VISIBLE = 0.4


class Company(NamedTuple):
    """Tiles of one picture, as they are upright.

    Attributes
    ----------
    sample
        The picture as it was looked at, and its labels.
    places
        (n,): which of the labels they are.
    quads_img, numbers
        (n, 4, 2) px; (n, 15) probabilities.
    look
        What the reader sees, n of each.
    """

    sample: Labelled
    places: list[int]
    quads_img: Floats
    numbers: Floats
    look: Look


def look_at_company(
    examiner: Examiner,
    sample: Labelled,
    rng: np.random.Generator,
    called_share: float,
    smallest_side_px: float,
) -> Company | None:
    """Look at the tiles of a picture, in boxes as detectors give; None where there are none.

    `called_share` of the pictures are seen as a poor video call sends them.
    """
    sample = upright(opened(sample))
    places = [
        i
        for i, quad in enumerate(sample.quads_img)
        if shortest_side(quad) >= smallest_side_px and sample.visible[i] > LEAST_VISIBLE
    ]
    if not places:
        return None
    sample = replace(sample, pixels_bgr=reshot(rng, sample.pixels_bgr, called_share))
    quads, look = look_into_boxes(examiner, sample, places, rng)
    numbers, turned = examiner.weigh(look)
    return Company(sample, places, quads, numbers, look.upright(turned))


def look_into_boxes(
    examiner: Examiner, sample: Labelled, places: list[int], rng: np.random.Generator
) -> tuple[Floats, Look]:
    """Return quads (n, 4, 2) and a look at n tiles both ways up, in boxes as detectors give."""
    boxes = np.stack([loosen(rng, sample.quads_img[i]) for i in places])
    quads = examiner.corners.find(sample.pixels_bgr, boxes)
    look = examiner.face_logits(sample.pixels_bgr, quads)
    return quads, examiner.look_closer(sample.pixels_bgr, quads, look)
