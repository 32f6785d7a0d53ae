"""A match: the fold of its events.

The state is never stored, only worked out again, so taking an event back, changing an old one
and replaying the match are all the same thing and always give the same totals.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from referee.events import MatchError, Started
from referee.match_state import PHASES
from referee.match_steps import STEPS, going_on, start
from referee.phrases import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.events import Event
    from referee.match_state import Match, Player
    from referee.ruleset import Ruleset


def replay(events: Iterable[Event]) -> Match:
    """Fold a match's events into its state.

    >>> from referee.events import Dealt, Drew, Started
    >>> match = replay([Started(("Ann", "Bob")), Dealt("Ann"), Drew()])
    >>> match.current.name, match.player("Ann").rack_size, match.pool
    ('Bob', 15, 77)
    """
    following = iter(events)
    first = next(following, None)
    if not isinstance(first, Started):
        raise MatchError(say("match.begins", "a match begins with Started"))
    return reduce(apply, following, start(first))


def apply(match: Match, event: Event) -> Match:
    """Return the match after one more event."""
    found, match = STEPS.get(type(event)), going_on(match, event)
    if found is None or match.phase not in found[1]:
        text = say(
            "match.phase",
            "{event} cannot happen while the match is {phase}",
            event=type(event).__name__,
            phase=PHASES[match.phase],
        )
        raise MatchError(text)
    return found[0](match, event)


def hand_limit(rules: Ruleset, turns_played: int, players: int) -> int:
    """Return the rack size that costs no points, shrinking in time (rules reference 7.1-7.4).

    >>> from referee import load_ruleset
    >>> relaxed = load_ruleset("rummibug-relaxed")
    >>> hand_limit(relaxed, 0, 2), hand_limit(relaxed, 6, 2), hand_limit(relaxed, 0, 4)
    (30, 27, 35)
    """
    two = players == 2  # noqa: PLR2004
    first = (rules.hand_limit_two_players if two else 0) or rules.hand_limit
    rounds = turns_played // players // max(rules.hand_limit_every_rounds, 1)
    shrunk = max(first - rules.hand_limit_step * rounds, rules.hand_limit_floor)
    return min(first, shrunk)  # no floor makes a limit of none, or a higher one


def standings(match: Match) -> list[tuple[int, Player]]:
    """Return the players with their ranks, best first; equal ones share a rank.

    >>> from referee.events import Adjusted, Started
    >>> match = replay([Started(("Ann", "Bob")), Adjusted("Bob", 5)])
    >>> [(rank, player.name) for rank, player in standings(match)]
    [(1, 'Bob'), (2, 'Ann')]
    """

    def merit(player: Player) -> tuple[int, int]:
        games = player.games_won if match.rules.match_winner == "most_games" else 0
        return -games, player.score if match.rules.low_wins else -player.score

    ordered = sorted(match.players, key=merit)
    merits = [merit(player) for player in ordered]
    return [(merits.index(merit(player)) + 1, player) for player in ordered]
