"""The reader that the table is read by, which can be exchanged while it is looked at."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader, TableReading
    from vision.types import Pixels


class ReaderInUse:
    """Holds the reader; watchers are made with `now`, and single pictures are read beside them."""

    def __init__(self, reader: TableReader) -> None:
        self.now = reader
        self._reading = threading.Lock()

    def read(self, pixels: Pixels, rules: Ruleset) -> TableReading:
        """Read a picture beside the worker, which goes on; one at a time."""
        with self._reading:
            return self.now.read(pixels, rules)
