"""Read the text notation of sets, grids and tables; ``str()`` of each writes it.

The notation is described in ``docs/notation.md``. Whitespace between tokens is free; what
``str()`` writes is the one canonical form, and reading it gives the same value back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.errors import NotationError
from referee.table import Grid, Table, TileSet
from referee.tiles import FACES_BY_TEXT, TILE_EXPECTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.tiles import Tile

_TOKEN: Final = re.compile(r"[|/]|[^\s|/]+")
_EMPTY_CELL: Final = "."
_CELL_EXPECTED: Final = "a row of tiles and dots on each side of /"


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    column: int
    part: int

    def error(self, expected: str, row: int | None = None) -> NotationError:
        return NotationError(self.text, expected, column=self.column, part=self.part, row=row)


def parse_table(text: str) -> Table:
    """Read a table: sets and grids joined by ``|``; empty text is an empty table.

    >>> str(parse_table("R7 R8 R9 |. R8 . / R7 J R9"))
    'R7 R8 R9 | . R8 . / R7 J R9'
    >>> parse_table("R7 R8 | X9")
    Traceback (most recent call last):
    ...
    referee.errors.NotationError: 'X9' at column 9 (set 2): expected a tile: R, B, O or K with \
a number from 1 to 13, or J for the joker
    """
    if not text.strip():
        return Table()
    return Table(tuple(_part(tokens, text) for tokens in _split_parts(text)))


def parse_set(text: str) -> TileSet:
    """Read one set.

    >>> parse_set("R4 J R6").words
    'Red 4, the joker, Red 6'
    """
    part = _only_part(text)
    if isinstance(part, Grid):
        raise NotationError("/", "one set, not a grid", column=text.index("/") + 1)
    return part


def parse_grid(text: str) -> Grid:
    """Read one grid: rows joined by ``/``, a dot for an empty cell.

    >>> parse_grid(". R8 . / R7 J R9").cells
    ((0, 1), (1, 0), (1, 1), (1, 2))
    """
    part = _only_part(text)
    if isinstance(part, TileSet):
        raise NotationError("", "a grid of two or more rows joined by /", column=_end(text))
    return part


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read loose tiles, such as a rack, which may be empty.

    >>> [tile.words for tile in parse_tiles("R5 J")]
    ['Red 5', 'the joker']
    """
    return parse_set(text).tiles if text.strip() else ()


def as_written(text: str) -> str:
    """Return typed tiles as the notation has them, whatever they were typed on.

    >>> as_written("r7, j;k13")
    'R7 J K13'
    """
    return " ".join(text.upper().replace(",", " ").replace(";", " ").split())


def _only_part(text: str) -> TileSet | Grid:
    first, *others = _split_parts(text)
    if others:
        bar = text.index("|") + 1
        raise NotationError("|", "a single set", column=bar)
    return _part(first, text)


def _split_parts(text: str) -> list[list[_Token]]:
    parts: list[list[_Token]] = [[]]
    for match in _TOKEN.finditer(text):
        if match.group() == "|":
            if not parts[-1]:
                raise NotationError(
                    "|", TILE_EXPECTED, column=match.start() + 1, part=len(parts) - 1
                )
            parts.append([])
        else:
            parts[-1].append(_Token(match.group(), match.start() + 1, len(parts) - 1))
    if not parts[-1]:
        raise NotationError("", TILE_EXPECTED, column=_end(text), part=len(parts) - 1)
    return parts


def _part(tokens: list[_Token], text: str) -> TileSet | Grid:
    if any(token.text == "/" for token in tokens):
        return _grid(tokens, text)
    return TileSet(tuple(_tile(token) for token in tokens))


def _tile(token: _Token, row: int | None = None) -> Tile:
    face = FACES_BY_TEXT.get(token.text)
    if face is None:
        raise token.error(TILE_EXPECTED, row)
    return face


def _grid(tokens: list[_Token], text: str) -> Grid:
    rows: list[tuple[Tile | None, ...]] = []
    for r, row in enumerate(_split_rows(tokens)):
        if not row:
            raise NotationError("", _CELL_EXPECTED, column=_end(text), part=tokens[0].part, row=r)
        rows.append(tuple(None if t.text == _EMPTY_CELL else _tile(t, r) for t in row))
        if len(row) != len(rows[0]):
            raise row[-1].error(f"{len(rows[0])} cells as in the first row, got {len(row)}", r)
    if not any(tile for row in rows for tile in row):
        raise tokens[0].error("at least one tile in the grid")
    return Grid(tuple(rows))


def _end(text: str) -> int:
    return len(text) + 1


def _split_rows(tokens: list[_Token]) -> Iterator[list[_Token]]:
    row: list[_Token] = []
    for token in tokens:
        if token.text == "/":
            yield row
            row = []
        else:
            row.append(token)
    yield row
