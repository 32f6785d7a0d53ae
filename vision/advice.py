"""What a picture of the table says of light and camera, with advice in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.quads import shortest_side, shortest_sides

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.types import Floats, Pixels

_DARK: Final = 50.0
# Measured: tiles are read as well as by daylight down to 45.
_DARK_FACE: Final = 50.0
_BLOWN: Final = 254
_GLARE_SHARE: Final = 0.25
_SMALL_PX: Final = 20.0
_OBLIQUE: Final = 2.0
# Measured: photos in focus have at most 0.06; from 0.13 on, more and more tiles are misread.
_BLURRED: Final = 0.13
_FAINT: Final = 1.0
_INK: Final = 0.3
_LEAST_PX: Final = 4
_MOST_TILES: Final = 24
"""So many, from all over the table, tell enough of light and focus."""
_FACE: Final = 0.8
"""The part of a tile, each way, that is surely its face: no edge, and nothing beside it."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to mend.

    Attributes
    ----------
    code
        "mirrored", "dark", "glare", "blurred", "small" or "oblique".
    text, advice
        What is wrong, and what to do.
    """

    code: str
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class _Face:
    """The face of one tile: the part of the picture around it, and where in that it is."""

    pixels: Pixels
    mask: Pixels
    short_px: float


_WORDS: Final = {
    "mirrored": (
        "The picture is mirrored.",
        "Turn that off in the camera, or in the program that sends its picture.",
    ),
    "dark": ("The picture is too dark.", "Switch on more light."),
    "glare": ("Light glares on the tiles.", "Move the lamp or the camera aside."),
    "blurred": (
        "The tiles are blurred.",
        "Clean the lens, let the camera focus on the table, and fix it well.",
    ),
    "small": ("The tiles are too small.", "Move closer, or use more pixels."),
    "oblique": ("The camera looks too flatly.", "Hold it higher above the table."),
}
CODES: Final = tuple(_WORDS)
"""All that can be wrong."""


def advise(pixels: Pixels, quads_img: Floats, *, mirrored: bool = False) -> tuple[Advice, ...]:
    """Say what keeps tiles from being read well; nothing where all is well.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR, lying still.
    quads_img
        (n, 4, 2) float32, the tiles' corners in image pixels, in order around each.
    mirrored
        Whether the tiles are read better in the picture's mirror image.

    Examples
    --------
    >>> [found.text for found in advise(np.zeros((48, 64, 3), np.uint8), np.zeros((0, 4, 2)))]
    ['The picture is too dark.']
    """
    first = ("mirrored",) if mirrored else ()
    return tuple(Advice(code, *_WORDS[code]) for code in (*first, *_wrong(pixels, quads_img)))


def _wrong(pixels: Pixels, quads_img: Floats) -> Iterator[str]:
    faces = tuple(_faces(pixels, quads_img[:: -(-len(quads_img) // _MOST_TILES) or 1]))
    if not faces:
        if pixels[::4, ::4].mean() < _DARK:
            yield "dark"
        return
    # A table cloth may be black: where tiles are seen, only they need light.
    if np.median([_brightness(face) for face in faces]) < _DARK_FACE:
        yield "dark"
    if np.mean([_blown(face) for face in faces]) > _GLARE_SHARE:
        yield "glare"
    if _edge_width(faces) > _BLURRED:
        yield "blurred"
    short = shortest_sides(quads_img)
    if np.median(short) < _SMALL_PX:
        yield "small"
    if np.quantile(short, 0.95) > _OBLIQUE * np.quantile(short, 0.05):
        yield "oblique"


def _faces(pixels: Pixels, quads_img: Floats) -> Iterator[_Face]:
    height, width = pixels.shape[:2]
    for quad in quads_img:
        middle = quad.mean(axis=0)
        inner = middle + (quad - middle) * _FACE
        left, top = np.clip(np.floor(inner.min(axis=0)), 0, None).astype(int)
        right, bottom = np.minimum(np.ceil(inner.max(axis=0)) + 1, (width, height)).astype(int)
        if right - left < _LEAST_PX or bottom - top < _LEAST_PX:
            continue
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillConvexPoly(mask, np.round(inner - (left, top)).astype(np.int32), 1)
        yield _Face(pixels[top:bottom, left:right], mask, shortest_side(quad))


def _brightness(face: _Face) -> float:
    """Return how bright the blank of a tile is, 0 to 255."""
    green = face.pixels[..., 1][face.mask > 0]
    return float(np.percentile(green, 80))


def _blown(face: _Face) -> float:
    """Return the share of a tile's pixels that are blown out in all colours."""
    return float((face.pixels[face.mask > 0].min(axis=1) >= _BLOWN).mean())


def _edge_width(faces: tuple[_Face, ...]) -> float:
    """Return how wide the edges of the digits are, as a share of a tile's short side."""
    widths = [width for face in faces if (width := _edge_width_of(face)) is not None]
    return float(np.median(widths)) if widths else 0.0


def _edge_width_of(face: _Face) -> float | None:
    """Return the contrast of a tile over its steepest slope; None where nothing is on it."""
    grey = cv2.cvtColor(face.pixels, cv2.COLOR_BGR2GRAY)
    inside = face.mask > 0
    dark, light = np.percentile(grey[inside], (2, 98))
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way) / 8 for way in ((1, 0), (0, 1)))
    slope = float(np.percentile(np.hypot(across, down)[inside], 98))
    if slope < _FAINT:
        return None
    # Blur takes contrast away, too, so as much is taken as the palest ink has.
    contrast = max(float(light - dark), _INK * float(light))
    return contrast / slope / max(face.short_px, 1.0)
