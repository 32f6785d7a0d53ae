"""The table and its match, without threads and cameras: what is seen comes in, events go out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.events import Played, Refused, RoundEnded, TimedOut
from referee.match_state import Phase
from web.live.aside import Aside
from web.live.clock import TurnClock
from web.live.corrections import Corrections
from web.live.kept import KeptMatch
from web.live.leftovers import counted, read_back, still_there, written
from web.live.proposals import propose
from web.live.said import Said
from web.live.syncing import Sync, follow
from web.live.views import MatchView

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.events import Event, Started
    from referee.match_state import Match
    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from web.live.borders import Store
    from web.live.leftovers import Leftovers
    from web.live.proposals import Proposal
    from web.live.settings import LiveSettings


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
    kept
        The match, as it is written down.
    aside
        Leaves free tiles at the side out of what is seen.
    corrections
        What people put right on the table as it lies.
    struck
        The counted tile of which a person has just said that it is none; not once the match has
        gone on, or a hand was over the table, which may have laid one there.
    """

    def __init__(
        self,
        store: Store,
        settings: LiveSettings,
        now: Callable[[], float],
        evidence: Callable[[], bytes | None],
    ) -> None:
        self.settings = settings
        self.kept = KeptMatch(store)
        self.said = Said(store, settings.auto_accept)
        self.free_rules = settings.ruleset
        self.sync = Sync()
        self.proposal: Proposal | None = None
        self.settled: SettledTable | None = None
        self.aside = Aside()
        self.clock: TurnClock | None = None
        self.leftovers: dict[str, Leftovers] = {}
        self.answer: dict[str, Any] | None = None
        self.struck: Tile | None = None
        self.corrections = Corrections()
        self._now = now
        self._evidence = evidence
        self._judged: tuple[SettledTable, Match, Proposal | None] | None = None
        self._still = False
        self._settled_s = 0.0

    @property
    def match(self) -> Match | None:
        """The state of the match; None while none is played."""
        return self.kept.match

    def playing(self, *phases: Phase) -> Match:
        """Return the match, if there is one and it stands in one of these phases."""
        return self.kept.playing(*phases)

    @property
    def rules(self) -> Ruleset:
        """What is judged by: the rules of the match, or those chosen while none is played."""
        return self.match.rules if self.match else self.settings.rules(self.free_rules)

    @property
    def auto_accept(self) -> bool:
        """Whether a turn that is legal, sure and still counts without a person's word."""
        return self.said.auto_accept

    @property
    def declared(self) -> Mapping[int, Tile]:
        """What players said that jokers stand for, by tile."""
        return self.said.declared

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
        if hand:
            self.struck = None
        settled = self.aside.left_out(settled, self.match)
        if settled is not self.settled:
            self._settled_s = self._now()
        self.settled, self._still = settled, still
        self.corrections.see(settled, hand=hand)
        if settled is not None:
            self.said.see(settled, self.rules)
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

        What happened at the table in the meantime nobody saw: it may be a turn, but nobody is
        accused of what may be misread, as a tile whose correction is forgotten.
        """
        self.kept.open(match_id)
        self.said.open(match_id)
        self.go_on(None, Sync())
        self._restore_if_disturbed()
        if self.clock is not None:
            self.clock = self.clock.pause(self._now())

    def leave(self) -> None:
        """Play no match; the store keeps it as it stands."""
        self.kept.leave()
        self.clock = None
        self.said.leave()
        self.trust(Sync())

    def begin(self, event: Started) -> None:
        """Start a match."""
        self.open(self.kept.create(event))

    def append(self, event: Event, *, picture: bool = False) -> None:
        """Let something happen: it is kept, and only then shown."""
        before = self.playing()
        self.write(event, picture=picture)
        # Only a turn explains what lies there; after anything else the table must be as it was.
        self.go_on(before, Sync(edited=not isinstance(event, Played)))
        self._restore_if_disturbed()

    def write(
        self, event: Event, words: dict[str, Any] | None = None, *, picture: bool = False
    ) -> None:
        """Write down that something happens, for `go_on` to take in; keep `words` with it."""
        self.kept.append(event, self._evidence() if picture else None, words)

    def _restore_if_disturbed(self) -> None:
        """Let the table be put back where its last player left it otherwise than it counts.

        What lies there then is nothing that the next player has to answer for.
        """
        event = self.kept.told[-1].event
        if isinstance(event, Refused) or (isinstance(event, TimedOut) and event.disturbed):
            self.trust(Sync(restoring=True))

    def undo(self) -> None:
        """Take the last event back; of a round's end the racks are still known."""
        before, last = self.playing(), self.kept.told[-1].event
        self.kept.undo()
        self.go_on(before, Sync(edited=True))
        match = self.playing()
        if isinstance(last, RoundEnded) and match.games_played < before.games_played:
            self.know(counted(last, match))

    def know(self, leftovers: dict[str, Leftovers]) -> None:
        """Know these racks from now on, over restarts, too, until they count."""
        self.leftovers = leftovers
        self.said.know(written(leftovers, self.playing()), self.settled)

    def redo(self) -> None:
        """Let what was last taken back happen again."""
        before = self.playing()
        self.kept.redo()
        self.go_on(before, Sync(edited=True))
        self._restore_if_disturbed()

    def replace(self, events: Mapping[int, Event], sync: Sync) -> None:
        """Put other events in the place of some, by their places among those that count.

        Where this changes the table of the record, `sync` is what is gone on from. If the match
        cannot go on after them, nothing changes.
        """
        before = self.playing()
        self.kept.amend(events)
        self.go_on(before, sync)

    def reload(self) -> None:
        """Read the match again, which someone else has changed."""
        if self.match is not None:
            before = self.match
            self.kept.reload()
            self.go_on(before, Sync(edited=True))

    def go_on(self, before: Match | None, sync: Sync, settled: SettledTable | None = None) -> None:
        """Take in what the record says now.

        Parameters
        ----------
        before
            The match as it was, if it is one that goes on.
        sync
            What is gone on from where the table of the record is another one now.
        settled
            The table as a person has just put it right, if that is what it follows from.
        """
        match = self.playing()
        self.struck = None
        self.settled = self.aside.left_out(settled or self.settled, match)
        if before is None or _turn(before) != _turn(match):
            self._restart_clock(match)
        if before is None:
            self.leftovers = read_back(self.said.racks, match)
        else:
            self.leftovers = still_there(self.leftovers, before, match)
            turned = before.turns_played < match.turns_played
            played = turned and isinstance(self.kept.told[-1].event, Played)
            self.said.went_on(written(self.leftovers, match), self.settled, played=played)
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
        kept = self.kept
        if kept.number is None:
            return None
        return MatchView(
            id=kept.number,
            records=kept.records,
            told=kept.told,
            sync=self.sync,
            proposal=self.proposal,
            clock=self.clock,
            can_undo=kept.can_undo,
            can_redo=kept.can_redo,
            leftovers=dict(self.leftovers),
            answer=self.answer,
        )


def _turn(match: Match) -> tuple[Any, ...]:
    return match.phase, match.games_played, match.turns_played, match.turn
