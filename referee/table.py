"""What lies on the table: sets in one line, grids of crossing lines, and the whole table."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.tiles import Tile

Cell = tuple[int, int]


class Flips(NamedTuple):
    """Which lines of a table read the other way, as its players see it.

    A quarter turn makes rows of columns and flips one of them, a half turn flips both (rules
    reference 10.2).
    """

    rows: bool = False
    columns: bool = False


UNFLIPPED: Final = Flips()


@dataclass(frozen=True, slots=True)
class TileSet:
    """Tiles in one line, in the order in which they lie.

    The order is physical, so a joker's place says which tile it stands for (rules
    reference 2.6).
    """

    tiles: tuple[Tile, ...]

    def __post_init__(self) -> None:
        """Refuse a set of nothing: it cannot be written down."""
        if not self.tiles:
            raise ValueError("expected at least one tile in a set, got none")

    def __str__(self) -> str:
        """Write the set in notation: ``R3 R4 R5``."""
        return " ".join(map(str, self.tiles))

    @property
    def words(self) -> str:
        """The set as a player says it: ``Red 3, Red 4, Red 5``."""
        return ", ".join(tile.words for tile in self.tiles)


@dataclass(frozen=True, slots=True)
class Line:
    """A maximal straight line of two or more touching tiles in a grid."""

    tiles: TileSet
    cells: tuple[Cell, ...]
    horizontal: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """Tiles whose sets may cross; `rows` are equally long and an empty cell is None."""

    rows: tuple[tuple[Tile | None, ...], ...]

    def __post_init__(self) -> None:
        """Refuse shapes that the notation cannot write."""
        widths = {len(row) for row in self.rows}
        if len(self.rows) < 2 or len(widths) != 1 or widths == {0}:  # noqa: PLR2004
            raise ValueError(
                f"expected two or more equally long rows, got lengths {[*map(len, self.rows)]}"
            )
        if not self.tiles:
            raise ValueError("expected at least one tile in a grid, got none")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The (row, column) of every tile, in the order of `tiles`."""
        return tuple(
            (r, c) for r, row in enumerate(self.rows) for c, tile in enumerate(row) if tile
        )

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile, row by row from the top left."""
        return tuple(tile for row in self.rows for tile in row if tile)

    def lines(self) -> tuple[Line, ...]:
        """Every maximal line of two or more tiles: rows first, then columns.

        >>> from referee.notation import parse_grid
        >>> [str(line.tiles) for line in parse_grid(". R8 . / R7 J R9").lines()]
        ['R7 J R9', 'R8 J']
        """
        return (*self._lines(horizontal=True), *self._lines(horizontal=False))

    def _lines(self, *, horizontal: bool) -> Iterator[Line]:
        rows = self.rows if horizontal else tuple(zip(*self.rows, strict=True))
        for r, row in enumerate(rows):
            start = 0
            for c, tile in enumerate((*row, None)):
                if tile is not None:
                    continue
                found = tuple(t for t in row[start:c] if t is not None)
                if len(found) > 1:
                    cells = tuple((r, i) if horizontal else (i, r) for i in range(start, c))
                    yield Line(TileSet(found), cells, horizontal)
                start = c + 1

    def __str__(self) -> str:
        """Write the grid in notation: ``. R8 . / R7 J R9``."""
        return " / ".join(
            " ".join("." if tile is None else str(tile) for tile in row) for row in self.rows
        )


@dataclass(frozen=True, slots=True)
class Table:
    """Everything on the table; a part's place in `parts` is how verdicts name it."""

    parts: tuple[TileSet | Grid, ...] = ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile on the table, part by part."""
        return tuple(tile for part in self.parts for tile in part.tiles)

    @property
    def faces(self) -> Counter[Tile]:
        """How often each face lies on the table."""
        return Counter(self.tiles)

    def __str__(self) -> str:
        """Write the table in notation: ``R3 R4 R5 | B7 J K7``; an empty table is empty text."""
        return " | ".join(map(str, self.parts))
