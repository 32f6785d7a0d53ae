"""What every detector and reader must hold to, the fakes included."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import load_ruleset
from tests.fakes import blank, fake_reader
from vision.loading import load_table_reader
from vision.resources import ResourceError
from vision.types import Detections

if TYPE_CHECKING:
    from pathlib import Path

    from vision.pipeline import TableReader


@pytest.fixture(scope="module", params=["fake", "networks"])
def reader(request: pytest.FixtureRequest) -> TableReader:
    return fake_reader("") if request.param == "fake" else load_table_reader()


SHAPES = [(1000, 750), (750, 1000), (1, 1), (3, 700), (2000, 40), (33, 65), (2600, 1950)]


@pytest.mark.parametrize(("width_px", "height_px"), SHAPES)
def test_a_bare_table_of_any_shape_has_no_tiles(
    reader: TableReader, width_px: int, height_px: int
) -> None:
    reading = reader.read(blank(width_px, height_px), load_ruleset("standard"))
    assert len(reading.readings) == 0
    assert reading.verdict.ok is True


@pytest.mark.parametrize("level", [0, 255])
def test_black_and_white_pictures_have_no_tiles(reader: TableReader, level: int) -> None:
    pixels = np.full((480, 640, 3), level, np.uint8)
    assert len(reader.detector.detect(pixels)) == 0


def test_the_time_in_the_networks_is_told(reader: TableReader) -> None:
    timings = reader.read(blank(), load_ruleset("standard")).timings
    assert timings.network > 0


def test_nothing_detected_is_nothing_read(reader: TableReader) -> None:
    none = Detections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    assert len(reader.face_reader.read(blank(), none)) == 0


def test_the_picture_is_left_as_it_is(reader: TableReader) -> None:
    pixels = blank()
    reader.read(pixels, load_ruleset("standard"))
    assert (pixels == blank()).all()


def test_missing_networks_are_named(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=r"manifest\.json"):
        load_table_reader(tmp_path)
