"""Numbers: all tiles of one picture read together.

A number looks alike on all tiles of a set, whatever their ink. So where one wavers, between a 6
and a 4 of thin strokes, say, the others tell: those that look like it, and those that surely show
what it might be and do not. A small network, the typeface, weighs them. It learns how to compare,
and nothing of any number: renumber all tiles, and its answers are renumbered. So it knows no runs
and no groups, and no rule bends what it says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.faces import JOKER, leave_traces, log_softmax
from vision.reading.verify import SEEN

if TYPE_CHECKING:
    from vision.network import Network
    from vision.types import Floats

NUMBERS: Final = JOKER  # columns of number probabilities: 1 to 13
SHAPES: Final = SEEN + NUMBERS + 1
# What a tile alone has for possible. Smoothed labels taught the reader to give every number about
# 0.001, which tells nothing: of 12,100 tiles that are surely and rightly read 2,600 leave another
# number more than this, 6,500 more than 0.001. Of 94 that are read wrong one leaves the right
# number less; one more would at 0.002, and there a legal set of squeezed video is accused.
POSSIBLE: Final = 0.0014


def shapes(seen: Floats, numbers: Floats) -> Floats:
    """Return what tells the numbers of n tiles, (n, `SHAPES`) float32.

    Parameters
    ----------
    seen
        (n, `SEEN`) of the tiles as they are upright.
    numbers
        (n, 15) probabilities.
    """
    ranked = np.log(np.maximum(numbers[:, :NUMBERS], 1e-7))
    bears_one = numbers[:, :NUMBERS].sum(1, keepdims=True)
    return np.concatenate([seen, log_softmax(ranked), bears_one], 1).astype(np.float32)


def settled(typeface: Network, seen: Floats, numbers: Floats) -> Floats:
    """Return the number probabilities of n tiles, (n, 15), in the light of them all.

    How likely a tile bears any number, or is a joker, stays as it was, and no number is ruled out
    that the tile alone has for possible. The parameters are those of `shapes`.
    """
    told = shapes(seen, numbers)
    own, bears_one = told[:, SEEN:-1], told[:, -1:]
    logs = log_softmax(own + typeface.run(told)[0])
    chances = np.exp(leave_traces(logs, numbers[:, :NUMBERS], POSSIBLE))
    return np.concatenate([chances * bears_one, numbers[:, NUMBERS:]], 1).astype(np.float32)
