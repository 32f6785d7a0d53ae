"""Matches: begun, scored, edited, resumed, and timed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.live.fake_store import FakeRecorded, FakeStore
from tests.web.live.rooms import Room
from web.live.errors import CommandError
from web.site.tongues import Tongues
from web.store import StoreError

if TYPE_CHECKING:
    from referee.events import Event

OPENING = "R10 R11 R12"


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


def test_a_rack_of_nobody_ends_no_round(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    before = room.snapshot()["match"]
    with pytest.raises(CommandError, match="nobody is called 'Eve'"):
        room.do("end_round", racks={"Ann": "", "Bob": "R5", "Eve": "R7"})
    assert room.snapshot()["match"] == before
    room.do("end_round", racks={"Ann": "", "Bob": "r5, k7"})
    assert room.snapshot()["match"]["rounds"][0]["scores"] == {"Ann": 12, "Bob": -12}


def test_an_edited_round_gives_other_totals(room: Room) -> None:
    room.play()
    room.turn(OPENING)
    room.do("end_round", racks={"Ann": "", "Bob": "R5"})
    seq = room.snapshot()["history"][-1]["seq"]
    room.do("edit_event", seq=seq, event={"event": "RoundEnded", "racks": {"Bob": "R9"}})
    assert room.snapshot()["match"]["players"][0]["score"] == 9


def test_of_a_round_that_is_edited_the_other_racks_stay(room: Room) -> None:
    room.play("Ann", "Bob", "Cem")
    room.turn(OPENING)
    room.do("end_round", racks={"Ann": "", "Bob": "R5", "Cem": "K9"})
    seq = room.snapshot()["history"][-1]["seq"]
    room.do("edit_event", seq=seq, event={"event": "RoundEnded", "racks": {"Bob": "R7"}})
    scores = {"Ann": 16, "Bob": -7, "Cem": -9}
    assert room.snapshot()["match"]["rounds"][0]["scores"] == scores
    with pytest.raises(CommandError, match="nobody is called 'Eve'"):
        room.do("edit_event", seq=seq, event={"event": "RoundEnded", "racks": {"Eve": "R7"}})
    assert room.snapshot()["match"]["rounds"][0]["scores"] == scores


def test_a_round_that_is_edited_changes_no_later_turns(room: Room) -> None:
    room.play(ruleset="crazy")
    room.do("end_round", racks={"Ann": "", "Bob": "R5"})
    seq = room.snapshot()["history"][-1]["seq"]
    room.do("start_round")
    room.turn(OPENING)
    before = room.snapshot()["match"]["players"]
    told = {"event": "RoundEnded", "racks": {"Ann": "R5", "Bob": ""}}
    room.do("edit_event", seq=seq, event=told)
    after = room.snapshot()["match"]["players"]
    assert [(one["opened"], one["rack"]) for one in before] == [(True, 11), (False, 14)]
    assert [(one["opened"], one["rack"]) for one in after] == [(True, 11), (False, 14)]


def test_a_score_that_is_adjusted_leaves_the_turn_alone(room: Room) -> None:
    room.play(timer_s=60)
    room.show(OPENING)
    room.time.now_s = 20
    room.do("adjust", player="Bob", points=-5, reason="spilled tea")
    room.do("undo")
    assert room.snapshot()["proposal"]["legal"] is True
    assert room.snapshot()["clock"]["left_s"] == 40


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


def test_who_share_the_win_are_all_named(room: Room) -> None:
    room.play("Ann", "Bob", "Cem", ruleset="keadle", goal="points", amount=20)
    room.do("end_round", racks={"Ann": "", "Bob": "K5", "Cem": "K5 B5"})
    assert room.snapshot()["match"]["shared"] == []
    room.do("start_round", starter="Ann")
    room.do("end_round", racks={"Ann": "K5", "Bob": "", "Cem": "K5 B5"})
    match = room.snapshot()["match"]
    assert (match["phase"], match["winner"], match["shared"]) == ("over", None, ["Ann", "Bob"])


def test_nobody_wins_a_match_without_a_round(room: Room) -> None:
    room.play()
    room.do("stop")
    assert room.snapshot()["match"]["shared"] == []


def test_a_finished_match_is_not_taken_up_again(room: Room) -> None:
    room.play()
    room.do("stop")
    assert room.snapshot()["match"]["phase"] == "over"
    again = Room(store=room.store)
    shown = again.snapshot()
    assert shown["match"] is None
    again.do("new_match", players=["Cem", "Dee"], match=None, records=shown["records"])
    assert again.snapshot()["match"]["phase"] == "drawing"


def test_nobodys_time_runs_once_the_round_is_over(room: Room) -> None:
    room.play(timer_s=45, changes={"deal_two_players": 3})
    clock = room.snapshot()["clock"]
    assert (clock["running"], clock["left_s"]) == (True, 45)
    room.turn("R10 R11 R12")
    assert room.snapshot()["match"]["phase"] == "scoring"
    assert room.snapshot()["clock"] is None


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


def test_without_a_clock_there_is_no_time_to_change(room: Room) -> None:
    room.play()
    for name in ("pause_clock", "resume_clock", "extend_clock"):
        with pytest.raises(CommandError, match="without a clock"):
            room.do(name)
    with pytest.raises(CommandError, match="time left"):
        room.do("time_out")


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
    room.do("stop")
    with pytest.raises(CommandError, match="over already"):
        room.do("stop")
    room.do("use_rules", ruleset="crazy")


def test_wrong_commands_say_what_is_wrong(room: Room) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("dance", {}, "no command"),
        ("drew", {}, "No match"),
        ("new_match", {"players": "Ann"}, "list of names"),
        ("new_match", {"players": ["Ann", " Ann"]}, "Two players are called Ann"),
        ("new_match", {"players": ["Ann"]}, "Standard is for 2 to 4 players"),
        ("new_match", {"players": ["Ann", "B" * 41]}, "40 letters at most"),
        ("new_match", {"players": ["Ann", "Bob"], "ruleset": "standrad"}, "standard"),
        ("new_match", {"players": ["Ann", "Bob"], "goal": "points"}, "how many points"),
        ("new_match", {"players": ["Ann", "Bob"], "goal": "rounds"}, "how many rounds"),
        ("correct_tile", {"id": "x", "tile": "R1"}, "whole number"),
    ]
    for name, values, text in wrong:
        with pytest.raises(CommandError, match=text):
            room.do(name, **values)
    assert room.store.writes == 0


def test_who_draws_the_highest_tile_starts(room: Room) -> None:
    room.do("new_match", players=["Ann", "Bob"])
    with pytest.raises(CommandError, match="R5 R6 is no tile"):
        room.do("draw_for_start", tiles={"Ann": "R5 R6", "Bob": "B9"})
    assert room.snapshot()["records"] == 1
    room.do("draw_for_start", tiles={"Ann": "R5", "Bob": "B9"})
    room.do("start_round")
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_handfuls_are_two_numbers_a_player(room: Room) -> None:
    room.do("new_match", players=["Ann", "Bob"], ruleset="mcgraw")
    for handful in (5, [14], [14, "x"], [14, -1], None):
        with pytest.raises(CommandError, match="two whole numbers"):
            room.do("start_round", starter="Ann", handfuls={"Ann": handful})
    room.do("start_round", starter="Ann", handfuls={"Ann": [14, 13], "Bob": [15, 20]})
    assert [player["rack"] for player in room.snapshot()["match"]["players"]] == [29, 37]


def test_what_is_typed_for_a_rack_may_be_written_carelessly(room: Room) -> None:
    room.play()
    room.do("set_leftovers", player="Bob", tiles="r7, k13;J")
    assert room.snapshot()["leftovers"]["racks"]["Bob"]["tiles"] == "R7 K13 J"
    with pytest.raises(CommandError) as refused:
        room.do("set_leftovers", player="Bob", tiles="R7 S5")
    assert Tongues.load().told(refused.value.args[0], "de").startswith("S5 ist kein Stein.")
    assert room.snapshot()["leftovers"]["racks"]["Bob"]["tiles"] == "R7 K13 J"


class FullStore(FakeStore):
    """Keeps nothing any more once it is full."""

    full = False

    def append(
        self,
        match_id: int,
        event: Event,
        *,
        expected: int,
        evidence: bytes | None = None,
        words: dict[str, Any] | None = None,
    ) -> FakeRecorded:
        if self.full:
            raise StoreError("The disk is full.")
        return super().append(match_id, event, expected=expected, evidence=evidence, words=words)


def test_what_cannot_be_kept_is_not_shown() -> None:
    store = FullStore()
    room = Room(store=store)
    room.play()
    room.show(OPENING)
    before, store.full = room.snapshot()["match"], True
    with pytest.raises(CommandError, match="disk is full"):
        room.do("end_turn")
    assert room.snapshot()["match"] == before
    assert room.snapshot()["proposal"]["legal"] is True
    store.full = False
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Bob"


def test_a_turn_counts_without_its_picture(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object) -> bytes:
        raise ValueError("no picture today")

    room.play()
    room.show(OPENING)
    monkeypatch.setattr("web.live.pictures.encode_jpeg", fails)
    room.do("end_turn")
    assert room.snapshot()["match"]["turn"] == "Bob"
    assert room.snapshot()["history"][-1]["evidence"] is False
    assert "without its picture" in caplog.text


def test_the_hand_limit_is_shown_and_going_over_it_costs(room: Room) -> None:
    room.play()
    assert room.snapshot()["match"]["hand_limit"] is None
    room.play("Ann", "Bob", ruleset="rummibug-relaxed")
    assert room.snapshot()["match"]["hand_limit"] == 30
    room.do("kept_too_many", player="Ann")
    assert room.snapshot()["match"]["players"][0]["score"] == -5


@pytest.mark.parametrize(
    ("ruleset", "racks", "starts"),
    [
        ("crazy", {"Bob": "", "Ann": "R5"}, "Bob"),
        ("crazy", {"Ann": "R5", "Bob": "R5"}, None),
        ("mcgraw", {"Ann": "R5", "Bob": ""}, "Ann"),
        ("mcgraw", {"Ann": "R5", "Bob": "B5"}, None),
        ("standard", {"Ann": "R5", "Bob": ""}, None),
    ],
)
def test_who_starts_the_next_round_by_the_rules_is_told(
    room: Room, ruleset: str, racks: dict[str, str], starts: str | None
) -> None:
    room.do("new_match", players=["Ann", "Bob"], ruleset=ruleset)
    assert room.snapshot()["match"]["starts"] is None
    room.do("start_round", starter="Ann")
    room.do("end_round", racks=racks)
    assert room.snapshot()["match"]["starts"] == starts
    room.do("start_round", starter="Ann")
    assert room.snapshot()["match"]["starts"] is None
