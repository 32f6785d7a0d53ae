"""How tiles are looked at: numbers in doubt from nearer, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.examine import CLEAR, NEAR, Examiner
from vision.faces import JOKER, NOT_UPRIGHT
from vision.outlines import NUMBER_AT, inside, nearer
from vision.sight import Look

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

TILE = np.array([(20, 10), (60, 10), (60, 70), (20, 70)], np.float32)


@given(st.floats(1, 3), st.lists(st.floats(-8, 8, width=32), min_size=8, max_size=8))
def test_from_nearer_the_number_stays_in_place(times: float, moved: list[float]) -> None:
    quad = TILE + np.array(moved, np.float32).reshape(4, 2)
    at = np.array([NUMBER_AT], np.float32)
    seen = nearer(quad[None], times)[0]
    assert inside(seen, at) == pytest.approx(inside(quad, at), abs=0.05)
    assert np.ptp(seen, axis=0).max() <= np.ptp(quad, axis=0).max() + 0.05


def test_of_no_tiles_there_is_nothing_nearer() -> None:
    assert nearer(np.zeros((0, 4, 2), np.float32), 2).shape == (0, 4, 2)


def logits_of(number: int, chance: float, other: int) -> Floats:
    """(15,): the classes of a number and of another one that has all the rest of a chance."""
    chances = np.full(15, 1e-6)
    chances[[number, other]] = chance, 1 - chance
    return np.asarray(np.log(chances), np.float32)


def look_of(*pairs: tuple[Floats, Floats]) -> Look:
    """How tiles look as cut out and turned round; what tells the number is that class alone."""
    both = np.concatenate([np.stack(way) for way in zip(*pairs, strict=True)])
    empty = np.zeros((len(both), 0), np.float32)
    return Look(empty, both, empty, both.argmax(1)[:, None].astype(np.float32), empty)


NOTHING = logits_of(NOT_UPRIGHT, 1 - 1e-5, 0)
PLAIN, WAVERING = logits_of(2, CLEAR + 0.02, 7), logits_of(12, CLEAR - 0.1, 10)
BLANK, JESTER = logits_of(NOT_UPRIGHT, 0.8, 3), logits_of(JOKER, CLEAR - 0.1, 3)


def test_only_numbers_in_doubt_are_looked_at_from_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jokers fill their tiles, and where there is nothing to read it may stay so."""
    examiner = Examiner.load()
    monkeypatch.setattr(Examiner, "_number_temperature", 1.0)
    asked: list[Floats] = []

    def cut(_: Examiner, _pixels: Pixels, quads: Floats) -> Floats:
        asked.append(quads)
        return np.zeros((len(quads), 3, 96, 64), np.float32)

    closer = logits_of(12, 0.9999, 10)[None]
    empty = np.zeros((1, 0), np.float32)
    monkeypatch.setattr(Examiner, "_cut", cut)
    monkeypatch.setattr(
        Examiner, "_logits", lambda *_: (closer, empty, np.full((1, 1), 5, np.float32), empty)
    )
    quads = np.stack([TILE + np.array((60 * i, 0), np.float32) for i in range(4)])
    pixels = np.zeros((80, 300, 3), np.uint8)
    clear = look_of((PLAIN, NOTHING), (BLANK, BLANK), (JESTER, NOTHING), (NOTHING, PLAIN))
    assert examiner.look_closer(pixels, quads, clear) is clear
    assert asked == []

    look = look_of((PLAIN, NOTHING), (BLANK, BLANK), (JESTER, NOTHING), (NOTHING, WAVERING))
    seen = examiner.look_closer(pixels, quads, look)
    upright = np.roll(quads[3], 2, 0)
    assert np.array(asked) == pytest.approx(nearer(upright[None], NEAR)[None])
    assert seen.numbers[7] == pytest.approx((WAVERING + closer[0]) / 2)
    assert seen.seen[7, 0] == (12 + 5) / 2
    assert seen.numbers[:7] == pytest.approx(look.numbers[:7])
    assert look.numbers[7] == pytest.approx(WAVERING)
    assert examiner.weigh(seen)[0][3, 12] > CLEAR > examiner.weigh(look)[0][3, 12]
