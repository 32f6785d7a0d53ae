"""A camera that was away for a while: nobody saw hands, and there may have been some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.watching.made_scenes import Evening, Scene, row
from tests.vision.watching.test_refound import misread, named, settled
from vision.watching import Phase

TABLE = Scene(row(150, 120, "R3 R4 R5 R6 R7") | row(150, 260, "K9 K10 K11"))
MORE = replace(TABLE, tiles={**TABLE.tiles, **row(500, 120, "B7 K7 O7")})
SPLIT = Scene(row(150, 120, "R3 R4 R5") | row(500, 260, "R5 R6 R7") | row(150, 260, "K9 K10 K11"))


def away(evening: Evening, seconds: float) -> None:
    """Let the camera give no frame for a while."""
    evening.number += round(seconds * evening.fps)


@pytest.mark.parametrize("after", [MORE, SPLIT])
def test_what_was_laid_while_nobody_looked_is_no_doubt(after: Scene) -> None:
    evening = Evening()
    settled(evening, TABLE)
    away(evening, 10)
    table = settled(evening, after)
    assert {tile.status for tile in table.tiles} == {"seen"}
    assert sorted(map(str, table.table.tiles)) == sorted(after.tiles.values())
    assert not table.after_hand


def test_a_short_gap_is_no_excuse() -> None:
    evening = Evening()
    settled(evening, TABLE)
    away(evening, 1)
    assert named(settled(evening, MORE), "B7").status == "doubtful"


def test_what_appears_later_is_a_doubt_again() -> None:
    evening = Evening()
    settled(evening, TABLE)
    away(evening, 10)
    settled(evening, replace(TABLE, light=0.97))
    assert named(settled(evening, MORE), "B7").status == "doubtful"


@pytest.mark.parametrize("face", ["B9", "O8", "K12"])
def test_a_tile_that_only_reads_otherwise_is_still_asked_about(face: str) -> None:
    evening = Evening()
    settled(evening, TABLE)
    away(evening, 10)
    other = replace(TABLE, tiles={**TABLE.tiles, (150, 120): face})
    asked = [tile for tile in settled(evening, other).tiles if tile.status == "doubtful"]
    assert len(asked) == 1
    assert str(asked[0].reading.tile) == face
    assert asked[0].reading.tile.words in asked[0].reading.doubt


def test_a_persons_word_holds_while_nobody_looks() -> None:
    evening = Evening()
    evening.reader.misread = lambda _, readings: misread(readings, R6="O9")
    tile = named(settled(evening, TABLE), "O9")
    evening.watcher.correct({tile.id: replace(tile.reading.tile, number=8)})
    away(evening, 10)
    assert named(settled(evening, MORE), "O8").status == "corrected"


def test_a_hand_that_is_there_when_the_camera_is_back_is_waited_for() -> None:
    evening = Evening()
    settled(evening, TABLE)
    away(evening, 10)
    handed = evening.show(replace(MORE, hand=(520, 150)), 4)
    assert Phase.STABLE not in {sight.phase for sight in handed}
    table = settled(evening, MORE)
    assert {tile.status for tile in table.tiles} == {"seen"}
