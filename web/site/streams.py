"""Event streams: one thread each, so they are counted."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from web.site.roles import Role
from web.site.texts import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from web.site.borders import Snapshot, Table
    from web.site.roles import Session
    from web.site.tongues import Tongues

HEARTBEAT_S: Final = 15.0
RETRY_MS: Final = 1000
BUSY_RETRY_MS: Final = 10_000
_SLICE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """How many streams there may be.

    Attributes
    ----------
    most
        All together, organisers aside.
    organisers
        Kept free for organisers.
    per_device
        One device's; a further one ends its oldest.
    per_address
        All devices' behind one network address, organisers aside.
    """

    most: int = 48
    organisers: int = 8
    per_device: int = 4
    per_address: int = 32

    @property
    def threads(self) -> int:
        """How many threads they can hold together."""
        return self.most + self.organisers


@dataclass(eq=False, slots=True)
class Slot:
    """One open stream."""

    device: str
    address: str
    organiser: bool
    language: str = ENGLISH
    ended: threading.Event = field(default_factory=threading.Event)
    let_go: Callable[[], None] | None = None
    """Wakes whoever waits for what the stream says next."""

    def end(self) -> None:
        """Let the stream end at once."""
        self.ended.set()
        if self.let_go is not None:
            self.let_go()


class Streams:
    """Which streams are open."""

    def __init__(self, limits: StreamLimits = StreamLimits()) -> None:
        self.limits = limits
        self._open: list[Slot] = []
        self._lock = threading.Lock()
        self._closed = False

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    def open(self, session: Session, address: str) -> Slot | None:
        """Return a place for one more; None where there is none left."""
        slot = Slot(session.device, address, Role.ORGANISER in session.roles)
        with self._lock:
            own = [other for other in self._open if other.device == slot.device]
            if len(own) >= self.limits.per_device:
                self._end(own[0])
            if self._closed or self._full(slot):
                return None
            self._open.append(slot)
            return slot

    def leave(self, slot: Slot) -> None:
        """Give the place back."""
        with self._lock:
            self._end(slot)

    def close(self) -> None:
        """End all streams, and let no more begin."""
        with self._lock:
            self._closed = True
            for slot in list(self._open):
                self._end(slot)

    def _end(self, slot: Slot) -> None:
        slot.end()
        if slot in self._open:
            self._open.remove(slot)

    def _full(self, slot: Slot) -> bool:
        same = [other for other in self._open if other.organiser == slot.organiser]
        if slot.organiser:
            return len(same) >= self.limits.organisers
        here = sum(other.address == slot.address for other in same)
        return len(same) >= self.limits.most or here >= self.limits.per_address


class Writer:
    """Puts snapshots into the form of an event; one that many follow is written once a language.

    Parameters
    ----------
    tongues
        Who says in other languages what the table says.
    """

    def __init__(self, tongues: Tongues | None = None) -> None:
        self._tongues = tongues
        self._last: tuple[Snapshot, dict[str, bytes]] | None = None

    def event(self, snapshot: Snapshot, language: str = ENGLISH) -> bytes:
        """Return the whole snapshot as one event."""
        last = self._last
        if last is None or last[0] is not snapshot:
            last = self._last = snapshot, {}
        if language not in last[1]:
            told = self._tongues.told(snapshot, language) if self._tongues else snapshot
            data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
            last[1][language] = (
                f"id: {snapshot['number']}\nevent: snapshot\ndata: {data}\n\n".encode()
            )
        return last[1][language]


def follow(
    table: Table,
    slot: Slot,
    writer: Writer,
    alive: Callable[[], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[bytes]:
    """Yield the state at once and after every change, and a heartbeat in between.

    Parameters
    ----------
    alive
        Whether whoever listens may still do so.
    """
    yield f"retry: {RETRY_MS}\n\n".encode()
    with table.subscribe() as changes:
        slot.let_go = changes.close
        said_s = clock()
        yield writer.event(table.snapshot(), slot.language)
        while not slot.ended.is_set() and alive():
            snapshot = changes.get(_SLICE_S)
            if snapshot is not None:
                said_s = clock()
                yield writer.event(snapshot, slot.language)
            elif clock() - said_s >= HEARTBEAT_S:
                said_s = clock()
                yield b"event: beat\ndata: {}\n\n"


def busy() -> bytes:
    """Ask a browser to come back later; an error would make it stay away for good."""
    return f"retry: {BUSY_RETRY_MS}\nevent: busy\ndata: {{}}\n\n".encode()
