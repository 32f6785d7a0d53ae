"""Fixed cameras by their addresses, and phones."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

import cv2

from vision.cameras import CameraError, Feed, FeedSettings, Health, PushedCamera, camera_from
from vision.cameras.captures import VideoFile, open_capture
from web.site.server import ServeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.cameras import Camera
    from vision.types import Pixels
    from web.live.borders import Phone
    from web.settings_sections import Settings


_TYPED: Final = cv2.VideoWriter.fourcc(*"ansi")


class PhoneFeed(Feed):
    """The frames that a phone sends, one after another or one a turn.

    Parameters
    ----------
    ill
        When it counts as ill. Only one that streams is missed where it falls silent.
    """

    def __init__(
        self, name: str, ill: FeedSettings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._pushed = PushedCamera(name, ill.silent_s, clock)
        super().__init__(self._pushed, ill, clock)

    @property
    def feed(self) -> Feed:
        """Return itself."""
        return self

    def push(self, pixels: Pixels) -> None:
        """Take (h, w, 3) uint8 BGR pixels."""
        self._pushed.push(pixels)

    def _allowed_silence_s(self) -> float:
        return super()._allowed_silence_s() if self._pushed.streams else math.inf

    def _said(self, health: Health) -> str:
        return f"{self._pushed.silence}." if health is Health.LOST else super()._said(health)

    def _wake(self) -> None:
        self._pushed.end()


def phones_of(settings: Settings) -> Callable[[str], Phone]:
    """Return what makes the place where a phone of some name leaves its frames."""
    ill = FeedSettings(**settings.feeds.model_dump())

    def open_phone(name: str) -> Phone:
        phone = PhoneFeed(name, ill)
        phone.start()
        return phone

    return open_phone


def camera_at(address: str) -> Camera:
    """Return the camera of an address, not opened yet.

    Raises
    ------
    CameraError
        If nothing of the kind is there, or a file is no video.
    """
    camera = camera_from(address)
    if isinstance(camera, VideoFile) and not _is_video(address):
        raise CameraError(
            f"{address} is no video: give a number, a video file, a folder of pictures, "
            "or an http or rtsp URL"
        )
    return camera


def _is_video(path: str) -> bool:
    """Tell whether a file has a picture; FFmpeg makes a film of texts, too, typing them."""
    capture = open_capture(path)
    try:
        return capture.read()[0] and capture.get(cv2.CAP_PROP_FOURCC) != _TYPED
    finally:
        capture.release()


def open_feeds(settings: Settings) -> tuple[Feed, ...]:
    """Return the fixed cameras, not opened yet.

    Raises
    ------
    ServeError
        If an address is none of a camera.
    """
    ill = FeedSettings(**settings.feeds.model_dump())
    try:
        return tuple(Feed(camera_at(address), ill) for address in settings.cameras.camera)
    except CameraError as error:
        raise ServeError(str(error)) from error
