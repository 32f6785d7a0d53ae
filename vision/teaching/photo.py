"""From a photo of a laid-out set to tiles whose faces are known by where they lie.

The lay-out, seen from the side from which the numbers stand upright::

    R1 R2 R3 ... R13
    B1 B2 B3 ... B13
    O1 O2 O3 ... O13
    K1 K2 K3 ... K13 J

The general model says which way is up and checks the order; the faces come from the places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.sparse import coo_array  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

from referee.tiles import Tile
from vision.adjacency import find_links

if TYPE_CHECKING:
    from vision.pipeline import TableReader
    from vision.types import Floats, Pixels, Reading, Readings

ROW_COLOURS: Final = "RBOK"
NUMBERS: Final = 13
MOST_JOKERS: Final = 2
WIDEST_GAP: Final = 0.7  # tile widths within a row
# The general model may misread a set that it was never shown, but not most of it.
LEAST_CHECKED: Final = 4
MOST_WRONG: Final = 0.34


class TeachingError(Exception):
    """A photo that cannot be taught from; the message says why and what to do."""


def taught_tiles(pixels: Pixels, reader: TableReader) -> tuple[Floats, tuple[Tile, ...]]:
    """Find the tiles of a laid-out set, and name each by its place.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.

    Returns
    -------
    quads
        (n, 4, 2) float32, image pixels, from the upright top left.
    faces
        n faces.

    Raises
    ------
    TeachingError
        If the tiles do not lie in four rows of thirteen, with one or two jokers at the end of the
        last; or if they are plainly in another order.
    """
    found = reader.face_reader.read(pixels, reader.detector.detect(pixels))
    rows = _rows(found)
    counts = [len(row) for row in rows]
    wanted = [NUMBERS] * len(ROW_COLOURS)
    jokers = counts[-1] - NUMBERS if len(counts) == len(wanted) else 0
    if counts[:-1] != wanted[:-1] or not 1 <= jokers <= MOST_JOKERS:
        raise TeachingError(_miscounted(counts))
    faces = [Tile.parse(f"{c}{n}") for c in ROW_COLOURS for n in range(1, NUMBERS + 1)]
    faces += [Tile.parse("J")] * jokers
    order = np.concatenate(rows)
    _check([found.readings[i] for i in order], faces)
    quads = _upright(found.quads_img[order], np.repeat(np.arange(len(rows)), counts))
    return quads, tuple(faces)


def _rows(found: Readings) -> list[np.ndarray[tuple[int], np.dtype[np.intp]]]:
    """Return the rows as indices, each from its left to its right, from the top one down."""
    if len(found) == 0:
        raise TeachingError("I see no tiles in this photo; come nearer, or turn on a light.")
    links = find_links(found.quads_img)
    links = links.where(links.beside & (links.gaps < WIDEST_GAP))
    count = len(found)
    ones = np.ones(len(links.firsts))
    graph = coo_array((ones, (links.firsts, links.seconds)), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    right, down = _directions(found.quads_img)
    centres = found.quads_img.mean(1)
    rows = [np.flatnonzero(labels == label) for label in range(labels.max() + 1)]
    rows.sort(key=lambda row: float((centres[row] @ down).mean()))
    return [row[np.argsort(centres[row] @ right)] for row in rows]


def _directions(quads: Floats) -> tuple[Floats, Floats]:
    """Return the unit vectors to the right and down, as most of the tiles have them."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    # Some may have been read upside down: the median is of one mind.
    middle = np.median(across, 0)
    right = np.mean(across * np.sign(across @ middle)[:, None], 0)
    right = right / max(float(np.linalg.norm(right)), 1e-6)
    return right, np.array([-right[1], right[0]], np.float32)


def _upright(quads: Floats, rows: np.ndarray[tuple[int], np.dtype[np.intp]]) -> Floats:
    """Turn the tiles that were read upside down as the others of their row lie."""
    down = quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]
    turned = quads.copy()
    for row in np.unique(rows):
        inside = rows == row
        against = inside & (down @ np.median(down[inside], 0) < 0)
        turned[against] = np.roll(quads[against], 2, 1)
    return turned


def _miscounted(counts: list[int]) -> str:
    seen = ", ".join(map(str, counts)) or "none"
    return (
        f"I see rows of {seen} tiles, but want four rows: 13 red, 13 blue, 13 orange, then 13 "
        "black with one or two jokers after them. Push the tiles of a row together, leave a "
        "finger's width between rows, and let nothing cover a tile."
    )


def _check(readings: list[Reading], faces: list[Tile]) -> None:
    """Raise where too many tiles are surely something else: the order is another one."""
    sure = [(r.tile, face) for r, face in zip(readings, faces, strict=True) if not r.unsure]
    wrong = [(read, face) for read, face in sure if read.number != face.number]
    if len(sure) >= LEAST_CHECKED and len(wrong) > MOST_WRONG * len(sure):
        read, face = wrong[0]
        raise TeachingError(
            f"Where {face.words} should lie I read {read.words}, and {len(wrong) - 1} more are "
            "out of order. Lay each row from 1 on the left to 13 on the right."
        )
