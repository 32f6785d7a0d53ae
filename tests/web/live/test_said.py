"""What people said of jokers, and what they chose, over restarts."""

from __future__ import annotations

import logging
from io import BytesIO

import pytest

from referee import Tile, parse_set
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import settled
from tests.web.live.rooms import Room
from web.live.archive import Archive
from web.live.declared import described, found_again
from web.live.errors import CommandError
from web.live.settings import LiveSettings
from web.store import Store, StoreError, open_store
from web.store.declared import Declared

JOKERS = "R10 J R12 | B7 K7 J"


def declared(room: Room) -> list[tuple[int, str]]:
    """Return what the page shows of jokers: the tile's place in the picture, and the face."""
    shown = room.snapshot()
    return [(tile["id"], tile["declared"]) for tile in shown["tiles"] if tile["declared"]]


def test_what_a_joker_stands_for_is_known_after_a_restart(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.turn(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    again = Room(store=store)
    assert declared(again) == []
    again.show("B7 K7 J | R10 J R12", hand=False)
    assert declared(again) == [(2, "O7")]
    again.turn("B7 K7 J | R10 J R12 | K11 K12 K13")
    assert declared(Room(store=store)) == []
    last = Room(store=store)
    last.show("K11 K12 K13 | R12 J R10 | J K7 B7", hand=False)
    assert declared(last) == [(6, "O7")]


def test_what_a_joker_stands_for_is_known_where_the_match_was_imported(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.turn(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    room.do("adjust", player="Ann", points=7, reason="a bet")
    parcel = BytesIO()
    Archive(store).export_zip(1, parcel)
    with open_store("sqlite://") as other:
        Archive(other).import_zip(parcel)
        there = Room(store=other)
        there.show(JOKERS, hand=False)
        assert declared(there) == [(5, "O7")]
        shown, before = there.snapshot()["match"], room.snapshot()["match"]
        assert shown == before


def test_a_joker_that_was_moved_stands_for_nothing_any_more(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.turn(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    again = Room(store=store)
    again.show("R10 J R12 | B7 K7 O7 | K1 J K3")
    again.do("end_turn", accept_illegal=True)
    assert declared(again) == []
    last = Room(store=store)
    last.show(JOKERS)
    assert declared(last) == []


@pytest.mark.parametrize(
    ("lies", "told"),
    [
        ("R10 J R12 | B7 O7 J", []),
        ("R10 J R12 | B8 K8 J", []),
        ("R10 J R12 | B7 K8 J", [(5, "O7")]),
        ("R10 J R12 | B7 R7 J", [(5, "O7")]),
    ],
)
def test_a_joker_is_not_what_its_corrected_set_does_not_let_it_be(
    room: Room, lies: str, told: list[tuple[int, str]]
) -> None:
    room.play()
    room.turn(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    played = room.snapshot()["history"][-1]["seq"]
    room.do("edit_event", seq=played, event={"event": "Played", "table": lies})
    room.show(lies, hand=False)
    assert declared(room) == told


def test_a_set_that_grew_is_known_again_from_either_side() -> None:
    one = Declared(parse_set("R3 J R5"), 1, Tile.parse("R4"))
    for table in ("R2 R3 J R5", "R6 R5 J R3", "K1 K2 | R3 J R5 R6"):
        found = found_again(settled(table), [one])
        assert [entry.tile for entry in found.values()] == [Tile.parse("R4")]
    assert found_again(settled("R3 R4 J R5"), [one]) == {}


def test_two_equal_sets_keep_two_words() -> None:
    table = settled("B7 K7 J | B7 K7 J")
    words = {2: Tile.parse("R7"), 5: Tile.parse("O7")}
    again = found_again(table, described(table, words))
    assert {number: one.tile for number, one in again.items()} == words


def test_crossing_sets_are_known_by_one_of_their_lines() -> None:
    table = settled(". R8 . / R7 J R9 / . R10 .")
    found = described(table, {2: Tile.parse("R8")})
    assert [str(one.line) for one in found] == ["R7 J R9"]
    assert list(found_again(table, found)) == [2]


def test_an_option_is_kept_with_the_match_and_goes_on_into_the_next(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.do("set_option", auto_accept=True)
    assert Room(store=store).snapshot()["options"]["auto_accept"] is True
    room.play("Cleo", "Dan")
    room.do("drew")
    again = Room(store=store)
    assert again.snapshot()["match"]["turn"] == "Dan"
    assert again.snapshot()["options"]["auto_accept"] is True
    again.do("set_option", auto_accept=False)
    assert Room(store=store).snapshot()["options"]["auto_accept"] is False


def test_what_was_chosen_goes_before_the_settings(store: Store) -> None:
    wanted = LiveSettings(auto_accept=True)
    room = Room(store=store, settings=wanted)
    room.play()
    room.do("set_option", auto_accept=False)
    assert Room(store=store, settings=wanted).snapshot()["options"]["auto_accept"] is False
    room.do("stop")
    assert Room(store=store, settings=wanted).snapshot()["options"]["auto_accept"] is True


class ForgetfulStore(FakeStore):
    """Keeps events, but no values."""

    def set(self, key: str, value: str) -> None:
        del key, value
        raise StoreError("The disk is full.")


def test_what_cannot_be_kept_is_not_chosen_and_ends_no_turn(
    caplog: pytest.LogCaptureFixture,
) -> None:
    room = Room(store=ForgetfulStore())
    room.play()
    room.turn(JOKERS)
    with pytest.raises(CommandError, match="disk is full"):
        room.do("set_option", auto_accept=True)
    with pytest.raises(CommandError, match="disk is full"):
        room.do("declare_joker", id=5, tile="O7")
    assert room.snapshot()["options"]["auto_accept"] is False
    assert declared(room) == []
    room.live._game.said.auto_accept = True
    with caplog.at_level(logging.ERROR):
        room.do("drew")
    assert room.snapshot()["match"]["turn"] == "Ann"
    assert "is not kept; the match is" in caplog.text


def test_what_was_declared_waits_while_another_table_is_seen(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.turn(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    again = Room(store=store)
    again.show("K1 K2 K3", hand=False)
    again.do("adjust", player="Ann", points=1)
    last = Room(store=store)
    last.show(JOKERS, hand=False)
    assert declared(last) == [(5, "O7")]


def test_what_was_declared_without_a_match_goes_into_the_next(store: Store) -> None:
    room = Room(store=store)
    room.show(JOKERS)
    room.do("declare_joker", id=5, tile="O7")
    room.play()
    assert declared(room) == [(5, "O7")]
    again = Room(store=store)
    again.show(JOKERS, hand=False)
    assert declared(again) == [(5, "O7")]
