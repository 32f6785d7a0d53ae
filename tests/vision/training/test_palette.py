"""What the palette learns from."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training has an environment of its own")

from vision.reading.colours import CLUES, TINT
from vision.training.palette import MOST_TILES, Inks, make_batch, unmet
from vision.training.reader import IGNORED
from vision.training.set_transformer import UNLIKE


def inks(rng: np.random.Generator, count: int) -> Inks:
    told = rng.normal(0, 1, (count, CLUES)).astype(np.float32)
    own = rng.normal(0, 1, (count, 4)).astype(np.float32)
    return Inks(told, own, rng.integers(0, 4, count))


def test_inks_that_no_reader_has_met_are_off_alike_and_measured_as_before() -> None:
    rng = np.random.default_rng(3)
    before = inks(rng, 12)
    spread = rng.uniform(0.1, 2, TINT).astype(np.float32)
    after = unmet(rng, before, spread)
    off = (after.told - before.told)[:, :TINT]
    assert off == pytest.approx(np.tile(off[0], (12, 1)), abs=1e-5)
    assert 0.01 < (off[0] / spread).std() < 1
    assert (after.told[:, TINT:] == before.told[:, TINT:]).all()
    assert (after.own == before.own).all()
    assert (after.truth == before.truth).all()


def test_a_batch_takes_no_picture_for_larger_than_it_is() -> None:
    rng = np.random.default_rng(1)
    pictures = [inks(rng, count) for count in (1, 7, MOST_TILES + 9)]
    told, absent, _, truth = make_batch(rng, pictures, np.ones(TINT, np.float32))
    assert ((truth == IGNORED) == (absent == UNLIKE)).all()
    assert (told[absent == UNLIKE] == 0).all()
