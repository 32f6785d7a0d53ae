"""Through which cameras the table is looked at: fixed ones, and phones that send frames.

A phone may send a live picture or one photo a turn. A table is read only once it has been still
for a moment, so what a phone sent last, or a recording ended with, is looked at again for a few
seconds.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.cameras import Health
from vision.watching.together.lineup import Standing
from web.live.views import CameraView

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vision.types import Pixels
    from web.live.borders import Feed, Phone

_WITHOUT_FRAMES: Final = frozenset({Health.LOST, Health.ENDED})
_SLICE_S: Final = 0.02  # of waiting for the first of several cameras
_AGAIN_S: Final = 0.25  # between two looks at the same photo
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
    seen_s
        When the table looked so; a photo is looked at again later.
    photo
        Whether it is a photo, which somebody took of the table as it is to be read.
    """

    pixels: Pixels
    number: int
    taken_s: float
    camera: str
    seen_s: float
    photo: bool = False


class Eyes:
    """All cameras; phones that send frames go before the fixed ones.

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
        How long after its last frame a phone, or a recording that has ended, still counts.
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
        self._names = _unlike([feed.name for feed in self._feeds])
        self._phones: dict[str, tuple[Phone, float]] = {}
        self._photos: dict[str, bool] = {}
        self._arrived = threading.Event()
        self._closed = False
        self._given = 0
        self._last: dict[Feed, tuple[int, Frame]] = {}

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
        feeds = [*(phone.feed for phone in phones), *self._feeds]
        for feed in feeds:
            feed.stop()
        for feed in feeds:
            feed.close()

    def push(self, pixels: Pixels, camera: str, *, photo: bool = False) -> None:
        """Take a phone's frame, (h, w, 3) uint8 BGR pixels, of its live picture or of a photo."""
        with self._lock:
            if self._closed:
                return
            known = self._phones.get(camera)
            phone = known[0] if known else self._open_phone(camera)
            self._phones[camera] = phone, self._now()
            self._photos[camera] = photo
        phone.push(pixels)
        self._arrived.set()

    def in_use(self) -> tuple[Feed, ...]:
        """Return all cameras that are looked through, the best first; none while there is none."""
        healthy = [feed for feed in self._feeds if feed.health == Health.OK]
        with self._lock:
            since_s = self._now() - self._stale_s
            sending = [phone.feed for phone, sent_s in self._phones.values() if sent_s >= since_s]
        phones = [feed for feed in sending if feed.health not in _WITHOUT_FRAMES]
        silent = [phone.feed for phone in self._by_arrival()[::-1]]
        return (*phones, *healthy) or (*silent, *self._feeds)[:1]

    def names(self) -> tuple[str, ...]:
        """Return the names of all cameras that are looked through, the best first."""
        return tuple(self._name(feed) for feed in self.in_use())

    def _name(self, feed: Feed) -> str:
        """Return a name that no other camera has."""
        fixed = dict(zip(self._feeds, self._names, strict=True))
        return fixed.get(feed, feed.name)

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
        feeds = self.in_use()
        self._arrived.clear()
        if len(feeds) > 1:
            return self._in_turn(feeds, timeout_s)
        if not feeds:
            self._arrived.wait(timeout_s)
            return None
        found = self._next(feeds[0], timeout_s)
        if found is None and feeds[0].health in _WITHOUT_FRAMES:
            # Such a feed need not wait, and whoever asks again at once would keep a core busy.
            self._arrived.wait(timeout_s)
        return found or self._again(feeds[0])

    def _in_turn(self, feeds: Sequence[Feed], timeout_s: float) -> Frame | None:
        """Return the newest frame of the camera that has waited longest of those that have one."""
        turns = sorted(feeds, key=self._turn)
        for feed in turns:
            found = self._next(feed, 0)
            if found is None and self._now() - self._given_s(feed) >= _AGAIN_S:
                found = self._again(feed)
            if found is not None:
                return found
        for _ in range(round(timeout_s / _SLICE_S)):
            for feed in turns:
                found = self._next(feed, _SLICE_S / len(turns))
                if found is not None or self._closed:
                    return found
        return None

    def _turn(self, feed: Feed) -> int:
        return self._last[feed][1].number if feed in self._last else -1

    def _given_s(self, feed: Feed) -> float:
        return self._last[feed][1].taken_s if feed in self._last else float("inf")

    def _next(self, feed: Feed, timeout_s: float) -> Frame | None:
        """Wait for the next frame of a camera."""
        after = self._last[feed][0] if feed in self._last else -1
        found = feed.newest(after, timeout_s)
        if found is None:
            return None
        return self._numbered(feed, found.number, found.pixels, found.taken_s, found.taken_s)

    def _again(self, feed: Feed) -> Frame | None:
        """Return what a phone sent last, or a recording ended with, once more for a while."""
        if feed not in self._last:
            return None
        number, last = self._last[feed]
        ended = feed.health == Health.ENDED and self._now() - last.seen_s < self._stale_s
        if not ended and all(phone.feed is not feed for phone in self._sending()):
            return None
        return self._numbered(feed, number, last.pixels, self._now(), last.seen_s)

    def _numbered(
        self, feed: Feed, number: int, pixels: Pixels, taken_s: float, seen_s: float
    ) -> Frame:
        self._given += 1
        name = self._name(feed)
        photo = self._photos.get(name, False)
        frame = Frame(pixels, self._given, taken_s, name, seen_s, photo)
        self._last[feed] = number, frame
        return frame

    def phone_pixels(self) -> Pixels | None:
        """Return the newest picture of the phone that sent last, if it still sends."""
        sending = self._sending()
        frame = sending[-1].feed.newest(timeout_s=0) if sending else None
        return None if frame is None else frame.pixels

    def views(self, standing: Standing = Standing()) -> tuple[CameraView, ...]:  # noqa: B008 - frozen
        """Say how each camera does, and which count; phones gone for good are left out."""
        used = self.in_use()
        known = (*self._feeds, *(phone.feed for phone in self._sent_within(_FORGOTTEN_S)))
        shown = next((feed for feed in used if self._name(feed) == standing.primary), None)
        shown = shown or next(iter(used), None)
        return tuple(
            self._view(feed, standing, used=feed in used, shown=feed is shown)
            for feed in dict.fromkeys((*known, *used))
        )

    def _view(self, feed: Feed, standing: Standing, *, used: bool, shown: bool) -> CameraView:
        name = self._name(feed)
        counts = shown or (used and name in standing.counting)
        message = feed.message or (standing.notes.get(name, "") if used else "")
        return CameraView(name, str(feed.health), message, shown, counts)


def _unlike(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of which no two are the same: two cameras may be at one address."""
    before: Counter[str] = Counter()
    told = []
    for name in names:
        before[name] += 1
        told.append(name if before[name] == 1 else f"{name} ({before[name]})")
    return tuple(told)
