"""A teacher that learns nothing: for working on the page, and for its tests."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import ALL_FACES, Tile
from referee.phrases import say
from vision.teaching import LaidOut
from vision.teaching.photo import NO_TILES
from vision.types import Reading
from web.teaching.borders import LessonError, Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Floats, Pixels
    from web.teaching.borders import Taken, Told

_COLUMNS: Final = 13
_LEAST_PX: Final = 400
_STEPS: Final = 20
_ROWS: Final = (13, 13, 13, 14)
REFUSED: Final = "no disk"


@dataclass
class CannedTeacher:
    """Sees a whole set in every picture that is wide enough; remembers what it was told.

    Attributes
    ----------
    pause_s
        How long each of the 20 steps takes.
    missed
        Faces that it does not find.
    """

    pause_s: float = 0.1
    missed: tuple[str, ...] = ("K13",)
    known: dict[str, int] = field(default_factory=lambda: {"grandma": 53, "travel set": 53})
    in_use: str = ""
    trouble: str = ""

    def names(self) -> list[str]:
        """Return the names of the sets there are."""
        return sorted(self.known)

    def look(self, pixels: Pixels) -> LaidOut:
        """Tell what every picture shows."""
        height, width = pixels.shape[:2]
        if width < _LEAST_PX:
            return LaidOut(pixels, np.zeros((0, 4, 2), np.float32), (), (), (), NO_TILES)
        places = [n for n, face in enumerate(ALL_FACES) if str(face) not in self.missed]
        quads = np.array([_quad(place, width, height) for place in places], np.float32)
        faces = tuple(ALL_FACES[place] for place in places)
        rows = tuple(sum(_row(place) == row for place in places) for row in range(len(_ROWS)))
        return LaidOut(pixels, quads, rows, faces, tuple(_reading(face) for face in faces))

    def teach(self, name: str, photos: Sequence[Taken], told: Told) -> Outcome:
        """Pretend to; the name `no disk` is refused."""
        self._take_time(told)
        if name == REFUSED:
            raise LessonError(
                say(
                    "teaching.full",
                    "The disk is full, so this could not be kept. Free some space, and try again; "
                    "until then the table is read as before.",
                )
            )
        self.known[name] = sum(len(one.wanted) for one in photos)
        self.in_use = name
        return Outcome(self.known[name], 52, 44, 52)

    def use(self, name: str, told: Told) -> None:
        """Pretend to."""
        self._take_time(told)
        self.in_use = name

    def _take_time(self, told: Told) -> None:
        for step in range(_STEPS):
            told(step / _STEPS)
            threading.Event().wait(self.pause_s)


def _row(place: int) -> int:
    return min(place // _COLUMNS, len(_ROWS) - 1)


def _quad(place: int, width_px: int, height_px: int) -> Floats:
    row, column = _row(place), place - _row(place) * _COLUMNS
    wide, tall = width_px / (_COLUMNS + 3), height_px / (len(_ROWS) + 2)
    left, top = wide * (column + 1), tall * (row + 1)
    right, bottom = left + 0.92 * wide, top + 0.8 * tall
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


def _reading(face: Tile) -> Reading:
    """Read a few tiles as a reader does that has not seen them before."""
    if str(face) == "R6":
        return Reading(Tile.parse("R9"), 0.97)
    if str(face) in {"O2", "O7"}:
        return Reading(face, 0.6, doubt="This could also be something else.")
    return Reading(face, 0.99)
