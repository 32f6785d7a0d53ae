"""Large matches arrive without keeping others waiting, and as a whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import func, select

from referee.events import Adjusted, Dealt, Started, encode
from web.store import Room, Store, StoreError, open_store
from web.store.effective import Action
from web.store.tables import matches, pictures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Table

NOW = datetime(2026, 1, 1, tzinfo=UTC)
BEGINNING = (Started(("Ann", "Bob")), Dealt("Ann"))
EVENT = Adjusted("Ann", 1)
ACTIONS = tuple(
    Action("event", event=encode(event), picture_id=number)
    for number, event in ((None, BEGINNING[0]), (None, BEGINNING[1]), (1, EVENT), (2, EVENT))
)
LARGE = b"x" * 4_000_000
IMPORTING = """
import sys, time
from datetime import UTC, datetime
from web.store import open_store

def pictures():
    for number in (1, 2):
        yield number, b"x" * 4_000_000
    print("some are written", flush=True)
    time.sleep(60)

with open_store(sys.argv[1]) as store:
    store.take_in("large", datetime.now(UTC), [], pictures())
"""


def count(store: Store, table: Table) -> int:
    with store._engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_others_write_while_a_match_arrives(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.store.schema._WAIT_MS", 10)
    other = store.create_match(BEGINNING)
    there = [one.id for one in store.matches()]  # the server keeps those of other tests

    def meanwhile() -> Iterator[tuple[int, bytes]]:
        for number in (1, 2, 3):
            store.append(other, EVENT, expected=number + 1)
            assert [one.id for one in store.matches()] == there
            yield number, LARGE

    match_id = store.take_in("large", NOW, ACTIONS, meanwhile())
    assert [one.id for one in store.matches()] == [match_id, *there]
    seen = [one.evidence_id for one in store.current(match_id)]
    assert [number and store.evidence(number) for number in seen] == [None, None, LARGE, LARGE]
    assert len(store.records(other)) == 5


def test_pictures_that_arrive_stay_with_their_events_beside_those_of_other_matches(
    store: Store,
) -> None:
    other = store.create_match(BEGINNING)
    store.append(other, EVENT, expected=2, evidence=b"of the other")
    match_id = store.take_in("small", NOW, ACTIONS, iter(((1, b"first"), (2, b"second"))))
    seen = [one.evidence_id for one in store.current(match_id)]
    shown = [number and store.evidence(number) for number in seen]
    assert shown == [None, None, b"first", b"second"]


def test_a_match_that_cannot_arrive_leaves_nothing(
    store: Store, reopened: Callable[[], Store]
) -> None:
    before = [count(store, table) for table in (matches, pictures)]

    def damaged() -> Iterator[tuple[int, bytes]]:
        yield 1, LARGE
        raise StoreError("the file is damaged")

    with pytest.raises(StoreError, match="damaged"):
        store.take_in("large", NOW, ACTIONS, damaged())
    assert [count(reopened(), table) for table in (matches, pictures)] == before


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there is killed like this")
def test_what_a_killed_import_leaves_is_cleared_at_the_next_start(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    command = [sys.executable, "-c", IMPORTING, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as importing:  # noqa: S603
        assert importing.stdout is not None
        assert importing.stdout.readline()
        importing.send_signal(signal.SIGKILL)
    with open_store(url) as store:
        played = store.create_match(BEGINNING)
        assert [one.id for one in store.matches()] == [played]
        assert count(store, pictures) > 0
        store.clear_unfinished()
        assert (count(store, pictures), count(store, matches)) == (0, 1)
        assert len(store.current(played)) == len(BEGINNING)


@pytest.mark.parametrize(("limit", "most"), [("_AT_ONCE", 1), ("_AT_ONCE_BYTES", 60)])
def test_too_many_pictures_go_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(f"web.store.room.{limit}", most)
    url = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    with open_store(url) as store:
        match_id = store.create_match(BEGINNING)
        for expected in range(2, 7):
            store.append(match_id, EVENT, expected=expected, evidence=b"x" * 60)
    with open_store(url, Room(most_bytes=130)) as store:
        store.append(match_id, EVENT, expected=7, evidence=b"y" * 60)
        assert count(store, pictures) == 5
        there = [one.evidence_id for one in store.current(match_id) if one.evidence_id]
        assert [bool(store.evidence(number)) for number in there] == [False, *[True] * 5]
        store.take_in("large", NOW, ACTIONS, [(1, b"z" * 60)])
        assert count(store, pictures) == 2
