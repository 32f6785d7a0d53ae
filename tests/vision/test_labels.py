from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from vision.labels import LabelError, load_labels

if TYPE_CHECKING:
    from pathlib import Path

QUAD = [[150.0, 528.0], [129.0, 486.0], [190.0, 457.0], [210.0, 499.0]]
PHOTO = {
    "photo": "set/night-7.jpg",
    "split": "dev",
    "width": 1000,
    "height": 750,
    "tiles": [{"tile": "B1", "quad": QUAD, "polygon": [[1, 1]]}],
}


def written(folder: Path, content: object) -> Path:
    path = folder / "labels.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_tiles_with_quads(tmp_path: Path) -> None:
    (photo,) = load_labels(written(tmp_path, [PHOTO]), "dev")
    assert (photo.path, photo.group) == (tmp_path / "set/night-7.jpg", "night")
    (tile,) = photo.tiles
    assert (tile.number, tile.colour, tile.loose, tile.cut, tile.text) == (
        1, "B", False, False, "B1",
    )  # fmt: skip
    assert tile.outline_img.tolist() == QUAD


def test_boxes_with_numbers_only(tmp_path: Path) -> None:
    entry = {
        "photo": "rack.jpg", "width": 100, "height": 100,
        "boxes": [[9, 50, 40, 20, 30], [13, 5, 50, 20, 30]],
    }  # fmt: skip
    ten, joker = load_labels(written(tmp_path, [entry]))[0].tiles
    assert (ten.number, ten.colour, ten.loose, ten.cut, ten.text) == (10, None, True, False, "?10")
    assert ten.outline_img.tolist() == [[40, 25], [60, 25], [60, 55], [40, 55]]
    assert (joker.number, joker.text, joker.cut) == (None, "J", True)


def test_only_the_split_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, [PHOTO, PHOTO | {"split": "train", "group": "own"}])
    assert [photo.group for photo in load_labels(path)] == ["night", "own"]
    assert [photo.group for photo in load_labels(path, "train")] == ["own"]
    with pytest.raises(LabelError, match="no photo of split 'test'; its splits: dev, train"):
        load_labels(path, "test")


@pytest.mark.parametrize(
    ("quad", "cut"),
    [
        (QUAD, False),
        ([[0, 0], [60, 0], [60, 90], [0, 90]], True),
        ([[940, 300], [999, 300], [999, 390], [940, 390]], True),
        ([[937, 300], [997, 300], [997, 390], [937, 390]], False),
    ],
)
def test_tiles_at_the_edge_are_cut(tmp_path: Path, quad: list[list[float]], *, cut: bool) -> None:
    entry = PHOTO | {"tiles": [{"tile": "J", "quad": quad}]}
    assert load_labels(written(tmp_path, [entry]))[0].tiles[0].cut is cut


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "Invalid JSON"),
        ("{}", "valid array"),
        ([{"photo": "a.jpg"}], r"0\.width: Field required"),
        ([PHOTO | {"tiles": [{"tile": "X9", "quad": QUAD}]}], "'X9'"),
        ([PHOTO | {"tiles": [{"tile": "R1", "quad": QUAD[:3]}]}], "4 corners, got 3"),
        ([PHOTO | {"boxes": [[14, 1, 1, 1, 1]]}], "from 0 to 13, got 14"),
        ([], "no photo"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(LabelError, match=message) as caught:
        load_labels(written(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 1


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="No such file"):
        load_labels(tmp_path / "none.json")
