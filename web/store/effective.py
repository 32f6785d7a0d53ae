"""Which of a match's records count: undo, redo and changes are records themselves.

What people said of tiles is a record, too, but nothing that is taken back, nor part of the match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KINDS: Final = frozenset({"event", "undo", "redo", "replace", "amend", "words"})
_NEVER: Final = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Action:
    """One record.

    Attributes
    ----------
    kind
        "event", "undo", "redo", "replace" or, for several changes that are one, "amend"; and
        "words".
    of_seq
        What a "replace" changes.
    event
        As `referee.events.encode` gives it; of an "amend" its `changes`, each with what it is
        `of` and the `event`; of "words" what people's words for the tiles of the table were from
        then on.
    """

    kind: str
    seq: int = 0
    at: datetime = _NEVER
    of_seq: int | None = None
    event: dict[str, Any] | None = None
    picture_id: int | None = None

    def kept(self, seq: int, now: datetime) -> Action:
        """Return it as the store keeps it; what was kept elsewhere keeps its time."""
        return replace(self, seq=seq, at=now if self.at == _NEVER else self.at)

    def moved(self, picture_id: int | None) -> Action:
        """Return it with its picture's number in another store."""
        return replace(self, picture_id=picture_id)


class _Fold:
    """The records that count so far; what is taken back is undone, so that long matches are quick.

    Attributes
    ----------
    now
        The events that count, in the order of play.
    done, undone
        What can be taken back, and done again.
    """

    def __init__(self) -> None:
        self.now: list[Action] = []
        self.done: list[Action] = []
        self.undone: list[Action] = []
        self._places: dict[int, int] = {}
        self._before: list[dict[int, Action]] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back; the match itself stays."""
        return len(self.done) > 1

    def take(self, action: Action) -> None:
        if action.kind == "undo":
            self._take_back()
        elif action.kind == "redo":
            self._do(self.undone.pop())
        elif action.kind != "words":
            self._do(action)
            self.undone.clear()

    def _do(self, action: Action) -> None:
        changes = changes_of(action)
        before = {place: self.now[place] for seq in changes if (place := self._place(seq)) >= 0}
        for place, one in before.items():
            self.now[place] = replace(one, event=changes[one.seq])
        if action.kind == "event":
            self._places[action.seq] = len(self.now)
            self.now.append(action)
        self.done.append(action)
        self._before.append(before)

    def _take_back(self) -> None:
        action = self.done.pop()
        if action.kind == "event":
            del self._places[self.now.pop().seq]
        for place, one in self._before.pop().items():
            self.now[place] = one
        self.undone.append(action)

    def _place(self, seq: int) -> int:
        """Return where an event stands among those that count; -1 if it does not count."""
        return self._places.get(seq, -1)


def changes_of(action: Action) -> dict[int, dict[str, Any] | None]:
    """Return the events that are put in the place of others, by the numbers of those."""
    if action.kind == "replace":
        return {action.of_seq or 0: action.event}
    if action.kind == "amend":
        return {change["of"]: change["event"] for change in (action.event or {})["changes"]}
    return {}


def change(events: Mapping[int, dict[str, Any]]) -> Action:
    """Return the one record of putting other events in the place of some, by their numbers.

    >>> first, second = Action("event", 1, event={"n": 1}), Action("event", 2, event={"n": 2})
    >>> both = change({1: {"n": 3}, 2: {"n": 4}})
    >>> [one.event for one in effective([first, second, both])]
    [{'n': 3}, {'n': 4}]
    """
    if len(events) == 1:
        ((seq, event),) = events.items()
        return Action("replace", of_seq=seq, event=event)
    changes = [{"of": seq, "event": event} for seq, event in sorted(events.items())]
    return Action("amend", event={"changes": changes})


def _fold(actions: Iterable[Action]) -> _Fold:
    fold = _Fold()
    for action in actions:
        fold.take(action)
    return fold


def effective(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return the records whose events count, in the order of play.

    >>> first, second = Action("event", 1, event={"n": 1}), Action("event", 2, event={"n": 2})
    >>> [one.seq for one in effective([first, second, Action("undo", 3)])]
    [1]
    >>> [one.seq for one in effective([first, second, Action("undo", 3), Action("redo", 4)])]
    [1, 2]
    >>> effective([first, Action("replace", 2, of_seq=1, event={"n": 3})])[0].event
    {'n': 3}
    >>> [one.seq for one in effective([first, second, Action("words", 3), Action("undo", 4)])]
    [1]
    """
    return tuple(_fold(actions).now)


def can_undo(actions: Iterable[Action]) -> bool:
    """Whether there is something to take back; the match itself stays."""
    return _fold(actions).can_undo


def can_redo(actions: Iterable[Action]) -> bool:
    """Whether something was taken back that can be done again."""
    return bool(_fold(actions).undone)


def unfounded(actions: Iterable[Action]) -> Action | None:
    """Return the first record that takes back, or does again, where there was nothing to.

    >>> first = Action("event", 1, event={"n": 1})
    >>> unfounded([first, Action("undo", 2)]).seq
    2
    >>> unfounded([first, Action("event", 2, event={}), Action("undo", 3), Action("redo", 4)])
    """
    fold = _Fold()
    for action in actions:
        possible = {"undo": fold.can_undo, "redo": bool(fold.undone)}
        if not possible.get(action.kind, True):
            return action
        fold.take(action)
    return None
