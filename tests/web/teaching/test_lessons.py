"""A lesson, step by step: photos, what is wrong with them, teaching beside everything else."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.fakes import blank
from vision.teaching.photo import NO_TILES
from web.site.canned_lessons import CannedTeacher
from web.teaching.borders import LessonError, Taken
from web.teaching.lessons import MOST_PHOTOS, Lessons

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from web.teaching.borders import Outcome, Told

SOON_S = 20.0


@dataclass
class SlowTeacher(CannedTeacher):
    """Goes on when a test says so."""

    pause_s: float = 0.0
    taught: list[Taken] = field(default_factory=list)
    half_way: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None

    def teach(self, name: str, photos: Sequence[Taken], told: Told) -> Outcome:
        self.taught += photos
        told(0.5)
        self.half_way.set()
        assert self.go_on.wait(SOON_S)
        if self.error is not None:
            raise self.error
        return super().teach(name, photos, told)


@pytest.fixture
def teacher() -> SlowTeacher:
    return SlowTeacher()


@pytest.fixture
def lessons(teacher: SlowTeacher) -> Iterator[Lessons]:
    made = Lessons(teacher)
    yield made
    teacher.go_on.set()
    made.close()


def begin(lessons: Lessons, name: str = "mine", **values: Any) -> None:  # noqa: ANN401
    lessons.teach(name, values.pop("left_out", {}), replace=values.pop("replace", False))


def finish(lessons: Lessons, teacher: SlowTeacher) -> dict[str, Any]:
    teacher.go_on.set()
    lessons.wait(SOON_S)
    said: dict[str, Any] = lessons.state()["said"]
    return said


def test_at_first_there_is_nothing(lessons: Lessons) -> None:
    state = lessons.state()
    assert (state["photos"], state["missing"], state["ready"]) == ([], [], False)
    assert (state["busy"], state["said"], state["in_use"]) == (None, None, "")
    assert state["sets"] == ["grandma", "travel set"]
    with pytest.raises(LessonError, match="No photo shows the whole set yet"):
        begin(lessons)


def test_a_photo_is_looked_over(lessons: Lessons) -> None:
    lessons.add(blank(2560, 1500))
    state = json.loads(json.dumps(lessons.state()))
    (photo,) = state["photos"]
    assert (photo["width"], photo["height"], photo["problem"]) == (1280, 750, "")
    assert (photo["rows"], len(photo["tiles"])) == ([13, 13, 13, 13], 52)
    assert state["missing"] == ["K13"]
    assert state["ready"] is True
    tiles = {tile["face"]: tile for tile in photo["tiles"]}
    assert tiles["R1"]["quad"][0] == [80.0, 125.0]
    assert [tiles[face]["state"] for face in ("R1", "O2", "R6")] == ["sure", "unsure", "other"]
    assert tiles["R6"]["read"] == "R9"


def test_its_pictures_are_jpegs(lessons: Lessons) -> None:
    lessons.add(blank(2560, 1500))
    for data, shape in (
        (lessons.picture(1), (750, 1280, 3)),
        (lessons.tiles(1), (4 * 96, 14 * 64, 3)),
    ):
        assert data is not None
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert pixels is not None
        assert pixels.shape == shape
    assert (lessons.picture(2), lessons.tiles(2)) == (None, None)


def test_a_photo_that_shows_no_set_says_why(lessons: Lessons) -> None:
    lessons.add(blank(320, 240))
    state = lessons.state()
    assert state["photos"][0]["problem"] == NO_TILES
    assert (state["missing"], state["ready"]) == ([], False)
    lessons.remove(1)
    assert lessons.state()["photos"] == []


def test_there_are_three_photos_at_most(lessons: Lessons) -> None:
    for _ in range(MOST_PHOTOS):
        lessons.add(blank())
    with pytest.raises(LessonError, match="3 photos are enough"):
        lessons.add(blank())
    lessons.remove(2)
    lessons.add(blank())
    assert [photo["id"] for photo in lessons.state()["photos"]] == [1, 3, 4]


def test_a_set_is_taught_in_the_background(lessons: Lessons, teacher: SlowTeacher) -> None:
    lessons.add(blank())
    begin(lessons, " mine ")
    assert teacher.half_way.wait(SOON_S)
    state = lessons.state()
    assert state["busy"] == {"kind": "teach", "name": "mine", "share": 0.5}
    assert state["said"] is None
    with pytest.raises(LessonError, match="being taught just now"):
        lessons.add(blank())
    with pytest.raises(LessonError, match="being taught just now"):
        lessons.use("")
    said = finish(lessons, teacher)
    assert said["good"] is True
    assert said["text"].startswith("mine was taught from 52 tiles, and the table is read with it")
    assert said["text"].endswith("44 were read for sure before, 52 are now.")
    state = lessons.state()
    assert (state["in_use"], state["photos"], state["busy"]) == ("mine", [], None)
    assert state["sets"] == ["grandma", "mine", "travel set"]


def test_what_is_left_out_is_not_taught(lessons: Lessons, teacher: SlowTeacher) -> None:
    lessons.add(blank())
    lessons.add(blank(320, 240))
    begin(lessons, left_out={1: [0, 5, 999], 7: [1]})
    finish(lessons, teacher)
    (taken,) = teacher.taught
    assert [str(taken.found.faces[place]) for place in taken.wanted][:5] == [
        "R2", "R3", "R4", "R5", "R7",
    ]  # fmt: skip


def test_most_of_a_set_has_to_be_left(lessons: Lessons) -> None:
    lessons.add(blank())
    with pytest.raises(LessonError, match="Only 42 of the 53 faces"):
        begin(lessons, left_out={1: list(range(10))})
    lessons.add(blank())
    begin(lessons, left_out={1: list(range(10))})


@pytest.mark.parametrize("name", ["", "../up", "a/b", "x" * 41, ".hidden", "a\nb", "C:con"])
def test_a_name_that_is_none_is_refused(lessons: Lessons, name: str) -> None:
    lessons.add(blank())
    with pytest.raises(LessonError, match="is no name for a set"):
        begin(lessons, name)
    assert lessons.state()["busy"] is None


def test_a_set_is_replaced_only_where_that_is_said(lessons: Lessons, teacher: SlowTeacher) -> None:
    lessons.add(blank())
    with pytest.raises(LessonError, match="a set called grandma already"):
        begin(lessons, "Grandma")
    begin(lessons, "Grandma", replace=True)
    assert finish(lessons, teacher)["text"].startswith("grandma was taught")
    assert teacher.names() == ["grandma", "travel set"]


def test_what_cannot_be_kept_is_told_and_can_be_tried_again(
    lessons: Lessons, teacher: SlowTeacher
) -> None:
    lessons.add(blank())
    begin(lessons, "no disk")
    said = finish(lessons, teacher)
    assert said["good"] is False
    assert said["text"].startswith("The disk is full")
    state = lessons.state()
    assert (state["in_use"], len(state["photos"])) == ("", 1)
    begin(lessons, "other")
    assert finish(lessons, teacher)["good"] is True


def test_a_failure_is_logged_and_told(
    lessons: Lessons, teacher: SlowTeacher, caplog: pytest.LogCaptureFixture
) -> None:
    teacher.error = RuntimeError("the network is gone")
    lessons.add(blank())
    with caplog.at_level(logging.ERROR):
        begin(lessons)
        said = finish(lessons, teacher)
    assert said["good"] is False
    assert "the table is read as before" in said["text"]
    assert "the network is gone" in caplog.text


def test_another_set_is_used(lessons: Lessons, teacher: SlowTeacher) -> None:
    lessons.use("grandma")
    lessons.wait(SOON_S)
    assert lessons.state()["said"] == {
        "good": True,
        "text": "The table is read with grandma from now on.",
    }
    lessons.use("")
    lessons.wait(SOON_S)
    assert (teacher.in_use, lessons.state()["said"]["good"]) == ("", True)
    assert "without a taught set" in lessons.state()["said"]["text"]


def test_the_end_of_the_program_ends_it(teacher: SlowTeacher) -> None:
    lessons = Lessons(teacher)
    lessons.add(blank())
    begin(lessons)
    assert teacher.half_way.wait(SOON_S)
    ending = threading.Thread(target=lessons.close)
    ending.start()
    while not lessons._closed.is_set():
        teacher.half_way.wait(0.001)
    teacher.go_on.set()
    ending.join(SOON_S)
    assert (teacher.in_use, teacher.known.get("mine")) == ("", None)
    with pytest.raises(LessonError):
        begin(lessons)
