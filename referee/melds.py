"""Every way to read a line of tiles as a legal set.

A line is expanded into *members*: the numbers that its tiles count as. Almost always a tile is
one member; in Crazy a 10 may also be the two members 0 and 1 (rules reference 10.3). A reading
says for each tile which members it is, so a joker's identity is read off at its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import permutations, product
from math import inf
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.ruleset import Ruleset
    from referee.table import TileSet
    from referee.tiles import Colour, Tile

Members = tuple[int, ...]

# More jokers than most boxes hold; beyond it readings multiply for nothing.
_MOST_JOKERS: Final = 4
_SWAPPED: Final = {6: 9, 9: 6}
_COMPOUNDS: Final[dict[int, Members]] = {10: (0, 1), 11: (1, 1), 12: (1, 2)}


class Kind(StrEnum):
    """What a legal set is."""

    RUN = "run"
    GROUP = "group"
    RUN_OF_COLOURS = "run_diff"
    """A run with every colour different (Runny)."""
    GROUP_OF_ONE_COLOUR = "group_same"
    """One number in one colour (Crazy)."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """What one tile counts as in a set.

    `number` is what it shows or, for a joker, stands for: 12 for a joker read as 1+2.
    """

    colour: Colour
    number: int
    members: Members
    is_joker: bool

    def __str__(self) -> str:
        """Write the identity in notation; a joker that is zero is ``R0``."""
        return f"{self.colour.value}{self.number}"


@dataclass(frozen=True, slots=True)
class Reading:
    """One legal way to read a set: tile by tile, in the order in which the set lies."""

    kind: Kind
    tiles: tuple[TileReading, ...]
    points: int

    @property
    def jokers(self) -> tuple[TileReading, ...]:
        """What each joker stands for, in order."""
        return tuple(tile for tile in self.tiles if tile.is_joker)


@lru_cache(maxsize=8192)
def readings(tile_set: TileSet, rules: Ruleset) -> tuple[Reading, ...]:
    """Return every reading of a set as it lies; none means that it is no set.

    A run may lie either way round, because the camera may look from the other side (rules
    reference 1.6); the far side is read only where the near side gives nothing. Crossing sets
    have one direction for the whole table, so there only the near side counts.

    >>> from referee import load_ruleset, parse_set
    >>> standard = load_ruleset("standard")
    >>> [(r.kind.value, r.points) for r in readings(parse_set("J J R3"), standard)][-1]
    ('run', 6)
    >>> [str(joker) for r in readings(parse_set("B10 J O10"), standard) for joker in r.jokers]
    ['R10', 'K10']
    >>> readings(parse_set("R5 R4 R3"), standard)[0].kind.value
    'run'
    """
    tiles = tile_set.tiles
    jokers = sum(tile.is_joker for tile in tiles)
    most = rules.max_jokers_per_set or max(rules.jokers_max, _MOST_JOKERS)
    if jokers == len(tiles) or jokers > most:
        return ()
    found = (*_groups(tiles, rules), *_runs(tiles, rules))
    if not found and not rules.two_dimensional:
        found = tuple(
            Reading(far.kind, far.tiles[::-1], far.points) for far in _runs(tiles[::-1], rules)
        )
    return tuple(dict.fromkeys(found))


def _groups(tiles: tuple[Tile, ...], rules: Ruleset) -> Iterator[Reading]:
    """Yield groups: one number throughout (rules reference 2.1, 10.5).

    A number repeated in one colour needs no limit: the equipment sets it.
    """
    colours = [tile.colour for tile in tiles if tile.colour]
    distinct = len(set(colours)) == len(colours) or rules.group_colour_repeat
    one_colour = len(set(colours)) == 1 and rules.group_rule == "colours_or_one"
    first = next(tile for tile in tiles if not tile.is_joker)
    for number in dict.fromkeys(choice[0] for choice in choices(first, rules)):
        same: list[list[Members]] = [
            [choice for choice in choices(tile, rules) if set(choice) == {number}]
            for tile in tiles
        ]
        if distinct and rules.min_set <= len(tiles) <= rules.group_max:
            plain: list[list[Members]] = [
                [choice for choice in tile if len(choice) == 1] for tile in same
            ]
            yield from _coloured(Kind.GROUP, tiles, plain, rules)
        if one_colour:
            for chain in product(*same):
                if sum(map(len, chain)) >= rules.min_set:
                    fixed = [colours[0]] * len(tiles)
                    yield _reading(Kind.GROUP_OF_ONE_COLOUR, tiles, chain, fixed, rules)


def _coloured(
    kind: Kind, tiles: tuple[Tile, ...], options: list[list[Members]], rules: Ruleset
) -> Iterator[Reading]:
    """Yield readings of these members, with the jokers in every free colour."""
    for chain in product(*options):
        for colours in _colourings(tiles, rules, repeat=rules.group_colour_repeat):
            yield _reading(kind, tiles, chain, colours, rules)


def _colourings(
    tiles: tuple[Tile, ...], rules: Ruleset, *, repeat: bool = False
) -> Iterator[list[Colour]]:
    """Colours for every tile, with the jokers in colours that are still missing, or in any."""
    jokers = sum(tile.is_joker for tile in tiles)
    if repeat:
        ways: Iterator[tuple[Colour, ...]] = product(rules.palette, repeat=jokers)
    else:
        taken = {tile.colour for tile in tiles}
        ways = permutations([colour for colour in rules.palette if colour not in taken], jokers)
    for way in ways:
        spare = iter(way)
        yield [tile.colour or next(spare) for tile in tiles]


def _runs(tiles: tuple[Tile, ...], rules: Ruleset) -> Iterator[Reading]:
    """Yield runs: each member follows the last, rightwards (rules reference 2.2, 10.4, 11.2)."""
    colours = [tile.colour for tile in tiles if tile.colour]
    one_colour = len(set(colours)) == 1
    all_colours = (
        rules.run_rule == "one_or_all_colours"
        and len(set(colours)) == len(colours)
        and len(tiles) <= rules.colours
    )
    if not (one_colour or all_colours) or len(tiles) > longest_run(rules):
        return
    for chain in _chains(tiles, rules):
        if one_colour:
            yield _reading(Kind.RUN, tiles, chain, [colours[0]] * len(tiles), rules)
        if all_colours and all(len(members) == 1 for members in chain):
            for colouring in _colourings(tiles, rules):
                yield _reading(Kind.RUN_OF_COLOURS, tiles, chain, colouring, rules)


def _chains(tiles: tuple[Tile, ...], rules: Ruleset) -> list[tuple[Members, ...]]:
    """Every consecutive reading of the tiles' numbers."""
    rising = [
        [choice for choice in choices(tile, rules) if choice != _COMPOUNDS[11]] for tile in tiles
    ]
    chains: list[tuple[Members, ...]] = [(choice,) for choice in rising[0]]
    for options in rising[1:]:
        chains = [
            (*chain, choice)
            for chain in chains
            for choice in options
            if choice[0] == successor(chain[-1][-1], rules)
        ]
    lengths = [(chain, sum(map(len, chain))) for chain in chains]
    return [chain for chain, n in lengths if rules.min_set <= n <= longest_run(rules)]


