"""All that a snapshot is made from, as it stood at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from web.live.syncing import Sync

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.match_state import Match
    from referee.tiles import Tile
    from vision.advice import Advice
    from vision.watching.sights import SettledTable
    from web.live.clock import TurnClock
    from web.live.corrections import Correction
    from web.live.leftovers import Leftovers
    from web.live.proposals import Proposal
    from web.live.record import Told


@dataclass(frozen=True, slots=True)
class CameraView:
    """How a camera does.

    Attributes
    ----------
    active
        Whether it is its picture that is shown.
    counts
        Whether what it sees makes the table, with the views of others that count.
    """

    name: str
    health: str
    message: str = ""
    active: bool = False
    counts: bool = False


@dataclass(frozen=True, slots=True)
class PictureView:
    """The newest picture, in the camera's own size."""

    width_px: int
    height_px: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchView:
    """A match and where it stands.

    Attributes
    ----------
    told
        Its events; at least the one that started it.
    sync, proposal
        How the seen table stands to it, and the turn that is proposed.
    records
        How many records there are of it.
    leftovers
        What was read of racks at the end of the round, by player.
    answer
        What was said about the last challenge or hint, as JSON values.
    """

    id: int
    told: tuple[Told, ...]
    sync: Sync = Sync()  # noqa: RUF009 - frozen
    proposal: Proposal | None = None
    clock: TurnClock | None = None
    records: int = 0
    can_undo: bool = False
    can_redo: bool = False
    leftovers: Mapping[str, Leftovers] = field(default_factory=dict)
    answer: dict[str, Any] | None = None

    @property
    def match(self) -> Match:
        """The state after the last event."""
        return self.told[-1].after


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The table at one moment.

    Attributes
    ----------
    phase
        What goes on over the table, as the watcher says; ``lost`` before the first picture.
    rules
        The name of the ruleset that is judged by while no match is played.
    ending
        Whether a turn is to be ended as soon as the table is still.
    advice
        What keeps the tiles from being read well.
    declared
        What players said that jokers stand for, by tile.
    corrections
        What people put right on the table as it lies.
    """

    cameras: tuple[CameraView, ...] = ()
    phase: str = "lost"
    message: str = ""
    picture: PictureView | None = None
    settled: SettledTable | None = None
    rules: str = "standard"
    auto_accept: bool = False
    ending: bool = False
    advice: tuple[Advice, ...] = ()
    declared: Mapping[int, Tile] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
    play: MatchView | None = None
