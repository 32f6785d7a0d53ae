"""Through which camera the table is looked at: fixed ones, and phones that send frames."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from web.live.views import CameraView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.types import Pixels
    from web.live.borders import Feed, Frame, Phone

_WITHOUT_FRAMES: Final = frozenset({"lost", "ended"})


class Eyes:
    """All cameras; the newest phone that sends frames goes before the fixed ones.

    Parameters
    ----------
    feeds
        The fixed cameras, the best first. They are started and closed from here.
    open_phone
        Makes the place where a phone of this name leaves its frames.
    now
        A clock that only goes forward, in seconds.
    stale_s
        How long after its last frame a phone still counts.
    """

    def __init__(
        self,
        feeds: Sequence[Feed],
        open_phone: Callable[[str], Phone],
        now: Callable[[], float],
        stale_s: float,
    ) -> None:
        self._feeds = tuple(feeds)
        self._open_phone = open_phone
        self._now = now
        self._stale_s = stale_s
        self._lock = threading.Lock()
        self._phones: dict[str, tuple[Phone, float]] = {}
        self._arrived = threading.Event()
        self._closed = False
        self._last: tuple[Feed, int] | None = None

    def start(self) -> None:
        """Start the fixed cameras."""
        for feed in self._feeds:
            feed.start()

    def close(self) -> None:
        """Let all cameras go."""
        with self._lock:
            self._closed = True
            phones = [phone for phone, _ in self._phones.values()]
        self._arrived.set()
        for phone in phones:
            phone.feed.close()
        for feed in self._feeds:
            feed.close()

    def push(self, pixels: Pixels, camera: str) -> None:
        """Take a phone's frame, (h, w, 3) uint8 BGR pixels."""
        with self._lock:
            if self._closed:
                return
            known = self._phones.get(camera)
            phone = known[0] if known else self._open_phone(camera)
            self._phones[camera] = phone, self._now()
        phone.push(pixels)
        self._arrived.set()

    def active(self) -> Feed | None:
        """Return the camera that is looked through; None while there is none at all."""
        phones = self._live_phones()
        if phones:
            return phones[-1].feed
        healthy = [feed for feed in self._feeds if feed.health == "ok"]
        return next(iter((*healthy, *self._feeds)), None)

    def _live_phones(self) -> list[Phone]:
        """Return the phones that still send, the one that came last at the end."""
        with self._lock:
            since_s = self._now() - self._stale_s
            return [phone for phone, at_s in self._phones.values() if at_s >= since_s]

    def newest(self, timeout_s: float) -> Frame | None:
        """Wait for a frame that was not given before; None where none came in time."""
        feed = self.active()
        self._arrived.clear()
        after = self._last[1] if self._last and self._last[0] is feed else -1
        frame = feed.newest(after, timeout_s) if feed is not None else None
        if feed is not None and frame is not None:
            self._last = feed, frame.number
        elif feed is None or feed.health in _WITHOUT_FRAMES:
            # Such a feed need not wait, and whoever asks again at once would keep a core busy.
            self._arrived.wait(timeout_s)
        return frame

    def phone_frame(self) -> Frame | None:
        """Return the newest frame of the phone that came last, if it still sends."""
        phones = self._live_phones()
        return phones[-1].feed.newest(timeout_s=0) if phones else None

    def views(self) -> tuple[CameraView, ...]:
        """Say how each camera does."""
        active = self.active()
        feeds = (*self._feeds, *(phone.feed for phone in self._live_phones()))
        return tuple(
            CameraView(feed.name, str(feed.health), feed.message, feed is active) for feed in feeds
        )
