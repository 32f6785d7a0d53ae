"""Which boxes are left out or in doubt: what lies alone and is hardly a tile, what is dark."""

from __future__ import annotations

import numpy as np
import pytest

from vision.doubts import FOREIGN, NARROWER
from vision.faces import NOT_UPRIGHT
from vision.reading.sight import Look, Sight
from vision.reading.suspects import remaining, suspicions

SURE = 0.95
NUMBERS = NOT_UPRIGHT + 1


def seen(genuine: list[float], light: list[float] | None = None) -> Sight:
    """See boxes with so likely a tile each, that were surely found and bear a number."""
    count = len(genuine)
    place = np.array([(0, 0), (20, 0), (20, 30), (0, 30)], np.float32)
    away = np.array([(30 * number, 0) for number in range(count)], np.float32)
    nothing = np.zeros((count, 0), np.float32)
    return Sight(
        Look(nothing, nothing, nothing, nothing, nothing),
        place + away[:, None],
        np.eye(NUMBERS, dtype=np.float32)[np.zeros(count, np.intp)],
        np.array(light or [0.5] * count, np.float32),
        np.array(genuine, np.float32),
        np.full(count, 0.9, np.float32),
    )


def kept(sight: Sight, best: float = 0.99, row: tuple[int, int] | None = None) -> list[bool]:
    """Return what is left of these; `row` are two that lie in one."""
    count = len(sight.genuine)
    rows = np.zeros((count, count), np.bool_)
    if row is not None:
        rows[row], rows[row[::-1]] = True, True
    none = np.zeros(count, np.bool_)
    faces = np.full(count, best, np.float32)
    return [bool(each) for each in remaining(sight, rows, faces, SURE, none)]


def test_what_lies_alone_and_likelier_is_no_tile_is_left_out_whatever_it_reads() -> None:
    assert kept(seen([1.0, 1.0, 0.45])) == [True, True, False]
    assert kept(seen([1.0, 1.0, 0.55])) == [True, True, True]


def test_beside_a_tile_nothing_that_reads_surely_is_left_out() -> None:
    assert kept(seen([1.0, 1.0, 0.05]), row=(1, 2)) == [True, True, True]


@pytest.mark.parametrize(
    ("genuine", "light", "best", "stays"),
    [
        (0.15, 0.4, 0.9, False),
        (0.25, 0.4, 0.9, True),
        (0.15, 0.5, 0.9, True),
        (0.15, 0.4, 0.99, True),
    ],
)
def test_beside_a_tile_what_is_hardly_one_darker_and_not_surely_read_is_left_out(
    genuine: float, light: float, best: float, *, stays: bool
) -> None:
    sight = seen([1.0, 1.0, 1.0, genuine], [0.5, 0.5, 0.5, light])
    assert kept(sight, best, row=(2, 3))[3] == stays


def test_where_nothing_looks_like_a_tile_what_reads_surely_stays() -> None:
    assert kept(seen([0.05, 0.05, 0.02])) == [True, True, True]
    assert kept(seen([0.05, 0.05, 0.02]), best=0.9) == [False, False, False]


@pytest.mark.parametrize(
    ("genuine", "best", "stays"), [(1.0, 0.99, True), (0.97, 0.99, False), (1.0, 0.5, False)]
)
def test_what_is_very_dark_stays_if_it_surely_is_a_tile_that_can_be_read(
    genuine: float, best: float, *, stays: bool
) -> None:
    sight = seen([1.0, 1.0, 1.0, genuine], [0.5, 0.5, 0.5, 0.05])
    assert kept(sight, best, row=(2, 3))[3] == stays


def side_by_side(tiles: int = 6, count: int = 3, large: float = 1.0) -> Sight:
    """See so many boxes, hardly tiles, that lie side by side apart from so many tiles."""
    sight = seen([1.0] * tiles + [0.05] * count)
    middle = sight.quads_img[tiles:].mean(1, keepdims=True)
    sight.quads_img[tiles:] = middle + (sight.quads_img[tiles:] - middle) * large
    sight.confidences[tiles:] = 0.5
    sight.numbers[tiles:, NOT_UPRIGHT] = 0.6
    return sight


