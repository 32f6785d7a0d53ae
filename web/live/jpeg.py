"""Pictures as JPEG, for pages and as evidence of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2

if TYPE_CHECKING:
    from vision.types import Pixels


def jpeg_size(width_px: int, height_px: int, most_px: int) -> tuple[int, int]:
    """Return the size of a picture made at most `most_px` wide.

    >>> jpeg_size(1920, 1080, 1280), jpeg_size(640, 480, 1280)
    ((1280, 720), (640, 480))
    """
    if width_px <= most_px:
        return width_px, height_px
    return most_px, max(round(height_px * most_px / width_px), 1)


def encode_jpeg(pixels: Pixels, most_px: int, quality: int) -> bytes:
    """Return (h, w, 3) uint8 BGR pixels as a JPEG at most `most_px` wide."""
    size = jpeg_size(pixels.shape[1], pixels.shape[0], most_px)
    if size != (pixels.shape[1], pixels.shape[0]):
        smaller = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    else:
        smaller = pixels
    done, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError(f"a picture of {size[0]} x {size[1]} pixels could not be encoded")
    return bytes(data)
