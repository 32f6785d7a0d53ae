"""What people put right is told, so that a report can tell how a reading was bad."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.web.live.rooms import Room


def told(room: Room) -> list[tuple[Any, ...]]:
    shown = room.snapshot()["corrections"]
    return [(one["id"], one["was"], one["tile"]) for one in shown]


def test_a_correction_tells_as_what_the_tile_was_read_first(room: Room) -> None:
    room.show("R10 R11 R12")
    room.do("correct_tile", id=2, tile="O12")
    room.do("correct_tile", id=2, tile="B12")
    assert told(room) == [(2, "R12", "B12")]
    (shown,) = room.snapshot()["corrections"]
    assert shown["quad"] == room.snapshot()["tiles"][2]["quad"]
    room.do("correct_tile", id=2, tile="R12")
    assert told(room) == []


def test_a_tile_that_was_none_and_one_that_was_not_seen_are_told(room: Room) -> None:
    room.show("R10 R11 R12")
    room.do("delete_tile", id=1)
    room.do("add_tile", quad=[[0, 0], [40, 0], [40, 60], [0, 60]], tile="K5")
    (gone, added) = told(room)
    assert gone == (1, "R11", None)
    assert added[1:] == (None, "K5")


def test_a_tile_that_was_moved_is_no_longer_told_of(room: Room) -> None:
    room.show("R10 R11 R12")
    room.do("correct_tile", id=2, tile="O12")
    room.do("delete_tile", id=1)
    room.show("R10 R11 R12", hand=True)
    assert told(room) == []
