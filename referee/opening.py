"""Judge a player's first sets (rules reference 3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.phrases import say
from referee.templates import templates
from referee.tiles import JOKER, Tile
from referee.verdicts import Code, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.jokers import Change
    from referee.networks import Network
    from referee.ruleset import Ruleset
    from referee.templates import Template


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
    if rules.joker_before_opening:
        change = _without_replacements(change)
    if change.gone and not rules.opening_same_turn_manipulation:
        message = say(
            "reason.OPENING_TABLE_CHANGED",
            "A player who has not opened yet may not use or change sets of the table.",
        )
        yield Violation(Code.OPENING_TABLE_CHANGED, message, _parts(change.gone))
        return
    if change.gone and _reaches(change.added, _usable(change.added, rules), rules):
        return
    yield from judge_opening(_own_sets(change), rules)


def _usable(tiles: Counter[Tile], rules: Ruleset) -> list[Template]:
    """Return the sets that these tiles allow, the most valuable first."""
    found = (template for template in templates(rules) if Counter(template.tiles) <= tiles)
    fitting = [t for t in found if rules.opening_jokers or JOKER not in t.tiles]
    return sorted(fitting, key=lambda template: -template.points)


def _reaches(tiles: Counter[Tile], sets: list[Template], rules: Ruleset, points: int = 0) -> bool:
    """Whether these tiles could have been laid as an opening, before they were moved on.

    Where a player may open and work on the table in one turn, only the end of it is seen
    (rules reference 1.2, 3.5).
    """
    if points >= rules.opening_threshold:
        return True
    for place, template in enumerate(sets):
        used = Counter(template.tiles)
        worth = (points if rules.opening_multi_set else 0) + template.points
        if used <= tiles and _reaches(tiles - used, sets[place:], rules, worth):
            return True
    return False


def _without_replacements(change: Change) -> Change:
    """Leave out sets in which a tile only replaced a joker, which counts as the player's own.

    One text lets a player do so before opening; others do not (rules reference 4.9).
    """
    for old in change.gone:
        for new in change.come:
            identities = {Tile(*i) for joker in old.jokers for i in joker.identities if i[1]}
            gained = _gained(old, new)
            if len(gained) == 1 and gained[0] in identities and _gained(new, old) == [JOKER]:
                gone = tuple(network for network in change.gone if network is not old)
                come = tuple(network for network in change.come if network is not new)
                added = change.added - Counter(gained) + Counter([JOKER])
                rest = replace(change, gone=gone, come=come, added=added)
                return _without_replacements(rest)
    return change


def _gained(old: Network, new: Network) -> list[Tile]:
    return list((Counter(new.tiles) - Counter(old.tiles)).elements())


def judge_opening(sets: Sequence[Network], rules: Ruleset) -> Iterator[Violation]:
    """Yield what is wrong with these first sets, all from the rack (rules reference 3.1, 9.7)."""
    points = opening_points(sets, rules)
    if points < rules.opening_threshold:
        message = say(
            "reason.OPENING_BELOW_THRESHOLD",
            "The first sets need {needed} points; these are {points}.",
            needed=rules.opening_threshold,
            points=points,
        )
        yield Violation(Code.OPENING_BELOW_THRESHOLD, message, _parts(sets))
    with_jokers = [network for network in sets if network.jokers]
    if with_jokers and not rules.opening_jokers:
        message = say("reason.OPENING_JOKER", "Jokers may not be part of the first sets.")
        yield Violation(Code.OPENING_JOKER, message, _parts(with_jokers))


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
    return tuple(sorted({network.part for network in networks}))
