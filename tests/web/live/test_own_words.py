"""A match keeps its own words for tiles, and so does the table while no match is open."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from tests.vision.watching.made_scenes import Scene, row
from tests.web.live.rooms import Room
from tests.web.live.test_half_words import killed_after
from tests.web.live.test_words import LAID, OPENING, Life, corrected
from web.live.archive import Archive
from web.store import LOOSE_WORDS, Store, open_store

OTHER = Scene(row(200, 150, "K1 K2 K3 K4") | row(200, 300, "R7 B7 K7 O7"))
SLIP = {"B12": "O9"}


def said(shown: dict[str, Any]) -> list[str]:
    return [tile["tile"] for tile in shown["tiles"] if tile["status"] == "corrected"]


def test_a_match_keeps_its_own_words_while_other_tiles_lie_there(store: Store) -> None:
    life = corrected(store)
    own = store.words(1)
    life.do("new_match", players=["Cid", "Dan"])
    life.reach(LAID, OTHER)
    assert store.words(2) == {"cameras": []}
    life.do("open_match", id=1)
    assert store.words(1) == own
    life = Life(store, **SLIP)
    assert said(life.show(OTHER)) == []
    assert store.words(1) == own
    # The camera is turned to the table on which that match lies.
    assert said(life.show(LAID, 60)) == ["B12"]
    assert said(Life(store, **SLIP).show(LAID)) == ["B12"]


def test_a_turn_ends_the_wait_for_the_words_of_a_table_that_is_gone(store: Store) -> None:
    life = corrected(store)
    life.reach(LAID, Scene({}))
    life = Life(store)
    life.do("new_match", players=["Cid", "Dan"])
    assert store.words(2) == {}
    store.note(
        1, {"cameras": [{"camera": "x", "tiles": [_word()]}]}, expected=len(store.records(1))
    )
    life.do("open_match", id=1)
    life.show(replace(LAID, tiles={k: v for k, v in LAID.tiles.items() if v[0] == "R"}))
    assert store.words(1)["cameras"]
    life.reach(Scene({}), LAID)
    life.do("end_turn")
    assert store.words(1) == {"cameras": []}


def _word() -> dict[str, Any]:
    return {"quad": [9.0, 9.0, 19.0, 9.0, 19.0, 29.0, 9.0, 29.0], "read": "K1", "said": "K2"}


def loose(store: Store) -> Life:
    life = Life(store, **SLIP)
    life.show(LAID)
    life.do("correct_tile", id=life.tile("O9")["id"], tile="B12")
    return life


def test_a_word_without_a_match_outlasts_the_program(store: Store) -> None:
    before = loose(store).live.snapshot()
    life = Life(store, **SLIP)
    shown = life.show(LAID)
    assert said(shown) == ["B12"]
    assert [(one["was"], one["tile"]) for one in shown["corrections"]] == [("O9", "B12")]
    assert shown["match"] is before["match"] is None
    life.reach(LAID, OPENING)
    assert said(Life(store, **SLIP).show(LAID)) == []


@pytest.mark.parametrize("writes", [1, 2, 3, 4])
def test_a_word_without_a_match_is_carried_into_the_next(store: Store, writes: int) -> None:
    life = loose(store)
    with killed_after(store, writes):
        life.do("new_match", players=["Ann", "Bob"])
    life = Life(store, **SLIP)
    assert said(life.show(LAID)) == ["B12"]
    assert life.live.snapshot()["match"]["players"][0]["name"] == "Ann"
    assert [kind.kind for kind in store.records(1)] == ["event", "words"]
    assert store.get(LOOSE_WORDS) is None


def test_a_word_outlasts_the_end_of_its_match_and_the_program(store: Store) -> None:
    life = corrected(store)
    life.do("stop")
    life = Life(store, **SLIP)
    assert said(life.show(LAID)) == ["B12"]
    life.do("new_match", players=["Ann", "Bob"])
    assert said(Life(store, **SLIP).show(LAID)) == ["B12"]


def test_the_match_that_was_opened_last_goes_on_though_a_newer_one_is_there(store: Store) -> None:
    room = Room(store=store)
    room.play("Ann", "Bob")
    room.play("Cid", "Dan")
    room.do("open_match", id=1)
    archive = Archive(store)
    with open_store("sqlite://") as other:
        Room(store=other).play("Eve", "Fay")
        _carry(Archive(other), archive)
    assert Room(store=store).snapshot()["match"]["id"] == 1


def test_after_a_match_that_is_over_the_newest_goes_on(store: Store) -> None:
    room = Room(store=store)
    room.play("Ann", "Bob")
    room.play("Cid", "Dan")
    room.do("open_match", id=1)
    room.do("stop")
    assert Room(store=store).snapshot()["match"]["id"] == 2


def _carry(source: Archive, target: Archive) -> None:
    parcel = BytesIO()
    source.export_zip(1, parcel)
    target.import_zip(parcel)
