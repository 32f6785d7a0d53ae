"""Ink colours settled by the whole picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.colours import LEAST_TILES, agree, ink_of

RED, BLUE, ORANGE, BLACK = np.eye(4, dtype=np.float32)
INKS = np.log(
    np.array([(0.8, 0.2, 0.2), (0.1, 0.4, 0.7), (0.9, 0.5, 0.2), (0.1, 0.1, 0.1)], np.float32)
)


def picture(counts: tuple[int, int, int, int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Sure readings and their inks, a little scattered."""
    colours = np.repeat(np.arange(4), counts)
    scatter = np.random.default_rng(seed).normal(0, 0.05, (len(colours), 3))
    probabilities = np.full((len(colours), 4), 0.01, np.float32)
    probabilities[np.arange(len(colours)), colours] = 0.97
    return probabilities, (INKS[colours] + scatter).astype(np.float32)


def test_sure_readings_stay() -> None:
    probabilities, inks = picture((4, 4, 4, 4))
    assert np.array_equal(agree(probabilities, inks).argmax(1), probabilities.argmax(1))


def test_a_tie_goes_to_the_heap_it_lies_in() -> None:
    probabilities, inks = picture((4, 3, 4, 2))
    probabilities[0] = (0.5, 0.0, 0.5, 0.0)
    assert agree(probabilities, inks)[0, 0] > 0.8


def test_the_only_tile_of_its_colour_keeps_it() -> None:
    probabilities, inks = picture((5, 4, 1, 4))
    assert agree(probabilities, inks)[9].argmax() == ORANGE.argmax()


def test_few_tiles_are_left_alone() -> None:
    probabilities, inks = picture((1, 1, 1, LEAST_TILES - 4))
    assert agree(probabilities, inks) is probabilities


@pytest.mark.parametrize("ink", [(0.8, 0.2, 0.2), (0.1, 0.4, 0.7)])
def test_ink_is_told_from_the_face(ink: tuple[float, float, float]) -> None:
    crop = np.full((1, 3, 96, 64), 0.82, np.float32)
    crop[0, :, 20:50, 25:40] = np.array(ink, np.float32)[:, None, None]
    assert ink_of(crop)[0] == pytest.approx(np.log(np.array(ink) / 0.82), abs=0.02)
