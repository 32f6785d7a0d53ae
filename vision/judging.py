"""Judge: what the referee says of a table that was seen, and where the picture leaves a doubt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from referee.judge import judge_part, judge_table
from referee.table import TileSet
from referee.tiles import Tile
from referee.verdicts import Code
from vision.assembly import SMALLEST_SET
from vision.covering import Surroundings
from vision.doubts import NEARLY, UNCLEAR
from vision.faces import FACES, TWINS
from vision.lay_out import to_part, to_table, ways_on
from vision.neighbours import beside_neighbours, read_as, read_otherwise
from vision.outlines import axes, relative_aspect
from vision.seams import Networks, at_seams, wrong_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.verdicts import Place, SetVerdict, Verdict
    from vision.types import Flags, Floats, Layout, Pixels, Reading, Readings

# Breaches that more tiles would mend.
CURABLE: Final = frozenset({Code.TOO_SHORT, Code.LOOSE_TILE, Code.ONLY_JOKERS})
BEYOND: Final = "Does this set go on beyond the edge of the picture?"
BESIDE: Final = "Does the tile beside it, which I can't read, belong to this set?"
PARTED: Final = "Does the tile beside it belong to this set?"
GAP: Final = "Does a tile that I don't see lie in the gap beside it?"
UNDER: Final = "Does this set go on under what lies beside it?"
# Doubts about where a set ends: what its tiles read is not in doubt.
OPEN_ENDS: Final = frozenset({BEYOND, BESIDE, PARTED, GAP, UNDER})
COVERED: Final = 0.1  # of a tile: solid ones that lie side by side share next to nothing
# How far an unsure tile may lie from where the next tile of a row should, in steps of that row.
_OFF_STEPS: Final = 0.75
# The same for a sure one: so near it would lie in the row, were its outline found as it is.
_PARTED_STEPS: Final = 0.3
# And for what looks at all like a tile: a spot of what is found lies as near to its middle.
_HINT_STEPS: Final = 0.4
# How wide for its height a tile may be beside the picture's middle one.
WIDER: Final = 1.2
# Who accuses has to be surer than who reads: a face that would make its set legal is asked about
# if it is named at all. Nearly all that is read leaves no other one a trace, and in the dark, in
# squeezed video or in an unknown typeface the trace of the right one may be all that is left.
# A joker would make most sets legal, and nearly all that is read leaves it a trace of about 0.001:
# of 820 jokers the 16 that were read as something else were given 0.006 or more.
LEAST_JOKER: Final = 0.003
# What each of two faces must be given that would make a set legal together.
LEAST_OF_TWO: Final = 0.001
# What a number must be given to be taken for one that looks like the likeliest.
LEAST_ALIKE: Final = 0.01
# A picture of which so many tiles waver is a poor one: what it shows surely may be wrong, too.
WAVERS: Final = 0.95
MANY: Final = (3, 1 / 15)  # tiles, and share of them


class Picture(NamedTuple):
    """What is known of a picture beside its tiles.

    Attributes
    ----------
    shape
        Its height and width, pixels, then anything.
    hints_img
        (k, 2) px: where anything in it looked like a tile, as of `Detections`.
    pixels
        (h, w, 3) uint8 BGR; None where nothing can lie over the tiles.
    """

    shape: tuple[int, ...]
    hints_img: Floats = np.zeros((0, 2), np.float32)
    pixels: Pixels | None = None


def judge_seen(
    layout: Layout,
    table: Table,
    readings: Readings,
    rules: Ruleset,
    picture: Picture,
) -> tuple[Readings, Verdict]:
    """Judge a table that was seen in a picture, whose edge may have cut sets off.

    Returns
    -------
    Readings
        The same, but in doubt where the picture stops.
    Verdict
        What the referee says; a doubted tile is asked about, not held against its set.
    """

    def judged(readings: Readings) -> Verdict:
        return judge_table(table, rules, unsure=_unsure_places(layout, readings))

    verdict = judged(readings)
    doubted = nearly_legal(layout, readings, verdict, rules)
    crossing = rules.two_dimensional
    ends = _open_ends(layout, readings, verdict, crossing=crossing)
    # Where something lies that can't be read, it may be what is wrong with the others, too.
    some = _open_ends(layout, readings, verdict, crossing=crossing, anyway=True)
    if picture.pixels is not None:
        doubted |= dict.fromkeys(under_cover(some, readings, picture.pixels), UNDER)
    if rules.two_dimensional:
        doubted |= dict.fromkeys(touching(layout, readings, verdict, rules), PARTED)
    doubted |= dict.fromkeys(before_a_gap(ends, readings), GAP)
    doubted |= dict.fromkeys(parted(ends, readings), PARTED)
    doubted |= dict.fromkeys(reaching_over(ends, readings), BESIDE)
    doubted |= dict.fromkeys(beside_unread(some, readings, picture.hints_img), BESIDE)
    doubted |= dict.fromkeys(beside_unsure(some, readings), BESIDE)
    doubted |= dict.fromkeys(beyond_the_edge(some, picture.shape), BEYOND)
    if doubted:
        readings = _doubt(readings, doubted)
        verdict = judged(readings)
    if is_poor(readings) and (doubted := hardly_told(layout, readings, verdict, rules)):
        readings = _doubt(readings, doubted)
        verdict = judged(readings)
    # Last, so that what wavers still tells where another set may go on.
    settled = beside_neighbours(layout, readings, rules)
    return (readings, verdict) if settled is readings else (settled, judged(settled))


def face_is_unsure(reading: Reading) -> bool:
    """Whether what a tile reads is in doubt, and not only whether its set goes on."""
    return reading.unsure and reading.doubt not in OPEN_ENDS


def _unsure_places(layout: Layout, readings: Readings) -> frozenset[Place]:
    return frozenset(
        (part, position)
        for part, placed in enumerate(layout.placed)
        for position, tile in enumerate(placed.tiles)
        if readings.readings[tile].unsure
    )


def nearly_legal(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> dict[int, str]:
    """Name the tiles by whose reading a set is wrong, and that may be another; with doubts.

    A light that makes one orange tile look red does so to its neighbours: where a tile's ink is
    open to doubt, so is that of the others of its set that may be of the other ink. A typeface
    whose sevens look like nines does so on all its tiles: two numbers that any tile of the picture
    leaves open are open for the others. So are 6 and 9 where one lies the other way up than the
    rest of its set. The readings stay what they are: the set is asked about instead of accused.
    """
    doubts: dict[int, str] = {}
    alike = numbers_alike(readings)
    for number, (placed, part) in enumerate(zip(layout.placed, verdict.parts, strict=True)):
        if not part.violations:
            continue
        others: dict[int, tuple[Tile, ...]] = {}
        for tile in placed.tiles:
            reading = readings.readings[tile]
            if reading.unsure or reading.confidence == 1:  # a person's word is not asked for twice
                continue
            turned = reading.tile.number in TWINS and _upside_down(
                readings.quads_img, placed.tiles, tile
            )
            others[tile] = _may_be(reading, alike.union(TWINS.items() if turned else ()))

        mends = _mender(layout, readings, rules, part, number)
        of_the_set = {tile: readings.readings[tile] for tile in placed.tiles}
        found = _one_mends(of_the_set, others, mends) or _two_mend(of_the_set, others, mends)
        doubts |= {tile: NEARLY.format(other=other.words) for tile, other in found.items()}
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
    pairs = (dict(pair) for pair in combinations(traces, 2) if pair[0][0] != pair[1][0])
    return next((pair for pair in pairs if mends(pair)), {})


def numbers_alike(readings: Readings) -> frozenset[tuple[int, int]]:
    """Return the pairs of numbers, either way round, that some tile leaves open between them.

    >>> from referee import parse_tiles
    >>> from vision.types import Reading, Readings
    >>> nine, seven, joker = parse_tiles("O9 O7 J")
    >>> wavers = Reading(nine, 0.97, ((seven, 0.02), (joker, 0.01)))
    >>> sorted(numbers_alike(Readings(np.zeros((1, 4, 2), np.float32), (wavers,))))
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


