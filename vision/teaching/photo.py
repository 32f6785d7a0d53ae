"""From a photo of a laid-out set to tiles whose faces are known by where they lie.

The lay-out, seen from the side from which the numbers stand upright::

    R1 R2 R3 ... R13
    B1 B2 B3 ... B13
    O1 O2 O3 ... O13
    K1 K2 K3 ... K13 J

The general model says which way is up and checks the order; the faces come from the places.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.phrases import say, several
from referee.tiles import Tile
from vision.mirrored import is_mirrored
from vision.quads import steps_to

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.phrases import Phrase
    from vision.pipeline import TableReader
    from vision.types import Floats, Indices, Pixels, Reading

ROW_COLOURS: Final = "RBOK"
NUMBERS: Final = 13
MOST_JOKERS: Final = 2
# The next tile of a row: how far to the right, and how far up or down, in widths and heights.
NEAREST: Final = 0.5
FARTHEST: Final = 3.6  # two tiles between may have been missed
LEVEL: Final = 0.4
LEAST_FOUND: Final = 0.9
# The general model may misread a set that it was never shown, but not most of it.
LEAST_CHECKED: Final = 4
MOST_WRONG: Final = 0.34


NO_TILES: Final = say(
    "teaching.no_tiles", "I see no tiles in this photo; come nearer, or turn on a light."
)
IN_A_MIRROR: Final = say(
    "teaching.mirrored",
    "This photo is mirrored: turn that off in the camera, and take it again.",
)


@dataclass(frozen=True, slots=True)
class LaidOut:
    """What a photo of a laid-out set shows.

    Attributes
    ----------
    pixels
        (h, w, 3) uint8 BGR: the photo, or its negative where the tiles are dark.
    quads_img
        (n, 4, 2) float32, image pixels, from the upright top left; row by row, each from its left.
    rows
        How many tiles each row has, from the top one down.
    faces
        n faces, by the tiles' places; none where the tiles do not lie as wanted.
    readings
        What the reader makes of the n tiles.
    problem
        Why it cannot be taught from, and what to do; empty if it can.
    """

    pixels: Pixels
    quads_img: Floats
    rows: tuple[int, ...]
    faces: tuple[Tile, ...]
    readings: tuple[Reading, ...]
    problem: str = ""

    def is_mislaid(self, place: int) -> bool:
        """Tell whether a tile is surely read as something else than its place says."""
        reading = self.readings[place]
        return bool(self.faces) and not reading.unsure and reading.tile != self.faces[place]


def look_over(pixels: Pixels, reader: TableReader) -> LaidOut:
    """Find the tiles of a laid-out set, and name each by its place.

    They are to lie in four rows of thirteen, with one or two jokers at the end of the last; what
    is plainly in another order is told, too.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    """
    # Where a tile may have been missed is told by the rows below, so it is not looked for again.
    seen = reader.see_light_or_dark(pixels, two_dimensional=True)
    found = seen.readings
    if len(found) == 0:
        return LaidOut(seen.pixels, found.quads_img, (), (), (), NO_TILES)
    quads = _one_way_up(found.quads_img)
    rows = _rows(quads)
    order = np.concatenate(rows)
    counts = tuple(map(len, rows))
    faces = _faces([_places(quads[row], [found.readings[i] for i in row]) for row in rows])
    readings = tuple(found.readings[i] for i in order)
    problem = _wrong_order(readings, faces) if faces else _miscounted(counts)
    if problem:
        anew = reader.see_unless_mirrored(pixels, two_dimensional=True)
        problem = IN_A_MIRROR if is_mirrored(anew.readings.readings) else problem
    return LaidOut(seen.pixels, quads[order], counts, faces, readings, problem)


def _faces(places: Sequence[Sequence[int]]) -> tuple[Tile, ...]:
    """Return the faces of rows of places; none where the rows are not those that are wanted."""
    lengths = [place[-1] + 1 for place in places]
    colours = [NUMBERS] * len(ROW_COLOURS)
    jokers = lengths[-1] - NUMBERS if len(lengths) == len(colours) else 0
    if lengths[:-1] != colours[:-1] or not 1 <= jokers <= MOST_JOKERS:
        return ()
    if sum(map(len, places)) < LEAST_FOUND * sum(lengths):
        return ()
    return tuple(
        Tile.parse(f"{colour}{place + 1}" if place < NUMBERS else "J")
        for colour, row in zip(ROW_COLOURS, places, strict=True)
        for place in row
    )


def _one_way_up(quads: Floats) -> Floats:
    """Turn the few tiles that were read upside down as the others lie."""
    across = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    against = across @ np.median(across, 0) < 0
    return np.where(against[:, None, None], np.roll(quads, 2, 1), quads)


def _rows(quads: Floats) -> list[Indices]:
    """Return the rows as indices, each from its left to its right, from the top one down."""
    steps = steps_to(quads, quads)
    ahead = (
        (steps[..., 0] > NEAREST) & (steps[..., 0] < FARTHEST) & (np.abs(steps[..., 1]) < LEVEL)
    )
    distance = np.where(ahead, steps[..., 0], np.inf)
    following = {
        int(i): int(distance[i].argmin())
        for i in np.flatnonzero(ahead.any(1))
        # The other one's nearest on the left must be this one: rows do not merge.
        if distance[:, distance[i].argmin()].argmin() == i
    }
    rows = []
    for first in sorted(set(range(len(quads))) - set(following.values())):
        row = [first]
        while row[-1] in following:
            row.append(following[row[-1]])
        rows.append(np.array(row))
    down = np.median(quads[:, 3] - quads[:, 0], 0)
    return sorted(rows, key=lambda row: float((quads[row].mean(1) @ down).mean()))


def _places(row: Floats, readings: Sequence[Reading]) -> Sequence[int]:
    """Return the place of each tile of a row.

    A tile that was not seen leaves its place empty. Whether gaps are such places, or tiles lie
    loosely, is told by what the row reads as.
    """
    steps = steps_to(row, row)
    spaced = [0]
    for i in range(len(row) - 1):
        forth, back = steps[i, i + 1, 0], -steps[i + 1, i, 0]
        spaced.append(spaced[-1] + max(1, round(float(forth + back) / 2)))

    def strange(places: Sequence[int]) -> int:
        numbers = [place + 1 if place < NUMBERS else None for place in places]
        return sum(r.tile.number != number for r, number in zip(readings, numbers, strict=True))

    return min(spaced, range(len(row)), key=strange)


def _miscounted(counts: Sequence[int]) -> Phrase:
    if tuple(counts) == (NUMBERS,) * len(ROW_COLOURS):
        return say(
            "teaching.no_joker",
            "I see no joker behind the black 13. Lay one or two right beside it, and let all "
            "tiles be in the picture, with no lamp mirrored in them.",
        )
    return say(
        "teaching.rows",
        "I see rows of {counts} tiles, but want four rows: 13 red, 13 blue, 13 orange, then 13 "
        "black with one or two jokers after them. Push the tiles of a row together, leave a "
        "finger's width between rows, and let nothing cover a tile.",
        counts=", ".join(map(str, counts)),
    )


def _wrong_order(readings: Sequence[Reading], faces: Sequence[Tile]) -> str:
    """Say where too many tiles, of all or of one row, are surely something else."""
    sure = [(r.tile, face) for r, face in zip(readings, faces, strict=True) if not r.unsure]
    rows = [list(row) for _, row in groupby(sure, key=lambda pair: pair[1].colour)]
    for some in (sure, *rows):
        wrong = [(read, face) for read, face in some if read.number != face.number]
        if len(some) >= LEAST_CHECKED and len(wrong) > MOST_WRONG * len(some):
            read, face = wrong[0]
            return say(
                "teaching.order",
                "Where {face} should lie I read {read}, and {more} more are out of order. Lay "
                "each row from 1 on the left to 13 on the right.",
                face=face,
                read=read,
                more=len(wrong) - 1,
            )
    return _wrong_colours(sure)


def _wrong_colours(sure: Sequence[tuple[Tile, Tile]]) -> str:
    """Say it where the rows were plainly exchanged for one another.

    A colour that the reader does not know looks to it like one that is there already, so rows
    that look like four different colours are what they look like.
    """
    looks = []
    for wanted in ROW_COLOURS:
        colours = [
            read.colour
            for read, face in sure
            if read.colour and face.colour and face.colour.value == wanted
        ]
        if len(colours) < LEAST_CHECKED:
            return ""
        looks.append(max(colours, key=colours.count))
    if len(set(looks)) < len(looks) or "".join(one.value for one in looks) == ROW_COLOURS:
        return ""
    return say(
        "teaching.colours",
        "The rows lie in another order: from the top I see {colours}. Lay red on top, then blue, "
        "orange and black.",
        colours=several("and", looks),
    )
