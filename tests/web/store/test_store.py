"""What every store does, whichever database it is in."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.events import Adjusted, Dealt, Drew, Event, Played, Started, encode
from referee.match import replay, standings
from web.store import Room, StaleMatchError, Store, StoreError, open_store
from web.store.effective import Action, can_undo

if TYPE_CHECKING:
    from pathlib import Path

BEGINNING = (Started(("Ann", "Bob")),)
Again = Callable[[], Store]


def play(store: Store, *events: Event) -> int:
    match_id = store.create_match(BEGINNING, title="Ann, Bob")
    for expected, event in enumerate(events, 1):
        store.append(match_id, event, expected=expected)
    return match_id


def events_of(store: Store, match_id: int) -> list[Event]:
    return [one.event for one in store.current(match_id)]


def test_a_match_is_the_same_for_another_program(store: Store, reopened: Again) -> None:
    match_id = play(store, Dealt("Ann"), Played("R10 B10 O10"), Drew())
    other = reopened()
    assert events_of(other, match_id) == [
        *BEGINNING, Dealt("Ann"), Played("R10 B10 O10"), Drew()
    ]  # fmt: skip
    assert [row.title for row in other.matches()][:1] == ["Ann, Bob"]
    assert other.current(match_id)[0].at.utcoffset() is not None


def test_the_newest_match_comes_first(store: Store) -> None:
    first, second = play(store), play(store)
    assert [row.id for row in store.matches()][:2] == [second, first]


def test_words_for_tiles_are_kept_and_are_nothing_to_take_back(
    store: Store, reopened: Again
) -> None:
    match_id = play(store, Dealt("Ann"), Drew())
    assert store.words(match_id) == {}
    store.note(match_id, {"cameras": [1]}, expected=3)
    store.note(match_id, {"cameras": [2]}, expected=4)
    with pytest.raises(StaleMatchError):
        store.note(match_id, {"cameras": [3]}, expected=4)
    assert reopened().words(match_id) == {"cameras": [2]}
    store.undo(match_id, expected=5)
    assert events_of(store, match_id) == [*BEGINNING, Dealt("Ann")]
    store.note(match_id, {}, expected=6)
    store.redo(match_id, expected=7)
    assert events_of(store, match_id) == [*BEGINNING, Dealt("Ann"), Drew()]
    assert store.words(match_id) == {}
    assert [one.seq for one in store.records(match_id)] == [*range(1, 9)]


def test_what_was_taken_back_can_be_done_again(store: Store) -> None:
    match_id = play(store, Dealt("Ann"), Drew())
    store.undo(match_id, expected=3)
    assert events_of(store, match_id) == [*BEGINNING, Dealt("Ann")]
    assert store.can_redo(match_id)
    store.redo(match_id, expected=4)
    assert events_of(store, match_id) == [*BEGINNING, Dealt("Ann"), Drew()]
    assert not store.can_redo(match_id)


def test_the_start_cannot_be_taken_back(store: Store) -> None:
    match_id = play(store)
    with pytest.raises(StoreError, match="nothing to undo"):
        store.undo(match_id, expected=1)
    assert events_of(store, match_id) == list(BEGINNING)


def test_a_changed_event_keeps_its_number_and_its_old_record(store: Store) -> None:
    match_id = play(store, Dealt("Ann"), Adjusted("Ann", 5))
    store.amend(match_id, {3: Adjusted("Ann", 7)}, expected=3)
    assert [(one.seq, one.event) for one in store.current(match_id)][-1] == (
        3, Adjusted("Ann", 7)
    )  # fmt: skip
    assert [one.kind for one in store.records(match_id)] == ["event"] * 3 + ["replace"]
    store.undo(match_id, expected=4)
    assert events_of(store, match_id)[-1] == Adjusted("Ann", 5)


def test_several_changes_are_one_thing_to_take_back(store: Store, reopened: Again) -> None:
    match_id = play(store, Dealt("Ann"), Adjusted("Ann", 5), Adjusted("Bob", 6))
    store.amend(match_id, {4: Adjusted("Bob", 8), 3: Adjusted("Ann", 7)}, expected=4)
    other = reopened()
    assert [one.kind for one in other.records(match_id)] == ["event"] * 4 + ["amend"]
    assert events_of(other, match_id)[2:] == [Adjusted("Ann", 7), Adjusted("Bob", 8)]
    other.undo(match_id, expected=5)
    assert events_of(other, match_id)[2:] == [Adjusted("Ann", 5), Adjusted("Bob", 6)]
    other.redo(match_id, expected=6)
    assert events_of(store, match_id)[2:] == [Adjusted("Ann", 7), Adjusted("Bob", 8)]
    with pytest.raises(StoreError, match="nothing to change"):
        store.amend(match_id, {}, expected=7)
    with pytest.raises(StoreError, match="no event number 9"):
        store.amend(match_id, {3: Drew(), 9: Drew()}, expected=7)
    assert len(store.records(match_id)) == 7


def test_only_an_event_that_counts_can_be_changed(store: Store) -> None:
    match_id = play(store, Dealt("Ann"))
    with pytest.raises(StoreError, match="no event number 9"):
        store.amend(match_id, {9: Drew()}, expected=2)


def test_the_same_tap_counts_once(store: Store) -> None:
    match_id = play(store, Dealt("Ann"))
    store.append(match_id, Drew(), expected=2)
    with pytest.raises(StaleMatchError, match="changed in the meantime"):
        store.append(match_id, Drew(), expected=2)
    assert events_of(store, match_id).count(Drew()) == 1


def test_of_many_at_once_one_wins(store: Store) -> None:
    match_id = play(store, Dealt("Ann"))
    barrier, kept, stale = threading.Barrier(6), [], []

    def tap() -> None:
        barrier.wait()
        try:
            kept.append(store.append(match_id, Drew(), expected=2))
        except StaleMatchError as error:
            stale.append(error)

    threads = [threading.Thread(target=tap) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(kept), len(stale)) == (1, 5)
    assert len(store.records(match_id)) == 3


def test_an_unknown_match_is_named(store: Store) -> None:
    with pytest.raises(StoreError, match="no match number 99999"):
        store.append(99999, Drew(), expected=0)


def test_a_picture_is_kept_with_its_event(store: Store) -> None:
    match_id = play(store, Dealt("Ann"))
    kept = store.append(match_id, Drew(), expected=2, evidence=b"\xff\xd8\xffpicture")
    assert kept.evidence_id is not None
    assert store.evidence(kept.evidence_id) == b"\xff\xd8\xffpicture"
    assert store.evidence(kept.evidence_id + 1) is None


def test_old_pictures_make_room_and_events_stay(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'm.sqlite'}", Room(most_bytes=100)) as store:
        match_id = play(store, Dealt("Ann"))
        kept = [
            store.append(match_id, Drew(), expected=2 + n, evidence=bytes([n]) * 40)
            for n in range(4)
        ]
        there = [store.evidence(one.evidence_id or 0) is not None for one in kept]
        assert there == [False, False, True, True]
        assert len(store.current(match_id)) == 6
        huge = store.append(match_id, Drew(), expected=6, evidence=b"x" * 101)
        assert huge.evidence_id is None


def test_a_picture_never_gets_the_number_of_one_that_went(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'm.sqlite'}", Room(most_bytes=100)) as store:
        match_id = play(store, Dealt("Ann"))
        first = store.append(match_id, Drew(), expected=2, evidence=b"1" * 60)
        second = store.append(match_id, Drew(), expected=3, evidence=b"2" * 60)
        assert store.evidence(first.evidence_id or 0) is None
        assert store.evidence(second.evidence_id or 0) == b"2" * 60


def test_pictures_go_when_they_were_kept_long_enough(url: str) -> None:
    with open_store(url, Room(days=30)) as store:
        long_ago = datetime.now(UTC) - timedelta(days=31)
        played = (Action("event", at=at, event=encode(event), picture_id=1) for at, event in (
            (long_ago, BEGINNING[0]), (long_ago, Dealt("Ann")),
        ))  # fmt: skip
        match_id = store.take_in("long ago", long_ago, played, [(1, b"old")])
        old = store.current(match_id)[-1].evidence_id
        new = store.append(match_id, Drew(), expected=2, evidence=b"new")
        newest = store.append(match_id, Drew(), expected=3, evidence=b"newest")
        there = [store.evidence(number or 0) for number in (old, new.evidence_id)]
        assert there == [None, b"new"]
        assert store.evidence(newest.evidence_id or 0) == b"newest"
        assert len(store.current(match_id)) == 4


def test_settings_outlive_the_program(store: Store, reopened: Again) -> None:
    assert store.get("unheard-of") is None
    store.set("nonce", "1")
    store.set("nonce", "2")
    assert reopened().get("nonce") == "2"


ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.integers(-50, 50)),
        st.tuples(st.just("undo"), st.just(0)),
        st.tuples(st.just("redo"), st.just(0)),
        st.tuples(st.just("replace"), st.integers(-50, 50)),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(actions=ACTIONS)
def test_any_history_reads_the_same_again(actions: list[tuple[str, int]]) -> None:
    with open_store("sqlite://") as store:
        match_id = play(store)
        model: list[list[Event]] = [[*BEGINNING]]
        future: list[list[Event]] = []
        for kind, points in actions:
            expected = len(store.records(match_id))
            now = model[-1]
            if kind == "undo" and len(model) > 1:
                store.undo(match_id, expected=expected)
                future.append(model.pop())
            elif kind == "redo" and future:
                store.redo(match_id, expected=expected)
                model.append(future.pop())
            elif kind == "append" or (kind == "replace" and len(now) > 1):
                event = Adjusted("Ann" if points % 2 else "Bob", points)
                if kind == "append":
                    store.append(match_id, event, expected=expected)
                    model.append([*now, event])
                else:
                    place = 1 + abs(points) % (len(now) - 1)
                    seq = store.current(match_id)[place].seq
                    store.amend(match_id, {seq: event}, expected=expected)
                    model.append([*now[:place], event, *now[place + 1 :]])
                future = []
        assert events_of(store, match_id) == model[-1]
        assert store.can_redo(match_id) == bool(future)
        assert can_undo(store.records(match_id)) == (len(model) > 1)
        assert standings(replay(events_of(store, match_id))) == standings(replay(model[-1]))
