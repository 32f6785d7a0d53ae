"""The table with the store that keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.events import Started
from tests.web.live.rooms import Room
from web.live.archive import Archive
from web.live.errors import CommandError
from web.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPENING = "R10 R11 R12"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'matches.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as kept:
        yield kept


def test_a_match_survives_the_program(url: str) -> None:
    with open_store(url) as store:
        room = Room(store=store)
        room.play()
        room.turn(OPENING)
        room.turn(f"{OPENING} | B10 B11 B12")
        room.do("undo")
        before = room.snapshot()
    with open_store(url) as store:
        after = Room(store=store).snapshot()
        assert (after["match"], after["history"]) == (before["match"], before["history"])
        assert after["can"] == {"undo": True, "redo": True}


def test_a_match_by_rules_that_nobody_knows_hinders_nothing(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    by_unknown = Started(("Ann", "Bob"), "sunday")
    by_other = Started(("Ann", "Bob"), changes={"wrap_around": True})
    unknown = [store.create_match([event], title="x") for event in (by_unknown, by_other)]
    room = Room(store=store)
    assert "match 2 was not taken up again: unknown parameter 'wrap_around'" in caplog.text
    assert room.snapshot()["match"] is None
    room.play()
    before = room.snapshot()["match"]
    for number in unknown:
        with pytest.raises(CommandError, match=r"'sunday'|'wrap_around'"):
            room.do("open_match", id=number)
    assert room.snapshot()["match"] == before
    told = {one["id"]: one for one in Archive(store).matches()}
    assert [told[number]["phase"] for number in unknown] == ["unreadable", "unreadable"]
    assert told[3]["phase"] == "playing"


def test_evidence_is_kept_with_the_turn(store: Store) -> None:
    room = Room(store=store)
    room.play()
    room.turn(OPENING)
    number = room.snapshot()["history"][-1]["evidence_id"]
    picture = store.evidence(number)
    assert picture is not None
    assert picture[:2] == b"\xff\xd8"


@pytest.mark.parametrize("restarted", [False, True])
def test_a_correction_of_several_turns_is_taken_back_at_once(
    store: Store, restarted: bool
) -> None:
    room = Room(store=store)
    room.play()
    room.turn(OPENING)
    room.turn(f"{OPENING} | B10 B11 B12")
    before = room.snapshot()["match"]
    room.do("correct_tile", id=2, tile="O12")
    after = room.snapshot()["match"]
    assert after["table"] == "R10 R11 O12 | B10 B11 B12"
    room = Room(store=store) if restarted else room
    room.do("undo")
    assert room.snapshot()["match"] == before
    room = Room(store=store) if restarted else room
    room.do("redo")
    assert room.snapshot()["match"] == after


def test_a_match_that_was_changed_elsewhere_is_looked_at_again(store: Store) -> None:
    first = Room(store=store)
    first.play()
    second = Room(store=store)
    first.do("drew")
    with pytest.raises(CommandError, match="changed in the meantime"):
        second.do("drew")
    assert second.snapshot()["match"] == first.snapshot()["match"]
    second.do("drew")
    assert second.snapshot()["match"]["turn"] == "Ann"


def test_an_earlier_match_is_opened_again(store: Store) -> None:
    room = Room(store=store)
    room.play("Ann", "Bob")
    room.turn(OPENING)
    room.play("Cleo", "Dan")
    assert room.snapshot()["match"]["turn"] == "Cleo"
    room.do("open_match", id=1)
    assert room.snapshot()["match"]["turn"] == "Bob"
    with pytest.raises(CommandError, match="no match number 77"):
        room.do("open_match", id=77)
    assert room.snapshot()["match"]["turn"] == "Bob"
