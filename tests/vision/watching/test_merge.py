from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile, load_ruleset
from tests.vision.watching.made_scenes import HEIGHT_PX, WIDTH_PX, Scene, row
from vision.types import Reading
from vision.watching.merge import merge
from vision.watching.registration import moved
from vision.watching.sights import SeenTile
from vision.watching.tables import settled_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.types import Floats
    from vision.watching.sights import SettledTable, Status

STANDARD = load_ruleset("standard")
LYING = Scene(
    {
        **row(150, 120, "R3 R4 R5 R6"),
        **row(500, 120, "B7 K7 O7"),
        **row(150, 260, "K9 K10 K11 K12 K13"),
    }
)
TEXT = "R3 R4 R5 R6 | B7 K7 O7 | K9 K10 K11 K12 K13"
# From the other side of the table, nearer to one end of it.
ACROSS = np.array([(-1.1, 0.05, 1000), (0.08, -0.9, 560), (0.0001, 0.0002, 1)], np.float32)


def seen(
    move: Floats | None = None, changes: Mapping[str, SeenTile | None] | None = None
) -> SettledTable:
    readings = LYING.readings()
    quads = readings.quads_img if move is None else moved(readings.quads_img, move)
    tiles = [
        SeenTile(number, reading, quad)
        for number, (quad, reading) in enumerate(zip(quads, readings.readings, strict=True), 1)
    ]
    changed = [(changes or {}).get(str(tile.reading.tile), tile) for tile in tiles]
    kept = [
        tile if new is tile else replace(new, id=tile.id, quad_img=tile.quad_img)
        for tile, new in zip(tiles, changed, strict=True)
        if new is not None
    ]
    return settled_table(1, kept, STANDARD, (HEIGHT_PX, WIDTH_PX), after_hand=False)


def reads(
    face: str, confidence: float = 0.99, doubt: str = "", status: Status = "seen"
) -> SeenTile:
    reading = Reading(Tile.parse(face), confidence, (), doubt)
    return SeenTile(0, reading, np.zeros((4, 2), np.float32), status)


def test_one_camera_is_taken_at_its_word() -> None:
    table = seen()
    assert merge([table], STANDARD).table is table
    with pytest.raises(ValueError, match="one settled table"):
        merge([], STANDARD)


def test_a_tile_that_only_the_other_camera_sees_is_added_in_its_place() -> None:
    merged = merge([seen(changes={"K11": None}), seen(ACROSS)], STANDARD)
    assert str(merged.table.table) == TEXT
    assert merged.used == (0, 1)
    (added,) = [tile for tile in merged.table.tiles if str(tile.reading.tile) == "K11"]
    whole = {str(tile.reading.tile): tile for tile in seen().tiles}
    assert added.quad_img == pytest.approx(whole["K11"].quad_img, abs=2)
    assert added.id not in {tile.id for tile in whole.values()}


def test_the_plainer_view_of_a_tile_wins_and_the_first_camera_names_it() -> None:
    doubted = seen(changes={"R4": reads("R1", 0.5, "glare"), "O7": reads("O7", status="covered")})
    merged = merge([doubted, seen(ACROSS)], STANDARD).table
    assert str(merged.table) == TEXT
    assert {tile.id for tile in merged.tiles} == {tile.id for tile in doubted.tiles}
    assert {tile.status for tile in merged.tiles} == {"seen"}
    assert not any(tile.reading.unsure for tile in merged.tiles)


def test_two_plain_views_that_disagree_are_asked_about() -> None:
    merged = merge([seen(changes={"R4": reads("R1")}), seen(ACROSS)], STANDARD).table
    unsure = [tile for tile in merged.tiles if tile.reading.unsure]
    assert [tile.id for tile in unsure] == [2]


def test_a_persons_word_stands_against_all_cameras() -> None:
    told = seen(changes={"R4": reads("J", 1.0, status="corrected")})
    assert str(merge([told, seen(ACROSS)], STANDARD).table.table).startswith("R3 J R5 R6")


def test_a_camera_over_another_table_is_left_out() -> None:
    readings = Scene(row(100, 100, "O1 O2 O3 O4 O5")).readings()
    tiles = [
        SeenTile(number, reading, quad)
        for number, (quad, reading) in enumerate(
            zip(readings.quads_img, readings.readings, strict=True)
        )
    ]
    other = settled_table(1, tiles, STANDARD, (HEIGHT_PX, WIDTH_PX), after_hand=True)
    merged = merge([seen(), other], STANDARD)
    assert (str(merged.table.table), merged.used) == (TEXT, (0,))
