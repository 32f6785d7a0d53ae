"""A match as the store has it, folded into states and told in words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from referee.events import (
    Adjusted,
    Dealt,
    Drew,
    DrewForStart,
    KeptTooMany,
    Played,
    PlayedOn,
    Refused,
    RoundEnded,
    Started,
    Stopped,
    TimedOut,
)
from referee.match import apply, replay
from referee.match_steps import going_on
from referee.phrases import say, several
from referee.turns import Situation, judge_turn
from web.live.proposals import turn_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.events import Event
    from referee.match_state import Match
    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from referee.table import Table
    from web.live.borders import Recorded


_PLAIN: Final[dict[type, str]] = {
    Started: say("event.started", "A match began."),
    PlayedOn: say("event.played_on", "The round was not over, and went on."),
    Stopped: say("event.stopped", "The match was stopped."),
}


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
    before, after
        The match as it found it and after it; of what began the match both are the same.
    """

    seq: int
    event: Event
    evidence_id: int | None
    player: str
    story: str
    points: int
    before: Match
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
        before = going_on(before, event)
        player, story = _words(event, before, after)
        points = turn_points(before, after.table) if isinstance(event, Played) else 0
    else:
        names = several(", ", [player.name for player in after.players])
        story = say("event.began", "{players} began a match.", players=names)
    return Told(one.seq, event, one.evidence_id, player, story, points, before or after, after)


def _words(event: Event, before: Match, after: Match) -> tuple[str, str]:
    """Return whose doing an event was, and what happened."""
    mover, drawn = before.current.name, before.pool - after.pool
    if isinstance(event, Played):
        return mover, _story(before.table, after.table, before.rules, before.current.opened)
    match event:
        case Drew() if not drawn:
            return mover, say("event.passed", "Passed.")
        case Drew():
            return mover, say("event.drew", "Drew {tiles}.", tiles=_drawn(drawn))
        case Refused():
            return mover, say(
                "event.refused", "The table was put back; drew {tiles}.", tiles=_drawn(drawn)
            )
        case TimedOut():
            return mover, _timed_out(event, drawn)
    return _of_one(event) or ("", _of_everyone(event, after))


def _drawn(count: int) -> Phrase:
    if not count:
        return say("event.no_tiles", "nothing")
    if count == 1:
        return say("event.a_tile", "a tile")
    return say("event.tiles", "{count} tiles", count=count)


def _timed_out(event: TimedOut, drawn: int) -> Phrase:
    tiles = _drawn(drawn)
    if event.disturbed:
        return say(
            "event.timed_out_disturbed",
            "Time ran out; the table was put back; drew {tiles}.",
            tiles=tiles,
        )
    return say("event.timed_out", "Time ran out; drew {tiles}.", tiles=tiles)


def _of_one(event: Event) -> tuple[str, str] | None:
    match event:
        case KeptTooMany():
            return event.player, say("event.kept_too_many", "Kept more tiles than the limit.")
        case Adjusted():
            return event.player, _adjusted(event)
    return None


def _adjusted(event: Adjusted) -> Phrase:
    points = f"{event.points:+d}"
    if not event.reason:
        return say("event.adjusted", "{points} points by agreement.", points=points)
    return say(
        "event.adjusted_because",
        "{points} points by agreement ({reason}).",
        points=points,
        reason=event.reason,
    )


def _of_everyone(event: Event, after: Match) -> str:
    match event:
        case DrewForStart():
            drew = several(", ", [f"{name} {tile}" for name, tile in event.tiles.items()])
            return say("event.drew_for_start", "Drew for the start: {drew}.", drew=drew)
        case Dealt():
            name = after.current.name
            return say("event.dealt", "A round began; {player} starts.", player=name)
        case RoundEnded():
            return _round_ended(after)
    return _PLAIN.get(type(event), "")


def _round_ended(after: Match) -> Phrase:
    scores = several(", ", [f"{name} {score:+d}" for name, score in after.scores[-1].items()])
    if after.winner:
        return say(
            "event.won", "{player} won the round: {scores}.", player=after.winner, scores=scores
        )
    return say("event.nobody_won", "Nobody won the round: {scores}.", scores=scores)


@lru_cache(maxsize=4096)
def _story(before: Table, after: Table, rules: Ruleset, opened: bool) -> str:
    return judge_turn(before, after, rules, Situation(opened=opened)).story
