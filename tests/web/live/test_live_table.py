"""The table as people use it: look, propose, confirm, disagree, put right."""

from __future__ import annotations

import json
from typing import Any

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


def test_the_players_may_let_an_illegal_turn_pass(room: Room) -> None:
    room.play()
    room.show("R1 R2 R3")
    assert room.snapshot()["proposal"]["legal"] is False
    room.do("end_turn", accept_illegal=True)
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_a_legal_turn_cannot_be_refused(room: Room) -> None:
    room.play()
    room.show(OPENING)
    with pytest.raises(CommandError, match="is legal"):
        room.do("end_turn", refuse=True)


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
    room.do("end_turn")
    assert room.snapshot()["ending"] is True
    assert room.snapshot()["match"]["turn"] == "Ann"
    room.wait(1, Phase.MOVING)
    room.show("R10 R11 R12 R13")
    shown = room.snapshot()
    assert shown["ending"] is False
    assert (shown["match"]["turn"], shown["match"]["table"]) == ("Bob", "R10 R11 R12 R13")


def test_a_turn_that_turns_out_illegal_is_not_ended(room: Room) -> None:
    room.play()
    room.show("R10 R11 R12")
    room.wait(1, Phase.HAND)
    room.do("end_turn")
    room.show("R10 R11 R12 | B1")
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


def test_drawing_passes_the_turn_on(room: Room) -> None:
    room.play()
    room.do("drew")
    shown = room.snapshot()["match"]
    assert (shown["turn"], shown["pool"], shown["players"][0]["rack"]) == ("Bob", 77, 15)


def test_tiles_that_vanish_without_a_hand_are_a_disagreement(room: Room) -> None:
    room.play()
    room.turn(OPENING)
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


