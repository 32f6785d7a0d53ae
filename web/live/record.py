"""A match as the store has it, folded into states and told in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from referee.events import (
    Adjusted,
    Dealt,
    Drew,
    DrewForStart,
    KeptTooMany,
    Played,
    Refused,
    RoundEnded,
    Started,
    Stopped,
    TimedOut,
)
from referee.match import apply, replay
from referee.turns import Situation, judge_turn
from web.live.proposals import turn_points

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.events import Event
    from referee.match_state import Match
    from referee.ruleset import Ruleset
    from referee.table import Table
    from web.live.borders import Recorded


@dataclass(frozen=True, slots=True)
class Told:
    """An event of a match, with what it means.

    Attributes
    ----------
    seq
        The number by which the store knows it.
    player
        Whose doing it was; empty for what concerns everyone.
    points
        What a turn laid from the rack; for other events 0.
    after
        The match after it.
    """

    seq: int
    event: Event
    evidence_id: int | None
    player: str
    story: str
    points: int
    after: Match


def tell_all(recorded: Sequence[Recorded], known: Sequence[Told] = ()) -> tuple[Told, ...]:
    """Fold a match's events, telling each; what is known of the same beginning is used again.

    Raises
    ------
    MatchError
        If an event cannot happen where it stands.
    """
    told: list[Told] = []
    for one, before in zip(recorded, known, strict=False):
        if (one.seq, one.event, one.evidence_id) != (before.seq, before.event, before.evidence_id):
            break
        told.append(before)
    for one in recorded[len(told) :]:
        told.append(_tell(one, told[-1].after if told else None))
    return tuple(told)


def _tell(one: Recorded, before: Match | None) -> Told:
    event = one.event
    after = replay([event]) if before is None else apply(before, event)
    player, story, points = "", "", 0
    if before is not None:
        player, story = _words(event, before, after)
        points = turn_points(before, after.table) if isinstance(event, Played) else 0
    else:
        story = f"{_join(player.name for player in after.players)} began a match."
    return Told(one.seq, event, one.evidence_id, player, story, points, after)


def _words(event: Event, before: Match, after: Match) -> tuple[str, str]:
    """Return whose doing an event was, and what happened."""
    mover = before.current.name
    drawn = before.pool - after.pool
    tiles = "a tile" if drawn == 1 else f"{drawn} tiles"
    if isinstance(event, Played):
        return mover, _story(before.table, after.table, before.rules, before.current.opened)
    match event:
        case Drew():
            return mover, f"Drew {tiles}." if drawn else "Passed."
        case Refused():
            return mover, f"The table was put back; drew {tiles}."
        case TimedOut():
            back = "the table was put back; " if event.disturbed else ""
            return mover, f"Time ran out; {back}drew {tiles}."
    return _of_one(event) or ("", _of_everyone(event, after))


def _of_one(event: Event) -> tuple[str, str] | None:
    match event:
        case KeptTooMany():
            return event.player, "Kept more tiles than the limit."
        case Adjusted():
            reason = f" ({event.reason})" if event.reason else ""
            return event.player, f"{event.points:+d} points by agreement{reason}."
    return None


def _of_everyone(event: Event, after: Match) -> str:
    match event:
        case DrewForStart():
            drew = _join(f"{name} {tile}" for name, tile in event.tiles.items())
            return f"Drew for the start: {drew}."
        case Dealt():
            return f"A round began; {after.current.name} starts."
        case RoundEnded():
            won = f"{after.winner} won the round: " if after.winner else "Nobody won the round: "
            scores = after.scores[-1].items()
            return won + ", ".join(f"{name} {score:+d}" for name, score in scores) + "."
        case Stopped():
            return "The match was stopped."
        case Started():
            return "A match began."
    return ""


@lru_cache(maxsize=4096)
def _story(before: Table, after: Table, rules: Ruleset, opened: bool) -> str:
    return judge_turn(before, after, rules, Situation(opened=opened)).story


def _join(words: Iterable[str]) -> str:
    return ", ".join(words)
