"""A live table with fakes all round."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.fakes import fake_reader
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakeFeed, FakePhone, FakeWatcher, Time, settled
from vision.watching.sights import Phase
from web.live.live_table import LiveTable
from web.live.settings import LiveSettings

if TYPE_CHECKING:
    from vision.pipeline import TableReader
    from vision.watching.sights import SettledTable


@dataclass
class Room:
    """A live table, and what a test moves it by; without threads."""

    store: Any = field(default_factory=FakeStore)
    feed: FakeFeed = field(default_factory=FakeFeed)
    time: Time = field(default_factory=Time)
    settings: LiveSettings = field(default_factory=LiveSettings)
    rack: str = "R2 K10"
    doubts: dict[str, str] = field(default_factory=dict)
    reader: Any = None
    live: LiveTable = field(init=False)

    def __post_init__(self) -> None:
        self.live = LiveTable(
            self.reader or fake_reader(self.rack, self.doubts),
            self.store,
            [self.feed],
            self.settings,
            self.time,
            make_watcher=lambda _reader, rules: FakeWatcher(rules),
            open_phone=FakePhone,
        )

    def snapshot(self) -> dict[str, Any]:
        return self.live.snapshot()

    def show(self, table: str | SettledTable, *, hand: bool = True) -> None:
        """Let the table settle."""
        shown = settled(table, after_hand=hand) if isinstance(table, str) else table
        self.feed.show(shown)
        self.live.look_once(0)

    def wait(self, seconds: float, phase: Phase = Phase.STABLE) -> None:
        """Let time pass while nothing changes."""
        self.time.now_s += seconds
        self.feed.show(None, phase)
        self.live.look_once(0)

    def read_by(self, reader: TableReader) -> None:
        """Read by another reader, and let the table be looked at anew as it lies."""
        self.live.use_reader(reader)
        for _ in range(3):
            self.live.look_once(0)

    def do(self, name: str, **values: Any) -> None:  # noqa: ANN401
        self.live.command(name, values)

    def play(self, *players: str, **values: Any) -> None:  # noqa: ANN401
        """Start a match and its first round."""
        self.do("new_match", players=list(players or ("Ann", "Bob")), **values)
        self.do("start_round", starter=(players or ("Ann",))[0])

    def turn(self, table: str) -> None:
        """Let a turn be played and accepted."""
        self.show(table)
        self.do("end_turn")
