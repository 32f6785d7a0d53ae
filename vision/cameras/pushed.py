"""A camera whose frames somebody else brings: a phone's browser."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from vision.cameras.borders import CameraError

if TYPE_CHECKING:
    from vision.types import Pixels

_PATIENCE_S: Final = 2.5


class PushedCamera:
    """Waits for frames that request threads push; only the newest is kept."""

    live = True

    def __init__(self, name: str = "phone", patience_s: float = _PATIENCE_S) -> None:
        self.name = name
        self._patience_s = patience_s
        self._changed = threading.Condition()
        self._waiting: Pixels | None = None
        self._open = False

    def push(self, pixels: Pixels) -> None:
        """Bring (h, w, 3) uint8 BGR pixels, from any thread."""
        with self._changed:
            self._waiting = pixels
            self._changed.notify_all()

    def open(self) -> None:
        """Begin to wait."""
        with self._changed:
            self._open = True

    def grab(self) -> Pixels | None:
        """Wait for the next frame; raises `CameraError` where none comes in time."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._waiting is not None or not self._open, self._patience_s
            )
            pixels, self._waiting = self._waiting, None
            if pixels is None:
                raise CameraError(
                    f"{self.name} sends no pictures: open the camera page on it, "
                    "and keep it in the foreground"
                )
            return pixels

    def close(self) -> None:
        """Wait no longer; may be called from any thread."""
        with self._changed:
            self._open = False
            self._changed.notify_all()
