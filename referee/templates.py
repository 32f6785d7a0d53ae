"""Every set worth considering when tiles are arranged anew.

Sets that split into smaller legal ones are left out: where three tiles make a set, runs have at
most five members, six where a tile may be two of them. What is left is one template per
multiset of faces, laid out in its most valuable order.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from referee.melds import choices, longest_run, stands_for, successor
from referee.tiles import JOKER, Colour, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.melds import Members
    from referee.ruleset import Ruleset

_ONE_ONE = (1, 1)


@dataclass(frozen=True, slots=True)
class Template:
    """A legal set, in the order in which it lies, and the most it may be worth."""

    tiles: tuple[Tile, ...]
    points: int


@lru_cache(maxsize=16)
def templates(rules: Ruleset) -> tuple[Template, ...]:
    """Return one template per multiset of faces that makes a set.

    >>> from referee import load_ruleset
    >>> from referee.rulesets import override
    >>> standard = load_ruleset("standard")
    >>> len(templates(standard))
    1173
    >>> len(templates(override(standard, {"jokers": 0, "jokers_above_four_players": 0})))
    185
    """
    best: dict[tuple[int, ...], Template] = {}
    for found in (*_runs(rules), *_groups(rules)):
        key = tuple(sorted(tile.index for tile in found.tiles))
        if key not in best or found.points > best[key].points:
            best[key] = found
    return tuple(best.values())


def _most_jokers(rules: Ruleset) -> int:
    return min(rules.jokers_max, rules.max_jokers_per_set or rules.jokers_max)


def _runs(rules: Ruleset) -> Iterator[Template]:
    """Yield runs of one colour and, where they are legal, of all different colours."""
    numbers = range(1, rules.max_number + 1)
    for colour in rules.palette:
        faces = [Tile(colour, number) for number in numbers]
        yield from _sequences(faces, rules, many_colours=False)
    if rules.run_rule == "one_or_all_colours":
        faces = [Tile(colour, number) for colour in rules.palette for number in numbers]
        yield from _sequences(faces, rules, many_colours=True)


def _sequences(faces: list[Tile], rules: Ruleset, *, many_colours: bool) -> Iterator[Template]:
    """Yield every short run of these faces and jokers."""
    longest = min(2 * rules.min_set - (not rules.compound_tiles), longest_run(rules))
    starts: dict[int, list[tuple[Tile, Members]]] = {}
    for face in (*faces, JOKER):
        for choice in choices(face, rules):
            if len(choice) == 1 or (choice != _ONE_ONE and not many_colours):
                starts.setdefault(choice[0], []).append((face, choice))
    stack: list[tuple[tuple[Tile, ...], Members, int]] = [((), (), 0)]
    while stack:
        tiles, members, points = stack.pop()
        if len(members) >= rules.min_set and any(tile.number for tile in tiles):
            yield Template(tiles, points)
        following = [successor(members[-1], rules)] if members else list(starts)
        for face, choice in (step for number in following for step in starts.get(number or 0, [])):
            longer, chain = (*tiles, face), members + choice
            if (
                following != [None]
                and len(chain) <= longest
                and _fits(longer, rules, many_colours)
            ):
                worth = rules.value(face.number or stands_for(choice))
                stack.append((longer, chain, points + worth))


def _fits(tiles: tuple[Tile, ...], rules: Ruleset, many_colours: bool) -> bool:
    """Whether jokers and colours stay within what a run may hold."""
    if sum(tile.is_joker for tile in tiles) > _most_jokers(rules):
        return False
    colours = [tile.colour for tile in tiles if tile.colour]
    return not many_colours or (len(set(colours)) == len(colours) and len(tiles) <= rules.colours)


def _groups(rules: Ruleset) -> Iterator[Template]:
    """Yield groups of different colours and, where they are legal, of one colour."""
    for number in range(1, rules.max_number + 1):
        options = [_reading_as(colour, number, rules) for colour in rules.palette]
        for size in range(rules.min_set, rules.group_max + 1):
            for jokers in range(min(_most_jokers(rules), size - 1) + 1):
                for colours in combinations(options, size - jokers):
                    for real in product(*colours):
                        tiles = (*real, *[JOKER] * jokers)
                        yield Template(tiles, _worth(tiles, number, rules))
        if rules.group_rule == "colours_or_one":
            for colour in rules.palette:
                yield from _one_colour_groups(colour, number, rules)


def _worth(tiles: Iterable[Tile], number: int, rules: Ruleset) -> int:
    return sum(rules.value(tile.number or number) for tile in tiles)


def _reading_as(colour: Colour, number: int, rules: Ruleset) -> list[Tile]:
    """Return the faces of a colour that can be read as this one number."""
    faces = (Tile(colour, shown) for shown in range(1, rules.max_number + 1))
    return [face for face in faces if (number,) in choices(face, rules)]


def _one_colour_groups(colour: Colour, number: int, rules: Ruleset) -> Iterator[Template]:
    """Yield groups that repeat one number in one colour (rules reference 10.5)."""
    numbers = range(1, rules.max_number + 1)
    steps = [
        (face, choice)
        for face in (*(Tile(colour, shown) for shown in numbers), JOKER)
        for choice in choices(face, rules)
        if set(choice) == {number}
    ]
    limits = [_most_jokers(rules) if face.is_joker else rules.copies for face, _ in steps]
    for counts in product(*(range(limit + 1) for limit in limits)):
        chosen = [step for step, count in zip(steps, counts, strict=True) for _ in range(count)]
        tiles = tuple(face for face, _ in chosen)
        jokers = Counter(tiles)[JOKER]
        enough = sum(len(choice) for _, choice in chosen) >= rules.min_set
        if enough and jokers < len(tiles) and jokers <= _most_jokers(rules):
            worth = sum(rules.value(face.number or stands_for(choice)) for face, choice in chosen)
            yield Template(tiles, worth)
