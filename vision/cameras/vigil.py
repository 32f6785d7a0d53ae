"""Whether what a camera shows can be true: black, frozen and swapped pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.cameras.borders import Health

if TYPE_CHECKING:
    from vision.types import Pixels


@dataclass(frozen=True, slots=True)
class FeedSettings:
    """When a camera counts as ill.

    Attributes
    ----------
    silent_s, frozen_s, black_s
        How long no frame, the very same pixels, or darkness must last, seconds.
    swapped_s
        How long a change of size or device, or a picture that was left out, is told, seconds.
    retry_s
        How long to wait before a camera is opened again, seconds.
    black_level, black_spread
        A picture is black up to this mean and standard deviation, of 255.
    """

    silent_s: float = 2.5
    frozen_s: float = 2.5
    black_s: float = 1.0
    swapped_s: float = 5.0
    retry_s: float = 1.0
    black_level: float = 8.0
    black_spread: float = 4.0


class Vigil:
    """Looks at every frame of one camera.

    A real sensor has noise, so pixels that stay exactly the same come from a camera that hangs;
    in a recording they are nothing unusual. Only a change of size or device tells a swapped camera
    for sure: hands and lamps change pictures just as wholly.
    """

    def __init__(self, settings: FeedSettings, *, live: bool) -> None:
        self._settings = settings
        self._live = live
        self._before: Pixels | None = None
        self._size: tuple[int, int] | None = None
        self._same_since_s: float | None = None
        self._black_since_s: float | None = None
        self._swapped_at_s: float | None = None
        self._device = ""
        self.change = ("", "")

    def opened(self, device: str, now_s: float) -> None:
        """Take in which device was opened; empty where that is unknown."""
        if self._device and device and device != self._device:
            self._note_change(self._device, device, now_s)
        self._device = device or self._device

    def judge(self, pixels: Pixels, now_s: float, *, by_hand: bool = False) -> Health:
        """Take in a frame, and say how the camera does.

        A photo taken by hand may have any size: a phone zooms, crops and is turned. One that was
        sent before may come again, too.
        """
        self._note_size(pixels, now_s, by_hand=by_hand)
        same = self._note_same(pixels, now_s)
        settings = self._settings
        if self._dark_for_s(pixels, now_s) >= settings.black_s:
            return Health.BLACK
        if self._live and not by_hand and same >= settings.frozen_s:
            return Health.FROZEN
        swapped = self._swapped_at_s
        if swapped is not None and now_s - swapped < settings.swapped_s:
            return Health.SWAPPED
        return Health.OK

    def _note_size(self, pixels: Pixels, now_s: float, *, by_hand: bool) -> None:
        size = (pixels.shape[1], pixels.shape[0])
        known = by_hand or self._size in {size, size[::-1]}  # phones are turned, too
        if self._live and self._size is not None and not known:
            old, new = (f"{width} x {height}" for width, height in (self._size, size))
            self._note_change(old, new, now_s)
        self._size = size

    def _note_change(self, old: str, new: str, now_s: float) -> None:
        self.change = old, new
        self._swapped_at_s = now_s

    def _note_same(self, pixels: Pixels, now_s: float) -> float:
        if self._before is None or not np.array_equal(self._before, pixels):
            self._same_since_s = now_s
        self._before = pixels
        return now_s - (now_s if self._same_since_s is None else self._same_since_s)

    def _dark_for_s(self, pixels: Pixels, now_s: float) -> float:
        few = pixels[::8, ::8]
        settings = self._settings
        if few.mean() > settings.black_level or few.std() > settings.black_spread:
            self._black_since_s = None
            return -1.0
        if self._black_since_s is None:
            self._black_since_s = now_s
        return now_s - self._black_since_s
