"""The same tiles are found again in a picture of another size, with what people said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile
from tests.vision.watching.made_scenes import HEIGHT_PX, Evening, Scene, row
from vision.watching import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.types import Readings
    from vision.watching import SeenTile, SettledTable

TABLE = Scene(row(150, 120, "R3 R4 R5 R6") | row(500, 120, "B7 K7 O7"))
FEW = Scene(row(150, 120, "R3 R4 R5"))
MORE = replace(TABLE, tiles={**TABLE.tiles, **row(150, 300, "K9 K10 K11")})
TURN = ((0.0, -1.0, HEIGHT_PX), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
ASLANT = ((1.3, 0.1, 20.0), (-0.05, 1.2, 30.0), (0.0001, 0.0002, 1.0))


def turned(scene: Scene) -> Scene:
    """What a phone shows that was turned by a quarter."""
    return replace(scene, seen_from=TURN, size_px=(540, 960))


def larger(scene: Scene) -> Scene:
    """A larger picture from a little elsewhere."""
    return replace(scene, seen_from=ASLANT, size_px=(1280, 720))


def misread(readings: Readings, **slips: str) -> Readings:
    faces = tuple(
        replace(one, tile=Tile.parse(slips.get(str(one.tile), str(one.tile))))
        for one in readings.readings
    )
    return replace(readings, readings=faces)


def settled(evening: Evening, scene: Scene) -> SettledTable:
    sight = evening.show(scene, 8)[-1]
    assert sight.phase is Phase.STABLE
    assert sight.settled is not None
    return sight.settled


def named(table: SettledTable, face: str) -> SeenTile:
    return next(tile for tile in table.tiles if str(tile.reading.tile) == face)


@pytest.mark.parametrize("seen", [turned, larger])
@pytest.mark.parametrize(("scene", "slip"), [(TABLE, "R6"), (FEW, "R4")])
def test_a_persons_word_holds_in_a_picture_of_another_size(
    scene: Scene, slip: str, seen: Callable[[Scene], Scene]
) -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, **{slip: "O9"})
    before = settled(evening, scene)
    wrong = named(before, "O9")
    evening.watcher.correct({wrong.id: Tile.parse(slip)})
    after = settled(evening, seen(scene))
    right = named(after, slip)
    assert (right.id, right.status) == (wrong.id, "corrected")
    assert {tile.id for tile in after.tiles} == {tile.id for tile in before.tiles}
    back = settled(evening, scene)
    assert named(back, slip).status == "corrected"


def test_what_is_read_rightly_from_elsewhere_keeps_the_word_too() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, R4="O9")
    tile = named(settled(evening, FEW), "O9")
    evening.watcher.correct({tile.id: Tile.parse("R4")})
    evening.reader.misread = lambda _, readings: readings
    after = settled(evening, turned(FEW))
    assert (named(after, "R4").id, named(after, "R4").status) == (tile.id, "corrected")


def test_a_third_face_in_the_other_picture_is_asked_about() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, R6="O9")
    tile = named(settled(evening, TABLE), "O9")
    evening.watcher.correct({tile.id: Tile.parse("R6")})
    evening.reader.misread = lambda _, readings: misread(readings, R6="R8")
    asked = named(settled(evening, turned(TABLE)), "R6")
    assert (asked.id, asked.status) == (tile.id, "doubtful")


def test_what_is_no_tile_is_none_in_the_other_picture() -> None:
    evening = Evening()
    none = named(settled(evening, MORE), "K11")
    evening.watcher.correct({none.id: None})
    assert len(settled(evening, turned(MORE)).tiles) == len(MORE.tiles) - 1


def test_a_tile_that_a_person_added_lies_in_the_other_picture() -> None:
    unseen = replace(MORE, tiles={**MORE.tiles, (400, 400): "B1"})
    quad = np.array([(400, 400), (436, 400), (436, 452), (400, 452)], np.float32)
    evening = Evening()
    evening.reader.misread = lambda _, readings: replace(
        readings, quads_img=readings.quads_img[:-1], readings=readings.readings[:-1]
    )
    settled(evening, unseen)
    evening.watcher.add(quad, Tile.parse("B1"))
    tile = named(settled(evening, turned(unseen)), "B1")
    assert tile.status in {"corrected", "doubtful"}
    assert tile.quad_img.mean(0) == pytest.approx((HEIGHT_PX - 426, 418), abs=3)


def test_a_turn_that_was_laid_in_the_meantime_is_no_question() -> None:
    evening = Evening()
    before = settled(evening, TABLE)
    after = settled(evening, turned(MORE))
    assert {tile.status for tile in after.tiles} == {"seen"}
    assert str(after.table) == "K9 K10 K11 | R3 R4 R5 R6 | B7 K7 O7"
    assert {tile.id for tile in before.tiles} < {tile.id for tile in after.tiles}


def test_another_table_is_a_new_one() -> None:
    evening = Evening()
    tile = named(settled(evening, TABLE), "R6")
    evening.watcher.correct({tile.id: Tile.parse("R9")})
    other = Scene(row(150, 120, "K1 K2 K3 K4") | row(500, 120, "B9 R9 O9 K9"))
    after = settled(evening, turned(other))
    assert {tile.status for tile in after.tiles} == {"seen"}
    again = settled(evening, TABLE)
    assert {str(tile.reading.tile) for tile in again.tiles} == set(TABLE.tiles.values())


def test_a_table_that_was_cleared_by_hand_is_not_found_again() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, R5="R9")
    tile = named(settled(evening, FEW), "R9")
    evening.watcher.correct({tile.id: Tile.parse("R5")})
    bare = turned(Scene({}))
    settled(evening, bare)
    for x in (200, 300, 200):
        evening.show(replace(bare, thing=(x, 0, x + 200, 400)))
        evening.show(replace(bare, hand=(x, 200)))
    settled(evening, bare)
    evening.reader.misread = lambda _, readings: readings
    again = settled(evening, turned(Scene(row(150, 120, "R3 R4 R9"))))
    assert "R5" not in {str(tile.reading.tile) for tile in again.tiles}


def test_a_photo_of_another_size_keeps_the_word() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, R6="O9")
    first = evening.photo(TABLE)[-1].settled
    assert first is not None
    evening.watcher.correct({named(first, "O9").id: Tile.parse("R6")})
    second = evening.photo(larger(MORE))[-1].settled
    assert second is not None
    assert named(second, "R6").status == "corrected"
    assert len(second.tiles) == len(MORE.tiles)
