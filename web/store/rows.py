"""What is read and written within a transaction."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, insert, select

from referee.phrases import say
from web.store.effective import Action
from web.store.errors import StaleMatchError, StoreError
from web.store.tables import matches, records, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

LOOSE_WORDS: Final = "table.words"
"""By what key people's words for tiles are kept that they said while no match was open."""


def set_new(connection: Connection, key: str, value: str) -> None:
    """Keep a value by a key that none is kept by."""
    connection.execute(insert(settings).values(key=key, value=value))


def next_seq(
    connection: Connection, match_id: int, expected: int, words: dict[str, Any] | None = None
) -> int:
    """Return the number of the next record, with the match held until the transaction ends.

    Where there are `words`, they are the next record, and the number is that of the one after.
    """
    held = select(matches.c.id).where(matches.c.id == match_id).with_for_update()
    if connection.execute(held).first() is None:
        raise StoreError(
            say("store.no_match", "there is no match number {number}", number=match_id)
        )
    count = select(func.count()).where(records.c.match_id == match_id)
    found = int(connection.execute(count).scalar_one())
    if found != expected:
        raise StaleMatchError(
            say(
                "store.stale",
                "The match was changed in the meantime, so this was not kept. Look, and do it "
                "again.",
            )
        )
    if words is None:
        return found + 1
    write_words(connection, match_id, found + 1, words)
    return found + 2


def write_words(connection: Connection, match_id: int, seq: int, words: dict[str, Any]) -> None:
    """Keep what people said of tiles; with that, nothing said without a match stands any more."""
    write(connection, match_id, seq, Action("words", event=words))
    connection.execute(delete(settings).where(settings.c.key == LOOSE_WORDS))


def records_of(connection: Connection, match_id: int) -> tuple[Action, ...]:
    """Return everything that was ever recorded of a match, in order."""
    rows = select(records).where(records.c.match_id == match_id).order_by(records.c.seq)
    return tuple(
        Action(row.kind, row.seq, in_utc(row.at), row.of_seq, row.event, row.picture_id)
        for row in connection.execute(rows)
    )


def write(connection: Connection, match_id: int, seq: int, action: Action) -> Action:
    """Keep a record, and return it as it is kept."""
    kept = action.kept(seq, datetime.now(UTC))
    connection.execute(insert(records).values(_row(match_id, kept)))
    return kept


def write_all(connection: Connection, match_id: int, actions: Sequence[Action]) -> None:
    """Keep the first records of a match."""
    now = datetime.now(UTC)
    rows = [_row(match_id, action.kept(seq, now)) for seq, action in enumerate(actions, 1)]
    if rows:
        connection.execute(insert(records), rows)


def _row(match_id: int, kept: Action) -> dict[str, Any]:
    # JSON can tell of half a sign, which no page and no file could be written with.
    json.dumps(kept.event, ensure_ascii=False).encode()
    return {
        "match_id": match_id,
        "seq": kept.seq,
        "at": kept.at,
        "kind": kept.kind,
        "of_seq": kept.of_seq,
        "event": kept.event,
        "picture_id": kept.picture_id,
    }


def in_utc(at: datetime) -> datetime:
    """Return a time in UTC, as which it is taken where its zone was forgotten, as by SQLite.

    >>> for text in ("2026-01-01T12:00:00", "2026-01-01T14:00:00+02:00"):
    ...     print(in_utc(datetime.fromisoformat(text)))
    2026-01-01 12:00:00+00:00
    2026-01-01 12:00:00+00:00
    """
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
