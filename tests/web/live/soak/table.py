"""The program that is soaked: a table that is served, and whose camera shows what it is told.

    python -m tests.web.live.soak.table FOLDER SPEED SECONDS

All parts but the networks are real: feed, watcher, referee, store, pages. Orders come as lines of
JSON on standard input. Time is simulated: it passes with each frame, at most SPEED times as fast
as it does, and stands still while there are no orders.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import event

from tests.vision.watching.made_scenes import MadeReader, Scene
from tests.web.live.fakes import FakePhone
from tests.web.live.soak.memory import Memory
from vision.cameras import CameraError, Feed
from vision.cameras.vigil import FeedSettings
from vision.pipeline import TableReader
from web.live.archive import Archive
from web.live.live_table import LiveTable
from web.site.app import create_app
from web.site.data_folder import DataFolder
from web.site.hosts import Hosts
from web.site.household import REFUSALS
from web.site.roles import Links, Role
from web.site.server import Door, Site
from web.site.services import Services
from web.site.texts import Texts
from web.store import open_store, schema

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.cameras import Frame
    from vision.types import Pixels
    from web.store import Store

FPS = 5.0
_GRAINS = 4
_PATIENCE_S = 60.0
_BETWEEN_TRIES_S = 1.0
_ROOMY_PAGES = 1_000_000


class Stage:
    """A camera before a made table, and the clock of all that look at it.

    The next frame comes once all that the one before tells was taken in, so that a busy machine
    makes the evening longer and not another one.
    """

    name = "soak"
    live = True

    def __init__(self, speed: float, now_s: float) -> None:
        self.orders: queue.Queue[dict[str, Any]] = queue.Queue()
        self._taken_in = -1
        self._changed = threading.Condition()
        self.full = threading.Event()
        self.reader = MadeReader()
        self._speed = speed
        self._now_s = now_s
        self._due_s = time.monotonic()
        self._scene = Scene()
        self._pictures: dict[int, Pixels] = {}
        self._left = 0
        self._given = 0
        self._lost_until_s = now_s

    def __call__(self) -> float:
        """Return the simulated time in seconds."""
        return self._now_s

    def taken_in(self, number: int) -> None:
        """Note that the table has made what it can of this frame, and asks for the next."""
        with self._changed:
            self._taken_in = max(self._taken_in, number)
            self._changed.notify_all()

    def open(self) -> None:
        if self._now_s < self._lost_until_s:
            self._pass(_BETWEEN_TRIES_S)
            raise CameraError("The cable is out.")

    def grab(self) -> Pixels:
        with self._changed:
            self._changed.wait_for(lambda: self._taken_in >= self._given - 1, _PATIENCE_S)
        while not self._left:
            self._obey(self.orders.get())
        self._left -= 1
        self._given += 1
        self._pass(1 / FPS)
        self.reader.scene = self._scene
        grain = self._given % _GRAINS
        if grain not in self._pictures:
            self._pictures[grain] = self._scene.pixels(grain)
        return self._pictures[grain]

    def close(self) -> None:
        pass

    def _obey(self, order: dict[str, Any]) -> None:
        self._due_s = max(self._due_s, time.monotonic())
        match order["do"]:
            case "show":
                tiles = {(left, top): face for left, top, face in order["tiles"]}
                hand = tuple(order["hand"]) if order["hand"] else None
                self._scene = Scene(tiles, hand=hand)
                self._pictures, self._left = {}, order["frames"]
            case "lose":
                self._lost_until_s = self._now_s + order["seconds"]
                raise CameraError("The cable was pulled out.")
            case "full":
                self.full.set() if order["on"] else self.full.clear()
            case "tell":
                say({"now_s": self._now_s})
            case "remember":
                say(Memory.now().values())

    def _pass(self, seconds: float) -> None:
        self._now_s += seconds
        self._due_s += seconds / self._speed
        time.sleep(max(self._due_s - time.monotonic(), 0.0))


class AskedFeed(Feed):
    """Tells the stage what the table is done with: it asks for a frame after that one."""

    def __init__(self, stage: Stage) -> None:
        # Retries take no real time: the stage lets simulated time pass instead.
        super().__init__(stage, FeedSettings(retry_s=0.01), stage)
        self._stage = stage

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        self._stage.taken_in(after)
        return super().newest(after, timeout_s)


def say(values: dict[str, Any]) -> None:
    """Tell whoever gives the orders."""
    sys.stdout.write(f"{json.dumps(values)}\n")
    sys.stdout.flush()


@contextmanager
def served(folder: DataFolder, stage: Stage) -> Iterator[None]:
    """Serve a table until the end of the block."""
    with open_store(folder.store) as store:
        _fill_disk(store, stage.full)
        archive = Archive(store)
        reader = TableReader(stage.reader, stage.reader)
        table = LiveTable(
            reader,
            store,
            [AskedFeed(stage)],
            clock=stage,
            open_phone=FakePhone,
        )
        known = Services(
            table=table,
            archive=archive,
            links=Links(folder.secret(), archive),
            hosts=Hosts(),
            texts=Texts.load(),
            refusals=REFUSALS,
        )
        site = Site(create_app(known), known.streams, (Door("127.0.0.1", 0),))
        with site, table:
            tokens = {str(role): known.links.token(role) for role in Role}
            say({"port": site.ports[0], "tokens": tokens})
            yield
            known.streams.close()


def _fill_disk(store: Store, full: threading.Event) -> None:
    """Let the database find no room while the disk is said to be full."""

    @event.listens_for(store._engine, "begin")
    def _limit(connection: Any) -> None:  # noqa: ANN401 - SQLAlchemy's own
        pages = 1 if full.is_set() else _ROOMY_PAGES
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")


def main() -> None:
    """Serve until there are no more orders."""
    folder, speed, now_s = sys.argv[1:]
    # As much shorter as everything else.
    schema._WAIT_MS = round(schema._WAIT_MS / float(speed))  # type: ignore[misc]
    stage = Stage(float(speed), float(now_s))
    with served(DataFolder.open(Path(folder)), stage):
        for line in sys.stdin:
            stage.orders.put(json.loads(line))


if __name__ == "__main__":
    main()
