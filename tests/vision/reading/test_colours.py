"""Ink colours settled by the whole picture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.vision.reading.sample import legal_table, reader
from vision.network import load_network
from vision.reading.colours import CLUES, TINT, clues, ink_of, is_grey

if TYPE_CHECKING:
    from vision.types import Readings


def faces(readings: Readings) -> dict[tuple[int, int], str]:
    """Return what is read, by where it lies."""
    centres = readings.quads_img.mean(1).round(-1).astype(int)
    return {(x, y): str(r.tile) for (x, y), r in zip(centres, readings.readings, strict=True)}


@pytest.mark.parametrize("ink", [(0.8, 0.2, 0.2), (0.1, 0.4, 0.7)])
def test_ink_is_told_from_the_face(ink: tuple[float, float, float]) -> None:
    crop = np.full((1, 3, 96, 64), 0.82, np.float32)
    crop[0, :, 20:50, 25:40] = np.array(ink, np.float32)[:, None, None]
    assert ink_of(crop)[0] == pytest.approx(np.log(np.array(ink) / 0.82), abs=0.02)


def test_bold_ink_that_fills_where_numbers_stand_is_not_taken_for_the_face() -> None:
    ink = np.array((0.1, 0.4, 0.7), np.float32)
    crop = np.full((1, 3, 96, 64), 0.82, np.float32)
    crop[0, :, 12:56, 12:52] = ink[:, None, None]
    assert ink_of(crop)[0] == pytest.approx(np.log(ink / 0.82), abs=0.02)


def test_clues_are_what_the_palette_wants() -> None:
    crops = np.random.default_rng(1).uniform(0, 1, (3, 3, 96, 64)).astype(np.float32)
    quad = np.array([(0, 0), (20, 0), (20, 30), (0, 30)], np.float32)
    quads = quad * np.array([1, 2, 4], np.float32)[:, None, None]
    told = clues(crops, np.zeros((3, TINT), np.float32), np.array([0.5, 0.0, 1.0]), quads)
    assert told.shape == (3, CLUES)
    assert np.isfinite(told).all()
    assert told[:, -1] == pytest.approx(np.log([0.5, 1, 2]))
    assert load_network("palette").settings["input"]["size"] == [CLUES]


def test_what_is_plain_alone_stays_among_others() -> None:
    pixels, found = legal_table()
    alone = replace(reader(), palette=None)
    assert faces(reader().read(pixels, found)) == faces(alone.read(pixels, found))


def test_a_grey_picture_has_no_sure_colours() -> None:
    pixels, found = legal_table()
    grey = cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    readings = reader().read(np.asarray(grey, np.uint8), found).readings
    numbered = [reading for reading in readings if reading.tile.number is not None]
    assert len(numbered) >= 10
    assert all(reading.unsure for reading in numbered)


@pytest.mark.parametrize("light", [0.1, 0.4, 1.0])
def test_a_little_colour_is_enough_for_inks(light: float) -> None:
    pixels, _ = legal_table()
    lit = (pixels * light).astype(np.uint8)
    assert not is_grey(lit)
    assert is_grey(np.repeat(lit.min(2)[..., None], 3, 2))
    tinted = (np.repeat(lit.min(2)[..., None], 3, 2) * np.array([0.8, 0.9, 1.0])).astype(np.uint8)
    assert not is_grey(tinted)
