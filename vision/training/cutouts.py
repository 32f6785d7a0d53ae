"""Photographed tiles on rendered tables: sets whose faces were cut out of photographs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.crops import straighten
from vision.quads import shortest_side
from vision.rendering.arrays import bgr
from vision.rendering.boxes import TileBox
from vision.rendering.editions import edition_named
from vision.rendering.faces import FACE_HEIGHT_PX, draw_blank, face_of
from vision.training.data import load_photographs
from vision.training.tiles import upright

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.rendering.arrays import Array
    from vision.rendering.editions import Edition
    from vision.training.data import Labelled
    from vision.types import Pixels

    Cutouts = dict[str, list[Pixels]]

SIZE_PX: Final = (FACE_HEIGHT_PX * 2 // 3, FACE_HEIGHT_PX)
LEAST_SIDE_PX: Final = 36.0
# Labels stray by a pixel or two; what lies around a tile is not to be pasted with it.
MARGIN: Final = -0.03
BOXES_A_BATCH: Final = 4  # of 60 MB each
_GREY: Final = 0.02


def photographed_boxes(
    rng: np.random.Generator, labels: Path, edition: str = "a"
) -> list[TileBox]:
    """Make the sets of a batch, each of other pictures of the `train` photographs' tiles.

    Parameters
    ----------
    labels
        Labelled photographs of one set.
    edition
        The file in `datasets/editions/`, without its ending, whose body is most like theirs.
    """
    like = edition_named(edition)
    cutouts = _cutouts_in(labels)
    return [photographed_box(rng, like, cutouts) for _ in range(BOXES_A_BATCH)]


@cache
def _cutouts_in(labels: Path) -> Cutouts:
    return cut_out(load_photographs(labels))


def cut_out(photographs: Sequence[Labelled]) -> Cutouts:
    """Return the upright pictures of every face, those that are large and whole enough."""
    cutouts: Cutouts = {}
    for photograph in map(upright, photographs):
        for name, quad, seen in zip(
            photograph.names, photograph.quads_img, photograph.visible, strict=True
        ):
            if seen == 1 and shortest_side(quad) >= LEAST_SIDE_PX:
                crop = straighten(photograph.pixels_bgr, quad, SIZE_PX, MARGIN)
                cutouts.setdefault(name, []).append(crop)
    return cutouts


def photographed_box(rng: np.random.Generator, like: Edition, cutouts: Cutouts) -> TileBox:
    """Return a set with one picture of each face; a face without one is drawn when wanted."""
    box = TileBox(like, np.random.default_rng(rng.integers(2**63)))
    blank = draw_blank(like, box.rng)
    body = bgr(like.body.colour)
    for name, crops in cutouts.items():
        for _ in range(3 if name == "J" else 1):
            albedo = _albedo(crops[int(rng.integers(len(crops)))], body, blank.alpha.shape)
            face = face_of(albedo, np.zeros_like(blank.slope), blank.alpha)
            box.drawn.setdefault(name, []).append(face)
    return box


def _albedo(crop: Pixels, body_bgr: Array, shape: tuple[int, ...]) -> Array:
    """Return what a photographed face, (h, w, 3), reflects in white light, 0 to 1.

    Most of a face is bare; so its middle colour, channel by channel, is the body in that light.
    """
    resized = cv2.resize(crop, shape[::-1], interpolation=cv2.INTER_CUBIC)
    face = np.asarray(resized, np.float32) / np.float32(255)
    bare = np.maximum(np.median(face.reshape(-1, 3), 0), _GREY)
    return np.asarray(np.clip(face * (body_bgr / bare), 0, 1), np.float32)
