"""A table that was cleared is empty, and one that cannot be seen is not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.vision.watching.made_scenes import Evening, Scene, row
from vision.recordings import bundled_recordings, frames_of, load_recording
from vision.watching import Phase
from vision.watching.bare import is_bare
from vision.watching.glance import Glance

if TYPE_CHECKING:
    from vision.watching import Sight

FULL = {
    **row(150, 120, "R3 R4 R5 R6"),
    **row(500, 120, "B7 K7 O7"),
    **row(150, 260, "K9 K10 K11 K12 K13"),
}
NEW = row(150, 120, "R3 R4 R5")
GRAIN, BROWN, WHITE = None, (70, 105, 140), (225, 230, 232)
LONG = 60  # frames, 12 seconds


def text(sight: Sight) -> str:
    assert sight.settled is not None
    return str(sight.settled.table)


def fresh(sights: list[Sight]) -> list[Sight]:
    return [sight for sight in sights if sight.fresh]


@pytest.fixture(params=[GRAIN, BROWN, WHITE], ids=["grain", "brown", "white"])
def plain(request: pytest.FixtureRequest) -> Scene:
    return Scene(plain=request.param)


@pytest.fixture
def full(plain: Scene) -> Scene:
    return replace(plain, tiles=FULL)


@pytest.fixture
def evening(full: Scene) -> Evening:
    evening = Evening()
    evening.settle(full)
    return evening


def test_a_table_that_hands_cleared_is_empty(evening: Evening, full: Scene, plain: Scene) -> None:
    sights = evening.reach(full, plain) + evening.show(plain, LONG)
    (settled,) = fresh(sights)
    assert settled.settled is not None
    assert (text(settled), settled.phase, settled.settled.after_hand) == ("", Phase.STABLE, True)
    laid = replace(plain, tiles=NEW)
    assert text(evening.reach(plain, laid, at=(200, 150))[-1]) == "R3 R4 R5"


@pytest.mark.parametrize("left", ["R3 R4 R5 R6", "R3"])
def test_what_is_left_where_most_tiles_were_taken_is_read_at_once(
    evening: Evening, full: Scene, plain: Scene, left: str
) -> None:
    sights = evening.reach(full, replace(plain, tiles=row(150, 120, left)))
    assert Phase.LOST not in {sight.phase for sight in sights}
    assert text(sights[-1]) == left


def test_a_table_that_was_cleared_unseen_is_empty(evening: Evening, plain: Scene) -> None:
    before = text(evening.sights[-1])
    sights = evening.show(plain, 10)
    assert not fresh(sights)
    assert text(sights[-1]) == before
    (settled,) = fresh(evening.show(plain, LONG))
    assert settled.settled is not None
    assert (text(settled), settled.phase, settled.settled.after_hand) == ("", Phase.STABLE, False)
    laid = replace(plain, tiles=NEW)
    assert text(evening.reach(plain, laid, at=(200, 150))[-1]) == "R3 R4 R5"


def test_a_table_that_was_cleared_in_the_dark_is_empty(
    evening: Evening, full: Scene, plain: Scene
) -> None:
    evening.show(replace(full, light=0.0, noise=0.5), 5)
    sight = evening.settle(replace(plain, light=0.8), LONG)
    assert (text(sight), sight.phase) == ("", Phase.STABLE)


def test_a_few_tiles_laid_unseen_on_a_cleared_table_are_read(
    evening: Evening, plain: Scene
) -> None:
    sight = evening.settle(replace(plain, tiles=row(600, 400, "O1 O2 O3")), LONG)
    assert (text(sight), sight.phase) == ("O1 O2 O3", Phase.STABLE)
    assert sight.settled is not None
    assert not sight.settled.after_hand


@pytest.mark.parametrize("blur_px", [5.0, 25.0])
def test_a_picture_out_of_focus_is_no_cleared_table(
    evening: Evening, full: Scene, blur_px: float
) -> None:
    before = text(evening.sights[-1])
    sights = evening.show(replace(full, blur_px=blur_px), LONG)
    assert {text(sight) for sight in sights} == {before}
    sight = evening.settle(full, 20)
    assert (text(sight), sight.phase) == (before, Phase.STABLE)


@pytest.mark.parametrize(
    ("colour", "hand"), [((120, 150, 205), True), ((90, 90, 90), False)], ids=["hand", "cap"]
)
def test_a_lens_that_is_covered_shows_no_cleared_table(
    evening: Evening, full: Scene, colour: tuple[int, int, int], *, hand: bool
) -> None:
    before = text(evening.sights[-1])
    if hand:
        evening.show(replace(full, hand=(480, 480)))
        evening.show(replace(full, hand=(480, 300)))
    sights = evening.show(Scene(plain=colour), LONG)
    assert {text(sight) for sight in sights} == {before}
    sight = evening.settle(full, 20)
    assert (text(sight), sight.phase) == (before, Phase.STABLE)


def test_a_few_tiles_that_vanish_are_asked_about(plain: Scene) -> None:
    evening = Evening()
    evening.settle(replace(plain, tiles=NEW))
    sight = evening.settle(plain, LONG)
    assert sight.settled is not None
    assert {tile.status for tile in sight.settled.tiles} == {"doubtful"}


def test_a_filmed_table_is_bare_where_and_only_where_nothing_lies() -> None:
    path = bundled_recordings()["keadle"]
    recording = load_recording(path)
    stills = {(still.from_frame + still.to_frame) // 2: still for still in recording.stills}
    frames = enumerate(frames_of(path.parent / recording.video))
    seen = {number: Glance.of(pixels, 320) for number, pixels in frames if number in stills}
    empty = {number for number, still in stills.items() if not still.tiles}
    full = [number for number, still in stills.items() if len(still.tiles) > 8]
    assert empty
    assert full
    for before in full:
        quads = np.array([tile.quad for tile in stills[before].tiles], np.float32)
        bare = {number for number in seen if is_bare(seen[before], quads, seen[number])}
        assert empty <= bare
        assert not bare & set(full)


def test_where_no_tile_lay_nothing_was_cleared() -> None:
    glance = Glance.of(Scene().pixels(), 320)
    assert not is_bare(glance, np.zeros((0, 4, 2), np.float32), glance)
