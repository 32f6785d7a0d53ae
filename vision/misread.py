"""Misreadings: what wrong sets may have been read as, and be none.

Who accuses has to be surer than who reads. So a wrong set is looked at again: for a face that was
left a trace and would make it legal, and in a poor picture for any. What is found is asked about;
no reading becomes another.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.judge import judge_part, judge_table
from referee.table import TileSet
from referee.tiles import JOKER, Tile
from referee.verdicts import Code
from vision.covering import Surroundings
from vision.doubts import NEARLY, OFTEN, UNCLEAR
from vision.faces import FACES, TWINS
from vision.lay_out import to_part, to_table
from vision.neighbours import read_as, read_otherwise
from vision.quads import axes
from vision.seams import wrong_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.verdicts import SetVerdict, Verdict
    from vision.types import Flags, Floats, Layout, Pixels, Reading, Readings

# Who accuses has to be surer than who reads: a face that would make its set legal is asked about
# if it is named at all. Nearly all that is read leaves no other one a trace, and in the dark, in
# squeezed video or in an unknown typeface the trace of the right one may be all that is left.
# A joker would make most sets legal, and nearly all that is read leaves it a trace of about 0.001:
# of 820 jokers the 16 that were read as something else were given 0.006 or more.
LEAST_JOKER: Final = 0.003
# What leaves all others together so much may be a joker that is like none in training, however
# small its trace, as a letter in a circle is: of 248,000 tiles that are surely read 3,600 leave so
# much, and of 11,700 that lie in wrong sets in good light eight.
LEAST_LEFT: Final = 0.006
# What each of two faces must be given that would make a set legal together.
LEAST_OF_TWO: Final = 0.001
# What a number must be given to be taken for one that looks like the likeliest.
LEAST_ALIKE: Final = 0.01
# What may be left of a number where something lies on a part of it, and that number.
HALVES: Final = (
    *((1, 10), (1, 11), (1, 12), (1, 13), (2, 12), (3, 13)),
    *((3, 8), (5, 6), (6, 8), (7, 2), (9, 8)),
)
# A picture of which so many tiles waver is a poor one: what it shows surely may be wrong, too.
WAVERS: Final = 0.95
MANY: Final = (3, 1 / 15)  # tiles, and share of them


def nearly_legal(
    layout: Layout,
    readings: Readings,
    verdict: Verdict,
    rules: Ruleset,
    pixels: Pixels | None = None,
) -> dict[int, str]:
    """Name the tiles by whose reading a set is wrong, and that may be another; with doubts.

    A light that makes one orange tile look red does so to its neighbours: where a tile's ink is
    open to doubt, so is that of the others of its set that may be of the other ink. A typeface
    whose sevens look like nines does so on all its tiles: two numbers that any tile of the picture
    leaves open are open for the others. So are 6 and 9 where one lies the other way up than the
    rest of its set, and 3 and 8 where something lies on the tile. A set's jokers are alike: what
    has the number of a tile that may be one may be the other. Where a face lies there more often
    than it exists one of these tiles is something else, whatever that may be. The readings stay
    what they are: the set is asked about instead of accused.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR; None where nothing can lie on the tiles.
    """
    doubts: dict[int, str] = {}
    alike, jokers = numbers_alike(readings), numbers_of_jokers(readings)
    hidden = _half_hidden(layout, readings, verdict, pixels)
    too_many = _too_many(layout, verdict)
    for number, (placed, part) in enumerate(zip(layout.placed, verdict.parts, strict=True)):
        if not part.violations:
            continue
        others: dict[int, tuple[Tile, ...]] = {}
        for tile in placed.tiles:
            reading = readings.readings[tile]
            if reading.unsure or reading.confidence == 1:  # a person's word is not asked for twice
                continue
            turned = _upside_down(readings.quads_img, placed.tiles, tile)
            pairs = alike.union(TWINS.items() if turned else (), HALVES if hidden[tile] else ())
            others[tile] = _may_be(reading, pairs, jokers) + (FACES if tile in too_many else ())

        mends = _mender(layout, readings, rules, part, number)
        of_the_set = {tile: readings.readings[tile] for tile in placed.tiles}
        found = _one_mends(of_the_set, others, mends) or _two_mend(of_the_set, others, mends)
        doubts |= {
            tile: OFTEN if tile in too_many else NEARLY.format(other=other.words)
            for tile, other in found.items()
        }
    return doubts


def _one_mends(
    of_the_set: Mapping[int, Reading],
    others: Mapping[int, Iterable[Tile]],
    mends: Callable[[Mapping[int, Tile]], bool],
) -> dict[int, Tile]:
    """Return the tiles of which each would make its set legal if it were another, and that."""
    found = {}
    for tile, faces in others.items():
        mending = (
            other for other in faces if any(map(mends, read_otherwise(of_the_set, tile, other)))
        )
        if (other := next(mending, None)) is not None:
            found[tile] = other
    return found


def _two_mend(
    of_the_set: Mapping[int, Reading],
    others: Mapping[int, Iterable[Tile]],
    mends: Callable[[Mapping[int, Tile]], bool],
) -> dict[int, Tile]:
    """Return two tiles that would make their set legal if both were others, and those.

    What is embossed under the numbers of a set may spoil more of them than one.
    """
    traces = [
        (tile, other)
        for tile in others
        for other, chance in of_the_set[tile].alternatives
        if chance >= LEAST_OF_TWO and not other.is_joker
    ]
    return next(filter(mends, map(dict, combinations(traces, 2))), {})


def numbers_alike(readings: Readings) -> frozenset[tuple[int, int]]:
    """Return the pairs of numbers, either way round, that some tile leaves open between them.

    >>> from referee import parse_tiles
    >>> from vision.types import Reading, Readings
    >>> nine, seven, joker = parse_tiles("O9 O7 J")
    >>> wavers = Reading(nine, 0.97, ((seven, 0.02), (joker, 0.01)))
    >>> is_joker = Reading(joker, 0.97, ((seven, 0.02),))
    >>> sorted(numbers_alike(Readings(np.zeros((2, 4, 2), np.float32), (wavers, is_joker))))
    [(7, 9), (9, 7)]
    """
    pairs = (
        (reading.tile.number, other.number)
        for reading in readings.readings
        for other, chance in reading.alternatives
        if chance >= LEAST_ALIKE
    )
    found = {(a, b) for a, b in pairs if a is not None and b is not None and a != b}
    return frozenset(found | {(b, a) for a, b in found})


def numbers_of_jokers(readings: Readings) -> frozenset[int]:
    """Return the numbers that some tile reads as that may be a joker: a set's jokers are alike.

    >>> from referee import parse_tiles
    >>> from vision.types import Reading, Readings
    >>> eleven, joker = parse_tiles("O11 J")
    >>> wavers = Reading(eleven, 0.98, ((joker, 0.02),))
    >>> sorted(numbers_of_jokers(Readings(np.zeros((1, 4, 2), np.float32), (wavers,))))
    [11]
    """
    maybe = filter(_may_be_joker, readings.readings)
    return frozenset(number for one in maybe if (number := one.tile.number) is not None)


def _upside_down(quads: Floats, tiles: Sequence[int], tile: int) -> bool:
    """Whether a tile lies the other way up than most of its set, be its outline as it may."""
    _, along, _, _ = axes(quads[list(tiles)])
    return bool(np.sign(along @ along[tiles.index(tile)]).sum() < 0)


def _too_many(layout: Layout, verdict: Verdict) -> frozenset[int]:
    """Return the tiles whose faces lie there more often than they exist."""
    return frozenset(
        layout.placed[part].tiles[place]
        for violation in verdict.violations
        if violation.code is Code.TOO_MANY_OF_FACE
        for part, place in violation.tiles
    )


def _half_hidden(
    layout: Layout, readings: Readings, verdict: Verdict, pixels: Pixels | None
) -> Flags:
    """Tell on which tiles something lies, (n,), where a wrong set has a number of `HALVES`."""
    left = {number for number, _ in HALVES}
    matters = any(
        readings.readings[tile].tile.number in left
        for placed, part in zip(layout.placed, verdict.parts, strict=True)
        if part.violations
        for tile in placed.tiles
    )
    if pixels is None or not matters:  # to look at all tiles takes time
        return np.zeros(len(readings), np.bool_)
    return Surroundings(pixels, readings.quads_img).is_half_covered()


def _may_be(
    reading: Reading, alike: frozenset[tuple[int, int]], jokers: frozenset[int]
) -> tuple[Tile, ...]:
    """Return what else a tile may be: what leaves a trace, and what looks like its number."""
    joker = _may_be_joker(reading)
    traces = [other for other, _ in reading.alternatives if joker or not other.is_joker]
    numbers = (other for number, other in sorted(alike) if number == reading.tile.number)
    lookalikes = [Tile(reading.tile.colour, number) for number in numbers]
    if reading.tile.number in jokers:
        lookalikes.append(JOKER)
    return tuple(dict.fromkeys((*traces, *lookalikes)))  # each is judged anew: once is enough


def _may_be_joker(reading: Reading) -> bool:
    """Whether a joker's trace is enough to ask about, or any will do beside all that is left."""
    trace = max((chance for other, chance in reading.alternatives if other.is_joker), default=0)
    return trace >= LEAST_JOKER or (trace > 0 and 1 - reading.confidence >= LEAST_LEFT)


