"""Labelled pictures in memory: photographs and rendered scenes alike."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from vision.labels import LabelError, left_out, read_entries
from vision.pictures import PictureError, load_picture
from vision.quads import clockwise, rectangle, short_first

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vision.types import Floats, Pixels

log: Final = logging.getLogger(__name__)
TUNING_SHARE = 8


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture with its tiles.

    Attributes
    ----------
    pixels_bgr
        (h, w, 3) uint8; or (n,), the bytes of a packed picture's file.
    names
        n faces.
    quads_img
        (n, 4, 2) float32, pixels, clockwise; the first side is the tile's top or its bottom.
    visible, number_visible
        (n,) float32: seen share of each face, and of its part with the number.
    upright_known
        Whether every quad begins at the corner that is top left when the tile is read upright.
    """

    pixels_bgr: Pixels
    names: tuple[str, ...]
    quads_img: Floats
    visible: Floats
    number_visible: Floats
    upright_known: bool


def load_scenes(folder: Path, *, packed: bool = False) -> list[Labelled]:
    """Load rendered scenes: `labels.jsonl` and the pictures it names.

    Packed ones take a tenth of the memory and have to be `opened` before use.
    """
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        _labelled(folder, json.loads(line), upright_known=True, packed=packed) for line in lines
    ]


def load_all_scenes(folders: Iterable[Path], *, packed: bool = False) -> list[Labelled]:
    """Load the scenes of several folders, one after another."""
    return [scene for folder in folders for scene in load_scenes(folder, packed=packed)]


def opened(sample: Labelled) -> Labelled:
    """Return a sample with its picture decoded, if it was packed."""
    if sample.pixels_bgr.ndim > 1:
        return sample
    pixels = cv2.imdecode(sample.pixels_bgr, cv2.IMREAD_COLOR)
    return replace(sample, pixels_bgr=np.asarray(pixels, np.uint8))


def load_photographs(labels: Path, *, tuning: bool = False) -> list[Labelled]:
    """Load photographs of the `train` split; the file's `photo` paths are relative to it.

    Every eighth of them is kept from training, for tuning: calibration and thresholds. Those
    whose labels nobody has checked yet are left out of both, which the log tells.

    Raises
    ------
    LabelError
        If the file is missing or malformed, or has boxes where training wants edges.
    PictureError
        If a photograph cannot be read.
    """
    train = [entry for entry in read_entries(labels) if entry.split == "train"]
    unchecked = [entry.photo for entry in train if not entry.checked]
    if unchecked:
        log.warning("%s: %s", labels, left_out(unchecked, len(train)))
    boxed = next((entry.photo for entry in train if entry.boxes), None)
    if boxed is not None:
        raise LabelError(f"{labels}: {boxed}: boxes do not tell the tiles' edges; label `tiles`")
    return [
        _labelled(labels.parent, entry.model_dump(), upright_known=entry.upright)
        for index, entry in enumerate(train)
        if (index % TUNING_SHARE == 0) is tuning and entry.checked
    ]


def _labelled(
    folder: Path, record: dict[str, Any], *, upright_known: bool, packed: bool = False
) -> Labelled:
    photo = folder / str(record["photo"])
    try:
        pixels = np.fromfile(photo, np.uint8) if packed else load_picture(photo)
    except PictureError as error:
        raise PictureError(f"{photo}, which the labels name: {error}") from error
    tiles = record["tiles"]
    quads = np.array([tile["quad"] for tile in tiles], np.float32).reshape(-1, 4, 2)
    return Labelled(
        pixels,
        tuple(tile["tile"] for tile in tiles),
        clockwise(quads) if upright_known else short_first(clockwise(quads)),
        np.array([tile.get("visible", 1.0) for tile in tiles], np.float32),
        np.array([tile.get("number_visible", 1.0) for tile in tiles], np.float32),
        upright_known,
    )


def inside_share(quads: Floats, width: int, height: int) -> Floats:
    """Return the share of each quad's area that lies in a picture of that size, (n,)."""
    frame = rectangle(0, 0, width, height)
    shares = np.zeros(len(quads), np.float32)
    for i, quad in enumerate(quads):
        area = abs(cv2.contourArea(quad))
        if area > 0:
            shares[i] = cv2.intersectConvexConvex(quad, frame)[0] / area
    return shares
