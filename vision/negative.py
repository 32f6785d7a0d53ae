"""Dark tiles with light numbers, seen as the light tiles with dark ones that networks know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.mirrored import is_mirrored

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.pipeline import Seen
    from vision.types import Pixels, Readings

# Where fewer of what is found are sure it may be dark tiles, of which the detector finds some as
# they are and the reader reads half, or what lies between them.
FEW: Final = 2 / 3
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


def light_or_dark(see: Callable[[Pixels], Seen], pixels: Pixels, *, dark: bool) -> Seen:
    """Return what `see` reads in a picture (h, w, 3), or in its negative if that is far more.

    The other of them is only looked at where much of the first is in doubt, and the tiles may be
    dark, or light again where they were `dark` before.
    """
    seen = see(negative(pixels) if dark else pixels)
    if not _may_be_dark(seen) and not (dark and _sure(seen.readings) < ENOUGH):
        return seen
    turned = see(pixels if dark else negative(pixels))
    better = turned if _is_better(turned.readings, seen.readings) else seen
    return better._replace(timings=seen.timings + turned.timings)


def _may_be_dark(seen: Seen) -> bool:
    """Whether so little of what is found is read that the negative is worth a look."""
    few = _sure(seen.readings) <= FEW * len(seen.readings)
    return few and not seen.is_grey and not is_mirrored(seen.readings.readings)


def _is_better(turned: Readings, first: Readings) -> bool:
    """Whether so much more is read in the other of a picture and its negative."""
    if is_mirrored(turned.readings):
        return _sure(first) < ENOUGH
    return _sure(turned) >= max(ENOUGH, MANY_MORE * _sure(first))


def _sure(readings: Readings) -> int:
    return sum(not one.unsure for one in readings.readings)
