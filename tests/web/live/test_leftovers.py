"""Racks at the end of a round: read, put right, and summed before they count."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tests.fakes import FakeDetector, FakeReader, blank, fake_reader, quad_at, unsure
from tests.web.live.rooms import Room
from vision.doubts import BEYOND, NEARLY
from vision.pipeline import TableReader
from web.live.errors import CommandError
from web.site.tongues import Tongues
from web.store import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.types import Detections, Pixels

SOON_S = 20.0
OPENING = "R10 R11 R12"


def scoring(**values: Any) -> Room:  # noqa: ANN401 - whatever a room takes
    """Return a room in which Ann has gone out, and Bob still holds three tiles."""
    room = Room(**values)
    room.play("Ann", "Bob", changes={"deal_two_players": 3})
    room.turn(OPENING)
    return room


def rack_of(room: Room, player: str = "Bob") -> dict[str, Any]:
    found: dict[str, Any] = room.snapshot()["leftovers"]["racks"][player]
    return found


def test_a_photo_of_a_rack_needs_no_camera_at_the_table() -> None:
    room = scoring(rack="K10 R2 J")
    with pytest.raises(CommandError, match="photograph the rack"):
        Room(store=room.store).do("read_leftovers", player="Bob")
    room.do("read_leftovers", player="Bob", pixels=blank())
    found = rack_of(room)
    assert (found["tiles"], found["value"], found["text"]) == ("R2 K10 J", 42, "")
    assert [face["tile"] for face in found["faces"]] == ["K10", "R2", "J"]
    (left, top), *_ = found["faces"][0]["quad"]
    assert (left, top) == (0.05, pytest.approx(40 / 750, abs=1e-4))
    assert room.snapshot()["leftovers"]["missing"] == []


def test_a_set_of_the_table_that_the_photo_shows_too_is_not_left_over() -> None:
    room = scoring(rack=f"{OPENING} | K10 R2 J")
    room.do("read_leftovers", player="Bob")
    assert (rack_of(room)["tiles"], rack_of(room)["value"]) == ("R2 K10 J", 42)


def test_unsure_tiles_are_asked_about_until_a_person_has_said() -> None:
    room = scoring(rack="R2 B6 K10", doubts={"B6": "Glare.", "R2": "It is nearly B2."})
    room.do("read_leftovers", player="Bob")
    assert rack_of(room)["questions"] == ["Red 2? It is nearly B2.", "Blue 6? Glare."]
    room.do("correct_leftover", player="Bob", place=1, was="B6", tile="B9")
    found = rack_of(room)
    assert (found["tiles"], found["value"]) == ("R2 B9 K10", 21)
    assert found["questions"] == ["Red 2? It is nearly B2."]
    room.do("correct_leftover", player="Bob", place=0, was="R2", tile="R2")
    assert rack_of(room)["questions"] == []
    assert room.snapshot()["leftovers"]["scores"] == {"Ann": 21, "Bob": -21}


def test_a_face_that_is_there_more_often_than_it_exists_is_looked_at_again() -> None:
    room = scoring(rack="R10 R10 K1")
    room.do("read_leftovers", player="Bob")
    assert "more than exist: Red 10" in rack_of(room)["text"]
    room.do("correct_leftover", player="Bob", place=0, was="R10", tile="B10")
    assert rack_of(room)["text"] == ""
    room.do("set_leftovers", player="Bob", tiles="J J J K1")
    assert rack_of(room)["text"].startswith("Tiles found: 4; by the count there should be 3. ")
    assert "more than exist: the joker" in rack_of(room)["text"]


def test_what_is_no_tile_is_taken_away_and_what_was_missed_is_named() -> None:
    room = scoring(rack="R2 B6", doubts={"R2": "Glare."})
    room.do("read_leftovers", player="Bob")
    assert "should be 3" in rack_of(room)["text"]
    room.do("set_leftovers", player="Bob", tiles="R2 B6 K1")
    assert (rack_of(room)["text"], rack_of(room)["questions"]) == ("", ["Red 2? Glare."])
    room.do("correct_leftover", player="Bob", place=1, was="B6")
    assert rack_of(room)["tiles"] == "R2 K1"
    with pytest.raises(CommandError, match="read anew"):
        room.do("correct_leftover", player="Bob", place=1, was="B6")
    with pytest.raises(CommandError, match="R99"):
        room.do("set_leftovers", player="Bob", tiles="R99")
    room.do("end_round")
    assert room.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": 3, "Bob": -3}


def test_a_rack_does_not_go_on_beyond_the_picture() -> None:
    reading = unsure("R2", BEYOND)
    quads = np.array([quad_at(50, 40)], np.float32)
    room = scoring(reader=TableReader(FakeDetector(quads), FakeReader((reading,))))
    room.do("read_leftovers", player="Bob")
    assert rack_of(room)["questions"] == []


@dataclass
class SlowDetector:
    """Finds what another finds, once it is let go on."""

    fast: Any
    asked: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)
    network_ms: float = 0.0

    def detect(self, pixels: Pixels) -> Detections:
        self.asked.set()
        assert self.go_on.wait(SOON_S)
        found: Detections = self.fast.detect(pixels)
        return found


@contextmanager
def slow_reading(room: Room, slow: SlowDetector) -> Iterator[list[Exception]]:
    """Read Bob's rack in a thread of its own; inside, it is being read."""
    failed: list[Exception] = []

    def read() -> None:
        try:
            room.do("read_leftovers", player="Bob")
        except CommandError as error:
            failed.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        assert slow.asked.wait(SOON_S)
        yield failed
    finally:
        slow.go_on.set()
        thread.join(SOON_S)
    assert not thread.is_alive()


