"""What a lesson needs of whoever teaches, and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.teaching import LaidOut
    from vision.types import Pixels

Told: TypeAlias = Callable[[float], None]
"""Told which share is done, 0 to 1, again and again; what it raises ends the work."""


class LessonError(Exception):
    """What was asked for cannot be done; the message, a phrase, says why and what to do."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A photo to teach from.

    Attributes
    ----------
    found
        What it shows.
    wanted
        Which of its tiles are taught, by their places in `found`.
    """

    found: LaidOut
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What teaching brought: of the tiles in the photos, how many are read for sure."""

    taught: int
    tiles: int
    before: int
    after: int


class Teacher(Protocol):
    """Knows the sets, teaches new ones, and sees to it that the table is read by one of them."""

    @property
    def in_use(self) -> str:
        """The name of the set that the table is read by; empty where it is none."""
        ...

    @property
    def trouble(self) -> str:
        """Why the set that was chosen is not in use; empty where it is."""
        ...

    def names(self) -> list[str]:
        """Return the names of the sets there are."""
        ...

    def look(self, pixels: Pixels) -> LaidOut:
        """Tell what a photo of (h, w, 3) uint8 BGR pixels shows of a laid-out set."""
        ...

    def teach(self, name: str, photos: Sequence[Taken], told: Told) -> Outcome:
        """Teach a set, keep it under a name, and read the table by it from now on.

        Raises
        ------
        LessonError
            If it cannot be; then the table is read as before.
        """
        ...

    def use(self, name: str, told: Told) -> None:
        """Read the table by another set from now on; by none, if the name is empty.

        Raises
        ------
        LessonError
            If it cannot be; then the table is read as before.
        """
        ...
