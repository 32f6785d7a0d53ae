"""What the networks propose for a photo, as entries of a label file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.phrases import say
from vision.labels import TileEntry
from vision.lay_out import lay_out
from vision.types import Detections

if TYPE_CHECKING:
    from vision.pipeline import TableReader
    from vision.types import Floats, Pixels, Reading

NOT_READ: Final = "J"
NOTHING: Final = say("doubt.nothing", "No tile can be read here: say which it is.")


@dataclass(frozen=True, slots=True)
class Proposer:
    """Proposes tiles; holds the networks."""

    reader: TableReader

    def propose(self, pixels: Pixels) -> list[TileEntry]:
        """Return every tile that is found, set by set in reading order.

        All of a mirrored picture are in doubt: nothing is to be learnt from them.
        """
        readings = self.reader.see_unless_mirrored(pixels, two_dimensional=True).readings
        order = [tile for placed in lay_out(readings.quads_img).placed for tile in placed.tiles]
        return [_entry(readings.readings[i], readings.quads_img[i]) for i in order]

    def read(self, pixels: Pixels, quad_img: Floats) -> TileEntry:
        """Read one tile whose corners a person gave: they stay, and begin at its top left.

        Parameters
        ----------
        quad_img
            (4, 2) float32, pixels, clockwise.
        """
        given = Detections(quad_img[None], np.ones(1, np.float32))
        found = self.reader.face_reader.read(pixels, given)
        if not len(found):
            return TileEntry(tile=NOT_READ, quad=corners(quad_img), doubt=str(NOTHING))
        turned = [np.roll(quad_img, -turn, 0) for turn in range(4)]
        upright = min(turned, key=lambda quad: float(np.abs(quad - found.quads_img[0]).sum()))
        return _entry(found.readings[0], upright)


def corners(quad_img: Floats) -> list[tuple[float, float]]:
    """Return a quad's corners in tenths of a pixel.

    >>> corners(np.array([(1.23, 4), (5, 6)], np.float32))
    [(1.2, 4.0), (5.0, 6.0)]
    """
    return [(round(float(x), 1), round(float(y), 1)) for x, y in quad_img]


def _entry(reading: Reading, quad_img: Floats) -> TileEntry:
    entry = TileEntry(tile=str(reading.tile), quad=corners(quad_img))
    others = [str(tile) for tile, _ in reading.choices]
    told = {"doubt": reading.doubt, "others": others}
    return entry.model_copy(update={key: value for key, value in told.items() if value})