def _upside_down(quads: Floats, tiles: Sequence[int], tile: int) -> bool:
    """Whether a tile lies the other way up than most of its set, be its outline as it may."""
    _, along, _, _ = axes(quads[list(tiles)])
    return bool(np.sign(along @ along[tiles.index(tile)]).sum() < 0)


def _may_be(reading: Reading, alike: frozenset[tuple[int, int]]) -> tuple[Tile, ...]:
    """Return what else a tile may be: what leaves a trace, and numbers that look like its own."""
    traces = [
        other
        for other, chance in reading.alternatives
        if not other.is_joker or chance >= LEAST_JOKER
    ]
    numbers = (other for number, other in sorted(alike) if number == reading.tile.number)
    lookalikes = (Tile(reading.tile.colour, number) for number in numbers)
    return tuple(dict.fromkeys((*traces, *lookalikes)))  # each is judged anew: once is enough


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
        through = (line for line in lines if not faces.keys().isdisjoint(line))
        if not all(may_be_set(line, faces) for line in through):
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


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """Where a set that more tiles would mend may go on.

    Attributes
    ----------
    tile
        Number of its last tile there.
    after_img, step_img
        (2,) px: where the centre of a next tile would be, and how far that is from the last.
    """

    tile: int
    after_img: Floats
    step_img: Floats

    def is_near(self, centres_img: Floats, steps: float, *, further: int = 0) -> Flags:
        """Tell which centres (n, 2) lie within so many steps of where a next tile would, (n,).

        Or of where the one that comes so many places `further` would.
        """
        away = np.linalg.norm(centres_img - self.after_img - further * self.step_img, axis=1)
        return np.asarray(away <= steps * np.linalg.norm(self.step_img))


