"""Tiles whose feet other tiles hide, as on a rack: how tall they would be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.quads import rectangle, turned_round
from vision.tiers import hidden_feet

if TYPE_CHECKING:
    from vision.types import Floats

WIDE, TALL = 40.0, 56.0
FULL = [TALL] * 4


def tier(top: float, heights: list[float], left: float = 100) -> list[Floats]:
    """Tiles side by side, of which so much is to be seen, from their tops down."""
    lefts = [left + 42 * i for i in range(len(heights))]
    pairs = zip(lefts, heights, strict=True)
    return [rectangle(x, top, x + WIDE, top + tall) for x, tall in pairs]


def turned(quads: Floats, degrees: float) -> Floats:
    angle = np.radians(degrees)
    turn = np.array([(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))])
    return np.asarray(quads @ turn, np.float32)


@given(st.floats(0, 360), st.integers(0, 15), st.sampled_from([30.0, 36.0, 40.0]))
def test_the_foot_lies_where_the_tile_before_it_hides_it(
    degrees: float, begun: int, seen: float
) -> None:
    quads = np.array(tier(100, [seen] * 4) + tier(100 + seen, FULL))
    cut = turned(quads, degrees)
    flipped = np.array([bool(begun >> i & 1) for i in range(4)] + [False] * 4)
    whole, hidden = hidden_feet(turned_round(cut, flipped))
    ends = flipped.astype(int)
    each = np.arange(8)
    assert hidden[ends, each].tolist() == [True] * 4 + [False] * 4
    assert not hidden[1 - ends, each].any()
    expected = turned(np.array(tier(100, FULL)), degrees)
    found = turned_round(whole[ends, each], flipped)[:4]
    assert found == pytest.approx(expected, abs=0.1)


@given(st.floats(0, 360), st.floats(-3, 3), st.floats(0.5, 1.0))
def test_whole_tiles_have_their_feet(degrees: float, off: float, squeezed: float) -> None:
    """However low the camera stands, and rows lie however close."""
    rows = tier(100, FULL) + tier(103 + TALL, [TALL + off] * 4) + tier(300, FULL)
    quads = turned(np.array(rows) * (1, squeezed), degrees)
    assert not hidden_feet(quads)[1].any()


def test_what_is_short_with_nothing_before_it_is_as_it_is() -> None:
    quads = np.array(tier(100, [34.0, TALL, TALL]))
    whole, hidden = hidden_feet(quads)
    assert not hidden.any()
    alone = np.array(tier(100, [34.0]))
    assert not hidden_feet(alone)[1].any()
    assert hidden_feet(alone[:0])[1].shape == (2, 0)
    assert whole.shape == (2, 3, 4, 2)


def test_keys_that_are_all_short_hide_no_feet() -> None:
    keys = tier(100, [34.0] * 3) + tier(134, [34.0] * 3) + tier(168, [34.0] * 3)
    quads = np.array(keys + tier(100, [TALL] * 3, left=232))
    assert not hidden_feet(quads)[1].any()


def test_between_two_tiers_either_end_may_be_hidden() -> None:
    """Which of the two lies before it is not to be seen."""
    quads = np.array(tier(60, [30.0] * 3) + tier(90, [30.0] * 3) + tier(120, [TALL] * 3))
    hidden = hidden_feet(quads)[1]
    assert hidden[:, 3:6].all()
    assert hidden[:, :3].all(1).tolist() == [True, False]
