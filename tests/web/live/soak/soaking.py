"""Play an evening out, and hold the store against what the players know."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee import parse_table
from referee.events import Played, decode
from referee.match import replay
from tests.web.live.soak.evening import Evening
from tests.web.live.soak.memory import Course, Memory
from tests.web.live.soak.players import NAMES
from web.live.comparing import part_key
from web.site.data_folder import DataFolder
from web.store import open_store

if TYPE_CHECKING:
    from collections import Counter
    from pathlib import Path

    from referee.events import Event
    from tests.web.live.soak.evening import Pace
    from tests.web.live.soak.players import Book

KILLING_SHARE = 0.25
"""In which share of the time, from the start, it is killed; later its memory is watched."""


@dataclass(frozen=True)
class Soaked:
    """What came of it.

    Attributes
    ----------
    lost, doubled
        How many confirmed records the store lacks, and how many it has that were not confirmed.
    memory
        Of the last life.
    out_of_order
        Snapshots that came after newer ones.
    """

    simulated_s: float
    took_s: float
    turns: Counter[str]
    faults: Counter[str]
    confirmed: int
    lost: int
    doubled: int
    memory: Course
    scores: dict[str, int]
    own_scores: dict[str, int]
    replayed: dict[str, int]
    out_of_order: int
    snapshots: int
    log: str

    def text(self) -> str:
        """Sum it up."""
        hours, minutes = self.simulated_s / 3600, self.took_s / 60
        lines = [
            f"{hours:.2f} simulated hours in {minutes:.1f} minutes",
            f"turns: {_counts(self.turns)}",
            f"went wrong: {_counts(self.faults)}",
            f"{self.confirmed} confirmed records: {self.lost} lost, {self.doubled} doubled",
            f"scores shown: {self.scores}",
            f"by the players: {self.own_scores}; replayed: {self.replayed}",
            f"{self.snapshots} snapshots followed, {self.out_of_order} out of order",
            self.memory.text(),
            f"log: {self.log or 'nothing'}",
        ]
        return "\n".join(lines)


def soak(folder: Path, hours: float, pace: Pace) -> Soaked:
    """Play for so many simulated hours."""
    began_s, end_s = time.monotonic(), hours * 3600
    evening = Evening(folder, pace)
    program, memory = evening.program, list[tuple[float, Memory]]()
    try:
        evening.begin()
        while program.now_s < end_s:
            early = program.now_s < end_s * KILLING_SHARE
            lives = len(program.followers)
            evening.turn(kill=early and lives <= pace.kills)
            if len(program.followers) > lives:
                memory.clear()
            memory.append((program.now_s, program.memory()))
        last = evening.end()
        ended = program.stop()
    except BaseException as error:
        program.kill()
        error.add_note(f"{evening.latest}; the table: {evening.lying.text}")
        raise
    assert ended == 0, program.log.read_text(encoding="utf-8")
    return _held(folder, evening, last, memory, time.monotonic() - began_s)


def _held(
    folder: Path,
    evening: Evening,
    last: dict[str, Any],
    memory: list[tuple[float, Memory]],
    took_s: float,
) -> Soaked:
    book, program = evening.book, evening.program
    kept, current = _kept(folder)
    lost, doubled = _compare(book, kept)
    assert list(map(_key, current)) == list(map(_key, book.events)), "other events count"
    replayed = {player.name: player.score for player in replay(book.events).players}
    return Soaked(
        simulated_s=program.now_s,
        took_s=took_s,
        turns=evening.turns,
        faults=evening.faults,
        confirmed=len(book.records),
        lost=lost,
        doubled=doubled,
        memory=Course.of(memory),
        scores={player["name"]: player["score"] for player in last["match"]["players"]},
        own_scores={name: book.scores[name] for name in NAMES},
        replayed=replayed,
        out_of_order=sum(follower.out_of_order for follower in program.followers),
        snapshots=sum(follower.snapshots for follower in program.followers),
        log=program.log.read_text(encoding="utf-8"),
    )


def _kept(folder: Path) -> tuple[list[tuple[str, Event | None]], list[Event]]:
    """Return every record of the store, and the events that count."""
    with open_store(DataFolder(folder).store) as store:
        assert [row.id for row in store.matches()] == [1]
        records = [
            (one.kind, decode(one.event) if one.event else None) for one in store.records(1)
        ]
        return records, [one.event for one in store.current(1)]


def _compare(book: Book, kept: list[tuple[str, Event | None]]) -> tuple[int, int]:
    """Return how many records are missing, and how many are too many."""
    there = [(kind, _key(event)) for kind, event in kept]
    wanted = [(kind, _key(event)) for kind, event in book.records]
    if there == wanted:
        return 0, 0
    same = next(
        (n for n, (one, other) in enumerate(zip(there, wanted, strict=False)) if one != other),
        min(len(there), len(wanted)),
    )
    return len(wanted) - same, len(there) - same


def _key(event: Event | None) -> object:
    """Return an event so that tables are the same wherever their sets lie."""
    if isinstance(event, Played):
        return sorted(part_key(part) for part in parse_table(event.table).parts)
    return event


def _counts(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {what}" for what, count in sorted(counts.items())) or "nothing"
