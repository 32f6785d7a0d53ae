"""How soon the verdict comes where one machine watches several tables at once.

    python -m tests.web.live.measure_tables --tables 8 --minutes 3

Every table is a process of its own, as it is when it is served: real networks, watcher, referee
and SQLite store. Its camera shows recorded games, one after another, in real time: a hand comes
and changes something, and from one change to the next it is ten seconds, or longer where the hand
takes long; between them the table is shown as it lies, for five seconds at least. The tables do
not begin together. Counted is from the first frame without the hand, as the camera gives it, until
the proposal has reached a follower.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.web.live.fakes import FakeFeed, FakePhone
from tests.web.live.recorded_games import Evening, beginning, same, word
from vision.evaluation.bench import machine
from vision.loading import load_table_reader
from vision.recordings import bundled_recordings, frames_of, load_recording
from web.live.live_table import LiveTable
from web.store import open_store

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

    from vision.pipeline import TableReader
    from vision.recordings import Recording, Still
    from vision.types import Pixels

AIM_S = 3.0
_START_S = 300.0
_STILL_S = 5.0
"""How long the table lies still at least."""


@dataclass
class Measured:
    """What came of one table.

    Attributes
    ----------
    verdicts_s
        How long each verdict took.
    counts
        What was said; "late" where nothing had been before the next change.
    """

    verdicts_s: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


class Clerk:
    """Follows a table, and notes when the verdict on the newest change came."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live
        self._lock = threading.Lock()
        self._due: tuple[Still, float] | None = None
        self._came: tuple[float, str] | None = None
        self._follower = threading.Thread(target=self._follow)
        self._follower.start()

    def still(self, still: Still) -> None:
        """Note that a change is over now."""
        with self._lock:
            self._due, self._came = (still, time.monotonic()), None

    def told(self) -> tuple[float, str] | None:
        """Return how long the verdict took and what it was; None where none came."""
        with self._lock:
            came, self._due = self._came, None
            return came

    def _follow(self) -> None:
        with self._live.subscribe() as changes:
            while (snapshot := changes.get(_START_S)) is not None:
                now_s, proposal = time.monotonic(), snapshot["proposal"]
                with self._lock:
                    if self._due is None or self._came is not None or proposal is None:
                        continue
                    still, since_s = self._due
                    if same(proposal["table"], still.table):
                        self._came = now_s - since_s, word(proposal["legal"])

    def join(self) -> None:
        self._follower.join()


class Screening:
    """Shows a film to a table, one change after another, in real time."""

    def __init__(self, recording: Recording, video: Path, live: LiveTable, feed: FakeFeed) -> None:
        self._recording, self._feed = recording, feed
        self._frames = enumerate(frames_of(video))
        self._evening = Evening(recording, live)
        self._clerk = Clerk(live)
        self._shown: list[Pixels] = []

    def run(self, measured: Measured, every_s: float, until_s: float) -> None:
        """Show it to its end, or until the time is up."""
        first, *_ = stills = self._recording.stills
        self._play(first.to_frame, first)
        due_s = time.monotonic()
        for before, still in pairwise(stills):
            hand_s = (still.from_frame - before.to_frame) / self._recording.fps
            due_s = max(due_s + every_s, time.monotonic() + _STILL_S + hand_s)
            self._hold(due_s - hand_s)
            self._note(before, measured)
            if time.monotonic() > until_s:
                return
            self._play(still.to_frame, still)
        self._hold(time.monotonic() + every_s / 2)
        self._note(stills[-1], measured)

    def close(self) -> None:
        """Wait for the follower, once the table is closed."""
        self._clerk.join()

    def _note(self, still: Still, measured: Measured) -> None:
        told = self._clerk.told()
        if still.kind == "turn":
            said = "nothing in time" if told is None else told[1]
            measured.counts[f"{word(still.legal)}: {said}"] += 1
            if told is not None:
                measured.verdicts_s.append(told[0])
        self._evening.go_on()

    def _play(self, last: int, still: Still) -> None:
        """Show the film on, up to a frame."""
        for number, pixels in self._frames:
            if number == still.from_frame:
                self._shown.clear()
            if number >= still.from_frame:
                self._shown.append(pixels)
            self._show(pixels)
            if number == still.from_frame:
                self._clerk.still(still)
            if number == last:
                return

    def _hold(self, until_s: float) -> None:
        """Show the table as it lies."""
        for pixels in cycle(self._shown):
            if time.monotonic() >= until_s:
                return
            self._show(pixels)

    def _show(self, pixels: Pixels) -> None:
        self._feed.give(pixels, time.monotonic())
        time.sleep(1 / self._recording.fps)


def table(number: int, every_s: float, minutes: float, ready: Barrier, done: Queue[Any]) -> None:
    """Watch one table, and hand over what came of it."""
    rng, measured = random.Random(number), Measured()
    reader = load_table_reader()
    games = list(bundled_recordings().values())
    rng.shuffle(games)
    ready.wait(_START_S)
    time.sleep(rng.uniform(0, every_s))
    until_s = time.monotonic() + minutes * 60
    try:
        for path in cycle(games):
            if time.monotonic() >= until_s:
                break
            _show(path, reader, measured, every_s, until_s)
    finally:
        done.put(measured)


def _show(
    path: Path, reader: TableReader, measured: Measured, every_s: float, until_s: float
) -> None:
    """Show one game to a live table."""
    recording = load_recording(path)
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/m") as store:
        store.create_match(beginning(recording))
        feed = FakeFeed(recording.title)
        with LiveTable(reader, store, [feed], open_phone=FakePhone) as live:
            showing = Screening(recording, path.parent / recording.video, live, feed)
            showing.run(measured, every_s, until_s)
        showing.close()


def measure(tables: int, every_s: float, minutes: float) -> list[Measured]:
    """Watch several tables at once, each in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ready, done = context.Barrier(tables), context.Queue()
    watching = [
        context.Process(target=table, args=(number, every_s, minutes, ready, done))
        for number in range(tables)
    ]
    for process in watching:
        process.start()
    measured = [done.get(timeout=_START_S + minutes * 120) for _ in watching]
    for process in watching:
        process.join()
    return measured


def main() -> None:
    """Measure, and print how soon the verdicts came."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two changes")
    parser.add_argument("--minutes", type=float, default=3.0)
    options = parser.parse_args()
    before = os.getloadavg()[0]
    measured = measure(options.tables, options.every, options.minutes)
    verdicts_s = np.array([taken_s for one in measured for taken_s in one.verdicts_s])
    counts = sum((one.counts for one in measured), Counter[str]())
    print(f"{machine()}; load average {before:.1f} before, {os.getloadavg()[0]:.1f} at the end")  # noqa: T201
    print(*(f"{count:5} {what}" for what, count in sorted(counts.items())), sep="\n")  # noqa: T201
    print(  # noqa: T201
        f"{options.tables} tables, {len(verdicts_s)} verdicts: "
        f"median {np.median(verdicts_s):.2f} s, 95 % {np.percentile(verdicts_s, 95):.2f} s, "
        f"worst {verdicts_s.max():.2f} s; {np.mean(verdicts_s <= AIM_S):.0%} within {AIM_S:.0f} s"
    )


if __name__ == "__main__":
    main()
