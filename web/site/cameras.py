"""Fixed cameras by their addresses, and phones."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.types import Pixels
    from web.live.borders import Feed, Phone
    from web.settings_sections import Settings


@dataclass(frozen=True, slots=True)
class _Frame:
    pixels: Pixels
    number: int
    taken_s: float
    camera: str


class PhoneFeed:
    """The newest frame of a phone."""

    health = "ok"
    message = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self._arrived = threading.Condition()
        self._frame: _Frame | None = None
        self._closed = False

    @property
    def feed(self) -> Feed:
        """Return itself."""
        return self

    def start(self) -> None:
        """Wait for the phone, which sends of itself."""

    def close(self) -> None:
        """Wait no longer."""
        with self._arrived:
            self._closed = True
            self._arrived.notify_all()

    def push(self, pixels: Pixels) -> None:
        """Take (h, w, 3) uint8 BGR pixels."""
        with self._arrived:
            number = self._frame.number + 1 if self._frame else 0
            self._frame = _Frame(pixels, number, time.monotonic(), self.name)
            self._arrived.notify_all()

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> _Frame | None:
        """Wait for a frame with a number above `after`; None where none came in time."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._there(after) or self._closed, timeout_s)
            return self._frame if self._there(after) else None

    def _there(self, after: int) -> bool:
        return self._frame is not None and self._frame.number > after


def open_phone(name: str) -> Phone:
    """Return the place where a phone leaves its frames."""
    return PhoneFeed(name)


def open_feeds(settings: Settings) -> tuple[Feed, ...]:
    """Return the fixed cameras, not opened yet."""
    del settings
    return ()
