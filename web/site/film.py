"""A recorded game as a camera that shows every frame, and waits where it is told to."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from vision.cameras import Frame, Health
from vision.recordings import RecordingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vision.types import Pixels


class FilmFeed:
    """Shows a film frame by frame, in its own time or slower, never leaving one out.

    So what is seen does not depend on how fast the machine is. At a frame that it was told to
    stop at, it goes on showing that frame until it is told to go on.

    Parameters
    ----------
    frames
        Begins with the first picture of the film, each (h, w, 3) uint8 BGR.
    fps
        Frames a second.
    """

    def __init__(
        self,
        frames: Callable[[], Iterator[Pixels]],
        fps: float,
        name: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.health = Health.OK
        self.message = ""
        self._begin = frames
        self._wait_s = 1 / fps
        self._clock = clock
        self._frames: Iterator[Pixels] = iter(())
        self._changed = threading.Condition()
        self._last: Frame | None = None
        self._place = -1
        self._stop_at = 0
        self._closed = False

    @property
    def place(self) -> int:
        """Which frame of the film is shown, from 0; -1 before the first."""
        return self._place

    def start(self) -> None:
        """Begin with the first frame, and stop there."""
        self.rewind()

    def rewind(self) -> None:
        """Go back to the first frame, and stop there."""
        with self._changed:
            self._frames = self._begin()
            self._place, self._stop_at = -1, 0

    def go_on(self, until: int) -> None:
        """Go on, and stop at that frame of the film."""
        with self._changed:
            self._stop_at = until
            self._changed.notify_all()

    def wait_for(self, place: int, timeout_s: float) -> bool:
        """Wait until the film has come to that frame; tell whether it has."""
        with self._changed:
            self._changed.wait_for(lambda: self._place >= place or self._closed, timeout_s)
            return self._place >= place

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        """Show the next frame once it is due; None where that is later, or after the end."""
        with self._changed:
            last = self._last
            if last is not None and last.number > after:
                return last
            due_s = 0.0 if last is None else last.taken_s + self._wait_s - self._clock()
            if due_s > 0:
                closed = self._changed.wait_for(lambda: self._closed, min(due_s, timeout_s))
                if closed or due_s > timeout_s:
                    return None
            return None if self._closed else self._next()

    def stop(self) -> None:
        """Show nothing more."""
        self.close()

    def close(self) -> None:
        """Show nothing more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _next(self) -> Frame | None:
        last = self._last
        pixels = last.pixels if last is not None else None
        if self._place < self._stop_at or pixels is None:
            try:
                pixels = next(self._frames, pixels)
            except RecordingError as error:
                self.health, self.message = Health.LOST, str(error)
                return None
            self._place += 1
        if pixels is None:
            self.health, self.message = Health.LOST, f"{self.name} holds no pictures."
            return None
        number = 0 if last is None else last.number + 1
        self._last = Frame(pixels, number, self._clock(), self.name)
        self._changed.notify_all()
        return self._last
