"""How much evidence is kept, and for how long: events never go, pictures may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from web.store.tables import pictures, records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Connection

_AT_ONCE_BYTES: Final = 16_000_000
_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Room:
    """What there is for pictures.

    Attributes
    ----------
    most_bytes
        How much room they may take; the oldest go first.
    days
        For how many days they are kept; 0 for as long as there is room.
    """

    most_bytes: int = 500_000_000
    days: int = 0

    def fits(self, jpeg: bytes) -> bool:
        """Whether there is room for a picture at all."""
        return len(jpeg) <= self.most_bytes

    def clear(self, connection: Connection, now: datetime) -> bool:
        """Let pictures go that are too many or too old; tell whether more have to.

        Not too many go at once, so that nobody waits long for it, and the newest stays: else
        SQLite would give its number to the next, which records of the old one would then show.
        """
        doomed = dict((*self._too_old(connection, now), *self._too_many(connection)))
        doomed.pop(connection.execute(select(func.max(pictures.c.id))).scalar() or 0, None)
        some, size = list[int](), 0
        for number in sorted(doomed):
            if size >= _AT_ONCE_BYTES or len(some) == _AT_ONCE:
                break
            some.append(number)
            size += doomed[number]
        if some:
            connection.execute(delete(pictures).where(pictures.c.id.in_(some)))
        return len(some) < len(doomed)

    def _too_many(self, connection: Connection) -> Iterator[tuple[int, int]]:
        """Yield the oldest pictures that there is no room for, with their sizes in bytes."""
        taken_bytes = connection.execute(select(func.sum(pictures.c.size_bytes))).scalar() or 0
        beyond = taken_bytes - self.most_bytes
        if beyond <= 0:
            return
        sizes = select(pictures.c.id, pictures.c.size_bytes).order_by(pictures.c.id)
        for row in connection.execute(sizes).all():
            if beyond <= 0:
                return
            beyond -= row.size_bytes
            yield row.id, row.size_bytes

    def _too_old(self, connection: Connection, now: datetime) -> Iterator[tuple[int, int]]:
        if not self.days:
            return
        before = records.c.at < now - timedelta(days=self.days)
        old = select(records.c.picture_id).where(before, records.c.picture_id.is_not(None))
        sizes = select(pictures.c.id, pictures.c.size_bytes).where(pictures.c.id.in_(old))
        for row in connection.execute(sizes).all():
            yield row.id, row.size_bytes
