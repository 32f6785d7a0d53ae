"""Judge a player's first sets (rules reference 3)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from referee.verdicts import Code, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.jokers import Change
    from referee.networks import Network
    from referee.ruleset import Ruleset


def opening_points(sets: Sequence[Network], rules: Ruleset) -> int:
    """Return what new sets are worth as an opening, each at its highest reading.

    >>> from referee import load_ruleset, parse_table
    >>> from referee.networks import networks
    >>> standard = load_ruleset("standard")
    >>> opening_points(networks(parse_table("O9 J J"), standard), standard)
    30
    """
    worth = [max(network.points, default=0) for network in sets]
    return sum(worth) if rules.opening_multi_set else max(worth, default=0)


def opening_violations(change: Change, rules: Ruleset) -> Iterator[Violation]:
    """Yield what is wrong with an opening: table sets used, too few points, jokers."""
    if change.gone and not rules.opening_same_turn_manipulation:
        message = "A player who has not opened yet may not use or change sets of the table."
        yield Violation(Code.OPENING_TABLE_CHANGED, message, _parts(change.gone))
        return
    sets = _own_sets(change)
    yield from judge_opening(sets, rules)


def judge_opening(sets: Sequence[Network], rules: Ruleset) -> Iterator[Violation]:
    """Yield what is wrong with these first sets, all from the rack (rules reference 3.1, 9.7)."""
    parts = _parts(sets)
    points = opening_points(sets, rules)
    if points < rules.opening_threshold:
        message = f"The first sets need {rules.opening_threshold} points; these are {points}."
        yield Violation(Code.OPENING_BELOW_THRESHOLD, message, parts)
    if not rules.opening_jokers and any(network.jokers for network in sets):
        message = "Jokers may not be part of the first sets."
        yield Violation(Code.OPENING_JOKER, message, parts)


def _own_sets(change: Change) -> list[Network]:
    """Return the new sets that can be laid from the rack together."""
    left, own = Counter(change.added), []
    for network in sorted(change.come, key=lambda network: -max(network.points, default=0)):
        tiles = Counter(network.tiles)
        if tiles <= left:
            left -= tiles
            own.append(network)
    return own


def _parts(networks: Sequence[Network]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(network.part for network in networks))
