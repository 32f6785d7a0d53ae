"""The grain of dark rooms, fine or in blotches, and what the detector sees through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.detect import Detector
from vision.evaluation.matching import match
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.grain import blur_for_grain, grain, softened
from vision.pictures import load_picture
from vision.resources import resource_dir

if TYPE_CHECKING:
    from vision.types import Pixels

FINE, BLOTCHY = 0.0, 1.0


def with_grain(pixels: Pixels, deviation: float, blotches_px: float) -> Pixels:
    """Add grain of so many grey levels, blurred into blotches as phones leave it."""
    noise = np.random.default_rng(4).standard_normal(pixels.shape)
    if blotches_px:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), blotches_px), np.float64)
        noise /= noise.std()
    return np.clip(pixels + deviation * noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("deviation", [2.0, 6.0, 15.0])
def test_grain_is_measured_as_a_part_of_the_span(deviation: float) -> None:
    ramp = np.linspace(20, 220, 300)
    plane = np.repeat(np.tile(ramp, (200, 1))[..., None], 3, 2).astype(np.uint8)
    grey = with_grain(plane, deviation, FINE)
    grey[:] = grey[..., :1]
    assert grain(grey) == pytest.approx(deviation / 200, rel=0.15)
    assert grain(plane) < 0.002


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (3, 3), (2, 40)])
def test_a_speck_of_a_picture_has_no_grain(size: tuple[int, int]) -> None:
    speck = np.random.default_rng(1).integers(0, 255, (*size, 3)).astype(np.uint8)
    assert blur_for_grain(speck) >= 0
    assert grain(speck[:1]) == 0


@pytest.mark.parametrize("name", ["legal-table.jpg", "whole-table.jpg", "invalid-table.jpg"])
def test_a_picture_in_good_light_stays_as_it_is(name: str) -> None:
    pixels = load_picture(resource_dir("samples") / name)
    assert blur_for_grain(pixels) == 0
    assert softened(pixels, 0.0) is pixels


def test_blotches_are_blurred_more_than_fine_grain() -> None:
    pixels = load_picture(resource_dir("samples") / "legal-table.jpg")
    fine, blotchy = (blur_for_grain(with_grain(pixels, 30, px)) for px in (FINE, BLOTCHY))
    assert 0 < fine <= 1.5
    assert 1.5 < blotchy <= 3


@pytest.mark.parametrize("blotches_px", [FINE, BLOTCHY])
def test_tiles_are_found_through_grain(
    blotches_px: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    detector = Detector.load()
    given = next(tables(suite_named("plain"), "plain", 1))
    dark = with_grain((given.pixels * 0.3).astype(np.uint8), 20, blotches_px)

    def found() -> int:
        return len(match(given.photo.tiles, detector.detect(dark).quads_img))

    through = found()
    monkeypatch.setattr("vision.detect.blur_for_grain", lambda _: 0.0)
    assert through > 55
    assert through >= found() + (40 if blotches_px else 0)


def test_tiles_are_not_blurred_away_where_it_was_no_grain(monkeypatch: pytest.MonkeyPatch) -> None:
    detector = Detector.load()
    given = next(tables(suite_named("small"), "small", 1))
    before = detector.detect(given.pixels)
    monkeypatch.setattr("vision.detect.blur_for_grain", lambda _: 3.0)
    np.testing.assert_array_equal(detector.detect(given.pixels).quads_img, before.quads_img)


def blurs_tried(monkeypatch: pytest.MonkeyPatch, pixels: Pixels) -> list[bool]:
    """Return whether each look at a picture saw it blurred."""
    tried = []

    def noted(seen: Pixels, blur_px: float) -> Pixels:
        tried.append(blur_px > 0)
        return softened(seen, blur_px)

    monkeypatch.setattr("vision.detect.softened", noted)
    Detector.load().detect(pixels)
    return tried


def test_a_picture_is_looked_at_once_where_that_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pixels = load_picture(resource_dir("samples") / "webcam-table.jpg")
    assert blurs_tried(monkeypatch, pixels) == [True]


def test_a_picture_is_looked_at_as_it_is_where_a_blur_leaves_doubts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = next(tables(suite_named("small"), "small", 1))
    monkeypatch.setattr("vision.detect.blur_for_grain", lambda _: 3.0)
    assert False in blurs_tried(monkeypatch, given.pixels)
