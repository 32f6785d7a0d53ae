"""A camera whose frames somebody else brings: a phone's browser."""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Final

from vision.cameras.borders import CameraError
from vision.cameras.words import SILENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Pixels

_PATIENCE_S: Final = 2.5
_STREAM: Final = 3
_STREAM_STEP_S: Final = 5.0


class PushedCamera:
    """Waits for frames that request threads push; only the newest is kept.

    Parameters
    ----------
    patience_s
        How long one that streams may send nothing, seconds. One that sends single photos, each
        when a turn is over, is waited for as long as it takes.
    clock
        The monotonic time, seconds.
    """

    live = True

    def __init__(
        self,
        name: str = "phone",
        patience_s: float = _PATIENCE_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._patience_s = patience_s
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: Pixels | None = None
        self._open = self._ended = False
        self._last_s = -math.inf
        self._in_a_row = 0

    @property
    def streams(self) -> bool:
        """Whether frames came one after another, so that more are to be expected."""
        return self._in_a_row >= _STREAM

    @property
    def silence(self) -> str:
        """What to say where none come any more."""
        return SILENT.format(name=self.name)

    def push(self, pixels: Pixels) -> None:
        """Bring (h, w, 3) uint8 BGR pixels, from any thread."""
        with self._changed:
            now_s = self._clock()
            follows = now_s - self._last_s <= _STREAM_STEP_S
            self._in_a_row = self._in_a_row + 1 if follows else 1
            self._last_s = now_s
            self._waiting = pixels
            self._changed.notify_all()

    def open(self) -> None:
        """Begin to wait."""
        with self._changed:
            self._open = True

    def grab(self) -> Pixels | None:
        """Wait for the next frame; raises `CameraError` where a stream of them breaks off."""
        with self._changed:
            while not self._changed.wait_for(self._is_over, self._patience_s):
                if self.streams:
                    break
            pixels, self._waiting = self._waiting, None
            if pixels is None:
                raise CameraError(self.silence)
            return pixels

    def _is_over(self) -> bool:
        return self._waiting is not None or self._ended or not self._open

    def close(self) -> None:
        """Wait no longer; may be called from any thread."""
        with self._changed:
            self._open = False
            self._changed.notify_all()

    def end(self) -> None:
        """Never wait again, even if it is opened; may be called from any thread."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
