"""Fixed cameras by their addresses, and phones."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from vision.cameras import CameraError, Feed, FeedSettings, Health, PushedCamera, camera_from
from web.site.server import ServeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Pixels
    from web.live.borders import Phone
    from web.settings_sections import Settings


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


def open_feeds(settings: Settings) -> tuple[Feed, ...]:
    """Return the fixed cameras, not opened yet.

    Raises
    ------
    ServeError
        If an address is none of a camera.
    """
    ill = FeedSettings(**settings.feeds.model_dump())
    try:
        return tuple(Feed(camera_from(address), ill) for address in settings.cameras.camera)
    except CameraError as error:
        raise ServeError(str(error)) from error
