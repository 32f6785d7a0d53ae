"""Say why tiles are no legal set, in sentences that a player understands.

Called only for sets without any reading or legal order. It guesses what the set was meant to
be from what most of its tiles share, then names every tile that does not fit.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from referee.melds import successor
from referee.verdicts import Code, Place, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.ruleset import Ruleset
    from referee.table import TileSet
    from referee.tiles import Colour, Tile

_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def explain(tile_set: TileSet, rules: Ruleset) -> tuple[Violation, ...]:
    """Return every reason why the tiles are no legal set; always at least one.

    >>> from referee import load_ruleset, parse_set
    >>> for text in ("R7 B7 R7", "R4 R5 R7 B8"):
    ...     for violation in explain(parse_set(text), load_ruleset("standard")):
    ...         print(violation.code, violation.message)
    REPEATED_COLOUR Red 7 is in this group twice.
    WRONG_COLOUR Blue 8 does not belong in a red run.
    GAP Red 6 is missing between Red 5 and Red 7.
    """
    found = tuple(_reasons(tile_set, rules))
    return found or (_violation(Code.NOT_A_SET, f"{tile_set.words} do not make a set."),)


def _violation(code: Code, message: str, tiles: tuple[int, ...] = ()) -> Violation:
    places: tuple[Place, ...] = tuple((0, tile) for tile in tiles)
    return Violation(code, message, (0,), places)


def _reasons(tile_set: TileSet, rules: Ruleset) -> Iterator[Violation]:
    tiles = tile_set.tiles
    everything = tuple(range(len(tiles)))
    jokers = tuple(place for place, tile in enumerate(tiles) if tile.is_joker)
    if len(jokers) == len(tiles):
        message = "A set needs at least one numbered tile beside its jokers."
        yield _violation(Code.ONLY_JOKERS, message, jokers)
        return
    if len(tiles) == 1:
        message = f"{tiles[0].words} lies alone; a set needs {_count(rules.min_set)} tiles."
        yield _violation(Code.TOO_SHORT, message, everything)
        return
    if len(tiles) < rules.min_set and rules.compound_tiles:
        return  # two tiles can be a set there, so their number is not the reason
    if len(tiles) < rules.min_set:
        message = f"{tile_set.words} are only {_count(len(tiles))} tiles; "
        yield _violation(
            Code.TOO_SHORT, f"{message}a set needs {_count(rules.min_set)}.", everything
        )
        return
    if rules.max_jokers_per_set and len(jokers) > rules.max_jokers_per_set:
        message = f"A set may hold at most {_count(rules.max_jokers_per_set)} of the jokers."
        yield _violation(Code.TOO_MANY_JOKERS, message, jokers)
    yield from _intent(tile_set, rules)


def _intent(tile_set: TileSet, rules: Ruleset) -> Iterator[Violation]:
    """Explain it as the group or run that most of its tiles point to."""
    real = [(place, tile) for place, tile in enumerate(tile_set.tiles) if not tile.is_joker]
    number, group_fit = Counter(tile.number for _, tile in real).most_common(1)[0]
    colour, run_fit = Counter(tile.colour for _, tile in real).most_common(1)[0]
    if group_fit == len(real) or group_fit > max(run_fit, 1):
        yield from _as_group(tile_set, real, number or 0, rules)
    elif run_fit > max(group_fit, 1) and colour:
        yield from _as_run(tile_set, real, colour, rules)
    else:
        message = f"{tile_set.words} share neither a number, as a group, nor a colour, as a run."
        yield _violation(Code.NOT_A_SET, message, tuple(range(len(tile_set.tiles))))


def _as_group(
    tile_set: TileSet, real: list[tuple[int, Tile]], number: int, rules: Ruleset
) -> Iterator[Violation]:
    for place, tile in real:
        if tile.number != number:
            message = f"{tile.words} does not belong in a group of {number}s."
            yield _violation(Code.WRONG_NUMBER, message, (place,))
    if not rules.group_colour_repeat:
        fitting = [(place, tile) for place, tile in real if tile.number == number]
        yield from _repeats(Code.REPEATED_COLOUR, fitting, "group")
    if len(tile_set.tiles) > rules.group_max:
        message = (
            f"A group has at most {_count(rules.group_max)} tiles, one of each colour; "
            f"this one has {_count(len(tile_set.tiles))}."
        )
        yield _violation(Code.TOO_LONG, message, tuple(range(len(tile_set.tiles))))


def _as_run(
    tile_set: TileSet, real: list[tuple[int, Tile]], colour: Colour, rules: Ruleset
) -> Iterator[Violation]:
    for place, tile in real:
        if tile.colour != colour:
            message = f"{tile.words} does not belong in a {colour.word.lower()} run."
            yield _violation(Code.WRONG_COLOUR, message, (place,))
    fitting = [(place, tile) for place, tile in real if tile.colour == colour]
    yield from _repeats(Code.REPEATED_NUMBER, fitting, "run")
    if rules.run_max and len(tile_set.tiles) > rules.run_max:
        message = (
            f"A run has at most {_count(rules.run_max)} tiles; "
            f"this one has {_count(len(tile_set.tiles))}."
        )
        yield _violation(Code.TOO_LONG, message, tuple(range(len(tile_set.tiles))))
    if not rules.compound_tiles:
        yield from _gaps(fitting, len(tile_set.tiles) - len(real), rules)


def _repeats(code: Code, real: list[tuple[int, Tile]], kind: str) -> Iterator[Violation]:
    """Name every face that comes more than once."""
    for tile, times in Counter(tile for _, tile in real).items():
        if times > 1:
            often = {2: "twice"}.get(times, f"{_count(times)} times")
            places = tuple(place for place, other in real if other == tile)
            yield _violation(code, f"{tile.words} is in this {kind} {often}.", places)


def _gaps(real: list[tuple[int, Tile]], jokers: int, rules: Ruleset) -> Iterator[Violation]:
    """Name the numbers that are missing, unless the jokers can stand for all of them."""
    by_number = sorted({tile.number: (place, tile) for place, tile in real if tile.number}.items())
    rising = [found for _, found in by_number]
    if rules.wrap:
        rising = _from_widest(rising, rules)
    pairs = [(low, high, _between(low[1], high[1], rules)) for low, high in pairwise(rising)]
    missing = sum(len(between) for _, _, between in pairs)
    numbers = [number for number, _ in by_number]
    if missing and not rules.wrap and _wraps(numbers, jokers, rules.max_number):
        first, last = rising[0], rising[-1]
        message = f"{first[1].words} cannot follow {last[1].words}; 1 is only low."
        yield _violation(Code.WRAPPED_RUN, message, (last[0], first[0]))
    elif missing > jokers:
        for low, high, between in pairs:
            if between:
                yield _gap(low, high, between)


def _from_widest(rising: list[tuple[int, Tile]], rules: Ruleset) -> list[tuple[int, Tile]]:
    """Start the circle of numbers after its widest gap."""
    starts = range(len(rising))
    widest = max(starts, key=lambda i: len(_between(rising[i - 1][1], rising[i][1], rules)))
    return rising[widest:] + rising[:widest]


def _between(low: Tile, high: Tile, rules: Ruleset) -> list[int]:
    """Return the numbers that a run has between two tiles."""
    found: list[int] = []
    number = successor(low.number or 0, rules)
    while number is not None and number != high.number and len(found) < rules.max_number:
        found.append(number)
        number = successor(number, rules)
    return found


def _gap(low: tuple[int, Tile], high: tuple[int, Tile], between: list[int]) -> Violation:
    colour = low[1].colour
    first = f"{colour.word if colour else ''} {between[0]}"
    joined = {1: "", 2: f" and {between[-1]}"}.get(len(between), f" to {between[-1]}")
    verb = "is" if len(between) == 1 else "are"
    message = f"{first}{joined} {verb} missing between {low[1].words} and {high[1].words}."
    return _violation(Code.GAP, message, (low[0], high[0]))


def _wraps(numbers: list[int], jokers: int, highest: int) -> bool:
    """Whether the numbers are consecutive only by going on from the highest to 1."""
    if numbers[0] != 1 or numbers[-1] != highest:
        return False
    widest = max(high - low for low, high in pairwise(numbers))
    return highest - (widest - 1) <= len(numbers) + jokers


def _count(number: int) -> str:
    return _WORDS[number] if number < len(_WORDS) else str(number)
