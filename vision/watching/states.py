"""The state of the table over time: still or not, since when, and whether a hand was there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vision.watching.motion import nearly_identical
from vision.watching.reference import MUCH
from vision.watching.registration import steady_change

if TYPE_CHECKING:
    from vision.watching.glance import Glance
    from vision.watching.motion import Change
    from vision.watching.reference import Reference

MOST = 0.6  # of all that had structure
LITTLE = 0.15  # of it that the camera's move leaves unexplained: the rest moved with the camera
BLACK = "The picture is black: is the lens covered, or the light off?"
FLAT = "Nothing is to be seen: is something in front of the lens?"
BLURRED = "The picture is blurred: let the camera focus on the table."
LEAST_CONTRAST = 0.3  # of the contrast before, at the same light


@dataclass(slots=True)
class Stillness:
    """Tells movement from rest by comparing with the frame in which the rest began.

    So slow movement counts, too.
    """

    anchor: Glance | None = None
    since_s: float = 0.0
    _same: Glance | None = None

    def is_as_before(self, glance: Glance) -> bool:
        """Tell cheaply that a frame shows the same; where it can't, `moved` can."""
        return self._same is not None and nearly_identical(self._same, glance)

    def moved(self, glance: Glance, time_s: float) -> bool:
        """Tell whether the frame differs from where the rest began; if so it begins anew."""
        if self.is_as_before(glance):
            return False
        # Only what was compared with the anchor itself is remembered: light may drift for hours.
        self._same = glance
        if self.anchor is not None and not steady_change(self.anchor, glance).any:
            return False
        self.anchor, self.since_s = glance, time_s
        return True

    def rest_on(self, glance: Glance) -> None:
        """Compare with this frame from now on, which shows the same."""
        self.anchor = self._same = glance

    def forget(self) -> None:
        """Begin anew with the next frame."""
        self.anchor = self._same = None


@dataclass(slots=True)
class Hands:
    """Whether a hand was seen since the last settled table.

    Attributes
    ----------
    sure
        One was, and it was not the camera that moved.
    maybe
        So much changed at once that it may have been the camera.
    here
        One is in the last frame.
    unwatched
        Nobody looked for a while.
    """

    sure: bool = False
    maybe: bool = False
    here: bool = False
    unwatched: bool = False

    @property
    def seen(self) -> bool:
        """Whether one may have been there."""
        return self.sure or self.maybe

    def note(self, table: Reference, glance: Glance, change: Change) -> None:
        """Note a frame with movement in it.

        Parameters
        ----------
        table
            The table as it was settled last.
        change
            What differs from it.
        """
        move = table.move_to(glance, change)
        if move is not None:  # of what the camera's move explains nothing is a hand
            table, change = table.beyond(move, glance)
        explained = move is None or change.of_textured <= LITTLE
        self.here = explained and bool(table.arms_in(change).any())
        if self.here and change.of_textured <= MUCH:
            self.sure = True
        elif self.here:
            self.maybe = True

    def forget(self) -> None:
        """Begin anew after a settled table."""
        self.sure = self.maybe = self.here = self.unwatched = False


def trouble_of(glance: Glance, reference: Reference | None, change: Change | None) -> str:
    """Say why a frame shows nothing of the table, or nothing."""
    if reference is None or change is None:
        return ""
    before = reference.glance
    if int(before.textured.sum()) < 2 * before.shape[1]:
        return ""
    sharpness = reference.sharpness_of(glance)
    if glance.is_flat and sharpness < LEAST_CONTRAST:
        return FLAT
    if change.of_textured > MOST and sharpness < LEAST_CONTRAST * change.brightness:
        return BLURRED
    return ""
