"""Turns as people see them: look, propose, confirm or refuse."""

from __future__ import annotations

import json

import pytest

from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from vision.watching.sights import Phase
from web.live.errors import CommandError
from web.live.settings import LiveSettings

OPENING = "R10 R11 R12"


def test_without_a_match_tiles_and_verdicts_are_shown(room: Room) -> None:
    room.show("R3 R4 R5 | B7 K7 B7")
    shown = room.snapshot()
    assert shown["match"] is None
    assert shown["proposal"] is None
    assert [part["status"] for part in shown["parts"]] == ["valid", "invalid"]
    assert shown["parts"][1]["texts"] == ["Blue 7 is in this group twice."]
    assert shown["parts"][0]["cells"] == [[0, 1, 2]]
    assert shown["tiles"][0]["quad"][0] == [50.0, 40.0]


def test_a_snapshot_is_json(room: Room) -> None:
    room.play()
    room.show(OPENING)
    assert json.loads(json.dumps(room.snapshot())) == room.snapshot()


def test_a_changed_table_proposes_a_turn_and_counts_when_confirmed(room: Room) -> None:
    room.play()
    room.show(OPENING)
    proposal = room.snapshot()["proposal"]
    assert (proposal["player"], proposal["legal"], proposal["points"]) == ("Ann", True, 33)
    assert room.snapshot()["match"]["turn"] == "Ann"
    room.do("end_turn")
    shown = room.snapshot()
    assert shown["proposal"] is None
    assert shown["match"]["turn"] == "Bob"
    assert shown["match"]["players"][0]["rack"] == 11
    assert shown["history"][-1]["story"] == "Laid Red 10-12; 33 points from the rack."
    assert room.store.pictures[0][:2] == b"\xff\xd8"


def test_nothing_counts_by_itself(room: Room) -> None:
    room.play()
    room.show(OPENING)
    writes = room.store.writes
    room.wait(3600)
    assert room.store.writes == writes
    assert room.snapshot()["proposal"]["legal"] is True


def test_a_certain_turn_counts_by_itself_where_that_is_wanted() -> None:
    room = Room(settings=LiveSettings(auto_accept=True, still_s=4))
    room.play()
    room.show(OPENING)
    room.wait(3)
    assert room.snapshot()["proposal"] is not None
    room.wait(2, Phase.HAND)
    assert room.snapshot()["proposal"] is not None
    room.wait(1)
    assert room.snapshot()["proposal"] is None
    assert room.snapshot()["match"]["turn"] == "Bob"


@pytest.mark.parametrize("table", ["R10 R11", "R10 R11 R12?", "R1 R2 R3"])
def test_what_is_unsure_or_illegal_never_counts_by_itself(table: str) -> None:
    room = Room(settings=LiveSettings(auto_accept=True, still_s=4))
    room.play()
    doubts = {"R12": "glare"} if "?" in table else {}
    room.show(settled(table.replace("?", ""), doubts=doubts))
    room.wait(60)
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_an_unsure_tile_is_asked_about_and_nobody_is_accused(room: Room) -> None:
    room.play()
    room.show(settled("R10 R11 O12", doubts={"O12": "The light hides its colour."}))
    proposal = room.snapshot()["proposal"]
    assert (proposal["legal"], proposal["unsure"], proposal["violations"]) == (None, True, [])
    assert proposal["look"]["id"] == 2
    assert "Orange 12?" in proposal["story"]
    with pytest.raises(CommandError, match="Orange 12"):
        room.do("end_turn")
    room.do("correct_tile", id=2, tile="R12")
    assert room.snapshot()["proposal"]["legal"] is True
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_who_ends_a_turn_vouches_for_its_unsure_tiles_alone(room: Room) -> None:
    room.play()
    room.show(settled("R10 R11 R12", doubts={"R12": "glare"}))
    room.do("end_turn", accept_unsure=True)
    said = [tile["tile"] for tile in room.snapshot()["tiles"] if tile["status"] == "corrected"]
    assert said == ["R12"]


