"""McGraw's game before the live table: dealt jokers, free tiles at the side, hidden racks."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import load_ruleset
from referee.events import Dealt, Played, Started
from referee.match import replay
from referee.match_state import Phase
from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from tests.web.live.tables import tables
from web.live.errors import CommandError
from web.live.proposals import propose

if TYPE_CHECKING:
    from referee.events import Event
    from referee.match_state import Match
    from referee.table import Table

MCGRAW = load_ruleset("mcgraw")
RACKS = {
    "Ann": "R10 R11 R12 B10 B11 B12 R9 J J K1 R8",
    "Bob": "O13 R13 B13 K10 K11 K12 J J K2",
}
FREE = "B9 K13 O1 O2 O3 O4 O5 O6"
ANN_OPENS = "R10 R11 R12 | B10 B11 B12"
BOTH_OPEN = f"{ANN_OPENS} | O13 R13 B13 | K10 K11 K12"
ANNS_JOKERS = "J J R10 R11 R12 | B10 B11 B12 | O13 R13 B13 | K10 K11 K12"
ALL_JOKERS = "J J R10 R11 R12 | B10 B11 B12 | O13 R13 B13 | J J K10 K11 K12"
GAME = (ANN_OPENS, BOTH_OPEN, ANNS_JOKERS, ALL_JOKERS)


def mcgraw(*turns: str, known: bool = True, free: str = FREE) -> Room:
    """A match of two in which these tables were played, with racks turned up or hidden."""
    room = Room()
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann", racks=RACKS if known else {}, free_tiles=free)
    for table in turns:
        show(room, table)
        room.do("end_turn")
    return room


def show(room: Room, table: str) -> None:
    room.show(settled(table, rules=MCGRAW))


def state(room: Room) -> Match:
    found = room.live._game.match
    assert found is not None
    return found


def codes(room: Room, kind: str = "violations") -> list[str]:
    return [found["code"] for found in room.snapshot()["proposal"][kind]]


def test_a_free_tile_waits_for_the_dealt_jokers() -> None:
    room = mcgraw(ANN_OPENS, BOTH_OPEN)
    show(room, BOTH_OPEN.replace("B10", "B9 B10"))
    assert codes(room) == ["FREE_TILE"]
    assert "dealt jokers" in room.snapshot()["proposal"]["violations"][0]["text"]


def test_a_free_tile_counts_once_all_jokers_lie_on_the_table() -> None:
    room = mcgraw(*GAME)
    show(room, ALL_JOKERS.replace("B10", "B9 B10"))
    assert room.snapshot()["proposal"]["legal"] is True
    before = state(room)
    room.do("end_turn")
    ann, after = state(room).player("Ann"), state(room)
    assert ann.rack_size == before.player("Ann").rack_size == len(ann.rack or ())
    assert after.free_tiles is not None
    assert before.free_tiles is not None
    assert [str(t) for t in before.free_tiles if t not in after.free_tiles] == ["B9"]


def test_the_last_joker_and_a_free_tile_may_come_in_one_turn() -> None:
    room = mcgraw(*GAME[:3])
    show(room, ALL_JOKERS.replace("B10", "B9 B10"))
    assert room.snapshot()["proposal"]["legal"] is True


def test_a_tile_from_nowhere_is_one() -> None:
    room = mcgraw(*GAME)
    show(room, ALL_JOKERS + " | B4 B5 B6")
    assert set(codes(room)) == {"TILE_NOT_FROM_RACK"}


@pytest.mark.parametrize("known", [True, False])
def test_where_nobody_said_what_lies_free_nobody_is_accused(*, known: bool) -> None:
    room = mcgraw(*GAME, known=known, free="")
    show(room, ALL_JOKERS + " | B4 B5 B6")
    assert room.snapshot()["proposal"]["legal"] is True
    assert codes(room, "warnings") == []


def test_the_dealt_joker_is_due_on_the_turn_after_the_opening() -> None:
    room = mcgraw(ANN_OPENS)
    show(room, BOTH_OPEN)
    assert codes(room, "warnings") == []
    room.do("end_turn")
    show(room, BOTH_OPEN.replace("R10", "R9 R10"))
    assert room.snapshot()["proposal"]["legal"] is True
    assert codes(room, "warnings") == ["WILD_MUST_BE_PLAYED"]
    show(room, ANNS_JOKERS)
    assert codes(room, "warnings") == []


def test_of_hidden_racks_nothing_is_claimed() -> None:
    more = (ALL_JOKERS.replace("B10", "B9 B10"), ALL_JOKERS.replace("B10", "B8 B9 B10"))
    room = mcgraw(known=False)
    for before, table in pairwise(("", *GAME, *more)):
        show(room, table)
        shown = room.snapshot()["proposal"]
        assert (shown["legal"], shown["warnings"]) == (True, []), (before, table)
        room.do("end_turn")


@pytest.mark.parametrize(
    ("last", "phase"),
    [("B9 B10", Phase.PLAYING), ("B10 B11 B12 B13 |", Phase.SCORING)],
    ids=["may be a free tile", "can only be from the rack"],
)
def test_a_hidden_rack_is_empty_only_if_no_free_tile_can_be_among_what_was_laid(
    last: str, phase: Phase
) -> None:
    room = Room()
    changes = {"deal_two_players": 7}
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw", changes=changes)
    room.do("start_round", starter="Ann", free_tiles=FREE)
    for table in GAME:
        show(room, table)
        room.do("end_turn")
    # Of nine tiles, two of them jokers, one is left.
    assert [player.rack_size for player in state(room).players] == [1, 1]
    show(room, ALL_JOKERS.replace("B10 B11 B12 |" if "|" in last else "B10", last))
    room.do("end_turn")
    assert (state(room).phase, state(room).player("Ann").rack_size) == (phase, 0)


def test_how_many_tiles_lie_free_is_held_to_the_rules() -> None:
    room = Room()
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    with pytest.raises(CommandError, match="expected 8 free tiles, got 2"):
        room.do("start_round", free_tiles="R1 R2")
    room.do("new_match", players=["Ann", "Bob"])
    with pytest.raises(CommandError, match="expected 0 free tiles"):
        room.do("start_round", free_tiles="R1 R2")


def test_a_challenge_knows_of_free_tiles_too() -> None:
    room = mcgraw(*GAME, ALL_JOKERS.replace("B10", "B9 B10"))
    room.do("challenge")
    assert room.snapshot()["answer"]["legal"] is True


@pytest.mark.parametrize(("rule", "legal"), [("must_play_if_able", False), ("pass_round", True)])
def test_who_passes_is_held_to_what_an_empty_pool_asks(rule: str, *, legal: bool) -> None:
    room = Room()
    room.do("new_match", players=["Ann", "Bob"], changes={"pool_empty_rule": rule})
    racks = {"Ann": "R10 R11 R12", "Bob": " ".join(["B1"] * 103)}
    room.do("start_round", starter="Ann", racks=racks)
    room.do("drew")
    room.do("challenge")
    assert room.snapshot()["answer"]["legal"] is legal


@pytest.mark.parametrize(("held", "legal"), [("K1 K2 K3 K4 B9", False), ("K1 K2 K3 B8 B9", True)])
def test_who_must_play_all_that_can_be_is_held_to_it_when_challenged(
    held: str, *, legal: bool
) -> None:
    room = Room()
    changes = {"play_obligation": "A", "opening_threshold": 0}
    room.do("new_match", players=["Ann", "Bob"], changes=changes)
    room.do("start_round", starter="Ann", racks={"Ann": held, "Bob": "R1 R2"})
    room.show("K1 K2 K3")
    assert room.snapshot()["proposal"]["legal"] is True
    room.do("end_turn")
    room.do("challenge")
    answer = room.snapshot()["answer"]
    assert (answer["player"], answer["legal"]) == ("Ann", legal)
    assert [found["code"] for found in answer["violations"]] == ([] if legal else ["MUST_PLAY"])


@pytest.mark.parametrize(
    ("rules", "draws", "legal"),
    [("crazy", 1, None), ("rummibug", 28, True), ("rummibug", 29, None), ("standard", 1, True)],
)
def test_whether_a_hidden_rack_had_to_be_played_from_is_not_told(
    rules: str, draws: int, *, legal: bool | None
) -> None:
    room = Room()
    room.play("Ann", "Bob", ruleset=rules)
    for _ in range(draws):
        room.do("drew")
    room.do("challenge")
    answer = room.snapshot()["answer"]
    assert answer["legal"] is legal
    assert ("only the rack tells" in answer["text"]) is (legal is None)


@pytest.mark.parametrize(
    ("obliged", "dealt", "legal"), [("A", 14, None), ("A", 3, True), ("B", 14, True)]
)
def test_whether_more_of_a_hidden_rack_had_to_be_played_is_not_told(
    obliged: str, dealt: int, *, legal: bool | None
) -> None:
    room = Room()
    changes = {"play_obligation": obliged, "deal_two_players": dealt}
    room.play("Ann", "Bob", changes=changes)
    room.turn("R10 R11 R12")
    room.do("challenge")
    answer = room.snapshot()["answer"]
    assert (answer["legal"], answer["violations"]) == (legal, [])
    assert ("only the rack tells" in answer["text"]) is (legal is None)


OF_RACKS = {"FREE_TILE", "TILE_NOT_FROM_RACK", "WILD_MUST_BE_PLAYED", "MUST_PLAY"}


@given(tables(), tables(), st.sampled_from(["", FREE]))
def test_nothing_that_only_the_racks_tell_is_said_of_hidden_ones(
    record: Table, seen: Table, free: str
) -> None:
    events: list[Event] = [Started(("Ann", "Bob"), "mcgraw"), Dealt("Ann", free_tiles=free)]
    lying = replay([*events, Played(str(record)), Played(str(record))])
    found = propose(settled(str(seen), rules=MCGRAW), lying)
    if found is not None:
        assert not {str(one.code) for one in (*found.violations, *found.warnings)} & OF_RACKS