def longest_run(rules: Ruleset) -> float:
    """Return the most members of a run: each number once, but in a circle with a zero.

    >>> from referee import load_ruleset
    >>> longest_run(load_ruleset("keadle")), longest_run(load_ruleset("crazy"))
    (13, inf)
    """
    most = rules.run_max or inf
    return most if rules.zero else min(most, rules.max_number)


def successor(number: int, rules: Ruleset) -> int | None:
    """Return the number that follows in a run, if any (rules reference 2.3, 8.3, 10.4).

    >>> from referee import load_ruleset
    >>> successor(13, load_ruleset("standard")) is None
    True
    """
    if number < rules.max_number:
        return number + 1
    if rules.zero:
        return 0
    return 1 if rules.wrap else None


@lru_cache(maxsize=1024)
def choices(tile: Tile, rules: Ruleset) -> tuple[Members, ...]:
    """Every way to expand one tile into members (rules reference 10.3).

    >>> from referee import Tile, load_ruleset
    >>> choices(Tile.parse("R6"), load_ruleset("standard"))
    ((6,),)
    """
    shown = _COMPOUNDS if rules.compound_tiles else {}
    compounds = {number: two for number, two in shown.items() if number <= rules.max_number}
    if tile.number is None:
        lowest = 0 if rules.zero else 1
        singles = tuple((number,) for number in range(lowest, rules.max_number + 1))
        return (*singles, *compounds.values())
    found: list[Members] = [(tile.number,)]
    if tile.number > rules.max_number:
        return ()
    twin = _SWAPPED.get(tile.number, 0) if rules.compound_tiles else 0
    if 0 < twin <= rules.max_number:
        found.append((twin,))
    if tile.number in compounds:
        found.append(compounds[tile.number])
    return tuple(found)


def _reading(
    kind: Kind,
    tiles: tuple[Tile, ...],
    chain: tuple[Members, ...],
    colours: list[Colour],
    rules: Ruleset,
) -> Reading:
    read = tuple(
        TileReading(colour, tile.number or stands_for(members), members, tile.is_joker)
        for tile, members, colour in zip(tiles, chain, colours, strict=True)
    )
    return Reading(kind, read, sum(rules.value(tile.number) for tile in read))


def stands_for(members: Members) -> int:
    """Return the face that a joker with these members stands for.

    >>> stands_for((1, 2))
    12
    """
    if len(members) == 1:
        return members[0]
    return next(number for number, compound in _COMPOUNDS.items() if compound == members)
