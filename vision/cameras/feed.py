"""The thread that always grabs, so that the newest frame of a camera is at hand."""

from __future__ import annotations

import logging
import math
import threading
import time
from typing import TYPE_CHECKING, Final, Self

from vision.cameras import words
from vision.cameras.borders import (
    BrokenPictureError,
    CameraError,
    Frame,
    Handheld,
    Health,
    Identified,
)
from vision.cameras.vigil import FeedSettings, Vigil

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras.borders import Camera
    from vision.types import Pixels

_LOG: Final = logging.getLogger(__name__)
_JOIN_S: Final = 0.5
"""How long the end of the thread is waited for, once it is told to stop; a driver may hang."""
_USUAL: Final = FeedSettings()
_SAID: Final = {
    Health.STARTING: words.STARTING,
    Health.OK: "",
    Health.BLACK: words.BLACK,
    Health.FROZEN: words.FROZEN,
    Health.SWAPPED: words.SWAPPED,
    Health.LOST: words.LOST,
    Health.ENDED: words.ENDED,
}


class Feed:
    """Grabs from a camera in a thread of its own, and opens it again when it fails.

    Parameters
    ----------
    camera
        Not opened yet; nobody else may use it.
    clock
        The monotonic time, seconds.
    """

    def __init__(
        self,
        camera: Camera,
        settings: FeedSettings = _USUAL,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = camera.name
        self._camera = camera
        self._settings = settings
        self._clock = clock
        self._vigil = Vigil(settings, live=camera.live)
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._given_up_s = math.inf
        self._thread: threading.Thread | None = None
        self._frame: Frame | None = None
        self._seen = Health.STARTING
        self._reason = ""
        self._since_s = clock()
        self._note, self._note_until_s = "", -math.inf

    @property
    def health(self) -> Health:
        """How the camera does; silence is noticed even where the camera never answers."""
        with self._changed:
            return self._health()

    @property
    def message(self) -> str:
        """Say in words what is wrong and what to do; empty where all is well."""
        with self._changed:
            health = self._health()
            if health is Health.LOST and self._reason:
                return _sentence(self._reason)
            if health is Health.OK and self._clock() < self._note_until_s:
                return _sentence(self._note)
            return self._said(health)

    def _said(self, health: Health) -> str:
        old, new = self._vigil.change
        return _SAID[health].format(name=self.name, old=old, new=new)

    def _health(self) -> Health:
        silent = self._clock() - self._since_s >= self._allowed_silence_s()
        return Health.LOST if silent else self._seen

    def _allowed_silence_s(self) -> float:
        """Return how long it may give no frame."""
        return self._settings.silent_s if self._camera.live else math.inf

    def start(self) -> None:
        """Begin to grab."""
        if self._thread is None:
            self._since_s = self._clock()
            self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Begin to let the camera go; nobody waits for that."""
        if not self._stop.is_set():
            self._given_up_s = time.monotonic() + _JOIN_S
            self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._wake()

    def close(self) -> None:
        """Stop, and let the camera go; those stopped together are waited for together."""
        self.stop()
        if self._thread is not None:
            # A driver that hangs keeps its thread, not the program.
            self._thread.join(max(0.0, self._given_up_s - time.monotonic()))

    def _wake(self) -> None:
        """Let a camera that waits for others wait no longer."""

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        """Wait for a frame with a number above `after`; None where none came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._there(after) or self._stop.is_set(), timeout_s)
            return self._frame if self._there(after) else None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _there(self, after: int) -> bool:
        return self._frame is not None and self._frame.number > after

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._camera.open()
                if isinstance(self._camera, Identified):
                    self._vigil.opened(self._camera.device, self._clock())
                if self._grab_all():
                    return
            except CameraError as error:
                self._lose(str(error))
            except Exception:  # noqa: BLE001 - a thread ends here, and it must not
                _LOG.exception("camera %s failed", self.name)
                self._lose("")
            finally:
                self._camera.close()
            self._stop.wait(self._settings.retry_s)

    def _grab_all(self) -> bool:
        """Grab until told to stop or the recording ends; False where opening anew may help."""
        opened_s = self._clock()
        while not self._stop.is_set():
            try:
                pixels = self._camera.grab()
            except BrokenPictureError as error:
                self._leave_out(str(error))
                continue
            if pixels is None:
                with self._changed:
                    self._seen = Health.ENDED
                    self._changed.notify_all()
                return True
            now_s = self._clock()
            health = self._take(pixels, now_s)
            if health is Health.FROZEN and now_s - opened_s >= self._settings.frozen_s:
                return False
        return True

    def _take(self, pixels: Pixels, now_s: float) -> Health:
        by_hand = isinstance(self._camera, Handheld) and not self._camera.streams
        health = self._vigil.judge(pixels, now_s, by_hand=by_hand)
        with self._changed:
            number = self._frame.number + 1 if self._frame else 0
            self._frame = Frame(pixels, number, now_s, self.name)
            self._seen, self._reason, self._since_s = health, "", now_s
            self._changed.notify_all()
        return health

    def _leave_out(self, note: str) -> None:
        _LOG.warning("%s: %s", self.name, note)
        with self._changed:
            self._note, self._note_until_s = note, self._clock() + self._settings.swapped_s

    def _lose(self, reason: str) -> None:
        with self._changed:
            self._seen, self._reason = Health.LOST, reason
            self._changed.notify_all()


def _sentence(reason: str) -> str:
    return f"{reason.rstrip('.')}."
