"""Sets on disk: taught, used, chosen over restarts; and the old reader stays where that fails."""

from __future__ import annotations

import errno
import json
import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import cv2
import numpy as np
import pytest

from referee.tiles import Tile
from tests.fakes import FakeDetector, fake_reader, quad_at
from vision.network import Network
from vision.pipeline import TableReader
from vision.reading.corners import CornerFinder
from vision.reading.examine import Examiner
from vision.reading.reader import Reader
from vision.teaching import LaidOut, ProfileError, profile_names
from vision.types import Reading
from web.teaching.borders import LessonError, Taken
from web.teaching.choice import Choice, load_choice, save_choice
from web.teaching.sets import Sets

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

FACES = tuple(Tile.parse(f"{colour}{number}") for colour in "RBOK" for number in (1, 2))


class Blank(Network):
    """A network that knows nothing, and finds every corner where it was."""

    def run(self, batch: Floats) -> list[Floats]:
        small = np.stack([cv2.resize(c.transpose(1, 2, 0), (6, 8)) for c in batch])
        seen = (small.reshape(len(batch), -1) - 0.7).astype(np.float32)
        nothing = np.zeros((len(batch), 19), np.float32)
        return [nothing[:, :15], nothing[:, 15:], seen, seen]


class Corners(Network):
    """A network that finds the corners where the box has them."""

    def run(self, batch: Floats) -> list[Floats]:
        inside = np.array([0.06, 0.06, 0.94, 0.06, 0.94, 0.94, 0.06, 0.94], np.float32)
        return [np.tile(inside, (len(batch), 1))]


def general(sha: str = "first") -> TableReader:
    size = {"input": {"size": [64, 96]}, "margin": 0.06, "sha256": sha}
    known = {**size, "number_temperature": 1.0, "colour_temperature": 1.0, "sure": 0.9}
    examiner = Examiner(CornerFinder(Corners(None, size)), Blank(None, known))
    return TableReader(FakeDetector(quads()), Reader(examiner))


def quads() -> Floats:
    return np.stack([quad_at(40 + 70 * place, 40) for place in range(len(FACES))])


def photo() -> Taken:
    pixels: Pixels = np.full((200, 700, 3), 90, np.uint8)
    for quad, face in zip(quads().astype(int), FACES, strict=True):
        cv2.rectangle(pixels, quad[0].tolist(), quad[2].tolist(), (235, 235, 235), -1)
        ink = {"R": (30, 30, 200), "B": (200, 80, 20), "O": (20, 140, 240)}.get(str(face)[0])
        where = (quad[0] + (12, 60)).tolist()
        cv2.putText(pixels, str(face.number), where, 0, 1.5, ink or (20, 20, 20), 5)
    readings = tuple(Reading(face, 0.4, doubt="?") for face in FACES)
    return Taken(LaidOut(pixels, quads(), (8,), FACES, readings), tuple(range(len(FACES))))


@dataclass
class Shelf:
    """A folder of sets, and what reads the table."""

    folder: Path
    read_by: list[TableReader]

    def open(self, setting: str = "", reader: TableReader | None = None) -> Sets:
        sets = Sets(reader or general(), self.folder, setting)
        sets.follow(self.read_by.append)
        return sets

    def teach(self, name: str = "mine") -> Sets:
        sets = self.open()
        sets.teach(name, [photo()], nothing)
        return sets


def nothing(_share: float) -> None:
    """Tell nobody."""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "sets", [])


def corrected(reader: TableReader) -> bool:
    return cast("Reader", reader.face_reader).examiner.correction is not None


