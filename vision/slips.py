"""Outlines as a corner finder finds them, somewhat off: what learns to read has to bear that."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.quads import shortest_side

if TYPE_CHECKING:
    from vision.types import Floats

SHORTENED, LENGTHS = 0.3, (0.58, 1.2)  # share of the tiles, and parts of their length


def jitter(rng: np.random.Generator, quad: Floats, amount: float) -> Floats:
    """Move a quad's corners as an imperfect corner finder would, by `amount` of the short side."""
    return (quad + rng.normal(0, amount * shortest_side(quad), quad.shape)).astype(np.float32)


def shorten(rng: np.random.Generator, quad: Floats) -> Floats:
    """Move a quad's lower end at times, as a corner finder does that takes what hides it for it.

    The tier in front of a rack's tile hides its lower half; the number then looks stretched.
    """
    if rng.random() > SHORTENED:
        return quad
    length = rng.uniform(*LENGTHS)
    lower = quad[:2] + length * (quad[[3, 2]] - quad[:2])
    return np.array([quad[0], quad[1], lower[1], lower[0]], np.float32)
