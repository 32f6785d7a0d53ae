"""How long a change takes from the frame, or from a command, to every follower.

    python -m tests.web.live.measure_latency --followers 20 --rounds 10

The watcher is a stand-in that takes no time, so that what is measured is what the live table
adds: judging the turn, encoding the evidence, keeping it in an SQLite file, building the snapshot,
handing it on. The table grows to 60 tiles.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time

import numpy as np

from tests.fakes import fake_reader
from tests.web.live.fakes import FakeFeed, FakePhone, FakeWatcher, picture_of, settled
from web.live.live_table import LiveTable
from web.store import Store, open_store

SETS = [f"{c}{a} {c}{a + 1} {c}{a + 2}" for a in (1, 4, 7, 10) for c in "RBOK"] + [
    "R13 B13 O13 K13",
    "R1 B1 O1 K1",
    "R2 B2 O2 K2",
]


class Follower:
    """Follows the table as an event stream does, and writes every snapshot as JSON."""

    def __init__(self, live: LiveTable) -> None:
        self.arrived: dict[tuple[int, bool], float] = {}
        self._live = live
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    def _follow(self) -> None:
        with self._live.subscribe() as changes:
            while (snapshot := changes.get(60)) is not None:
                json.dumps(snapshot)
                self.arrived[len(snapshot["tiles"]), snapshot["proposal"] is None] = (
                    time.perf_counter()
                )

    def join(self) -> None:
        self._thread.join()


def main() -> None:
    """Measure and print medians and the worst, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--followers", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=10)
    options = parser.parse_args()
    seen_ms: list[float] = []
    told_ms: list[float] = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as folder:
            url = f"sqlite:///{folder}/matches.db"
            with open_store(url) as store:
                _round(store, options.followers, seen_ms, told_ms)
    for what, spans in (("frame to follower", seen_ms), ("end_turn to follower", told_ms)):
        print(  # noqa: T201
            f"{what}: median {np.median(spans):.1f} ms, 95 % {np.percentile(spans, 95):.1f} ms, "
            f"worst {max(spans):.1f} ms ({len(spans)} arrivals, {options.followers} followers)"
        )


def _round(store: Store, count: int, seen_ms: list[float], told_ms: list[float]) -> None:
    feed = FakeFeed()
    live = LiveTable(
        fake_reader(""),
        store,
        [feed],
        make_watcher=lambda _reader, rules: FakeWatcher(rules),
        open_phone=FakePhone,
    )
    with live:
        followers = [Follower(live) for _ in range(count)]
        live.command("new_match", {"players": ["A", "B", "C", "D"], "changes": {"deal": 20}})
        live.command("start_round", {"starter": "A"})
        for end in range(1, len(SETS) + 1):
            table = settled(" | ".join(SETS[:end]))
            picture = picture_of(table)
            shown_s = time.perf_counter()
            feed.give(picture)
            _wait(followers, (len(table.tiles), False), shown_s, seen_ms)
            ended_s = time.perf_counter()
            live.command("end_turn", {"accept_illegal": True})
            _wait(followers, (len(table.tiles), True), ended_s, told_ms)
    for follower in followers:
        follower.join()


def _wait(
    followers: list[Follower], key: tuple[int, bool], since_s: float, spans_ms: list[float]
) -> None:
    for follower in followers:
        while key not in follower.arrived:
            time.sleep(0.0005)
        spans_ms.append((follower.arrived[key] - since_s) * 1000)


if __name__ == "__main__":
    main()
