"""Which of a match's records count: undo, redo and changes are records themselves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KINDS: Final = frozenset({"event", "undo", "redo", "replace", "amend"})
_NEVER: Final = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Action:
    """One record.

    Attributes
    ----------
    kind
        "event", "undo", "redo", "replace" or, for several changes that are one, "amend".
    of_seq
        What a "replace" changes.
    event
        As `referee.events.encode` gives it; of an "amend" its `changes`, each with what it is
        `of` and the `event`.
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


@dataclass(slots=True)
class _Fold:
    now: tuple[Action, ...] = ()
    past: tuple[tuple[Action, ...], ...] = ()
    future: tuple[tuple[Action, ...], ...] = ()

    def take(self, action: Action) -> None:
        if action.kind == "undo":
            self.future = (*self.future, self.now)
            *past, self.now = self.past
            self.past = tuple(past)
        elif action.kind == "redo":
            self.past = (*self.past, self.now)
            *future, self.now = self.future
            self.future = tuple(future)
        else:
            self.past = (*self.past, self.now)
            self.now = _changed(self.now, action)
            self.future = ()


def _changed(now: tuple[Action, ...], action: Action) -> tuple[Action, ...]:
    if action.kind == "event":
        return (*now, action)
    changes = {action.of_seq: action.event}
    if action.kind == "amend":
        changes = {change["of"]: change["event"] for change in (action.event or {})["changes"]}
    return tuple(
        replace(one, event=changes[one.seq]) if one.seq in changes else one for one in now
    )


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
    """
    return _fold(actions).now


def can_undo(actions: Iterable[Action]) -> bool:
    """Whether there is something to take back; the match itself stays."""
    return len(_fold(actions).past) > 1


def can_redo(actions: Iterable[Action]) -> bool:
    """Whether something was taken back that can be done again."""
    return bool(_fold(actions).future)
