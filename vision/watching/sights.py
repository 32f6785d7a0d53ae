"""What a watcher says of a frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from vision.types import stack

if TYPE_CHECKING:
    from referee.table import Table
    from referee.verdicts import Verdict
    from vision.types import Floats, Layout, Picture, Pixels, Reading

Status: TypeAlias = Literal["seen", "covered", "doubtful", "corrected"]


class FrameLike(Protocol):
    """One picture of a camera."""

    @property
    def pixels(self) -> Pixels:
        """(h, w, 3) uint8 BGR."""
        ...

    @property
    def number(self) -> int:
        """Rises by one or more from frame to frame."""
        ...

    @property
    def taken_s(self) -> float:
        """When it was taken, in seconds of a clock that never goes back."""
        ...


class Phase(StrEnum):
    """What goes on over the table."""

    STABLE = "stable"
    MOVING = "moving"
    HAND = "hand"
    COVERED = "covered"
    LOST = "lost"


@dataclass(frozen=True, slots=True, eq=False)
class SeenTile:
    """One tile that lies on the table, as far as the watcher knows.

    Attributes
    ----------
    id
        Stays the same while the tile stays where it lies, even if the camera is moved.
    reading
        What it reads; its doubt says what to ask a person.
    quad_img
        (4, 2) float32, image pixels, clockwise from the corner that is top left when upright.
    status
        "covered" is known from before and merely hidden now; "doubtful" changed though no hand
        was seen; "corrected" is a person's word.
    """

    id: int
    reading: Reading
    quad_img: Floats
    status: Status = "seen"

    @property
    def unsure(self) -> bool:
        """Whether a person should look at what it shows, or at how it came there."""
        return self.reading.unsure or self.status == "doubtful"

    @property
    def certain(self) -> bool:
        """Whether it is sure, and nothing hides it just now."""
        return not self.unsure and self.status != "covered"


@dataclass(frozen=True, slots=True)
class SettledTable:
    """A table that lay still and uncovered.

    Attributes
    ----------
    number
        Rises with every settled table of a watcher.
    tiles
        Numbered by their places here in `layout`, and so in `table` and `verdict`.
    layout, table, verdict
        What they form, and what the referee says of it.
    width_px, height_px
        Size of the picture.
    after_hand
        Whether a hand was seen since the settled table before.
    picture
        What its tiles were read in; None where nothing was.
    left_out_img
        (n, 4, 2) float32, image pixels: where a rack stands that is none of the table's.
    """

    number: int
    tiles: tuple[SeenTile, ...]
    layout: Layout
    table: Table
    verdict: Verdict
    width_px: int
    height_px: int
    after_hand: bool
    picture: Picture | None = field(default=None, repr=False, compare=False)
    left_out_img: Floats = field(default_factory=partial(stack, ()), repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Sight:
    """What the watcher makes of one frame.

    Attributes
    ----------
    settled
        The last settled table; None before the first.
    fresh
        Whether this frame settled it.
    message
        What a person should know or do, in words; often empty.
    """

    phase: Phase
    frame_number: int
    settled: SettledTable | None
    fresh: bool = False
    message: str = ""

    @property
    def still(self) -> bool:
        """Whether the table lies still and uncovered."""
        return self.phase is Phase.STABLE

    @property
    def hand(self) -> bool:
        """Whether a hand is over the table."""
        return self.phase is Phase.HAND

    @property
    def moving(self) -> bool:
        """Whether a hand, or anything else, moves over the table."""
        return self.hand or self.phase is Phase.MOVING
