"""People's commands, and what goes wrong with them."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

from tests.web.live.soak.program import GoneError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from tests.web.live.soak.players import Book
    from tests.web.live.soak.program import Program

FAULTS = ("disk full", "database locked", "camera lost", "double tap", "page that never reads")
KILL = "killed"
_KILL_WITHIN_S = 0.06


class Asking:
    """Asks for what has to be kept, whatever goes wrong, and takes down what was confirmed.

    Parameters
    ----------
    show_again
        Shows the table to a program that was started again.

    Attributes
    ----------
    fault
        What goes wrong next; empty for nothing.
    faults
        What went wrong, and how often.
    """

    def __init__(
        self,
        program: Program,
        book: Book,
        rng: random.Random,
        show_again: Callable[[], None],
    ) -> None:
        self.fault = ""
        self.faults: Counter[str] = Counter()
        self._program = program
        self._book = book
        self._rng = rng
        self._show_again = show_again

    @property
    def records(self) -> int:
        """How many are confirmed."""
        return len(self._book.records)

    def met(self) -> None:
        """Count what goes wrong as met."""
        self.faults[self.fault] += 1
        self.fault = ""

    def confirm(
        self,
        name: str,
        values: dict[str, Any],
        note: Callable[[], None],
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask for something that is kept, and take it down once it is confirmed.

        Parameters
        ----------
        ready
            Waits until it can be asked for again.
        """
        asked = {**values, "records": self.records}
        if not self._with_fault(name, asked):
            ready()
            refused = self._program.command(name, **asked)
            assert not refused, f"{name}: {refused}"
        note()
        self._program.follower.until(lambda shown: shown["records"] == self.records)

    def _with_fault(self, name: str, asked: dict[str, Any]) -> bool:
        """Ask while something goes wrong; tell whether it was kept all the same."""
        match self.fault:
            case "disk full":
                return self._while_disk_is_full(name, asked)
            case "database locked":
                return self._while_locked(name, asked)
            case "double tap":
                return self._twice(name, asked)
            case "killed":
                return self._killed(name, asked)
        return False

    def _while_disk_is_full(self, name: str, asked: dict[str, Any]) -> bool:
        self.met()
        self._program.fill_disk(full=True)
        refused = self._program.command(name, **asked)
        assert not refused or "disk is full" in refused, refused
        self._program.fill_disk(full=False)
        return not refused

    def _while_locked(self, name: str, asked: dict[str, Any]) -> bool:
        self.met()
        path = self._program.folder / "matches.sqlite"
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            refused = self._program.command(name, **asked)
            other.rollback()
        assert "Another program holds the matches" in refused, refused
        return False

    def _twice(self, name: str, asked: dict[str, Any]) -> bool:
        self.met()
        answers: list[str] = []
        taps = [
            threading.Thread(target=lambda: answers.append(self._program.command(name, **asked)))
            for _ in range(2)
        ]
        for tap in taps:
            tap.start()
        for tap in taps:
            tap.join()
        assert sorted(map(bool, answers)) == [False, True], answers
        return True

    def _killed(self, name: str, asked: dict[str, Any]) -> bool:
        """Ask, and cut the power somewhere on the way; look afterwards what was kept."""
        self.met()
        answers: list[str] = []

        def ask() -> None:
            try:
                answers.append(self._program.command(name, **asked))
            except GoneError:
                answers.append("gone")

        asking = threading.Thread(target=ask)
        asking.start()
        asking.join(self._rng.uniform(0, _KILL_WITHIN_S))
        self._program.kill()
        asking.join()
        shown_before = self._program.follower.most_records
        self._program.start()
        self._show_again()
        records = int(self._program.follower.until(lambda _: True)["records"])
        kept = records == self.records + 1
        assert kept or records == self.records, f"{records} records, {self.records} confirmed"
        assert kept or answers != [""], f"{name} was confirmed and is lost"
        assert records >= shown_before, "a page has shown what was not kept"
        return kept
