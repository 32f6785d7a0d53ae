"""How long others wait to write while a large match is imported.

`python -m tests.web.store.measure_import --mb 300` imports a match with so many pictures while
another thread keeps appending events to another match, and says how long that took at worst.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from referee.events import Adjusted, Dealt, Event, Started, encode
from web.live.archive import Archive
from web.store import Room, StoreError, open_store
from web.store.effective import Action
from web.store.parcel import Parcel, pack

_PICTURE_BYTES = 300_000
_EVENT = Adjusted("Ann", 1)


def large_match(file: BinaryIO, megabytes: int) -> None:
    """Write the export of a match whose pictures take so much room."""
    now = datetime.now(UTC)
    count = megabytes * 1_000_000 // _PICTURE_BYTES
    beginning: list[Event] = [Started(("Ann", "Bob")), Dealt("Ann")]
    events = (*beginning, *(_EVENT for _ in range(count)))
    actions = tuple(
        Action("event", seq, now, None, encode(event), seq if event is _EVENT else None)
        for seq, event in enumerate(events, 1)
    )
    jpegs = ((one.seq, _picture()) for one in actions if one.picture_id)
    pack(file, Parcel("large", now, actions), {}, jpegs)


def _picture() -> bytes:
    return b"\xff\xd8\xff" + os.urandom(_PICTURE_BYTES - 3)


def measure(url: str, megabytes: int, room_mb: int) -> tuple[float, list[float], int]:
    """Return the seconds that the import took, those of every append, and how many failed."""
    with open_store(url, Room(room_mb * 1_000_000)) as store, tempfile.TemporaryFile() as file:
        large_match(file, megabytes)
        match_id = store.create_match([Started(("Ann", "Bob")), Dealt("Ann")])
        done, waits, failed = threading.Event(), list[float](), 0

        def play() -> None:
            nonlocal failed
            expected = 2
            while not done.is_set():
                began = time.perf_counter()
                with suppress(StoreError):
                    store.append(match_id, _EVENT, expected=expected, evidence=_picture())
                    expected += 1
                    failed -= 1
                failed += 1
                waits.append(time.perf_counter() - began)
                done.wait(0.02)

        player = threading.Thread(target=play)
        player.start()
        began = time.perf_counter()
        try:
            Archive(store).import_zip(file)
        finally:
            took_s = time.perf_counter() - began
            done.set()
            player.join()
        return took_s, waits, failed


def main() -> None:
    """Measure, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=300)
    parser.add_argument("--room-mb", type=int, default=500)
    parser.add_argument("--url", help="a database; else a new SQLite file")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = given.url or f"sqlite:///{Path(folder) / 'matches.sqlite'}"
        took_s, waits, failed = measure(url, given.mb, given.room_mb)
    waits.sort()
    print(  # noqa: T201
        f"{given.mb} MB imported in {took_s:.1f} s; {len(waits)} appends beside it, "
        f"{failed} failed: {waits[len(waits) // 2]:.3f} s median, {waits[-1]:.3f} s longest"
    )


if __name__ == "__main__":
    main()
