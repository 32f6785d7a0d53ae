"""Keep matches: every event is written, for good, before anyone sees it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from referee.events import decode, encode
from referee.phrases import say
from web.store.arriving import (
    clear_away,
    is_there,
    make_room,
    new_match,
    put_ahead,
    put_in,
)
from web.store.effective import Action, can_redo, can_undo, change, effective
from web.store.errors import NOTHING, StoreError, in_words
from web.store.room import Room
from web.store.rows import in_utc, next_seq, records_of, set_new, write, write_all, write_words
from web.store.schema import READS, open_engine
from web.store.tables import matches, pictures, records, settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from sqlalchemy import Connection, Engine

    from referee.events import Event

_ROOM: Final = Room()


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event that counts.

    Attributes
    ----------
    seq
        Number of the record that first told of it.
    at
        When that was kept.
    evidence_id
        Number of its picture, which may be gone by now.
    """

    seq: int
    at: datetime
    event: Event
    evidence_id: int | None = None


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in the list of all."""

    id: int
    title: str
    began: datetime


def open_store(url: str | Path, room: Room = _ROOM) -> Store:
    """Open the store at a database's address or in a file; `open_engine` has what it raises.

    Parameters
    ----------
    room
        What there is for the evidence pictures. Events never go.
    """
    return Store(open_engine(url), room)


class Store:
    """Matches as append-only records; safe to use from several threads and processes.

    Whether an event makes sense where it stands is for `referee.match`; the store keeps what it
    is given. `expected`, the number of records that the caller knows of, keeps the same tap from
    counting twice: where there are more, `StaleMatchError` is raised and nothing is kept. `words`,
    as `note` takes them, are kept before what follows from them, both or neither.
    """

    def __init__(self, engine: Engine, room: Room = _ROOM) -> None:
        self._engine = engine
        self._reading = engine.execution_options(**{READS: True})
        self._room = room

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Matches

    def create_match(self, events: Sequence[Event], *, title: str = "") -> int:
        """Keep a new match, and return its number."""
        with in_words(), self._engine.begin() as connection:
            match_id = new_match(connection, title, datetime.now(UTC))
            write_all(connection, match_id, [Action("event", event=encode(e)) for e in events])
        return match_id

    def matches(self) -> tuple[MatchRow, ...]:
        """Return every match, the newest first."""
        with in_words(), self._reading.connect() as connection:
            there = select(matches).where(is_there()).order_by(matches.c.id.desc())
            found = connection.execute(there).all()
        return tuple(MatchRow(row.id, row.title, in_utc(row.began)) for row in found)

    def counts(self) -> dict[int, int]:
        """Return how many records each match has, by its number."""
        counted = select(records.c.match_id, func.count()).group_by(records.c.match_id)
        with in_words(), self._reading.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(counted)}

    def records(self, match_id: int) -> tuple[Action, ...]:
        """Return everything that was ever recorded of a match, in order."""
        with in_words(), self._reading.connect() as connection:
            return records_of(connection, match_id)

    def current(self, match_id: int) -> tuple[Recorded, ...]:
        """Return the events that count, in the order of play."""
        return tuple(
            Recorded(one.seq, one.at, decode(one.event or {}), one.picture_id)
            for one in effective(self.records(match_id))
        )

    # What happens in a match

    def append(
        self,
        match_id: int,
        event: Event,
        *,
        expected: int,
        evidence: bytes | None = None,
        words: dict[str, Any] | None = None,
    ) -> Recorded:
        """Keep one more event, and the picture that shows it."""
        with in_words(), self._engine.begin() as connection:
            seq = next_seq(connection, match_id, expected, words)
            picture = None if evidence is None else self._keep(connection, match_id, evidence)
            action = Action("event", event=encode(event), picture_id=picture)
            kept = write(connection, match_id, seq, action)
        return Recorded(seq, kept.at, event, picture)

    def undo(self, match_id: int, *, expected: int, words: dict[str, Any] | None = None) -> None:
        """Take back what was done last: an event, or a change of one."""
        self._turn_back(match_id, expected, "undo", words)

    def redo(self, match_id: int, *, expected: int) -> None:
        """Do again what was last taken back."""
        self._turn_back(match_id, expected, "redo")

    def can_redo(self, match_id: int) -> bool:
        """Whether something was taken back that can be done again."""
        return can_redo(self.records(match_id))

    def amend(
        self,
        match_id: int,
        events: Mapping[int, Event],
        *,
        expected: int,
        words: dict[str, Any] | None = None,
    ) -> None:
        """Put other events in the place of some, by their numbers, as one thing to take back.

        The old ones stay in the records.
        """
        if not events:
            raise StoreError(say("store.no_change", "there is nothing to change"))
        with in_words(), self._engine.begin() as connection:
            seq = next_seq(connection, match_id, expected, words)
            known = {one.seq for one in effective(records_of(connection, match_id))}
            for of_seq in events:
                if of_seq not in known:
                    raise StoreError(
                        say(
                            "store.no_event",
                            "match {match} has no event number {number} that counts",
                            match=match_id,
                            number=of_seq,
                        )
                    )
            changes = {of_seq: encode(event) for of_seq, event in events.items()}
            write(connection, match_id, seq, change(changes))

    def note(self, match_id: int, words: dict[str, Any], *, expected: int) -> None:
        """Keep what people's words for the tiles of the table are from now on."""
        with in_words(), self._engine.begin() as connection:
            seq = next_seq(connection, match_id, expected)
            write_words(connection, match_id, seq, words)

    def words(self, match_id: int) -> dict[str, Any]:
        """Return what was noted last; nothing where nothing was."""
        noted = (records.c.match_id == match_id) & (records.c.kind == "words")
        last = select(records.c.event).where(noted).order_by(records.c.seq.desc()).limit(1)
        with in_words(), self._reading.connect() as connection:
            return dict(connection.execute(last).scalar() or {})

    def _turn_back(
        self, match_id: int, expected: int, kind: str, words: dict[str, Any] | None = None
    ) -> None:
        with in_words(), self._engine.begin() as connection:
            seq = next_seq(connection, match_id, expected, words)
            known = records_of(connection, match_id)
            if not (can_undo(known) if kind == "undo" else can_redo(known)):
                raise StoreError(NOTHING[kind])
            write(connection, match_id, seq, Action(kind))

    # Pictures and settings

    def evidence(self, picture_id: int) -> bytes | None:
        """Return a picture as JPEG; None where it is unknown or made room for newer ones."""
        with in_words(), self._reading.connect() as connection:
            found = connection.execute(
                select(pictures.c.jpeg).where(pictures.c.id == picture_id)
            ).scalar()
        return None if found is None else bytes(found)

    def _keep(self, connection: Connection, match_id: int, jpeg: bytes) -> int | None:
        if not self._room.fits(jpeg):
            return None
        number = put_in(connection, match_id, jpeg)
        self._room.clear(connection, datetime.now(UTC))
        return number

    def get(self, key: str) -> str | None:
        """Return a value that was set; None where there is none."""
        with in_words(), self._reading.connect() as connection:
            found = connection.execute(
                select(settings.c.value).where(settings.c.key == key)
            ).scalar()
        return None if found is None else str(found)

    def set(self, key: str, value: str) -> None:
        """Keep a value."""
        with in_words(), self._engine.begin() as connection:
            there = update(settings).where(settings.c.key == key).values(value=value)
            if connection.execute(there).rowcount == 0:
                set_new(connection, key, value)

    # Whole matches

    def take_in(
        self,
        title: str,
        began: datetime,
        actions: Iterable[Action],
        jpegs: Iterable[tuple[int, bytes]],
        said: str = "",
    ) -> int:
        """Keep a whole match from elsewhere, all of it or nothing; return its number here.

        Its pictures are written first, a few at a time, so that nobody waits long to write: see
        `clear_unfinished`.

        Parameters
        ----------
        jpegs
            Its pictures, which may take much memory, one by one, with their numbers elsewhere.
        said
            What is kept by `said_key`, if anything.
        """
        engine = self._engine
        with in_words():
            with engine.begin() as connection:
                match_id = new_match(connection, title, began)
            try:
                fitting = ((number, jpeg) for number, jpeg in jpegs if self._room.fits(jpeg))
                here = put_ahead(engine, match_id, fitting)
                with engine.begin() as connection:
                    moved = [one.moved(here.get(one.picture_id or 0)) for one in actions]
                    self._arrive(connection, match_id, moved, said)
            except BaseException:
                with suppress(SQLAlchemyError):  # else it goes at the next start
                    clear_away(engine, match_id)
                raise
            make_room(engine, self._room, datetime.now(UTC))
        return match_id

    def _arrive(
        self, connection: Connection, match_id: int, actions: Sequence[Action], said: str
    ) -> None:
        next_seq(connection, match_id, 0)
        write_all(connection, match_id, actions)
        if said:
            set_new(connection, said_key(match_id), said)

    def clear_unfinished(self) -> None:
        """Remove what was left of imports when the program was killed."""
        with in_words():
            with self._reading.connect() as connection:
                left = connection.execute(select(matches.c.id).where(~is_there())).scalars().all()
            for match_id in left:
                clear_away(self._engine, match_id)


def said_key(match_id: int) -> str:
    """Return by what key that is kept which people said of a match and is no event of it.

    >>> said_key(3)
    'match.3.said'
    """
    return f"match.{match_id}.said"
