"""Through which camera the table is looked at: fixed ones, and phones that send frames.

A phone may send a live picture or one photo a turn. A table is read only once it has been still
for a moment, so what a phone sent last is looked at again for a few seconds.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from web.live.views import CameraView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.types import Pixels
    from web.live.borders import Feed, Phone

_WITHOUT_FRAMES: Final = frozenset({"lost", "ended"})
_FORGOTTEN_S: Final = 120.0
"""How long after its last frame a phone that nobody needs is still spoken of."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture to look at, numbered across all cameras.

    Attributes
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    taken_s
        By a clock that only goes forward.
    """

    pixels: Pixels
    number: int
    taken_s: float
    camera: str


class Eyes:
    """All cameras; the newest phone that sends frames goes before the fixed ones.

    `newest` is for one thread, everything else for any.

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
        self._given = 0
        self._last: tuple[Feed, int] | None = None
        self._frame: Frame | None = None

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
        phones, sending = self._by_arrival(), self._sending()
        if sending:
            return sending[-1].feed
        healthy = [feed for feed in self._feeds if feed.health == "ok"]
        silent = [phone.feed for phone in phones[::-1]]
        return next(iter((*healthy, *silent, *self._feeds)), None)

    def _by_arrival(self) -> list[Phone]:
        """Return all phones, the one that sent last at the end."""
        return self._sent_within(math.inf)

    def _sending(self) -> list[Phone]:
        """Return the phones that still send, the one that sent last at the end."""
        return self._sent_within(self._stale_s)

    def _sent_within(self, seconds: float) -> list[Phone]:
        with self._lock:
            since_s = self._now() - seconds
            recent = [one for one in self._phones.values() if one[1] >= since_s]
        return [phone for phone, _ in sorted(recent, key=lambda one: one[1])]

    def newest(self, timeout_s: float) -> Frame | None:
        """Wait for a frame that was not given before; None where none came in time."""
        feed = self.active()
        self._arrived.clear()
        if feed is None:
            self._arrived.wait(timeout_s)
            return None
        after = self._last[1] if self._last and self._last[0] is feed else -1
        found = feed.newest(after, timeout_s)
        if found is not None:
            self._last = feed, found.number
            return self._numbered(found.pixels, found.taken_s, found.camera)
        if feed.health in _WITHOUT_FRAMES:
            # Such a feed need not wait, and whoever asks again at once would keep a core busy.
            self._arrived.wait(timeout_s)
        return self._again(feed)

    def _again(self, feed: Feed) -> Frame | None:
        """Return what a phone sent last once more, as long as it still counts."""
        last = self._frame
        if last is None or self._last is None or self._last[0] is not feed:
            return None
        if all(phone.feed is not feed for phone in self._sending()):
            return None
        return self._numbered(last.pixels, self._now(), last.camera)

    def _numbered(self, pixels: Pixels, taken_s: float, camera: str) -> Frame:
        self._given += 1
        self._frame = Frame(pixels, self._given, taken_s, camera)
        return self._frame

    def phone_pixels(self) -> Pixels | None:
        """Return the newest picture of the phone that sent last, if it still sends."""
        sending = self._sending()
        frame = sending[-1].feed.newest(timeout_s=0) if sending else None
        return None if frame is None else frame.pixels

    def views(self) -> tuple[CameraView, ...]:
        """Say how each camera does; phones that are gone for good are left out."""
        active = self.active()
        recent = [phone.feed for phone in self._sent_within(_FORGOTTEN_S)]
        known = (*self._feeds, *recent)
        feeds = known if active is None or active in known else (*known, active)
        return tuple(
            CameraView(feed.name, str(feed.health), feed.message, feed is active) for feed in feeds
        )