def fates(sight: Sight) -> set[bool]:
    """Tell whether those that are hardly tiles stay."""
    apart = sight.genuine < SURE
    row = apart & apart[:, None] & ~np.eye(len(apart), dtype=np.bool_)
    faces = np.where(apart, 0.1, 0.99).astype(np.float32)
    return set(remaining(sight, row, faces, SURE, np.zeros_like(apart))[apart].tolist())


def test_a_row_of_what_is_hardly_a_tile_but_lies_like_tiles_stays() -> None:
    assert fates(side_by_side()) == {True}


def test_a_row_of_what_is_hardly_found_or_never_a_tile_or_a_back_is_left_out() -> None:
    faint, strange, turned_over = side_by_side(), side_by_side(), side_by_side()
    faint.confidences[6:] = 0.3
    strange.genuine[6:] = 0.02
    turned_over.numbers[6:, NOT_UPRIGHT] = 0.95
    assert [fates(sight) for sight in (faint, strange, turned_over)] == [{False}] * 3


@pytest.mark.parametrize("large", [0.9, 1.1])
def test_a_row_of_another_size_than_the_tiles_is_left_out(large: float) -> None:
    assert fates(side_by_side(large=large)) == {False}


def test_two_side_by_side_or_beside_few_tiles_are_left_out() -> None:
    assert fates(side_by_side(count=2)) == {False}
    assert fates(side_by_side(tiles=5)) == {False}


def suspected(sight: Sight, doubt: str, *, apart: bool = False) -> list[bool]:
    """Tell which of boxes that lie in one row, each beside the next, or apart, are in doubt."""
    count = len(sight.genuine)
    row = np.eye(count, k=1, dtype=np.bool_) | np.eye(count, k=-1, dtype=np.bool_)
    row &= not apart
    everything, none = np.ones(count, np.bool_), np.zeros(count, np.bool_)
    doubts = {doubt: where for where, doubt in suspicions(sight, row, everything, none)}
    return [bool(each) for each in doubts[doubt]]


def test_what_may_be_a_tile_needs_one_beside_it_that_surely_is() -> None:
    assert suspected(seen([0.99] * 3 + [0.9] * 2), FOREIGN) == [False] * 4 + [True]
    assert suspected(seen([0.99, 0.4, 0.9, 0.99, 0.99]), FOREIGN) == [
        False,
        True,
        False,
        False,
        False,
    ]


def test_where_few_surely_are_tiles_any_beside_one_will_do() -> None:
    assert suspected(seen([0.99, 0.9, 0.9, 0.9]), FOREIGN) == [False] * 4


@pytest.mark.parametrize(
    ("genuine", "doubted"),
    [
        ([0.95] * 4, 0),
        ([0.95] * 3 + [0.85], 1),
        ([0.99] * 3 + [0.95] * 2, 2),
        ([0.95] * 2 + [0.5] * 2, 4),
        ([0.95] * 3, 3),
    ],
)
def test_what_lies_alone_is_in_doubt_unless_most_of_the_picture_look_as_little_like_tiles(
    genuine: list[float], doubted: int
) -> None:
    assert sum(suspected(seen(genuine), FOREIGN, apart=True)) == doubted


def test_what_is_dark_is_in_doubt_even_where_none_surely_is_a_tile() -> None:
    sight = seen([0.95] * 4, [0.5, 0.5, 0.5, 0.05])
    assert suspected(sight, FOREIGN, apart=True) == [False] * 3 + [True]


def test_a_tile_that_the_detector_did_not_find_vouches_for_none() -> None:
    sight = seen([1.0, 1.0, 1.0, 0.9])
    assert suspected(sight, FOREIGN) == [False] * 4
    sight.confidences[2] = 0
    assert suspected(sight, FOREIGN) == [False, False, False, True]


@pytest.mark.parametrize(("number", "doubted"), [(1, True), (3, True), (11, True), (13, False)])
def test_a_narrow_tile_is_asked_about_unless_its_number_is_plainly_whole(
    number: int, *, doubted: bool
) -> None:
    """A thumb leaves a 1 or a 3 of a 13, or an 11, but never more than is there."""
    sight = seen([1.0] * 4)
    sight.numbers[1] = np.eye(NUMBERS, dtype=np.float32)[number - 1]
    sight.quads_img[1, :2, 0] = sight.quads_img[1, [3, 2], 0] = (30, 42)
    assert suspected(sight, NARROWER) == [False, doubted, False, False]
