"""What the live table needs of the other parts: frames, a watcher and a store."""

# ruff: noqa: D102 - a property's name says what it is

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.events import Event
    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats, Pixels
    from vision.watching.memory import Mark
    from vision.watching.recalled import Lying
    from vision.watching.sights import SettledTable, Sight

Snapshot: TypeAlias = "dict[str, Any]"
"""The state of the table as JSON values; shared by all who follow it, so nobody changes it."""


class Frame(Protocol):
    """One picture from a camera; `taken_s` by the monotonic clock."""

    @property
    def pixels(self) -> Pixels: ...
    @property
    def number(self) -> int: ...
    @property
    def taken_s(self) -> float: ...
    @property
    def camera(self) -> str: ...


class Feed(Protocol):
    """A camera whose newest frame is always at hand."""

    @property
    def name(self) -> str: ...
    @property
    def health(self) -> str: ...
    @property
    def message(self) -> str: ...

    def start(self) -> None:
        """Begin to grab frames."""
        ...

    def stop(self) -> None:
        """Begin to let the camera go, without waiting for that."""
        ...

    def close(self) -> None:
        """Stop, and let the camera go."""
        ...

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        """Wait for a frame with a number above `after`; None where none came in time."""
        ...


class Watcher(Protocol):
    """Follows the table from frame to frame; used by one thread at a time."""

    def look(self, frame: Frame, *, photo: bool = False) -> Sight:
        """Take in a frame; a photo shows the table as somebody wants it to be read."""
        ...

    def correct(self, words: Mapping[int, Tile | None]) -> SettledTable:
        """Take a person's word for tiles, by their ids; None says that there is no tile."""
        ...

    def leave_out(self, tile_ids: Sequence[int]) -> SettledTable:
        """Take a person's word that tiles, by their ids, stand on a player's rack."""
        ...

    def leave_nothing_out(self) -> SettledTable | None:
        """Read what stands on racks as tiles of the table again."""
        ...

    def add(self, quad_img: Floats, tile: Tile) -> SettledTable:
        """Take a person's word that a tile lies there."""
        ...

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        ...

    def mark(self) -> Mark:
        """Return what is known, to go back to."""
        ...

    def go_back(self, mark: Mark) -> None:
        """Take the table as it was marked."""
        ...

    def lying(self) -> Sequence[Lying]:
        """Return what another watcher has to recall, to know what people said to this one."""
        ...

    def recall(self, kept: Sequence[Lying]) -> None:
        """Find tiles again that lay there before this watcher began."""
        ...


class Recorded(Protocol):
    """An event as the store keeps it."""

    @property
    def seq(self) -> int: ...
    @property
    def event(self) -> Event: ...
    @property
    def evidence_id(self) -> int | None: ...


class MatchRow(Protocol):
    """A match as the store lists it."""

    @property
    def id(self) -> int: ...


class Store(Protocol):
    """Keeps matches; nothing that was kept is ever changed."""

    def create_match(self, events: Sequence[Event], *, title: str = "") -> int:
        """Keep a new match, and return its number."""
        ...

    def append(
        self,
        match_id: int,
        event: Event,
        *,
        expected: int,
        evidence: bytes | None = None,
        words: dict[str, Any] | None = None,
    ) -> Recorded:
        """Keep one more event; `expected` is how many records there are.

        Here and below `words` are what `note` is given, kept in the same transaction.
        """
        ...

    def undo(self, match_id: int, *, expected: int, words: dict[str, Any] | None = None) -> object:
        """Take the last event back."""
        ...

    def redo(self, match_id: int, *, expected: int) -> object:
        """Put the event that was last taken back in again."""
        ...

    def can_redo(self, match_id: int) -> bool:
        """Whether something was taken back that can be put in again."""
        ...

    def amend(
        self,
        match_id: int,
        events: Mapping[int, Event],
        *,
        expected: int,
        words: dict[str, Any] | None = None,
    ) -> object:
        """Put other events in the place of some, by their numbers, as one record."""
        ...

    def note(self, match_id: int, words: dict[str, Any], *, expected: int) -> object:
        """Keep what people's words for the tiles of the table are from now on."""
        ...

    def words(self, match_id: int) -> dict[str, Any]:
        """Return what was noted last; nothing where nothing was."""
        ...

    def get(self, key: str) -> str | None:
        """Return a value that was set; None where there is none."""
        ...

    def set(self, key: str, value: str) -> None:
        """Keep a value."""
        ...

    def matches(self) -> Sequence[MatchRow]:
        """Return every match."""
        ...

    def records(self, match_id: int) -> Sequence[object]:
        """Return every record, in order."""
        ...

    def current(self, match_id: int) -> Sequence[Recorded]:
        """Return the events that count, in the order of play."""
        ...


class Phone(Protocol):
    """Where a phone leaves its frames, and the feed that gives them on."""

    @property
    def feed(self) -> Feed: ...

    def push(self, pixels: Pixels) -> None:
        """Leave (h, w, 3) uint8 BGR pixels."""
        ...
