"""Lay out: from where the tiles lie to rows, columns and crossing sets in reading order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from referee.table import Grid, Table, TileSet
from vision.adjacency import BELOW, find_links
from vision.assembly import SMALLEST_SET, GapRule, Pieces, join_links
from vision.quads import axes
from vision.types import Layout, Placed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vision.adjacency import Links
    from vision.types import Floats, Readings

# Of a tile's width: how much wider than usual a gap is that is there to be seen.
VISIBLE: Final = 0.08


def lay_out(quads_img: Floats, *, two_dimensional: bool = False, columns: bool = False) -> Layout:
    """Find the sets and their reading order.

    Parameters
    ----------
    quads_img
        (n, 4, 2) float32, image pixels, clockwise from the corner that is top left when the tile
        is read upright. A few tiles may be upside down in error: each set's majority decides.
    two_dimensional
        Whether sets may cross as in a crossword; otherwise every set is one line.
    columns
        Whether tiles are looked for above and below one another before they are beside.

    Returns
    -------
    Layout
        The sets from the top of the picture to its bottom, left to right.

    Examples
    --------
    Three tiles in a row, given from right to left, and one far off:

    >>> tile = np.array([(0, 0), (20, 0), (20, 30), (0, 30)])
    >>> places = np.array([(140, 100), (120, 101), (100, 99), (300, 10)])
    >>> layout = lay_out((tile + places[:, None]).astype(np.float32))
    >>> [placed.cells for placed in layout.placed]
    [((3,),), ((2, 1, 0),)]
    """
    pieces = Pieces(len(quads_img))
    links = find_links(quads_img)
    if two_dimensional:
        join_links(pieces, links, GapRule.of(links))
        placed = [_grid(pieces, tiles, quads_img) for tiles in pieces.groups()]
    else:
        _join_lines(pieces, links, columns=columns)
        lines = [_line(pieces, tiles, quads_img) for tiles in pieces.groups()]
        placed = [Placed((part,)) for line in lines for part in _facing_one_way(*line)]
    return Layout(tuple(as_seen(placed, quads_img)))


def to_table(layout: Layout, readings: Readings) -> Table:
    """Put the faces that were read into the layout; parts keep the layout's order."""
    return Table(tuple(to_part(placed, readings) for placed in layout.placed))


def to_part(placed: Placed, readings: Readings) -> TileSet | Grid:
    """Put the faces that were read into one part of a layout."""
    rows = tuple(
        tuple(None if tile is None else readings.readings[tile].tile for tile in row)
        for row in placed.cells
    )
    line = tuple(face for face in rows[0] if face is not None)
    return TileSet(line) if len(rows) == 1 else Grid(rows)


def ways_on(
    quads_img: Floats, tiles: Sequence[int], *, crossing: bool = False
) -> list[tuple[int, Floats]]:
    """Return a row's end tiles, each with the way from it to where a next tile would lie.

    Parameters
    ----------
    crossing
        Whether sets may cross: then one goes on above and below a tile that lies alone, too.

    Returns
    -------
    list
        The numbers of the tiles, and steps of (2,) pixels; the row's beginning comes first.
    """
    if len(tiles) > 1:
        centres = quads_img[list(tiles)].mean(1)
        return [(tiles[0], centres[0] - centres[1]), (tiles[-1], centres[-1] - centres[-2])]
    across, along, _, _ = axes(quads_img[[tiles[0]]])
    ways = (across[0], along[0]) if crossing else (across[0],)
    return [(tiles[0], step) for way in ways for step in (-way, way)]


def stacked(
    part: Placed, parts: Sequence[Placed], links: Links
) -> Iterator[tuple[Placed, Placed]]:
    """Yield a row and each that touches it below or above, the upper one first."""
    of = {tile: one for one in parts for tile in one.tiles}
    end_to_end = links.where(~links.beside & GapRule.of(links).holds(links))
    pairs = zip(end_to_end.firsts, end_to_end.seconds, end_to_end.sides, strict=True)
    for first, second, side in pairs:
        one, other = of.get(int(first)), of.get(int(second))
        if one is not None and other is not None and one != other and part in {one, other}:
            yield (one, other) if side == BELOW else (other, one)


def row_gaps(quads: Floats) -> list[float]:
    """Return how much wider than usual the gaps between the tiles of a row (n, 4, 2) are."""
    links = find_links(quads)
    links = links.where(np.abs(links.firsts - links.seconds) == 1)
    gaps = [0.0] * (len(quads) - 1)
    usual = GapRule.of(links).usual
    for first, second, gap in zip(links.firsts, links.seconds, links.looseness, strict=True):
        gaps[min(int(first), int(second))] = float(gap) - usual
    return gaps


