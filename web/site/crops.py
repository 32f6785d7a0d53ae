"""The newest picture, encoded once for everybody, and one tile out of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Floats, Pixels
    from web.site.borders import Snapshot, Table

_WIDTH_PX: Final = 96
_HEIGHT_PX: Final = 128
_MARGIN_PX: Final = 8


class Pictures:
    """Keeps the newest picture for all who ask for the same one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._number: int | None = None
        self._jpeg: bytes | None = None

    def newest(self, table: Table) -> bytes | None:
        """Return the picture that the newest snapshot tells of; None where there is none."""
        told = table.snapshot()["picture"]
        number = told["number"] if told else None
        with self._lock:
            if self._jpeg is None or number is None or number != self._number:
                self._number, self._jpeg = number, table.picture_jpeg()
            return self._jpeg


def tile_crop(jpeg: bytes, snapshot: Snapshot, tile: int | None) -> bytes | None:
    """Cut the tile of that number out of a picture; None where there is no such tile."""
    quad = next((seen["quad"] for seen in snapshot["tiles"] if seen["id"] == tile), None)
    if quad is None or not snapshot["picture"]:
        return None
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        return None
    scale = pixels.shape[1] / snapshot["picture"]["width"]
    return cut(np.asarray(pixels, np.uint8), np.array(quad, np.float32) * scale)


def cut(pixels: Pixels, quad: Floats) -> bytes:
    """Cut a tile out of a picture, (h, w, 3) uint8, by its corners there, as a JPEG."""
    left, top = _MARGIN_PX, _MARGIN_PX
    right, bottom = _WIDTH_PX - _MARGIN_PX, _HEIGHT_PX - _MARGIN_PX
    upright = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    turn = cv2.getPerspectiveTransform(quad.astype(np.float32), upright)
    crop = cv2.warpPerspective(pixels, turn, (_WIDTH_PX, _HEIGHT_PX))
    return cv2.imencode(".jpg", crop)[1].tobytes()
