"""Pictures that a camera or a program mirrored, as selfie cameras do: nothing in them is believed.

A 5 or a 6 may surely look like an 8 there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.doubts import MIRRORED

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.pipeline import Seen
    from vision.types import Pixels, Readings

# Numbers that look the same in a mirror, or as which others are misread there; jokers have none.
ALIKE: Final = frozenset({1, 8, 11, None})
# What share of a mirrored picture's tiles may surely be something else, and how many have to be
# the other way round, and how many times as many. Of 69 photographs of tiles none is taken for
# mirrored, of the same mirrored 65 of the 66 in which any are found.
FEW, ENOUGH, MANY_MORE = 0.1, 2, 4


def unless_mirrored(seen: Seen, see: Callable[[Pixels], Seen]) -> Seen:
    """Return what is seen in a picture, all of it in doubt if that is mirrored.

    Parameters
    ----------
    see
        Reads a picture as this one was read.
    """
    readings = seen.readings
    known = _telling(readings)
    doubtful = sum(one.unsure for one in readings.readings)
    if not doubtful or known > FEW * len(readings) or seen.is_grey:
        return seen
    turned = see(np.ascontiguousarray(seen.pixels[:, ::-1]))
    if _telling(turned.readings) >= max(ENOUGH, MANY_MORE * known):
        doubted = tuple(replace(one, doubt=MIRRORED) for one in readings.readings)
        readings = replace(readings, readings=doubted)
    return seen._replace(readings=readings, timings=seen.timings + turned.timings)


def _telling(readings: Readings) -> int:
    """Count the tiles that are surely something that a mirror would spoil."""
    return sum(not one.unsure and one.tile.number not in ALIKE for one in readings.readings)
