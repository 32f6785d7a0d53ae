"""Full disks, locks, damage, killed programs: what was confirmed is there."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event

from referee.events import Adjusted, Dealt, Drew, Started
from web.store import StoreError, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from web.store import Store

PLAYER = """
import sys
from referee.events import Dealt, Drew, Started
from web.store import open_store

with open_store(sys.argv[1]) as store:
    match_id = store.create_match([Started(("Ann", "Bob")), Dealt("Ann")])
    for expected in range(2, 1000):
        store.append(match_id, Drew(), expected=expected, evidence=b"x" * 5000)
        print(expected + 1, flush=True)
"""


def begin(store: Store) -> int:
    return store.create_match([Started(("Ann", "Bob")), Dealt("Ann")])


def test_a_killed_program_loses_nothing_it_confirmed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'matches.sqlite'}"
    command = [sys.executable, "-c", PLAYER, url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:  # noqa: S603
        assert playing.stdout is not None
        confirmed = [int(playing.stdout.readline()) for _ in range(12)]
        playing.send_signal(signal.SIGKILL)
        confirmed += [int(line) for line in playing.stdout if line.endswith("\n")]
    with open_store(url) as store:
        kept = len(store.records(1))
        assert confirmed[-1] <= kept <= confirmed[-1] + 1
        store.append(1, Drew(), expected=kept)
        assert len(store.current(1)) == kept + 1


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'matches.sqlite'}") as store:
        match_id = begin(store)

        @event.listens_for(store._engine, "begin")
        def no_room(connection: object) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count=1")  # type: ignore[attr-defined]

        with pytest.raises(StoreError, match="disk is full"):
            store.append(match_id, Drew(), expected=2, evidence=b"x" * 200_000)
        event.remove(store._engine, "begin", no_room)
        assert len(store.records(match_id)) == 2


def test_a_lock_is_said_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.store.schema._WAIT_MS", 10)
    path = tmp_path / "matches.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
        other = sqlite3.connect(path, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="Another program holds the matches"):
                store.append(match_id, Drew(), expected=2)
            # Who only looks does not have to wait.
            assert len(store.current(match_id)) == 2
        finally:
            other.rollback()
            other.close()
        store.append(match_id, Drew(), expected=2)
        assert len(store.records(match_id)) == 3


def test_a_lock_in_postgresql_is_said_and_nothing_is_lost(
    postgresql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.store.schema._WAIT_MS", 20)
    with open_store(postgresql) as store, open_store(postgresql) as other:
        match_id = begin(store)
        with other._engine.begin() as connection:
            connection.exec_driver_sql("LOCK TABLE records")
            with pytest.raises(StoreError, match="Another program holds the matches"):
                store.append(match_id, Drew(), expected=2)
        store.append(match_id, Drew(), expected=2)
        assert len(store.records(match_id)) == 3


def test_a_database_that_cannot_be_reached_is_said_in_one_line() -> None:
    with pytest.raises(StoreError) as refused:
        open_store("postgresql+psycopg://me@/matches?host=/no/such/folder")
    assert re.fullmatch(
        r"The matches cannot be reached: .*[^.?]\. Check the store's address\.", str(refused.value)
    )


def test_a_damaged_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    path.write_bytes(b"these are not the matches" * 100)
    with pytest.raises(StoreError, match="damaged"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes() == b"these are not the matches" * 100


def test_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    open_store(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        open_store(f"sqlite:///{path}")


@pytest.mark.parametrize(
    "address", ["matches.sqlite", "nosuchdb://x", "sqlite:////no/such/folder/m.sqlite"]
)
def test_a_wrong_address_is_said(address: str) -> None:
    with pytest.raises(StoreError):
        open_store(address)


def test_a_driver_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"\(psycopg\).*pip install 'meldwatch\[postgresql\]'"):
        open_store("postgresql+psycopg://me@/matches")


def test_writes_are_synchronised_and_logged_ahead(tmp_path: Path) -> None:
    with (
        open_store(f"sqlite:///{tmp_path / 'm.sqlite'}") as store,
        store._engine.connect() as connection,
    ):
        mode = connection.exec_driver_sql("PRAGMA journal_mode").scalar()
        synchronous = connection.exec_driver_sql("PRAGMA synchronous").scalar()
    assert (mode, synchronous) == ("wal", 2)


def test_matches_of_the_first_version_are_opened_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        match_id = begin(store)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.execute("DROP INDEX ix_pictures_sizes")
    connection.close()
    with open_store(f"sqlite:///{path}") as store:
        store.amend(match_id, {1: Started(("Ann", "Cleo")), 2: Dealt("Cleo")}, expected=2)
        assert [one.event for one in store.current(match_id)][1] == Dealt("Cleo")
    with sqlite3.connect(path) as connection:
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    assert version == ("0004",)


def test_a_folder_that_is_not_there_is_said_to_be_looked_at(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"may be written to, or choose another with --data"):
        open_store(f"sqlite:///{tmp_path / 'none' / 'matches.sqlite'}")


def test_numbers_and_signs_that_no_database_takes_are_refused_in_words(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'matches.sqlite'}") as store:
        for ask in (store.records, store.evidence):
            with pytest.raises(StoreError, match="so large a number"):
                ask(10**30)
        with pytest.raises(StoreError, match="cannot be kept; write it anew"):
            store.create_match([Started(("\ud800", "Bob"))], title="\ud800, Bob")
        assert store.matches() == ()


def test_sizes_are_found_without_reading_the_pictures(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        begin(store)
    with sqlite3.connect(path) as connection:
        for asked in ("sum(size_bytes) FROM pictures", "id, size_bytes FROM pictures ORDER BY id"):
            ((*_, plan),) = connection.execute(f"EXPLAIN QUERY PLAN SELECT {asked}")
            assert "COVERING INDEX ix_pictures_sizes" in plan
    connection.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be moved there")
def test_nothing_is_confirmed_once_the_folder_is_gone_or_another(tmp_path: Path) -> None:
    folder, away = tmp_path / "data", tmp_path / "away"
    folder.mkdir()
    with open_store(f"sqlite:///{folder / 'matches.sqlite'}") as store:
        match_id = begin(store)
        folder.rename(away)
        with pytest.raises(StoreError, match="moved, deleted or replaced"):
            store.append(match_id, Drew(), expected=2)
        shutil.copytree(away, folder)
        with pytest.raises(StoreError, match="moved, deleted or replaced"):
            store.append(match_id, Drew(), expected=2)
        assert len(store.records(match_id)) == 2
        shutil.rmtree(folder)
        away.rename(folder)
        store.append(match_id, Drew(), expected=2)
    with open_store(f"sqlite:///{folder / 'matches.sqlite'}") as store:
        assert len(store.records(match_id)) == 3


def test_half_a_sign_is_refused_since_no_page_could_show_it(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'matches.sqlite'}") as store:
        match_id = begin(store)
        with pytest.raises(StoreError, match="signs that cannot be kept"):
            store.append(match_id, Adjusted("Ann", 5, "\ud83d"), expected=2)
        assert len(store.records(match_id)) == 2