def _open_ends(
    layout: Layout, readings: Readings, verdict: Verdict, *, crossing: bool, anyway: bool = False
) -> list[OpenEnd]:
    """Return where sets that more tiles would mend may go on.

    Of a network of which other lines are wrong in another way only if `anyway`.
    """
    return [
        end
        for placed, part in zip(layout.placed, verdict.parts, strict=True)
        if part.violations
        for tiles in [to_part(placed, readings).tiles]
        if anyway or is_curable(part, tiles)
        for line, found in wrong_lines(placed, part, readings)
        if is_curable(found, tiles)
        for end in ends_of(readings.quads_img, line, crossing=crossing)
    ]


def is_curable(part: SetVerdict, tiles: Sequence[Tile]) -> bool:
    """Whether a set of these tiles is wrong, and in no way that more tiles would not mend.

    Where two tiles may be a set, two that are none are too few, unless they go in no set together.
    """
    return bool(part.violations) and all(
        violation.code in CURABLE
        or (
            violation.code is Code.NOT_A_SET and _may_begin([tiles[k] for _, k in violation.tiles])
        )
        for violation in part.violations
    )


def _may_begin(tiles: Sequence[Tile]) -> bool:
    """Whether tiles are too few for most sets, and share a number or a colour."""
    real = [tile for tile in tiles if not tile.is_joker]
    shared = min(len({getattr(tile, of) for tile in real}) for of in ("number", "colour"))
    return len(tiles) < SMALLEST_SET and shared <= 1


def ends_of(quads_img: Floats, tiles: Sequence[int], *, crossing: bool = False) -> list[OpenEnd]:
    """Return where a row of tiles may go on; its beginning comes first."""
    return [
        OpenEnd(tile, quads_img[tile].mean(0) + step, step)
        for tile, step in ways_on(quads_img, tiles, crossing=crossing)
    ]


def beyond_the_edge(ends: Iterable[OpenEnd], shape: tuple[int, ...]) -> frozenset[int]:
    """Name the end tiles of sets that are too short where the picture stops.

    Parameters
    ----------
    shape
        Height and width of the picture, pixels, then anything.
    """
    height, width = shape[:2]
    return frozenset(
        end.tile
        for end in ends
        if not (0 <= end.after_img[0] <= width) or not (0 <= end.after_img[1] <= height)
    )


