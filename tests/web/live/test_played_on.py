"""Counts that are wrong, or over a limit: people go on, and nothing is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.live.rooms import Room
from web.live.errors import CommandError

if TYPE_CHECKING:
    from typing import Any

OPENING = "R10 R11 R12"


@pytest.fixture
def room() -> Room:
    return Room()


def sizes(room: Room) -> list[Any]:
    return [player["rack"] for player in room.snapshot()["match"]["players"]]


def seq_of(room: Room, event: str) -> int:
    lines = room.snapshot()["history"]
    return next(int(line["seq"]) for line in lines if line["event"] == event)


def test_who_still_holds_a_tile_plays_on(room: Room) -> None:
    room.play(changes={"deal_two_players": 3})
    with pytest.raises(CommandError, match="can while it is scoring"):
        room.do("play_on")
    room.turn(OPENING)
    assert room.snapshot()["match"]["phase"] == "scoring"
    room.do("play_on")
    shown = room.snapshot()
    assert (shown["match"]["phase"], shown["match"]["turn"]) == ("playing", "Bob")
    assert shown["match"]["players"][0]["rack_unsure"]
    assert shown["history"][-1]["story"] == "The round was not over, and went on."
    room.turn(f"{OPENING} | B10 B11 B12")
    room.do("undo")
    room.do("undo")
    assert room.snapshot()["match"]["phase"] == "scoring"


@pytest.mark.parametrize("by_table", [True, False])
def test_the_mistake_that_ended_a_round_is_put_right_after_it_went_on(
    room: Room, *, by_table: bool
) -> None:
    room.play(changes={"deal_two_players": 4})
    room.turn(f"{OPENING} R13")
    room.do("play_on")
    room.show(OPENING, hand=False)
    room.wait(30)
    assert room.snapshot()["desync"]["missing"] == ["R13"]
    if by_table:
        room.do("put_right", take="table")
    else:
        event = {"event": "Played", "table": OPENING}
        room.do("edit_event", seq=seq_of(room, "Played"), event=event)
    assert room.snapshot()["desync"] is None
    assert (room.snapshot()["match"]["turn"], sizes(room)) == ("Bob", [1, 4])


@given(starter=st.sampled_from(["Ann", "Bob", "Cem"]), played=st.booleans())
def test_a_turn_stays_its_players_where_an_earlier_one_is_put_right(
    starter: str, *, played: bool
) -> None:
    """By the turn that was put right somebody was out; the others played on all the same."""
    room = Room()
    room.do("new_match", players=["Ann", "Bob", "Cem"], changes={"deal": 4})
    room.do("start_round", starter=starter)
    room.turn(OPENING)
    if played:
        room.turn(f"{OPENING} | B10 B11 B12")
    else:
        room.do("drew")
    players = [line["player"] for line in room.snapshot()["history"]]
    told = {"event": "Played", "table": f"R9 {OPENING}"}
    room.do("edit_event", seq=seq_of(room, "Played"), event=told)
    assert [line["player"] for line in room.snapshot()["history"]] == players
    room.do("challenge")
    assert room.snapshot()["answer"]["player"] == players[-1]


def test_more_tiles_than_the_limit_are_told_and_cost_points_once(room: Room) -> None:
    room.play(ruleset="rummibug-relaxed", changes={"hand_limit_two_players": 25})
    assert room.snapshot()["match"]["over_limit"] is None
    room.do("drew")
    assert room.snapshot()["match"]["over_limit"] == {
        "player": "Ann",
        "points": 5,
        "text": "26 tiles are over the limit of 25; keeping them costs points.",
    }
    room.do("kept_too_many", player="Ann")
    shown = room.snapshot()["match"]
    assert (shown["over_limit"], shown["players"][0]["score"]) == (None, -5)
    room.turn(OPENING)
    assert room.snapshot()["match"]["over_limit"] is None


def test_a_wrong_accusation_is_taken_back_long_after(room: Room) -> None:
    room.play(changes={"deal_two_players": 14})
    room.show("R1 R2")
    room.do("end_turn", refuse=True)
    room.show("")
    room.turn(OPENING)
    refused = seq_of(room, "Refused")
    line = next(one for one in room.snapshot()["history"] if one["seq"] == refused)
    assert line["table"] == ""
    assert sizes(room) == [17, 11]
    room.do("edit_event", seq=refused, event={"event": "Drew", "tiles": ""})
    assert sizes(room) == [15, 11]


def test_two_people_do_not_undo_each_others_corrections(room: Room) -> None:
    room.play()
    room.do("end_round", racks={"Ann": "", "Bob": "R5"})
    seq = seq_of(room, "RoundEnded")
    was = {"event": "RoundEnded", "racks": {"Ann": "", "Bob": "R5"}}
    told = {"event": "RoundEnded", "racks": {"Ann": "", "Bob": "R7"}}
    room.do("edit_event", seq=seq, was=was, event=told)
    other = {"event": "RoundEnded", "racks": {"Ann": "", "Bob": "R9"}}
    with pytest.raises(CommandError, match="gone on in the meantime"):
        room.do("edit_event", seq=seq, was=was, event=other)
    assert room.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": 7, "Bob": -7}


def test_what_was_read_of_a_rack_stands_until_the_rack_changes(room: Room) -> None:
    room.play()
    room.do("set_leftovers", player="Bob", tiles="R5 K7")
    room.do("drew")
    assert list(room.snapshot()["leftovers"]["racks"]) == ["Bob"]
    room.do("drew")
    assert room.snapshot()["leftovers"] is None


def test_who_started_is_put_right_after_turns_were_played(room: Room) -> None:
    handfuls = {"Ann": [14, 13], "Bob": [12, 12]}
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann", handfuls=handfuls)
    room.do("drew")
    assert sizes(room) == [33, 26]
    line = room.snapshot()["history"][1]
    assert line["handfuls"] == handfuls
    room.do("edit_event", seq=line["seq"], event={"event": "Dealt", "starter": "Bob"})
    assert sizes(room) == [29, 30]
    for odd in ([14], [14, None], [14, -1]):
        event = {"event": "Dealt", "starter": "Bob", "handfuls": {"Ann": odd}}
        with pytest.raises(CommandError, match="two whole numbers"):
            room.do("edit_event", seq=line["seq"], event=event)
    assert sizes(room) == [29, 30]
    room.do("end_round", racks={"Ann": "R1", "Bob": "R2 R3"})
    assert room.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": -8, "Bob": 5}


def test_who_holds_so_many_that_nobody_may_draw_who_can_play_is_told(room: Room) -> None:
    room.play(ruleset="rummibug", changes={"must_play_from": 22})
    told = [room.snapshot()["match"]["must_play"]]
    for _ in range(3):
        room.do("drew")
        told.append(room.snapshot()["match"]["must_play"])
    assert told == [False, False, True, True]
