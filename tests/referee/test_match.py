"""Matches: the fold of their events, round scores, and who starts."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import NotationError, load_ruleset, parse_tiles
from referee.events import (
    Adjusted,
    Dealt,
    Drew,
    DrewForStart,
    Event,
    KeptTooMany,
    MatchError,
    Played,
    Refused,
    RoundEnded,
    Started,
    Stopped,
    TimedOut,
    decode,
    encode,
)
from referee.match import hand_limit, replay, standings
from referee.match_state import Match, Phase
from referee.mover import equipment
from referee.rulesets import override, ruleset_names
from referee.scoring import score_round

PAIR = ("Ann", "Bob")


def play(*events: Event, ruleset: str = "standard", players: tuple[str, ...] = PAIR) -> Match:
    return replay([Started(players, ruleset), *events])


def sizes(match: Match) -> list[int]:
    return [player.rack_size for player in match.players]


@pytest.mark.parametrize(
    ("ruleset", "players", "dealt", "pool"),
    [
        ("standard", 2, 14, 78),
        ("standard", 3, 14, 64),
        ("standard", 4, 14, 50),
        ("rummibug", 4, 21, 22),
        ("rummibug-relaxed", 2, 25, 56),
        ("rummibug-relaxed", 3, 21, 43),
        ("keadle", 4, 14, 50),
        ("keadle", 5, 14, 38),
        ("keadle", 6, 14, 24),
        ("mcgraw", 2, 30, 144),
        ("mcgraw", 4, 29, 80),
    ],
)
def test_the_deal(ruleset: str, players: int, dealt: int, pool: int) -> None:
    names = tuple("ABCDEF"[:players])
    match = play(Dealt("A"), ruleset=ruleset, players=names)
    assert (sizes(match), match.pool) == ([dealt] * players, pool)


@pytest.mark.parametrize(
    ("changes", "dealt"), [({"deal": 16}, 16), ({"deal": 16, "deal_two_players": 20}, 20)]
)
def test_a_house_rule_for_the_deal_is_one_for_two_players_too(
    changes: dict[str, int], dealt: int
) -> None:
    match = replay([Started(PAIR, "standard", changes), Dealt("Ann")])
    assert sizes(match) == [dealt, dealt]


def test_too_few_tiles_for_the_deal() -> None:
    small = Started(("A", "B", "C", "D"), "mcgraw", {"copies": 2})
    with pytest.raises(MatchError, match="132 tiles are needed, but only 108 exist"):
        replay([small, Dealt("A")])


def test_the_highest_tile_starts_and_ties_draw_again() -> None:
    names = ("Ann", "Bob", "Cy")
    tied = play(DrewForStart({"Ann": "R9", "Bob": "B9", "Cy": "K2"}), players=names)
    assert tied.drawing == ("Ann", "Bob")
    jokers = play(DrewForStart({"Ann": "J", "Bob": "B9", "Cy": "K2"}), players=names)
    assert jokers.drawing == names
    events = [
        DrewForStart({"Ann": "R9", "Bob": "B9", "Cy": "K2"}),
        DrewForStart({"Ann": "R1", "Bob": "B2"}),
    ]
    assert play(*events, Dealt(), players=names).current.name == "Bob"


@pytest.mark.parametrize("drawn", ["", "R5 R6", "R14"])
def test_one_tile_is_drawn_for_the_start(drawn: str) -> None:
    with pytest.raises(NotationError, match="expected a tile"):
        play(DrewForStart({"Ann": drawn, "Bob": "B2"}))


@pytest.mark.parametrize(
    ("event", "size", "pool"),
    [
        (Drew(), 15, 77),
        (Refused(), 17, 75),
        (TimedOut(), 15, 77),
        (TimedOut(disturbed=True), 17, 75),
        (Played("R10 R11 R12"), 11, 78),
    ],
)
def test_a_turn_changes_rack_and_pool(event: Event, size: int, pool: int) -> None:
    match = play(Dealt("Ann"), event)
    assert (sizes(match), match.pool) == ([size, 14], pool)
    assert match.current.name == "Bob"


def test_penalties_draw_what_is_left() -> None:
    few: Event = Started(PAIR, "standard", {"deal_two_players": 52})
    match = replay([few, Dealt("Ann"), Refused()])
    assert (sizes(match), match.pool) == ([54, 52], 0)
    assert sizes(replay([few, Dealt("Ann"), Refused(), Refused()])) == [54, 52]


def test_known_racks_are_followed() -> None:
    racks = {"Ann": "R10 R11 R12 B1", "Bob": "B2"}
    match = play(Dealt("Ann", racks), Played("R10 R11 R12"), Drew("K5"))
    assert [player.rack for player in match.players] == [parse_tiles("B1"), parse_tiles("B2 K5")]
    assert [player.opened for player in match.players] == [True, False]


@pytest.mark.parametrize("event", [Drew(), Drew("K5 K6"), Refused(), TimedOut()])
def test_a_rack_is_known_no_longer_once_nobody_knows_what_was_drawn(event: Event) -> None:
    match = play(Dealt("Ann", {"Ann": "R10 R11 R12 B1", "Bob": "B2"}), event)
    assert [player.rack for player in match.players] == [None, parse_tiles("B2")]


def test_a_tile_that_was_drawn_tells_nothing_of_a_hidden_rack() -> None:
    assert play(Dealt("Ann"), Drew("K5")).players[0].rack is None


def test_an_empty_rack_ends_the_round() -> None:
    racks = {"Ann": "R10 R11 R12", "Bob": "B2 J"}
    match = play(Dealt("Ann", racks), Played("R10 R11 R12"))
    assert match.phase is Phase.SCORING
    ended = play(Dealt("Ann", racks), Played("R10 R11 R12"), RoundEnded({"Bob": "B2 J"}))
    assert ended.scores == ({"Ann": 32, "Bob": -32},)
    assert (ended.winner, ended.players[0].games_won) == ("Ann", 1)


@given(st.sampled_from(ruleset_names()), st.sampled_from(["lowest_value", "nobody"]))
def test_who_is_out_wins_also_where_no_turn_was_recorded(ruleset: str, stalemate: str) -> None:
    ended = RoundEnded({"Ann": "", "Bob": "B2 K10"})
    rules = Started(PAIR, ruleset, {"stalemate_winner": stalemate})
    recorded = replay([rules, Dealt("Ann", {"Ann": "R10 R11 R12"}), Played("R10 R11 R12"), ended])
    match = replay([rules, Dealt("Ann"), ended])
    assert (match.winner, match.scores) == ("Ann", recorded.scores)


def test_a_round_of_passes_ends_the_round() -> None:
    drained = Started(PAIR, "standard", {"deal_two_players": 53})
    assert replay([drained, Dealt("Ann"), Drew()]).phase is Phase.PLAYING
    assert replay([drained, Dealt("Ann"), Drew(), Drew()]).phase is Phase.SCORING
    between: list[Event] = [drained, Dealt("Ann"), Drew(), Played("R1 R2 R3"), Drew()]
    assert replay(between).phase is Phase.PLAYING


def test_who_draws_the_last_tile_has_not_passed() -> None:
    one_left = Started(("Ann", "Bob", "Cy"), "standard", {"deal": 35})
    drawn: list[Event] = [one_left, Dealt("Ann"), Drew()]
    assert replay(drawn).pool == 0
    assert replay([*drawn, Drew(), Drew()]).phase is Phase.PLAYING
    assert replay([*drawn, Drew(), Drew(), Drew()]).phase is Phase.SCORING


def test_a_rack_is_still_counted_where_nothing_is_left_to_draw() -> None:
    drained = Started(PAIR, "standard", {"deal_two_players": 53})
    match = replay([drained, Dealt("Ann"), Drew(), Refused()])
    assert [(p.rack_size, p.rack_unsure) for p in match.players] == [(53, False)] * 2


@pytest.mark.parametrize(
    ("turns", "over"),
    [
        ([TimedOut()], False),
        ([TimedOut(), TimedOut()], True),
        ([Drew(), TimedOut()], True),
        ([Drew(), Refused()], False),
        ([Drew(), TimedOut(disturbed=True)], False),
        ([Drew(), Refused(), Drew()], False),
        ([Drew(), Refused(), Drew(), Drew()], True),
        ([Drew(), TimedOut(disturbed=True), Drew()], False),
        ([Drew(), TimedOut(disturbed=True), Drew(), TimedOut()], True),
    ],
)
def test_only_who_tries_nothing_passes(turns: list[Event], *, over: bool) -> None:
    drained = Started(PAIR, "standard", {"deal_two_players": 53})
    assert (replay([drained, Dealt("Ann"), *turns]).phase is Phase.SCORING) is over


def test_who_can_still_draw_does_not_pass_by_letting_the_time_run_out() -> None:
    assert play(Dealt("Ann"), TimedOut(), TimedOut()).phase is Phase.PLAYING


@pytest.mark.parametrize(("rule", "turns"), [("end_at_once", 1), ("one_more_turn_each", 3)])
def test_other_ends_of_the_pool(rule: str, turns: int) -> None:
    last = Started(PAIR, "standard", {"pool_empty_rule": rule, "deal_two_players": 52})
    plays = [Played("R1 R2 R3"), Played("R1 R2 R3 R4"), Played("R1 R2 R3 R4 R5")]
    events: list[Event] = [last, Dealt("Ann"), Drew(), Drew(), *plays[: turns - 1]]
    assert replay(events).phase is Phase.SCORING
    assert replay(events[:-1]).phase is Phase.PLAYING


STALE = {"A": parse_tiles("R5"), "B": parse_tiles("R12"), "C": parse_tiles("R13 R7")}


@pytest.mark.parametrize(
    ("changes", "winner", "scores"),
    [
        ({}, "A", [32, -12, -20]),
        ({"stalemate_scoring": "difference"}, "A", [22, -7, -15]),
        ({"stalemate_scoring": "winner_subtracts_own"}, "A", [27, -12, -20]),
        ({"scoring": "B"}, "A", [32, 0, 0]),
        ({"scoring": "C"}, "A", [0, 12, 20]),
        ({"scoring": "C"}, None, [5, 12, 20]),
        ({"scoring": "none"}, "A", [0, 0, 0]),
        ({}, None, [0, 0, 0]),
    ],
)
def test_round_scores(changes: dict[str, str], winner: str | None, scores: list[int]) -> None:
    rules = override(load_ruleset("standard"), changes)
    assert list(score_round(STALE, rules, winner).values()) == scores


def test_a_shared_stalemate_scores_nothing() -> None:
    match = play(Dealt("Ann"), RoundEnded({"Ann": "R5", "Bob": "B5"}))
    assert (match.winner, match.scores) == (None, ({"Ann": 0, "Bob": 0},))


def test_a_round_that_nobody_went_out_of_is_nobodys_where_the_rules_say_so() -> None:
    started = Started(PAIR, "standard", {"stalemate_winner": "nobody"})
    match = replay([started, Dealt("Ann"), RoundEnded({"Ann": "R5", "Bob": "B9"})])
    assert (match.winner, match.scores) == (None, ({"Ann": 0, "Bob": 0},))


def test_handfuls_of_mcgraw() -> None:
    deal = Dealt("Ann", handfuls={"Ann": [14, 14], "Bob": [14, 13]})
    match = play(deal, RoundEnded({"Ann": "R2", "Bob": "R7 R3 R1 B1"}), ruleset="mcgraw")
    assert match.scores == ({"Ann": -10, "Bob": 4},)
    assert sizes(play(deal, ruleset="mcgraw")) == [30, 29]


def test_the_joker_that_is_left_over_goes_round_from_game_to_game() -> None:
    names = ("Ann", "Bob", "Cem")
    game: list[Event] = [Dealt("Ann"), RoundEnded({"Ann": "", "Bob": "B5", "Cem": "O6"})]
    more = [
        sizes(play(*game * games, Dealt("Ann"), ruleset="mcgraw", players=names))
        for games in range(3)
    ]
    assert more == [[30, 29, 29], [29, 30, 29], [29, 29, 30]]


@pytest.mark.parametrize(
    ("ruleset", "starter"), [("standard", "Ann"), ("crazy", "Bob"), ("mcgraw", "Ann")]
)
def test_who_starts_the_next_round(ruleset: str, starter: str) -> None:
    held = {"Ann": "R9", "Bob": "B5", "Cem": "O6"}
    ended: list[Event] = [Dealt("Ann"), Drew(), Drew(), RoundEnded(held)]
    draw: list[Event] = [DrewForStart(held)] if ruleset == "standard" else []
    match = play(*ended, *draw, Dealt(), ruleset=ruleset, players=("Ann", "Bob", "Cem"))
    assert match.current.name == starter


def test_the_first_seat_starts_where_nobody_drew_for_it() -> None:
    assert play(Dealt()).current.name == "Ann"


def test_who_share_the_loss_draw_for_the_next_start() -> None:
    names = ("Ann", "Bob", "Cem")
    ended: list[Event] = [Dealt("Ann"), RoundEnded({"Ann": "", "Bob": "B5", "Cem": "O5"})]
    match = play(*ended, players=names, ruleset="mcgraw")
    assert match.drawing == ("Bob", "Cem")
    with pytest.raises(MatchError, match="Bob and Cem share the loss: they draw for who starts"):
        play(*ended, Dealt(), players=names, ruleset="mcgraw")
    draw = DrewForStart({"Bob": "R2", "Cem": "K9"})
    assert play(*ended, draw, Dealt(), players=names, ruleset="mcgraw").current.name == "Cem"


@settings(max_examples=30)
@given(
    st.sampled_from(["standard", "mcgraw"]),
    st.sampled_from(["pass_round", "one_more_turn_each", "end_at_once"]),
    st.lists(st.sampled_from([Drew(), Refused(), TimedOut(), Played("R1 R2 R3")]), max_size=6),
)
def test_a_round_begins_like_the_one_before(
    ruleset: str, pool_empty_rule: str, turns: list[Event]
) -> None:
    """Nothing lies on the table, nobody has opened, and all that is drawn is there again."""
    one_left = 197 if ruleset == "mcgraw" else 101
    rules: dict[str, Any] = {"pool_empty_rule": pool_empty_rule, "deal_two_players": one_left}
    rules["starter_next"] = "high_tile"
    free = "R9 R9 B9 B9 K9 K9 O9 O9" if ruleset == "mcgraw" else ""
    dealt = Dealt("Ann", {"Ann": "R1 R2 R3 R4"}, free_tiles=free)
    ended = RoundEnded({"Ann": "R4", "Bob": "B2 K10"})
    first: list[Event] = [Started(PAIR, ruleset, rules), dealt]
    match, again = replay(first), replay([*first, *turns, ended, dealt])
    players = [replace(player, score=0, games_won=0) for player in again.players]
    assert players == list(match.players)
    kept = replace(match, players=again.players, games_played=1, winner="Ann")
    assert replace(again, scores=()) == kept


@pytest.mark.parametrize(
    "values",
    [
        {"event": "Played", "table": 5},
        {"event": "Played", "table": ["R1"]},
        {"event": "Adjusted", "player": "Ann", "points": True},
        {"event": "Adjusted", "player": "Ann", "points": 1.5},
        {"event": "TimedOut", "disturbed": "no"},
        {"event": "RoundEnded", "racks": "R5"},
        {"event": "RoundEnded", "racks": {"Ann": 5}},
        {"event": "Dealt", "handfuls": {"Ann": [1, "2"]}},
        {"event": "Dealt", "handfuls": {1: [1]}},
        {"event": "Started", "players": "Ann"},
        {"event": "Started", "players": ["Ann", 2]},
        {"event": "Started", "players": ["Ann", "Bob"], "goal": "fame"},
        {"event": "Started", "players": ["Ann", "Bob"], "changes": []},
    ],
)
def test_an_event_with_a_value_of_the_wrong_kind_is_none(values: dict[str, Any]) -> None:
    with pytest.raises(MatchError, match=f"^{values['event']}: .* cannot be "):
        decode(values)


def test_the_hand_limit_shrinks_and_costs_points() -> None:
    relaxed = load_ruleset("rummibug-relaxed")
    assert [hand_limit(relaxed, turns, 2) for turns in (0, 1, 2, 6, 99)] == [30, 30, 29, 27, 10]
    assert [hand_limit(relaxed, turns, 3) for turns in (0, 2, 3, 99)] == [35, 35, 34, 10]
    off = override(relaxed, {"hand_limit": 0, "hand_limit_two_players": 0})
    assert [hand_limit(off, turns, players) for turns in (0, 99) for players in (2, 3)] == [0] * 4
    house = override(load_ruleset("standard"), {"hand_limit": 20})
    assert [hand_limit(house, 0, players) for players in (2, 3)] == [20, 20]
    slow = override(relaxed, {"hand_limit_every_rounds": 2})
    assert [hand_limit(slow, turns, 2) for turns in (3, 4, 12)] == [30, 29, 27]
    match = play(Dealt("Ann"), Drew(), KeptTooMany("Ann"), ruleset="rummibug-relaxed")
    assert match.player("Ann").score == -5


@pytest.mark.parametrize(
    ("goal", "amount", "games", "over"),
    [
        ("games", 2, 2, False),
        ("games", 2, 3, True),
        ("rounds", 1, 1, False),
        ("rounds", 1, 2, True),
        ("points", 20, 1, False),
        ("points", 20, 2, True),
        ("open", 0, 2, False),
    ],
)
def test_goals(goal: str, amount: int, games: int, *, over: bool) -> None:
    started = decode(
        {"event": "Started", "players": PAIR, "ruleset": "keadle", "goal": goal, "amount": amount}
    )
    racks = ({"Ann": "", "Bob": "B5 B6"}, {"Ann": "R5 J", "Bob": ""})
    ended = [RoundEnded(racks[number % 2]) for number in range(games)]
    match = replay([started, *(event for end in ended for event in (Dealt("Ann"), end))])
    assert (match.phase is Phase.OVER) == over


@pytest.mark.parametrize("points", [1_000_001, -9 * 10**4299])
def test_no_page_has_to_show_more_points_than_a_table_agrees_on(points: int) -> None:
    with pytest.raises(MatchError, match="nobody is given more than 1000000 points"):
        play(Adjusted("A", points), players=("A", "B"))


def test_standings_share_ranks() -> None:
    adjusted = [Adjusted("A", 5), Adjusted("B", 9), Adjusted("C", 5)]
    high = play(*adjusted, players=("A", "B", "C"))
    assert [(rank, player.name) for rank, player in standings(high)] == [
        (1, "B"),
        (2, "A"),
        (2, "C"),
    ]
    low = play(*adjusted, players=("A", "B", "C"), ruleset="keadle")
    assert [rank for rank, _ in standings(low)] == [1, 1, 3]


@pytest.mark.parametrize(
    ("match_winner", "first"), [("most_games", "Ann"), ("highest_score", "Bob")]
)
def test_many_small_wins_or_one_large_one(match_winner: str, first: str) -> None:
    started = Started(PAIR, "standard", {"match_winner": match_winner})
    small, large = RoundEnded({"Ann": "", "Bob": "B1"}), RoundEnded({"Ann": "J", "Bob": ""})
    games: list[Event] = [one for end in (small, small, large) for one in (Dealt("Ann"), end)]
    assert standings(replay([started, *games]))[0][1].name == first


@given(
    st.sampled_from(ruleset_names()),
    st.sampled_from(["A", "B", "C"]),
    st.sampled_from(["highest_score", "lowest_score", "most_games"]),
)
def test_who_went_out_stands_first(ruleset: str, scoring: str, match_winner: str) -> None:
    """In A and B the high score wins, in C the low one (rules reference 10.12)."""
    rules = Started(PAIR, ruleset, {"scoring": scoring, "match_winner": match_winner})
    dealt, out = Dealt("Bob", {"Bob": "R10 R11 R12"}), Played("R10 R11 R12")
    match = replay([rules, dealt, out, RoundEnded({"Ann": "B2 K10", "Bob": ""})])
    assert [player.name for _, player in standings(match)] == ["Bob", "Ann"]


@pytest.mark.parametrize(("clockwise", "follows"), [(True, "B"), (False, "C")])
def test_which_way_round_the_turn_goes(*, clockwise: bool, follows: str) -> None:
    started = Started(("A", "B", "C"), "standard", {"clockwise": clockwise})
    assert replay([started, Dealt("A"), Drew()]).current.name == follows


def test_the_tiles_of_a_set() -> None:
    assert equipment(load_ruleset("standard")) == {"numbered": 104, "jokers": 2}
    assert equipment(load_ruleset("keadle"), 5)["jokers"] == 4


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "a match begins with Started"),
        ([Started(PAIR), Started(PAIR)], "Started cannot happen while the match is drawing"),
        ([Started(PAIR, "unheard-of")], "unheard-of"),
        ([Started(PAIR), Drew()], "Drew cannot happen while the match is drawing"),
        ([Started(("Ann",))], "expected 2 to 4 players"),
        ([Started(("Ann", "Ann"))], "with different names"),
        ([Started(PAIR), Adjusted("Eve", 1)], "nobody is called 'Eve'"),
        ([Started(PAIR), Stopped(), Dealt()], "Dealt cannot happen while the match is over"),
        ([Started(PAIR), DrewForStart({"Ann": "R1"})], "expected a tile each from Ann, Bob"),
    ],
)
def test_what_cannot_happen(events: list[Event], message: str) -> None:
    with pytest.raises(MatchError, match=message):
        replay(events)


turns = st.sampled_from([Drew(), Refused(), TimedOut(), TimedOut(disturbed=True)])


@given(st.lists(turns, max_size=30))
def test_replay_is_deterministic_and_conserves_tiles(events: list[Event]) -> None:
    match = play(Dealt("Ann"), *events[:20])
    assert play(Dealt("Ann"), *events[:20]) == match
    assert sum(sizes(match)) + match.pool == 106


@given(turns)
def test_events_are_stored_as_json(event: Event) -> None:
    for stored in (event, Dealt("Ann", {"Ann": "R1"}), Started(PAIR, changes={"deal": 7})):
        assert decode(json.loads(json.dumps(encode(stored)))) == stored
