"""Advice on light and camera while the table is watched, now and then and without haste."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.advice import CODES, advise
from vision.mirrored import is_mirrored
from vision.types import stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.advice import Advice
    from vision.types import Floats
    from vision.watching.sights import Sight
    from web.live.borders import Frame

EVERY_S: Final = 3.0
"""At most how often a picture is looked at for this."""
_SURE: Final = 2
"""How often running something must be found before it is told, or missed before it is not."""


class Adviser:
    """Looks at still tables, every few seconds, for what keeps tiles from being read well.

    While something moves, nothing is found and nothing taken back: an arm throws shadows.
    """

    def __init__(self) -> None:
        self._forget("")

    def _forget(self, camera: str) -> None:
        self._camera = camera
        self._looked_s = float("-inf")
        self._known: dict[str, Advice] = {}
        self._times: dict[str, int] = {}
        self._told: tuple[Advice, ...] = ()

    def look(self, frame: Frame, sight: Sight) -> tuple[Advice, ...]:
        """Take in a frame and what it shows; return what is to be told."""
        if frame.camera != self._camera:
            self._forget(frame.camera)
        settled = sight.settled
        due = frame.taken_s - self._looked_s >= EVERY_S
        if not due or settled is None or not sight.still:
            return self._told
        if frame.pixels.shape[:2] != (settled.height_px, settled.width_px):
            return self._told
        self._looked_s = frame.taken_s
        quads = stack(tile.quad_img for tile in settled.tiles)
        within = quads[_inside(quads, frame.pixels.shape)]
        mirrored = is_mirrored(tile.reading for tile in settled.tiles)
        self._weigh(advise(frame.pixels, within, mirrored=mirrored))
        return self._told

    def _weigh(self, found: tuple[Advice, ...]) -> None:
        """Tell what was found twice running, until it was missed twice running."""
        self._known |= {one.code: one for one in found}
        codes = {one.code for one in found}
        told = {one.code for one in self._told}
        for code in self._known:
            as_told = (code in codes) is (code in told)
            self._times[code] = 0 if as_told else self._times.get(code, 0) + 1
            if self._times[code] >= _SURE:
                self._times[code] = 0
                told ^= {code}
        self._told = tuple(self._known[code] for code in CODES if code in told)


def _inside(quads_img: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Tell which tiles lie in the picture: others only another camera sees."""
    middles = quads_img.mean(1)
    return np.asarray(((middles >= 0) & (middles < shape[1::-1])).all(1))
