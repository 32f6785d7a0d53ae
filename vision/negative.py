"""Dark tiles with light numbers, seen as the light tiles with dark ones that networks know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.pipeline import Seen
    from vision.types import Pixels, Readings

# Where fewer of what is found are sure it may be what lies between dark tiles.
FEW: Final = 1 / 3
# Tiles, two sets of them, and how many times as many as else.
ENOUGH, MANY_MORE = 6, 2


def negative(pixels: Pixels) -> Pixels:
    """Return dark for light and light for dark, in the same hues and as vivid.

    That is another lightness of the double cone of hue, saturation and lightness (Joblove and
    Greenberg 1978): white ink turns black, and red stays red.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.

    >>> negative(np.array([[(255, 255, 255), (0, 0, 0), (40, 30, 230)]], np.uint8)).tolist()
    [[[0, 0, 0], [255, 255, 255], [35, 25, 225]]]
    """
    blue, green, red = cv2.split(pixels)
    least = cv2.min(cv2.min(blue, green), red).astype(np.int16)
    most = cv2.max(cv2.max(blue, green), red)
    return np.asarray(pixels + (255 - least - most)[..., None], np.uint8)


def may_be_dark(seen: Seen) -> bool:
    """Whether so little is read in a picture that its negative is worth a look."""
    return _sure(seen.readings) <= FEW * len(seen.readings) and not seen.is_grey


def is_hardly_any(readings: Readings) -> bool:
    """Whether a negative shows so little that light tiles may lie there by now."""
    return _sure(readings) < ENOUGH


def is_better(negative: Readings, positive: Readings) -> bool:
    """Whether so much more is read in the negative that the tiles must be dark."""
    return _sure(negative) >= max(ENOUGH, MANY_MORE * _sure(positive))


def _sure(readings: Readings) -> int:
    return sum(not one.unsure for one in readings.readings)
