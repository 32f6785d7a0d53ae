"""Cameras and films that OpenCV opens: USB, network addresses, video files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import cv2

from vision.cameras.borders import CameraError
from vision.cameras.devices import device_name
from vision.cameras.pace import Pace
from vision.cameras.packets import JpegCapture, gives_packets
from vision.cameras.words import CLOSED, NO_FILM, NO_MORE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.types import Pixels

TIMEOUT_MS: Final = 2500
"""How long a network camera may take to answer, and for every frame."""
_USUAL_FPS: Final = 25.0
_HOLD_S: Final = 0.2
"""How often a frame of a film is shown again that lasts long."""
_LONG_S: Final = 0.5
_LONGEST_S: Final = 60.0
"""A longer time to the next frame is a slip in the file."""
_WIDTH_PX, _HEIGHT_PX = 1920, 1080


class Capture(Protocol):
    """What is used of `cv2.VideoCapture`."""

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        """Whether it can be read from."""
        ...

    def read(self) -> tuple[bool, Any]:
        """Whether there was a frame, and the frame."""
        ...

    def get(self, prop: int, /) -> float:
        """Return a property."""
        ...

    def release(self) -> None:
        """Let go."""
        ...


class Settable(Protocol):
    """A capture whose properties can be set."""

    def get(self, prop: int, /) -> float:
        """Return a property."""
        ...

    def set(self, prop: int, value: float, /) -> bool:
        """Set a property; whether that was possible."""
        ...


def open_capture(source: int | str, timeout_ms: int = TIMEOUT_MS) -> Capture:
    """Open a device by its number, or a file or URL, with time limits for networks."""
    if isinstance(source, str) and "://" in source:
        limits = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC,
            timeout_ms,
            cv2.CAP_PROP_READ_TIMEOUT_MSEC,
            timeout_ms,
        ]
        stream = cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
        found = cast("Capture", stream)
        return JpegCapture(found) if gives_packets(stream) else found
    capture = cv2.VideoCapture(source)
    if isinstance(source, int) and capture.isOpened():
        ask_for_detail(capture)
    return cast("Capture", capture)


def ask_for_detail(capture: Settable) -> None:
    """Ask a webcam for 1080p; most open at 640x480, and give what they can when asked for more.

    Compressed frames come first: uncompressed 1080p does not fit through most cables.
    """
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, _WIDTH_PX)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, _HEIGHT_PX)
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)


class LiveCamera:
    """A USB camera by its number or device, or a network camera by its URL."""

    live = True

    def __init__(
        self,
        source: int | str,
        name: str,
        advice: str,
        opener: Callable[[int | str], Capture] = open_capture,
        identify: Callable[[int | str], str] = device_name,
    ) -> None:
        self.name = name
        self.device = ""
        self._source = source
        self._advice = advice
        self._opener = opener
        self._identify = identify
        self._capture: Capture | None = None

    def open(self) -> None:
        """Open the device; raises `CameraError`."""
        self.close()
        capture = self._opener(self._source)
        if not capture.isOpened():
            capture.release()
            raise CameraError(CLOSED.format(name=self.name, advice=self._advice))
        self._capture = capture
        self.device = self._identify(self._source)

    def grab(self) -> Pixels | None:
        """Wait for the next frame; raises `CameraError` where none comes."""
        there, pixels = self._capture.read() if self._capture else (False, None)
        if not there or pixels is None:
            raise CameraError(NO_MORE.format(name=self.name, advice=self._advice))
        return cast("Pixels", pixels)

    def close(self) -> None:
        """Let the device go."""
        if self._capture:
            self._capture.release()
        self._capture = None


class VideoFile:
    """A film that plays in its own time, also where its frames last unequally long.

    Many devices write a frame only when something changes: such a one is shown again and again
    until the next is due, as a camera would that looks at something still.

    Parameters
    ----------
    speed
        2 plays it twice as fast.
    loop
        Whether it begins again at its end.
    clock, wait
        The time in seconds, and what waits for some.
    """

    live = False

    def __init__(  # noqa: PLR0913 - time and opener are given by tests
        self,
        path: Path,
        *,
        speed: float = 1.0,
        loop: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
        opener: Callable[[int | str], Capture] = open_capture,
    ) -> None:
        self.name = path.name
        self._path = path
        self._speed = speed
        self._loop = loop
        self._pace = Pace(clock, wait)
        self._opener = opener
        self._capture: Capture | None = None
        self._step_s = 0.0
        self._at_s = 0.0
        self._shown: Pixels | None = None
        self._coming: Pixels | None = None
        self._left_s = 0.0

    def open(self) -> None:
        """Begin with the first frame; raises `CameraError`."""
        self.close()
        capture = self._opener(str(self._path))
        if not capture.isOpened():
            capture.release()
            raise CameraError(NO_FILM.format(path=self._path))
        self._capture = capture
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._step_s = 1 / (fps if fps > 0 else _USUAL_FPS)
        self._shown = self._coming = None
        self._pace.begin()

    def grab(self) -> Pixels | None:
        """Wait until the next frame is due; None at the end."""
        if self._capture is None:
            raise CameraError(f"{self.name} is not open")
        if self._coming is None:
            self._coming = self._next(self._capture)
        if self._coming is None:
            return None
        if self._shown is None or self._left_s <= _LONG_S:
            self._shown, self._coming = self._coming, None
            self._wait(self._left_s)
        else:
            self._left_s -= _HOLD_S
            self._wait(_HOLD_S)
        return self._shown

    def _wait(self, seconds: float) -> None:
        self._pace.delay(seconds / self._speed)
        self._pace.keep(0.0)

    def _next(self, capture: Capture) -> Pixels | None:
        """Return the next frame, and note how long the one before it is shown; None: no more."""
        there, pixels = capture.read()
        if not there and self._loop:
            capture.release()
            self._capture = capture = self._opener(str(self._path))
            there, pixels = capture.read()
        if not there:
            return None
        at_s = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
        gap_s = at_s - self._at_s if at_s > self._at_s else self._step_s
        self._left_s = 0.0 if self._shown is None else min(gap_s, _LONGEST_S)
        self._at_s = at_s
        return cast("Pixels", pixels)

    def close(self) -> None:
        """Let the file go."""
        if self._capture:
            self._capture.release()
        self._capture = None
