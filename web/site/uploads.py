"""Pictures from outside: checked in bytes and pixels before they are decoded."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from referee.phrases import say
from vision.pictures import MAX_PICTURE_PIXELS, PictureError, decode_picture

if TYPE_CHECKING:
    from vision.types import Pixels

MILLION: Final = 1_000_000
_PHOTO_SIDE_PX: Final = 4096
_DECODING: Final = threading.BoundedSemaphore(2)
"""Two pictures at most are being decoded, however many are sent: each takes up to 400 MB."""


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """How large an upload may be.

    Attributes
    ----------
    frame_bytes, frame_pixels
        A frame of a phone's live picture.
    photo_bytes, photo_pixels
        A photo.
    import_bytes
        A match that is taken in.
    still_wait_ms, motion_wait_ms
        How long a phone waits after a frame, where nothing moves and where something does.
    """

    frame_bytes: int = 4 * MILLION
    frame_pixels: int = 9 * MILLION
    photo_bytes: int = 30 * MILLION
    photo_pixels: int = MAX_PICTURE_PIXELS
    import_bytes: int = 500 * MILLION
    still_wait_ms: int = 500
    motion_wait_ms: int = 250


def decode_frame(data: bytes, limits: UploadLimits) -> Pixels:
    """Decode a JPEG of a phone's live picture as (h, w, 3) uint8 BGR pixels.

    Raises
    ------
    PictureError
        If it is no JPEG, too large or damaged.
    """
    try:
        with Image.open(BytesIO(data), formats=("JPEG",)) as image:
            width, height = image.size
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        text = say("picture.no_jpeg", "not a JPEG picture; frames are sent as image/jpeg")
        raise PictureError(text) from None
    if width * height > limits.frame_pixels:
        raise PictureError(
            say(
                "picture.large_frame",
                "the frame has {width} x {height} pixels, at most {most} million are taken; "
                "send it smaller",
                width=width,
                height=height,
                most=f"{limits.frame_pixels / 1e6:.0f}",
            )
        )
    with _DECODING:
        return decode_picture(data)


def decode_photo(data: bytes, limits: UploadLimits) -> Pixels:
    """Decode a photo as (h, w, 3) uint8 BGR pixels, at most 4096 on a side.

    Raises
    ------
    PictureError
        If it is no picture, too large or damaged.
    """
    with _DECODING:
        pixels = decode_picture(data)
        if pixels.shape[0] * pixels.shape[1] > limits.photo_pixels:
            raise PictureError(
                say(
                    "picture.large_photo",
                    "the photo has over {most} million pixels; take it with a smaller size",
                    most=f"{limits.photo_pixels / 1e6:.0f}",
                )
            )
        scale = _PHOTO_SIDE_PX / max(pixels.shape[:2])
        if scale >= 1:
            return pixels
        small = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
