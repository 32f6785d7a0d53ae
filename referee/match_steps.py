"""What each event does to a match: one function an event."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from referee.dealing import dealt, drew_for_start, losers
from referee.errors import RulesetError
from referee.events import (
    TURNS,
    Adjusted,
    Dealt,
    Drew,
    DrewForStart,
    KeptTooMany,
    MatchError,
    Played,
    PlayedOn,
    Refused,
    RoundEnded,
    Started,
    Stopped,
    TimedOut,
)
from referee.match_state import Match, Phase, Player
from referee.mover import left_free, without_laid
from referee.notation import parse_table, parse_tiles
from referee.phrases import say
from referee.rulesets import load_ruleset, override
from referee.scoring import score_round, stalemate_winners

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.events import Event
    from referee.tiles import Tile

_MOST_POINTS: Final = 1_000_000  # no table agrees on more, and no page could show much more


def start(event: Started) -> Match:
    """Seat the players, who then draw for the start."""
    try:
        rules = override(load_ruleset(event.ruleset), event.changes)
    except RulesetError as error:  # they were written down by another version, or by hand
        raise MatchError(error.args[0]) from error
    names = event.players
    if len(set(names)) != len(names) or not rules.players_min <= len(names) <= rules.players_max:
        text = say(
            "match.players",
            "expected {least} to {most} players with different names, got {names}",
            least=rules.players_min,
            most=rules.players_max,
            names=", ".join(names),
        )
        raise MatchError(text)
    players = tuple(Player(name) for name in names)
    return Match(rules, players, event.goal, event.amount, drawing=names)


def _played(match: Match, event: Played) -> Match:
    """Take the new table over; an empty rack ends the round (rules reference 5.8)."""
    table = parse_table(event.table)
    player = without_laid(match, table)
    match = replace(_with(match, player), free_tiles=left_free(match, table))
    match = replace(match, table=table, passes=0)
    if not player.may_hold:
        return replace(match, phase=Phase.SCORING, turns_played=match.turns_played + 1)
    return _advance(match)


def _drew(match: Match, event: Drew) -> Match:
    """Draw, or pass where nothing is left to draw (rules reference 5.5, 5.7)."""
    passes = 0 if match.pool else match.passes + 1
    match = replace(match, passes=passes)
    return _advance(_with_drawn(match, match.rules.draw_count, parse_tiles(event.tiles)))


def _refused(match: Match, _event: Refused) -> Match:
    """Draw the penalty for an illegal table; it was restored (rules reference 5.13).

    Who tried to play has not passed, so that others have to pass again.
    """
    return _advance(_with_drawn(replace(match, passes=0), match.rules.illegal_penalty))


def _timed_out(match: Match, event: TimedOut) -> Match:
    """Draw the penalty for overtime (rules reference 5.13, 8.8).

    Who played nothing in time, and has nothing left to draw, has passed.
    """
    rules = match.rules
    count = rules.timer_penalty_disturbed if event.disturbed else rules.timer_penalty_idle
    passes = 0 if event.disturbed or match.pool else match.passes + 1
    return _advance(_with_drawn(replace(match, passes=passes), count))


def _with_drawn(match: Match, count: int, tiles: tuple[Tile, ...] = ()) -> Match:
    """Draw what is left, if that is less than wanted (rules reference 5.13).

    From a pool that may hold more than was counted as much as is wanted may be drawn.
    """
    drawn = min(count, match.pool)
    player, unsure = match.current, match.pool_unsure and drawn < count
    known = player.rack is not None and len(tiles) == drawn and not unsure
    drawer = replace(
        player,
        rack_size=player.rack_size + drawn,
        rack_unsure=player.rack_unsure or unsure,
        rack=(*(player.rack or ()), *tiles) if known else None,
    )
    return replace(_with(match, drawer), pool=match.pool - drawn)


def _with(match: Match, player: Player) -> Match:
    """Return the match with a player replaced, found by name."""
    players = tuple(player if p.name == player.name else p for p in match.players)
    return replace(match, players=players)


def _advance(match: Match) -> Match:
    """Give the turn to the next seat, or end the round (rules reference 5.2, 5.7)."""
    count, empty = len(match.players), match.pool == 0 and not match.pool_unsure
    match = replace(_next_seat(match), turns_played=match.turns_played + 1)
    if empty and match.rules.pool_empty_rule == "one_more_turn_each":
        left = count if match.turns_left is None else match.turns_left - 1
        match = replace(match, turns_left=left)
    at_once = match.rules.pool_empty_rule == "end_at_once" and empty
    if at_once or match.turns_left == 0 or match.passes >= count:
        return replace(match, phase=Phase.SCORING)
    return match


def _next_seat(match: Match) -> Match:
    step = 1 if match.rules.clockwise else -1
    return replace(match, turn=(match.turn + step) % len(match.players))


def _played_on(match: Match, _event: Event) -> Match:
    """Go on with a round that by the count was over: the count was wrong.

    Where a turn was put right since, the round was not over by the count either.
    """
    if match.phase is Phase.PLAYING:
        return match
    match = replace(match, phase=Phase.PLAYING, passes=0, turns_left=None)
    mover = match.current
    if mover.may_hold:
        return replace(match, pool_unsure=True)
    return _next_seat(_with(match, replace(mover, rack=None, rack_unsure=True)))


def going_on(match: Match, event: Event) -> Match:
    """Return a match that an earlier event, when it was changed, let end sooner than it did.

    What was played afterwards shows that it went on: an old mistake can be put right without
    what came after it, such as a goal that was reached only later.
    """
    if match.phase is Phase.SCORING and isinstance(event, TURNS):
        return _played_on(match, event)
    if match.phase is Phase.OVER and isinstance(event, DrewForStart | Dealt) and _reached(match):
        return replace(match, phase=Phase.DRAWING)
    return match


def _kept_too_many(match: Match, event: KeptTooMany) -> Match:
    """Take the points off that going over the hand limit costs (rules reference 7.6)."""
    player = match.player(event.player)
    return _with(match, replace(player, score=player.score - match.rules.hand_limit_penalty))


def _round_ended(match: Match, event: RoundEnded) -> Match:
    """Score the racks (rules reference 5.9-5.10)."""
    racks = {
        player.name: parse_tiles(event.racks.get(player.name, "")) for player in match.players
    }
    winner = _winner(match, racks)
    bonus = {player.name: player.bonus for player in match.players}
    scores = score_round(racks, match.rules, winner, bonus)
    players = tuple(
        replace(
            player,
            score=player.score + scores[player.name],
            games_won=player.games_won + (player.name == winner),
        )
        for player in match.players
    )
    match = replace(
        match,
        players=players,
        games_played=match.games_played + 1,
        winner=winner,
        scores=(*match.scores, scores),
    )
    drawing = losers(match) if match.rules.starter_next == "loser" else tuple(racks)
    return _between_rounds(replace(match, drawing=drawing, free_tiles=()))


def _between_rounds(match: Match) -> Match:
    return replace(match, phase=Phase.OVER if _reached(match) else Phase.DRAWING)


def _winner(match: Match, racks: Mapping[str, tuple[Tile, ...]]) -> str | None:
    empty = [name for name, rack in racks.items() if not rack]
    # Where no turn was recorded nobody has opened by the record, and still somebody went out.
    out = [name for name in empty if match.player(name).opened] or empty
    if len(out) == 1:
        return out[0]
    best = stalemate_winners(racks, match.rules)
    return best[0] if len(best) == 1 else None


def games_per_round(match: Match) -> int:
    """Return how many deals make up what the rules call a round (rules reference 8.9)."""
    return len(match.players) if match.rules.games_per_round_as_players else 1


def _reached(match: Match) -> bool:
    """Whether the match's goal is reached (rules reference 5.12, 8.9, 10.12)."""
    if match.goal == "games":
        return max(player.games_won for player in match.players) >= match.amount
    if match.goal == "rounds":
        return match.games_played >= match.amount * games_per_round(match)
    highest = max(player.score for player in match.players)
    return match.goal == "points" and highest >= match.amount