def _join_lines(pieces: Pieces, links: Links, *, columns: bool) -> None:
    """Join rows, then columns of tiles that have nothing beside them; or columns first.

    Players lay sets in rows, and rows often lie above one another, so tiles touching end to end
    mean nothing as long as one of them has a neighbour at its side. Three or more without one
    are loose tiles, which is illegal, or a set laid as a column, which is legal: joining them
    can't accuse anyone wrongly. Two end to end are no set either way and stay loose.
    """
    rule = GapRule.of(links.where(links.beside))
    # Two tiles that only a wide gap holds together make no set with it.
    stages = [(links.beside, rule.tight), (~links.beside & rule.holds(links), -np.inf)]
    for among, wider_than in reversed(stages) if columns else stages:
        alone = np.array([pieces.size(tile) == 1 for tile in range(len(pieces.cells))], dtype=bool)
        joined = links.where(among & alone[links.firsts] & alone[links.seconds])
        join_links(pieces, joined, rule)
        _loosen_pairs(pieces, joined.firsts.tolist(), wider_than=wider_than)


def _loosen_pairs(pieces: Pieces, tiles: Iterable[int], *, wider_than: float) -> None:
    for tile in tiles:
        if 1 < pieces.size(tile) < SMALLEST_SET and pieces.widest_gap(tile) > wider_than:
            pieces.scatter(tile)


def _upright(pieces: Pieces, tiles: list[int], quads_img: Floats) -> int:
    """1 if the piece's grid reads upright as it stands, -1 if it has to be turned round.

    The tiles' majority says so; of as many up as down, the up nearer to the picture's.
    """
    ups = [pieces.ups[tile] for tile in tiles]
    if sum(ups):
        return 1 if sum(ups) > 0 else -1
    heights = (quads_img[tiles, 2:].sum(axis=1) - quads_img[tiles, :2].sum(axis=1))[:, 1]
    return 1 if float(heights @ np.array(ups)) >= 0 else -1


def _line(pieces: Pieces, tiles: list[int], quads_img: Floats) -> tuple[list[int], list[int]]:
    """Tiles of a row or column in reading order, and whether each is upright, 1, or not, -1."""
    upright = _upright(pieces, tiles, quads_img)
    cells = pieces.cells
    line = sorted(tiles, key=lambda tile: (upright * cells[tile][1], upright * cells[tile][0]))
    return line, [upright * pieces.ups[tile] for tile in line]


def _grid(pieces: Pieces, tiles: list[int], quads_img: Floats) -> Placed:
    upright = _upright(pieces, tiles, quads_img)
    cells = pieces.cells
    return Placed.at({(upright * cells[t][1], upright * cells[t][0]): t for t in tiles})


def _facing_one_way(line: list[int], ups: list[int]) -> list[tuple[int, ...]]:
    """Part two sets that touch end to end with their ups opposite.

    One or two upside-down tiles are a slip of the player or of the reader; three on either side
    of the parting are two sets laid from two sides of the table.
    """
    best, parting = 0, 0
    for k in range(SMALLEST_SET, len(line) - SMALLEST_SET + 1):
        left_up, right_up = sum(ups[:k]), sum(ups[k:])
        agree = abs(left_up) + abs(right_up) - abs(left_up + right_up)
        if left_up * right_up < 0 and agree > best:
            best, parting = agree, k
    # Each tile that comes to agree with its set counts two.
    if best < 2 * SMALLEST_SET:
        return [tuple(line if sum(ups) >= 0 else line[::-1])]
    return [
        *_facing_one_way(line[:parting], ups[:parting]),
        *_facing_one_way(line[parting:], ups[parting:]),
    ]


def as_seen(placed: list[Placed], quads_img: Floats) -> list[Placed]:
    """Sort sets top to bottom in bands half a tile high, left to right inside a band."""
    if not placed:
        return placed
    centres = quads_img.mean(axis=1)
    diagonals = np.hypot(*(quads_img[:, 2] - quads_img[:, 0]).T)
    band_px = float(np.median(diagonals)) / 2
    middles = [centres[list(part.tiles)].mean(axis=0).tolist() for part in placed]
    order = sorted(range(len(placed)), key=lambda k: (middles[k][1], middles[k][0]))
    bands: list[list[int]] = []
    for k in order:
        if bands and middles[k][1] - middles[bands[-1][0]][1] < band_px:
            bands[-1].append(k)
        else:
            bands.append([k])
    return [placed[k] for band in bands for k in sorted(band, key=lambda k: middles[k][0])]
