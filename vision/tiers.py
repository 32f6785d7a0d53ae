"""Tiles whose feet the next tier of a rack hides: what they would look like without it.

A detector finds what is to be seen. Of a tile behind another one that is the upper part, and its
number, cut out so, stands where no tile has it: a 9 so low passes for a 6 upside down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.medians import quantile_where
from vision.outlines import ALIGNED
from vision.quads import axes, within

if TYPE_CHECKING:
    from vision.types import Flags, Floats

# How far away, in widths, tiles tell how tall one is; which of them is as tall as all would be.
NEARBY: Final = 4.0
WHOLE: Final = 0.8  # quantile of heights over widths
# What is shorter than that, beside those, has its foot hidden; so much of a tile is to be seen.
SHORT, LEAST = 0.88, 0.45
# How near to the middle of what is missing, in widths and heights of it, that of a tile lies which
# hides it.
HIDES: Final = (0.75, 0.6)
# In front there is a whole one: the keys of a keypad are all short.
TIERS: Final = 4


def hidden_feet(quads: Floats) -> tuple[Floats, Flags]:
    """Return quads (n, 4, 2) as tall as those near them, and at which end something hides them.

    Returns
    -------
    whole, hidden
        (2, n, 4, 2): lengthened at their last side, then at their first one; and (2, n): where
        another tile lies there, and they are too short.
    """
    _, along, width, height = axes(quads)
    ratio, down = height / width, along / height[:, None]
    away = np.linalg.norm(quads.mean(1)[None] - quads.mean(1)[:, None], axis=2)
    near = (away < NEARBY * width[:, None]) & (np.abs(down @ down.T) > ALIGNED)
    part = ratio / quantile_where(ratio, near, WHOLE)
    short = (part < SHORT) & (part > LEAST)
    if not short.any():
        return np.stack([quads, quads]), np.zeros((2, len(quads)), np.bool_)
    missing = (along * (1 / part - 1)[:, None])[:, None]
    last = np.concatenate([quads[:, :2], quads[:, 2:] + missing], 1)
    first = np.concatenate([quads[:, :2] - missing, quads[:, 2:]], 1)
    feet = (
        np.stack([quads[:, 3], quads[:, 2], last[:, 2], last[:, 3]], 1),
        np.stack([first[:, 0], first[:, 1], quads[:, 1], quads[:, 0]], 1),
    )
    hides = np.stack([within(quads, foot, HIDES) for foot in feet])
    each = np.arange(len(quads))
    hides[:, each, each] = False
    hidden, known = np.zeros((2, len(quads)), np.bool_), ~short
    for _ in range(TIERS - 1):
        hidden = (hides & known[:, None]).any(1) & short
        known = known | hidden.any(0)
    return np.stack([last, first]), hidden
