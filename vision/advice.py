"""What a picture of the table says of light and camera, with advice in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

_DARK: Final = 50.0
_BLOWN: Final = 254
_GLARE_SHARE: Final = 0.25
_SMALL_PX: Final = 20.0
_OBLIQUE: Final = 2.0


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to mend.

    Attributes
    ----------
    code
        "dark", "glare", "small" or "oblique".
    text, advice
        What is wrong, and what to do.
    """

    code: str
    text: str
    advice: str


def advise(pixels: Pixels, quads_img: Floats) -> tuple[Advice, ...]:
    """Say what keeps tiles from being read well; nothing where all is well.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    quads_img
        (n, 4, 2) float32, the tiles' corners in image pixels, in order around each.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    found = []
    if grey.mean() < _DARK:
        found.append(Advice("dark", "The picture is too dark.", "Switch on more light."))
    if len(quads_img) == 0:
        return tuple(found)
    if _glaring(pixels, quads_img) > _GLARE_SHARE:
        found.append(
            Advice("glare", "Light glares on the tiles.", "Move the lamp or the camera aside.")
        )
    sides = np.linalg.norm(quads_img - np.roll(quads_img, 1, axis=1), axis=2)
    short = sides.min(axis=1)
    if np.median(short) < _SMALL_PX:
        found.append(
            Advice("small", "The tiles are too small.", "Move closer, or use more pixels.")
        )
    if np.quantile(short, 0.95) > _OBLIQUE * np.quantile(short, 0.05):
        found.append(
            Advice("oblique", "The camera looks too flatly.", "Hold it higher above the table.")
        )
    return tuple(found)


def _glaring(pixels: Pixels, quads_img: Floats) -> float:
    """Return the share of the tiles' pixels that are blown out in all colours."""
    mask = np.zeros(pixels.shape[:2], np.uint8)
    for quad in quads_img:
        cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 1)
    inside = pixels[mask > 0]
    return float((inside.min(axis=1) >= _BLOWN).mean()) if len(inside) else 0.0
