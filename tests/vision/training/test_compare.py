"""The comparison of ways to look gives every way the same pictures."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.detect import Detector
from vision.evaluation.suite_scores import write_scores
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.reading.reader import Reader
from vision.resources import resource_dir
from vision.training.compare import (
    COLUMNS,
    INPUTS_PX,
    compare,
    corners_off,
    detectors,
    pictures,
    readers,
    variants,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vision.training.compare import Given


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> list[Given]:
    """Two tables: one as a labelled photograph, one of a suite."""
    folder: Path = tmp_path_factory.mktemp("compared")
    table = next(iter(tables(suite_named("large"), "large", 1)))
    cv2.imwrite(str(folder / "table.png"), table.pixels)
    tiles = [
        {"tile": f"{tile.colour}{tile.number}" if tile.number else "J",
         "quad": tile.outline_img.tolist()}
        for tile in table.photo.tiles
    ]  # fmt: skip
    height, width = table.pixels.shape[:2]
    record = {"photo": "table.png", "split": "dev", "width": width, "height": height}
    labels = folder / "labels.json"
    labels.write_text(json.dumps([record | {"tiles": tiles}]), "utf-8")
    return pictures([labels], ["large"], 1)


def test_every_way_sees_the_same_tiles(given: list[Given]) -> None:
    ways = list(variants(Detector.load(), Reader.load()))
    rows = list(compare(given, [ways[0], *(way for way in ways if "no corners" in way.name)]))
    found = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    assert [row["variant"] for row in found] == ["as it runs", "oriented boxes, no corners"]
    assert {(row["pictures"], row["tiles"]) for row in found} == {
        ("2", str(2 * len(given[0][1].tiles)))
    }
    assert float(found[0]["recall"]) == 1.0
    assert 0 < float(found[0]["corners_off"]) < float(found[1]["corners_off"]) < 0.2
    assert float(found[0]["ratio"]) == 1.0


def test_no_two_ways_are_called_alike() -> None:
    ways = [way.name for way in variants(Detector.load(), Reader.load())]
    assert len(set(ways)) == len(ways)


def test_corners_are_off_by_parts_of_a_side(given: list[Given]) -> None:
    _, photo = given[1]
    quads = np.array([np.roll(tile.outline_img, 2, 0) for tile in photo.tiles], np.float32)
    assert corners_off(photo, quads) == pytest.approx([0] * len(quads), abs=1e-6)
    sides = np.linalg.norm(quads - np.roll(quads, 1, 1), axis=2).mean(1)
    moved = quads + (sides[:, None, None] * (0.03, 0.04)).astype(np.float32)
    assert corners_off(photo, moved) == pytest.approx([0.05] * len(quads), abs=1e-4)


def test_networks_stand_in_the_place_of_the_landed_ones() -> None:
    detector, reader = Detector.load(), Reader.load()
    folder = resource_dir("models")
    found = list(detectors(reader, [("again", folder / "detector.onnx")]))
    assert [way.name for way in found] == [f"again, {px} x {px} px" for px in INPUTS_PX]
    assert [(way.detector.first_look_px, way.detector.again) for way in found] == [
        (px, False) for px in INPUTS_PX
    ]
    (way,) = readers(detector, reader, [("again", folder / "reader.onnx")])
    assert way.reader.palette is None
    assert way.reader.examiner.faces.settings == reader.examiner.faces.settings


def test_the_table_has_a_heading() -> None:
    file = io.StringIO()
    write_scores([["as it runs", *map(str, range(len(COLUMNS) - 1))]], file, COLUMNS)
    (row,) = csv.DictReader(file.getvalue().splitlines())
    assert row["variant"] == "as it runs"
    assert set(row) == set(COLUMNS)
