"""The middle one of many numbers, much sooner than numpy finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.types import Floats


def median(values: Floats, axis: int | None = None) -> Floats:
    """Return `np.median` of one or more numbers, none of them NaN, with all axes kept.

    numpy puts three places in order at once, which takes it up to ten times as long as one.

    >>> median(np.array([[3, 1, 2], [9, 7, 8]], np.float32), axis=1).tolist()
    [[2.0], [8.0]]
    >>> median(np.array([4, 1, 2, 8], np.float32)).item()
    3.0
    """
    if axis is None:
        return median(values.ravel(), 0).reshape((1,) * values.ndim)
    half, odd = divmod(values.shape[axis], 2)
    halves = np.moveaxis(np.partition(values, half, axis), axis, 0)
    middle = halves[half] if odd else (halves[:half].max(0) + halves[half]) / 2
    return np.asarray(np.expand_dims(middle, axis))
