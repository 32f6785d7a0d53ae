"""The rules of turns by brute force: every joker may have become every other.

Written from the rules reference alone (1.3, 3, 4), for sets that lie apart. Of two readings of a
rule that it leaves open, the one that accuses nobody is taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from typing import TYPE_CHECKING

from tests.referee.brute_force import TWIN, face, legal, orders, spelled, value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee import Ruleset
    from tests.referee.brute_force import Meaning, Member

Set = tuple[str, ...]
Sets = list[Set]


@dataclass(frozen=True)
class Joker:
    """A joker on the table: the set that holds it, and all that it may be."""

    held: Set
    faces: frozenset[Member]


def faults(before: Sets, after: Sets, rules: Ruleset, *, opened: bool = True) -> set[str]:
    """What the turn breaches, by the names of the rules reference (1.3)."""
    was, now = tiles(before), tiles(after)
    added = now - was
    found = set()
    if was - now:
        found.add("TABLE_TILE_MISSING")
    if not added:
        found.add("NO_RACK_TILE")
    if any(now[tile] > max(was[tile], exist(tile, rules)) for tile in now):
        found.add("TOO_MANY_OF_FACE")
    if not all(legal(one, rules) for one in after):
        found.add("INVALID_SET")
    if not opened:
        found |= opening_faults(before, after, rules, legal_sets="INVALID_SET" not in found)
    if not found and not jokers_in_order(before, after, rules):
        found.add("JOKER")
    return found


def tiles(sets: Iterable[Set]) -> Counter[str]:
    """Every tile of these sets, counted."""
    return Counter(tile for one in sets for tile in one)


def exist(tile: str, rules: Ruleset) -> int:
    """How often a face exists."""
    if tile == "J":
        return max(rules.jokers, rules.jokers_above_four_players)
    return rules.copies


@cache
def read(one: Set, rules: Ruleset) -> frozenset[tuple[tuple[str, Meaning], ...]]:
    """Every tile with its meaning, in every way to read the set: from either side (1.6, 10.2)."""
    found = set()
    for order in orders(one, rules):
        far = set() if rules.two_dimensional else spelled(order[::-1], rules)
        ways = spelled(order, rules) | {way[::-1] for way in far}
        found |= {tuple(zip(order, way, strict=True)) for way in ways}
    return frozenset(found)


def lying(one: Set, rules: Ruleset) -> frozenset[tuple[tuple[str, Meaning], ...]]:
    """What a set is, wherever and from whichever side it lies."""
    return frozenset(tuple(sorted(way)) for way in read(one, rules))


def moved(before: Sets, after: Sets, rules: Ruleset) -> tuple[Sets, Sets]:
    """The sets that are no more as they were, and those that are new."""
    gone, come = [], list(after)
    for one in before:
        same = [
            other
            for other in come
            if sorted(one) == sorted(other) and lying(one, rules) == lying(other, rules)
        ]
        come.remove(same[0]) if same else gone.append(one)
    return gone, come


def opening_faults(
    before: Sets, after: Sets, rules: Ruleset, *, legal_sets: bool = True
) -> set[str]:
    """What a player's first sets breach (3.1-3.6)."""
    gone, come = moved(before, after, rules)
    if gone and not rules.opening_same_turn_manipulation:
        return {"OPENING_TABLE_CHANGED"}
    if gone:
        added = tuple(sorted((tiles(after) - tiles(before)).elements()))
        reached = any(enough(first, rules) for first in openings(added, rules))
        return set() if reached else {"OPENING_BELOW_THRESHOLD"}
    found = set()
    if legal_sets and not enough(come, rules):
        found.add("OPENING_BELOW_THRESHOLD")
    if not rules.opening_jokers and "J" in tiles(come):
        found.add("OPENING_JOKER")
    return found


def enough(sets: Sets, rules: Ruleset) -> bool:
    """Whether these sets, each at its best, are worth an opening."""
    worth = [
        max((sum(value(*tile, rules) for tile in way) for way in read(one, rules)), default=0)
        for one in sets
    ]
    total = sum(worth) if rules.opening_multi_set else max(worth, default=0)
    return total >= rules.opening_threshold


def openings(rack: Set, rules: Ruleset) -> Iterator[Sets]:
    """Every way to lay sets from these tiles."""
    yield []
    for size in range(rules.min_set, len(rack) + 1):
        for some in combinations(range(len(rack)), size):
            rest = tuple(tile for place, tile in enumerate(rack) if place not in some)
            for order in set(permutations(rack[place] for place in some)):
                if legal(order, rules) and (rules.opening_jokers or "J" not in order):
                    yield from ([order, *others] for others in openings(rest, rules))


