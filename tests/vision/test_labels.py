from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.tiles import FACES_BY_TEXT
from vision.labels import (
    LabelError,
    PhotoEntry,
    TileEntry,
    load_labels,
    read_entries,
    write_entries,
)

if TYPE_CHECKING:
    from collections.abc import Callable

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
        ("", r"this is no label file \(Invalid JSON"),
        ("{}", "valid array"),
        ([], "there is no photo in it"),
        ([{"photo": "a.jpg"}], r"0\.width: Field required"),
        ([PHOTO | {"tiles": [{"tile": "X9", "quad": QUAD}]}], "'X9'"),
        ([PHOTO | {"tiles": [{"tile": "R1", "quad": QUAD[:3]}]}], "4 corners, got 3"),
        ([PHOTO | {"boxes": [[14, 1, 1, 1, 1]]}], "from 0 to 13, got 14"),
        ([PHOTO | {"chekced": False}], "no 'chekced'; did you mean 'checked'"),
        ([{key: PHOTO[key] for key in PHOTO if key != "tiles"} | {"tile": []}], "mean 'tiles'"),
        ([PHOTO | {"tiles": [{"tile": "R1", "quad": QUAD, "visibel": 1}]}], "mean 'visible'"),
        ([PHOTO | {"width": 0}], "0.width: Input should be greater than 0"),
    ],
)
def test_bad_files_are_refused_in_one_line(tmp_path: Path, content: object, message: str) -> None:
    with pytest.raises(LabelError, match=message) as caught:
        load_labels(written(tmp_path, content))
    assert len(str(caught.value).splitlines()) == 1


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="No such file"):
        load_labels(tmp_path / "none.json")


def test_what_nobody_has_checked_is_left_out_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = written(tmp_path, [PHOTO, PHOTO | {"photo": "new.jpg", "checked": False}])
    assert [photo.path.name for photo in load_labels(path)] == ["night-7.jpg"]
    assert "left out 1 of 2 photos that nobody has checked yet: new.jpg" in caplog.text
    path = written(tmp_path, [PHOTO | {"checked": False}])
    with pytest.raises(LabelError, match="no photo is checked yet"):
        load_labels(path, "dev")


@pytest.mark.parametrize(("seen", "cut"), [(1.0, False), (0.95, False), (0.5, True), (0.0, True)])
def test_tiles_with_a_hidden_number_are_cut(tmp_path: Path, seen: float, *, cut: bool) -> None:
    tile = {"tile": "B1", "quad": QUAD, "visible": 0.6, "number_visible": seen}
    assert load_labels(written(tmp_path, [PHOTO | {"tiles": [tile]}]))[0].tiles[0].cut is cut


pixels = st.floats(-5000, 5000).map(lambda value: round(value, 1))
shares = st.floats(0, 1)
tiles = st.builds(
    TileEntry,
    tile=st.sampled_from(sorted(FACES_BY_TEXT)),
    quad=st.lists(st.tuples(pixels, pixels), min_size=4, max_size=4),
    visible=shares,
    number_visible=shares,
    doubt=st.text(max_size=20),
    others=st.lists(st.sampled_from(sorted(FACES_BY_TEXT)), max_size=3),
)
photos = st.builds(
    PhotoEntry,
    photo=st.text(min_size=1, max_size=20),
    width=st.integers(1, 9000),
    height=st.integers(1, 9000),
    split=st.none() | st.sampled_from(["train", "dev"]),
    checked=st.booleans(),
    upright=st.booleans(),
    tiles=st.lists(tiles, max_size=4),
)


@given(st.lists(photos, max_size=4))
def test_what_is_written_is_read_again(entries: list[PhotoEntry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.json"
        write_entries(entries, path)
        assert read_entries(path) == entries
        assert [one.name for one in Path(folder).iterdir()] == ["labels.json"]


def test_what_is_not_known_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, [PHOTO | {"author": "Ann"}])
    before = json.loads(path.read_text("utf-8"))
    write_entries(read_entries(path), path)
    assert json.loads(path.read_text("utf-8")) == before


def _folder_in_the_way(folder: Path) -> Path:
    (folder / "labels.json" / "in").mkdir(parents=True)
    return folder / "labels.json"


@pytest.mark.parametrize(
    "make", [_folder_in_the_way, lambda folder: folder / "missing" / "labels.json"]
)
def test_what_cannot_be_written_is_said(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path)
    with pytest.raises(LabelError, match="cannot write"):
        write_entries([], path)
    assert not list(tmp_path.glob(".labels*"))
