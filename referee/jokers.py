"""Judge what became of the jokers on the table (rules reference 4).

A joker stands for the tile whose place it takes. Where the rules pin it down, it keeps that
identity, or a tile with that identity takes its place and the joker is used again at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Final

from referee.judge import check_set
from referee.melds import choices
from referee.networks import real_tiles
from referee.table import TileSet
from referee.tiles import ALL_FACES, Tile
from referee.verdicts import Code, Status

if TYPE_CHECKING:
    from referee.networks import Joker, Network
    from referee.ruleset import Ruleset

# With more jokers on the move than any edition has, nobody is accused.
_MOST_MOVED: Final = 5
# What closes the gap that a joker leaves, and makes three tiles of the rest.
_MOST_COMPLETING: Final = 2
_RACK_TILES_OF_NEW: Final = {"new2": 2, "network2": 2}


@dataclass(frozen=True, slots=True)
class Change:
    """What a turn did: the networks that went, those that came, and the tiles added."""

    gone: tuple[Network, ...]
    come: tuple[Network, ...]
    stayed: tuple[Network, ...]
    added: Counter[Tile]


def joker_faults(change: Change, rules: Ruleset) -> tuple[Code, ...]:
    """Return what the moved jokers breach, under the kindest guess which went where.

    Which of two equal jokers the camera thinks moved makes no difference: one may have taken
    the place of another, whose set then looks untouched.
    """
    if rules.joker_pickup == "free":
        return ()
    found = _least_faults(change.gone, change.come, change, rules)
    if not found or not any(network.jokers for network in change.stayed):
        return found
    gone, come = ((*moved, *change.stayed) for moved in (change.gone, change.come))
    return min(found, _least_faults(gone, come, change, rules), key=len)


def _least_faults(
    gone: tuple[Network, ...], come: tuple[Network, ...], change: Change, rules: Ruleset
) -> tuple[Code, ...]:
    before = [joker for network in gone for joker in network.jokers]
    after = [(joker, network) for network in come for joker in network.jokers]
    if max(len(before), len(after)) > _MOST_MOVED:
        return ()
    matched = min(len(before), len(after))
    guesses = (
        _faults(tuple(zip(kept, way, strict=True)), change, rules)
        for kept in combinations(before, matched)
        for way in permutations(after, matched)
    )
    return min(guesses, key=len, default=())


def _faults(
    pairs: tuple[tuple[Joker, tuple[Joker, Network]], ...], change: Change, rules: Ruleset
) -> tuple[Code, ...]:
    """Return the faults if these jokers became those (rules reference 4.6, 4.8)."""
    found: list[Code] = []
    waiting: list[tuple[Counter[Tile], ...]] = []
    for joker, (now, network) in pairs:
        kept = bool(joker.identities & now.identities)
        if kept and not (rules.joker_set_locked and _disturbed(joker, now)):
            continue
        offered = _offered(joker, change, rules)
        lenient = rules.joker_replacement == "any_legitimate"
        legitimate = lenient and _completed(joker, now, change, rules)
        fault = None if legitimate else _replacement_fault(joker, offered, rules)
        fault = fault or _reuse_fault(now, network, change, rules)
        if fault:
            found.append(Code.JOKER_SET_LOCKED if kept else fault)
        elif not legitimate:
            both = _needs_both(joker, rules)
            waiting.append((Counter(offered),) if both else tuple(Counter([t]) for t in offered))
    return tuple(found) if _suffice(waiting, change, rules) else (*found, Code.JOKER_TAKEN)


def _suffice(waiting: list[tuple[Counter[Tile], ...]], change: Change, rules: Ruleset) -> bool:
    """Whether each of these jokers has tiles of its own, in one of its ways to be replaced."""
    networks = (*change.gone, *change.stayed) if rules.joker_source == "any" else ()
    supply = change.added + Counter(tile for network in networks for tile in network.tiles)
    return any(sum(chosen, Counter()) <= supply for chosen in product(*waiting))


def _disturbed(joker: Joker, now: Joker) -> bool:
    """Whether the joker's set lost a tile (rules reference 4.5)."""
    left, right = (real_tiles(found.lines[0]) for found in (joker, now))
    return not left <= right


