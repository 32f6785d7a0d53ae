"""Phones as cameras: the frames that they send, their numbers, and whether something moves."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.cameras import Feed, FeedSettings, Health, PushedCamera

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Pixels
    from web.live.borders import Phone
    from web.settings_sections import Settings

_THUMB: Final = (64, 48)
_PHONES: Final = 16
_REMEMBERED: Final = 500
_CHANGED_GREY: Final = 14
_CHANGED_SHARE: Final = 0.01


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


class Phones:
    """Knows the phones by number, and tells whether something moves before their cameras."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, Pixels] = OrderedDict()
        self._numbers: dict[str, int] = {}
        self._lock = threading.Lock()

    def name(self, device: str) -> str:
        """Name a phone for the page: the first that ever sent is 1; a few numbers go round."""
        with self._lock:
            number = self._numbers.setdefault(device, len(self._numbers) % _PHONES + 1)
            if len(self._numbers) > _REMEMBERED:
                del self._numbers[next(iter(self._numbers))]
        return f"phone {number}"

    def moved(self, device: str, pixels: Pixels) -> bool:
        """Take in a frame; tell whether something in it moved since the one before."""
        small = cv2.resize(pixels, _THUMB, interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        with self._lock:
            before = self._last.pop(device, None)
            self._last[device] = grey
            if len(self._last) > _PHONES:
                self._last.popitem(last=False)
        if before is None:
            return True
        changed = np.abs(grey.astype(np.int16) - before) > _CHANGED_GREY
        return bool(changed.mean() > _CHANGED_SHARE)
