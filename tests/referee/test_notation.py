"""Text to tables and back."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import (
    ALL_FACES,
    Colour,
    Grid,
    NotationError,
    Table,
    Tile,
    TileSet,
    parse_grid,
    parse_set,
    parse_table,
    parse_tiles,
)

tiles = st.sampled_from(ALL_FACES)
sets = st.lists(tiles, min_size=1, max_size=15).map(lambda found: TileSet(tuple(found)))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    width = draw(st.integers(1, 5))
    row = st.lists(st.none() | tiles, min_size=width, max_size=width).map(tuple)
    rows = draw(st.lists(row, min_size=2, max_size=5).filter(lambda rows: any(map(any, rows))))
    return Grid(tuple(rows))


tables = st.lists(sets | grids(), max_size=6).map(lambda parts: Table(tuple(parts)))


@given(tables)
def test_what_is_printed_reads_back_the_same(table: Table) -> None:
    assert parse_table(str(table)) == table


@given(st.text() | st.text(alphabet="RBOKJ0123456789 |/.\n\t"))
def test_any_text_gives_a_table_or_a_notation_error(text: str) -> None:
    for parse in (parse_table, parse_set, parse_grid, parse_tiles, Tile.parse):
        with contextlib.suppress(NotationError):
            parse(text)


@given(tables)
def test_whitespace_is_free(table: Table) -> None:
    assert parse_table(f"  {str(table).replace(' ', chr(10) + ' ')}\t") == table


def test_there_are_53_faces_in_a_fixed_order() -> None:
    assert [str(face) for face in ALL_FACES][:14] == [f"R{n}" for n in range(1, 14)] + ["B1"]
    assert [face.index for face in ALL_FACES] == list(range(53))
    assert str(ALL_FACES[-1]) == "J"


def test_an_empty_table_is_empty_text() -> None:
    assert parse_table("") == parse_table(" \n") == Table()
    assert str(Table()) == ""


def test_a_table_mixes_sets_and_grids() -> None:
    table = parse_table("R7 R8 R9 | . R8 . / R7 J R9")
    assert [type(part) for part in table.parts] == [TileSet, Grid]
    assert table.faces[Tile(Colour.RED, 8)] == 2


@pytest.mark.parametrize(
    ("text", "token", "column", "part", "row"),
    [
        ("X9", "X9", 1, 0, None),
        ("R7 R8 r9", "r9", 7, 0, None),
        ("R7 | R14", "R14", 6, 1, None),
        ("R7 | R8 .", ".", 9, 1, None),
        ("R7 || R8", "|", 5, 1, None),
        ("R7 |", "", 5, 1, None),
        ("R7 | . R0 / R7 R8", "R0", 8, 1, 0),
        ("R7 R8 / R9", "R9", 9, 0, 1),
        ("R7 /", "", 5, 0, 1),
        (". / .", ".", 1, 0, None),
        ("J1", "J1", 1, 0, None),
        ("R٣", "R٣", 1, 0, None),
    ],
)
def test_errors_name_the_token_and_its_place(
    text: str, token: str, column: int, part: int, row: int | None
) -> None:
    with pytest.raises(NotationError) as caught:
        parse_table(text)
    error = caught.value
    assert (error.token, error.column, error.part, error.row) == (token, column, part, row)
    assert error.expected in str(error)


def test_a_grid_gives_its_maximal_lines() -> None:
    grid = parse_grid("R7 . R8 / B7 K7 . / R6 . J")
    assert [str(line.tiles) for line in grid.lines()] == ["B7 K7", "R7 B7 R6"]
    assert grid.lines()[1].cells == ((0, 0), (1, 0), (2, 0))
