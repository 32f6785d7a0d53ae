"""What the cameras showed last: for pages, for reading, and as evidence of a turn."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import cv2

from referee.phrases import say
from web.live.errors import CommandError
from web.live.jpeg import encode_jpeg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Floats, Pixels
    from web.live.eyes import Eyes, Frame
    from web.live.settings import LiveSettings

_log = logging.getLogger(__name__)
_LOOKS: Final = 3


class Pictures:
    """The newest frames; taken in and given as evidence under the table's lock.

    Attributes
    ----------
    shown
        The frame that pages show; None before the first.
    """

    def __init__(self, eyes: Eyes, settings: LiveSettings) -> None:
        self.shown: Frame | None = None
        self._eyes = eyes
        self._settings = settings
        self._by_camera: dict[str, Frame] = {}
        self._settled: Frame | None = None

    def take(self, frame: Frame, primary: str | None, *, fresh: bool) -> Frame:
        """Take in a frame that was looked at; return the one that pages show.

        Parameters
        ----------
        primary
            The camera in whose pixels the tiles lie, whoever sees them.
        fresh
            Whether a table settled in it.
        """
        self._by_camera[frame.camera] = frame
        self.shown = self._by_camera.get(primary or "", frame)
        if fresh:
            self._settled = self.shown
        return self.shown

    def jpeg(self) -> bytes | None:
        """Return the newest picture; None where there is none yet."""
        return self._jpeg(self.shown)

    def pixels(self) -> Pixels | None:
        """Return the newest picture as the camera gave it, (h, w, 3) uint8 BGR."""
        shown = self.shown
        return None if shown is None else shown.pixels

    def aside(self, found: tuple[str, Floats] | None) -> tuple[Pixels, Floats] | None:
        """Return the newest picture of a camera, with the corners of a tile there."""
        frame = self._by_camera.get(found[0]) if found else None
        return (frame.pixels, found[1]) if found and frame else None

    def again(self, cameras: Sequence[str]) -> list[Frame]:
        """Return the newest frames of these cameras, to be looked at as if they were photos.

        Each is there as often as a table is read before it counts.
        """
        known = [self._by_camera[name] for name in cameras if name in self._by_camera]
        return [replace(frame, photo=True) for frame in known for _ in range(_LOOKS)]

    def evidence(self) -> bytes | None:
        """Return the picture of the settled table; a turn counts without one, too."""
        try:
            return self._jpeg(self._settled or self.shown)
        except (ValueError, cv2.error):
            _log.exception("a turn is kept without its picture")
            return None

    def nearest(self) -> Pixels:
        """Return a phone's newest picture, else the table camera's.

        Raises
        ------
        CommandError
            If there is none.
        """
        pixels = self._eyes.phone_pixels()
        pixels = self.pixels() if pixels is None else pixels
        if pixels is None:
            raise CommandError(
                say("refusal.no_picture", "There is no picture yet: photograph the rack.")
            )
        return pixels

    def _jpeg(self, frame: Frame | None) -> bytes | None:
        if frame is None:
            return None
        return encode_jpeg(frame.pixels, self._settings.jpeg_width_px, self._settings.jpeg_quality)