def jokers(sets: Sets, rules: Ruleset) -> list[Joker]:
    """Every joker in these sets."""
    return [
        Joker(one, frozenset(faces[place] for faces in ways))
        for one in sets
        for ways in [joker_faces(one, rules)]
        for place in range(one.count("J"))
    ]


def joker_faces(one: Set, rules: Ruleset) -> list[list[Member]]:
    """What the jokers of a set are, in order, in every way to read it."""
    return [[face(meant) for tile, meant in way if tile == "J"] for way in read(one, rules)]


def jokers_in_order(before: Sets, after: Sets, rules: Ruleset) -> bool:
    """Whether every joker may have gone where one lies now, under the kindest guess (4.8)."""
    if rules.joker_pickup == "free":
        return True
    old, new = jokers(before, rules), jokers(after, rules)
    supply = tiles(after) - tiles(before)
    if rules.joker_source == "any":
        supply += tiles(before)
    return any(
        sum(prices, Counter()) <= supply
        for way in permutations(new, len(old))
        for prices in product(
            *(costs(one, other, before, after, rules) for one, other in zip(old, way, strict=True))
        )
    )


def costs(
    old: Joker, new: Joker, before: Sets, after: Sets, rules: Ruleset
) -> Iterator[Counter[str]]:
    """The tiles that each way of making this joker that one must put in its place."""
    untouched = real(old.held) <= real(new.held) or not rules.joker_set_locked
    if old.faces & new.faces and untouched:
        yield Counter()
        return
    if not well_placed(new, before, after, rules):
        return
    if rules.joker_replacement == "any_legitimate" and completed(old, new, before, after, rules):
        yield Counter()
    added = tiles(after) - tiles(before)
    elsewhere = tiles(one for one in before if one is not old.held)
    at_hand = added if rules.joker_source == "rack" else added + elsewhere
    wanted = [tile for one in old.faces for tile in shown_as(one, rules)]
    group = len(old.held) == 3 and len(wanted) > 1 == len({tile[1:] for tile in wanted})
    if group and rules.joker_group3 == "both":
        if all(tile in at_hand for tile in wanted):
            yield Counter(wanted)
        return
    yield from (Counter([tile]) for tile in wanted if tile in at_hand)


def shown_as(one: Member, rules: Ruleset) -> list[str]:
    """The tiles that can be this number in this colour: no zero, in Crazy a 6 for a 9 too."""
    colour, number = one
    numbers = [number, TWIN.get(number, number)] if rules.compound_tiles else [number]
    return [f"{colour}{shown}" for shown in dict.fromkeys(numbers) if shown]


def well_placed(new: Joker, before: Sets, after: Sets, rules: Ruleset) -> bool:
    """Whether a replaced joker may go into this set (4.4)."""
    if rules.joker_reuse == "any":
        return True
    gone, come = moved(before, after, rules)
    if new.held not in come:
        return False
    come.remove(new.held)
    seeming = [one for one in gone if real(one) <= real(new.held)]
    extended = not any(
        all(real(one) <= real(other) for one, other in zip(seeming, way, strict=True))
        for way in permutations(come, len(seeming))
    )
    own = Counter(new.held) & (tiles(after) - tiles(before))
    needed = {"new2": 2, "network2": 2, "new_rack_only": len(new.held) - 1}.get(
        rules.joker_reuse, 0
    )
    return not extended and own.total() >= needed


def completed(old: Joker, new: Joker, before: Sets, after: Sets, rules: Ruleset) -> bool:
    """Whether tiles from the rack keep the joker's set legal, then or at the end (8.7, 1.2)."""
    added = tiles(after) - tiles(before)
    others = list(after)
    others.remove(new.held)
    if any(real(old.held) <= real(one) and real(one) & added for one in others):
        return True
    own, rest = sorted(added.elements()), tuple(real(old.held).elements())
    return any(
        legal(tuple(seated), rules)
        for size in (1, 2)
        for some in combinations(own, size)
        for rising in [sorted((*rest, *(t for t in some if t != "J")), key=lambda t: int(t[1:]))]
        for turn in range(len(rising))
        for seated in with_jokers([*rising[turn:], *rising[:turn]], some.count("J"))
    )


def with_jokers(line: list[str], jokers: int) -> Iterator[list[str]]:
    """The line with so many jokers at any places."""
    for places in combinations(range(len(line) + jokers), jokers):
        rest = iter(line)
        yield ["J" if place in places else next(rest) for place in range(len(line) + jokers)]


def real(one: Set) -> Counter[str]:
    """The numbered tiles of a set."""
    return Counter(tile for tile in one if tile != "J")
