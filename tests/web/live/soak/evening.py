"""An evening at the table: turns are played, and things go wrong, by a seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.events import Adjusted, Dealt, Drew, Played, Refused, RoundEnded, Stopped
from tests.web.live.recorded_games import same
from tests.web.live.soak.asking import FAULTS, KILL, Asking
from tests.web.live.soak.players import Book, Lying, leftovers, new_match
from tests.web.live.soak.program import Program

if TYPE_CHECKING:
    from pathlib import Path

_SETTLED_S = 2.4
_GRACE_S = 6.0
_CLEARED_S = 8.0
_LOST_S = 20.0
_LATEST = 8
_RAISED = ((0, 180), (0, 90), (0, 0), (10, -10))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast all goes.

    Attributes
    ----------
    speed
        How many times as fast time passes, at most.
    think_s
        How long players think, at most, in simulated seconds.
    every
        After how many turns something goes wrong.
    kills
        How often the program is killed, at most.
    """

    speed: float = 20.0
    seed: int = 1
    think_s: float = 34.0
    every: int = 3
    kills: int = 4


class Evening:
    """Plays until told to stop."""

    def __init__(self, folder: Path, pace: Pace) -> None:
        self.rng = random.Random(pace.seed)
        self.book = Book()
        self.turns: Counter[str] = Counter()
        self.program = Program(folder, pace.speed)
        self.lying = Lying.empty(self.rng)
        self._asking = Asking(self.program, self.book, self.rng, self._show)
        self._pace = pace
        self.latest: tuple[str, ...] = ()
        self._last_mover = ""
        self._kinds: list[str] = []

    @property
    def faults(self) -> Counter[str]:
        """What went wrong, and how often."""
        return self._asking.faults

    # The whole evening

    def begin(self) -> None:
        """Start a match."""
        values, event = new_match()
        self._show()
        self._asking.confirm("new_match", values, lambda: self.book.note(event))
        self._deal("Ann")

    def turn(self, *, kill: bool) -> None:
        """Play one turn; now and then something goes wrong in it."""
        self._asking.fault = self._asking.fault or self._next_fault(kill=kill)
        self._think()
        kind = self._kind()
        self.turns[kind] += 1
        now_s, fault = self.program.now_s, self._asking.fault
        self.latest = (*self.latest, f"{now_s:.0f} s {kind} {fault}")[-_LATEST:]
        if self._asking.fault == "page that never reads":
            self._asking.met()
            self.program.stall()
        getattr(self, f"_{kind}")()
        shown = self.program.follower.until(lambda shown: bool(shown["match"]))
        if shown["match"]["phase"] == "scoring":
            self._end_round(self._last_mover)

    def end(self) -> dict[str, Any]:
        """Stop the match; return what is shown last."""
        self._asking.fault = ""
        self._asking.confirm("stop", {}, lambda: self.book.note(Stopped()))
        return self.program.follower.until(lambda shown: shown["match"]["phase"] == "over")

    def _next_fault(self, *, kill: bool) -> str:
        if sum(self.turns.values()) % self._pace.every != self._pace.every - 1:
            return ""
        if not self._kinds:
            self._kinds = self.rng.sample(FAULTS, len(FAULTS))
        return KILL if kill else self._kinds.pop()

    # Turns

    def _kind(self) -> str:
        book = self.book
        able = ["draws"]
        if self.lying.free(self.rng) and book.racks[book.mover] >= 4:
            able += ["lays", "lays", "lays", "lays_wrongly"]
        elif self.lying.free(self.rng) and book.racks[book.mover] == 3:
            able += ["lays"] * 9
        if self.lying.short() and book.racks[book.mover] >= 1:
            able += ["adds"]
        if self._asking.fault == "camera lost":
            able = [kind for kind in able if kind in {"lays", "adds"}] or able
        if len(able) == 1 and not self.lying.free(self.rng) and book.mover in book.opened:
            return "ends_early"
        return self.rng.choice(able)

    def _draws(self) -> None:
        self._asking.confirm("drew", {}, lambda: self.book.note(Drew()))

    def _lays(self) -> None:
        spot = self.lying.free(self.rng)
        assert spot is not None
        text = self.lying.left.pop()
        short = self.book.racks[self.book.mover] == 3 or self.rng.random() < 0.5
        faces = text.split()[:3] if short else text.split()
        self._play(self.lying.with_set(spot, " ".join(faces)), spot)

    def _adds(self) -> None:
        spot = self.rng.choice(self.lying.short())
        self._play(self.lying.ended(spot), spot)

    def _play(self, after: Lying, spot: tuple[int, int]) -> None:
        tiles = after.count - self.lying.count
        if self._asking.fault == "camera lost":
            self._lay_unseen(after)
        else:
            self._reach(after, spot)
        self._legal()
        table, mover = after.text, self.book.mover
        event = Played(table)
        self._asking.confirm("end_turn", {}, lambda: self.book.played(event, tiles), self._legal)
        self._last_mover = mover
        if self.rng.random() < 0.1 and self.book.racks[mover]:
            self._take_back()

    def _lay_unseen(self, after: Lying) -> None:
        """Lay while there are no pictures; tiles that come without a hand a person answers for."""
        self._asking.met()
        self.program.lose_camera(_LOST_S)
        self.lying = after
        self._show(_GRACE_S)
        # On an empty table there is nothing that the new tiles could be taken for.
        shown = self.program.follower.until(lambda shown: shown["desync"] or shown["proposal"])
        if shown["desync"]:
            put_right = {"take": "table", "records": self._asking.records}
            assert not self.program.command("put_right", **put_right)

    def _lays_wrongly(self) -> None:
        spot = self.lying.free(self.rng)
        assert spot is not None
        before = self.lying
        self._reach(before.with_set(spot, before.wrong()), spot)
        self._illegal()
        refused = self.program.command("end_turn", records=self._asking.records)
        assert "not legal" in refused, refused
        self._asking.confirm(
            "end_turn", {"refuse": True}, lambda: self.book.note(Refused()), self._illegal
        )
        self._reach(before, spot)
        self._as_recorded()

    def _ends_early(self) -> None:
        self._end_round(self.book.mover)

    def _take_back(self) -> None:
        for name in ("undo", "redo"):
            assert not self.program.command(name, records=self._asking.records + (name == "redo"))
        self.book.taken_back_and_done_again()
        self._as_recorded()

    def _end_round(self, winner: str) -> None:
        racks = leftovers(self.book, winner)
        self._asking.confirm(
            "end_round", {"racks": racks}, lambda: self.book.note(RoundEnded(racks))
        )
        agreed = Adjusted(self.rng.choice(list(racks)), self.rng.randint(-9, 9), "for the cake")
        values = {"player": agreed.player, "points": agreed.points, "reason": agreed.reason}
        self._asking.confirm("adjust", values, lambda: self.book.note(agreed))
        self._reach(Lying.empty(self.rng), (360, 206))
        # Plain wood looks as if it was out of focus, which is waited for to pass.
        self._show(_CLEARED_S)
        self.program.follower.until(lambda shown: not shown["tiles"])
        self._deal(winner)

    def _deal(self, starter: str) -> None:
        dealt = Dealt(starter)
        self._asking.confirm("start_round", {"starter": starter}, lambda: self.book.note(dealt))

    # The table

    def _think(self) -> None:
        self._show(self.rng.uniform(1, self._pace.think_s))

    def _show(self, seconds: float = _SETTLED_S) -> None:
        self.program.show(self.lying.tiles, Program.frames(seconds))
        self.program.settle()

    def _reach(self, after: Lying, spot: tuple[int, int]) -> None:
        """Let a hand come, change the table, and go."""
        x, y = spot[0] + 70, spot[1] + 40
        for right, down in _RAISED:
            self.program.show(self.lying.tiles, 1, (x + right, y + down))
        for right, down in _RAISED[-2::-1]:
            self.program.show(after.tiles, 1, (x + right, y + down))
        self.lying = after
        self._show()

    def _legal(self) -> None:
        self._proposed(legal=True)

    def _illegal(self) -> None:
        self._proposed(legal=False)

    def _proposed(self, *, legal: bool) -> None:
        """Wait until what lies there is proposed."""
        table = self.lying.text
        self.program.follower.until(
            lambda shown: (
                shown["proposal"] is not None
                and shown["proposal"]["legal"] is legal
                and same(shown["proposal"]["table"], table)
            )
        )

    def _as_recorded(self) -> None:
        """Wait until the table lies as it should."""
        self.program.follower.until(
            lambda shown: not (shown["proposal"] or shown["desync"] or shown["restore"])
        )
