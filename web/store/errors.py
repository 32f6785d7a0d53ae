"""What can go wrong with the store, in words."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DatabaseError, OperationalError

from referee.phrases import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.phrases import Phrase

_FULL: Final = ("disk is full", "disk i/o error", "no space left")
_LOCKED: Final = ("database is locked", "database table is locked", "lock timeout")
_CLOSED: Final = ("unable to open database file", "readonly database", "permission denied")
_DAMAGED: Final = ("not a database", "malformed")


NOTHING: Final = {
    "undo": say("store.nothing_to_undo", "there is nothing to undo"),
    "redo": say("store.nothing_to_redo", "there is nothing to redo"),
}


class StoreError(Exception):
    """Something could not be kept or read; the message says why and what to do."""


class StaleMatchError(StoreError):
    """Somebody else has changed the match in the meantime; nothing was kept."""


@contextmanager
def in_words() -> Iterator[None]:
    """Turn a database's errors into `StoreError`; what was kept before is kept still."""
    try:
        yield
    except DatabaseError as error:
        raise StoreError(_words(error)) from error
    except OverflowError as error:
        raise StoreError(
            say("store.number", "There is nothing with so large a number.")
        ) from error
    except UnicodeEncodeError as error:
        raise StoreError(
            say("store.signs", "This text has signs that cannot be kept; write it anew.")
        ) from error


def _words(error: DatabaseError) -> Phrase:
    text, reason = str(error.orig).lower(), _first_line(error)
    if any(part in text for part in _FULL):
        return say(
            "store.full",
            "The disk is full, so this was not kept; all before it was. "
            "Free some space, and do it again.",
        )
    if any(part in text for part in _LOCKED):
        return say(
            "store.locked",
            "Another program holds the matches, so this was not kept; all before it was. "
            "Close that program, and do it again.",
        )
    if any(part in text for part in _DAMAGED):
        return say(
            "store.damaged",
            "The file of matches is damaged, and was left as it is. "
            "Move it away or put a copy of it back, and start again.",
        )
    if any(part in text for part in _CLOSED):
        return say(
            "store.closed",
            "The matches cannot be kept where they should be: {reason}. "
            "See that the folder is there and may be written to, or choose another with --data.",
            reason=reason,
        )
    if isinstance(error, OperationalError):
        return say(
            "store.unreachable",
            "The matches cannot be reached: {reason}. Check the store's address.",
            reason=reason,
        )
    return say("store.not_kept", "This was not kept: {reason}.", reason=reason)


def _first_line(error: DatabaseError) -> str:
    """Return what the database says, without its guesses in the lines that follow."""
    lines = str(error.orig).splitlines() or [type(error).__name__]
    return lines[0].rstrip(" .")
