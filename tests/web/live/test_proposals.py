from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.events import Dealt, Event, Played, Started
from referee.match import replay
from tests.web.live.fakes import settled
from tests.web.live.tables import tables
from web.live.comparing import compare, tiles_of_parts
from web.live.proposals import propose

if TYPE_CHECKING:
    from referee.match_state import Match
    from referee.table import Table
    from tests.web.live.rooms import Room

OPENING = "R10 R11 R12"


def match(*turns: str, ruleset: str = "standard") -> Match:
    """A match of two in which these tables were played; Ann has opened after an even number."""
    events: list[Event] = [Started(("Ann", "Bob"), ruleset), Dealt("Ann")]
    return replay([*events, *(Played(table) for table in turns)])


TWO = match(OPENING, f"{OPENING} | B10 B11 B12")
LYING = f"{OPENING} | B10 B11 B12"


@pytest.mark.parametrize(
    ("added", "legal", "points"),
    [
        (f"{LYING} B13", True, 13),
        (f"{LYING} | K1 K2 K3", True, 6),
        (f"{LYING} | K1 K2", False, 3),
        ("R10 R11 R12 B13 | B10 B11 B12", False, 13),
        (f"{OPENING} | B10 B11", False, 0),
    ],
)
def test_a_turn_is_judged_by_the_rules(added: str, points: int, *, legal: bool) -> None:
    found = propose(settled(added), TWO)
    assert found is not None
    assert (found.player, found.legal, found.points) == ("Ann", legal, points)
    assert bool(found.violations) is not legal


def test_an_opening_counts_its_jokers() -> None:
    found = propose(settled("R10 J R12"), match())
    assert found is not None
    assert (found.legal, found.points) == (True, 33)


def test_an_opening_that_works_on_the_table_counts_its_own_tiles_only() -> None:
    found = propose(
        settled("R9 R10 R11 R12 R13 | B1 B2 B3"), match("R10 R11 R12", ruleset="sabra-1978")
    )
    assert found is not None
    assert (found.player, found.points) == ("Bob", 28)


@pytest.mark.parametrize("seen", [LYING, "B12 B11 B10 | R10 R11 R12"])
def test_an_unchanged_table_proposes_nothing(seen: str) -> None:
    assert propose(settled(seen), TWO) is None


def test_sets_that_were_only_pushed_together_are_no_turn() -> None:
    lying = match("R8 R9 R10 | R11 R12 R13", "R8 R9 R10 | R11 R12 R13 | B10 B11 B12")
    assert propose(settled("R8 R9 R10 R11 R12 R13 | B10 B11 B12"), lying) is None


def test_sets_that_were_pushed_about_until_one_is_wrong_are_no_turn_that_counts() -> None:
    found = propose(settled("R10 B10 R12 | R11 B11 B12"), TWO)
    assert found is not None
    assert found.legal is False


def test_tiles_that_the_record_vouches_for_are_not_asked_about_again() -> None:
    seen = settled(f"{LYING} | K1 K2 K3", doubts={"R11": "glare"}, doubtful=["B11"])
    found = propose(seen, TWO)
    assert found is not None
    assert found.legal is True


@pytest.mark.parametrize("mark", ["doubts", "doubtful", "covered"])
def test_one_tile_to_look_at_instead_of_an_accusation(mark: str) -> None:
    marked = {"doubts": {"K9": "glare"}, "doubtful": ["K9"], "covered": ["K9"]}[mark]
    found = propose(settled(f"{LYING} | K7 K8 K9 R1", **{mark: marked}), TWO)  # type: ignore[arg-type]
    assert found is not None
    assert (found.legal, found.violations) == (None, ())
    assert found.look is not None
    assert found.look.tile_id == 8
    assert "Black 9" in found.look.text


def test_a_face_too_often_is_a_question() -> None:
    found = propose(settled(f"{LYING} | B10 B11 B12 | B10 B11 B12"), TWO)
    assert found is not None
    assert found.legal is None
    assert found.look is not None
    assert "only 2 exist" in found.look.text


