"""Numbers of a picture weighed together: by what looks alike, never by what would be legal."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.vision.reading.sample import legal_table, reader
from vision.doubts import LEAST_ALTERNATIVE
from vision.network import Network, load_network
from vision.reading.typeface import NUMBERS, POSSIBLE, SHAPES, settled, shapes
from vision.reading.verify import SEEN

DOUBTFUL = 0.85


@lru_cache(maxsize=1)
def typeface() -> Network:
    return load_network("typeface")


@lru_cache(maxsize=1)
def sample() -> tuple[np.ndarray, np.ndarray]:
    """What the reader sees of 23 tiles, and their number probabilities."""
    pixels, found = legal_table()
    _, look, numbers = reader().examiner.examine(pixels, found.quads_img)
    return look.seen, numbers


def wavering(numbers: np.ndarray, tile: int, rival: int, chance: float) -> np.ndarray:
    """Let one tile be what it is with that chance, else the rival, a column."""
    numbers = numbers.copy()
    own = int(numbers[tile, :NUMBERS].argmax())
    numbers[tile] = 1e-6
    numbers[tile, rival] = 1 - chance
    numbers[tile, own] = chance
    return numbers


def rivals() -> st.SearchStrategy[int]:
    return st.integers(0, NUMBERS - 1)


def test_shapes_are_what_the_typeface_wants() -> None:
    seen, numbers = sample()
    assert shapes(seen, numbers).shape == (len(seen), SHAPES)
    assert load_network("typeface").settings["input"]["size"] == [SHAPES]


@given(st.permutations(range(NUMBERS)), rivals(), st.floats(0.3, 0.97))
def test_it_knows_no_number_from_another(order: list[int], rival: int, chance: float) -> None:
    """Renumbered tiles get the same answers, renumbered: so it cannot know a run."""
    seen, numbers = sample()
    assume(rival != numbers[3, :NUMBERS].argmax())
    told = shapes(seen, wavering(numbers, 3, rival, chance))
    renumbered = told.copy()
    renumbered[:, SEEN:-1] = told[:, SEEN:-1][:, order]
    before, after = (typeface().run(each)[0] for each in (told, renumbered))
    before = before[:, order]
    rows = np.arange(len(told)) != 3  # where one number is as unlikely as another, order decides
    assert after.max(1)[rows] == pytest.approx(before.max(1)[rows], abs=1e-3)
    surest = renumbered[:, SEEN:-1].argsort(1)[:, -2:]
    assert np.take_along_axis(after, surest, 1)[3] == pytest.approx(
        np.take_along_axis(before, surest, 1)[3], abs=1e-3
    )


@given(rivals(), st.floats(0.02, 0.98))
def test_chances_stay_chances_and_jokers_what_they_were(rival: int, chance: float) -> None:
    seen, numbers = sample()
    numbers = wavering(numbers, 5, rival, chance)
    weighed = settled(typeface(), seen, numbers)
    assert weighed.sum(1) == pytest.approx(numbers.sum(1), abs=1e-4)
    assert (weighed[:, NUMBERS:] == numbers[:, NUMBERS:]).all()
    assert (weighed >= 0).all()


@pytest.mark.parametrize("tile", range(0, 23, 4))
def test_what_is_sure_stays_what_it_is(tile: int) -> None:
    """Even where it looks like what it is not read as: it may be asked about, not overturned."""
    seen, numbers = sample()
    for rival in set(range(NUMBERS)) - {int(numbers[tile, :NUMBERS].argmax())}:
        misread = wavering(numbers, tile, rival, 1 - 0.99)
        assert settled(typeface(), seen, misread)[tile].argmax() == rival


@given(rivals(), st.floats(1.01 * POSSIBLE, 0.05))
def test_what_a_tile_alone_has_for_possible_keeps_a_trace(rival: int, chance: float) -> None:
    seen, numbers = sample()
    own = int(numbers[3, :NUMBERS].argmax())
    assume(rival != own)
    weighed = settled(typeface(), seen, wavering(numbers, 3, rival, chance))
    assert weighed[3, own] > LEAST_ALTERNATIVE


def test_a_number_that_wavers_is_told_by_those_that_look_like_it() -> None:
    seen, numbers = sample()
    own = numbers[:, :NUMBERS].argmax(1)
    twins = [i for i, number in enumerate(own) if (own == number).sum() > 1]
    assert twins
    with_company, alone = [], []
    for tile in twins:
        rival = int(own[own != own[tile]][0])
        doubtful = wavering(numbers, tile, rival, DOUBTFUL)
        with_company.append(settled(typeface(), seen, doubtful)[tile, own[tile]])
        lone = settled(typeface(), seen[[tile]], doubtful[[tile]])
        alone.append(lone[0, own[tile]])
    assert np.mean(with_company) > DOUBTFUL + 0.02
    assert np.mean(alone) < DOUBTFUL
