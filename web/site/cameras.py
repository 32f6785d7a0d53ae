"""Fixed cameras by their addresses, and phones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.cameras import CameraError, Feed, FeedSettings, PushedCamera, camera_from
from web.site.server import ServeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Pixels
    from web.live.borders import Phone
    from web.settings_sections import Settings


class PhoneFeed(Feed):
    """The frames that a phone sends.

    Parameters
    ----------
    patience_s
        How long it may send nothing, as one does that takes single photos.
    """

    def __init__(self, name: str, patience_s: float) -> None:
        self._pushed = PushedCamera(name, patience_s)
        super().__init__(self._pushed, FeedSettings(silent_s=patience_s))

    @property
    def feed(self) -> Feed:
        """Return itself."""
        return self

    def push(self, pixels: Pixels) -> None:
        """Take (h, w, 3) uint8 BGR pixels."""
        self._pushed.push(pixels)

    def close(self) -> None:
        """Wait for no more frames."""
        self._pushed.close()
        super().close()


def phones_of(settings: Settings) -> Callable[[str], Phone]:
    """Return what makes the place where a phone of some name leaves its frames."""

    def open_phone(name: str) -> Phone:
        phone = PhoneFeed(name, settings.table.phone_stale_s)
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
