from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile
from tests.vision.watching.made_scenes import HEIGHT_PX, STANDARD, WIDTH_PX, Scene, row
from vision.types import Picture, Reading
from vision.watching.registration import moved
from vision.watching.sights import SeenTile
from vision.watching.tables import settled_table
from vision.watching.together.aligning import align
from vision.watching.together.merge import AlignedView, Merged, merge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.types import Floats
    from vision.watching.sights import SettledTable, Status

LYING = Scene(
    {
        **row(150, 120, "R3 R4 R5 R6"),
        **row(500, 120, "B7 K7 O7"),
        **row(150, 260, "K9 K10 K11 K12 K13"),
    }
)
FACES = "R3 R4 R5 R6 B7 K7 O7 K9 K10 K11 K12 K13"
SAME = np.eye(3, dtype=np.float32)
# From the other side of the table, nearer to one end of it.
ACROSS = np.array([(-1.1, 0.05, 1000), (0.08, -0.9, 560), (0.0001, 0.0002, 1)], np.float32)
BACK = np.linalg.inv(ACROSS).astype(np.float32)
# From afar and low.
FAR = np.array([(0.5, 0.02, 200), (0.0, 0.25, 200), (0, 0, 1)], np.float32)


def seen(
    move: Floats | None = None,
    changes: Mapping[str, SeenTile | None] | None = None,
    scene: Scene = LYING,
) -> SettledTable:
    readings = scene.readings()
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
    return settled_table(1, kept, STANDARD, Picture((HEIGHT_PX, WIDTH_PX)), after_hand=False)


def reads(
    face: str, confidence: float = 0.99, doubt: str = "", status: Status = "seen"
) -> SeenTile:
    reading = Reading(Tile.parse(face), confidence, (), doubt)
    return SeenTile(0, reading, np.zeros((4, 2), np.float32), status)


def merged(*tables: tuple[SettledTable, Floats]) -> dict[str, Merged]:
    """What the views come to, by what the tiles show."""
    views = [AlignedView(str(n), n, table, move) for n, (table, move) in enumerate(tables)]
    return {str(one.tile.reading.tile): one for one in merge(views)}


def test_a_tile_that_only_the_other_camera_sees_is_added_in_its_place() -> None:
    found = merged((seen(changes={"K11": None}), SAME), (seen(ACROSS), BACK))
    assert sorted(found) == sorted(FACES.split())
    assert found["K11"].seen_by == ((1, 10),)
    assert found["K10"].seen_by == ((0, 9), (1, 9))
    whole = {str(tile.reading.tile): tile for tile in seen().tiles}
    assert found["K11"].tile.quad_img == pytest.approx(whole["K11"].quad_img, abs=2)


def test_the_plainer_view_of_a_tile_wins_and_the_first_camera_gives_its_place() -> None:
    doubted = seen(changes={"R4": reads("R1", 0.5, "glare"), "O7": reads("O7", status="covered")})
    found = merged((doubted, SAME), (seen(ACROSS), BACK))
    assert sorted(found) == sorted(FACES.split())
    assert {one.tile.status for one in found.values()} == {"seen"}
    assert not any(one.tile.reading.unsure for one in found.values())
    assert np.array_equal(found["R4"].tile.quad_img, doubted.tiles[1].quad_img)


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_views_of_a_face_the_larger_and_less_slanting_one_counts(order: int) -> None:
    large = seen(changes={"R4": reads("R4", 0.97)}), SAME
    small = seen(FAR, {"R4": reads("R4", 0.98)}), np.linalg.inv(FAR).astype(np.float32)
    found = merged(*(large, small)[::order])
    assert found["R4"].tile.reading.confidence == 0.97


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_views_as_good_the_surer_one_counts(order: int) -> None:
    views = [(seen(changes={"R4": reads("R4", chance)}), SAME) for chance in (0.97, 0.98)]
    assert merged(*views[::order])["R4"].tile.reading.confidence == 0.98


def test_two_plain_views_that_disagree_are_asked_about() -> None:
    found = merged((seen(changes={"R4": reads("R1")}), SAME), (seen(ACROSS), BACK))
    unsure = [one for one in found.values() if one.tile.reading.unsure]
    assert [one.seen_by for one in unsure] == [((0, 2), (1, 2))]


