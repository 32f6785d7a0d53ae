from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_table
from referee.events import Dealt, Drew, Event, Played, RoundEnded, Started
from referee.match import replay
from web.live.amend import amended_back, amended_on, last_played, slips

START: list[Event] = [Started(("Ann", "Bob")), Dealt("Ann")]
TURNS = ["R10 R11 R12", "R10 R11 R12 | B10 B11 B12", "R10 R11 R12 R13 | B10 B11 B12"]
EVENTS: list[Event] = [*START, Played(TURNS[0]), Played(TURNS[1]), Drew(), Played(TURNS[2])]


def tables(events: list[Event]) -> list[str]:
    return [event.table for event in events if isinstance(event, Played)]


@pytest.mark.parametrize(
    ("seen", "amended"),
    [
        ("R10 R11 O12 R13 | B10 B11 B12", [2, 3, 5]),
        ("R10 R11 R12 R13 | B10 B11 O12", [3, 5]),
        ("R10 R11 R12 O13 | B10 B11 B12", [5]),
        ("R10 R11 R12 | B10 B11 B12", [5]),
        ("R10 R11 R12 R13 | B10 B12", [3, 5]),
    ],
)
def test_a_slip_is_put_right_back_to_the_turn_that_brought_it(
    seen: str, amended: list[int]
) -> None:
    found = slips(parse_table(TURNS[2]), parse_table(seen))
    assert found is not None
    changed = amended_back(EVENTS, found[0])
    assert sorted(changed) == amended
    assert changed[5].table == seen
    before = replay(EVENTS).players
    after = replay([changed.get(place, event) for place, event in enumerate(EVENTS)]).players
    change = sum(new.rack_size - old.rack_size for old, new in zip(before, after, strict=True))
    assert change == len(found) * (found[0][1] is None)


def test_an_edit_is_carried_on_to_the_end_of_the_round_only() -> None:
    ended = RoundEnded({"Ann": "", "Bob": "R1"})
    again: list[Event] = [*EVENTS, ended, Dealt("Bob"), Played(TURNS[0])]
    changed = amended_on(again, 2, Played("R10 R11 O12"))
    assert {place: event.table for place, event in changed.items()} == {
        2: "R10 R11 O12",
        3: "R10 R11 O12 | B10 B11 B12",
        5: "R10 R11 O12 R13 | B10 B11 B12",
    }


def test_an_edit_that_plays_otherwise_changes_no_other_turn() -> None:
    assert sorted(amended_on(EVENTS, 2, Played("K10 K11 K12"))) == [2]


def test_only_this_rounds_last_turn_is_the_last() -> None:
    assert last_played(START) is None
    assert last_played(EVENTS) == 5
    assert last_played([*EVENTS, RoundEnded({"Ann": "", "Bob": "R1"}), Dealt("Bob")]) is None


@given(st.integers(0, 6), st.sampled_from(["O1", "K9", "J"]))
def test_any_misread_tile_is_put_right_everywhere(number: int, face: str) -> None:
    record = parse_table(TURNS[2])
    tokens = TURNS[2].split()
    places = [place for place, word in enumerate(tokens) if word != "|"]
    tokens[places[number]] = face
    seen = parse_table(" ".join(tokens))
    found = slips(record, seen)
    assert found is not None
    events = [
        amended_back(EVENTS, found[0]).get(place, event) for place, event in enumerate(EVENTS)
    ]
    assert str(replay(events).table) == str(seen)
    old = str(record.tiles[number])
    assert all(old not in table.split() for table in tables(events))
