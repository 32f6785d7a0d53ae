"""What the reader sees of boxes, before it says what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Indices


def upright_rows(turned: Flags) -> Indices:
    """Return the rows of a `Look` that show n tiles upright, (n,), by which are turned, (n,)."""
    return np.arange(len(turned)) + np.where(turned, len(turned), 0)


class Look(NamedTuple):
    """What the reader makes of n quads as cut out, then of the same turned round.

    Attributes
    ----------
    crops
        (2n, 3, h, w) float32, white-balanced.
    numbers, colours
        (2n, 15) and (2n, 4) float32 logits.
    seen, tint
        (2n, f) and (2n, g): what tells the number, and what tells the ink.
    """

    crops: Floats
    numbers: Floats
    colours: Floats
    seen: Floats
    tint: Floats

    def upright(self, turned: Flags) -> Look:
        """Return only the way up that is right, n of each."""
        return self.take(upright_rows(turned))

    def take(self, rows: Indices) -> Look:
        """Return the looks of some rows."""
        return Look(*(each[rows] for each in self))

    def beside(self, other: Look) -> Look:
        """Return the looks of both, this first; of what is upright."""
        return Look(*map(np.concatenate, zip(self, other, strict=True)))


class Sight(NamedTuple):
    """What is seen of n tiles, each as it is upright, before they are judged together.

    Attributes
    ----------
    look
        Of n.
    quads_img
        (n, 4, 2) px.
    numbers
        (n, 15) probabilities.
    light
        (n,) from `face_light`.
    genuine
        (n,): how likely each is a tile at all.
    confidences
        (n,): how surely it was found; nought where it was looked for beside others.
    """

    look: Look
    quads_img: Floats
    numbers: Floats
    light: Floats
    genuine: Floats
    confidences: Floats

    def take(self, rows: Indices) -> Sight:
        """Return what is seen of some rows."""
        return Sight(self.look.take(rows), *(part[rows] for part in self[1:]))

    def beside(self, other: Sight) -> Sight:
        """Return what is seen of both, this first."""
        parts = zip(self[1:], other[1:], strict=True)
        return Sight(self.look.beside(other.look), *(np.concatenate(pair) for pair in parts))
