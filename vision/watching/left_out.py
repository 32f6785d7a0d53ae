"""Places that are left out by a person's word: players' racks, which a camera sees all evening."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vision.quads import within
from vision.racks import NEXT_TIER, SAME_TIER
from vision.types import stack
from vision.watching.registration import moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.types import Flags, Floats
    from vision.watching.ballot import Place

# Widths and heights about a place's middle: tiles stand elsewhere along a rack with every turn.
# The next tile of a row lies a width away, what lies before a rack most of a height.
ON_IT = (0.75, 0.6)


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Where tiles stood that are none of the table's; what stands there later is none, either.

    Attributes
    ----------
    quads_img
        (n, 4, 2) float32, image pixels.
    """

    quads_img: Floats = field(default_factory=partial(stack, ()))

    def __bool__(self) -> bool:
        """Tell whether any place is left out."""
        return len(self.quads_img) > 0

    def beside(self, quads_img: Floats) -> LeftOut:
        """Leave out these places, (m, 4, 2), too."""
        return LeftOut(np.concatenate([self.quads_img, quads_img]))

    def seen_after(self, move: Floats) -> LeftOut:
        """Return the same places after the camera was moved, by a homography."""
        return LeftOut(moved(self.quads_img, move))

    def holds(self, quads_img: Floats) -> Flags:
        """Tell which tiles, (m, 4, 2), stand in such a place, (m,)."""
        return np.asarray(self._seats(quads_img).any(0))

    def parted(self, places: Sequence[Place]) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the places where what was read is the table's, and those where it is not."""
        held = self.holds(stack(place.quad_img for place in places))
        free = tuple(place for place, on_it in zip(places, held, strict=True) if not on_it)
        aside = tuple(place for place, on_it in zip(places, held, strict=True) if on_it)
        return free, aside

    def still_there(self, places: Sequence[Place]) -> LeftOut:
        """Return the places of racks on which anything was read; one that is bare may be gone."""
        seen = np.asarray(self._seats(stack(place.quad_img for place in places)).any(1))
        quads = self.quads_img
        near = within(quads, quads, NEXT_TIER) | within(quads, quads, SAME_TIER)
        near |= near.T
        for _ in quads:  # whatever stands beside what was seen, and beside that
            seen |= near[seen].any(0)
        return LeftOut(quads[seen])

    def _seats(self, quads_img: Floats) -> Flags:
        """Tell what stands where, (n, m)."""
        return within(self.quads_img, quads_img, ON_IT)
