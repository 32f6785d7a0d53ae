"""Reads the same still table several times over, as fast as the machine allows."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from vision.negative import is_better, is_hardly_any, may_be_dark, negative
from vision.overlooked import look_again

if TYPE_CHECKING:
    from vision.pipeline import TableReader
    from vision.types import Detections, Pixels, Readings


class Looker:
    """Finds and reads tiles; on a slow machine it does not find them anew at once.

    Parameters
    ----------
    fast_s
        Finding them may take so long that it is done in every frame, seconds.
    """

    def __init__(self, reader: TableReader, fast_s: float) -> None:
        self._reader = reader
        self._fast_s = fast_s
        self._found: Detections | None = None
        self._took_s = 0.0
        self._dark = False  # the tiles, which are read in the picture's negative then

    def read(self, pixels: Pixels, before: int, *, two_dimensional: bool) -> Readings:
        """Read a frame of a still table, of which `before` frames were read already.

        The second frame of a table that lies still shows the same tiles in the same places, only
        with other noise; a third is read where the first two did not agree, and then all is
        looked for anew. Where sets cross, any tile may be alone in its row.
        """
        anew = self._found is None or before != 1 or self._took_s <= self._fast_s
        seen = negative(pixels) if self._dark else pixels
        readings = self._read(seen, anew=anew, two_dimensional=two_dimensional)
        if anew and (may_be_dark(readings) or (self._dark and is_hardly_any(readings))):
            found, seen = self._found, pixels if self._dark else negative(pixels)
            turned = self._read(seen, anew=True, two_dimensional=two_dimensional)
            if is_better(turned, readings):
                self._dark = not self._dark
                return turned
            self._found = found
        return readings

    def _read(self, pixels: Pixels, *, anew: bool, two_dimensional: bool) -> Readings:
        if self._found is None or anew:
            started_s = perf_counter()
            self._found = self._reader.detector.detect(pixels)
            self._took_s = perf_counter() - started_s
        readings = self._reader.face_reader.read(pixels, self._found)
        if two_dimensional:
            return readings
        return look_again(pixels, readings, self._reader.face_reader)
