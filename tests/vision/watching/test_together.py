"""Two cameras over one table, seen from two sides."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile
from tests.vision.watching.made_scenes import Scene, row
from tests.vision.watching.two_views import Camera, Cameras, across, places
from vision.types import Reading, Readings
from vision.watching.sights import Phase, Sight

if TYPE_CHECKING:
    from vision.types import Floats

LYING = Scene(
    {
        **row(250, 120, "R3 R4 R5 R6"),
        **row(520, 120, "B7 K7 O7"),
        **row(250, 240, "K9 K10 K11 K12 K13"),
    }
)
TEXT = "R3 R4 R5 R6 | B7 K7 O7 | K9 K10 K11 K12 K13"
MORE = replace(LYING, tiles={**LYING.tiles, **row(520, 240, "O1 O2 O3")})


@pytest.fixture
def cameras() -> Cameras:
    return Cameras()


def faces(sight: Sight) -> list[str]:
    assert sight.settled is not None
    return sorted(str(tile.reading.tile) for tile in sight.settled.tiles)


def unsure(sight: Sight) -> list[str]:
    assert sight.settled is not None
    return [str(tile.reading.tile) for tile in sight.settled.tiles if tile.reading.unsure]


def ids(sight: Sight) -> dict[str, int]:
    assert sight.settled is not None
    return {str(tile.reading.tile): tile.id for tile in sight.settled.tiles}


def without(scene: Scene, *gone: str) -> Scene:
    return replace(scene, tiles={at: face for at, face in scene.tiles.items() if face not in gone})


def test_one_camera_is_taken_at_its_word(cameras: Cameras) -> None:
    sight = cameras.show(LYING, None, 9)[-1]
    assert cameras.near.last is not None
    assert sight is cameras.near.last.sight
    assert faces(sight) == sorted(TEXT.replace("| ", "").split())
    assert cameras.together.standing.counting == ("near",)


def test_two_views_make_one_table_in_the_pixels_of_the_first(cameras: Cameras) -> None:
    alone = places(cameras.show(LYING, None, 9)[-1])
    sight = cameras.both(LYING)
    assert str(sight.settled and sight.settled.table) == TEXT
    assert cameras.together.standing.primary == "near"
    assert cameras.together.standing.counting == ("near", "far")
    assert cameras.together.standing.notes == {}
    for face, quad in places(sight).items():
        assert quad == pytest.approx(alone[face], abs=2)


def test_a_tile_that_one_camera_does_not_see_is_known_by_the_other(cameras: Cameras) -> None:
    sight = cameras.show(without(LYING, "K11"), across(LYING), 9)[-1]
    assert str(sight.settled and sight.settled.table) == TEXT
    assert places(sight)["K11"].mean(0) == pytest.approx((342, 266), abs=3)


def test_two_sure_readings_that_differ_are_asked_about(cameras: Cameras) -> None:
    def misread(_: int, readings: Readings) -> Readings:
        wrong = Reading(Tile.parse("R1"), 0.98)
        changed = [wrong if str(r.tile) == "R5" else r for r in readings.readings]
        return Readings(readings.quads_img, tuple(changed))

    cameras.far.reader.misread = misread
    sight = cameras.both(LYING)
    assert len(unsure(sight)) == 1
    assert set(unsure(sight)) <= {"R5", "R1"}
    assert cameras.together.standing.counting == ("near", "far")


def test_the_table_is_not_settled_while_either_camera_sees_a_hand(cameras: Cameras) -> None:
    cameras.both(LYING)
    reaching = [replace(LYING, hand=(480, y)) for y in (500, 440, 380)]
    seen = [cameras.show(LYING, across(scene))[-1].phase for scene in reaching]
    assert Phase.STABLE not in seen[1:]
    assert Phase.HAND in seen
    resting = cameras.show(LYING, across(reaching[-1]), 8)
    assert {sight.phase for sight in resting} <= {Phase.HAND, Phase.COVERED, Phase.MOVING}
    sight = cameras.both(LYING)
    assert sight.phase is Phase.STABLE
    assert str(sight.settled and sight.settled.table) == TEXT


def test_a_turn_settles_once_and_after_a_hand(cameras: Cameras) -> None:
    before = cameras.both(LYING)
    shown = cameras.reach(LYING, MORE)
    fresh = [sight for sight in shown if sight.fresh]
    assert len(fresh) == 1
    assert fresh[0].settled is not None
    assert fresh[0].settled.after_hand
    assert str(fresh[0].settled.table) == f"{TEXT} | O1 O2 O3"
    assert ids(before).items() <= ids(fresh[0]).items()


def test_what_lies_before_one_camera_does_not_hide_what_the_other_reads(cameras: Cameras) -> None:
    cameras.both(LYING)
    boxed = replace(LYING, thing=(240, 100, 400, 180))
    sights = cameras.show(boxed, across(LYING), 45)
    assert sights[-1].phase is Phase.STABLE
    settled = sights[-1].settled
    assert settled is not None
    assert str(settled.table) == TEXT
    assert {tile.status for tile in settled.tiles} == {"seen"}


def test_a_lost_camera_is_gone_on_without_and_joins_in_again(cameras: Cameras) -> None:
    before = ids(cameras.both(LYING))
    sight = cameras.show(None, across(LYING), 9)[-1]
    assert cameras.together.standing.primary == "far"
    assert ids(sight) == before
    assert cameras.far.last is not None
    own = places(cameras.far.last.sight)
    for face, quad in places(sight).items():
        assert quad == pytest.approx(own[face], abs=2)
    for y in (480, 390, 300, 390, 480):
        cameras.show(None, across(replace(MORE, hand=(480, y))))
    sight = cameras.show(None, across(MORE), 12)[-1]
    assert str(sight.settled and sight.settled.table).count("|") == 3
    cameras.near = Camera("near", 2)
    sight = cameras.both(MORE)
    assert cameras.together.standing.primary == "far"
    assert set(cameras.together.standing.counting) == {"near", "far"}
    assert len(ids(sight)) == 15
    assert before.items() <= ids(sight).items()


def test_what_only_the_lost_camera_saw_stays_known(cameras: Cameras) -> None:
    cameras.show(LYING, across(without(LYING, "K13")), 9)
    sight = cameras.show(None, across(without(LYING, "K13")), 9)[-1]
    assert len(ids(sight)) == 12
    assert sight.settled is not None
    assert [str(t.reading.tile) for t in sight.settled.tiles if t.status == "covered"] == ["K13"]
    sight = cameras.show(LYING, across(without(LYING, "K13")), 9)[-1]
    assert sight.settled is not None
    assert {tile.status for tile in sight.settled.tiles} == {"seen"}


@pytest.mark.parametrize("reads", ["R8", "R6"])
def test_a_persons_word_outlasts_the_camera_that_was_told(cameras: Cameras, reads: str) -> None:
    """The one that joins in later, and goes on alone, knows of it, however it reads the tile."""
    cameras.near.reader.misread = lambda _, readings: _taken_for("R9", readings)
    cameras.far.reader.misread = lambda _, readings: _taken_for(reads, readings)
    wrong = ids(cameras.show(LYING, None, 9)[-1])["R9"]
    cameras.near.watcher.correct({wrong: Tile.parse("R6")})
    cameras.both(LYING)
    alone = cameras.show(None, across(LYING), 9)[-1]
    assert faces(alone) == sorted(LYING.tiles.values())
    back = cameras.both(LYING)
    assert ids(back)["R6"] == ids(alone)["R6"]


def test_a_persons_word_ends_where_the_tile_moves_though_who_was_told_is_lost(
    cameras: Cameras,
) -> None:
    cameras.both(LYING)
    wrong = ids(cameras.show(LYING, across(LYING))[-1])["R6"]
    cameras.near.watcher.correct({wrong: Tile.parse("R9")})
    cameras.both(LYING)
    assert "R9" in faces(cameras.show(None, across(LYING), 9)[-1])
    x, y = next(at for at, face in LYING.tiles.items() if face == "R6")
    moved = replace(without(LYING, "R6"), tiles={**without(LYING, "R6").tiles, (x + 90, y): "R6"})
    for scene, hand in ((LYING, 480), (LYING, 300), (moved, 300), (moved, 480)):
        cameras.show(None, across(replace(scene, hand=(x + 50, hand))))
    assert "R9" not in faces(cameras.show(None, across(moved), 9)[-1])


def _taken_for(face: str, readings: Readings) -> Readings:
    """The red 6 is taken for another tile."""
    faces = tuple(
        Reading(Tile.parse(face), 0.98) if str(one.tile) == "R6" else one
        for one in readings.readings
    )
    return replace(readings, readings=faces)


def test_views_that_share_too_little_are_not_joined_and_it_is_said(cameras: Cameras) -> None:
    other = Scene(row(300, 200, "O9 O10 O11 O12 O13 B1 B2"))
    sight = cameras.show(LYING, across(other), 9)[-1]
    assert str(sight.settled and sight.settled.table) == TEXT
    assert cameras.together.standing.counting == ("near",)
    assert "other tiles than near" in cameras.together.standing.notes["far"]
    hand = replace(other, hand=(480, 300))
    assert cameras.show(LYING, across(hand), 3)[-1].phase is Phase.STABLE


def test_of_views_that_cannot_be_joined_the_one_that_sees_most_counts(cameras: Cameras) -> None:
    sight = cameras.show(Scene(row(300, 200, "O9 O10 O11 O12")), across(LYING), 9)[-1]
    assert cameras.together.standing.primary == "far"
    assert len(ids(sight)) == 12


def test_cameras_that_stood_together_need_no_tiles_to_do_so_again(cameras: Cameras) -> None:
    some = Scene(row(250, 120, "R3 R4 R5 R6"))
    cameras.both(some)
    few = without(some, "R5", "R6")
    assert faces(cameras.reach(some, few)[-1]) == ["R3", "R4"]
    assert cameras.together.standing.counting == ("near", "far")
    moved = Scene(row(520, 240, "R3 R4 B4"))
    sight = cameras.reach(few, moved)[-1]
    assert faces(sight) == ["B4", "R3", "R4"]
    assert cameras.together.standing.counting == ("near", "far")


def test_a_camera_that_is_moved_is_laid_over_anew(cameras: Cameras) -> None:
    cameras.both(LYING)
    shifted = replace(LYING, shift=(40.0, 14.0, 3.0))
    sight = cameras.show(shifted, across(LYING), 12)[-1]
    assert str(sight.settled and sight.settled.table) == TEXT
    assert set(cameras.together.standing.counting) == {"near", "far"}
    assert np.allclose(places(sight)["R3"], lying(shifted)["R3"], atol=3)


def lying(scene: Scene) -> dict[str, Floats]:
    readings = scene.readings()
    pairs = zip(readings.quads_img, readings.readings, strict=True)
    return {str(reading.tile): quad for quad, reading in pairs}
