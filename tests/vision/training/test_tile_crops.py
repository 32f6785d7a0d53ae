"""Pictures of single tiles become samples: which way they lie is found, a wrong folder is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from vision.crops import straighten
from vision.detect import Detector
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.faces import COLOURS
from vision.reading.corners import CornerFinder
from vision.reading.examine import Examiner
from vision.training.tile_crops import load_tile_crops
from vision.types import Detections

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reading.sight import Look
    from vision.training.data import Labelled
    from vision.types import Floats, Pixels

MARGIN = 0.1
SIZE = (96, 144)


@pytest.fixture(scope="module")
def six() -> Pixels:
    """A six, upright, whose edges lie MARGIN inside the picture's."""
    for table in tables(suite_named("plain"), "plain", 4):
        for tile in table.photo.tiles:
            if tile.number == 6:
                quad = np.array(tile.outline_img, np.float32)
                return straighten(table.pixels, quad, SIZE, MARGIN)
    raise AssertionError("there is no six")


def save(root: Path, folder: str, picture: Pixels) -> Path:
    """Write one picture among folders that are empty but for it."""
    for name in [*map(str, range(1, 14)), "joker"]:
        (root / name).mkdir(exist_ok=True)
    cv2.imwrite(str(root / folder / "tile.png"), picture)
    return root


def is_upright(sample: Labelled, shown: Pixels) -> bool:
    """Whether the sample's outline starts where the shown tile's top left is."""
    found = straighten(sample.pixels_bgr, sample.quads_img[0], SIZE, MARGIN)
    unlike = [float(np.abs(np.rot90(found, way).astype(int) - shown).mean()) for way in (0, 2)]
    return unlike[0] < unlike[1] / 2


@pytest.mark.parametrize("turns", range(4))
def test_a_tile_is_found_upright_however_it_lies(turns: int, six: Pixels, tmp_path: Path) -> None:
    (sample,) = load_tile_crops(save(tmp_path, "6", np.rot90(six, turns)))
    assert sample.names[0][0] in COLOURS
    assert sample.names[0][1:] == "6"
    assert is_upright(sample, six)


def test_a_tile_whose_outline_lies_on_its_side_is_found_upright(
    six: Pixels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it may where a tile is seen from low, and looks wider than tall."""
    find = CornerFinder.find

    def on_its_side(corners: CornerFinder, pixels: Pixels, boxes: Floats) -> Floats:
        return np.roll(find(corners, pixels, boxes), 1, 1)

    monkeypatch.setattr(CornerFinder, "find", on_its_side)
    (sample,) = load_tile_crops(save(tmp_path, "6", six))
    assert is_upright(sample, six)


def test_a_tile_in_the_wrong_folder_is_left_out(six: Pixels, tmp_path: Path) -> None:
    assert load_tile_crops(save(tmp_path, "3", six)) == []


def test_what_one_border_hides_another_shows(
    six: Pixels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[tuple[int, ...]] = []
    detect = Detector.detect

    def sees_nothing_at_first(detector: Detector, pixels: Pixels) -> Detections:
        shapes.append(pixels.shape)
        found = detect(detector, pixels)
        seen = len(found) if len(shapes) > 1 else 0
        return Detections(found.quads_img[:seen], found.confidences[:seen])

    monkeypatch.setattr(Detector, "detect", sees_nothing_at_first)
    (sample,) = load_tile_crops(save(tmp_path, "6", six))
    assert sample.names[0][1:] == "6"
    assert len(set(shapes)) == 2


def test_a_file_that_is_no_picture_is_named(tmp_path: Path, six: Pixels) -> None:
    root = save(tmp_path, "6", six)
    (root / "9" / "notes.png").write_bytes(b"no picture")
    with pytest.raises(FileNotFoundError, match=r"notes\.png"):
        load_tile_crops(root)


def test_a_tile_that_may_lie_on_its_side_is_left_out(
    six: Pixels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a 4 does that reads as one either way; learnt wrong, it makes upright ones doubtful."""
    face_logits = Examiner.face_logits

    def either_way(examiner: Examiner, pixels: Pixels, quads: Floats) -> Look:
        look = face_logits(examiner, pixels, quads)
        look.numbers[1::2] = look.numbers[::2]
        return look

    monkeypatch.setattr(Examiner, "face_logits", either_way)
    assert load_tile_crops(save(tmp_path, "6", six)) == []