def test_a_third_camera_does_not_outvote_one_that_is_sure() -> None:
    other = seen(changes={"R4": reads("R1")})
    found = merged((seen(), SAME), (seen(ACROSS), BACK), (other, SAME))
    assert [str(face) for face, one in found.items() if one.tile.reading.unsure] == ["R4"]


def test_a_persons_word_stands_against_all_cameras() -> None:
    told = seen(changes={"R4": reads("J", 1.0, status="corrected")})
    assert "R4" not in merged((seen(ACROSS), BACK), (told, SAME))


@pytest.mark.parametrize("face", ["R4", "R1"])
def test_a_view_that_lies_askew_adds_no_tile_twice(face: str) -> None:
    askew = SAME + np.array([(0, 0, 12), (0, 0, 24), (0, 0, 0)], np.float32)
    other = seen(changes={"R4": reads(face)})
    found = merge([AlignedView("a", 0, seen(), SAME), AlignedView("b", 1, other, askew)])
    assert len(found) == len(FACES.split())


def test_the_other_copy_of_a_face_is_another_tile_wherever_it_lies() -> None:
    without = {place: face for place, face in LYING.tiles.items() if face != "R4"}
    other = seen(scene=Scene({**without, (700, 400): "R4"}))
    found = merge([AlignedView("a", 0, seen(), SAME), AlignedView("b", 1, other, SAME)])
    assert len(found) == len(FACES.split()) + 1


def test_what_is_only_remembered_counts_until_another_camera_sees_that_it_is_gone() -> None:
    remembers = seen(changes={"O7": reads("O7", status="covered")})
    assert "O7" in merged((remembers, SAME))
    assert "O7" not in merged((remembers, SAME), (seen(ACROSS, {"O7": None}), BACK))


def test_a_doubtful_tile_off_all_others_counts_only_if_no_better_view_shows_none() -> None:
    beside = Scene({**LYING.tiles, (700, 400): "J"})
    doubt = {"J": reads("J", 0.4, "glare")}
    near, far = (seen(), SAME), (seen(FAR), np.linalg.inv(FAR).astype(np.float32))
    assert "J" not in merged(near, (seen(FAR, doubt, beside), far[1]))
    assert "J" in merged((seen(None, doubt, beside), SAME), far)
    assert "J" in merged(near, (seen(FAR, scene=beside), far[1]))


def test_a_doubtful_tile_in_a_row_is_asked_about_though_only_one_camera_sees_it() -> None:
    far = seen(FAR, {"K11": reads("K11", 0.4, "glare")}), np.linalg.inv(FAR).astype(np.float32)
    found = merged((seen(changes={"K11": None}), SAME), far)
    assert found["K11"].tile.reading.unsure


def test_views_are_laid_over_each_other_by_the_tiles_that_both_see() -> None:
    found = align(seen(ACROSS, {"K11": None}), seen(changes={"R4": None}))
    assert found is not None
    quads = seen(ACROSS).tiles[9].quad_img
    assert moved(quads, found) == pytest.approx(seen().tiles[9].quad_img, abs=2)


def test_a_camera_over_another_table_is_not_laid_over() -> None:
    assert align(seen(scene=Scene(row(100, 100, "O1 O2 O3 O4 O5"))), seen()) is None


def test_three_tiles_are_too_few_unless_it_is_known_how_the_cameras_stand() -> None:
    few = Scene(row(500, 120, "B7 K7 O7"))
    assert align(seen(ACROSS, scene=few), seen(scene=few)) is None
    assert align(seen(ACROSS, scene=few), seen(scene=few), BACK) is BACK
    assert align(seen(ACROSS, scene=few), seen(scene=few), SAME) is None
    bare = Scene()
    assert align(seen(scene=bare), seen(scene=bare), BACK) is BACK


def test_a_rack_with_a_run_like_one_of_the_table_is_not_laid_over() -> None:
    rack = Scene(row(200, 300, "R3 R4 R5 R6 K1 O9 B2 B11 J O4"))
    assert align(seen(scene=rack), seen()) is None
