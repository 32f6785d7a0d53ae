"""How tiles are looked at: numbers in doubt from nearer, too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops import balance, printed_boxes
from vision.faces import JOKER, NOT_UPRIGHT
from vision.outlines import NEAREST, NUMBER_AT, USUAL_HEIGHT, nearer, times_nearer
from vision.quads import inside, rectangle
from vision.reading.examine import CLEAR, NEAR, Examiner
from vision.reading.sight import Look
from vision.teaching.correction import Correction

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
    crops = balance(np.stack([printed(0.3)] * len(both)))
    return Look(crops, both, empty, both.argmax(1)[:, None].astype(np.float32), empty)


NOTHING = logits_of(NOT_UPRIGHT, 1 - 1e-5, 0)
PLAIN, WAVERING = logits_of(2, CLEAR + 0.015, 7), logits_of(12, CLEAR - 0.1, 10)
BLANK, JESTER = logits_of(NOT_UPRIGHT, 0.8, 3), logits_of(JOKER, CLEAR - 0.1, 3)
CLOSER = logits_of(12, 0.9999, 10)


class Closer:
    """Stands in for what an examiner sees, and keeps the quads that it is asked to look at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[Floats] = []
        monkeypatch.setattr(Examiner, "_number_temperature", 1.0)
        monkeypatch.setattr(Examiner, "_cut", lambda _, _pixels, quads: self._cut(quads))
        monkeypatch.setattr(Examiner, "_logits", lambda _, image: self._answers(len(image)))

    def _cut(self, quads: Floats) -> Floats:
        self.asked.append(quads)
        return np.zeros((len(quads), 3, 96, 64), np.float32)

    @staticmethod
    def _answers(count: int) -> tuple[Floats, ...]:
        empty, five = np.zeros((count, 0), np.float32), np.full((count, 1), 5, np.float32)
        return np.tile(CLOSER, (count, 1)), empty, five, empty


def quads_in_a_row(count: int) -> Floats:
    return np.stack([TILE + np.array((60 * i, 0), np.float32) for i in range(count)])


PIXELS = np.zeros((80, 300, 3), np.uint8)


def test_only_numbers_in_doubt_are_looked_at_from_nearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jokers fill their tiles, and where there is nothing to read it may stay so."""
    closer, examiner, quads = Closer(monkeypatch), Examiner.load(), quads_in_a_row(4)
    clear = look_of((PLAIN, NOTHING), (BLANK, BLANK), (JESTER, NOTHING), (NOTHING, PLAIN))
    assert examiner.look_closer(PIXELS, quads, clear) is clear
    assert closer.asked == []

    look = look_of((PLAIN, NOTHING), (BLANK, BLANK), (JESTER, NOTHING), (NOTHING, WAVERING))
    seen = examiner.look_closer(PIXELS, quads, look)
    upright = np.roll(quads[3], 2, 0)
    assert np.array(closer.asked) == pytest.approx(nearer(upright[None], NEAR)[None])
    assert seen.numbers[7] == pytest.approx((WAVERING + CLOSER) / 2)
    assert seen.seen[7, 0] == (12 + 5) / 2
    assert seen.numbers[:7] == pytest.approx(look.numbers[:7])
    assert look.numbers[7] == pytest.approx(WAVERING)
    assert examiner.weigh(seen)[0][3, 12] > CLEAR > examiner.weigh(look)[0][3, 12]


def printed(height: float, width: float = 0.2) -> Pixels:
    """A tile's crop, (96, 64, 3), with a bar of that height and width about a number's place."""
    crop = np.full((96, 64, 3), 225, np.uint8)
    middle = np.array([0.5, NUMBER_AT[1] * 0.88 + 0.06]) * (64, 96)
    reach = np.array([width * 0.88 * 64, height * 0.88 * 96]) / 2
    (left, top), (right, bottom) = np.rint(middle - reach), np.rint(middle + reach)
    crop[int(top) : int(bottom), int(left) : int(right)] = (40, 30, 190)
    return crop


@pytest.mark.parametrize(("height", "width"), [(0.15, 0.1), (0.3, 0.3), (0.5, 0.5)])
def test_where_a_number_is_printed(height: float, width: float) -> None:
    shades = np.linspace(0.8, 1, 64)[:, None]  # a lamp from the right
    crop = (printed(height, width) * shades).astype(np.uint8)
    box = printed_boxes(balance(crop[None]), 0.06)[0]
    x, y = NUMBER_AT
    wanted = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    assert box == pytest.approx(wanted, abs=0.07)


def test_a_blank_face_has_no_small_number() -> None:
    blank = balance(np.full((1, 96, 64, 3), 200, np.uint8))
    assert times_nearer(printed_boxes(blank, 0.06))[0] < 1


@given(st.floats(0.1, 0.9), st.floats(0.05, 0.9), st.floats(0.02, 0.5), st.floats(0.02, 0.5))
def test_no_number_leaves_what_is_seen_from_nearer(
    x: float, y: float, width: float, height: float
) -> None:
    box = np.array([(x - width / 2, y - height / 2, x + width / 2, y + height / 2)], np.float32)
    times = times_nearer(box)[0]
    assert times <= NEAREST
    if times >= 1:
        centre = np.array(NUMBER_AT * 2)
        seen = centre + (box[0] - centre) * times
        assert seen.min() > 0
        assert seen.max() < 1
        assert times * height <= USUAL_HEIGHT + 1e-3


def test_small_numbers_are_looked_at_until_they_are_of_a_usual_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However surely they read; on tiles of few pixels there is no more to be seen."""
    closer, examiner = Closer(monkeypatch), Examiner.load()
    crops = balance(np.stack([printed(0.3), printed(0.15), printed(0.15)] * 2))
    look = look_of(*[(PLAIN, NOTHING)] * 3)._replace(crops=crops)
    quads = quads_in_a_row(3)
    quads[2] = quads[2, 0] + (quads[2] - quads[2, 0]) * np.float32(0.5)
    seen = examiner.look_closer(PIXELS, quads, look)
    from_near, from_nearer = sorted(closer.asked, key=lambda asked: -np.ptp(asked[0, :, 0]))
    assert from_near == pytest.approx(nearer(quads[1:2], NEAR))
    assert np.ptp(from_nearer[0, :, 0]) == pytest.approx(40 / 2, abs=3)
    assert seen.numbers[1] == pytest.approx(CLOSER)
    assert seen.numbers[[0, 2]] == pytest.approx(look.numbers[[0, 2]])


