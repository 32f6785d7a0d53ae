from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from referee import Tile, parse_table
from referee.table import Table, TileSet
from tests.web.live.fakes import settled
from tests.web.live.tables import tables
from vision.types import Reading
from web.live.comparing import compare, compare_seen, only_doubtful


@given(tables())
def test_where_sets_lie_and_from_which_side_they_are_seen_is_no_difference(table: Table) -> None:
    turned = Table(tuple(TileSet(part.tiles[::-1]) for part in table.parts[::-1]))
    found = compare(table, turned)
    assert found.none
    assert found.same_tiles


@given(tables(), tables())
def test_missing_and_extra_lead_from_one_table_to_the_other(record: Table, seen: Table) -> None:
    found = compare(record, seen)
    assert record.faces - found.missing + found.extra == seen.faces
    assert found.none == compare(seen, record).none


@pytest.mark.parametrize(
    ("record", "seen", "missing", "extra"),
    [
        ("R3 R4 R5", "R3 R4 R5", [], []),
        ("R3 R4 R5", "R3 R4", ["R5"], []),
        ("R3 R4 R5", "R3 R4 R5 R6", [], ["R6"]),
        ("R3 R4 R5", "R3 R4 O5", ["R5"], ["O5"]),
        ("R3 R4 R5", "R3 R4 | R5", [], []),
        ("R1 R2 R3 / R2 . .", ". . R2 / R3 R2 R1", [], []),
    ],
)
def test_differences(record: str, seen: str, missing: list[str], extra: list[str]) -> None:
    found = compare(parse_table(record), parse_table(seen))
    assert [str(tile) for tile in found.missing.elements()] == missing
    assert [str(tile) for tile in found.extra.elements()] == extra


def test_tiles_of_a_grid_that_lie_in_other_cells_are_a_difference() -> None:
    found = compare(parse_table("R1 R2 R3 / R2 . ."), parse_table("R1 R2 R3 / . . R2"))
    assert (found.same_tiles, found.come) == (True, (0,))


ASKED = Reading(Tile.parse("R4"), 0.5, doubt="glare")


@pytest.mark.parametrize(
    "mark", [{"reading": ASKED}, {"status": "doubtful"}, {"status": "covered"}]
)
@pytest.mark.parametrize("part", [0, 1])
def test_of_two_sets_that_are_alike_the_one_in_doubt_came(part: int, mark: dict[str, Any]) -> None:
    seen = settled("R3 R4 R5 | R3 R4 R5")
    tiles = list(seen.tiles)
    middle = seen.layout.placed[part].tiles[1]
    tiles[middle] = replace(tiles[middle], **mark)
    found = compare_seen(parse_table("R3 R4 R5"), replace(seen, tiles=tuple(tiles)))
    assert found.come == (part,)


@pytest.mark.parametrize(
    ("record", "seen", "doubtful", "only"),
    [
        ("R3 R4 R5", "R3 R4 O5", ["O5"], True),
        ("R3 R4 R5", "R3 R4 O5 O6", ["O5"], False),
        ("R3 R4 R5", "R3 R4 O5", [], False),
        ("R3 R4 R5 | K1 K2 K3", "R3 R4 O5", ["O5"], False),
        ("R3 R4 R5", "R3 R4 R5 | B9", ["B9"], True),
    ],
)
def test_doubtful_tiles_prove_no_move(
    record: str, seen: str, doubtful: list[str], *, only: bool
) -> None:
    assert only_doubtful(parse_table(record), settled(seen, doubtful=doubtful)) is only
