"""Straightening and white balance."""

from __future__ import annotations

import numpy as np
import pytest

from vision.crops import WHITE, balance, ink_above, straighten

QUADRANTS = np.zeros((80, 60, 3), np.uint8)
QUADRANTS[:40, :30] = (255, 0, 0)
QUADRANTS[:40, 30:] = (0, 255, 0)
QUADRANTS[40:, 30:] = (0, 0, 255)
FULL = np.array([(0, 0), (60, 0), (60, 80), (0, 80)], np.float32)


@pytest.mark.parametrize("shrink", [1, 2, 4])
def test_straighten_keeps_every_corner_in_its_place(shrink: int) -> None:
    crop = straighten(QUADRANTS, FULL, (60 // shrink, 80 // shrink), 0.0)
    assert crop.shape == (80 // shrink, 60 // shrink, 3)
    assert crop[0, 0].argmax() == 0
    assert crop[0, -1].argmax() == 1
    assert crop[-1, -1].argmax() == 2
    assert crop[-1, 0].max() == 0


def test_straighten_turns_with_the_quad() -> None:
    upside_down = np.roll(FULL, 2, 0)
    turned = straighten(QUADRANTS, upside_down, (60, 80), 0.0)
    assert np.array_equal(turned, QUADRANTS[::-1, ::-1])


def test_what_lies_outside_the_picture_is_grey() -> None:
    crop = straighten(QUADRANTS, FULL + np.float32(1000), (20, 30), 0.0)
    assert (crop == 114).all()


@pytest.mark.parametrize("lamp", [(255, 255, 255), (120, 200, 250), (200, 120, 80), (40, 42, 50)])
def test_balance_makes_the_face_white_under_any_lamp(lamp: tuple[int, int, int]) -> None:
    tile = np.empty((1, 96, 64, 3), np.uint8)
    tile[:] = np.array(lamp, np.uint8)
    tile[:, 20:50, 25:40] = np.array(lamp, np.uint8) // 4  # black ink
    balanced = balance(tile)
    assert balanced.shape == (1, 3, 96, 64)
    assert balanced[0, :, 80, 32] == pytest.approx([WHITE] * 3, abs=0.01)
    assert balanced[0, :, 30, 32] == pytest.approx([WHITE / 4] * 3, abs=0.03)


@pytest.mark.parametrize("ink", [(20, 20, 20), (30, 40, 200), (20, 120, 230)])
def test_numbers_stand_in_the_upper_half(ink: tuple[int, int, int]) -> None:
    crop = np.full((96, 64, 3), (200, 220, 230), np.uint8)
    crop[20:50, 24:40] = ink
    balanced = balance(np.stack([crop, crop[::-1, ::-1]]))
    assert ink_above(balanced).tolist() == [True, False]
