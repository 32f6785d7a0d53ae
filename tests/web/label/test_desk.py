from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from referee.tiles import FACES_BY_TEXT
from tests.fakes import EitherWay, LightOnly, blank, fake_reader, sure, to_mirror, unsure
from tests.web.label.desks import (
    DOUBT,
    TABLE,
    blind_reader,
    change_of,
    desk_of,
    file_of,
    photo,
    reader_of,
)
from vision.doubts import MIRRORED
from vision.labels import LabelError, PhotoEntry, load_labels
from vision.pictures import PictureError
from vision.pipeline import TableReader
from vision.training.data import load_photographs
from web.label.book import ChangedElsewhereError, LabelBook
from web.label.changes import Change, ChangeError, SentQuad
from web.label.desk import Desk, StaleError

QUAD = [[300, 200], [350, 200], [350, 280], [300, 280]]


def send(desk: Desk, number: int = 0, **values: object) -> None:
    desk.change(number, Change.model_validate(change_of(desk, number, **values)))


def tiles_of(desk: Desk, number: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = desk.labels(number)["tiles"]
    return found


def test_of_a_mirrored_photo_it_is_told(tmp_path: Path) -> None:
    seen = fake_reader(TABLE)
    known = tuple(map(sure, TABLE.replace("|", "").split()))
    doubtful = tuple(unsure(str(one.tile), DOUBT) for one in known)
    reader = TableReader(seen.detector, EitherWay(doubtful, mirrored=known))
    path = tmp_path / "mirrored.png"
    Image.fromarray(to_mirror()).save(path)
    desk = desk_of(tmp_path / "labels.json", path, reader=reader)
    assert [tile["doubt"] for tile in tiles_of(desk)] == [MIRRORED] * len(known)


def test_proposals_come_set_by_set_and_count_for_nothing_yet(tmp_path: Path) -> None:
    out = tmp_path / "labels.json"
    desk = desk_of(out, photo(tmp_path))
    assert [tile["tile"] for tile in tiles_of(desk)] == ["R3", "R4", "R5", "B7", "K8"]
    assert [tile["doubt"] for tile in tiles_of(desk)] == ["", "", "", "", DOUBT]
    (entry,) = file_of(out)
    assert (entry["checked"], entry["split"], entry["upright"]) == (False, "train", True)
    with pytest.raises(LabelError, match="no photo is checked yet"):
        load_labels(out)


def test_dark_tiles_are_proposed_too(tmp_path: Path) -> None:
    light = reader_of("R3 R4 R5 | B7 B8 B9")
    reader = replace(light, detector=LightOnly(light.detector.detect(blank()).quads_img))
    desk = desk_of(tmp_path / "labels.json", photo(tmp_path), reader=reader)
    assert [tile["tile"] for tile in tiles_of(desk)] == ["R3", "R4", "R5", "B7", "B8", "B9"]


def test_a_change_is_in_the_file_at_once_and_wins_over_proposals(tmp_path: Path) -> None:
    out, table = tmp_path / "labels.json", photo(tmp_path)
    desk = desk_of(out, table, photo(tmp_path, "other.jpg"))
    send(desk, tiles=[*tiles_of(desk)[:2], {"tile": "O1", "quad": QUAD}])
    assert [tile["tile"] for tile in file_of(out)[0]["tiles"]] == ["R3", "R4", "O1"]
    again = desk_of(out, table, tmp_path / "other.jpg", reader=reader_of("J J"))
    assert [tile["tile"] for tile in tiles_of(again)] == ["R3", "R4", "O1"]
    assert [tile["tile"] for tile in tiles_of(again, 1)] == ["J", "J"]
    assert [entry["photo"] for entry in file_of(out)] == ["table.jpg", "other.jpg"]


def test_a_photo_is_done_when_no_tile_is_unsure(tmp_path: Path) -> None:
    out = tmp_path / "labels.json"
    desk = desk_of(out, photo(tmp_path))
    with pytest.raises(ChangeError, match="still unsure, 1 of them"):
        send(desk, checked=True)
    sure = [tile | {"doubt": "", "others": ["K3"]} for tile in tiles_of(desk)]
    send(desk, checked=True, split="dev", tiles=sure)
    (done,) = load_labels(out, "dev")
    assert [tile.text for tile in done.tiles] == ["R3", "R4", "R5", "B7", "K8"]
    assert all(set(tile) == {"tile", "quad"} for tile in file_of(out)[0]["tiles"])
    assert (desk.progress.checked, desk.progress.unsure, desk.progress.tiles) == (1, 0, 5)


def test_what_another_window_changed_is_not_changed_back(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "labels.json", photo(tmp_path))
    old = Change.model_validate(change_of(desk, tiles=[]))
    send(desk, tiles=tiles_of(desk)[:1])
    with pytest.raises(StaleError, match="another window"):
        desk.change(0, old)
    assert len(tiles_of(desk)) == 1


def test_what_another_program_wrote_is_not_written_over(tmp_path: Path) -> None:
    out = tmp_path / "labels.json"
    desk = desk_of(out, photo(tmp_path))
    out.write_text("[]", "utf-8")
    with pytest.raises(ChangedElsewhereError, match="another program has changed"):
        send(desk, tiles=[])
    assert out.read_text("utf-8") == "[]"
    assert len(tiles_of(desk)) == 5


def test_labels_that_a_person_wrote_elsewhere_are_kept_with_all_they_say(tmp_path: Path) -> None:
    out, table = tmp_path / "labels.json", photo(tmp_path)
    backward = [[10, 10], [10, 90], [60, 90], [60, 10]]
    out.write_text(
        '[{"photo": "gone.jpg", "width": 9, "height": 9, "boxes": [[1, 4, 4, 2, 2]]}, '
        '{"photo": "./table.jpg", "split": "mine", "width": 600, "height": 400, "tiles": '
        f'[{{"tile": "R1", "quad": {backward}, "polygon": [[1, 2]]}}, '
        f'{{"tile": "R2", "quad": {QUAD}, "polygon": [[3, 4]]}}]}}]',
        "utf-8",
    )
    before = file_of(out)
    desk = desk_of(out, table)
    assert file_of(out) == before
    moved = [[301, 200], *QUAD[1:]]
    first, second = tiles_of(desk)
    send(desk, tiles=[first | {"tile": "O1"}, second | {"quad": moved}])
    assert file_of(out)[0] == before[0]
    assert file_of(out)[1]["tiles"] == [
        {"tile": "O1", "quad": backward, "polygon": [[1, 2]]},
        {"tile": "R2", "quad": moved},
    ]
    assert file_of(out)[1]["split"] == "mine"


def test_a_tile_that_a_person_outlines_is_read_and_begins_at_its_top(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "labels.json", photo(tmp_path))
    told = desk.read(0, SentQuad.model_validate({"quad": QUAD}))
    assert (told["tile"], told["quad"]) == ("R9", [(*corner,) for corner in QUAD[2:] + QUAD[:2]])
    assert len(tiles_of(desk)) == 5


def test_a_tile_that_nothing_can_read_is_asked_about(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "labels.json", photo(tmp_path), reader=blind_reader())
    assert tiles_of(desk) == []
    told = desk.read(0, SentQuad.model_validate({"quad": QUAD}))
    assert "say which it is" in told["doubt"]
    assert [[*corner] for corner in told["quad"]] == QUAD


@pytest.mark.parametrize(
    ("tile", "message"),
    [
        ({"tile": "R14", "quad": QUAD}, "R14"),
        ({"tile": "R1", "quad": QUAD, "others": ["x"]}, "x is no tile"),
        ({"tile": "R1", "quad": QUAD[::-1]}, "clockwise"),
        ({"tile": "R1", "quad": [QUAD[0], QUAD[2], QUAD[1], QUAD[3]]}, "clockwise"),
        ({"tile": "R1", "quad": [[1, 1], [3, 1], [3, 4], [1, 4]]}, "too near"),
        ({"tile": "R1", "quad": [[x + 900, y] for x, y in QUAD]}, "outside"),
    ],
)
def test_what_is_no_tile_is_refused(tmp_path: Path, tile: dict[str, object], message: str) -> None:
    out = tmp_path / "labels.json"
    desk = desk_of(out, photo(tmp_path))
    before = file_of(out)
    with pytest.raises(ChangeError, match=message):
        send(desk, tiles=[tile])
    assert file_of(out) == before


def test_photos_of_other_folders_are_named_from_the_file(tmp_path: Path) -> None:
    out = tmp_path / "sets" / "labels.json"
    out.parent.mkdir()
    desk_of(out, photo(tmp_path, "a/1.jpg"), photo(tmp_path, "sets/2.jpg"))
    assert [entry["photo"] for entry in file_of(out)] == ["../a/1.jpg", "2.jpg"]
    assert all((out.parent / entry["photo"]).exists() for entry in file_of(out))


@given(name=st.binary(min_size=1, max_size=40).filter(lambda name: not {0, 47} & {*name}))
@example(name="Käse.jpg".encode("latin-1"))
def test_a_photo_is_found_again_by_its_name_or_refused_for_it(name: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        book = LabelBook.open(Path(folder) / "labels.json")
        table = Path(folder) / os.fsdecode(name)
        try:
            entry = PhotoEntry(photo=book.name(table), width=1, height=1)
        except LabelError:
            return
        book.put(entry)
        assert LabelBook.open(book.path).find(table) == entry


def test_a_photo_that_was_swapped_is_refused(tmp_path: Path) -> None:
    out, table = tmp_path / "labels.json", photo(tmp_path)
    desk_of(out, table)
    photo(tmp_path, size=(300, 400))
    with pytest.raises(LabelError, match=r"300 x 400 pixels, but .* says 600 x 400"):
        desk_of(out, table)
    table.write_bytes(b"nothing")
    with pytest.raises(PictureError, match="not a picture"):
        desk_of(out, table)


NINE = {"photo": "a.jpg", "width": 9, "height": 9}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (json.dumps([NINE | {"tiles": [{"tile": "R77", "quad": QUAD}]}]), "a.jpg: 'R77'"),
        (json.dumps([NINE | {"chekced": True}]), "'chekced'; did you mean 'checked'"),
        (json.dumps([NINE, NINE]), "a.jpg is in it twice"),
        ("{", "Invalid JSON"),
    ],
)
def test_a_file_with_a_mistake_is_refused_and_left_alone(
    tmp_path: Path, text: str, message: str
) -> None:
    out = tmp_path / "labels.json"
    out.write_text(text, "utf-8")
    with pytest.raises(LabelError, match=message):
        LabelBook.open(out)
    assert out.read_text("utf-8") == text