def slow_room() -> tuple[Room, SlowDetector]:
    fast = fake_reader("R2 K10")
    slow = SlowDetector(fast.detector)
    return scoring(reader=TableReader(slow, fast.face_reader)), slow


def test_a_slow_reading_holds_nobody_up() -> None:
    room, slow = slow_room()
    with slow_reading(room, slow):
        room.do("adjust", player="Ann", points=5)
        room.show(f"{OPENING} | B7 K7 O7", hand=False)
        room.do("correct_tile", id=3, tile="R7")
        room.do("undo")
        assert room.snapshot()["leftovers"] is None
    assert rack_of(room)["tiles"] == "R2 K10"


def test_what_was_read_of_a_round_that_is_over_is_not_taken_for_the_next() -> None:
    room, slow = slow_room()
    with slow_reading(room, slow) as failed:
        room.do("end_round", racks={"Bob": "R2 K10"})
    assert "gone on" in str(failed[0])
    assert room.snapshot()["leftovers"] is None


def test_the_racks_of_a_round_that_is_taken_back_are_still_known() -> None:
    room = scoring()
    room.do("end_round", racks={"Ann": "", "Bob": "R2 K10 J"})
    room.do("undo")
    shown = room.snapshot()["leftovers"]
    assert list(shown["racks"]) == ["Bob"]
    assert (rack_of(room)["tiles"], shown["scores"]) == ("R2 K10 J", {"Ann": 42, "Bob": -42})
    room.do("undo")
    assert room.snapshot()["leftovers"] is not None  # Bob holds what he held
    room.do("redo")
    room.do("end_round")
    ended = room.snapshot()["history"][-1]["seq"]
    room.do("edit_event", seq=ended, event={"event": "RoundEnded", "racks": {"Bob": "R2"}})
    room.do("undo")
    assert room.snapshot()["leftovers"] is None


def test_what_is_typed_while_a_rack_is_being_read_stands() -> None:
    room, slow = slow_room()
    with slow_reading(room, slow) as failed:
        room.do("set_leftovers", player="Bob", tiles="R5 R6 K7")
    assert "read anew" in str(failed[0])
    assert rack_of(room)["tiles"] == "R5 R6 K7"


def test_a_hint_is_thought_about_while_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room()
    room.do("new_match", players=["Ann", "Bob"])
    room.do("start_round", starter="Ann", racks={"Ann": "R10 R11 R12 B1", "Bob": "B2"})
    asked, go_on = threading.Event(), threading.Event()

    def slow(_match: object) -> dict[str, Any]:
        asked.set()
        assert go_on.wait(SOON_S)
        return {"text": "It is too late for this."}

    monkeypatch.setattr("web.live.turn_commands.hinted", slow)
    failed: list[Exception] = []

    def ask() -> None:
        try:
            room.do("hint")
        except CommandError as error:
            failed.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert asked.wait(SOON_S)
    room.do("drew")
    go_on.set()
    thread.join(SOON_S)
    assert "gone on" in str(failed[0])
    assert room.snapshot()["answer"] is None


def test_a_photo_keeps_its_mark_while_its_tiles_are_put_right() -> None:
    room = scoring(rack="R2 B6 K10")
    room.do("read_leftovers", player="Bob", pixels=blank(), mark="photo 1")
    room.do("correct_leftover", player="Bob", place=0, was="R2", tile="O2")
    assert (rack_of(room)["mark"], rack_of(room)["faces"][0]["quad"][0][0]) == ("photo 1", 0.05)


def test_racks_that_wait_to_be_counted_outlast_the_program_with_their_doubts() -> None:
    room = scoring(rack="K10 R2 B6", doubts={"B6": "Glare covers the number."})
    room.do("read_leftovers", player="Bob", pixels=blank(), mark="7")
    before = room.snapshot()["leftovers"]
    assert before["racks"]["Bob"]["questions"] == ["Blue 6? Glare covers the number."]
    again = Room(store=room.store)
    assert again.snapshot()["leftovers"] == before
    again.do("correct_leftover", player="Bob", place=2, was="B6", tile="B9")
    assert rack_of(Room(store=room.store))["tiles"] == "R2 B9 K10"


def test_a_doubt_that_outlasted_the_program_is_told_in_other_languages_too() -> None:
    doubt = NEARLY.format(other="Black 7")
    room = scoring(rack="K1 R2 R3", doubts={"K1": doubt})
    room.do("read_leftovers", player="Bob", pixels=blank())
    (face, *_) = rack_of(Room(store=room.store))["faces"]
    assert Tongues.load().told(face["doubt"], "de") == "Das könnte auch Schwarz 7 sein."


def test_racks_stay_while_another_match_is_looked_into() -> None:
    room = scoring()
    room.do("set_leftovers", player="Bob", tiles="R5 R6 R7")
    before = room.snapshot()["leftovers"]
    room.do("new_match", players=["Cem", "Dee"])
    assert room.snapshot()["leftovers"] is None
    room.do("open_match", id=1)
    assert room.snapshot()["leftovers"] == before


def test_racks_that_were_counted_are_not_kept_for_the_next_round() -> None:
    room = scoring()
    room.do("set_leftovers", player="Bob", tiles="R5 R6 R7")
    room.do("end_round")
    room.do("start_round", starter="Ann")
    assert Room(store=room.store).snapshot()["leftovers"] is None


def test_a_rack_that_cannot_be_kept_is_known_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = scoring()

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(room.store, "set", full)
    room.do("set_leftovers", player="Bob", tiles="R5 R6 R7")
    assert rack_of(room)["value"] == 18
