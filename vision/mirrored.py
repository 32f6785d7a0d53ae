"""Pictures that a camera or a program mirrored, as selfie cameras do: nothing in them is believed.

A 5 or a 6 may surely look like an 8 there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.doubts import MIRRORED
from vision.types import Detections

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    from vision.pipeline import Seen
    from vision.types import Floats, Pixels, Reading, Readings

    class See(Protocol):
        """Reads a picture, of which it may be known what was found."""

        def __call__(self, pixels: Pixels, *, detections: Detections | None = None) -> Seen:
            """Find and read its tiles."""
            ...


# Numbers that look the same in a mirror, or as which others are misread there; jokers have none.
ALIKE: Final = frozenset({1, 8, 11, None})
# What share of a mirrored picture's tiles may surely be something else, and how many more have to
# be the other way round, and how many times as many. Of 183 photographs and 320 rendered tables at
# most 0.4 times as many are in the mirror image; of such that are mirrored, 2.6 times or more.
FEW, ENOUGH_MORE, MANY_TIMES = 0.5, 2, 2


def is_mirrored(readings: Iterable[Reading]) -> bool:
    """Whether all that was read is in doubt because the picture is mirrored."""
    return any(one.doubt == MIRRORED for one in readings)


def unless_mirrored(pixels: Pixels, see: See) -> Seen:
    """Return what is seen in a picture, all of it in doubt if that is mirrored.

    Tiles lie where they lie in its mirror image, so there they are not looked for again.
    """
    seen = see(pixels)
    readings = seen.readings
    known = _telling(readings)
    doubtful = sum(one.unsure for one in readings.readings)
    if not doubtful or known > FEW * len(readings) or seen.is_grey:
        return seen
    turned = see(
        np.ascontiguousarray(pixels[:, ::-1]), detections=_mirrored(seen.detections, pixels)
    )
    if _telling(turned.readings) >= max(known + ENOUGH_MORE, MANY_TIMES * known):
        doubted = tuple(replace(one, doubt=MIRRORED) for one in readings.readings)
        readings = replace(readings, readings=doubted)
    return seen._replace(readings=readings, timings=seen.timings + turned.timings)


def _mirrored(found: Detections, pixels: Pixels) -> Detections:
    """Return what was found in a picture as it lies in that picture's mirror image."""

    def flipped(points: Floats) -> Floats:
        return np.array((pixels.shape[1], 0), np.float32) + points * np.array((-1, 1), np.float32)

    def outlines(quads: Floats) -> Floats:
        return flipped(quads)[:, [1, 0, 3, 2]]

    return Detections(
        outlines(found.quads_img),
        found.confidences,
        flipped(found.hints_img),
        outlines(found.glimpsed_img),
    )


def _telling(readings: Readings) -> int:
    """Count the tiles that are surely something that a mirror would spoil."""
    return sum(not one.unsure and one.tile.number not in ALIKE for one in readings.readings)
