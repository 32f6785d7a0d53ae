"""How much evidence is kept, and for how long: events never go, pictures may."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select

from web.store.tables import pictures, records

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection


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

    def clear(self, connection: Connection, now: datetime) -> None:
        """Let the pictures go that are too many or too old.

        Done once the newest is there: else SQLite would give it the number of one that went.
        """
        self._forget_old(connection, now)
        taken_bytes = connection.execute(select(func.sum(pictures.c.size_bytes))).scalar() or 0
        if taken_bytes <= self.most_bytes:
            return
        left = self.most_bytes
        taken = select(pictures.c.id, pictures.c.size_bytes).order_by(pictures.c.id.desc())
        for row in connection.execute(taken).all():
            left -= row.size_bytes
            if left < 0:
                connection.execute(delete(pictures).where(pictures.c.id <= row.id))
                break

    def _forget_old(self, connection: Connection, now: datetime) -> None:
        if self.days:
            before = records.c.at < now - timedelta(days=self.days)
            old = select(records.c.picture_id).where(before, records.c.picture_id.is_not(None))
            connection.execute(delete(pictures).where(pictures.c.id.in_(old)))
