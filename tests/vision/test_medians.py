"""Medians as numpy has them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.medians import median


@pytest.mark.parametrize("shape", [(1,), (2,), (61,), (18, 32), (19, 31), (3, 1, 8)])
def test_medians_are_numpys_to_the_last_bit(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(len(shape)).normal(0, 10, shape).astype(np.float32)
    for axis in (None, *range(len(shape))):
        found, wanted = median(values, axis), np.median(values, axis, keepdims=True)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert np.array_equal(found, wanted)