def full(monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    """Let the disk be full when a file whose name holds this is written."""
    begin = Path.touch

    def touch(path: Path, *given: Any, **more: Any) -> None:  # noqa: ANN401
        if file in path.name:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        begin(path, *given, **more)

    monkeypatch.setattr(Path, "touch", touch)


def test_a_set_is_taught_kept_used_and_still_used_after_a_restart(shelf: Shelf) -> None:
    told: list[float] = []
    sets = shelf.open()
    assert (sets.in_use, corrected(sets.reader)) == ("", False)
    outcome = sets.teach("mine", [photo()], told.append)
    assert (outcome.taught, outcome.tiles, outcome.before) == (8, 8, 0)
    assert outcome.after > 0
    assert told == sorted(told)
    assert (sets.in_use, sets.names()) == ("mine", ["mine"])
    (reader,) = shelf.read_by
    assert corrected(reader)
    assert sets.reader is reader

    again = shelf.open()
    assert (again.in_use, again.trouble, corrected(again.reader)) == ("mine", "", True)


def test_only_what_is_wanted_is_taught(shelf: Shelf) -> None:
    few = replace(photo(), wanted=(0, 2, 5))
    assert shelf.open().teach("mine", [few, photo()], nothing).taught == 11


def test_no_set_is_chosen_and_stays_so(shelf: Shelf) -> None:
    sets = shelf.teach()
    sets.use("", nothing)
    assert (sets.in_use, corrected(shelf.read_by[-1])) == ("", False)
    assert shelf.open().in_use == ""
    sets.use("mine", nothing)
    assert (sets.in_use, corrected(shelf.read_by[-1])) == ("mine", True)


def test_the_choice_goes_before_the_setting_until_the_setting_changes(shelf: Shelf) -> None:
    shelf.teach("mine")
    shelf.teach("yours")
    sets = shelf.open("mine")
    assert sets.in_use == "mine"
    sets.use("yours", nothing)
    assert shelf.open("mine").in_use == "yours"
    assert shelf.open("yours").in_use == "yours"
    assert shelf.open("").in_use == ""


def test_the_setting_may_be_a_file(shelf: Shelf) -> None:
    shelf.teach()
    assert shelf.open(str(shelf.folder / "mine.set.npz")).in_use == "mine"


def test_a_setting_that_names_no_set_is_an_error(shelf: Shelf) -> None:
    with pytest.raises(ProfileError, match="no set called 'mine'"):
        shelf.open("mine")


@pytest.mark.parametrize("kept", [None, b"damaged"])
def test_a_chosen_set_that_is_gone_is_left_aside_and_told(
    shelf: Shelf, kept: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    sets = shelf.teach()
    file = shelf.folder / "mine.set.npz"
    file.unlink() if kept is None else file.write_bytes(kept)
    with caplog.at_level(logging.WARNING):
        again = shelf.open()
    assert (again.in_use, corrected(again.reader)) == ("", False)
    assert again.trouble.startswith("mine was chosen here, but cannot be loaded")
    assert "read without 'mine'" in caplog.text
    with pytest.raises(LessonError, match="gone or damaged"):
        sets.use("mine", nothing)
    again.use("", nothing)
    assert again.trouble == ""


@pytest.mark.parametrize("file", ["mine", "in-use"])
def test_where_the_disk_is_full_the_old_reader_stays(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    sets = shelf.teach("before")
    full(monkeypatch, file)
    with pytest.raises(LessonError, match="The disk is full, so this could not be kept"):
        sets.teach("mine", [photo()], nothing)
    assert (sets.in_use, len(shelf.read_by)) == ("before", 1)
    assert sets.reader is shelf.read_by[0]
    monkeypatch.undo()
    assert shelf.open().in_use == "before"
    assert not list(shelf.folder.glob(".*"))


def test_a_folder_that_cannot_be_written_is_told_with_the_reason(shelf: Shelf) -> None:
    shelf.folder.write_text("not a folder", encoding="utf-8")
    with pytest.raises(LessonError, match=r"could not be kept: .+\. Look at the data folder"):
        shelf.open().teach("mine", [photo()], nothing)
    with pytest.raises(LessonError, match="could not be kept"):
        shelf.open().use("", nothing)


def test_a_set_of_other_networks_is_fitted_anew_when_it_is_used(shelf: Shelf) -> None:
    shelf.teach().use("", nothing)
    told: list[float] = []
    shelf.open(reader=general("second")).use("mine", told.append)
    assert len(told) > 2
    assert corrected(shelf.read_by[-1])


def test_networks_that_cannot_be_taught_say_so(shelf: Shelf) -> None:
    with pytest.raises(LessonError, match="cannot be taught a set"):
        shelf.open(reader=fake_reader("R3")).teach("mine", [photo()], nothing)
    shelf.teach().use("", nothing)
    with pytest.raises(LessonError, match="cannot be used"):
        shelf.open(reader=fake_reader("R3")).use("mine", nothing)


@pytest.mark.parametrize("kept", ["", "[]", '{"name": "mine"}', "\x00"])
def test_a_damaged_choice_is_none(tmp_path: Path, kept: str) -> None:
    (tmp_path / "in-use.json").write_text(kept, encoding="utf-8")
    assert load_choice(tmp_path) is None


def test_a_choice_is_kept(tmp_path: Path) -> None:
    save_choice(Choice("Großmutter", "travel"), tmp_path / "sets")
    assert load_choice(tmp_path / "sets") == Choice("Großmutter", "travel")
    assert json.loads((tmp_path / "sets" / "in-use.json").read_text(encoding="utf-8"))
    assert profile_names(tmp_path / "sets") == []
