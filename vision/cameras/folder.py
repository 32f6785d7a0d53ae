"""A folder of pictures, played like a film."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from vision.cameras.borders import BrokenPictureError, CameraError
from vision.cameras.pace import Pace
from vision.cameras.words import BROKEN_FOLDER, EMPTY_FOLDER, LEFT_OUT, NO_FOLDER
from vision.pictures import PictureError, load_picture
from vision.resources import PICTURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.types import Pixels


class PictureFolder:
    """Shows the pictures of a folder in the order of their names; broken ones are left out.

    Numbers in names count as such: `photo 2` comes before `photo 10`.

    Parameters
    ----------
    fps
        Pictures a second.
    loop
        Whether it begins again at its end.
    clock, wait
        The time in seconds, and what waits for some.
    """

    live = False

    def __init__(
        self,
        folder: Path,
        *,
        fps: float = 2.0,
        loop: bool = False,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self.name = folder.name
        self._folder = folder
        self._step_s = 1 / fps
        self._loop = loop
        self._pace = Pace(clock, wait)
        self._paths: tuple[Path, ...] = ()
        self._next = 0
        self._shown = 0

    def open(self) -> None:
        """Begin with the first picture; raises `CameraError`."""
        try:
            found = [path for path in self._folder.iterdir() if _is_picture(path)]
        except OSError as error:
            raise CameraError(
                NO_FOLDER.format(path=self._folder, reason=error.strerror)
            ) from error
        if not found:
            raise CameraError(EMPTY_FOLDER.format(path=self._folder))
        self._paths, self._next, self._shown = tuple(sorted(found, key=_in_order)), 0, 0
        self._pace.begin()

    def grab(self) -> Pixels | None:
        """Wait until the next picture is due; None at the end.

        Raises
        ------
        BrokenPictureError
            If it cannot be read; the one after it comes next.
        CameraError
            If not a single one could be.
        """
        if not self._paths:
            raise CameraError(f"{self.name} is not open")
        if self._next == len(self._paths):
            if not self._shown:
                raise CameraError(BROKEN_FOLDER.format(path=self._folder))
            if not self._loop:
                return None
            self._next = 0
        path = self._paths[self._next]
        self._next += 1
        try:
            pixels = load_picture(path)
        except PictureError as error:
            raise BrokenPictureError(LEFT_OUT.format(file=path.name, reason=error)) from error
        self._pace.keep(self._step_s)
        self._shown += 1
        return pixels

    def close(self) -> None:
        """Forget the pictures."""
        self._paths = ()


def _is_picture(path: Path) -> bool:
    """Tell pictures from other files; some systems keep hidden notes on each beside it."""
    return path.suffix.lower() in PICTURE_SUFFIXES and not path.name.startswith(".")


def _in_order(path: Path) -> tuple[list[tuple[bool, int, str]], str]:
    parts = re.findall(r"\d+|\D+", path.name)
    return [
        (False, int(part), "") if part.isdecimal() else (True, 0, part.lower()) for part in parts
    ], path.name
