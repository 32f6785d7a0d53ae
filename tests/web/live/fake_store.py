"""A store in memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from web.store import LOOSE_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Event


@dataclass(frozen=True)
class FakeRecorded:
    seq: int
    event: Event
    evidence_id: int | None = None


@dataclass(frozen=True)
class FakeRow:
    id: int


Events = tuple[FakeRecorded, ...]


@dataclass
class _Kept:
    """A match as it stands, as it stood, and as it stood before things were taken back."""

    now: Events
    count: int
    past: list[Events] = field(default_factory=list)
    future: list[Events] = field(default_factory=list)


class FakeStore:
    """Keeps matches in memory; `writes` counts what was kept."""

    def __init__(self) -> None:
        self._matches: dict[int, _Kept] = {}
        self.pictures: list[bytes] = []
        self.values: dict[str, str] = {}
        self.noted: dict[int, dict[str, Any]] = {}
        self.writes = 0

    def create_match(self, events: Sequence[Event], *, title: str = "") -> int:
        del title
        number = len(self._matches) + 1
        kept = tuple(FakeRecorded(seq, event) for seq, event in enumerate(events, 1))
        self._matches[number] = _Kept(kept, len(kept))
        return number

    def append(
        self,
        match_id: int,
        event: Event,
        *,
        expected: int,
        evidence: bytes | None = None,
        words: dict[str, Any] | None = None,
    ) -> FakeRecorded:
        expected = self._noted(match_id, expected, words)
        picture = None
        if evidence is not None:
            self.pictures.append(evidence)
            picture = len(self.pictures)
        recorded = FakeRecorded(expected + 1, event, picture)
        self._change(match_id, expected, (*self._matches[match_id].now, recorded))
        return recorded

    def amend(
        self,
        match_id: int,
        events: Mapping[int, Event],
        *,
        expected: int,
        words: dict[str, Any] | None = None,
    ) -> None:
        expected = self._noted(match_id, expected, words)
        now = self._matches[match_id].now
        changed = (replace(one, event=events.get(one.seq, one.event)) for one in now)
        self._change(match_id, expected, tuple(changed))

    def undo(self, match_id: int, *, expected: int, words: dict[str, Any] | None = None) -> None:
        expected = self._noted(match_id, expected, words)
        kept = self._write(match_id, expected)
        kept.future.append(kept.now)
        kept.now = kept.past.pop()

    def redo(self, match_id: int, *, expected: int) -> None:
        kept = self._write(match_id, expected)
        kept.past.append(kept.now)
        kept.now = kept.future.pop()

    def can_redo(self, match_id: int) -> bool:
        return bool(self._matches[match_id].future)

    def note(self, match_id: int, words: dict[str, Any], *, expected: int) -> None:
        self._write(match_id, expected)
        self.noted[match_id] = words
        self.values.pop(LOOSE_WORDS, None)

    def _noted(self, match_id: int, expected: int, words: dict[str, Any] | None) -> int:
        if words is None:
            return expected
        self.note(match_id, words, expected=expected)
        return expected + 1

    def words(self, match_id: int) -> dict[str, Any]:
        return self.noted.get(match_id, {})

    def get(self, key: str) -> str | None:
        return self.values.get(key)

    def set(self, key: str, value: str) -> None:
        self.values[key] = value

    def matches(self) -> list[FakeRow]:
        return [FakeRow(number) for number in self._matches]

    def records(self, match_id: int) -> list[int]:
        return list(range(self._matches[match_id].count))

    def current(self, match_id: int) -> Events:
        kept = self._matches.get(match_id)
        return kept.now if kept else ()

    def _change(self, match_id: int, expected: int, events: Events) -> None:
        kept = self._write(match_id, expected)
        kept.past.append(kept.now)
        kept.future.clear()
        kept.now = events

    def _write(self, match_id: int, expected: int) -> _Kept:
        kept = self._matches[match_id]
        assert kept.count == expected
        kept.count += 1
        self.writes += 1
        return kept
