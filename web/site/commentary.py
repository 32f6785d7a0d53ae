"""What happens on the table, as lines for the terminal."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.site.borders import Snapshot, Table

_log = logging.getLogger(__name__)
_LOOK_S: Final = 0.5


def lines(before: Snapshot | None, now: Snapshot) -> list[str]:
    """Return what is new: turns that were recorded, and what is wrong with the one that lies.

    >>> quiet = {"proposal": None, "history": [], "match": None}
    >>> told = {"seq": 3, "player": "Ann", "story": "Laid Red 10-12."}
    >>> lines(quiet, {**quiet, "history": [told]})
    ['Ann: Laid Red 10-12.']
    """
    known = {told["seq"] for told in before["history"]} if before else set()
    found = [
        f"{told['player']}: {told['story']}" if told["player"] else str(told["story"])
        for told in now["history"]
        if told["seq"] not in known
    ]
    proposal = now["proposal"]
    if (
        proposal
        and proposal["legal"] is False
        and (before is None or before["proposal"] != proposal)
    ):
        reasons = " ".join(violation["text"] for violation in proposal["violations"])
        found.append(f"{proposal['player']}: not legal yet. {reasons}")
    return found


def totals(snapshot: Snapshot) -> str:
    """Return the scores in a line; empty while no match is played.

    >>> totals({"match": {"players": [{"name": "Ann", "score": 27}]}})
    'Ann 27'
    """
    match = snapshot["match"]
    if match is None:
        return ""
    return ", ".join(f"{player['name']} {player['score']}" for player in match["players"])


class Commentary:
    """Says what is new on a table, until it is closed."""

    def __init__(self, table: Table, say: Callable[[str], object]) -> None:
        self._table = table
        self._say = say
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="commentary", daemon=True)

    def start(self) -> None:
        """Begin to follow the table."""
        self._thread.start()

    def close(self) -> None:
        """Say what is left to say, and no more."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        before: Snapshot | None = None
        try:
            with self._table.subscribe() as changes:
                while not self._closed.is_set():
                    before = self._follow(before, changes.get(_LOOK_S))
                self._follow(before, self._table.snapshot())
        except Exception:  # noqa: BLE001 - a thread ends here, and the pages go on without it
            _log.exception("the commentary cannot go on")

    def _follow(self, before: Snapshot | None, now: Snapshot | None) -> Snapshot | None:
        if now is None:
            return before
        for line in lines(before, now):
            self._say(line)
        return now
