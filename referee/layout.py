"""Put tiles that lie out of order into the order that makes a legal set, if there is one."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, permutations
from typing import TYPE_CHECKING, Final

from referee.melds import readings, successor
from referee.table import TileSet
from referee.tiles import JOKER, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.melds import Reading
    from referee.ruleset import Ruleset

# Crazy's members have no one order, so its short sets are tried in every order: 120 at most.
_MOST_TRIED: Final = 5


def arranged(tile_set: TileSet, rules: Ruleset) -> TileSet | None:
    """Return the tiles in an order that is legal, or None where no order is.

    Groups are legal in any order, so only runs can need it (rules reference 1.6, 2.6).

    >>> from referee import load_ruleset, parse_set
    >>> standard = load_ruleset("standard")
    >>> str(arranged(parse_set("R12 R13 J"), standard))
    'J R12 R13'
    >>> str(arranged(parse_set("B12 B10 J"), standard))
    'B10 J B12'
    >>> arranged(parse_set("R5 R9 J"), standard)
    """
    return next((TileSet(way) for way in _ways(tile_set.tiles, rules) if _legal(way, rules)), None)


def taken_readings(tile_set: TileSet, rules: Ruleset) -> tuple[Reading, ...]:
    """Return every reading of a set under rules that may take it in other orders too.

    House rules let a joker stand for any place it fits, or take runs out of order (rules
    reference 1.6, 2.6). Readings name the tiles where they lie.

    >>> from referee import load_ruleset, parse_set
    >>> from referee.rulesets import override
    >>> reseated = override(load_ruleset("standard"), {"joker_position": "reseat"})
    >>> [str(found.tiles[0]) for found in taken_readings(parse_set("J R12 R13"), reseated)]
    ['R11']
    >>> sorted(found.points for found in taken_readings(parse_set("J R9 R10"), reseated))
    [27, 30]
    """
    tiles, found = tile_set.tiles, readings(tile_set, rules)
    ways: Iterable[tuple[Tile, ...]] = ()
    if rules.accept_unsorted_sets and not found:
        ways = _ways(tiles, rules)
    elif rules.joker_position == "reseat":
        ways = _seatings(tiles)
    others = (_put_back(tiles, way) for order in ways for way in readings(TileSet(order), rules))
    return tuple(dict.fromkeys((*found, *others)))


def _seatings(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles with their jokers at any places."""
    jokers = sum(tile.is_joker for tile in tiles)
    for places in combinations(range(len(tiles)), jokers):
        real = (tile for tile in tiles if not tile.is_joker)
        yield tuple(JOKER if place in places else next(real) for place in range(len(tiles)))


def _put_back(tiles: tuple[Tile, ...], found: Reading) -> Reading:
    """Return the reading of another order with its tiles as they lie."""
    left = list(found.tiles)
    lying = []
    for tile in tiles:
        shown = (JOKER if read.is_joker else Tile(read.colour, read.number) for read in left)
        lying.append(left.pop([*shown].index(tile)))
    return replace(found, tiles=tuple(lying))


def _legal(tiles: tuple[Tile, ...], rules: Ruleset) -> bool:
    return bool(readings(TileSet(tiles), rules))


def _ways(tiles: tuple[Tile, ...], rules: Ruleset) -> Iterator[tuple[Tile, ...]]:
    """Yield the orders worth trying: ascending from each tile, jokers in the gaps or ends."""
    jokers = sum(tile.is_joker for tile in tiles)
    rising = sorted((t for t in tiles if t.number), key=lambda tile: tile.number or 0)
    numbers = {tile.number for tile in rising}
    if len(numbers) == len(rising) <= rules.max_number:
        starts = range(len(rising)) if rules.wrap or rules.zero else range(1)
        for start in starts:
            yield from _filled(rising[start:] + rising[:start], jokers, rules)
    if rules.compound_tiles and len(tiles) <= _MOST_TRIED:
        yield from dict.fromkeys(permutations(tiles))


def _filled(rising: list[Tile], jokers: int, rules: Ruleset) -> Iterator[tuple[Tile, ...]]:
    """Yield the tiles with jokers in their gaps and the spare ones at the ends."""
    line = rising[:1]
    for tile in rising[1:]:
        number = successor(line[-1].number or 0, rules)
        while number is not None and number != tile.number and jokers:
            line.append(JOKER)
            jokers -= 1
            number = successor(number, rules)
        line.append(tile)
    for before in range(jokers + 1):
        yield (*[JOKER] * before, *line, *[JOKER] * (jokers - before))


def moves_joker_only(tiles: tuple[Tile, ...], better: tuple[Tile, ...], rules: Ruleset) -> bool:
    """Whether the numbered tiles already lie in this order, so that only a joker has to move.

    Where sets may cross, an order that is right from the other side is not right.

    >>> from referee import load_ruleset, parse_tiles
    >>> lying, better = parse_tiles("R13 R12 J"), parse_tiles("J R12 R13")
    >>> moves_joker_only(lying, better, load_ruleset("standard"))
    True
    >>> moves_joker_only(lying, better, load_ruleset("runny"))
    False
    """
    lying = [tile for tile in tiles if not tile.is_joker]
    wanted = [tile for tile in better if not tile.is_joker]
    ways = (wanted,) if rules.two_dimensional else (wanted, wanted[::-1])
    return len(lying) < len(tiles) and lying in ways
