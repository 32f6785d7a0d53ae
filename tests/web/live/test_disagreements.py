"""Table and record disagree: said, shown, and put right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes import quad_at
from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from web.live.errors import CommandError

OPENING = "R10 R11 R12"


def test_tiles_that_vanish_without_a_hand_are_a_disagreement(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.wait(3600)
    room.show("R10 R11", hand=False)
    assert room.snapshot()["desync"] is None
    assert room.snapshot()["proposal"] is None
    room.wait(3)
    desync = room.snapshot()["desync"]
    assert desync["missing"] == ["R12"]
    assert "Red 12" in desync["text"]
    with pytest.raises(CommandError, match="disagree"):
        room.do("end_turn")
    room.show(OPENING, hand=False)
    assert room.snapshot()["desync"] is None


def test_a_disagreement_is_put_right_by_one_tap_for_the_record(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show("R10 R11 | R12 B5", hand=False)
    room.wait(3)
    assert room.snapshot()["desync"]["extra"] == [{"id": 3, "tile": "B5"}]
    room.do("put_right", take="record")
    assert room.snapshot()["desync"] is None
    assert [move["tile"] for move in room.snapshot()["restore"]["moves"]] == ["B5", "R12"]
    room.do("restored")
    assert room.snapshot()["restore"] is None


def test_what_agrees_cannot_be_put_right_nor_back(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show(f"{OPENING} | B10 B11 B12")
    shown = room.snapshot()["proposal"]
    for take in ("table", "record"):
        with pytest.raises(CommandError, match="Table and record agree"):
            room.do("put_right", take=take)
    with pytest.raises(CommandError, match="Nothing has to be put back"):
        room.do("restored")
    assert room.snapshot()["proposal"] == shown


def test_time_that_runs_out_while_they_disagree_finds_tiles_out_of_place(room: Room) -> None:
    room.play(timer_s=60)
    room.turn(OPENING)
    room.wait(61)
    room.show("R10 R11", hand=False)
    room.wait(3)
    assert room.snapshot()["desync"] is not None
    room.do("time_out")
    assert [player["rack"] for player in room.snapshot()["match"]["players"]] == [11, 14 + 3]


def test_a_disagreement_is_put_right_by_one_tap_for_the_table(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.turn("R10 R11 R12 | B10 B11 B12")
    room.show("R10 R11 R12 | B10 B11 B12 B13", hand=False)
    room.show("O10 R11 R12 | B10 B11 B12", hand=False)
    room.wait(3)
    room.do("put_right", take="table")
    shown = room.snapshot()
    assert shown["desync"] is None
    assert shown["proposal"] is None
    assert shown["match"]["table"] == "O10 R11 R12 | B10 B11 B12"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]


def test_a_turn_of_which_half_was_seen_first_is_proposed_once_it_is_whole(room: Room) -> None:
    room.play()
    room.do("set_option", auto_accept=True)
    room.turn(OPENING)
    room.show(f"{OPENING} | B10 B11", hand=False)
    room.wait(3)
    assert room.snapshot()["desync"] is not None
    room.show(f"{OPENING} | B10 B11 B12", hand=False)
    room.wait(9)
    shown = room.snapshot()
    assert (shown["desync"], shown["proposal"]["legal"]) == (None, True)
    assert shown["match"]["turn"] == "Bob"
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_of_two_sets_that_are_alike_the_doubtful_one_is_new(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    found = settled(f"{OPENING} | {OPENING}", after_hand=False)
    tiles = (*(replace(tile, status="doubtful") for tile in found.tiles[:3]), *found.tiles[3:])
    room.show(replace(found, tiles=tiles))
    room.wait(3)
    assert room.snapshot()["desync"] is not None
    room.do("put_right", take="table")
    assert room.snapshot()["desync"] is None
    assert room.snapshot()["proposal"]["legal"] is True


def test_taking_a_turn_back_disagrees_until_the_table_follows(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.do("undo")
    assert room.snapshot()["match"]["turn"] == "Ann"
    assert len(room.snapshot()["desync"]["extra"]) == 3
    room.do("put_right", take="table")
    assert room.snapshot()["proposal"]["player"] == "Ann"
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_a_corrected_tile_is_corrected_in_the_record_too(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12")
    room.turn("R10 R11 R12 | B10 B11 B12")
    room.do("correct_tile", id=2, tile="O12")
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 O12 | B10 B11 B12"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]
    assert shown["desync"] is None


def test_a_tile_that_a_turn_under_way_has_moved_is_corrected_in_the_record(room: Room) -> None:
    room.play()
    for table in ("R10 R11 O12", "R10 R11 O12 | B10 B11 B12"):  # in truth Red 12
        room.show(table)
        room.do("end_turn", accept_illegal=True)
    room.show("R10 R11 O12 R13 | B10 B11 B12")
    room.do("correct_tile", id=2, tile="R12")
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 R12 | B10 B11 B12"
    assert shown["proposal"]["legal"] is True
    assert shown["proposal"]["story"].startswith("Red 13 joined")


def test_a_tile_that_never_lay_there_is_taken_out_of_the_record(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12 R13")
    room.turn("R10 R11 R12 R13 | B10 B11 B12")
    room.do("delete_tile", id=3)
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 R12 | B10 B11 B12"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]
    room.do("undo")
    assert [player["rack"] for player in room.snapshot()["match"]["players"]] == [10, 11]


def test_several_things_that_are_no_tiles_are_struck_at_once(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12 | K4 B9 O2 | R5")
    assert not room.snapshot()["proposal"]["legal"]
    room.do("delete_tiles", tiles={"3": "K4", "4": "B9", "5": "O2", "6": "R5"})
    shown = room.snapshot()
    assert shown["proposal"]["legal"] is True
    assert shown["proposal"]["table"] == "R10 R11 R12"
    assert [one["was"] for one in shown["corrections"]] == ["K4", "B9", "O2", "R5"]


def test_several_that_never_lay_there_are_taken_out_of_the_record_and_back_in_one_go(
    room: Room,
) -> None:
    room.play()
    room.turn("R10 R11 R12 R13")
    room.turn("R10 R11 R12 R13 | R10 B10 K10 | K1 K2 K3")
    tiles = {"3": "R13", "4": "R10", "5": "B10", "6": "K10"}
    room.do("delete_tiles", tiles=tiles)
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 R12 | K1 K2 K3"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]
    assert shown["desync"] is None
    room.do("undo")
    assert [player["rack"] for player in room.snapshot()["match"]["players"]] == [10, 8]


@pytest.mark.parametrize("tiles", [{"3": "K4", "4": "B8"}, {"3": "K4", "77": "B9"}, {"x": "K4"}])
def test_all_that_is_struck_at_once_is_there_as_it_was_shown(
    room: Room, tiles: dict[str, str]
) -> None:
    room.show("R10 R11 R12 | K4 B9 O2")
    with pytest.raises(CommandError):
        room.do("delete_tiles", tiles=tiles)
    with pytest.raises(CommandError, match="look again"):
        room.do("delete_tiles", tiles={})
    assert len(room.snapshot()["tiles"]) == 6


def test_a_tile_that_was_struck_out_by_mistake_is_nobodys_move(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12 R13")
    room.show("R10 R11 R12 R13 | B10 B11 B12")
    room.do("delete_tile", id=3)
    room.do("add_tile", quad=quad_at(50 + 61 * 3, 40).tolist(), tile="R13")
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 R12 R13"
    assert [player["rack"] for player in shown["match"]["players"]] == [10, 14]
    assert shown["proposal"]["story"].startswith("Laid Blue 10-12;")
    assert shown["desync"] is None


def test_a_tile_laid_where_there_was_none_is_a_move(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12 R13")
    room.turn("R10 R11 R12 R13 | B10 B11 B12")
    room.do("delete_tile", id=3)
    room.show("R10 R11 R12 | B10 B11 B12")
    room.do("add_tile", quad=quad_at(50 + 61 * 3, 40).tolist(), tile="R13")
    assert room.snapshot()["match"]["table"] == "R10 R11 R12 | B10 B11 B12"
    assert room.snapshot()["proposal"]["story"].startswith("Red 13 joined")


def test_a_tile_that_is_gone_on_the_word_of_the_table_was_never_there(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12 R13")
    room.show("R10 R11 R12", hand=False)
    room.wait(3)
    room.do("put_right", take="table")
    assert room.snapshot()["match"]["players"][0]["rack"] == 11
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_a_move_that_no_hand_explains_is_the_movers_on_the_word_of_the_table(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show("R10 R11 R12 | K1 K2", hand=False)
    room.wait(3)
    room.do("put_right", take="table")
    shown = room.snapshot()
    assert shown["match"]["players"][0]["rack"] == 11
    assert (shown["proposal"]["player"], shown["proposal"]["legal"]) == ("Bob", False)


def test_what_happened_while_nobody_looked_may_be_a_turn(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    again = Room(store=room.store)
    again.show("R10 R11 R12 | K10 K11 K12", hand=False)
    again.wait(10)
    assert again.snapshot()["proposal"]["legal"] is True
    assert again.snapshot()["desync"] is None
    again.do("end_turn")
    assert again.snapshot()["match"]["turn"] == "Ann"


@pytest.mark.parametrize("seen", ["R10 R11 O12", "R10 R11", "R10 R11 R12 | K9 K10", "R10 | R12"])
def test_nobody_answers_for_what_a_restart_forgot(room: Room, seen: str) -> None:
    """What a person put right may be misread again, once the word for it is gone."""
    room.play()
    room.turn(OPENING)
    again = Room(store=room.store)
    again.show(seen, hand=False)
    again.wait(10)
    shown = again.snapshot()
    assert shown["proposal"] is None
    assert shown["desync"] is not None


def test_a_word_for_a_tile_that_is_misread_after_a_restart_settles_it(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    again = Room(store=room.store)
    again.show("R10 R11 O12", hand=False)
    again.wait(10)
    again.do("correct_tile", id=2, tile="R12")
    shown = again.snapshot()
    assert (shown["desync"], shown["proposal"], shown["match"]["table"]) == (None, None, OPENING)


@pytest.mark.parametrize("said", [("correct_tile", {"tile": "O12"}), ("delete_tile", {})])
def test_a_word_for_a_tile_is_not_taken_for_another_after_a_restart(
    room: Room, said: tuple[str, dict[str, str]]
) -> None:
    """The dialog of a page outlasts the program, in which tiles are numbered anew."""
    room.play()
    room.turn(OPENING)
    asked = next(one for one in room.snapshot()["tiles"] if one["tile"] == "R12")
    again = Room(store=room.store)
    again.show("B10 B11 B12 | R10 R11 R12")
    name, values = said
    with pytest.raises(CommandError, match="no longer there"):
        again.do(name, id=asked["id"], was=asked["tile"], **values)
    assert again.snapshot()["proposal"]["legal"]


def test_tiles_are_added_and_deleted_by_hand(room: Room) -> None:
    room.show("R3 R4 R5")
    room.do("delete_tile", id=1)
    assert [tile["tile"] for tile in room.snapshot()["tiles"]] == ["R3", "R5"]
    room.do("add_tile", quad=[[0, 0], [60, 0], [60, 90], [0, 90]], tile="K1")
    assert [tile["tile"] for tile in room.snapshot()["tiles"]] == ["R3", "R5", "K1"]
    with pytest.raises(CommandError, match="no longer there"):
        room.do("delete_tile", id=77)
    for quad in ([[0, 0]], [[0, 0], [1e300, 0], [9, 9], [0, 9]]):
        with pytest.raises(CommandError, match="four corners"):
            room.do("add_tile", quad=quad, tile="K1")


def test_a_joker_is_declared_as_what_it_can_be(room: Room) -> None:
    room.show("R3 J R5 | B7 K7 J")
    with pytest.raises(CommandError, match="it can be Red 4"):
        room.do("declare_joker", id=1, tile="R7")
    room.do("declare_joker", id=1, tile="R4")
    assert room.snapshot()["tiles"][1]["declared"] == "R4"
    with pytest.raises(CommandError, match="no joker"):
        room.do("declare_joker", id=0, tile="R4")


def test_a_draw_over_a_changed_table_is_a_disagreement_at_once(room: Room) -> None:
    room.play()
    room.show(OPENING)
    room.do("drew")
    assert len(room.snapshot()["desync"]["extra"]) == 3
    room.do("undo")
    room.do("put_right", take="table")
    assert room.snapshot()["proposal"]["player"] == "Ann"


def test_a_new_round_begins_with_an_empty_table(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.do("end_round", racks={"Ann": "", "Bob": "R5"})
    assert room.snapshot()["desync"] is None
    room.do("start_round", starter="Bob")
    assert len(room.snapshot()["desync"]["extra"]) == 3
    room.show("")
    assert room.snapshot()["desync"] is None


def test_the_clock_stands_while_table_and_record_disagree(room: Room) -> None:
    room.play(timer_s=60)
    room.turn(OPENING)
    room.show("R10 R11", hand=False)
    room.wait(3)
    left_s = room.snapshot()["clock"]["left_s"]
    room.wait(30)
    assert room.snapshot()["clock"]["left_s"] == left_s
