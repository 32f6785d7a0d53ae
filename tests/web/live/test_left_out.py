"""Racks that a person tells to leave out, as the match and the pages have them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.web.live.fakes import settled
from vision.doubts import RACK
from web.live.errors import CommandError

if TYPE_CHECKING:
    from tests.web.live.rooms import Room

LAID = "R10 R11 R12"
TOLD = {"3": "K4", "4": "B9", "5": "O2", "6": "R5"}


def test_a_rack_is_left_out_at_once_and_was_no_misreading(room: Room) -> None:
    room.play()
    room.show(f"{LAID} | K4 B9 O2 | R5")
    room.do("leave_out_rack", tiles=TOLD)
    shown = room.snapshot()
    assert (shown["proposal"]["legal"], shown["proposal"]["table"]) == (True, LAID)
    assert len(shown["left_out"]) == len(TOLD)
    assert shown["corrections"] == []
    room.do("look_at_racks")
    assert room.snapshot()["left_out"] == []


def test_what_a_rack_held_is_taken_out_of_the_record(room: Room) -> None:
    """A set that was gathered there had passed for one that was laid."""
    room.play()
    room.turn("R10 R11 R12 R13")
    room.turn("R10 R11 R12 R13 | K10 K11 K12")
    room.do("leave_out_rack", tiles={"4": "K10", "5": "K11", "6": "K12"})
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 R12 R13"
    assert shown["desync"] is None


def test_a_rack_is_there_as_it_was_shown_or_nothing_is_done(room: Room) -> None:
    room.show(f"{LAID} | K4 B9 O2")
    for tiles in ({"3": "K4", "4": "B8"}, {"3": "K4", "77": "B9"}, {}):
        with pytest.raises(CommandError, match="look again"):
            room.do("leave_out_rack", tiles=tiles)
    assert len(room.snapshot()["tiles"]) == 6


def test_before_any_table_no_rack_is_left_out(room: Room) -> None:
    room.do("look_at_racks")
    assert room.snapshot()["left_out"] == []


def test_pages_know_of_what_it_is_asked_whether_it_stands_on_a_rack(room: Room) -> None:
    table = settled(f"{LAID} | K4 B9 O2")
    tiles = list(table.tiles)
    tiles[3] = replace(tiles[3], reading=replace(tiles[3].reading, doubt=RACK))
    room.show(replace(table, tiles=tuple(tiles)))
    assert [tile["rack"] for tile in room.snapshot()["tiles"]] == [False] * 3 + [True] + [
        False
    ] * 2