def is_poor(readings: Readings) -> bool:
    """Whether so many tiles waver that a set should not be accused by what the others read."""
    wavering = sum(one.unsure and one.confidence < WAVERS for one in readings.readings)
    least, share = MANY
    return wavering >= max(least, share * len(readings.readings))


def hardly_told(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> dict[int, str]:
    """Name a tile of every wrong set of a poor picture to be asked about, with its doubt.

    That is the least sure one whose number or ink, if it were another, would make the set legal;
    if there is none, the least sure one. A person's word is not asked for twice.
    """
    doubts = {}
    for number, (placed, part) in enumerate(zip(layout.placed, verdict.parts, strict=True)):
        asked = [tile for tile in placed.tiles if readings.readings[tile].confidence < 1]
        if not part.violations or not asked:
            continue
        mends = _mender(layout, readings, rules, part, number)
        asked.sort(key=lambda tile: readings.readings[tile].confidence)
        mending = (
            (tile, other)
            for tile in asked
            for other in _alike(readings.readings[tile].tile)
            if mends({tile: other})
        )
        tile, other = next(mending, (asked[0], None))
        doubts[tile] = UNCLEAR if other is None else NEARLY.format(other=other.words)
    return doubts


def _alike(tile: Tile) -> Iterator[Tile]:
    """Yield the faces that have the number or the ink of a tile; of a joker, all that have any."""
    for face in FACES:
        same = (face.number == tile.number, face.colour is tile.colour)
        if not face.is_joker and (tile.is_joker or any(same)) and not all(same):
            yield face


def _mender(
    layout: Layout, readings: Readings, rules: Ruleset, part: SetVerdict, number: int
) -> Callable[[Mapping[int, Tile]], bool]:
    """Return what tells whether a wrong part is legal if some of its tiles read otherwise.

    Or, if it is a network, whether fewer of its lines are wrong, and none with such a tile is.
    """
    placed = layout.placed[number]
    lines = [tiles for tiles, _ in wrong_lines(placed, part, readings)]

    def may_be_set(line: Sequence[int], faces: Mapping[int, Tile]) -> bool:
        tiles = [faces.get(tile, readings.readings[tile].tile) for tile in line]
        ways = (TileSet(tuple(tiles)), TileSet(tuple(reversed(tiles))))
        return not all(judge_part(way, rules).violations for way in ways)

    def mends(faces: Mapping[int, Tile]) -> bool:
        # Most faces mend nothing, and to judge a whole table takes time.
        through = [line for line in lines if not faces.keys().isdisjoint(line)]
        if (lines and not through) or not all(may_be_set(line, faces) for line in through):
            return False
        read = read_as(readings, faces)
        if not rules.two_dimensional:
            return not judge_part(to_part(placed, read), rules).violations
        # The other parts have a say in which way round the table reads.
        found = judge_table(to_table(layout, read), rules).parts[number]
        wrong = [tiles for tiles, _ in wrong_lines(placed, found, read)]
        return not found.violations or (
            len(wrong) < len(lines) and faces.keys().isdisjoint(chain(*wrong))
        )

    return mends
