"""The match as the store keeps it: every event is written down before anything shows it."""

from __future__ import annotations

import json
import logging
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

from referee.match import apply, replay
from referee.match_state import PHASES
from referee.phrases import say
from web.live.errors import CommandError
from web.live.record import tell_all
from web.store import LOOSE_WORDS, StoreError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import Event, Started
    from referee.match_state import Match, Phase
    from referee.phrases import Phrase
    from web.live.borders import Store
    from web.live.record import Told

_log = logging.getLogger(__name__)
_OPEN: Final = "match.open"
NO_MATCH = say("refusal.no_match", "No match is being played: start one first.")


class KeptMatch:
    """The match that is played, if any; used under the table's lock.

    Attributes
    ----------
    number
        By which the store knows it.
    told
        Its events, as far as they count.
    records
        How many records of it there are: more than events, since taking back is one, too.
    can_redo
        Whether something was taken back that can happen again.
    words
        What people's words for the tiles of the table are, as they were kept last with the match,
        or, while none is open, without one; nothing where none were.
    """

    def __init__(self, store: Store) -> None:
        self.number: int | None = None
        self.told: tuple[Told, ...] = ()
        self.records = 0
        self.can_redo = False
        self._store = store
        self.words = self.loose_words

    @property
    def match(self) -> Match | None:
        """The state of the match; None while none is played."""
        return self.told[-1].after if self.told else None

    @property
    def can_undo(self) -> bool:
        """Whether something has happened that can be taken back."""
        return len(self.told) > 1

    def playing(self, *phases: Phase) -> Match:
        """Return the match, if there is one and it stands in one of these phases."""
        if self.match is None:
            raise CommandError(NO_MATCH)
        if phases and self.match.phase not in phases:
            text = say(
                "refusal.phase",
                "That cannot be done while the match is {now}; it can while it is {then}.",
                now=PHASES[self.match.phase],
                then=reduce(_either, (PHASES[phase] for phase in phases)),
            )
            raise CommandError(text)
        return self.match

    def create(self, event: Started) -> int:
        """Write a new match down, and return its number."""
        replay([event])
        return self._store.create_match([event], title=", ".join(event.players))

    def latest(self) -> tuple[int, ...]:
        """Return which match was opened last, as far as that is known, and which is the newest."""
        numbers = [row.id for row in self._store.matches()]
        opened = self._store.get(_OPEN)
        found = [*(n for n in numbers if str(n) == opened), *sorted(numbers)[-1:]]
        return tuple(dict.fromkeys(found))

    def open(self, number: int) -> None:
        """Go on with a match of the store; one that cannot be leaves everything as it is."""
        if not self._store.current(number):
            raise CommandError(
                say("refusal.no_such_match", "There is no match number {number}.", number=number)
            )
        self._read(number)
        try:
            if self._store.get(_OPEN) != str(number):
                self._store.set(_OPEN, str(number))
        except StoreError:
            _log.exception("it is not kept that match %d was opened; the match is", number)

    @property
    def loose_words(self) -> dict[str, Any]:
        """What people said of tiles while no match was open, until words are kept with one."""
        return dict(json.loads(self._store.get(LOOSE_WORDS) or "{}"))

    def leave(self) -> None:
        """Go on without a match; the store keeps it as it stands."""
        self.number, self.told, self.records = None, (), 0
        self.words = self.loose_words or self.words

    def append(
        self, event: Event, evidence: bytes | None, words: dict[str, Any] | None = None
    ) -> None:
        """Let something happen, of which there may be a picture; keep `words` with it, if any."""
        apply(self.playing(), event)
        self._store.append(
            self._known, event, expected=self.records, evidence=evidence, words=words
        )
        self.reload()

    def note(self, words: dict[str, Any]) -> None:
        """Write down what people's words for the tiles of the table are from now on."""
        if self.number is None:
            self._store.set(LOOSE_WORDS, json.dumps(words))
        else:
            self._store.note(self.number, words, expected=self.records)
            self.records += 1
        self.words = words

    def undo(self, words: dict[str, Any] | None = None) -> None:
        """Take the last event back; keep `words` with that, if any."""
        if not self.can_undo:
            raise CommandError(say("refusal.nothing_to_undo", "There is nothing to take back."))
        self._store.undo(self._known, expected=self.records, words=words)
        self.reload()

    def redo(self) -> None:
        """Let what was last taken back happen again."""
        if not self.can_redo:
            raise CommandError(say("refusal.nothing_to_redo", "There is nothing to do again."))
        self._store.redo(self._known, expected=self.records)
        self.reload()

    def amend(self, events: Mapping[int, Event], words: dict[str, Any] | None = None) -> None:
        """Put other events in the place of some, by their places among those that count.

        All are tried out first: if the match cannot go on after them, nothing changes. `words`
        are kept with them, if any.
        """
        replay([events.get(place, one.event) for place, one in enumerate(self.told)])
        if events:
            changes = {self.told[place].seq: event for place, event in events.items()}
            self._store.amend(self._known, changes, expected=self.records, words=words)
        self.reload()

    def reload(self) -> None:
        """Read the match again, which may have been changed."""
        self._read(self._known)

    @property
    def _known(self) -> int:
        if self.number is None:
            raise CommandError(NO_MATCH)
        return self.number

    def _read(self, number: int) -> None:
        self.told = tell_all(self._store.current(number), self.told)
        self.number = number
        self.records = len(self._store.records(number))
        self.can_redo = self._store.can_redo(number)
        self.words = self._store.words(number)


def _either(one: Phrase, other: Phrase) -> Phrase:
    return say("phase.either", "{one} or {other}", one=one, other=other)
