"""Pictures of single tiles, sorted by number into folders, as training samples for the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.detect import Detector
from vision.faces import COLOURS, JOKER, log_softmax
from vision.quads import shortest_side
from vision.reading.examine import Examiner
from vision.training.data import Labelled

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Floats, Pixels

# A tile fills most of its picture; what is smaller is a neighbour, or not the tile.
LEAST_SHARE: Final = 0.3
LEAST_SIDE_PX: Final = 20.0
# About a picture, in parts of its longer side, tried in turn: the detector is used to tiles that
# fill less of one.
BORDERS: Final = (0.5, 2.0, 1.0, 0.15)
SURE_COLOUR: Final = 0.9
LEAST_CHANCE: Final = 0.1
# How likely any other way up may be, to the likeliest. A 4, 9, 10 or joker on its side may pass
# for one upright, and teaches a reader, turned, that one upright is not.
MOST_OTHERWISE: Final = 0.1
ANY_COLOUR: Final = "?"


def load_tile_crops(folder: Path, models_dir: Path | None = None) -> list[Labelled]:
    """Load FOLDER/1 to FOLDER/13 and FOLDER/joker; colours and corners are found, not labelled.

    A picture in which the networks find no tile that could have its number is left out; a colour
    of which they are not sure is left open. The number decides which way is up.
    """
    networks = Detector.load(models_dir), Examiner.load(models_dir)
    samples = []
    for number in [*map(str, range(1, 14)), "joker"]:
        for path in sorted((folder / number).iterdir()):
            pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if pixels is None:
                raise FileNotFoundError(f"{path} is not a picture")
            whole = np.asarray(pixels, np.uint8)
            looks = (_located(whole, border, number, *networks) for border in BORDERS)
            sample = next((look for look in looks if look is not None), None)
            if sample is not None:
                samples.append(sample)
    return samples


def _located(
    pixels: Pixels, border: float, number: str, detector: Detector, examiner: Examiner
) -> Labelled | None:
    """Find the tile that fills a picture, and turn it the way that suits its number."""
    margin = round(border * max(pixels.shape[:2]))
    bordered = cv2.copyMakeBorder(
        pixels, margin, margin, margin, margin, cv2.BORDER_CONSTANT, value=(114, 114, 114)
    )
    framed = np.asarray(bordered, np.uint8)
    found = detector.detect(framed)
    if len(found) == 0:
        return None
    quads = examiner.corners.find(framed, found.quads_img)
    quad = max(quads, key=lambda q: float(cv2.contourArea(q)))
    whole = pixels.shape[0] * pixels.shape[1]
    if cv2.contourArea(quad) < LEAST_SHARE * whole or shortest_side(quad) < LEAST_SIDE_PX:
        return None
    turned = _upright(framed, quad, number, examiner)
    if turned is None:
        return None
    quad, colour = turned
    name = "J" if number == "joker" else f"{colour}{number}"
    whole_tile = np.ones(1, np.float32)
    return Labelled(framed, (name,), quad[None], whole_tile, whole_tile, upright_known=True)


def _upright(
    pixels: Pixels, quad: Floats, number: str, examiner: Examiner
) -> tuple[Floats, str] | None:
    """Return the quad as its number is read upright, and the ink's colour where it is plain.

    A tile seen from low may look wider than tall, so it may lie on its side, too. None where no
    way looks like it, or two do: the folder or the corners are wrong, or nobody can tell.
    """
    look = examiner.face_logits(pixels, np.stack([quad, np.roll(quad, 1, 0)]))
    numbers, colours = np.exp(log_softmax(look.numbers)), np.exp(log_softmax(look.colours))
    chances = numbers[:, JOKER if number == "joker" else int(number) - 1]
    second, way = np.argsort(chances)[-2:]
    if chances[way] < LEAST_CHANCE or chances[second] > MOST_OTHERWISE * chances[way]:
        return None
    colour = int(np.argmax(colours[way]))
    sure = colours[way, colour] >= SURE_COLOUR
    return np.roll(quad, int(way), 0), COLOURS[colour] if sure else ANY_COLOUR