def test_a_taught_set_is_known_at_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    closer = Closer(monkeypatch)
    nothing = Correction(np.zeros((15, 2), np.float32), np.zeros((4, 1), np.float32))
    examiner, look = Examiner.load(), look_of((WAVERING, NOTHING))
    taught = replace(examiner, correction=nothing)
    assert taught.look_closer(PIXELS, TILE[None], look) is look
    assert closer.asked == []
    assert examiner.look_closer(PIXELS, TILE[None], look) is not look


def on_a_rack() -> Floats:
    """Four tiles of which the upper half is to be seen above four whole ones, (8, 4, 2)."""
    tiers = ((100, 34), (134, 60))
    return np.array(
        [
            rectangle(100 + 42 * i, top, 140 + 42 * i, top + tall)
            for top, tall in tiers
            for i in range(4)
        ]
    )


def test_tiles_behind_others_are_looked_at_as_if_they_had_a_foot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A 9 so low is a 6 upside down, surely; what is clear otherwise stays as it is."""
    closer, examiner, quads = Closer(monkeypatch), Examiner.load(), on_a_rack()
    upside_down = (logits_of(8, 0.001, NOT_UPRIGHT), logits_of(5, 0.999, 8))
    tiles = [(PLAIN, NOTHING), upside_down, (NOTHING, WAVERING), (BLANK, BLANK)]
    look = look_of(*tiles, *[(WAVERING, NOTHING)] * 4)
    seen = examiner.look_whole(PIXELS, quads, look)
    (asked,) = closer.asked
    assert asked == pytest.approx(
        np.array([rectangle(100 + 42 * i, 100, 140 + 42 * i, 160) for i in (1, 2, 3)]), abs=0.1
    )
    assert seen.numbers[1:4] == pytest.approx(np.tile(CLOSER, (3, 1)))
    assert seen.seen[1:4, 0].tolist() == [5] * 3
    numbers, turned = examiner.weigh(seen)
    assert (numbers[1:4, 12] > CLEAR).all()
    assert not turned[1:4].any()
    for rows in (slice(0, 1), slice(4, 9), slice(12, 16)):
        assert np.array_equal(seen.numbers[rows], look.numbers[rows])
    assert np.array_equal(look.numbers[1], tiles[1][0])


def test_where_no_tile_hides_another_none_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closer, examiner = Closer(monkeypatch), Examiner.load()
    look = look_of(*[(WAVERING, NOTHING)] * 4)
    assert examiner.look_whole(PIXELS, on_a_rack()[4:], look) is look
    assert closer.asked == []
