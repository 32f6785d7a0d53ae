"""Medians as numpy has them."""

from __future__ import annotations

import numpy as np
import pytest

from vision.medians import median, quantile_where


@pytest.mark.parametrize("shape", [(1,), (2,), (61,), (18, 32), (19, 31), (3, 1, 8)])
def test_medians_are_numpys_to_the_last_bit(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(len(shape)).normal(0, 10, shape).astype(np.float32)
    for axis in (None, *range(len(shape))):
        found, wanted = median(values, axis), np.median(values, axis, keepdims=True)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert np.array_equal(found, wanted)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.8, 1.0])
def test_quantiles_are_of_what_is_meant_in_each_row(share: float) -> None:
    rng = np.random.default_rng(4)
    values = rng.normal(0, 10, (2, 30, 7)).astype(np.float32)
    where = rng.random((30, 7)) < 0.5
    where[:3] = [[False] * 7, [True] * 7, [True] + [False] * 6]
    found = quantile_where(values, where, share)
    assert found.shape == (2, 30)
    for one, rows in zip(found, values, strict=True):
        for told, row, meant in zip(one[1:], rows[1:], where[1:], strict=True):
            if meant.any():
                assert told == pytest.approx(np.quantile(row[meant], share), abs=1e-4)
