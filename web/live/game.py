"""The table and its match, without threads and cameras: what is seen comes in, events go out."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any

from referee.events import Played, Refused, Started, TimedOut
from referee.match import apply, replay
from referee.match_state import PHASES, Phase
from referee.phrases import say
from web.live.aside import Aside
from web.live.clock import TurnClock
from web.live.errors import CommandError
from web.live.proposals import propose
from web.live.record import tell_all
from web.live.said import Said
from web.live.syncing import Sync, follow
from web.live.views import MatchView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.events import Event
    from referee.match_state import Match
    from referee.phrases import Phrase
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from web.live.borders import Store
    from web.live.leftovers import Leftovers
    from web.live.proposals import Proposal
    from web.live.record import Told
    from web.live.settings import LiveSettings

NO_MATCH = say("refusal.no_match", "No match is being played: start one first.")


class Game:
    """The table and its match; used under one lock.

    Every event is in the store before anything here shows it.

    Parameters
    ----------
    now
        A clock that only goes forward, in seconds.
    evidence
        Gives a JPEG of the settled table; None where there is no picture.

    Attributes
    ----------
    records
        How many records of the match there are: more than events, since taking back is one, too.
    aside
        Leaves free tiles at the side out of what is seen.
    """

    def __init__(
        self,
        store: Store,
        settings: LiveSettings,
        now: Callable[[], float],
        evidence: Callable[[], bytes | None],
    ) -> None:
        self.settings = settings
        self.said = Said(store, settings.auto_accept)
        self.free_rules = settings.ruleset
        self.match_id: int | None = None
        self.told: tuple[Told, ...] = ()
        self.sync = Sync()
        self.proposal: Proposal | None = None
        self.records = 0
        self.can_redo = False
        self.settled: SettledTable | None = None
        self.aside = Aside()
        self.clock: TurnClock | None = None
        self.leftovers: dict[str, Leftovers] = {}
        self.answer: dict[str, Any] | None = None
        self._store = store
        self._now = now
        self._evidence = evidence
        self._judged: tuple[SettledTable, Match, Proposal | None] | None = None
        self._still = False
        self._settled_s = 0.0

    @property
    def match(self) -> Match | None:
        """The state of the match; None while none is played."""
        return self.told[-1].after if self.told else None

    @property
    def auto_accept(self) -> bool:
        """Whether a turn that is legal, sure and still counts without a person's word."""
        return self.said.auto_accept

    @property
    def declared(self) -> Mapping[int, Tile]:
        """What players said that jokers stand for, by tile."""
        return self.said.declared

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

    # What is seen

    def see(self, settled: SettledTable | None, *, hand: bool, still: bool) -> None:
        """Take in what the watcher says.

        Parameters
        ----------
        settled
            The last settled table.
        hand
            Whether it is new, and a hand was over the table before.
        still
            Whether nothing moves over the table.
        """
        settled = self.aside.left_out(settled, self.match)
        if settled is not self.settled:
            self._settled_s = self._now()
        self.settled, self._still = settled, still
        if settled is not None:
            self.said.see(settled)
        self._judge(hand=hand)
        self._accept_if_certain()

    def moment(self) -> None:
        """Look at the time where there is nothing new to see."""
        self.see(self.settled, hand=False, still=False)

    def corrected(self, settled: SettledTable) -> None:
        """Take in a table that a person has put right; no hand made the difference."""
        self.see(settled, hand=False, still=self._still)

    def _judge(self, *, hand: bool) -> None:
        """Work out anew how the settled table stands to the record."""
        now_s = self._now()
        if self.match is None or self.settled is None:
            known = Sync(trusted=self.sync.trusted, restoring=self.sync.restoring)
            self.sync, self.proposal = known, None
        else:
            step = follow(
                self.sync,
                self.match,
                self.settled,
                self._proposed(self.settled, self.match),
                hand=hand,
                now_s=now_s,
                grace_s=self.settings.grace_s,
                still=self._still,
            )
            self.sync, self.proposal = step.sync, step.proposal
        if self.clock is not None:
            self.clock = self.clock.hold(now_s, held=self.sync.holds_clock)

    def _proposed(self, settled: SettledTable, match: Match) -> Proposal | None:
        """Return what a table proposes; as long as nothing changes it is judged only once."""
        known = self._judged
        if known is None or known[0] is not settled or known[1] is not match:
            known = self._judged = settled, match, propose(settled, match)
        return known[2]

    def trust(self, sync: Sync) -> None:
        """Go on from this state, and judge anew."""
        self.sync = sync
        self._judge(hand=False)

    def _accept_if_certain(self) -> None:
        """Let a turn count without a person's word, where that is wanted and nothing is open."""
        found, now_s = self.proposal, self._now()
        still = self._still and now_s - self._settled_s >= self.settings.still_s
        if self.auto_accept and found and found.certain and self.sync.trusted and still:
            self.append(Played(str(found.table)), picture=True)

    # What happened

    def open(self, match_id: int) -> None:
        """Go on with a match of the store where it stood; its clock waits for a person.

        What happened at the table in the meantime nobody saw, so it may be a turn.
        """
        recorded = self._store.current(match_id)
        if not recorded:
            raise CommandError(
                say("refusal.no_such_match", "There is no match number {number}.", number=match_id)
            )
        tell_all(recorded)  # so that one that cannot be told leaves this one as it is
        self.told, self.match_id = (), match_id
        self.said.open(match_id)
        self._reload(Sync(trusted=True))
        self._restore_if_disturbed()
        if self.clock is not None:
            self.clock = self.clock.pause(self._now())

    def leave(self) -> None:
        """Play no match; the store keeps it as it stands."""
        self.match_id, self.told, self.clock = None, (), None
        self.said.leave()
        self.trust(Sync())

    def begin(self, event: Started) -> None:
        """Start a match."""
        replay([event])
        self.open(self._store.create_match([event], title=", ".join(event.players)))

    def append(self, event: Event, *, picture: bool = False) -> None:
        """Let something happen: it is kept, and only then shown."""
        apply(self.playing(), event)
        evidence = self._evidence() if picture else None
        self._store.append(self._match_id, event, expected=self.records, evidence=evidence)
        # Only a turn explains what lies there; after anything else the table must be as it was.
        self._reload(Sync(edited=not isinstance(event, Played)))
        self._restore_if_disturbed()

    def _restore_if_disturbed(self) -> None:
        """Let the table be put back where its last player left it otherwise than it counts.

        What lies there then is nothing that the next player has to answer for.
        """
        event = self.told[-1].event
        if isinstance(event, Refused) or (isinstance(event, TimedOut) and event.disturbed):
            self.trust(Sync(restoring=True))

    def undo(self) -> None:
        """Take the last event back."""
        self.playing()
        if len(self.told) <= 1:
            raise CommandError(say("refusal.nothing_to_undo", "There is nothing to take back."))
        self._store.undo(self._match_id, expected=self.records)
        self._reload(Sync(edited=True))

    def redo(self) -> None:
        """Let what was last taken back happen again."""
        self.playing()
        if not self.can_redo:
            raise CommandError(say("refusal.nothing_to_redo", "There is nothing to do again."))
        self._store.redo(self._match_id, expected=self.records)
        self._reload(Sync(edited=True))
        self._restore_if_disturbed()

    def replace(self, events: Mapping[int, Event], sync: Sync) -> None:
        """Put other events in the place of some, by their places among those that count.

        Where this changes the table of the record, `sync` is what is gone on from. All are tried
        out first: if the match cannot go on after them, nothing changes.
        """
        self.playing()
        replay([events.get(place, one.event) for place, one in enumerate(self.told)])
        if events:
            changes = {self.told[place].seq: event for place, event in events.items()}
            self._store.amend(self._match_id, changes, expected=self.records)
        self._reload(sync)

    @property
    def _match_id(self) -> int:
        if self.match_id is None:
            raise CommandError(NO_MATCH)
        return self.match_id

    def reload(self) -> None:
        """Read the match again, which someone else has changed."""
        if self.match_id is not None:
            self._reload(Sync(edited=True))

    def _reload(self, sync: Sync) -> None:
        before = self.match
        self.told = tell_all(self._store.current(self._match_id), self.told)
        self.records = len(self._store.records(self._match_id))
        self.can_redo = self._store.can_redo(self._match_id)
        match = self.playing()
        self.settled = self.aside.left_out(self.settled, match)
        if before is None or _turn(before) != _turn(match):
            self._restart_clock(match)
        if before is None or before.games_played != match.games_played:
            self.leftovers = {}
        if before is not None:
            self.said.went_on(self.settled)
        self.answer, self.proposal = None, None
        if before and (_turn(before), before.table) == (_turn(match), match.table):
            self.trust(self.sync)
        else:
            self.trust(sync)

    def _restart_clock(self, match: Match) -> None:
        seconds, count = match.rules.timer_s, self.settings.extensions
        timed = match.phase is Phase.PLAYING and seconds
        self.clock = TurnClock.started(seconds, self._now(), count) if timed else None

    def view(self) -> MatchView | None:
        """Return the match as it stands, for a snapshot."""
        if self.match_id is None or not self.told:
            return None
        return MatchView(
            id=self.match_id,
            records=self.records,
            told=self.told,
            sync=self.sync,
            proposal=self.proposal,
            clock=self.clock,
            can_undo=len(self.told) > 1,
            can_redo=self.can_redo,
            leftovers=dict(self.leftovers),
            answer=self.answer,
        )


def _either(one: Phrase, other: Phrase) -> Phrase:
    return say("phase.either", "{one} or {other}", one=one, other=other)


def _turn(match: Match) -> tuple[Any, ...]:
    return match.phase, match.games_played, match.turns_played, match.turn
