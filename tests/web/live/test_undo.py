"""Whatever was done, taking it back leads to where things stood."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.web.live.rooms import Room
from web.live.errors import CommandError

COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("start_round", {"starter": "Ann"}),
    ("start_round", {"starter": "Bob"}),
    ("drew", {}),
    ("end_turn", {}),
    ("end_turn", {"accept_illegal": True}),
    ("end_turn", {"refuse": True}),
    ("adjust", {"player": "Bob", "points": 5, "reason": "a cake"}),
    ("kept_too_many", {"player": "Ann"}),
    ("end_round", {"racks": {"Ann": "", "Bob": "R5 J"}}),
    ("put_right", {"take": "table"}),
    ("put_right", {"take": "record"}),
    ("restored", {}),
    ("play_on", {}),
    ("stop", {}),
]
TABLES = ["", "R10 R11 R12", "R10 R11 R12 | B10 B11 B12", "R1 R2", "R10 R11"]
STEPS = st.lists(st.one_of(st.sampled_from(COMMANDS), st.sampled_from(TABLES)), max_size=12)


def standing(room: Room) -> tuple[Any, ...]:
    shown = room.snapshot()
    return shown["match"], shown["history"]


@given(STEPS, st.sampled_from([3, 14]))
@settings(max_examples=60)
def test_undo_leads_back_and_redo_forth(
    steps: list[str | tuple[str, dict[str, Any]]], dealt: int
) -> None:
    room = Room()
    room.do("new_match", players=["Ann", "Bob"], changes={"deal_two_players": dealt})
    for step in steps:
        if isinstance(step, str):
            room.show(step)
            continue
        before, events = standing(room), len(room.snapshot()["history"])
        try:
            room.do(step[0], **step[1])
        except CommandError:
            assert standing(room) == before
            continue
        if len(room.snapshot()["history"]) == events + 1:
            after = standing(room)
            room.do("undo")
            assert standing(room) == before
            room.do("redo")
            assert standing(room) == after


@given(STEPS)
@settings(max_examples=30)
def test_what_is_shown_is_what_the_store_has(
    steps: list[str | tuple[str, dict[str, Any]]],
) -> None:
    room = Room()
    room.play()
    for step in steps:
        if isinstance(step, str):
            room.show(step)
        else:
            with suppress(CommandError):
                room.do(step[0], **step[1])
    over = room.snapshot()["match"]["phase"] == "over"
    assert Room(store=room.store).snapshot()["match"] == (
        None if over else room.snapshot()["match"]
    )


def test_an_edited_turn_is_carried_on_to_the_later_ones(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12")
    room.turn("R10 R11 R12 | B10 B11 B12")
    seq = room.snapshot()["history"][2]["seq"]
    room.do("edit_event", seq=seq, event={"event": "Played", "table": "R10 R11 O12"})
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 O12 | B10 B11 B12"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]
    assert shown["desync"]["missing"] == ["O12"]
    with pytest.raises(CommandError, match="disagree"):
        room.do("end_turn")


def test_nobody_answers_for_a_refused_turn_of_another_after_a_restart(room: Room) -> None:
    room.play()
    room.show("R1 R2")
    room.do("end_turn", refuse=True)
    again = Room(store=room.store)
    again.show("R1 R2")
    shown = again.snapshot()
    assert (shown["match"]["turn"], shown["proposal"], shown["desync"]) == ("Bob", None, None)
    assert [move["tile"] for move in shown["restore"]["moves"]] == ["R1", "R2"]
    again.show("")
    again.show("R10 R11 R12")
    assert again.snapshot()["proposal"]["legal"]


def test_what_is_refused_again_is_put_back_again(room: Room) -> None:
    room.play()
    room.show("R1 R2")
    room.do("end_turn", refuse=True)
    room.do("undo")
    assert room.snapshot()["desync"]
    room.do("redo")
    assert room.snapshot()["restore"]
    assert room.snapshot()["desync"] is None
