"""The turnstile before the watchers."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
