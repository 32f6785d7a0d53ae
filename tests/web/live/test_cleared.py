"""An empty table, to which no hand came, is asked about; nothing comes of it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.web.live.fakes import settled

if TYPE_CHECKING:
    from tests.web.live.rooms import Room

LYING = "R10 R11 R12 | K7 B7 O7"


def test_a_table_that_was_cleared_unseen_scores_nothing(room: Room) -> None:
    room.play()
    room.do("set_option", auto_accept=True)
    room.turn(LYING)
    before = room.snapshot()
    room.show(settled("", after_hand=False))
    for _ in range(5):
        room.wait(5)
    shown = room.snapshot()
    assert shown["desync"] is not None
    assert shown["proposal"] is None
    assert shown["records"] == before["records"]
    assert shown["match"] == before["match"]
    room.show(settled(LYING, after_hand=False))
    assert room.snapshot()["desync"] is None


def test_a_table_cleared_between_rounds_is_nothing_to_ask_about(room: Room) -> None:
    room.play()
    room.turn(LYING)
    room.do("end_round", racks={"Ann": "", "Bob": "R1 R2"})
    room.show(settled("", after_hand=False))
    room.wait(5)
    room.do("start_round", starter="Bob")
    shown = room.snapshot()
    assert (shown["desync"], shown["proposal"]) == (None, None)
    assert shown["match"]["round"] == 2
