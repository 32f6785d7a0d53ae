"""What happens on the table, as lines for the terminal."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any, Final

from referee.phrases import say, several
from web.site.texts import ENGLISH
from web.site.tongues import Tongues

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.phrases import Phrase
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
    found: list[str] = [
        say("message.told", "{player}: {story}", player=told["player"], story=told["story"])
        if told["player"]
        else told["story"]
        for told in now["history"]
        if told["seq"] not in known
    ]
    proposal = now["proposal"]
    if (
        proposal
        and proposal["legal"] is False
        and (before is None or before["proposal"] != proposal)
    ):
        found.append(_illegal(proposal))
    return found


def _illegal(proposal: dict[str, Any]) -> Phrase:
    return say(
        "message.not_legal",
        "{player}: not legal yet. {reasons}",
        player=proposal["player"],
        reasons=several(" ", [violation["text"] for violation in proposal["violations"]]),
    )


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
    """Says what is new on a table, until it is closed.

    Parameters
    ----------
    out
        Takes each line.
    language
        In which it is said; what has no words there is said in English.
    """

    def __init__(
        self, table: Table, out: Callable[[str], object], language: str = ENGLISH
    ) -> None:
        self._table = table
        self._out = out
        self._language = language
        self._tongues = Tongues.load()
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
            self._out(self._tongues.told(line, self._language))
        return now
