"""The renderer's arrays: geometry is float64, light is float32, and the two meet everywhere."""

from __future__ import annotations

import ctypes
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cv2.typing import MatLike

    from vision.types import Pixels

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.bool_]

_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of glibc's mallopt
_LARGEST_BYTES: Final = 2**25  # that it allows
PINCHED_PLACES: Final = (9, 13)  # across and down
_ROOM_PX: Final = 256  # how far a piece of grain can be shifted on its sheet, at least


def bgr(rgb: tuple[int, int, int]) -> Array:
    """Return a colour of 0 to 255 as (3,) float32, blue first, 0 to 1."""
    return np.array(rgb[::-1], np.float32) / 255


def random_grain(
    rng: np.random.Generator, shape: tuple[int, int, int], blur_px: float = 0.0
) -> Array:
    """Return normal noise, float32, mean 0 and deviation 1 before a blur: do not write into it.

    A piece of a large sheet that is made once; drawing it anew takes twenty times as long.
    """
    height, width, channels = shape
    sheet = _sheet(-(-max(height, width) // _ROOM_PX) * _ROOM_PX + _ROOM_PX, channels, blur_px)
    y, x = rng.integers(0, (len(sheet) - height + 1, len(sheet) - width + 1))
    return sheet[y : y + height, x : x + width]


def bent(
    picture: MatLike, stray: Array, lean: float = 0.0, border: int = cv2.BORDER_CONSTANT
) -> MatLike:
    """Return a picture (h, w) or (h, w, c) whose lines lean and stray.

    Parameters
    ----------
    stray
        (2, rows, columns): how far left and up, px, at so many places; between them it is smooth.
    lean
        How far left a pixel further down.
    border
        What lies beyond the picture, as `cv2.remap` has it.
    """
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x += (y - height / 2) * np.float32(lean)
    dx, dy = (
        cv2.resize(each.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        for each in stray
    )
    return cv2.remap(picture, x + dx, y + dy, cv2.INTER_LINEAR, borderMode=border)


def pinching(size: tuple[int, int], factor: float, middle: tuple[float, float]) -> Array:
    """Return how what lies about a place becomes smaller, (2, rows, columns) px as of `bent`.

    Towards the rim it fades, so that a tile stays as large as it is, and its number does not.

    Parameters
    ----------
    size
        Width and height of the picture, px.
    factor
        How many times as large it becomes, at least 0.5; with less the picture would fold.
    middle
        The place, in parts of the picture.
    """
    away, fading = [], []
    for side, places, at in zip(size, PINCHED_PLACES, middle, strict=True):
        place = (np.arange(places) + 0.5) / places - at
        away.append(place * side * (1 / factor - 1))
        fading.append((1 - (place / np.where(place < 0, at, 1 - at)) ** 2) ** 2)
    fade = fading[1][:, None] * fading[0]
    return np.stack([away[0] * fade, away[1][:, None] * fade]).astype(np.float32)


def finer(stray: Array) -> Array:
    """Return what `bent` takes at as many places as `pinching` gives, so that both add up."""
    every = [cv2.resize(each, PINCHED_PLACES, interpolation=cv2.INTER_CUBIC) for each in stray]
    return np.array(every, np.float32)


@lru_cache(maxsize=8)
def _sheet(side: int, channels: int, blur_px: float) -> Array:
    cv2.setRNGSeed(side)
    sheet = np.empty((side, side, channels), np.float32)
    cv2.randn(sheet, np.zeros(1), np.ones(1))
    if blur_px:
        sheet = np.asarray(cv2.GaussianBlur(sheet, (0, 0), blur_px), np.float32)
        sheet = sheet.reshape(side, side, channels)
    sheet.flags.writeable = False
    return sheet


def keep_memory() -> None:
    """Keep freed pictures' memory for the next ones, where the C library can.

    Getting each from the system anew, page by page, takes up to a fifth of the time.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_BYTES)
        mallopt(_M_TRIM_THRESHOLD, 2**30)


def dim(picture: Array, share: MatLike) -> None:
    """Multiply a picture, (h, w, 3) float32, in place by (h, w): float32, or bytes for 0 to 1."""
    scale = 1 / 255 if share.dtype == np.uint8 else 1.0
    cv2.multiply(picture, cv2.merge([share] * 3), dst=picture, scale=scale, dtype=cv2.CV_32F)


def lay_over(picture: Array, sheet: Array) -> MatLike:
    """Lay a sheet, (h, w, 4) float32: BGR times alpha, alpha, over a picture; return its alpha."""
    alpha = cv2.extractChannel(sheet, 3)
    dim(picture, 1 - alpha)
    cv2.add(picture, cv2.cvtColor(sheet, cv2.COLOR_BGRA2BGR), dst=picture)
    return alpha


def jpeg(pixels: MatLike, quality: int) -> Pixels:
    """Return (h, w, 3) uint8 pixels as a JPEG of this quality, 0 to 100, holds them."""
    file = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), np.uint8)
