"""Take in the pictures of a whole match, which may be many, without keeping others waiting.

They are written a few at a time, before any record is: a match without records is not there yet.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, TypeVar

from sqlalchemy import delete, exists, insert, select

from web.store.tables import matches, pictures, records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Engine

    from web.store.room import Room

T = TypeVar("T")
_AT_ONCE_BYTES: Final = 2_000_000


def is_there() -> ColumnElement[bool]:
    """Return whether a match has arrived, for a query."""
    return exists().where(records.c.match_id == matches.c.id)


def new_match(connection: Connection, title: str, began: datetime) -> int:
    """Write a match that has no records yet, and return its number."""
    kept = insert(matches).values(title=title, began=began)
    return int(connection.execute(kept).inserted_primary_key[0])  # type: ignore[index]


def put_in(connection: Connection, match_id: int, jpeg: bytes) -> int:
    """Write a picture, and return its number."""
    kept = insert(pictures).values(match_id=match_id, jpeg=jpeg, size_bytes=len(jpeg))
    return int(connection.execute(kept).inserted_primary_key[0])  # type: ignore[index]


def put_ahead(engine: Engine, match_id: int, jpegs: Iterable[tuple[int, bytes]]) -> dict[int, int]:
    """Write the pictures of a match that arrives.

    Returns
    -------
        Their numbers here, by those that they were given with.
    """
    here = {}
    for some in _batches(((number, jpeg), len(jpeg)) for number, jpeg in jpegs):
        began_s = time.perf_counter()
        with engine.begin() as connection:
            for number, jpeg in some:
                here[number] = put_in(connection, match_id, jpeg)
        _let_others_write(began_s)
    return here


def make_room(engine: Engine, room: Room, now: datetime) -> None:
    """Let all pictures go that are too many or too old."""
    more = True
    while more:
        began_s = time.perf_counter()
        with engine.begin() as connection:
            more = room.clear(connection, now)
        if more:
            _let_others_write(began_s)


def clear_away(engine: Engine, match_id: int) -> None:
    """Remove a match that did not arrive, with its pictures; the pictures first."""
    sizes = select(pictures.c.id, pictures.c.size_bytes).where(pictures.c.match_id == match_id)
    with engine.begin() as connection:
        left = [(row.id, row.size_bytes) for row in connection.execute(sizes)]
    for some in _batches(left):
        began_s = time.perf_counter()
        with engine.begin() as connection:
            connection.execute(delete(pictures).where(pictures.c.id.in_(some)))
        _let_others_write(began_s)
    with engine.begin() as connection:
        connection.execute(delete(matches).where(matches.c.id == match_id, ~is_there()))


def _batches(sized: Iterable[tuple[T, int]]) -> Iterator[list[T]]:
    """Yield a few of them at a time, given each with its size in bytes."""
    some, size = list[T](), 0
    for one, size_bytes in sized:
        some.append(one)
        size += size_bytes
        if size >= _AT_ONCE_BYTES:
            yield some
            some, size = list[T](), 0
    if some:
        yield some


def _let_others_write(began_s: float) -> None:
    """Wait as long as was written: SQLite lets nobody queue, who waits only tries now and then."""
    time.sleep(time.perf_counter() - began_s)
