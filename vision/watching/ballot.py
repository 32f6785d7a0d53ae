"""The readings of a few still frames, gathered place by place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from vision.quads import pair_off, quad_iou
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Floats, Reading, Readings
    from vision.watching.settings import WatchSettings

SAME_PLACE = 0.45  # intersection over union; neighbours in a row have far less


@dataclass(slots=True)
class Place:
    """One place where a tile was read.

    Attributes
    ----------
    quads_img, readings
        Where and what, frame by frame.
    """

    quads_img: list[Floats]
    readings: list[Reading]

    @property
    def reading(self) -> Reading:
        """What the frames make of it together."""
        return vote(self.readings)

    @property
    def quad_img(self) -> Floats:
        """(4, 2): the last quad of those that were read as the tile that won."""
        winner = self.reading.tile
        for quad, reading in zip(reversed(self.quads_img), reversed(self.readings), strict=True):
            if reading.tile == winner:
                return quad
        return self.quads_img[-1]

    @property
    def unanimous(self) -> bool:
        """Whether all frames agree, and all are sure."""
        first = self.readings[0].tile
        return all(reading.tile == first and not reading.unsure for reading in self.readings)


@dataclass(slots=True)
class Ballot:
    """All places that were read since the table lay still."""

    frames: int = 0
    places: list[Place] = field(default_factory=list)

    def add(self, readings: Readings) -> None:
        """Count one frame's readings."""
        here = [place.quads_img[-1] for place in self.places]
        seats = match_places(here, list(readings.quads_img))
        for number, (quad, reading) in enumerate(
            zip(readings.quads_img, readings.readings, strict=True)
        ):
            if number in seats:
                place = self.places[seats[number]]
                place.quads_img.append(quad)
                place.readings.append(reading)
            else:
                self.places.append(Place([quad], [reading]))
        self.frames += 1

    def is_complete(self, settings: WatchSettings) -> bool:
        """Tell whether enough frames were read."""
        if self.frames < settings.least_votes:
            return False
        return self.frames >= settings.most_votes or self._agreed()

    def _agreed(self) -> bool:
        return all(len(place.readings) == self.frames and place.unanimous for place in self.places)

    def elected(self) -> list[Place]:
        """Return the places where most frames saw a tile."""
        return [place for place in self.places if 2 * len(place.readings) > self.frames]


def match_places(quads_img: Sequence[Floats], others_img: Sequence[Floats]) -> dict[int, int]:
    """Pair quads that fill the same place, best overlap first, each at most once.

    Returns
    -------
        Number in `quads_img` by number in `others_img`.
    """
    if not len(quads_img) or not len(others_img):
        return {}
    one, other = np.array(quads_img, np.float32), np.array(others_img, np.float32)
    apart = np.linalg.norm(one.mean(1)[:, None] - other.mean(1)[None], axis=2)
    reach = np.linalg.norm(one[:, 2] - one[:, 0], axis=1) / 2
    return pair_off(
        (-overlap, int(j), int(i))
        for i, j in np.argwhere(apart < reach[:, None])
        if (overlap := quad_iou(one[i], other[j])) >= SAME_PLACE
    )
