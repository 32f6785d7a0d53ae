"""A second chance for tiles that the detector missed, where a set would be too short without.

No game's sets have fewer than three tiles. Where a shorter row lies, a tile that was not found is
likelier than a mistake, so the places beside its ends are read as if one had been. What can be
read there is a tile in doubt: a person is asked, and nobody is accused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.assembly import SMALLEST_SET
from vision.lay_out import lay_out, ways_on
from vision.types import Detections, Readings

if TYPE_CHECKING:
    from vision.pipeline import FaceReader
    from vision.types import Flags, Floats, Pixels

FAINT: Final = "I nearly overlooked this tile: is it one?"
MOST_PLACES: Final = 16  # more are no table of sets
LIKELY: Final = 0.5
APART: Final = 0.6  # of a tile's width from any other tile


def look_again(pixels: Pixels, readings: Readings, reader: FaceReader) -> Readings:
    """Return the readings, and those of tiles that lie unfound beside rows too short for a set.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    """
    places = _beside_short_rows(readings.quads_img, pixels.shape[1], pixels.shape[0])
    if not 0 < len(places) <= MOST_PLACES:
        return readings
    found = reader.read(pixels, Detections(places, np.zeros(len(places), np.float32)))
    quads, seen = list(readings.quads_img), list(readings.readings)
    for quad, reading in zip(found.quads_img, found.readings, strict=True):
        if reading.confidence >= LIKELY and not _taken(quad[None], np.array(quads))[0]:
            quads.append(quad)
            seen.append(replace(reading, doubt=reading.doubt or FAINT))
    return Readings(np.array(quads, np.float32).reshape(-1, 4, 2), tuple(seen))


def _beside_short_rows(quads: Floats, width: int, height: int) -> Floats:
    """Return where the next tiles of rows that are too short would lie, (m, 4, 2)."""
    rows = (placed.tiles for placed in lay_out(quads).placed)
    short = (row for row in rows if len(row) < SMALLEST_SET)
    places = [quads[tile] + step for row in short for tile, step in ways_on(quads, row)]
    if not places:
        return np.zeros((0, 4, 2), np.float32)
    beside = np.array(places, np.float32)
    x, y = beside.mean(1).T
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    return np.asarray(beside[inside & ~_taken(beside, quads)])


def _taken(places: Floats, quads: Floats) -> Flags:
    """Tell which places (m, 4, 2) are where a tile of (n, 4, 2) lies already, (m,)."""
    away = np.linalg.norm(places.mean(1)[:, None] - quads.mean(1)[None], axis=2)
    widths = np.linalg.norm(places[:, 1] - places[:, 0], axis=1)
    return np.asarray((away < APART * widths[:, None]).any(1))