def test_an_illegal_turn_is_refused_and_the_table_restored(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show("R10 R11 R12 | B3 B4")
    with pytest.raises(CommandError, match="not legal"):
        room.do("end_turn")
    room.do("end_turn", refuse=True)
    shown = room.snapshot()
    assert shown["match"]["turn"] == "Ann"
    assert shown["match"]["players"][1]["rack"] == 17
    assert [move["tile"] for move in shown["restore"]["moves"]] == ["B3", "B4"]
    assert shown["restore"]["evidence_id"] == 1
    with pytest.raises(CommandError, match="put back"):
        room.do("end_turn")
    room.show(OPENING)
    assert room.snapshot()["restore"] is None
    assert room.snapshot()["desync"] is None


def test_a_player_may_put_the_table_back_and_think_again(room: Room) -> None:
    room.play()
    with pytest.raises(CommandError, match="as on the record"):
        room.do("restore")
    room.turn(OPENING)
    room.show("R10 R11 | R12 B5")
    room.do("restore")
    assert [move["tile"] for move in room.snapshot()["restore"]["moves"]] == ["B5", "R12"]
    room.show(OPENING)
    shown = room.snapshot()
    assert (shown["restore"], shown["match"]["turn"]) == (None, "Bob")
    assert shown["match"]["players"][1]["rack"] == 14


def test_who_thinks_again_need_not_put_everything_back_first(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.show(f"{OPENING} | B10 B11 B13")
    room.do("restore")
    room.show(f"{OPENING} | B10 B11")
    assert room.snapshot()["restore"]
    room.show(f"{OPENING} | B10 B11 B12")
    shown = room.snapshot()
    assert (shown["restore"], shown["proposal"]["legal"]) == (None, True)
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_what_a_refused_turn_leaves_is_never_the_next_players(room: Room) -> None:
    room.play()
    room.show("R1 R2 R3")  # too few points to open
    room.do("end_turn", refuse=True)
    room.do("undo")
    room.do("restore")
    for table in ("R1 R2 R3 R4", "R1 R2 R3 | R10 R11 R12"):
        room.show(table)
        assert room.snapshot()["proposal"] is None
        assert room.snapshot()["restore"]


def test_the_players_may_let_an_illegal_turn_pass(room: Room) -> None:
    room.play()
    room.show("R1 R2 R3")
    assert room.snapshot()["proposal"]["legal"] is False
    room.do("end_turn", accept_illegal=True)
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_they_may_let_it_pass_though_a_tile_is_unsure_by_now(room: Room) -> None:
    room.play()
    room.show("R1 R2 R3")
    room.show(settled("R1 R2 R3", doubts={"R3": "glare"}))
    room.do("end_turn", table="R1 R2 R3", accept_illegal=True)
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_a_legal_turn_cannot_be_refused(room: Room) -> None:
    room.play()
    room.show(OPENING)
    with pytest.raises(CommandError, match="is legal"):
        room.do("end_turn", refuse=True)


@pytest.mark.parametrize(
    ("said", "text"), [({}, "Tap the tile"), ({"accept_unsure": True}, "cannot be refused")]
)
def test_nobody_is_penalised_for_a_turn_that_is_unsure(
    room: Room, said: dict[str, bool], text: str
) -> None:
    room.play()
    room.show(settled("R10 R11 O12", doubts={"O12": "The light hides its colour."}))
    with pytest.raises(CommandError, match=text):
        room.do("end_turn", refuse=True, **said)
    shown = room.snapshot()["match"]
    assert (shown["turn"], shown["players"][0]["rack"]) == ("Ann", 14)


def test_a_refused_turn_and_one_that_took_too_long_are_kept_with_their_pictures(
    room: Room,
) -> None:
    room.play(timer_s=60)
    room.show("R1 R2 R3")
    room.do("end_turn", refuse=True)
    room.show("")
    room.wait(61)
    room.do("time_out")
    assert [one["evidence"] for one in room.snapshot()["history"][-2:]] == [True, True]


def test_without_a_change_there_is_no_turn_to_end(room: Room) -> None:
    room.play()
    with pytest.raises(CommandError, match="has not shown"):
        room.do("end_turn")
    room.show("")
    with pytest.raises(CommandError, match="Ann plays something, or draws"):
        room.do("end_turn")


def test_a_turn_is_ended_only_once_the_table_is_still(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.wait(1, Phase.HAND)
    room.do("end_turn", table="R10 R11 R12")
    assert room.snapshot()["ending"] is True
    assert room.snapshot()["match"]["turn"] == "Ann"
    room.wait(1, Phase.MOVING)
    room.show("R10 R11 R12 R13")
    shown = room.snapshot()
    assert shown["ending"] is False
    assert (shown["match"]["turn"], shown["match"]["table"]) == ("Bob", "R10 R11 R12 R13")


def test_a_turn_that_waits_is_ended_though_words_for_its_tiles_fall_away(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.do("correct_tile", id=2, tile="R12")
    room.do("end_turn")
    room.wait(1, Phase.HAND)
    shown = room.snapshot()
    room.do("end_turn", match=shown["match"]["id"], records=shown["records"])
    room.show("R10 R11 R12 | B10 B11 B12")
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_a_picture_that_flickers_keeps_no_turn_from_its_end(room: Room) -> None:
    """Else what the next player lays would be taken for a part of it."""
    room.play()
    room.turn("R10 R11 R12")
    room.show("R10 R11 R12 | B10 B11 B12")
    room.wait(1, Phase.MOVING)
    room.do("end_turn")
    room.wait(1, Phase.HAND)
    room.show("R9 R10 R11 R12 | B10 B11 B12")
    shown = room.snapshot()
    assert shown["match"]["turn"] == "Ann"
    assert (shown["proposal"]["player"], shown["proposal"]["legal"]) == ("Ann", True)


def test_time_that_runs_out_with_a_hand_over_the_table_waits_for_what_it_leaves(
    room: Room,
) -> None:
    """Else what was laid too late would be taken for the next player's turn."""
    room.play(timer_s=60)
    room.show("")
    room.wait(61, Phase.HAND)
    room.do("time_out")
    room.show("R10 R11 R12")
    shown = room.snapshot()
    assert (shown["match"]["turn"], shown["proposal"]) == ("Bob", None)
    assert shown["restore"] is not None
    assert [player["rack"] for player in shown["match"]["players"]] == [14 + 3, 14]


def test_time_that_runs_out_while_tiles_are_put_back_finds_them_out_of_place(room: Room) -> None:
    room.play(timer_s=60)
    room.show("R10 R11")
    room.wait(61)
    room.do("restore")
    room.do("time_out")
    shown = room.snapshot()
    assert shown["restore"] is not None
    assert [player["rack"] for player in shown["match"]["players"]] == [14 + 3, 14]


def test_a_turn_that_turns_out_illegal_is_not_ended(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.wait(1, Phase.HAND)
    room.do("end_turn")
    room.show("R10 R11 R12 | B1 B2")
    assert room.snapshot()["match"]["turn"] == "Ann"
    assert "not legal" in room.snapshot()["message"]


def test_a_table_that_does_not_come_to_rest_ends_no_turn(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.wait(1, Phase.HAND)
    room.do("end_turn")
    room.wait(11, Phase.HAND)
    assert room.snapshot()["ending"] is False
    assert "still moves" in room.snapshot()["message"]
    room.wait(1)
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_any_other_command_takes_the_end_of_the_turn_back(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.wait(1, Phase.HAND)
    room.do("end_turn")
    room.do("challenge")
    room.wait(1)
    assert room.snapshot()["match"]["turn"] == "Ann"


def test_a_page_that_is_behind_ends_and_draws_nothing(room: Room) -> None:
    room.play()
    behind = room.snapshot()["records"]
    room.do("drew", records=behind)
    with pytest.raises(CommandError, match="gone on"):
        room.do("drew", records=behind)
    assert room.snapshot()["match"]["turn"] == "Bob"
    room.show("R10 R11 R12 R13")
    with pytest.raises(CommandError, match="has changed"):
        room.do("end_turn", table="R10 R11 R12")


def test_a_page_that_shows_another_match_does_nothing(room: Room) -> None:
    room.play()
    shown = room.snapshot()
    room.play()
    assert room.snapshot()["records"] == shown["records"]
    with pytest.raises(CommandError, match="gone on"):
        room.do("drew", match=shown["match"]["id"], records=shown["records"])


def test_drawing_passes_the_turn_on(room: Room) -> None:
    room.play()
    room.do("drew")
    shown = room.snapshot()["match"]
    assert (shown["turn"], shown["pool"], shown["players"][0]["rack"]) == ("Bob", 77, 15)
    with pytest.raises(CommandError, match="R99"):
        room.do("drew", tiles="R99")
    assert room.snapshot()["match"] == shown


def test_with_an_empty_pool_nobody_is_told_to_draw(room: Room) -> None:
    changes = {"deal_two_players": 51, "timer_s": 60}
    room.play(changes=changes)
    assert room.snapshot()["match"]["penalty"] == 3
    room.do("drew")
    room.do("drew")
    left = room.snapshot()["match"]
    room.show("R1 R2 R3")  # too few points to open
    assert (left["pool"], left["penalty"]) == (2, 2)
    room.do("end_turn", refuse=True)
    assert room.snapshot()["history"][-1]["story"] == "The table was put back; drew 2 tiles."
    room.show("")
    assert room.snapshot()["match"]["penalty"] == 0
    with pytest.raises(CommandError, match=r"Bob plays something, or passes\."):
        room.do("end_turn")
    room.show("R1 R2 R3")
    room.do("end_turn", refuse=True)
    assert room.snapshot()["history"][-1]["story"] == "The table was put back; drew nothing."
    room.show("")
    room.time.now_s += 61
    room.do("time_out")
    assert room.snapshot()["history"][-1]["story"] == "Time ran out; drew nothing."


def test_a_challenge_is_answered(room: Room) -> None:
    room.play()
    with pytest.raises(CommandError, match="no turn to challenge"):
        room.do("challenge")
    room.show("R1 R2 R3")
    room.do("challenge")
    assert room.snapshot()["answer"]["legal"] is False
    room.do("end_turn", accept_illegal=True)
    room.do("challenge")
    answer = room.snapshot()["answer"]
    assert (answer["player"], answer["legal"]) == ("Ann", False)
    assert "30 points" in answer["text"]
