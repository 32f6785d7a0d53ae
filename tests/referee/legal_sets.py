"""Legal sets and tables as the rules reference has them, made without the referee's own code."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

COLOURS: Final = "RBOK"
COPIES: Final = {"mcgraw": 4}
JOKERS: Final = {"mcgraw": 4, "keadle": 4}
_LAST: Final = 13
_TWINS: Final = {6: (6, 9), 9: (9, 6)}
_COMPOUNDS: Final = {(0, 1): 10, (1, 1): 11, (1, 2): 12}


def legal_set(random: Random, rules: str, jokers: int) -> list[str]:
    """A legal set with so many jokers at most."""
    return _crazy(random, jokers) if rules == "crazy" else _plain(random, rules, jokers)


def legal_table(random: Random, rules: str, most: int = 7) -> list[list[str]]:
    """Up to so many legal sets, for which a box has tiles enough."""
    sets: list[list[str]] = []
    used: Counter[str] = Counter()
    for _ in range(random.randint(1, most)):
        found = legal_set(random, rules, JOKERS.get(rules, 2) - used["J"])
        if fits(used + Counter(found), rules):
            sets.append(found)
            used += Counter(found)
    return sets


def fits(tiles: Counter[str], rules: str) -> bool:
    """Whether a box holds these tiles."""
    limits = {"J": JOKERS.get(rules, 2)}
    return all(count <= limits.get(t, COPIES.get(rules, 2)) for t, count in tiles.items())


def run(colour: str, first: int, last: int) -> list[str]:
    """A run; after 13 comes 1 again."""
    return [f"{colour}{(number - 1) % _LAST + 1}" for number in range(first, last + 1)]


def _plain(random: Random, rules: str, jokers: int) -> list[str]:
    kind = random.choice(["group", "run", "colours"] if rules == "runny" else ["group", "run"])
    some = random.sample(COLOURS, random.choice([3, 4]))
    if kind == "group":
        number = random.randint(1, _LAST)
        tiles = [f"{colour}{number}" for colour in some]
    elif kind == "colours":
        first = random.randint(1, _LAST + 1 - len(some))
        tiles = [f"{colour}{first + place}" for place, colour in enumerate(some)]
    else:
        length = random.choice([3, 3, 4, 5, 6, 8, _LAST])
        first = random.randint(1, _LAST if rules == "keadle" else _LAST + 1 - length)
        tiles = run(some[0], first, first + length - 1)
    for place in random.sample(range(len(tiles)), min(jokers, random.choice([0, 0, 1, 2]))):
        tiles[place] = "J"
    return tiles


def _crazy(random: Random, jokers: int) -> list[str]:
    while True:
        tiles = _written(random, _members(random), jokers)
        if len(tiles) > tiles.count("J") and fits(Counter(tiles), "crazy"):
            return tiles


def _members(random: Random) -> list[tuple[str, int]]:
    colour, number = random.choice(COLOURS), random.randint(1, _LAST)
    kind = random.choice(["run", "run", "group", "same"])
    if kind == "group":
        return [(one, number) for one in random.sample(COLOURS, random.choice([3, 4]))]
    if kind == "same":
        return [(colour, number)] * random.choice([3, 4])
    first, length = random.randint(0, _LAST), random.choice([3, 3, 4, 5, 6])
    return [(colour, (first + place) % (_LAST + 1)) for place in range(length)]


def _written(random: Random, members: list[tuple[str, int]], jokers: int) -> list[str]:
    """Members as tiles: a 6 as a 9, two as one tile, jokers; empty where that cannot be."""
    tiles: list[str] = []
    place = 0
    while place < len(members):
        colour, number = members[place]
        ways = [(f"{colour}{twin}", 1) for twin in _TWINS.get(number, (number,)) if number]
        free = tiles.count("J") < jokers
        if free:
            ways.append(("J", 1))
        following = members[place + 1 : place + 2]
        pair = _COMPOUNDS.get((number, following[0][1])) if following else None
        if pair and following[0][0] == colour:
            ways += [(f"{colour}{pair}", 2)] * 2 + [("J", 2)] * free
        if not ways:
            return []
        tile, members_of_it = random.choice(ways)
        tiles.append(tile)
        place += members_of_it
    return tiles if len(tiles) > 1 else []