def beside_unsure(ends: Iterable[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short where an unsure tile may go on.

    Or where it lies over the end, and so may be what parts it from its set.
    """
    quads = readings.quads_img
    unsure = [number for number, reading in enumerate(readings.readings) if reading.unsure]
    return frozenset(
        end.tile
        for end in ends
        for number in unsure
        if number != end.tile
        and (
            end.is_near(quads[[number]].mean(1), _OFF_STEPS)[0]
            or _lies_over(quads[number], quads[end.tile])
        )
    )


def beside_unread(
    ends: Iterable[OpenEnd], readings: Readings, hints_img: Floats
) -> frozenset[int]:
    """Name the end tiles of sets that are too short where something looks like the next tile.

    An ink that a lamp drowns leaves a tile on which nothing can be read, and that was left out.
    """
    centres = readings.quads_img.mean(1)
    return frozenset(
        end.tile
        for end in ends
        if end.is_near(hints_img, _HINT_STEPS).any() and not end.is_near(centres, _OFF_STEPS).any()
    )


def under_cover(ends: Sequence[OpenEnd], readings: Readings, pixels: Pixels) -> frozenset[int]:
    """Name the end tiles of sets that are too short where a hand or a cup may hide the rest."""
    after, steps = (
        np.array([getattr(end, of) for end in ends], np.float32).reshape(-1, 2)
        for of in ("after_img", "step_img")
    )
    tiles = np.array([end.tile for end in ends], np.intp)
    if len(tiles) == 0:
        return frozenset()
    around = Surroundings(pixels, readings.quads_img)
    hidden = around.is_covered(after) | around.shows_beyond(tiles, steps)
    hidden |= around.is_half_covered()[tiles]
    return frozenset(tiles[hidden].tolist())


def reaching_over(ends: Iterable[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short whose outline is too wide for one tile.

    In the dark the edge of the next one may not be seen, nor what it shows.
    """
    aspect = relative_aspect(readings.quads_img, readings.quads_img)
    return frozenset(end.tile for end in ends if aspect[end.tile] > WIDER)


def before_a_gap(ends: Iterable[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short where the row goes on after one tile's room.

    So it looks where a tile of a row was not found at all.
    """
    centres = readings.quads_img.mean(1)
    return frozenset(
        end.tile for end in ends if end.is_near(centres, _PARTED_STEPS, further=1).any()
    )


def touching(
    layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset
) -> frozenset[int]:
    """Name a tile of each wrong network that would be legal ones, were it parted beside that.

    There the tiles touch, as far as can be seen; whether they do is asked.
    """
    pairs = zip(layout.placed, verdict.parts, strict=True)
    wrong = [placed for placed, part in pairs if part.violations]
    if not wrong:
        return frozenset()
    networks = Networks(layout, readings, rules)
    found = ((placed, networks.all_legal(placed)) for placed in wrong)
    return frozenset(next(at_seams(placed, parts)) for placed, parts in found if parts)


def parted(ends: Sequence[OpenEnd], readings: Readings) -> frozenset[int]:
    """Name the end tiles of sets that are too short where another's tile lies just as the next.

    What is taken for taller than it is, as its side wall is seen, does not join its row. That
    other tile is named, too, where it is itself the end of such a set, or lies alone.
    """
    centres = readings.quads_img.mean(1)
    last = {end.tile for end in ends}
    named: set[int] = set()
    for end in ends:
        near = np.flatnonzero(end.is_near(centres, _PARTED_STEPS)).tolist()
        if near:
            named |= {end.tile, *last.intersection(near)}
    return frozenset(named)


def _lies_over(quad: Floats, tile: Floats) -> bool:
    """Whether an outline (4, 2) covers more of a tile than neighbours do that are found badly."""
    shared = cv2.intersectConvexConvex(quad, tile)[0]
    return bool(shared > COVERED * cv2.contourArea(tile))


def _doubt(readings: Readings, doubts: Mapping[int, str]) -> Readings:
    doubted = tuple(
        replace(reading, doubt=doubts[number]) if number in doubts else reading
        for number, reading in enumerate(readings.readings)
    )
    return replace(readings, readings=doubted)
