"""Printed things: cards, papers, keys, dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.rendering.printed import PRINTS, playing_card

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Pixels

DRAWN = [draw for draw, _ in PRINTS]


@pytest.mark.parametrize("draw", DRAWN, ids=lambda draw: draw.__name__)
def test_prints_differ_and_bear_something(draw: Callable[[np.random.Generator], Pixels]) -> None:
    prints = [draw(np.random.default_rng(seed)) for seed in range(6)]
    assert all(one.dtype == np.uint8 for one in prints)
    assert len({one.tobytes() for one in prints}) == 6
    assert all(one.reshape(-1, 3).std(0).max() > 2 for one in prints)
    assert (draw(np.random.default_rng(3)) == prints[3]).all()


@pytest.mark.parametrize(
    ("draw", "tall"), PRINTS, ids=lambda value: getattr(value, "__name__", "")
)
def test_sizes_are_those_of_the_things_beside_a_tile(
    draw: Callable[[np.random.Generator], Pixels], tall: tuple[float, float]
) -> None:
    """A tile is some 26 mm wide, a playing card 89 mm tall, a die 16 mm."""
    least, most = (26 * part for part in tall)
    assert least < most
    known_mm = {"playing_card": 89, "die": 16}.get(draw.__name__, 150)
    assert least <= known_mm <= most


def test_a_card_reads_the_same_from_either_side() -> None:
    card = playing_card(np.random.default_rng(1))
    assert (card == card[::-1, ::-1]).all()
