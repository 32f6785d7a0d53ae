"""What sets are printed in, on and where: inks that are none of the usual four, wood, places."""

from __future__ import annotations

import colorsys
from itertools import permutations

import numpy as np
import pytest

from vision.rendering.editions import Edition, Ink, all_editions
from vision.rendering.faces import draw_face
from vision.rendering.variety import LEARNT, Stock, in_the_middle, inks_apart, vary, wooden

EDITIONS = all_editions()
USUAL = {"red": 0.0, "blue": 0.6, "orange": 0.1}  # hues, in turns


def others(count: int) -> list[Ink]:
    rng = np.random.default_rng(2)
    return [inks_apart(EDITIONS[0].ink, rng, 1.0, any_ink=True) for _ in range(count)]


def is_other(ink: Ink) -> bool:
    """Tell whether an ink is none that is usually called so."""
    hue, saturation, value = np.array(
        [colorsys.rgb_to_hsv(*(v / 255 for v in rgb)) for _, rgb in ink]
    ).T
    named = dict(zip(Ink.model_fields, hue, strict=True))
    coloured_black = saturation[3] > 0.4 and value[3] > 0.19
    return bool(coloured_black or not 0.43 < named["blue"] < 0.71 or named["orange"] > 0.17)


def test_one_ink_is_green_violet_or_brown() -> None:
    assert all(map(is_other, others(60)))
    rng = np.random.default_rng(2)
    usual = [inks_apart(EDITIONS[0].ink, rng, 0.0, any_ink=True) for _ in range(60)]
    assert not any(map(is_other, usual))


def test_it_is_named_as_what_is_left() -> None:
    """No other way to name the three inks that have hues lies nearer to how they are usually."""

    def away(hues: dict[str, float], names: tuple[str, ...]) -> float:
        turns = [
            abs(hues[name] - usual) for name, usual in zip(names, USUAL.values(), strict=True)
        ]
        return sum(min(turn, 1 - turn) for turn in turns)

    for ink in others(60):
        hues = {name: colorsys.rgb_to_hsv(*(v / 255 for v in rgb))[0] for name, rgb in ink}
        best = min(permutations(USUAL), key=lambda names: away(hues, names))
        assert best == tuple(USUAL)


def test_only_sets_for_training_have_such() -> None:
    rng = np.random.default_rng(5)
    learnt = [vary(edition, EDITIONS, rng, LEARNT) for edition in EDITIONS * 60]
    assert 0.02 < np.mean([is_other(each.ink) for each in learnt]) < 0.25
    assert {each.digit.ground for each in learnt} == {"none", "disc", "square"}
    made_up = [vary(edition, EDITIONS, rng, Stock()) for edition in EDITIONS * 20]
    assert {each.digit.ground for each in made_up} == {"none"}


@pytest.mark.parametrize("ground", ["disc", "square"])
@pytest.mark.parametrize("name", ["R1", "B8", "K13"])
def test_a_number_is_left_out_of_ink(ground: str, name: str) -> None:
    def darkness(edition: Edition) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
        face = draw_face(edition, name, np.random.default_rng(1)).albedo_bgr
        return np.asarray(np.abs(face - face[2, 2]).max(2), np.float32)

    edition = EDITIONS[0].model_copy(
        update={"digit": EDITIONS[0].digit.model_copy(update={"wobble": 0.0, "wear": 0.0})}
    )
    digit = edition.digit.model_copy(update={"ground": ground})
    printed, left_out = (
        darkness(each) > 0.2 for each in (edition, edition.model_copy(update={"digit": digit}))
    )
    assert not (printed & left_out).mean() > 0.01
    rows, columns = np.nonzero(left_out)
    inked = np.argwhere(printed)
    inside = (inked >= [rows.min(), columns.min()]) & (inked <= [rows.max(), columns.max()])
    assert inside.all()
    assert left_out.sum() > 1.2 * printed.sum()


def test_wood_shows_its_grain_and_all_inks() -> None:
    rng = np.random.default_rng(3)
    for edition in EDITIONS:
        made = wooden(edition, rng)
        albedo = draw_face(made, "", rng).albedo_bgr
        assert 0.01 < (albedo / albedo.mean((0, 1))).std() < 0.16
        body = np.array(made.body.colour, np.float32)
        assert min(np.linalg.norm(body - ink) for _, ink in made.ink) > 20
    kinds = (LEARNT, Stock())
    wood = [[vary(e, EDITIONS, rng, kind).body.grain > 0 for e in EDITIONS * 40] for kind in kinds]
    assert 0.05 < np.mean(wood[0]) < 0.2
    assert not any(wood[1])


@pytest.mark.parametrize("name", ["R8", "K13", "J"])
def test_all_that_is_printed_is_in_the_middle(name: str) -> None:
    def places(edition: Edition) -> float:
        face = draw_face(edition, name, np.random.default_rng(1)).albedo_bgr
        rows, _ = np.nonzero(np.abs(face - face[2, 2]).max(2) > 0.2)
        return float((rows.min() + rows.max()) / 2 / len(face))

    rng = np.random.default_rng(4)
    for edition in EDITIONS:
        assert places(in_the_middle(edition, rng)) == pytest.approx(0.5, abs=0.08)
    assert min(map(places, EDITIONS)) < 0.4
