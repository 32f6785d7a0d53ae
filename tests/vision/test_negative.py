"""Dark tiles with light numbers, which are read in the picture's negative."""

from __future__ import annotations

import colorsys
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import load_ruleset
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.loading import load_table_reader
from vision.negative import light_or_dark, negative
from vision.pictures import load_picture
from vision.resources import resource_dir
from vision.watching.looker import Looker

if TYPE_CHECKING:
    from vision.types import Pixels

STANDARD = load_ruleset("standard")
CHANNEL = st.integers(0, 255)


@given(st.tuples(CHANNEL, CHANNEL, CHANNEL))
def test_a_negative_is_another_lightness_of_the_same_colour(colour: tuple[int, int, int]) -> None:
    turned = negative(np.array([[colour]], np.uint8))
    before, after = (
        colorsys.rgb_to_hls(*(channel / 255 for channel in np.ravel(pixel)[::-1].tolist()))
        for pixel in (colour, turned)
    )
    assert after[1] == pytest.approx(1 - before[1])
    assert after[0] == pytest.approx(before[0])
    assert after[2] == pytest.approx(before[2])
    assert negative(turned).ravel().tolist() == list(colour)


def test_a_set_of_dark_tiles_is_read() -> None:
    reader = load_table_reader()
    given = next(tables(suite_named("dark-tiles"), "dark-tiles", 1))
    reading = reader.read(given.pixels, STANDARD)
    seen = sorted(str(one.tile) for one in reading.readings.readings if not one.unsure)
    laid = sorted(tile.text for tile in given.photo.tiles)
    assert len(seen) > 0.9 * len(laid)
    assert len(set(seen) - set(laid)) == 0
    assert reading.timings.network > 0


def test_a_live_table_of_dark_tiles_is_read_every_time() -> None:
    """And a set of light tiles after it."""
    looker = Looker(load_table_reader(), fast_s=9.0)
    given = next(tables(suite_named("dark-tiles"), "dark-tiles", 1))
    light = load_picture(resource_dir("samples") / "legal-table.jpg")
    found = [
        looker.read(pixels, before, two_dimensional=False).readings.readings
        for pixels, before in ((given.pixels, 0), (given.pixels, 1), (light, 0), (light, 1))
    ]
    sure = [sum(not one.unsure for one in readings) for readings in found]
    assert min(sure[:2]) > 36
    assert min(sure[2:]) == 23


@pytest.mark.parametrize(("doubtful", "is_turned"), [(5, False), (13, True)])
def test_dark_tiles_that_are_found_but_half_read_are_read_in_the_negative(
    doubtful: int, is_turned: bool
) -> None:
    light = load_picture(resource_dir("samples") / "legal-table.jpg")
    dark, reader = negative(light), load_table_reader()
    whole = reader.see(light, two_dimensional=False)
    assert len(whole.readings) == 23
    doubt = {i: replace(whole.readings.readings[i], doubt="Is it?") for i in range(doubtful)}
    half = whole._replace(pixels=dark, readings=whole.readings.but(doubt))
    seen = light_or_dark(
        lambda pixels: half if np.array_equal(pixels, dark) else whole, dark, dark=False
    )
    assert (seen is not half) == is_turned
    assert sum(one.unsure for one in seen.readings.readings) == (0 if is_turned else doubtful)


def remote_control(pixels: Pixels) -> None:
    """Lay a black one with twelve light signs on a table."""
    cv2.rectangle(pixels, (200, 100), (440, 560), (25, 25, 25), -1)
    for i, sign in enumerate("123456789*0#"):
        x, y = 220 + 72 * (i % 3), 130 + 100 * (i // 3)
        cv2.rectangle(pixels, (x, y), (x + 50, y + 70), (55, 55, 55), -1)
        cv2.putText(
            pixels,
            sign,
            (x + 12, y + 48),
            cv2.FONT_HERSHEY_DUPLEX,
            1.2,
            (230,) * 3,
            2,
            cv2.LINE_AA,
        )


@pytest.mark.parametrize("remote", [True, False])
def test_a_table_without_dark_tiles_has_none(remote: bool) -> None:
    bare = np.full((720, 960, 3), (70, 100, 130), np.uint8)
    if remote:
        remote_control(bare)
    reading = load_table_reader().read(bare, STANDARD)
    assert len(reading.readings) == 0
