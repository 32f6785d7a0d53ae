"""A match and where it stands as JSON values; every function here is pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.dealing import next_starter
from referee.events import TURNS, Dealt, MatchError, Played, RoundEnded
from referee.match import apply, hand_limit, standings
from referee.match_state import Phase
from referee.match_steps import games_per_round
from referee.racks import judge_hand, must_play
from web.live.desync import describe, restore_moves
from web.live.leftovers import not_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.match_state import Match
    from referee.verdicts import Violation
    from vision.watching.sights import SettledTable
    from web.live.clock import TurnClock
    from web.live.leftovers import Leftovers
    from web.live.record import Told
    from web.live.views import MatchView


def match_json(play: MatchView) -> dict[str, Any]:
    """Return the match: who plays, whose turn it is, and the scores so far."""
    match = play.match
    ranks = {player.name: rank for rank, player in standings(match)}
    playing = match.phase is Phase.PLAYING
    return {
        "id": play.id,
        "ruleset": match.rules.name,
        "rules_name": match.rules.title,
        "handfuls": match.rules.pick_bonus,
        "wins": match.goal == "games" or match.rules.match_winner == "most_games",
        "free_tiles": match.rules.free_tiles_per_player * len(match.players),
        "phase": str(match.phase),
        "goal": match.goal,
        "amount": match.amount,
        "players": [
            {
                "name": player.name,
                "score": player.score,
                "rack": player.rack_size,
                "rack_unsure": player.rack_unsure,
                "opened": player.opened,
                "games": player.games_won,
                "rank": ranks[player.name],
            }
            for player in match.players
        ],
        "turn": match.current.name if playing else None,
        "drawing": list(match.drawing) if match.phase is Phase.DRAWING else [],
        "starts": _starts(match),
        "pool": match.pool,
        "penalty": min(match.rules.illegal_penalty, match.pool),
        "hand_limit": hand_limit(match.rules, match.turns_played, len(match.players)) or None,
        "over_limit": over_limit(play.told),
        "must_play": playing and must_play(match.current.rack_size, match.rules),
        "round": match.games_played + (match.phase in {Phase.PLAYING, Phase.SCORING}),
        "games_per_round": games_per_round(match),
        "rounds": rounds_json(play.told),
        "apart": apart(match),
        "winner": winner(match),
        "shared": shared(match),
        "table": str(match.table),
    }


def _starts(match: Match) -> str | None:
    """Return who starts the next round by the rules; None where that is drawn for."""
    if match.phase is not Phase.DRAWING:
        return None
    try:
        return next_starter(match) or None
    except MatchError:  # several share the loss
        return None


def over_limit(told: Sequence[Told]) -> dict[str, Any] | None:
    """Say who has just ended a turn with more tiles than the limit; None for nobody."""
    if not isinstance(told[-1].event, TURNS):
        return None
    before, after = told[-1].before, told[-1].after
    limit = hand_limit(before.rules, before.turns_played, len(before.players))
    holder = after.player(before.current.name)
    for found in judge_hand(holder.rack_size, limit):
        points = before.rules.hand_limit_penalty
        return {"player": holder.name, "points": points, "text": found.message}
    return None


def rounds_json(told: Sequence[Told]) -> list[dict[str, Any]]:
    """Return every finished round: who won it, and its scores."""
    ended = (one for one in told if isinstance(one.event, RoundEnded))
    return [{"winner": one.after.winner, "scores": one.after.scores[-1]} for one in ended]


def apart(match: Match) -> dict[str, int]:
    """Return what players have beside the rounds, by agreement or as a penalty; often nothing."""
    points = {p.name: p.score - sum(one[p.name] for one in match.scores) for p in match.players}
    return points if any(points.values()) else {}


def winner(match: Match) -> str | None:
    """Return who won a match that is over; None while it is not, and for a shared win."""
    best = _best(match)
    return best[0] if len(best) == 1 else None


def shared(match: Match) -> list[str]:
    """Return who share the win of a match that is over; nobody where it had no rounds."""
    best = _best(match)
    return best if len(best) > 1 and match.scores else []


def _best(match: Match) -> list[str]:
    """Return who stands first in a match that is over."""
    if match.phase is not Phase.OVER:
        return []
    return [player.name for rank, player in standings(match) if rank == 1]


def history_json(told: Sequence[Told], most: int) -> list[dict[str, Any]]:
    """Return the newest events, oldest first."""
    return [
        {
            "seq": one.seq,
            "event": type(one.event).__name__,
            "player": one.player,
            "story": one.story,
            "points": one.points,
            "evidence": one.evidence_id is not None,
            "evidence_id": one.evidence_id,
            "table": _table_after(one),
            "racks": one.event.racks if isinstance(one.event, RoundEnded) else None,
            "handfuls": one.event.handfuls if isinstance(one.event, Dealt) else None,
            "free_tiles": one.event.free_tiles if isinstance(one.event, Dealt) else None,
        }
        for one in told[-most:]
    ]


def _table_after(one: Told) -> str | None:
    """Return the table after a turn, whatever became of it."""
    if isinstance(one.event, Played):
        return one.event.table
    return str(one.after.table) if isinstance(one.event, TURNS) else None


def proposal_json(play: MatchView) -> dict[str, Any] | None:
    """Return the turn that the table proposes."""
    found = play.proposal
    if found is None:
        return None
    look = found.look
    return {
        "kind": "turn",
        "player": found.player,
        "legal": found.legal,
        "unsure": found.unsure,
        "story": look.text if look else found.story,
        "points": found.points,
        "table": str(found.table),
        "violations": violations_json(found.violations),
        "warnings": violations_json(found.warnings),
        "look": {"id": look.tile_id, "text": look.text} if look else None,
    }


def violations_json(found: Iterable[Violation]) -> list[dict[str, str]]:
    """Return what is wrong, in words and by its code."""
    return [{"code": str(violation.code), "text": violation.message} for violation in found]


def desync_json(play: MatchView, settled: SettledTable | None) -> dict[str, Any] | None:
    """Say in which tiles table and record disagree."""
    found = None
    if play.sync.desync and settled is not None:
        found = describe(play.match.table, settled)
    if found is None:
        return None
    return {
        "text": found.text,
        "missing": [str(tile) for tile in found.missing],
        "extra": [{"id": tile_id, "tile": str(tile)} for tile_id, tile in found.extra],
    }


def restore_json(play: MatchView, settled: SettledTable | None) -> dict[str, Any] | None:
    """Say what has to be moved back, with the picture of the last table that counted."""
    if not play.sync.restoring or settled is None:
        return None
    moves = restore_moves(play.match.table, settled.table)
    return {
        "table": str(play.match.table),
        "moves": [{"tile": str(move.tile), "text": move.text} for move in moves],
        "evidence_id": last_picture(play.told),
    }


def last_picture(told: Sequence[Told]) -> int | None:
    """Return the picture of the table as the record has it; None where there is none."""
    table = told[-1].after.table
    for one in reversed(told):
        if one.after.table != table:
            return None
        if one.evidence_id is not None and isinstance(one.event, Played):
            return one.evidence_id
    return None


def clock_json(clock: TurnClock | None, now_s: float) -> dict[str, Any] | None:
    """Return what is left of the turn's time."""
    if clock is None:
        return None
    return {
        "left_s": round(clock.left(now_s), 1),
        "total_s": clock.total_s,
        "running": clock.running and not clock.expired(now_s),
        "paused": clock.paused,
        "expired": clock.expired(now_s),
        "extensions": clock.extensions,
    }


def leftovers_json(play: MatchView) -> dict[str, Any] | None:
    """Return what was read of racks, and the scores that would come of it."""
    if not play.leftovers:
        return None
    racks = {name: found.notation for name, found in play.leftovers.items()}
    return {
        "racks": {name: _rack(found) for name, found in play.leftovers.items()},
        "missing": not_told(play.match, play.leftovers),
        "scores": scores_if_ended(play.match, racks),
    }


def _rack(found: Leftovers) -> dict[str, Any]:
    return {
        "tiles": found.notation,
        "value": found.value,
        "questions": list(found.questions),
        "text": found.text,
        "expected": found.expected,
        "mark": found.mark,
        "faces": [
            {
                "tile": str(face.tile),
                "doubt": face.doubt,
                "alternatives": [str(other) for other in face.alternatives],
                "quad": [[round(x, 4), round(y, 4)] for x, y in face.quad],
            }
            for face in found.faces
        ],
    }


def scores_if_ended(match: Match, racks: dict[str, str]) -> dict[str, int] | None:
    """Return the scores of the round, if it ended with these racks; None where it can't."""
    try:
        return apply(match, RoundEnded(racks)).scores[-1]
    except MatchError:
        return None
