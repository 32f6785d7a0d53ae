"""Free tiles that lie where the camera sees them are none of the table's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from referee import load_ruleset
from referee.events import Dealt, Played, Started
from referee.match import replay
from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from vision.doubts import GAP
from web.live.aside import Aside, free_tiles_in, without_aside

if TYPE_CHECKING:
    from referee.events import Event
    from referee.match_state import Match
    from vision.watching.sights import SettledTable

MCGRAW = load_ruleset("mcgraw")
FREE = "B9 K13 O1 | O3 O3 O5 O6 R9"
ANN_OPENS = "R10 R11 R12 | B10 B11 B12"
BOTH_OPEN = f"{ANN_OPENS} | O13 R13 B13 | K10 K11 K12"
ALL_JOKERS = "J J R10 R11 R12 | B10 B11 B12 | O13 R13 B13 | J J K10 K11 K12"


def seen(table: str, **marks: Any) -> SettledTable:  # noqa: ANN401
    return settled(table, rules=MCGRAW, **marks)


def match(*turns: str, free: str = FREE) -> Match:
    dealt = Dealt("Ann", free_tiles=free.replace("|", ""))
    events: list[Event] = [
        Started(("Ann", "Bob"), "mcgraw"),
        dealt,
        *(Played(table) for table in turns),
    ]
    return replay(events)


@pytest.mark.parametrize(
    ("table", "left"),
    [
        (FREE, ""),
        (f"{FREE} | {ANN_OPENS}", ANN_OPENS),
        ("B9 K13 | R10 R11 | O1", "R10 R11"),
        ("B9 | B9", "B9"),
        ("B9 K12", "B9 K12"),
        ("O3 | O5 | O6 J", "O6 J"),
    ],
)
def test_what_is_left_is_what_was_laid(table: str, left: str) -> None:
    found = without_aside(seen(table), match())
    assert str(found.table) == left
    assert " ".join(str(tile.reading.tile) for tile in found.tiles) == left.replace(" |", "")
    assert len(found.verdict.parts) == len(found.layout.placed) == len(found.table.parts)
    assert sorted(n for part in found.layout.placed for n in part.tiles) == [
        *range(len(found.tiles))
    ]


def test_sets_and_what_is_on_the_record_stay() -> None:
    assert str(without_aside(seen("O4 O5 O6"), match(free="O4 O5 O6 K1 K3 K5 K7 K9")).table)
    wrong = "B9 K13"
    assert str(without_aside(seen(wrong), match(wrong)).table) == wrong


def test_without_free_tiles_nothing_is_touched() -> None:
    table = seen(FREE)
    assert without_aside(table, match(free="")) is table
    assert Aside().left_out(table, None) is table


def test_the_same_table_is_given_back_as_the_same() -> None:
    aside, table, lying = Aside(), seen("B9 | B9 | R10 R11"), match()
    found = aside.left_out(table, lying)
    assert found is not None
    assert str(found.table) == "B9 | R10 R11"
    assert aside.left_out(table, lying) is found
    assert aside.left_out(found, lying) is found
    assert aside.left_out(found, None) is table


@pytest.mark.parametrize(
    ("table", "marks", "known"),
    [
        ("B9 K13 O1", {}, 3),
        ("B9 K13", {}, 0),
        ("B9 K13 J", {}, 0),
        ("B9 K13 O1", {"doubts": {"O1": "glare"}}, 0),
        ("B9 K13 O1", {"doubtful": ["O1"]}, 0),
        ("B9 K13 O1", {"doubts": {"O1": GAP}}, 3),
    ],
)
def test_free_tiles_are_read_before_a_round(table: str, marks: dict[str, Any], known: int) -> None:
    assert len(free_tiles_in(seen(table, **marks), 3)) == known


def test_a_game_with_free_tiles_in_the_picture() -> None:
    room = Room()
    room.show(seen(FREE))
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann")
    room.show(seen(FREE))
    assert room.snapshot()["proposal"] is None
    assert room.snapshot()["parts"] == []
    for table in (ANN_OPENS, BOTH_OPEN, ALL_JOKERS):
        room.show(seen(f"{FREE} | {table}"))
        assert room.snapshot()["proposal"]["legal"] is True
        assert room.snapshot()["proposal"]["table"] == table
        room.do("end_turn")
        room.wait(60)
        assert room.snapshot()["desync"] is None
    taken = ALL_JOKERS.replace("B10", "B9 B10")
    room.show(seen(f"K13 O1 | O3 O3 O5 O6 R9 | {taken}"))
    assert room.snapshot()["proposal"]["legal"] is True
    room.do("end_turn")
    room.do("undo")
    assert room.snapshot()["desync"] is not None
    room.do("redo")
    room.wait(60)
    assert room.snapshot()["desync"] is None


def test_free_tiles_that_were_laid_out_late_can_be_typed() -> None:
    room = Room()
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    assert room.snapshot()["match"]["free_tiles"] == len(FREE.replace("|", "").split())
    room.do("start_round", starter="Ann")
    room.show(seen(f"{FREE} | {ANN_OPENS}"))
    assert room.snapshot()["proposal"]["legal"] is False
    dealt = room.snapshot()["history"][-1]
    assert dealt["free_tiles"] == ""
    typed = {"event": "Dealt", "free_tiles": FREE.replace(" |", ",").lower()}
    room.do("edit_event", seq=dealt["seq"], event=typed)
    proposal = room.snapshot()["proposal"]
    assert (proposal["legal"], proposal["table"]) == (True, ANN_OPENS)


def test_the_next_round_has_other_free_tiles() -> None:
    room = Room()
    room.show(seen(FREE))
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann")
    room.do("end_round", racks={"Ann": "R1", "Bob": "R2"})
    others = "B9 K13 O1 | K1 K3 K5 K7 K9"
    room.show(seen(others))
    room.do("start_round", starter="Ann")
    room.show(seen(f"{others} | {ANN_OPENS}"))
    assert room.snapshot()["proposal"]["table"] == ANN_OPENS


def test_a_loose_tile_is_still_told_from_a_free_one() -> None:
    room = Room()
    room.show(seen(FREE))
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann")
    room.show(seen(f"{FREE} | {ANN_OPENS} | B9"))
    found = room.snapshot()["proposal"]
    assert (found["legal"], found["look"]["text"].split(":")[0]) == (None, "Blue 9 lies alone")


def test_a_corrected_tile_beside_free_ones_is_corrected_on_the_record() -> None:
    room = Room()
    room.show(seen(FREE))
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    room.do("start_round", starter="Ann")
    room.show(seen(f"{FREE} | {ANN_OPENS}"))
    room.do("end_turn")
    tile = next(one for one in room.snapshot()["tiles"] if one["tile"] == "R10")
    room.do("correct_tile", id=tile["id"], tile="R13")
    assert room.snapshot()["match"]["table"] == ANN_OPENS.replace("R10", "R13")
