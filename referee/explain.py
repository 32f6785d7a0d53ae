"""Say why tiles are no legal set, in sentences that a player understands.

Called only for sets without any reading or legal order. It guesses what the set was meant to
be from what most of its tiles share, then names every tile that does not fit.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from referee.melds import successor
from referee.phrases import Count, say, several
from referee.tiles import Colour, Tile
from referee.verdicts import Code, Place, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from referee.table import TileSet


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
    if found:
        return found
    message = say("reason.NOT_A_SET_AT_ALL", "{tiles} do not make a set.", tiles=tile_set)
    return (_violation(Code.NOT_A_SET, message, tuple(range(len(tile_set.tiles)))),)


def _violation(code: Code, message: Phrase, tiles: tuple[int, ...] = ()) -> Violation:
    places: tuple[Place, ...] = tuple((0, tile) for tile in tiles)
    return Violation(code, message.begun(), (0,), places)


def _reasons(tile_set: TileSet, rules: Ruleset) -> Iterator[Violation]:
    tiles = tile_set.tiles
    everything = tuple(range(len(tiles)))
    jokers = tuple(place for place, tile in enumerate(tiles) if tile.is_joker)
    if len(jokers) == len(tiles):
        message = say(
            "reason.ONLY_JOKERS", "A set needs at least one numbered tile beside its jokers."
        )
        yield _violation(Code.ONLY_JOKERS, message, jokers)
        return
    if len(tiles) == 1:
        message = say(
            "reason.TOO_SHORT_ALONE",
            "{tile} lies alone; a set needs {needed} tiles.",
            tile=tiles[0],
            needed=Count(2 if rules.compound_tiles else rules.min_set),
        )
        yield _violation(Code.TOO_SHORT, message, everything)
        return
    if len(tiles) < rules.min_set and rules.compound_tiles:
        return  # two tiles can be a set there, so their number is not the reason
    if len(tiles) < rules.min_set:
        message = say(
            "reason.TOO_SHORT",
            "{tiles} are only {count} tiles; a set needs {needed}.",
            tiles=tile_set,
            count=Count(len(tiles)),
            needed=Count(rules.min_set),
        )
        yield _violation(Code.TOO_SHORT, message, everything)
        return
    if rules.max_jokers_per_set and len(jokers) > rules.max_jokers_per_set:
        message = say(
            "reason.TOO_MANY_JOKERS",
            "A set may hold at most {most} of the jokers.",
            most=Count(rules.max_jokers_per_set),
        )
        yield _violation(Code.TOO_MANY_JOKERS, message, jokers)
    yield from _intent(tile_set, rules)


def _intent(tile_set: TileSet, rules: Ruleset) -> Iterator[Violation]:
    """Explain it as the group or run that most of its tiles point to."""
    real = [(place, tile) for place, tile in enumerate(tile_set.tiles) if not tile.is_joker]
    number, group_fit = Counter(tile.number for _, tile in real).most_common(1)[0]
    colour, run_fit = Counter(tile.colour for _, tile in real).most_common(1)[0]
    numbers, colours = ({getattr(tile, of) for _, tile in real} for of in ("number", "colour"))
    mixed_fit = min(len(numbers), len(colours)) if rules.run_rule == "one_or_all_colours" else 0
    if group_fit == len(real) or group_fit > max(run_fit, mixed_fit - 1, 1):
        yield from _as_group(tile_set, real, number or 0, rules)
    elif mixed_fit > max(run_fit, group_fit, 1):
        yield from _as_run_of_colours(tile_set, real, rules)
    elif run_fit > max(group_fit, 1) and colour:
        yield from _as_run(tile_set, real, colour, rules)
    else:
        message = say(
            "reason.NOT_A_SET",
            "{tiles} share neither a number, as a group, nor a colour, as a run.",
            tiles=tile_set,
        )
        yield _violation(Code.NOT_A_SET, message, tuple(range(len(tile_set.tiles))))


def _as_group(
    tile_set: TileSet, real: list[tuple[int, Tile]], number: int, rules: Ruleset
) -> Iterator[Violation]:
    for place, tile in real:
        if tile.number != number:
            message = say(
                "reason.WRONG_NUMBER",
                "{tile} does not belong in a group of {number}s.",
                tile=tile,
                number=number,
            )
            yield _violation(Code.WRONG_NUMBER, message, (place,))
    if not rules.group_colour_repeat:
        fitting = [(place, tile) for place, tile in real if tile.number == number]
        yield from _repeats(Code.REPEATED_COLOUR, fitting)
    if len(tile_set.tiles) > rules.group_max:
        message = say(
            "reason.TOO_LONG_GROUP",
            "A group has at most {most} tiles, one of each colour; this one has {count}.",
            most=Count(rules.group_max),
            count=Count(len(tile_set.tiles)),
        )
        yield _violation(Code.TOO_LONG, message, tuple(range(len(tile_set.tiles))))


def _as_run(
    tile_set: TileSet, real: list[tuple[int, Tile]], colour: Colour, rules: Ruleset
) -> Iterator[Violation]:
    for place, tile in real:
        if tile.colour != colour:
            yield _violation(Code.WRONG_COLOUR, _stranger(tile, colour), (place,))
    fitting = [(place, tile) for place, tile in real if tile.colour == colour]
    yield from _repeats(Code.REPEATED_NUMBER, fitting)
    if rules.run_max and len(tile_set.tiles) > rules.run_max:
        message = say(
            "reason.TOO_LONG_RUN",
            "A run has at most {most} tiles; this one has {count}.",
            most=Count(rules.run_max),
            count=Count(len(tile_set.tiles)),
        )
        yield _violation(Code.TOO_LONG, message, tuple(range(len(tile_set.tiles))))
    if not (rules.compound_tiles or rules.zero):  # what is missing may have no tile of its own
        yield from _gaps(fitting, len(tile_set.tiles) - len(real), rules)


def _stranger(tile: Tile, colour: Colour) -> Phrase:
    if colour is Colour.ORANGE:
        return say(
            "reason.WRONG_COLOUR_ORANGE",
            "{tile} does not belong in an {colour} run.",
            tile=tile,
            colour=colour,
        )
    return say(
        "reason.WRONG_COLOUR",
        "{tile} does not belong in a {colour} run.",
        tile=tile,
        colour=colour,
    )


def _as_run_of_colours(
    tile_set: TileSet, real: list[tuple[int, Tile]], rules: Ruleset
) -> Iterator[Violation]:
    """Explain it as a run with all its colours different (rules reference 11.2)."""
    for places, tiles in _alike(real, lambda tile: tile.colour):
        message = say(
            "reason.REPEATED_COLOUR_IN_RUN",
            "{tiles} share a colour; a run has one colour, or all different ones.",
            tiles=several("and", tiles),
        )
        yield _violation(Code.REPEATED_COLOUR, message, places)
    for places, tiles in _alike(real, lambda tile: tile.number):
        message = say(
            "reason.REPEATED_NUMBER_OF_COLOURS",
            "{tiles} share a number; a run has each number once.",
            tiles=several("and", tiles),
        )
        yield _violation(Code.REPEATED_NUMBER, message, places)
    if len(tile_set.tiles) > rules.colours:
        message = say(
            "reason.TOO_LONG_RUN_OF_COLOURS",
            "A run of different colours has at most {most} tiles; this one has {count}.",
            most=Count(rules.colours),
            count=Count(len(tile_set.tiles)),
        )
        yield _violation(Code.TOO_LONG, message, tuple(range(len(tile_set.tiles))))
    if not (rules.compound_tiles or rules.zero):
        yield from _gaps(real, len(tile_set.tiles) - len(real), rules)


def _alike(
    real: list[tuple[int, Tile]], trait: Callable[[Tile], object]
) -> Iterator[tuple[tuple[int, ...], list[Tile]]]:
    """Yield the places and tiles of every trait that more than one tile has."""
    for shared in dict.fromkeys(trait(tile) for _, tile in real):
        alike = [(place, tile) for place, tile in real if trait(tile) == shared]
        if len(alike) > 1:
            yield tuple(place for place, _ in alike), [tile for _, tile in alike]


def _repeats(code: Code, real: list[tuple[int, Tile]]) -> Iterator[Violation]:
    """Name every face that comes more than once."""
    for tile, times in Counter(tile for _, tile in real).items():
        if times > 1:
            places = tuple(place for place, other in real if other == tile)
            yield _violation(code, _repeated(code, tile, times), places)


def _repeated(code: Code, tile: Tile, times: int) -> Phrase:
    if times == 2:  # noqa: PLR2004 - twice has a word of its own
        often = say("often.twice", "twice")
    else:
        often = say("often.times", "{count} times", count=Count(times))
    if code is Code.REPEATED_COLOUR:
        return say(
            "reason.REPEATED_COLOUR", "{tile} is in this group {often}.", tile=tile, often=often
        )
    return say("reason.REPEATED_NUMBER", "{tile} is in this run {often}.", tile=tile, often=often)


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
        message = say(
            "reason.WRAPPED_RUN",
            "{first} cannot follow {last}; 1 is only low.",
            first=first[1],
            last=last[1],
        )
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
    one_colour = low[1].colour == high[1].colour
    first = Tile(low[1].colour, between[0]) if one_colour else between[0]
    last = between[-1]
    ends = {"low": low[1], "high": high[1]}
    if len(between) == 1:
        message = say(
            "reason.GAP", "{first} is missing between {low} and {high}.", first=first, **ends
        )
    elif len(between) == 2:  # noqa: PLR2004 - both are named
        message = say(
            "reason.GAP_OF_TWO",
            "{first} and {last} are missing between {low} and {high}.",
            first=first,
            last=last,
            **ends,
        )
    else:
        message = say(
            "reason.GAP_OF_MORE",
            "{first} to {last} are missing between {low} and {high}.",
            first=first,
            last=last,
            **ends,
        )
    return _violation(Code.GAP, message, (low[0], high[0]))


def _wraps(numbers: list[int], jokers: int, highest: int) -> bool:
    """Whether the numbers are consecutive only by going on from the highest to 1.

    >>> _wraps([1, 12, 13], 0, 13), _wraps([1, 12], 1, 13), _wraps([1, 12], 0, 13)
    (True, True, False)
    """
    widest = max(high - low for low, high in pairwise(numbers))
    return highest - (widest - 1) <= len(numbers) + jokers
