"""Racks that a person told to leave out: what stands there is none of the table's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import Tile
from tests.vision.watching.made_scenes import HEIGHT_PX, WIDTH_PX, Evening, Scene, faces, row
from vision.types import Reading
from vision.watching import Phase, WatchError
from vision.watching.ballot import Place
from vision.watching.left_out import LeftOut

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vision.types import Floats
    from vision.watching import Sight

LYING = {**row(150, 100, "R3 R4 R5 R6"), **row(500, 100, "B7 K7 O7")}
TEXT = "R3 R4 R5 R6 | B7 K7 O7"
TOP, BOTTOM = 330, 400
RACK = {**row(300, TOP, "O2 K9 B4 R13 K1"), **row(300, BOTTOM, "R9 O4 K12 B1")}


def table(*tiles: Mapping[tuple[int, int], str]) -> Scene:
    return Scene({place: face for some in tiles for place, face in some.items()})


def text(sight: Sight) -> str:
    assert sight.settled is not None
    return str(sight.settled.table)


@pytest.fixture
def evening() -> Evening:
    evening = Evening()
    told(evening, evening.settle(table(LYING, RACK)), RACK.values())
    return evening


def told(evening: Evening, sight: Sight, rack: Collection[str]) -> None:
    assert sight.settled is not None
    numbers = [tile.id for tile in sight.settled.tiles if str(tile.reading.tile) in rack]
    settled = evening.watcher.leave_out(numbers)
    assert str(settled.table) == TEXT
    assert len(settled.left_out_img) == len(rack)


def test_what_is_on_a_rack_is_left_out_however_it_changes(evening: Evening) -> None:
    """Turn for turn tiles are taken from it and put on it, between the others, too."""
    before = table(LYING, RACK)
    fewer = {**row(318, TOP, "O2 K9 R13"), **row(300, BOTTOM, "R9 O4 J B1")}
    other = {**row(300, TOP, "O3 O4 O5 B9 K1"), **row(330, BOTTOM, "B2")}
    for rack in (fewer, other, RACK):
        now = table(LYING, rack)
        sights = evening.reach(before, now, at=(380, 380))
        assert text(sights[-1]) == TEXT
        assert sights[-1].phase is Phase.STABLE
        before = now


def test_what_is_laid_before_a_rack_counts(evening: Evening) -> None:
    laid = {**LYING, **row(300, 250, "K9 K10 K11"), **row(600, TOP, "R1 B1 O1")}
    sight = evening.reach(table(LYING, RACK), table(laid, RACK), at=(340, 300))[-1]
    assert text(sight) == f"{TEXT} | K9 K10 K11 | R1 B1 O1"


def test_where_a_rack_was_taken_away_tiles_count_again(evening: Evening) -> None:
    sight = evening.reach(table(LYING, RACK), table(LYING), at=(380, 380))[-1]
    assert sight.settled is not None
    assert len(sight.settled.left_out_img) == 0
    laid = {**LYING, **row(300, TOP, "K9 K10 K11")}
    assert text(evening.reach(table(LYING), table(laid), at=(340, 380))[-1]) == (
        f"{TEXT} | K9 K10 K11"
    )


def test_of_two_racks_the_one_that_stays_is_left_out(evening: Evening) -> None:
    other = row(700, TOP, "B13 O9 K2")
    both = table(LYING, RACK, other)
    told_of = evening.reach(table(LYING, RACK), both, at=(718, 400))[-1]
    assert told_of.settled is not None
    here = [tile.id for tile in told_of.settled.tiles if str(tile.reading.tile) in other.values()]
    evening.watcher.leave_out(here)
    sight = evening.reach(both, table(LYING, other), at=(380, 380))[-1]
    assert text(sight) == TEXT
    assert sight.settled is not None
    assert len(sight.settled.left_out_img) == len(other)


def test_a_bumped_camera_leaves_the_rack_out_where_it_sees_it_now(evening: Evening) -> None:
    moved = replace(table(LYING, RACK), shift=(14.0, 9.0, 2.0))
    sight = evening.settle(moved, 12)
    assert text(sight) == TEXT
    fewer = {place: face for place, face in RACK.items() if face != "O2"}
    after = replace(table(LYING, fewer), shift=(14.0, 9.0, 2.0))
    assert text(evening.reach(moved, after, at=(380, 380))[-1]) == TEXT


def test_a_rack_counts_as_the_tables_again_if_a_person_says_so(evening: Evening) -> None:
    evening.watcher.leave_nothing_out()
    sight = evening.settle(table(LYING, RACK))
    assert sorted(faces(sight)) == sorted([*LYING.values(), *RACK.values()])
    assert sight.settled is not None
    assert {tile.status for tile in sight.settled.tiles} == {"seen"}
    assert Evening().watcher.leave_nothing_out() is None


def test_a_word_that_cannot_be_kept_leaves_nothing_out() -> None:
    evening = Evening()
    before = evening.settle(table(LYING, RACK)).settled
    assert before is not None
    mark = evening.watcher.mark()
    evening.watcher.leave_out([tile.id for tile in before.tiles])
    evening.watcher.go_back(mark)
    sight = evening.reach(table(LYING, RACK), table(LYING, RACK), at=(380, 380))[-1]
    assert len(faces(sight)) == len(before.tiles)
    with pytest.raises(WatchError, match="999"):
        evening.watcher.leave_out([before.tiles[0].id, 999])
    assert len(faces(evening.sights[-1])) == len(before.tiles)


def test_another_picture_leaves_nothing_out(evening: Evening) -> None:
    """From elsewhere a rack is seen in other places, and what lies there may be a set."""
    turned = Scene(
        table(LYING, RACK).tiles,
        seen_from=((0.0, -1.0, HEIGHT_PX - 1.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        size_px=(HEIGHT_PX, WIDTH_PX),
    )
    sight = evening.settle(turned)
    assert len(faces(sight)) == len(LYING) + len(RACK)


def quads(*places: tuple[float, float]) -> Floats:
    corners = np.array([(0, 0), (40, 0), (40, 56), (0, 56)], np.float32)
    return np.array([corners + place for place in places], np.float32)


@pytest.mark.parametrize(
    ("place", "on_it"),
    [((20, 0), True), ((0, 25), True), ((40, 0), False), ((0, 56), False), ((0, -60), False)],
)
def test_what_stands_a_little_aside_stands_on_the_rack(
    place: tuple[float, float], *, on_it: bool
) -> None:
    assert LeftOut(quads((0, 0))).holds(quads(place)).tolist() == [on_it]


def test_a_tile_on_a_rack_vouches_for_all_that_stands_beside_it() -> None:
    rack, other = [(42.0 * i, 0.0) for i in range(6)], [(600.0, 0.0), (642.0, 0.0)]
    left_out = LeftOut(quads(*rack, *other))
    seen = [Place([quad], [Reading(Tile.parse("R5"), 1.0)]) for quad in quads((0, 0))]
    assert len(left_out.still_there(seen).quads_img) == len(rack)
    assert not left_out.still_there([])
    assert LeftOut().parted(seen) == (tuple(seen), ())
