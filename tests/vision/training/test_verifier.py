"""What the verifier learns from: which boxes are tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from vision.reading.verify import EVIDENCE  # noqa: E402 - as above
from vision.training.data import Labelled  # noqa: E402 - torch may be missing
from vision.training.reader import IGNORED  # noqa: E402 - as above
from vision.training.set_transformer import UNLIKE  # noqa: E402 - as above
from vision.training.verifier import (  # noqa: E402 - as above
    MOST_BOXES,
    NO_TILE,
    TILE,
    Boxes,
    make_batch,
    truth_of,
)

if TYPE_CHECKING:
    from vision.types import Floats

QUAD = np.array([(20, 20), (60, 20), (60, 80), (20, 80)], np.float32)


@pytest.mark.parametrize(
    ("shift", "visible", "truth"),
    [(2, 1.0, TILE), (2, 0.2, IGNORED), (30, 1.0, IGNORED), (60, 1.0, NO_TILE)],
)
def test_a_box_is_a_tile_or_none_or_half_of_one(shift: float, visible: float, truth: int) -> None:
    seen = np.array([visible], np.float32)
    sample = Labelled(np.zeros((99, 99, 3), np.uint8), ("R7",), QUAD[None], seen, seen, True)
    box: Floats = QUAD + np.array((shift, 0), np.float32)
    assert truth_of(sample, box) == truth


def test_a_batch_takes_no_picture_for_larger_than_it_is() -> None:
    rng = np.random.default_rng(1)
    pictures = [
        Boxes(rng.normal(0, 1, (count, EVIDENCE)).astype(np.float32), np.ones(count, np.int64))
        for count in (1, 5, MOST_BOXES + 9)
    ]
    told, absent, truth = make_batch(rng, pictures)
    assert ((truth == IGNORED) == (absent == UNLIKE)).all()
    assert (told[absent == UNLIKE] == 0).all()
    assert (truth == TILE).any(1).all()
