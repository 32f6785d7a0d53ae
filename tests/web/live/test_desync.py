from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import parse_table
from referee.events import Dealt, Played, Started
from referee.match import replay
from tests.web.live.fakes import settled
from tests.web.live.tables import tables
from web.live.desync import describe, restore_moves
from web.live.proposals import propose
from web.live.syncing import Step, Sync, follow

if TYPE_CHECKING:
    from referee.table import Table

RECORD = "R10 R11 R12 | B10 B11 B12"
MATCH = replay([Started(("Ann", "Bob")), Dealt("Ann"), Played("R10 R11 R12"), Played(RECORD)])


def test_every_tile_that_differs_is_named() -> None:
    found = describe(parse_table(RECORD), settled("R10 R11 | B10 B11 B12 | K5 K5"))
    assert found is not None
    assert [str(tile) for tile in found.missing] == ["R12"]
    assert [(number, str(tile)) for number, tile in found.extra] == [(5, "K5"), (6, "K5")]
    assert found.text == (
        "Not seen, but on the record: Red 12. Seen, but not on the record: Black 5 (2 of them)."
    )


def test_the_same_tiles_in_other_sets_are_named_too() -> None:
    found = describe(parse_table(RECORD), settled("R10 R11 | R12 B10 B11 B12"))
    assert found is not None
    assert "in other sets" in found.text
    assert (found.missing, found.extra) == ((), ())


@pytest.mark.parametrize(
    ("record", "seen", "moves"),
    [
        ("R5 R6 R7", "R5 R7", ["R6: back between Red 5 and Red 7"]),
        ("R5 R6 R7", "R6 R7", ["R5: back before Red 6"]),
        ("R5 R6 R7", "R5 R6 R7 | B3 B4", ["B3: back to the rack", "B4: back to the rack"]),
        ("R5 R6 R7", "R5 R6 | R7 B7", ["B7: back to the rack", "R7: back after Red 6"]),
        ("R5 R6 R7", "", [f"R{n}: into a set again: Red 5, Red 6, Red 7" for n in (5, 6, 7)]),
        ("R5 R6 R7", "R7 R6 R5", []),
        ("R1 R2 / R2 .", "R1 R2", ["R2: back into the sets of Red 1, Red 2, Red 2"]),
    ],
)
def test_what_has_to_move_back(record: str, seen: str, moves: list[str]) -> None:
    found = restore_moves(parse_table(record), parse_table(seen))
    assert [f"{move.tile}: {move.text}" for move in found] == moves


@given(tables(), tables())
def test_every_missing_and_extra_tile_is_told_to_move(record: Table, seen: Table) -> None:
    moves = Counter(move.tile for move in restore_moves(record, seen))
    assert record.faces - seen.faces <= moves
    assert seen.faces - record.faces <= moves


def stepped(sync: Sync, seen: str, now_s: float = 0, *, hand: bool = False) -> Step:
    table = settled(seen)
    found = propose(table, MATCH)
    return follow(sync, MATCH, table, found, hand=hand, now_s=now_s, grace_s=2)


def test_a_hand_explains_a_difference() -> None:
    step = stepped(Sync(), "R10 R11 | B10 B11 B12", hand=True)
    assert step.proposal is not None
    assert step.proposal.legal is False
    assert not stepped(step.sync, "R10 R11 | B10 B11 B12", 100).sync.desync


def test_without_a_hand_only_a_legal_turn_is_believed() -> None:
    step = stepped(Sync(), f"{RECORD} | K1 K2 K3")
    assert step.proposal is not None
    assert step.proposal.legal is True
    step = stepped(Sync(), f"{RECORD} | K1 K2")
    assert step.proposal is None
    assert not step.sync.desync
    assert stepped(step.sync, f"{RECORD} | K1 K2", 2).sync.desync


@pytest.mark.parametrize(
    ("seen", "asks"),
    [
        (f"{RECORD} | K1 K2 K3", True),
        ("R10 R11 R12 K3 | B10 B11 B12", True),
        ("R10 R11 | B10 B11 B12 | K1 K2 K3", False),
        ("R10 R11 | R12 B10 B11 B12 K3", True),
    ],
)
def test_without_a_hand_a_tile_in_doubt_is_asked_about_where_nothing_is_gone(
    seen: str, *, asks: bool
) -> None:
    """A photo a turn shows no hand: who sends one is asked for the tile, not told of a quarrel."""
    table = settled(seen, doubts={"K3": "This could also be Blue 3."})
    found = propose(table, MATCH)
    step = follow(Sync(), MATCH, table, found, hand=False, now_s=0, grace_s=2)
    assert (step.proposal is not None) is asks
    if step.proposal is not None:
        assert step.proposal.legal is None
        assert step.proposal.look is not None
    later = follow(step.sync, MATCH, table, found, hand=False, now_s=9, grace_s=2)
    assert later.sync.desync is not asks


def test_a_disagreement_of_which_a_legal_turn_comes_is_that_turn() -> None:
    half = stepped(Sync(since_s=0), f"{RECORD} | K1 K2", 2)
    assert half.sync.desync
    whole = stepped(half.sync, f"{RECORD} | K1 K2 K3", 3)
    assert whole.proposal is not None
    assert whole.proposal.legal is True
    assert not whole.sync.trusted
    assert stepped(half.sync, f"{RECORD} | K1 K3", 3, hand=True).sync.desync
    assert stepped(half.sync, "R10 R11 R12 | K1 K2 K3", 3, hand=True).sync.desync


def test_a_difference_that_goes_away_in_time_is_nothing() -> None:
    step = stepped(Sync(), "R10 R11 | B10 B11 B12")
    step = stepped(step.sync, RECORD, 1)
    assert step == Step(Sync())
    assert not stepped(step.sync, "R10 R11 | B10 B11 B12", 2.5).sync.desync


def test_after_an_edit_a_difference_is_a_disagreement_at_once() -> None:
    step = stepped(Sync(edited=True), f"{RECORD} | K1 K2 K3")
    assert step.sync.desync
    assert step.proposal is None


@given(tables(), st.builds(Sync, st.booleans(), st.booleans(), st.booleans()), st.booleans())
def test_nothing_is_proposed_while_tables_disagree_or_are_restored(
    seen: Table,
    before: Sync,
    hand: bool,
) -> None:
    step = stepped(before, str(seen), 100, hand=hand)
    if step.sync.desync or step.sync.restoring:
        assert step.proposal is None
    if step.sync == Sync():
        return
    assert step.sync.restoring == before.restoring
    assert step.sync.desync or before.restoring or not before.desync
