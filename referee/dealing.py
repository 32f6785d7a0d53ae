"""How a round begins: who starts, and what is dealt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.events import MatchError
from referee.match_state import Phase
from referee.mover import equipment
from referee.notation import parse_tiles
from referee.phrases import say, several
from referee.scoring import pick_bonus
from referee.table import Table
from referee.tiles import Tile

if TYPE_CHECKING:
    from referee.events import Dealt, DrewForStart
    from referee.match_state import Match, Player


def drew_for_start(match: Match, event: DrewForStart) -> Match:
    """Find the starter: the highest tile; ties and jokers draw again (rules reference 5.2)."""
    if set(event.tiles) != set(match.drawing):
        text = say(
            "match.draw", "expected a tile each from {names}", names=", ".join(match.drawing)
        )
        raise MatchError(text)
    numbers = {name: Tile.parse(text).number or 0 for name, text in event.tiles.items()}
    jokers = tuple(name for name in match.drawing if not numbers[name])
    best = tuple(name for name in match.drawing if numbers[name] == max(numbers.values()))
    if jokers or len(best) > 1:
        return replace(match, drawing=match.drawing if jokers else best)
    return replace(match, drawing=(), turn=_seat(match, best[0]))


def _seat(match: Match, name: str) -> int:
    return match.players.index(match.player(name))


def dealt(match: Match, event: Dealt) -> Match:
    """Deal a round (rules reference 5.3, 9.2-9.4)."""
    count = len(match.players)
    players = tuple(_with_rack(match, seat, event) for seat in range(count))
    existing = equipment(match.rules, count).total()
    free = _free_tiles(match, event)
    out = sum(player.rack_size for player in players) + match.rules.free_tiles_per_player * count
    if out > existing:
        text = say(
            "match.tiles",
            "{needed} tiles are needed, but only {existing} exist",
            needed=out,
            existing=existing,
        )
        raise MatchError(text)
    drawn = match.players[match.turn].name if not match.drawing else ""
    starter = event.starter or drawn or next_starter(match)
    return replace(
        match,
        players=players,
        phase=Phase.PLAYING,
        drawing=(),
        turn=_seat(match, starter) if starter else match.turn,
        table=Table(),
        free_tiles=free,
        pool=existing - out,
        pool_unsure=False,
        passes=0,
        turns_left=None,
        turns_played=0,
    )


def _free_tiles(match: Match, event: Dealt) -> tuple[Tile, ...] | None:
    """Return what lies open at the side; None where nobody said it (rules reference 9.4)."""
    count = match.rules.free_tiles_per_player * len(match.players)
    if not event.free_tiles:
        return None if count else ()
    tiles = parse_tiles(event.free_tiles)
    if len(tiles) != count:
        text = say(
            "match.free_tiles",
            "expected {count} free tiles, got {given}: {tiles}",
            count=count,
            given=len(tiles),
            tiles=event.free_tiles,
        )
        raise MatchError(text)
    return tiles


def _with_rack(match: Match, seat: int, event: Dealt) -> Player:
    """Return a player with the rack of a new round."""
    rules, count, player = match.rules, len(match.players), match.players[seat]
    handfuls = event.handfuls.get(player.name, [])
    rack = event.racks.get(player.name)
    known = None if rack is None else parse_tiles(rack)
    size = (rules.deal_two_players if count == 2 else 0) or rules.deal  # noqa: PLR2004
    size = (sum(handfuls) or size) + _jokers_dealt(match, seat)
    return replace(
        player,
        rack_size=size if known is None else len(known),
        rack=known,
        rack_unsure=False,
        opened=False,
        bonus=pick_bonus(handfuls) if rules.pick_bonus else 0,
    )


def _jokers_dealt(match: Match, seat: int) -> int:
    """Share the jokers out; what is left over goes round from game to game (reference 9.2)."""
    if not match.rules.deal_jokers:
        return 0
    count = len(match.players)
    each, spare = divmod(equipment(match.rules, count)["jokers"], count)
    return each + ((seat - match.games_played) % count < spare)


def next_starter(match: Match) -> str:
    """Return who starts by the last game (rules reference 9.5, 10.10)."""
    if not match.scores or match.rules.starter_next == "high_tile":
        return ""
    if match.rules.starter_next == "winner":
        return match.winner or ""
    found = losers(match)
    if len(found) > 1:
        text = say(
            "match.losers",
            "{names} share the loss: they draw for who starts",
            names=several("and", found),
        )
        raise MatchError(text)
    return found[0]


def losers(match: Match) -> tuple[str, ...]:
    """Return who did worst in the last game."""
    last = match.scores[-1]
    worst = max if match.rules.low_wins else min
    return tuple(name for name, score in last.items() if score == worst(last.values()))
