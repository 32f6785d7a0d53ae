"""Reads the same still table several times over, as fast as the machine allows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from vision.mirrored import unless_mirrored
from vision.negative import negative

if TYPE_CHECKING:
    from vision.pipeline import Seen, TableReader
    from vision.types import Pixels


class Looker:
    """Finds and reads tiles; on a slow machine it does not find them anew at once.

    Parameters
    ----------
    fast_s
        Finding them may take so long that it is done in every frame, seconds.
    """

    def __init__(self, reader: TableReader, fast_s: float) -> None:
        self._reader = reader
        self._fast_ms = 1000 * fast_s
        self._found: Seen | None = None  # when tiles were looked for last
        self._dark = False  # the tiles, which are read in the picture's negative then

    def read(self, pixels: Pixels, before: int, *, two_dimensional: bool) -> Seen:
        """Read a frame of a still table, of which `before` frames were read already.

        The second frame of a table that lies still shows the same tiles in the same places, only
        with other noise; a third is read where the first two did not agree, and then all is
        looked for anew. Where sets cross, any tile may be alone in its row.
        """
        found = self._found
        if found is not None and before == 1 and found.timings.detect > self._fast_ms:
            shown = negative(pixels) if self._dark else pixels
            see = partial(
                self._reader.see, two_dimensional=two_dimensional, detections=found.detections
            )
            return unless_mirrored(shown, see)
        self._found = self._reader.see_unless_mirrored(
            pixels, two_dimensional=two_dimensional, dark=self._dark
        )
        self._dark = self._found.pixels is not pixels
        return self._found
