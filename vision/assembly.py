"""Growing sets out of links: every tile gets a cell in exactly one piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from vision.adjacency import STEPS

if TYPE_CHECKING:
    from vision.adjacency import Links
    from vision.types import Flags, Reals

Cell: TypeAlias = tuple[int, int]

SMALLEST_SET: Final = 3
"""Two-tile sets of 2-D rules are rare; the two tiles that hang from a crossing are not."""

ORDINARY_GAPS: Final = (0.0, 0.02, 0.04)

NEAREST_NEIGHBOUR: Final = 0.13
"""How much further apart than the tiles of one set two sets may lie: about three millimetres."""

WIDEST_STRETCH: Final = 0.30
"""How much further apart than usual two tiles of one set may lie, in tile widths."""


class Pieces:
    """Tiles on grids of (column, row) cells, joined link by link.

    Cells follow the links from tile to tile and never the picture's coordinates, so curved rows
    and slanted views do no harm. A link that would put two tiles into one cell is refused; with
    the best links joined first, the weakest one is dropped.

    Attributes
    ----------
    cells
        Where each tile is on its piece's grid.
    ups
        1 if the tile is upright on that grid, -1 if upside down.
    """

    def __init__(self, n: int) -> None:
        """Begin with `n` loose tiles."""
        self.cells: list[Cell] = [(0, 0)] * n
        self.ups = [1] * n
        self._owners = list(range(n))
        self._members = {tile: [tile] for tile in range(n)}
        self._widest = [-np.inf] * n

    def groups(self) -> list[list[int]]:
        """Tile indices of every piece."""
        return list(self._members.values())

    def size(self, tile: int) -> int:
        """How many tiles are joined with this one, itself included."""
        return len(self._members[self._owners[tile]])

    def widest_gap(self, tile: int) -> float:
        """Tell the widest gap inside the tile's piece, minus infinity for a loose tile."""
        return float(self._widest[self._owners[tile]])

    def join(self, first: int, second: int, step: Cell, *, turned: bool, gap: float) -> bool:
        """Put the second tile's piece where it lies, `step` from the first by its own up.

        Returns
        -------
        bool
            False, and nothing changed, if they are joined already or a cell would be taken twice.
        """
        keeper, goner = self._owners[first], self._owners[second]
        flip = self.ups[first] * self.ups[second] * (-1 if turned else 1)
        moved = self._moved(first, second, step, flip)
        taken = {self.cells[tile] for tile in self._members[keeper]}
        if keeper == goner or not taken.isdisjoint(moved.values()):
            return False
        for tile, cell in moved.items():
            self.cells[tile] = cell
            self.ups[tile] *= flip
            self._owners[tile] = keeper
        self._members[keeper] += self._members.pop(goner)
        self._widest[keeper] = max(self._widest[keeper], self._widest[goner], gap)
        return True

    def scatter(self, tile: int) -> None:
        """Make every tile of this one's piece loose again."""
        for member in self._members.pop(self._owners[tile]):
            self.cells[member] = (0, 0)
            self.ups[member] = 1
            self._owners[member] = member
            self._members[member] = [member]
            self._widest[member] = -np.inf

    def _moved(self, first: int, second: int, step: Cell, flip: int) -> dict[int, Cell]:
        """Cells of the second tile's piece on the first one's grid."""
        x, y = self.cells[first]
        from_x, from_y = self.cells[second]
        to_x, to_y = x + self.ups[first] * step[0], y + self.ups[first] * step[1]
        return {
            tile: (
                to_x + flip * (self.cells[tile][0] - from_x),
                to_y + flip * (self.cells[tile][1] - from_y),
            )
            for tile in self._members[self._owners[second]]
        }


@dataclass(frozen=True, slots=True)
class GapRule:
    """Which gaps hold a set together in this picture.

    Attributes
    ----------
    usual
        The gap inside sets, in tile widths; not 0 where outlines are drawn too large or small.
    tight
        The gap up to which tiles touch beyond doubt.
    """

    usual: float
    tight: float

    @classmethod
    def of(cls, links: Links) -> GapRule:
        """Learn from the picture: outlines may be shaky, and some players lay loosely.

        The lower third of the gaps is inside of sets even where sets of three lie end to end.
        An ordinary table's gaps are counted in, so that a picture of two or three tiles, which
        says little, changes little.
        """
        gaps = np.append(_mutual_gaps(links), ORDINARY_GAPS)
        least, usual = np.quantile(gaps, (0.05, 0.33)).tolist()
        usual = float(np.clip(usual, -0.2, 0.12))
        return cls(usual, usual + NEAREST_NEIGHBOUR + 0.6 * (usual - least))

    def holds(self, links: Links) -> Flags:
        """Which links are tight."""
        return np.asarray(links.looseness <= self.tight)

    def stretch(self, links: Links) -> Reals:
        """Badness of each link by gap, angle and stagger together; 1 is the worst allowed."""
        wide = np.maximum(links.gaps - self.usual, 0) / WIDEST_STRETCH
        return np.asarray(wide**2 + links.misfits)


def join_links(pieces: Pieces, links: Links, rule: GapRule) -> None:
    """Join what lies tight, then the wider gaps that are likelier careless than meant.

    Splitting a legal set accuses a player of breaking the rules, and so does running two sets
    together. Between two whole sets a wide gap is meant; where one side alone is no set, or where
    both sides have gaps as wide inside, it is careless.
    """
    badness = rule.stretch(links)
    order = [k for k in np.argsort(badness, kind="stable").tolist() if badness[k] < 1]
    tight = rule.holds(links).tolist()
    gaps = links.looseness.tolist()
    for k in order:
        if tight[k]:
            _join(pieces, links, k, gaps[k])
    for k in order:
        if not tight[k] and _careless(pieces, links, k, gaps[k]):
            _join(pieces, links, k, gaps[k])


def _join(pieces: Pieces, links: Links, k: int, gap: float) -> None:
    column, row = STEPS[links.sides[k]].tolist()
    turned = bool(links.turned[k])
    pieces.join(int(links.firsts[k]), int(links.seconds[k]), (column, row), turned=turned, gap=gap)


def _careless(pieces: Pieces, links: Links, k: int, gap: float) -> bool:
    first, second = int(links.firsts[k]), int(links.seconds[k])
    if min(pieces.size(first), pieces.size(second)) < SMALLEST_SET:
        return True
    as_wide = min(pieces.widest_gap(first), pieces.widest_gap(second))
    return gap < as_wide + 0.03


def _mutual_gaps(links: Links) -> Reals:
    """Gaps of the links that are the nearest on both their sides."""
    facing = np.where(links.turned, links.sides, links.sides ^ 1)
    ends = np.stack([4 * links.firsts + links.sides, 4 * links.seconds + facing])
    nearest = np.full(ends.max(initial=0) + 1, np.inf)
    np.minimum.at(nearest, ends.ravel(), np.tile(links.gaps, 2))
    mutual = (links.gaps <= nearest[ends]).all(axis=0) & (links.gaps < 0.5)  # noqa: PLR2004
    return np.asarray(links.gaps[mutual])
