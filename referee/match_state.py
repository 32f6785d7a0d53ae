"""The state of a match between two events."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from referee.events import MatchError
from referee.phrases import say
from referee.table import Table

if TYPE_CHECKING:
    from referee.events import Goal
    from referee.ruleset import Ruleset
    from referee.tiles import Tile


class Phase(StrEnum):
    """Where a match stands."""

    DRAWING = "drawing"
    """Drawing tiles for who starts, or waiting for the deal."""
    PLAYING = "playing"
    SCORING = "scoring"
    """The round is over; the racks are to be turned up."""
    OVER = "over"


PHASES: Final = {
    Phase.DRAWING: say("phase.drawing", "drawing"),
    Phase.PLAYING: say("phase.playing", "playing"),
    Phase.SCORING: say("phase.scoring", "scoring"),
    Phase.OVER: say("phase.over", "over"),
}
"""How a match stands, in words."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player: what is known of the rack, and the score."""

    name: str
    rack_size: int = 0
    rack_unsure: bool = False
    """Whether the rack may hold more than `rack_size`: something was not recorded."""
    rack: tuple[Tile, ...] | None = None
    """The tiles, where they are known."""
    opened: bool = False
    score: int = 0
    games_won: int = 0
    bonus: int = 0

    @property
    def may_hold(self) -> bool:
        """Whether there may be tiles on the rack."""
        return self.rack_size > 0 or self.rack_unsure


@dataclass(frozen=True, slots=True)
class Match:
    """The state of a match."""

    rules: Ruleset
    players: tuple[Player, ...]
    goal: Goal = "open"
    amount: int = 0
    phase: Phase = Phase.DRAWING
    drawing: tuple[str, ...] = ()
    """Who has to draw for the start, everyone or the tied."""
    turn: int = 0
    """Whose turn it is, by seat."""
    table: Table = field(default_factory=Table)
    free_tiles: tuple[Tile, ...] | None = ()
    """What lies open at the side; None where something does, but nobody said what."""
    pool: int = 0
    pool_unsure: bool = False
    """Whether more may be left to draw: the round went on when by the count it was over."""
    passes: int = 0
    """How many players in succession tried nothing, and could not draw any more."""
    turns_left: int | None = None
    """How many turns are left once the pool is empty, where the rules count them."""
    turns_played: int = 0
    games_played: int = 0
    winner: str | None = None
    """Who won the last game; None for a shared one."""
    scores: tuple[dict[str, int], ...] = ()
    """Every game's scores."""

    @property
    def current(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn]

    def player(self, name: str) -> Player:
        """Return a player by name."""
        found = next((player for player in self.players if player.name == name), None)
        if found is None:
            text = say("match.nobody", "nobody is called {name}", name=repr(name))
            raise MatchError(text)
        return found