Quad = list[list[float]]


def _quad(centre: tuple[float, float], size: tuple[float, float], turn: float, first: int) -> Quad:
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(size) / 2
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    quad: Quad = (np.roll(around, first, 0) @ spin + np.array(centre)).round(1).tolist()
    return quad


quads = st.builds(
    _quad,
    centre=st.tuples(st.floats(0, 600), st.floats(0, 400)),
    size=st.tuples(st.floats(12, 80), st.floats(12, 80)),
    turn=st.floats(-4, 4),
    first=st.integers(0, 3),
)
faces = st.sampled_from(sorted(FACES_BY_TEXT))
tiles = st.fixed_dictionaries(
    {"tile": faces, "quad": quads},
    optional={"number_visible": st.sampled_from([0.0, 1.0]), "visible": st.floats(0, 1)},
)


@given(sent=st.lists(tiles, max_size=5), checked=st.booleans())
def test_what_a_person_says_is_what_is_evaluated(
    sent: list[dict[str, Any]], *, checked: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        out, table = Path(name) / "labels.json", photo(Path(name))
        send(desk_of(out, table), tiles=sent, checked=checked)
        again = [(tile["tile"], tile["quad"]) for tile in tiles_of(desk_of(out, table))]
        assert [(face, [*map(list, quad)]) for face, quad in again] == [
            (tile["tile"], tile["quad"]) for tile in sent
        ]
        if checked:
            (labels,) = load_labels(out, "train")
            assert [tile.text for tile in labels.tiles] == [one["tile"] for one in sent]
            for tile, one in zip(labels.tiles, sent, strict=True):
                assert np.allclose(tile.outline_img, one["quad"])
                assert tile.cut or one.get("number_visible") != 0
            (taught,) = load_photographs(out, tuning=True)
            assert taught.upright_known
            assert list(taught.names) == [one["tile"] for one in sent]
            assert np.allclose(taught.quads_img.tolist(), [one["quad"] for one in sent])