def test_a_likely_misreading_is_a_question() -> None:
    others = {"O13": (("B13", 0.03),)}
    found = propose(settled(f"{OPENING} | B10 B11 B12 O13", alternatives=others), TWO)
    assert found is not None
    assert found.legal is None
    assert found.look is not None
    assert found.look.text == "Is it really Orange 13, or Blue 13?"


@pytest.mark.parametrize(("doubt", "legal"), [(0.001, None), (0.0, False)])
def test_tiles_of_one_ink_may_be_misread_together(doubt: float, legal: bool | None) -> None:
    others = {"R12": (("O12", 0.02),), "R13": (("O13", doubt),) if doubt else ()}
    found = propose(settled(f"{LYING} | O10 O11 R12 R13", alternatives=others), TWO)
    assert found is not None
    assert found.legal is legal
    if legal is None:
        assert found.look is not None
        assert found.look.text == "Is it really Red 12, or Orange 12?"


def test_an_unlikely_misreading_is_no_excuse() -> None:
    others = {"O13": (("B13", 0.001), ("K13", 0.03))}
    found = propose(settled(f"{OPENING} | B10 B11 B12 O13", alternatives=others), TWO)
    assert found is not None
    assert found.legal is False


@pytest.mark.parametrize("laid", ["", " | K1 K2 K3"], ids=["nothing", "a set"])
def test_what_lies_alone_may_be_no_tile(laid: str) -> None:
    found = propose(settled(f"{LYING}{laid} | O8 | R1"), TWO)
    assert found is not None
    assert (found.legal, found.violations) == (None, ())
    assert found.look is not None
    assert found.look.text == "Orange 8 lies alone: is it a tile that was laid?"


@pytest.mark.parametrize("seen", [f"{LYING} | K1 K2 | O8", f"{OPENING} | B11 B12 | B10"])
def test_what_lies_alone_is_not_asked_about_where_more_is_wrong(seen: str) -> None:
    found = propose(settled(seen), TWO)
    assert found is not None
    assert found.legal is False


def test_a_tile_that_lies_alone_is_wrong_once_a_person_says_that_it_is_one(room: Room) -> None:
    room.play()
    room.show(f"{OPENING} | O8")
    assert room.snapshot()["proposal"]["legal"] is None
    room.do("correct_tile", id=3, tile="O8")
    assert room.snapshot()["proposal"]["legal"] is False
    room.show(f"{OPENING} | O8")
    room.do("delete_tile", id=3)
    assert room.snapshot()["proposal"]["legal"] is True


def test_only_doubtful_changes_propose_nothing() -> None:
    assert propose(settled(f"{OPENING} | B10 B11 O12", doubtful=["O12"]), TWO) is None


def test_crossing_sets_are_judged_as_grids() -> None:
    found = propose(settled("R10 R11 R12 / R11 . . / R12 . ."), match(ruleset="runny"))
    assert found is not None
    assert "/" in str(found.table)


def test_what_was_wrong_before_is_not_held_against_the_next_player() -> None:
    found = propose(settled("R10 R11 R12 | K1 K2 | B10 B11 B12"), match("R10 R11 R12 | K1 K2"))
    assert found is not None
    assert found.legal is True
    assert [warning.sets for warning in found.warnings] == [(1,)]


@given(tables(), tables(), st.data())
def test_no_doubtful_tile_ever_makes_a_turn_illegal(
    record: Table, seen: Table, data: st.DataObject
) -> None:
    faces = sorted({str(tile) for tile in seen.tiles})
    doubtful = data.draw(st.lists(st.sampled_from(faces), min_size=1)) if faces else []
    table = settled(str(seen), doubtful=doubtful)
    lying = match(str(record)) if record.parts else match()
    found = propose(table, lying)
    if found is None:
        return
    changed = tiles_of_parts(table, compare(lying.table, table.table).come)
    if any(table.tiles[number].status == "doubtful" for number in changed):
        assert found.legal is None
        assert found.look is not None
    assert (found.legal is False) == bool(found.violations)
    assert found.unsure == (found.look is not None)
