"""What a tile's logits say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.faces import (
    FACES,
    NOT_UPRIGHT,
    TRACE,
    both_ways,
    face_probabilities,
    is_plainly_upright,
    leave_traces,
    lies,
    log_softmax,
)

if TYPE_CHECKING:
    from vision.types import Floats


def logs(*likely: int) -> Floats:
    """One row of log probabilities for each class that is all but sure."""
    rows = np.full((len(likely), 15), 0.001)
    rows[np.arange(len(likely)), likely] = 0.986
    return np.asarray(np.log(rows), np.float32)


def test_there_are_53_faces() -> None:
    assert len(FACES) == len(set(FACES)) == 53


@pytest.mark.parametrize(
    ("here", "there", "number", "turned"),
    [
        (5, NOT_UPRIGHT, 5, False),
        (NOT_UPRIGHT, 8, 8, True),
        (NOT_UPRIGHT, NOT_UPRIGHT, NOT_UPRIGHT, None),
    ],
)
def test_the_way_that_makes_sense_is_up(
    here: int, there: int, number: int, turned: bool | None
) -> None:
    numbers, turns = both_ways(logs(here, there))
    assert numbers[0].argmax() == number
    assert numbers[0].sum() == pytest.approx(1, abs=1e-5)
    assert turned is None or turns[0] == turned


def test_only_what_is_sure_and_no_twin_needs_no_second_look() -> None:
    six, seven, nine, joker = 5, 6, 8, 13
    sure = logs(six, seven, nine, joker, NOT_UPRIGHT)
    assert is_plainly_upright(sure).tolist() == [False, True, False, True, False]
    hazy = np.log(np.full((1, 15), 1 / 15, np.float32))
    assert not is_plainly_upright(hazy).any()


def looks(*ways: dict[int, float]) -> Floats:
    """Return log probabilities of a tile's two ways up, given what matters of each."""
    rows = np.full((len(ways), 15), 1e-4)
    for row, chances in zip(rows, ways, strict=True):
        row[list(chances)] = list(chances.values())
    return np.asarray(log_softmax(np.log(rows)), np.float32)


def test_what_reads_the_same_both_ways_up_is_no_less_sure_for_it() -> None:
    seven, eight = 6, 7
    up, down = {NOT_UPRIGHT: 0.11}, {NOT_UPRIGHT: 0.5}
    same, _ = both_ways(looks({eight: 0.88} | up, {eight: 0.49} | down))
    other, _ = both_ways(looks({eight: 0.88} | up, {seven: 0.49} | down))
    assert same[0, eight] > 0.98
    assert other[0].max() < 0.95


def test_a_shape_that_may_be_six_or_nine_is_one_of_them() -> None:
    six, nine = 5, 8
    numbers, _ = both_ways(looks({six: 0.7, NOT_UPRIGHT: 0.29}, {nine: 0.5, NOT_UPRIGHT: 0.49}))
    assert numbers[0, [six, nine]].sum() > 0.95
    assert 0.5 < numbers[0, six] < 0.95


@given(st.floats(0.01, 0.95), st.floats(0.01, 0.95), st.integers(0, 13), st.integers(0, 13))
def test_nothing_to_read_is_never_likelier_than_each_way_up_alone_has_it(
    here: float, there: float, one: int, other: int
) -> None:
    ways = looks({one: here, NOT_UPRIGHT: 1 - here}, {other: there, NOT_UPRIGHT: 1 - there})
    numbers, _ = both_ways(ways)
    assert numbers[0].sum() == pytest.approx(1, abs=1e-5)
    assert numbers[0, NOT_UPRIGHT] <= np.exp(ways[:, NOT_UPRIGHT]).min() + 1e-3


def test_six_one_way_and_nine_the_other_is_unsure() -> None:
    numbers, _ = both_ways(logs(5, 8))
    assert numbers[0, [5, 8]] == pytest.approx([0.5, 0.5], abs=0.01)


@pytest.mark.parametrize(
    ("lean", "number", "turned"), [(2, 5, False), (-2, 8, True), (9, 5, False)]
)
def test_neighbours_break_the_tie_between_six_and_nine(
    lean: int, number: int, turned: bool
) -> None:
    numbers, turns = both_ways(logs(5, 8), np.array([lean]))
    assert numbers[0].argmax() == number
    assert 0.9 < numbers[0].max() < 0.95
    assert turns[0] == turned
    assert numbers[0].sum() == pytest.approx(1, abs=1e-5)


@given(st.lists(st.floats(-12, 0), min_size=30, max_size=30), st.integers(-20, 20))
def test_neighbours_overturn_nothing_that_is_sure(logits: list[float], lean: int) -> None:
    log_numbers = log_softmax(np.array(logits, np.float32).reshape(2, 15))
    alone, _ = both_ways(log_numbers)
    together, _ = both_ways(log_numbers, np.array([lean]))
    if alone[0].max() > 0.95:
        assert together[0].argmax() == alone[0].argmax()


@pytest.mark.parametrize(
    ("ways", "lying"),
    [
        ((5, NOT_UPRIGHT, NOT_UPRIGHT, NOT_UPRIGHT), False),
        ((NOT_UPRIGHT, NOT_UPRIGHT, 5, NOT_UPRIGHT), False),
        ((NOT_UPRIGHT, 5, NOT_UPRIGHT, NOT_UPRIGHT), True),
        ((NOT_UPRIGHT, NOT_UPRIGHT, NOT_UPRIGHT, 8), True),
        ((NOT_UPRIGHT,) * 4, False),
    ],
)
def test_a_tile_that_makes_sense_only_on_its_side_lies(
    ways: tuple[int, int, int, int], lying: bool
) -> None:
    assert lies(logs(*ways))[0] == lying


def test_faces_are_number_and_colour_together() -> None:
    numbers = np.zeros((1, 15), np.float32)
    numbers[0, [6, 13, 14]] = (0.7, 0.2, 0.1)
    faces = face_probabilities(numbers, np.array([[0.9, 0.1, 0.0, 0.0]], np.float32))
    found = {str(FACES[i]): float(faces[0, i]) for i in np.flatnonzero(faces[0] > 0)}
    assert found == pytest.approx({"R7": 0.63, "B7": 0.07, "J": 0.2}, abs=1e-5)


@given(st.lists(st.floats(1e-6, 1), min_size=3, max_size=13), st.floats(2e-4, 0.1))
def test_only_what_was_possible_is_kept(chances: list[float], possible: float) -> None:
    """However surely the last of them is settled; the others stay as unlikely as they became."""
    before = np.array([chances], np.float32) / np.float32(sum(chances))
    gone = np.full(before.shape, -30, np.float32)
    gone[0, -1] = 0
    after = np.exp(leave_traces(log_softmax(gone), before, possible))[0]
    assert after.sum() == pytest.approx(1)
    kept = after[:-1] > 0.9 * TRACE
    assert kept.tolist() == (before[0, :-1] >= possible).tolist()
    assert after.argmax() == len(chances) - 1
