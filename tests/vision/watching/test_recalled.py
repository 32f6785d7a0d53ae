"""What people said of tiles is known to the watcher that comes after the one they said it to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile
from tests.vision.watching.made_scenes import Evening, Scene, row
from tests.vision.watching.test_refound import misread, named, settled, turned
from tests.vision.watching.two_views import Cameras

if TYPE_CHECKING:
    from vision.types import Readings

TABLE = Scene(row(150, 120, "R3 R4 R5 R6") | row(500, 120, "B7 K7 O7"))
FEW = Scene(row(150, 120, "R3 R4 R5"))
MORE = replace(TABLE, tiles={**TABLE.tiles, **row(150, 300, "K9 K10 K11")})
FEW_AND_MORE = replace(FEW, tiles={**FEW.tiles, **row(150, 300, "K9 K10 K11")})
BUMPED = replace(TABLE, shift=(23.0, -14.0, 2.5))
UNSEEN = (400, 400)


def wrongly(_asked: int, readings: Readings) -> Readings:
    return misread(readings, R5="O9")


def after(evening: Evening) -> Evening:
    """An evening that goes on with another watcher, which is told what was said."""
    again = Evening()
    again.reader.misread = evening.reader.misread
    again.watcher.recall(evening.watcher.lying())
    return again


def corrected(scene: Scene) -> Evening:
    evening = Evening()
    evening.reader.misread = wrongly
    tile = named(settled(evening, scene), "O9")
    evening.watcher.correct({tile.id: Tile.parse("R5")})
    return evening


@pytest.mark.parametrize(
    ("before", "then"),
    [
        (TABLE, TABLE),
        (FEW, FEW),
        (TABLE, BUMPED),
        (TABLE, turned(TABLE)),
        (TABLE, MORE),
        (FEW, FEW_AND_MORE),
    ],
    ids=["same", "few", "bumped", "turned", "more", "few and more"],
)
def test_a_word_stands_where_the_same_table_is_seen_again(before: Scene, then: Scene) -> None:
    table = settled(after(corrected(before)), then)
    assert named(table, "R5").status == "corrected"
    assert {tile.status for tile in table.tiles} == {"corrected", "seen"}
    assert len(table.tiles) == len(then.tiles)


def test_a_word_stands_after_two_restarts_and_is_no_word_for_another_tile() -> None:
    again = after(corrected(TABLE))
    settled(again, TABLE)
    table = settled(after(again), MORE)
    assert [str(t.reading.tile) for t in table.tiles if t.status == "corrected"] == ["R5"]


def test_a_tile_that_is_read_rightly_meanwhile_keeps_the_word() -> None:
    again = after(corrected(TABLE))
    again.reader.misread = lambda _, readings: readings
    assert named(settled(again, TABLE), "R5").status == "corrected"


def test_a_tile_that_was_taken_away_meanwhile_is_asked_about() -> None:
    gone = {place: face for place, face in TABLE.tiles.items() if face != "R5"}
    asked = named(settled(after(corrected(TABLE)), replace(TABLE, tiles=gone)), "R5")
    assert asked.status == "doubtful"


def test_the_answer_to_such_a_question_stands() -> None:
    again = after(corrected(TABLE))
    again.reader.misread = lambda _, readings: misread(readings, R5="K1")
    asked = named(settled(again, TABLE), "R5")
    assert asked.status == "doubtful"
    again.watcher.correct({asked.id: Tile.parse("R5")})
    again.show(replace(TABLE, light=0.8), 8)
    again.show(replace(TABLE, hand=(480, 400)), 3)
    assert named(settled(again, TABLE), "R5").status == "corrected"


def test_what_was_no_tile_is_none_for_the_next_watcher() -> None:
    evening = Evening()
    none = named(settled(evening, MORE), "K11")
    evening.watcher.correct({none.id: None})
    again = after(evening)
    assert len(settled(again, MORE).tiles) == len(MORE.tiles) - 1
    assert len(settled(after(again), MORE).tiles) == len(MORE.tiles) - 1


def test_a_tile_that_only_a_person_saw_lies_there_for_the_next_watcher() -> None:
    scene = replace(MORE, tiles={**MORE.tiles, UNSEEN: "B1"})
    evening = Evening()
    evening.reader.misread = lambda _, readings: replace(
        readings, quads_img=readings.quads_img[:-1], readings=readings.readings[:-1]
    )
    settled(evening, scene)
    x, y = UNSEEN
    quad = np.array([(x, y), (x + 36, y), (x + 36, y + 52), (x, y + 52)], np.float32)
    evening.watcher.add(quad, Tile.parse("B1"))
    again = after(evening)
    assert named(settled(again, scene), "B1").status == "corrected"
    none = named(settled(again, scene), "B1")
    again.watcher.correct({none.id: None})
    assert [one for one in again.watcher.lying() if one.said] == []


def test_what_a_person_only_confirmed_is_a_word_too() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: replace(
        readings, readings=tuple(replace(one, doubt="a doubt") for one in readings.readings)
    )
    tile = named(settled(evening, TABLE), "R4")
    evening.watcher.correct({tile.id: Tile.parse("R4")})
    again = settled(after(evening), TABLE)
    assert [str(t.reading.tile) for t in again.tiles if not t.reading.unsure] == ["R4"]


def test_another_table_knows_nothing_of_the_words() -> None:
    again = after(corrected(TABLE))
    other = Scene(row(150, 120, "K1 K2 K3 K4") | row(500, 120, "B9 R9 O9 K9"))
    assert {tile.status for tile in settled(again, other).tiles} == {"seen"}
    settled(again, TABLE)
    assert [one for one in again.watcher.lying() if one.said] == []


def test_an_empty_table_that_nobody_cleared_forgets_no_word() -> None:
    again = after(corrected(TABLE))
    settled(again, Scene({}))
    assert [one for one in again.watcher.lying() if one.said]
    assert named(settled(again, TABLE), "R5").status == "corrected"


def test_a_watcher_that_knows_tiles_recalls_nothing() -> None:
    evening = Evening()
    table = settled(evening, FEW)
    evening.watcher.recall(corrected(TABLE).watcher.lying())
    assert settled(evening, FEW) is table


def test_a_word_that_is_taken_back_was_never_said() -> None:
    evening = Evening()
    table = settled(evening, TABLE)
    mark = evening.watcher.mark()
    evening.watcher.correct({named(table, "R5").id: Tile.parse("O9")})
    evening.watcher.go_back(mark)
    assert settled(evening, TABLE) is table


@pytest.mark.parametrize("by", ["itself", "the other"])
def test_each_of_two_cameras_finds_the_word_again(by: str) -> None:
    before, again = Cameras(), Cameras()
    for camera in (before.near, before.far, again.near, again.far):
        camera.reader.misread = wrongly
    before.both(TABLE)
    for camera in (before.near, before.far):
        assert camera.last is not None
        assert camera.last.sight.settled is not None
        wrong = named(camera.last.sight.settled, "O9")
        camera.watcher.correct({wrong.id: Tile.parse("R5")})
    again.near.watcher.recall(before.near.watcher.lying())
    told = before.far if by == "itself" else before.near
    again.far.watcher.recall(told.watcher.lying())
    sight = again.both(TABLE)
    assert again.together.joined
    assert sight.settled is not None
    assert named(sight.settled, "R5").status == "corrected"
    assert len(sight.settled.tiles) == len(TABLE.tiles)
