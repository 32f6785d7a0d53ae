"""When a command that serves pages is to end."""

from __future__ import annotations

import signal
import threading
from typing import Final

_SLICE_S: Final = 0.5


def told_to_end() -> threading.Event:
    """Return what is set once the program is told to end, by Ctrl-C or by the system."""
    told = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: told.set())
    return told


def wait(*ends: threading.Event) -> None:
    """Wait for the first of these."""
    # In slices, since Windows tells of Ctrl-C only between two waits.
    while not any(end.is_set() for end in ends):
        ends[0].wait(_SLICE_S)