def test_undo_and_redo_follow_each_other(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    before = room.snapshot()["match"]
    room.do("undo")
    room.do("redo")
    assert room.snapshot()["match"] == before
    with pytest.raises(CommandError, match="again"):
        room.do("redo")


def test_there_is_always_a_match_left_to_undo_into(room: Room) -> None:
    room.play()
    room.do("undo")
    assert room.snapshot()["can"] == {"undo": False, "redo": True}
    with pytest.raises(CommandError, match="nothing to take back"):
        room.do("undo")


def test_a_corrected_tile_is_corrected_in_the_record_too(room: Room) -> None:
    room.play()
    room.turn("R10 R11 R12")
    room.turn("R10 R11 R12 | B10 B11 B12")
    room.do("correct_tile", id=2, tile="O12")
    shown = room.snapshot()
    assert shown["match"]["table"] == "R10 R11 O12 | B10 B11 B12"
    assert [player["rack"] for player in shown["match"]["players"]] == [11, 11]
    assert shown["desync"] is None


def test_tiles_are_added_and_deleted_by_hand(room: Room) -> None:
    room.show("R3 R4 R5")
    room.do("delete_tile", id=1)
    assert [tile["tile"] for tile in room.snapshot()["tiles"]] == ["R3", "R5"]
    room.do("add_tile", quad=[[0, 0], [60, 0], [60, 90], [0, 90]], tile="K1")
    assert [tile["tile"] for tile in room.snapshot()["tiles"]] == ["R3", "R5", "K1"]
    with pytest.raises(CommandError, match="no longer there"):
        room.do("delete_tile", id=77)
    with pytest.raises(CommandError, match="four corners"):
        room.do("add_tile", quad=[[0, 0]], tile="K1")


def test_a_joker_is_declared_as_what_it_can_be(room: Room) -> None:
    room.show("R3 J R5 | B7 K7 J")
    with pytest.raises(CommandError, match="it can be Red 4"):
        room.do("declare_joker", id=1, tile="R7")
    room.do("declare_joker", id=1, tile="R4")
    assert room.snapshot()["tiles"][1]["declared"] == "R4"
    with pytest.raises(CommandError, match="no joker"):
        room.do("declare_joker", id=0, tile="R4")


def test_a_round_is_scored_from_photographs_of_the_racks() -> None:
    room = Room(rack="R2 K10")
    room.play("Ann", "Bob", changes={"deal_two_players": 3})
    room.show(OPENING)
    room.do("end_turn")
    assert room.snapshot()["match"]["phase"] == "scoring"
    with pytest.raises(CommandError, match="rack of Bob"):
        room.do("end_round")
    room.do("read_leftovers", player="Bob")
    left = room.snapshot()["leftovers"]
    assert left["racks"]["Bob"]["value"] == 12
    assert left["scores"] == {"Ann": 12, "Bob": -12}
    assert room.snapshot()["match"]["players"][0]["score"] == 0
    room.do("end_round")
    shown = room.snapshot()["match"]
    assert shown["rounds"] == [{"winner": "Ann", "scores": {"Ann": 12, "Bob": -12}}]
    assert [player["rank"] for player in shown["players"]] == [1, 2]


def test_an_edited_round_gives_other_totals(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.do("end_round", racks={"Ann": "", "Bob": "R5"})
    seq = room.snapshot()["history"][-1]["seq"]
    room.do("edit_event", seq=seq, event={"event": "RoundEnded", "racks": {"Bob": "R9"}})
    assert room.snapshot()["match"]["players"][0]["score"] == 9


def test_a_score_that_is_adjusted_leaves_the_turn_alone(room: Room) -> None:
    room.play(timer_s=60)
    room.show(OPENING)
    room.time.now_s = 20
    room.do("adjust", player="Bob", points=-5, reason="spilled tea")
    room.do("undo")
    assert room.snapshot()["proposal"]["legal"] is True
    assert room.snapshot()["clock"]["left_s"] == 40


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


def test_an_edit_that_cannot_be_changes_nothing(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    before = room.snapshot()["match"]
    seq = room.snapshot()["history"][1]["seq"]
    with pytest.raises(CommandError):
        room.do("edit_event", seq=seq, event={"event": "Drew"})
    with pytest.raises(CommandError, match="no longer counts"):
        room.do("edit_event", seq=99, event={"event": "Drew"})
    assert room.snapshot()["match"] == before


def test_a_match_goes_on_where_it_stood(room: Room) -> None:
    room.play(timer_s=60)
    room.turn(OPENING)
    again = Room(store=room.store)
    assert again.snapshot()["match"] == room.snapshot()["match"]
    assert again.snapshot()["history"] == room.snapshot()["history"]
    assert again.snapshot()["clock"]["running"] is False
    again.show(OPENING, hand=False)
    assert again.snapshot()["desync"] is None


def test_a_finished_match_is_not_taken_up_again(room: Room) -> None:
    room.play()
    room.do("stop")
    assert room.snapshot()["match"]["phase"] == "over"
    assert Room(store=room.store).snapshot()["match"] is None


def test_the_clock_pauses_is_extended_and_runs_out(room: Room) -> None:
    room.play(timer_s=60)
    room.time.now_s = 20
    assert room.snapshot()["clock"]["left_s"] == 40
    room.do("pause_clock")
    room.time.now_s = 50
    room.do("resume_clock")
    room.do("extend_clock")
    assert room.snapshot()["clock"]["left_s"] == 70
    with pytest.raises(CommandError, match="again"):
        room.do("extend_clock")
    with pytest.raises(CommandError, match="time left"):
        room.do("time_out")
    room.wait(71)
    assert room.snapshot()["clock"]["expired"] is True
    assert room.snapshot()["match"]["turn"] == "Ann"
    room.do("time_out")
    assert room.snapshot()["match"]["turn"] == "Bob"
    assert room.snapshot()["match"]["players"][0]["rack"] == 15


def test_the_clock_stands_while_table_and_record_disagree(room: Room) -> None:
    room.play(timer_s=60)
    room.turn(OPENING)
    room.show("R10 R11", hand=False)
    room.wait(3)
    left_s = room.snapshot()["clock"]["left_s"]
    room.wait(30)
    assert room.snapshot()["clock"]["left_s"] == left_s


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


def test_a_hint_needs_a_known_rack(room: Room) -> None:
    room.do("new_match", players=["Ann", "Bob"])
    room.do("start_round", starter="Ann", racks={"Ann": "R10 R11 R12 B1", "Bob": "B2"})
    room.do("hint")
    assert room.snapshot()["answer"]["tiles"] == "R10 R11 R12"
    room.do("undo")
    room.do("start_round", starter="Ann")
    with pytest.raises(CommandError, match="not known"):
        room.do("hint")


def test_rules_change_only_between_matches(room: Room) -> None:
    room.do("use_rules", ruleset="crazy")
    assert room.snapshot()["rules"] == "crazy"
    room.play()
    assert room.snapshot()["rules"] == "standard"
    with pytest.raises(CommandError, match="keeps its rules"):
        room.do("use_rules", ruleset="crazy")


def test_wrong_commands_say_what_is_wrong(room: Room) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("dance", {}, "no command"),
        ("drew", {}, "No match"),
        ("new_match", {"players": "Ann"}, "list of names"),
        ("new_match", {"players": ["Ann", "Ann"]}, "different names"),
        ("new_match", {"players": ["Ann", "Bob"], "ruleset": "standrad"}, "standard"),
        ("new_match", {"players": ["Ann", "Bob"], "goal": "points"}, "how many points"),
        ("correct_tile", {"id": "x", "tile": "R1"}, "whole number"),
    ]
    for name, values, text in wrong:
        with pytest.raises(CommandError, match=text):
            room.do(name, **values)
    assert room.store.writes == 0
