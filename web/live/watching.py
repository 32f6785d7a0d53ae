"""The watcher, shared between the worker that looks and the people who correct it."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from web.live.errors import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.sights import SettledTable, Sight
    from web.live.borders import Frame, Watcher


class Gate:
    """Lets one through at a time, and people before the worker.

    A plain lock would let the worker, which comes back at once, in again and again.
    """

    def __init__(self) -> None:
        self._free = threading.Condition()
        self._busy = False
        self._people = 0

    @property
    def asked(self) -> bool:
        """Whether a person waits."""
        return self._people > 0

    @contextmanager
    def for_a_person(self) -> Iterator[None]:
        """Wait for whoever is in there, but for nobody else's turn."""
        with self._free:
            self._people += 1
            self._free.wait_for(lambda: not self._busy)
            self._people -= 1
            self._busy = True
        yield from self._inside()

    @contextmanager
    def for_the_worker(self) -> Iterator[None]:
        """Wait until no person waits."""
        with self._free:
            self._free.wait_for(lambda: not self._busy and not self._people)
            self._busy = True
        yield from self._inside()

    def _inside(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._free:
                self._busy = False
                self._free.notify_all()


class Watching:
    """One watcher for the camera in use; another camera gets a new one.

    Parameters
    ----------
    make
        Makes a watcher that judges by the given rules.
    rules
        The rules to judge by.
    """

    def __init__(self, make: Callable[[Ruleset], Watcher], rules: Ruleset) -> None:
        self.gate = Gate()
        self.corrections = 0
        self._make = make
        self._rules = rules
        self._camera: str | None = None
        self._watcher: Watcher | None = None

    def look(self, frame: Frame) -> tuple[Sight, int]:
        """Take in a frame, for the worker; tell how many corrections it takes into account."""
        with self.gate.for_the_worker():
            if self._watcher is None or frame.camera != self._camera:
                self._watcher, self._camera = self._make(self._rules), frame.camera
            return self._watcher.look(frame), self.corrections

    def forget(self) -> None:
        """Begin again with the next frame."""
        with self.gate.for_a_person():
            self._watcher = None

    def correct(self, tile_id: int, tile: Tile | None) -> SettledTable:
        """Take a person's word for a tile; None says that there is none."""
        with self.gate.for_a_person():
            self.corrections += 1
            return self._seeing().correct(tile_id, tile)

    def add(self, quad_img: Floats, tile: Tile) -> SettledTable:
        """Take a person's word that a tile lies there."""
        with self.gate.for_a_person():
            self.corrections += 1
            return self._seeing().add(quad_img, tile)

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        with self.gate.for_a_person():
            self._rules = rules
            self.corrections += 1
            return None if self._watcher is None else self._watcher.use_rules(rules)

    def _seeing(self) -> Watcher:
        if self._watcher is None:
            raise CommandError("The camera has not shown the table yet.")
        return self._watcher
