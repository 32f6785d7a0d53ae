"""The rules of sets by brute force: everything that the tiles could mean is tried.

Written from the rules reference alone, to be compared with the referee. Tiles are notation, a
member is a colour and a number, and nothing here is clever or fast.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee import Ruleset

Member = tuple[str, int]
Meaning = tuple[Member, ...]
Cells = dict[tuple[int, int], str]

COLOURS: Final = "RBOK"
TWIN: Final = {6: 9, 9: 6}
_PAIR: Final = {10: (0, 1), 11: (1, 1), 12: (1, 2)}


def meanings(tile: str, rules: Ruleset) -> list[Meaning]:
    """What one tile may count as: itself, in Crazy its twin or pair, the joker anything."""
    if tile == "J":
        numbers = range(0 if rules.zero else 1, rules.max_number + 1)
        return [
            *(((colour, number),) for colour in COLOURS for number in numbers),
            *(
                two
                for colour in COLOURS
                for number in _PAIR
                for two in pair(colour, number, rules)
            ),
        ]
    colour, number = tile[0], int(tile[1:])
    twins = [((colour, TWIN[number]),)] if rules.compound_tiles and number in TWIN else []
    return [((colour, number),), *twins, *pair(colour, number, rules)]


def pair(colour: str, number: int, rules: Ruleset) -> list[Meaning]:
    """The two numbers that a 10, 11 or 12 may be instead of one (10.3)."""
    if not rules.compound_tiles or number not in _PAIR:
        return []
    return [tuple((colour, one) for one in _PAIR[number])]


def is_set(members: Sequence[Member], rules: Ruleset) -> bool:
    """Whether these numbers and colours, in this order, are a group or a run (2, 10, 11)."""
    size = len(members)
    colours = {colour for colour, _ in members}
    numbers = [number for _, number in members]
    different = len(colours) == size
    group = len(set(numbers)) == 1 and (
        ((different or rules.group_colour_repeat) and size <= rules.group_max)
        or (rules.group_rule == "colours_or_one" and len(colours) == 1)
    )
    run = (
        all(follows(one, other, rules) for one, other in pairwise(numbers))
        and (len(colours) == 1 or (different and rules.run_rule == "one_or_all_colours"))
        and (rules.zero or len(set(numbers)) == size)
        and (not rules.run_max or size <= rules.run_max)
    )
    return size >= rules.min_set and (group or run)


def follows(one: int, other: int, rules: Ruleset) -> bool:
    """Whether the second number comes right after the first in a run."""
    if one == rules.max_number and (rules.zero or rules.wrap):
        return other == (0 if rules.zero else 1)
    return other == one + 1


def spelled(tiles: Sequence[str], rules: Ruleset) -> frozenset[tuple[Meaning, ...]]:
    """Every way in which the tiles, in this order, make a set."""
    return _spelled(tuple(tiles), rules)


@lru_cache(maxsize=1000)  # the same set is asked for its legality, its points and its readings
def _spelled(tiles: tuple[str, ...], rules: Ruleset) -> frozenset[tuple[Meaning, ...]]:
    jokers = tiles.count("J")
    if jokers == len(tiles) or 0 < rules.max_jokers_per_set < jokers:
        return frozenset()
    return frozenset(
        chosen
        for chosen in product(*(meanings(tile, rules) for tile in tiles))
        if is_set([member for meaning in chosen for member in meaning], rules)
    )


def ways(tiles: Sequence[str], rules: Ruleset) -> frozenset[tuple[Meaning, ...]]:
    """`spelled` as the set lies or, apart from crossing sets, from the table's far side (1.6)."""
    near = spelled(tiles, rules)
    if near or rules.two_dimensional:
        return near
    return frozenset(chosen[::-1] for chosen in spelled(tiles[::-1], rules))


def orders(tiles: Sequence[str], rules: Ruleset) -> Iterable[Sequence[str]]:
    """The orders in which the tiles may be taken: any, with jokers anywhere, or as laid (2.6)."""
    if rules.accept_unsorted_sets and not ways(tiles, rules):
        return set(permutations(tiles))
    if rules.joker_position == "reseat":
        real = tuple(tile for tile in tiles if tile != "J")
        return {
            order
            for order in set(permutations(tiles))
            if tuple(tile for tile in order if tile != "J") == real
        }
    return [tiles]


def face(meaning: Meaning) -> Member:
    """The tile that a joker with this meaning stands for: a 12 where it is 1 and 2."""
    numbers = tuple(number for _, number in meaning)
    pairs = [shown for shown, two in _PAIR.items() if two == numbers]
    return meaning[0][0], [*pairs, numbers[0]][0]


def value(tile: str, meaning: Meaning, rules: Ruleset) -> int:
    """Points as played: what the tile shows; a joker is worth the number it stands for (10.7)."""
    number = face(meaning)[1] if tile == "J" else int(tile[1:])
    return rules.tile_values[number - 1] if number else rules.zero_value


def legal(tiles: Sequence[str], rules: Ruleset) -> bool:
    """Whether the tiles are a set as they lie."""
    return any(ways(order, rules) for order in orders(tiles, rules))


def points(tiles: Sequence[str], rules: Ruleset) -> set[int]:
    """All that the set may be worth."""
    return {
        sum(value(tile, meaning, rules) for tile, meaning in zip(order, chosen, strict=True))
        for order in orders(tiles, rules)
        for chosen in ways(order, rules)
    }


def lines(cells: Cells) -> list[list[tuple[int, int]]]:
    """The cells of every longest line of two or more, rightwards and downwards."""
    found = []
    for down, right in ((0, 1), (1, 0)):
        for row, column in cells:
            if (row - down, column - right) in cells:
                continue
            line = [(row, column)]
            while (after := (line[-1][0] + down, line[-1][1] + right)) in cells:
                line.append(after)
            if len(line) > 1:
                found.append(line)
    return found


def crossed(cells: Cells, rules: Ruleset) -> Iterator[dict[tuple[int, int], list[Meaning]]]:
    """Every joint meaning of a grid as it lies: what each cell is in its one or two lines.

    A joker where two lines cross has one colour; its numbers may differ (10.6).
    """
    found = lines(cells)
    if {cell for line in found for cell in line} != set(cells):
        return
    for chosen in product(*(spelled([cells[cell] for cell in line], rules) for line in found)):
        meant: dict[tuple[int, int], list[Meaning]] = {}
        for line, meaning in zip(found, chosen, strict=True):
            for cell, one in zip(line, meaning, strict=True):
                meant.setdefault(cell, []).append(one)
        if all(agree(meant[cell], rules) for cell, tile in cells.items() if tile == "J"):
            yield meant


def agree(here: list[Meaning], rules: Ruleset) -> bool:
    """Whether one joker can mean all this at once."""
    faces = {face(meaning) for meaning in here}
    colours = {colour for colour, _ in faces}
    return len(faces if not rules.joker_cross_free_number else colours) == 1


def grid_points(cells: Cells, rules: Ruleset) -> set[int]:
    """All that a grid may be worth as it lies, each tile once; empty where it is illegal."""
    return {
        sum(max(value(cells[cell], one, rules) for one in here) for cell, here in meant.items())
        for meant in crossed(cells, rules)
    }


def quarter(cells: Cells) -> Cells:
    """The grid as it is seen after a quarter turn."""
    return {(column, -row): tile for (row, column), tile in cells.items()}
