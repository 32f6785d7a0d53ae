"""Rounds and matches that were over by the count, and went on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.events import (
    Adjusted,
    Dealt,
    Drew,
    Event,
    MatchError,
    Played,
    PlayedOn,
    Refused,
    RoundEnded,
    Started,
    Stopped,
    TimedOut,
)
from referee.match import replay
from referee.match_state import Match, Phase

THREE = Started(("Ann", "Bob"), changes={"deal_two_players": 3})
OUT = Played("R10 R11 R12")
ALL = Started(("Ann", "Bob"), changes={"deal_two_players": 53})


def play(*events: Event) -> Match:
    return replay(events)


def test_who_is_not_out_plays_on() -> None:
    match = play(THREE, Dealt("Ann"), OUT)
    assert match.phase is Phase.SCORING
    match = play(THREE, Dealt("Ann"), OUT, PlayedOn())
    assert (match.phase, match.current.name, match.turns_played) == (Phase.PLAYING, "Bob", 1)
    assert match.player("Ann").may_hold
    match = play(THREE, Dealt("Ann"), OUT, PlayedOn(), Drew(), Played("R10 R11 R12 R13"))
    assert match.phase is Phase.PLAYING
    match = play(THREE, Dealt("Ann"), OUT, PlayedOn(), RoundEnded({"Ann": "K5", "Bob": "K9"}))
    assert match.scores == ({"Ann": 9, "Bob": -9},)


def test_a_pool_that_is_not_empty_ends_no_round_again() -> None:
    at_once = Started(
        ("Ann", "Bob"), changes={"deal_two_players": 52, "pool_empty_rule": "end_at_once"}
    )
    before = (at_once, Dealt("Ann"), Drew(), Drew())
    assert play(*before).phase is Phase.SCORING
    match = play(*before, PlayedOn(), Played("R1 R2 R3"), Drew())
    assert match.phase is Phase.PLAYING
    assert [player.rack_unsure for player in match.players] == [False, True]
    again = play(*before, PlayedOn(), RoundEnded({"Ann": "K5", "Bob": "K9"}), Dealt("Bob"))
    assert not again.pool_unsure


@given(st.sampled_from([Drew(), Drew("R13"), Refused(), TimedOut(), TimedOut(disturbed=True)]))
def test_what_is_drawn_from_a_pool_that_was_counted_empty_is_not_known(event: Event) -> None:
    started = Started(("Ann", "Bob"), changes={"pool_empty_rule": "end_at_once"})
    racks = {"Ann": "R11 R12", "Bob": " ".join(["O9"] * 103)}
    match = play(started, Dealt("Bob", racks), Drew("K1"), PlayedOn(), event)
    assert (match.player("Ann").rack, match.player("Ann").rack_unsure) == (None, True)
    assert match.player("Bob").rack is not None


def test_who_finds_something_after_all_have_passed_plays_on() -> None:
    passed = (ALL, Dealt("Ann"), Drew(), Drew())
    assert play(*passed).phase is Phase.SCORING
    match = play(*passed, PlayedOn())
    assert (match.phase, match.current.name) == (Phase.PLAYING, "Ann")
    assert play(*passed, PlayedOn(), Drew()).phase is Phase.PLAYING
    assert play(*passed, PlayedOn(), Drew(), Drew()).phase is Phase.SCORING


def test_only_a_round_that_has_begun_goes_on() -> None:
    with pytest.raises(MatchError, match="PlayedOn cannot happen while the match is drawing"):
        play(THREE, PlayedOn())


def test_a_corrected_turn_may_leave_nothing_to_go_on_with() -> None:
    """By a misread tile Ann was out, and it was said that she was not; then it was put right."""
    four = Started(("Ann", "Bob"), changes={"deal_two_players": 4})
    assert play(four, Dealt("Ann"), Played("R10 R11 R12 R13")).phase is Phase.SCORING
    assert play(four, Dealt("Ann"), OUT, PlayedOn()) == play(four, Dealt("Ann"), OUT)


def test_a_corrected_turn_does_not_end_a_round_that_went_on() -> None:
    """By the corrected turn Ann was out; she drew afterwards, so she was not."""
    corrected = (THREE, Dealt("Ann"), OUT, Drew(), Drew())
    match = play(*corrected)
    assert (match.phase, match.current.name) == (Phase.PLAYING, "Bob")
    assert match.player("Ann").rack_unsure
    ended = play(*corrected, RoundEnded({"Ann": "", "Bob": "R5"}))
    assert ended.scores == ({"Ann": 5, "Bob": -5},)


def test_a_corrected_round_may_reach_the_goal_before_the_match_was_over() -> None:
    goal = Started(("Ann", "Bob"), goal="points", amount=20)
    rounds = [
        event
        for tiles in ("R13 K13", "R1", "R2")
        for event in (Dealt("Ann"), Played("B10 B11 B12"), RoundEnded({"Bob": tiles}))
    ]
    match = play(goal, *rounds)
    assert match.player("Ann").score == 29
    assert match.phase is Phase.OVER
    assert play(goal, *rounds, Dealt("Bob")).phase is Phase.PLAYING


@given(st.integers(-20, 20), st.integers(-20, 20))
def test_points_by_agreement_count_for_the_goal(first: int, second: int) -> None:
    goal = Started(("Ann", "Bob"), goal="points", amount=10)
    won: list[Event] = [Dealt("Ann"), Played("B10 B11 B12"), RoundEnded({"Ann": "", "Bob": "R5"})]
    match = play(goal, *won, Adjusted("Ann", first), Adjusted("Ann", second))
    assert (match.phase is Phase.OVER) is (5 + first + second >= 10)
    assert play(goal, *won, Adjusted("Ann", first), Dealt("Bob")).phase is Phase.PLAYING


def test_a_match_that_was_stopped_stays_so() -> None:
    for events in ([Stopped()], [Adjusted("Ann", 5), Stopped()]):
        with pytest.raises(MatchError, match="Dealt cannot happen while the match is over"):
            play(THREE, *events, Dealt())
