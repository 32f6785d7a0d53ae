"""What a person looks at before a set is taught: the photo, and every tile of it upright."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from vision.crops import straighten
from web.live.jpeg import encode_jpeg, jpeg_size

if TYPE_CHECKING:
    from vision.teaching import LaidOut
    from vision.types import Pixels

_WIDTH_PX: Final = 1280
_QUALITY: Final = 85
TILE_PX: Final = (64, 96)
COLUMNS: Final = 14
_MARGIN: Final = 0.04


@dataclass(frozen=True, slots=True)
class Shown:
    """A photo as the page shows it.

    Attributes
    ----------
    found
        What it shows, in its own pixels.
    scale
        How much smaller the JPEG is.
    jpeg, tiles_jpeg
        The photo; and its tiles in the order of `found`, 14 a line, 64 x 96 pixels each.
    """

    found: LaidOut
    width_px: int
    height_px: int
    scale: float
    jpeg: bytes
    tiles_jpeg: bytes

    def told(self) -> dict[str, Any]:
        """Return it as JSON values, places in pixels of the JPEG."""
        return {
            "width": self.width_px,
            "height": self.height_px,
            "problem": self.found.problem,
            "rows": list(self.found.rows),
            "tiles": [self._tile(place) for place in range(len(self.found.readings))],
        }

    def _tile(self, place: int) -> dict[str, Any]:
        found, reading = self.found, self.found.readings[place]
        face = found.faces[place] if found.faces else None
        state = "unsure" if reading.unsure else "sure"
        if found.is_mislaid(place):
            state = "other"
        quad = (found.quads_img[place] * self.scale).round(1).tolist()
        return {
            "face": str(face) if face else "",
            "read": str(reading.tile),
            "state": state,
            "quad": quad,
        }


def shown(pixels: Pixels, found: LaidOut) -> Shown:
    """Make what the page shows of a photo, (h, w, 3) uint8 BGR."""
    height, width = pixels.shape[:2]
    size = jpeg_size(width, height, _WIDTH_PX)
    jpeg = encode_jpeg(pixels, _WIDTH_PX, _QUALITY)
    return Shown(found, *size, size[0] / width, jpeg, _tiles(pixels, found))


def _tiles(pixels: Pixels, found: LaidOut) -> bytes:
    count = len(found.readings)
    lines = max(-(-count // COLUMNS), 1)
    sheet = np.zeros((lines * TILE_PX[1], COLUMNS * TILE_PX[0], 3), np.uint8)
    for place, quad in enumerate(found.quads_img):
        line, column = divmod(place, COLUMNS)
        top, left = line * TILE_PX[1], column * TILE_PX[0]
        crop = straighten(pixels, quad, TILE_PX, _MARGIN)
        sheet[top : top + TILE_PX[1], left : left + TILE_PX[0]] = crop
    return encode_jpeg(sheet, sheet.shape[1], _QUALITY)
