"""Neighbours: what a tile that wavers between faces may be, beside the plain ones of its set.

Most sets lie legally. So where a set is legal as it is read, and would not be if a tile that
wavers were what else it may be, it is likelier to be what it is read as than the tile alone tells
(Bayes' rule). That may settle a near-tie, and no more: no reading becomes another one, a plain
one is never touched, and a set that is wrong as it is read stays so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import prod
from statistics import median
from typing import TYPE_CHECKING, Final

from referee.judge import best_turn, judge_part
from vision.doubts import UNCLEAR, names_rival
from vision.equipment import SURE
from vision.lay_out import to_part, to_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Layout, Placed, Reading, Readings

Faces = Mapping[int, "Tile"]
Way = tuple[Faces, float]

# Odds that a set is legal, and not wrong by this very tile. At real tables they are far higher,
# but what a camera takes for another face a player may, too.
LAID_LEGALLY: Final = 10.0
# Of more tiles that waver in a set, or more ways in which they may be read, none is settled.
MOST_WAVERING, MOST_WAYS = 3, 64
LEAST: Final = 0.001  # what is less likely is not weighed


def beside_neighbours(layout: Layout, readings: Readings, rules: Ruleset) -> Readings:
    """Settle tiles that waver, and without what they are read as would spoil their set.

    >>> import numpy as np
    >>> from referee import load_ruleset, parse_tiles
    >>> from vision.doubts import NEARLY
    >>> from vision.types import Layout, Placed, Reading, Readings
    >>> five, six, seven = parse_tiles("R5 R6 R7")
    >>> wavers = Reading(six, 0.9, ((five, 0.1),), NEARLY.format(other=five.words))
    >>> seen = (Reading(five, 1.0), wavers, Reading(seven, 1.0))
    >>> seen = Readings(np.zeros((3, 4, 2), np.float32), seen)
    >>> layout = Layout((Placed(((0, 1, 2),)),))
    >>> settled = beside_neighbours(layout, seen, load_ruleset("standard")).readings[1]
    >>> str(settled.tile), settled.doubt, round(settled.confidence, 3)
    ('R6', '', 0.989)
    """
    in_doubt = [placed for placed in layout.placed if _may_be_settled(placed, readings)]
    if not in_doubt:
        return readings
    turn = best_turn(to_table(layout, readings), rules)
    settled = dict[int, float]()
    for placed in in_doubt:

        def is_legal(faces: Faces, placed: Placed = placed) -> bool:
            part = to_part(placed, read_as(readings, faces))
            return not judge_part(part, rules, turn).violations

        of_the_set = {tile: readings.readings[tile] for tile in placed.tiles}
        settled |= _settled(of_the_set, is_legal)
    if not settled:
        return readings
    return readings.but(
        {number: _plain(readings.readings[number], chance) for number, chance in settled.items()}
    )


def _may_be_settled(placed: Placed, readings: Readings) -> bool:
    """Whether nothing is in doubt of a part but what few of its tiles read."""
    unsure = [found for tile in placed.tiles if (found := readings.readings[tile]).unsure]
    return 0 < len(unsure) <= MOST_WAVERING and all(map(_wavers, unsure))


def _wavers(reading: Reading) -> bool:
    return reading.doubt == UNCLEAR or names_rival(reading)


def _plain(reading: Reading, confidence: float) -> Reading:
    """Return a reading that is settled; what its alternatives have left is shared as before."""
    left = (1 - confidence) / max(1 - reading.confidence, 1 - confidence)
    others = tuple((face, chance * left) for face, chance in reading.alternatives)
    return replace(reading, confidence=confidence, alternatives=others, doubt="")


def _settled(
    of_the_set: Mapping[int, Reading], is_legal: Callable[[Faces], bool]
) -> dict[int, float]:
    """Return the tiles that are what they are read as, and how likely each is that."""
    may_be = {tile: _faces(found) for tile, found in of_the_set.items() if found.unsure}
    if prod(map(len, may_be.values())) > MOST_WAYS or not is_legal({}):
        return {}
    alone = list(_each_alone(may_be))
    weighed = [
        (faces, chance if is_legal(faces) else chance / LAID_LEGALLY)
        for faces, chance in (*alone, *_together(of_the_set, may_be))
    ]
    unnamed = max(0.0, 1 - sum(chance for _, chance in alone)) / LAID_LEGALLY
    total = unnamed + sum(weight for _, weight in weighed)
    likely = {
        tile: sum(weight for faces, weight in weighed if faces.get(tile, face) == face) / total
        for tile, ((face, _), *_) in may_be.items()
    }
    return {tile: chance for tile, chance in likely.items() if chance >= SURE}


def _faces(reading: Reading) -> list[tuple[Tile, float]]:
    """Return what a tile may be, the likeliest first, and how likely."""
    others = ((face, chance) for face, chance in reading.alternatives if chance >= LEAST)
    return [(reading.tile, reading.confidence), *others]


def _each_alone(may_be: Mapping[int, Sequence[tuple[Tile, float]]]) -> Iterator[Way]:
    """Yield every way to read some tiles, and how likely it is if each wavers for itself."""
    for way in product(*may_be.values()):
        faces, chances = zip(*way, strict=True)
        yield dict(zip(may_be, faces, strict=True)), prod(chances)


def _together(
    of_the_set: Mapping[int, Reading], may_be: Mapping[int, Sequence[tuple[Tile, float]]]
) -> Iterator[Way]:
    """Yield the ways to read tiles that are all mistaken alike, and how likely each is.

    The median of them has a say: where two waver alike, as a light or a typeface makes them, a
    third may be plain by mistake.
    """
    ways = [
        _alike(of_the_set, tile, other) for tile, faces in may_be.items() for other, _ in faces[1:]
    ]
    for way in {frozenset(way.items()): way for way in ways if len(way) > 1}.values():
        chances = (dict(of_the_set[tile].alternatives)[face] for tile, face in way.items())
        yield way, median(chances)


def read_otherwise(
    of_the_set: Mapping[int, Reading], tile: int, other: Tile
) -> Iterator[dict[int, Tile]]:
    """Yield how the tiles of a set would read if one of them were another.

    First that one alone; where only its ink differs, then all those of its ink that may be of the
    other one.

    >>> from referee import parse_tiles
    >>> from vision.types import Reading
    >>> r9, r10, o9, o10 = parse_tiles("R9 R10 O9 O10")
    >>> seen = {4: Reading(r9, 0.98, ((o9, 0.02),)), 5: Reading(r10, 0.99, ((o10, 0.01),))}
    >>> [{n: str(face) for n, face in faces.items()} for faces in read_otherwise(seen, 4, o9)]
    [{4: 'O9'}, {4: 'O9', 5: 'O10'}]
    """
    yield {tile: other}
    alike = _alike(of_the_set, tile, other)
    if of_the_set[tile].tile.number == other.number and alike.keys() > {tile}:
        yield alike


def _alike(of_the_set: Mapping[int, Reading], tile: int, other: Tile) -> dict[int, Tile]:
    """Return how all tiles of a set read that may be mistaken as one of them is.

    In the ink that it has, where only that differs, or in its number, where only that does.
    """
    change = of_the_set[tile].tile, other
    return {
        number: face
        for number, reading in of_the_set.items()
        for face, _ in reading.alternatives
        if _changes_alike(change, (reading.tile, face))
    }


def _changes_alike(one: tuple[Tile, Tile], another: tuple[Tile, Tile]) -> bool:
    """Whether two tiles read as another face by the same ink, or by the same number, for its own.

    >>> from referee import parse_tiles
    >>> r7, r9, o7, o9, k7, k9 = parse_tiles("R7 R9 O7 O9 K7 K9")
    >>> _changes_alike((r7, o7), (r9, o9)), _changes_alike((r7, r9), (k7, k9))
    (True, True)
    >>> _changes_alike((r7, o7), (r7, r9)), _changes_alike((r7, o9), (r7, o9))
    (False, False)
    """
    inks = [(was.colour, may_be.colour) for was, may_be in (one, another)]
    numbers = [(was.number, may_be.number) for was, may_be in (one, another)]
    by_ink, by_number = (
        changed[0] == changed[1] and all(was == may_be for was, may_be in kept)
        for changed, kept in ((inks, numbers), (numbers, inks))
    )
    return by_ink != by_number


def read_as(readings: Readings, faces: Mapping[int, Tile]) -> Readings:
    """Read some tiles otherwise."""
    return readings.but(
        {number: replace(readings.readings[number], tile=face) for number, face in faces.items()}
    )
