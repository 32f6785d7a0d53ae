"""Inks told by the heaps that they fall into."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.doubts import LEAST_ALTERNATIVE
from vision.faces import COLOURS, TRACE, log_softmax
from vision.reading.heaps import CONFIDENT, tell_apart

# Log reflectances of a magenta red, a teal blue, a vermilion orange and a black.
INKS = {
    "R": (-0.3, -2.0, -1.6),
    "B": (-3.0, -1.2, -0.6),
    "O": (-0.3, -1.2, -1.6),
    "K": (-2.0, -2.0, -2.0),
}


def _lying(names: str, off: float, seed: int = 1) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, off, (len(names), 3))
    return np.array([INKS[name] for name in names] + noise, np.float32)


def _logs(*chances: dict[str, float]) -> np.ndarray:
    found = np.array([[each.get(name, 1e-4) for name in COLOURS] for each in chances])
    return log_softmax(np.log(found)).astype(np.float32)


def _named(logs: np.ndarray) -> str:
    return "".join(COLOURS[k] for k in logs.argmax(1))


def test_a_tile_is_of_the_heap_that_it_lies_in() -> None:
    red, orange = {"R": 0.8, "O": 0.2}, {"O": 0.8, "R": 0.2}
    logs = _logs(red, red, orange, red, orange, orange, red, orange)
    told = tell_apart(logs, _lying("RRRROOOO", 0.05))
    assert _named(told) == "RRRROOOO"
    assert np.exp(told.max(1)).min() > 0.95


def test_what_the_palette_leaves_open_leaves_a_trace() -> None:
    red, orange = {"R": 0.995, "O": 0.004}, {"O": 1.0}
    told = tell_apart(_logs(*[red] * 8, *[orange] * 8), _lying("R" * 8 + "O" * 8, 0.02))
    assert np.exp(told[:8, COLOURS.index("O")]) == pytest.approx(TRACE, rel=0.01)
    assert np.exp(told).sum(1) == pytest.approx(1)
    assert TRACE >= LEAST_ALTERNATIVE


def test_a_whole_heap_called_by_the_name_of_another_is_told_from_it() -> None:
    logs = _logs(*[{"R": 1.0}] * 5, *[{"R": 0.75, "O": 0.25}] * 12, *[{"K": 1.0}] * 4)
    assert _named(tell_apart(logs, _lying("RRRRROOOOOOOOOOOOKKKK", 0.03))) == (
        "RRRRROOOOOOOOOOOOKKKK"
    )


def test_what_is_printed_beside_the_tiles_takes_no_name_from_them() -> None:
    orange = [{"O": 0.9, "R": 0.1}] * 16
    logs = _logs({"R": 1.0}, *orange, *[{"O": 1.0}] * 12, *[{"K": 1.0}] * 8)
    ink = _lying("R" + "O" * 16 + "O" * 12 + "K" * 8, 0.02)
    ink[17:29] = np.array((-0.6, -0.1, -2.0)) + 0.1 * ink[17:29]
    assert _named(tell_apart(logs, ink)) == "R" + "O" * 28 + "K" * 8


@pytest.mark.parametrize(
    ("chance", "named"), [(0.12, "RRRRROOOOOOKKKK"), (0.012, "RRRRRRRRRRRKKKK")]
)
def test_two_heaps_of_one_name_are_not_both_surely_that_ink(chance: float, named: str) -> None:
    """The palette tells which of them is another, or it is asked."""
    red = [{"R": 1.0, "O": 0.01}] * 5
    logs = _logs(*red, *[{"R": 1 - chance, "O": chance}] * 6, *[{"K": 1.0}] * 4)
    told = tell_apart(logs, _lying("RRRRROOOOOOKKKK", 0.03))
    assert _named(told) == named
    assert np.exp(told.max(1))[:11].max() < CONFIDENT
    assert np.exp(told.max(1))[11:].min() > CONFIDENT


def test_an_ink_that_may_be_another_which_no_tile_bears_is_in_doubt_on_all_its_tiles() -> None:
    dark, red = {"K": 0.97, "B": 0.03}, {"R": 1.0}
    lying = _lying("KKKKRRRR", 0.02)
    alone = tell_apart(_logs(*[dark] * 4, *[red] * 4), lying)
    assert _named(alone) == "KKKKRRRR"
    assert np.exp(alone[:4].max(1)).max() < 0.9
    assert np.exp(alone[4:].max(1)).min() > 0.99
    beside_blue = tell_apart(
        _logs(*[dark] * 4, *[red] * 4, *[{"B": 1.0}] * 2), np.r_[lying, _lying("BB", 0.02)]
    )
    assert np.exp(beside_blue[:4].max(1)).min() > 0.95
    surely = tell_apart(_logs(*[{"K": 0.995, "B": 0.005}] * 4, *[red] * 4), lying)
    assert np.exp(surely[:4].max(1)).min() > 0.99
    one = tell_apart(_logs(dark, *[red] * 4), _lying("KRRRR", 0.02))
    assert np.exp(one[0].max()) > 0.95


# A crimson and an orange that is nearly red, under a cold lamp.
CRIMSON, VERMILION = (-0.22, -0.63, -0.60), (-0.20, -0.63, -0.75)


@pytest.mark.parametrize(
    ("ink", "trace", "jokers", "doubted"),
    [
        (VERMILION, 2e-3, 0, True),
        (VERMILION, 2e-3, 2, True),  # jokers in colours that pass for orange
        (VERMILION, 2e-3, 5, True),  # oranges of another set
        (VERMILION, 1e-4, 0, False),  # the palette is certain
        (CRIMSON, 2e-3, 0, False),  # all are alike
    ],
)
def test_half_of_an_ink_that_is_not_like_the_rest_of_it_is_in_doubt(
    ink: tuple[float, float, float], trace: float, jokers: int, doubted: bool
) -> None:
    """Reds and oranges of a table that lie side by side, all of them surely red by themselves."""
    red, other, joker = {"R": 1.0}, {"R": 1.0, "O": trace}, {"O": 1.0}
    logs = _logs(*[red] * 8, *[other] * 9, *[joker] * jokers, *[{"K": 1.0}] * 6)
    lying = np.array([CRIMSON] * 8 + [ink] * 9 + [(-0.1, -0.4, -1.4)] * jokers + [INKS["K"]] * 6)
    noise = np.random.default_rng(2).normal(0, 0.008, lying.shape)
    told = np.exp(tell_apart(logs, (lying + noise).astype(np.float32)).max(1))
    assert told[:8].min() > CONFIDENT
    assert bool(told[8:17].max() < CONFIDENT) is doubted
    assert told[17:].min() > CONFIDENT


@pytest.mark.parametrize(
    ("far", "doubted"),
    [
        ((-0.16, -0.92, -0.82), False),  # the blank face shines through
        ((-0.17, -0.67, -0.95), True),  # no face does that
    ],
)
def test_reds_that_are_out_of_focus_are_no_other_ink(
    far: tuple[float, float, float], doubted: bool
) -> None:
    """Eight sharp tiles of a rack, and five far behind it that are paler."""
    near = (-0.14, -1.83, -1.43)
    logs = _logs(*[{"R": 1.0}] * 8, *[{"R": 1.0, "O": 2e-3}] * 5, *[{"K": 1.0}] * 6)
    noise = np.random.default_rng(2).normal(0, 0.008, (19, 3))
    told = tell_apart(
        logs, (np.array([near] * 8 + [far] * 5 + [INKS["K"]] * 6) + noise).astype(np.float32)
    )
    assert _named(told) == "R" * 13 + "K" * 6
    assert bool(np.exp(told[8:13].max(1)).max() < CONFIDENT) is doubted


@pytest.mark.parametrize(("ink", "left"), [(VERMILION, True), (CRIMSON, False)])
def test_where_an_ink_falls_in_halves_less_of_what_it_may_be_is_left(
    ink: tuple[float, float, float], left: bool
) -> None:
    """Its tiles may be the oranges of another set: none is asked about, none is accused."""
    logs = _logs(*[{"R": 1.0}] * 8, *[{"R": 1.0, "O": 5e-5}] * 9, *[{"K": 1.0}] * 6)
    lying = np.array([CRIMSON] * 8 + [ink] * 9 + [INKS["K"]] * 6)
    noise = np.random.default_rng(2).normal(0, 0.008, lying.shape)
    told = np.exp(tell_apart(logs, (lying + noise).astype(np.float32)))
    assert told.max(1).min() > 0.99
    alternatives = told[8:17, COLOURS.index("O")] >= LEAST_ALTERNATIVE
    assert alternatives.all() == alternatives.any() == left


@pytest.mark.parametrize(
    ("lone", "trace", "doubted"),
    [
        ((0.02, -1.42, -0.76), 0.015, True),
        ((0.02, -1.42, -0.76), 2e-3, False),
        (CRIMSON, 0.015, False),
    ],
)
def test_in_a_hand_one_tile_may_be_all_that_is_left_of_an_ink(
    lone: tuple[float, float, float], trace: float, doubted: bool
) -> None:
    """Five oranges that are nearly red beside one red are not surely red because of it."""
    logs = _logs(*[{"R": 1.0, "O": trace}] * 5, {"R": 1.0}, *[{"K": 1.0}] * 4)
    lying = np.array([VERMILION] * 5 + [lone] + [INKS["K"]] * 4)
    noise = np.random.default_rng(2).normal(0, 0.008, lying.shape)
    told = np.exp(tell_apart(logs, (lying + noise).astype(np.float32)).max(1))
    assert bool(told[:5].max() < CONFIDENT) is doubted
    assert told[5:].min() > CONFIDENT


def test_early_in_a_game_two_tiles_are_a_heap() -> None:
    red, orange = {"R": 1.0, "O": 0.01}, {"R": 0.88, "O": 0.12}
    logs = _logs(*[red] * 6, *[orange] * 2, *[{"K": 1.0}] * 4)
    told = tell_apart(logs, _lying("RRRRRROOKKKK", 0.02))
    assert _named(told) == "RRRRRROOKKKK"
    assert np.exp(told.max(1))[6:8].max() < CONFIDENT


@pytest.mark.parametrize("lying", ["RRRRRRRRRRRKKKK", "RRRRRRRRRROKKKK"])
def test_what_is_no_second_heap_takes_no_other_name(lying: str) -> None:
    logs = _logs(*[{"R": 0.985, "O": 0.015}] * 11, *[{"K": 1.0}] * 4)
    told = tell_apart(logs, _lying(lying, 0.03))
    assert _named(told) == "RRRRRRRRRRRKKKK"
    assert np.exp(told.max(1)).min() > CONFIDENT


def test_the_order_of_the_tiles_does_not_matter() -> None:
    names = "RROKRBOBOROOKRRO"
    rng = np.random.default_rng(3)
    logs = rng.normal(0, 1, (len(names), 4)).astype(np.float32)
    logs[np.arange(len(names)), [COLOURS.index(name) for name in names]] += 1.5
    ink, order = _lying(names, 0.1), rng.permutation(len(names))
    told = tell_apart(log_softmax(logs), ink)
    assert _named(told) == names
    assert tell_apart(log_softmax(logs)[order], ink[order]) == pytest.approx(told[order], abs=1e-3)


def test_a_tile_that_lies_between_heaps_stays_in_doubt() -> None:
    logs = _logs(*[{"R": 1.0}] * 5, *[{"O": 1.0}] * 5, {"R": 0.85, "O": 0.15})
    ink = _lying("RRRRROOOOOO", 0.03)
    ink[-1] = 0.7 * ink[-1] + 0.3 * ink[0]
    assert np.exp(tell_apart(logs, ink)[-1].max()) < 0.95


@pytest.mark.parametrize(
    "ink", [_lying("RRRROOOO", 0.8), 0.1 * _lying("RRRROOOO", 0.05), _lying("RRRRRRRR", 0.05)]
)
def test_nothing_changes_where_heaps_run_into_one_another_are_pale_or_one(ink: np.ndarray) -> None:
    logs = _logs(*[{"R": 0.8, "O": 0.2}, {"O": 0.6, "R": 0.4}] * 4)
    assert tell_apart(logs, ink) == pytest.approx(logs, abs=0.25)


many = st.integers(1, 20).flatmap(
    lambda count: st.tuples(
        arrays(np.float32, (count, 4), elements=st.floats(-12, 0, width=32)),
        arrays(np.float32, (count, 3), elements=st.floats(-4, 1, width=32)),
    )
)


@given(many)
def test_what_is_sure_is_doubted_at_most(given: tuple[np.ndarray, np.ndarray]) -> None:
    logs, ink = log_softmax(given[0]), given[1]
    told = np.exp(tell_apart(logs, ink))
    assert told.sum(1) == pytest.approx(np.ones(len(told)), abs=1e-3)
    sure = np.exp(logs.max(1)) > CONFIDENT
    elsewhere = told.argmax(1) != logs.argmax(1)
    assert (told.max(1)[sure & elsewhere] < 0.6).all()
