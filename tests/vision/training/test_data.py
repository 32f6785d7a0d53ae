from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from vision.labels import LabelError
from vision.pictures import PictureError
from vision.training.data import load_photographs

if TYPE_CHECKING:
    from pathlib import Path

LYING = [[10, 10], [90, 10], [90, 60], [10, 60]]


def written(folder: Path, *more: dict[str, Any]) -> Path:
    """Write labels of a photo that is kept for tuning, and of `more` photos."""
    records = [{}, *more]
    for number, record in enumerate(records):
        Image.new("RGB", (100, 80), (90, 60, 30)).save(folder / f"{number}.png")
        tile = {"tile": "R7", "quad": LYING, "number_visible": 0.0}
        start = {"photo": f"{number}.png", "split": "train", "width": 100, "height": 80}
        records[number] = start | {"tiles": [tile]} | record
    path = folder / "labels.json"
    path.write_text(json.dumps(records), "utf-8")
    return path


def test_what_nobody_has_checked_is_not_trained_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = written(tmp_path, {"checked": False}, {"checked": True}, {})
    assert len(load_photographs(path)) == 2
    assert "left out 1 of 4 photos that nobody has checked yet: 1.png" in caplog.text
    assert len(load_photographs(path, tuning=True)) == 1


def test_the_way_up_that_a_person_gave_is_kept(tmp_path: Path) -> None:
    path = written(tmp_path, {"upright": True}, {})
    known, open_ = load_photographs(path)
    assert (known.upright_known, open_.upright_known) == (True, False)
    assert known.quads_img[0].tolist() == LYING
    assert open_.quads_img[0].tolist() == LYING[1:] + LYING[:1]
    assert known.number_visible.tolist() == [0.0]


def test_photos_without_a_split_are_not_trained_on(tmp_path: Path) -> None:
    assert load_photographs(written(tmp_path, {"split": None})) == []


def test_a_photo_that_is_gone_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, {})
    (tmp_path / "1.png").unlink()
    with pytest.raises(PictureError, match=r"1\.png, which the labels name: no such file"):
        load_photographs(path)


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"tiles": [], "boxes": [[6, 50, 40, 30, 40]]}, r"1\.png: boxes do not tell the tiles'"),
        ({"uprigt": True}, "did you mean 'upright'"),
    ],
)
def test_labels_that_cannot_be_trained_on_are_named(
    tmp_path: Path, record: dict[str, Any], said: str
) -> None:
    with pytest.raises(LabelError, match=said):
        load_photographs(written(tmp_path, record))


def test_a_photo_of_an_empty_table_wants_no_tiles(tmp_path: Path) -> None:
    path = written(tmp_path, {})
    records = json.loads(path.read_text("utf-8"))
    del records[1]["tiles"]
    path.write_text(json.dumps(records), "utf-8")
    (empty,) = load_photographs(path)
    assert empty.names == ()
