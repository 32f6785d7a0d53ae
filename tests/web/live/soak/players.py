"""People who play, and who know by themselves what has to be on the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.events import Adjusted, Dealt, Drew, Played, Refused, RoundEnded, Started
from tests.vision.watching.made_scenes import row
from web.site.demo import rack_of

if TYPE_CHECKING:
    import random

    from referee.events import Event

NAMES = ("Ann", "Bob", "Cleo")
DEALT = 14
PENALTY = 3
CHANGES = {"opening_threshold": 0, "opening_same_turn_manipulation": True, "timer_s": 0}
SPOTS = [(left, top) for top in (30, 118, 206, 294, 382) for left in (50, 360, 670)]
SETS = [
    *(" ".join(f"{ink}{first + n}" for n in range(4)) for ink in "RBOK" for first in (1, 5, 9)),
    "R13 B13 O13 K13",
] * 2
LEAST = 3


@dataclass
class Book:
    """What the players know has happened: their own list, and scores worked out by hand.

    Attributes
    ----------
    records
        Every record as its kind and event, in order; those that were taken back, too.
    events
        The events that count.
    """

    records: list[tuple[str, Event | None]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    scores: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NAMES, 0))
    racks: dict[str, int] = field(default_factory=dict)
    turn: int = 0
    opened: set[str] = field(default_factory=set)

    @property
    def mover(self) -> str:
        return NAMES[self.turn % len(NAMES)]

    def note(self, event: Event) -> None:
        """Take down what was confirmed."""
        self.records.append(("event", event))
        self.events.append(event)
        match event:
            case Dealt():
                self.racks, self.opened = dict.fromkeys(NAMES, DEALT), set()
                self.turn = NAMES.index(event.starter)
            case Drew():
                self._moved(1)
            case Refused():
                self._moved(PENALTY)
            case Adjusted():
                self.scores[event.player] += event.points
            case RoundEnded():
                self._score(event.racks)

    def played(self, event: Played, tiles: int) -> None:
        """Take down a turn that was confirmed."""
        self.records.append(("event", event))
        self.events.append(event)
        self.opened.add(self.mover)
        self._moved(-tiles)

    def taken_back_and_done_again(self) -> None:
        self.records += [("undo", None), ("redo", None)]

    def _moved(self, tiles: int) -> None:
        self.racks[self.mover] += tiles
        self.turn += 1

    def _score(self, racks: dict[str, str]) -> None:
        """Let whoever is out get what the others lose (standard rules)."""
        winner = next(name for name, rack in racks.items() if not rack)
        for name, rack in racks.items():
            points = sum(int(face[1:]) for face in rack.split())
            self.scores[name] -= points
            self.scores[winner] += points


@dataclass
class Lying:
    """The sets on the table, by where they lie; what is not laid yet is `left`."""

    sets: dict[tuple[int, int], str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)

    @classmethod
    def empty(cls, rng: random.Random) -> Lying:
        return cls({}, rng.sample(SETS, len(SETS)))

    @property
    def text(self) -> str:
        return " | ".join(self.sets.values())

    @property
    def tiles(self) -> list[tuple[int, int, str]]:
        return [
            (left, top, face)
            for (spot_left, spot_top), text in self.sets.items()
            for (left, top), face in row(spot_left, spot_top, text).items()
        ]

    @property
    def count(self) -> int:
        return len(self.tiles)

    def free(self, rng: random.Random) -> tuple[int, int] | None:
        """Return a spot where nothing lies."""
        spots = [spot for spot in SPOTS if spot not in self.sets]
        return rng.choice(spots) if spots and self.left else None

    def short(self) -> list[tuple[int, int]]:
        """Return where a set lies whose last tile is not laid yet."""
        return [spot for spot, text in self.sets.items() if len(text.split()) == LEAST]

    def with_set(self, spot: tuple[int, int], text: str) -> Lying:
        return Lying({**self.sets, spot: text}, self.left)

    def wrong(self) -> str:
        """Return a set that is none: two tiles that are left, and one that never follows."""
        return " ".join((*self.left[-1].split()[:2], self.left[-2].split()[0]))

    def ended(self, spot: tuple[int, int]) -> Lying:
        """Return it with a set's last tile laid."""
        whole = next(text for text in SETS if text.startswith(self.sets[spot]))
        return self.with_set(spot, whole)


def new_match() -> tuple[dict[str, Any], Started]:
    """Return a match's values, and the event they are kept as."""
    return {"players": list(NAMES), "changes": CHANGES}, Started(NAMES, "standard", dict(CHANGES))


def leftovers(book: Book, winner: str) -> dict[str, str]:
    """Return what is on the racks; the winner's is empty."""
    return {name: "" if name == winner else rack_of(book.racks[name]) for name in NAMES}