def _offered(joker: Joker, change: Change, rules: Ruleset) -> set[Tile]:
    """Return the tiles that may have taken the joker's place (rules reference 4.2, 4.3)."""
    supply = change.added
    if rules.joker_source == "any":
        supply = supply + _elsewhere(joker, change)
    return {tile for tile in _replacing(joker, rules) if supply[tile]}


def _replacement_fault(joker: Joker, offered: set[Tile], rules: Ruleset) -> Code | None:
    """Check that a tile took the joker's place, or both that its group misses (4.5)."""
    if not offered:
        return Code.JOKER_TAKEN
    short = _needs_both(joker, rules) and offered != _replacing(joker, rules)
    return Code.JOKER_GROUP_OF_THREE if short else None


def _replacing(joker: Joker, rules: Ruleset) -> set[Tile]:
    """Return the tiles that can be what the joker is; in Crazy a 6 can be its 9."""
    named = {Tile(colour, number) for colour, number in joker.identities if number}
    if not rules.compound_tiles:
        return named
    return named | {
        tile
        for tile in ALL_FACES
        for choice in choices(tile, rules)
        if tile.colour and len(choice) == 1 and (tile.colour, choice[0]) in joker.identities
    }


def _elsewhere(joker: Joker, change: Change) -> Counter[Tile]:
    """Return the tiles that lay in other sets before the turn."""
    networks = (*change.gone, *change.stayed)
    return Counter(
        tile for network in networks if joker not in network.jokers for tile in network.tiles
    )


def _needs_both(joker: Joker, rules: Ruleset) -> bool:
    """Whether it stands in a group of three that must get both of its missing colours."""
    if rules.joker_group3 == "one":
        return False
    (line, *_), numbers = joker.lines, {number for _, number in joker.identities}
    return len(line.tiles) == 3 and len(numbers) == 1 < len(joker.identities)  # noqa: PLR2004


def _completed(joker: Joker, now: Joker, change: Change, rules: Ruleset) -> bool:
    """Whether tiles from the rack keep the set legal without its joker (rules reference 8.7).

    The set may have been played on with since: only the end of a turn counts (1.2).
    """
    lines = [line for network in (*change.come, *change.stayed) for line in network.lines]
    for own in now.lines:  # an equal one may lie beside it
        lines.remove(own)
    rest = real_tiles(joker.lines[0])
    if any(rest <= real_tiles(line) and real_tiles(line) & change.added for line in lines):
        return True
    left, added = tuple(rest.elements()), tuple(change.added.elements())
    return any(
        check_set(TileSet((*left, *some)), rules).status is not Status.INVALID
        for count in range(1, _MOST_COMPLETING + 1)
        for some in set(combinations(added, count))
    )


def _reuse_fault(now: Joker, network: Network, change: Change, rules: Ruleset) -> Code | None:
    """Check where a replaced joker went (rules reference 4.4, 10.9)."""
    if rules.joker_reuse == "any":
        return None
    untouched = any(network is other for other in change.stayed)  # an equal one may be new
    if untouched or not any(_is_new(line, change) for line in now.lines):
        return Code.JOKER_NOT_IN_NEW_SET
    tiles = [tile for line in now.lines for tile in line.tiles]
    if rules.joker_reuse == "network2":
        tiles = list(network.tiles)
    from_rack = (Counter(tiles) & change.added).total()  # another joker may be one, too
    wanted = _RACK_TILES_OF_NEW.get(rules.joker_reuse, 0)
    if rules.joker_reuse == "new_rack_only":
        wanted = len(tiles) - 1
    return Code.JOKER_NEEDS_RACK_TILES if from_rack < wanted else None


def _is_new(line: TileSet, change: Change) -> bool:
    """Whether a set is no extension of one that was there before (rules reference 4.4).

    What it seems to extend may go on elsewhere, where the rack held the same tiles once more.
    """
    here = real_tiles(line)
    gone, others = (
        [real_tiles(one) for network in networks for one in network.lines]
        for networks in (change.gone, change.come)
    )
    others.remove(here)
    seeming = [old for old in gone if old <= here]
    going_on = [other for other in others if any(old <= other for old in seeming)]
    return any(
        all(old <= other for old, other in zip(seeming, way, strict=True))
        for way in permutations(going_on, len(seeming))
    )