def _adjusted(match: Match, event: Adjusted) -> Match:
    if abs(event.points) > _MOST_POINTS:
        text = say("match.points", "nobody is given more than {most} points", most=_MOST_POINTS)
        raise MatchError(text)
    player = match.player(event.player)
    after = _with(match, replace(player, score=player.score + event.points))
    # Points may take a match to its goal or back from it, but no match up that was stopped.
    turned = _reached(after) != _reached(match)
    between = match.phase in {Phase.DRAWING, Phase.OVER}
    return _between_rounds(after) if turned and between else after


def _stopped(match: Match, _event: Stopped) -> Match:
    return replace(match, phase=Phase.OVER)


_ANY: Final = frozenset(Phase)
STEPS: Final[dict[type, tuple[Callable[[Match, Any], Match], frozenset[Phase]]]] = {
    DrewForStart: (drew_for_start, frozenset({Phase.DRAWING})),
    Dealt: (dealt, frozenset({Phase.DRAWING})),
    Played: (_played, frozenset({Phase.PLAYING})),
    Drew: (_drew, frozenset({Phase.PLAYING})),
    Refused: (_refused, frozenset({Phase.PLAYING})),
    TimedOut: (_timed_out, frozenset({Phase.PLAYING})),
    KeptTooMany: (_kept_too_many, frozenset({Phase.PLAYING, Phase.SCORING})),
    PlayedOn: (_played_on, frozenset({Phase.PLAYING, Phase.SCORING})),
    RoundEnded: (_round_ended, frozenset({Phase.PLAYING, Phase.SCORING})),
    Adjusted: (_adjusted, _ANY),
    Stopped: (_stopped, _ANY),
}
"""Each event's function, and the phases in which it can happen."""
