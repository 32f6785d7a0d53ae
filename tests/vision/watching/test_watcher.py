from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import Tile, load_ruleset
from tests.vision.watching.made_scenes import WIDTH_PX, Evening, Scene, faces, row
from vision.doubts import FOREIGN
from vision.types import Readings
from vision.watching import Phase, WatchError, WatchSettings

if TYPE_CHECKING:
    from vision.types import Pixels
    from vision.watching import SeenTile, Sight

TABLE = Scene(
    {
        **row(150, 120, "R3 R4 R5 R6"),
        **row(500, 120, "B7 K7 O7"),
        **row(150, 260, "K9 K10 K11 K12 K13"),
    }
)
TEXT = "R3 R4 R5 R6 | B7 K7 O7 | K9 K10 K11 K12 K13"
END_OF_RUN = (298, 120)
WITH_SEVEN = replace(TABLE, tiles={**TABLE.tiles, END_OF_RUN: "R7"})
OVER_TILES = replace(TABLE, hand=(200, 250))


@pytest.fixture
def evening() -> Evening:
    evening = Evening()
    evening.settle(TABLE)
    return evening


def text(sight: Sight) -> str:
    assert sight.settled is not None
    return str(sight.settled.table)


def fresh(sights: list[Sight]) -> list[Sight]:
    return [sight for sight in sights if sight.fresh]


def tiles(sight: Sight) -> dict[str, SeenTile]:
    assert sight.settled is not None
    return {str(tile.reading.tile): tile for tile in sight.settled.tiles}


def ids(sight: Sight) -> dict[str, int]:
    return {face: tile.id for face, tile in tiles(sight).items()}


def test_a_table_settles_once_it_has_been_still() -> None:
    sights = Evening().show(TABLE, 8)
    assert [sight.phase for sight in sights[:4]] == [Phase.MOVING] * 4
    (settled,) = fresh(sights)
    assert (text(settled), settled.phase) == (TEXT, Phase.STABLE)
    assert settled.settled is not None
    assert settled.settled.verdict.ok is True
    assert not settled.settled.after_hand
    assert {tile.status for tile in settled.settled.tiles} == {"seen"}


def test_layout_counts_the_tiles_of_the_settled_table(evening: Evening) -> None:
    settled = evening.sights[-1].settled
    assert settled is not None
    placed = [
        [settled.tiles[i].reading.tile for i in part.tiles] for part in settled.layout.placed
    ]
    assert " | ".join(" ".join(map(str, part)) for part in placed) == TEXT


def test_a_hand_is_never_read(evening: Evening) -> None:
    asked = evening.reader.asked
    sights = evening.reach(TABLE, WITH_SEVEN, at=(316, 150))
    during = sights[:7]
    assert {sight.phase for sight in during} == {Phase.HAND}
    assert {text(sight) for sight in during} == {TEXT}
    (settled,) = fresh(sights)
    assert text(settled).startswith("R3 R4 R5 R6 R7 |")
    assert settled.settled is not None
    assert settled.settled.after_hand
    assert evening.reader.asked == asked + 2


def test_tiles_that_stay_keep_their_ids(evening: Evening) -> None:
    before = ids(evening.sights[-1])
    after = ids(evening.reach(TABLE, WITH_SEVEN, at=(316, 150))[-1])
    assert {face: after[face] for face in before} == before
    assert after["R7"] not in before.values()


def test_the_verdict_comes_within_a_second_of_five_frames(evening: Evening) -> None:
    sights = evening.reach(TABLE, WITH_SEVEN, at=(316, 150))
    gone = 7  # the first frame without the hand
    assert next(i for i, sight in enumerate(sights) if sight.fresh) - gone <= 5


@pytest.mark.parametrize("place", [(500, 474), (500, 470), (10, 400)])
def test_tiles_laid_close_to_the_pictures_edge_are_no_hand(
    evening: Evening, place: tuple[int, int]
) -> None:
    more = replace(TABLE, tiles={**TABLE.tiles, **row(*place, "B1 B2 B3")})
    sights = evening.reach(TABLE, more, at=place)
    gone = 7  # the first frame without the hand
    assert next(i for i, sight in enumerate(sights) if sight.fresh) - gone <= 5
    assert text(sights[-1]).endswith("B1 B2 B3")


@pytest.mark.parametrize("noise", [0.0, 1.5, 5.0])
def test_unchanged_frames_are_not_read_again(evening: Evening, noise: float) -> None:
    asked = evening.reader.asked
    sights = evening.show(replace(TABLE, noise=noise, quality=35), 12)
    assert evening.reader.asked == asked
    assert {sight.phase for sight in sights} == {Phase.STABLE}
    assert not fresh(sights)


def test_a_drifting_exposure_is_no_change(evening: Evening) -> None:
    asked = evening.reader.asked
    for light in np.linspace(1.0, 0.6, 10):
        sight = evening.show(replace(TABLE, light=float(light)))[0]
        assert sight.phase is Phase.STABLE
    assert evening.reader.asked == asked


def test_a_lamp_switched_off_and_on_changes_nothing(evening: Evening) -> None:
    for light in (0.3, 1.0, 0.3, 1.0):
        sights = evening.show(replace(TABLE, light=light), 6)
        assert not fresh(sights)
        assert {tile.status for tile in tiles(sights[-1]).values()} == {"seen"}


@pytest.mark.parametrize("flicker", [(0.15, 0), (0, 0.15)], ids=["rows", "columns"])
def test_a_table_under_a_flickering_lamp_is_one_that_lies_still(
    flicker: tuple[float, float],
) -> None:
    """A camera held upright has its rows across the picture."""
    evening = Evening()
    lit = [replace(scene, flicker=flicker) for scene in (TABLE, WITH_SEVEN)]
    before = ids(evening.settle(lit[0]))
    assert not fresh(evening.show(lit[0], 12))
    during = [evening.show(replace(lit[0], hand=(316, y)), 1)[0] for y in (420, 280, 150)]
    assert {sight.phase for sight in during} == {Phase.HAND}
    evening.show(replace(lit[1], hand=(316, 300)), 1)
    (settled,) = fresh(evening.show(lit[1], 12))
    assert text(settled).startswith("R3 R4 R5 R6 R7 |")
    assert settled.settled is not None
    assert settled.settled.after_hand
    assert {face: ids(settled)[face] for face in before} == before
    (asked,) = fresh(evening.show(lit[0], 12))
    assert tiles(asked)["R7"].status == "doubtful"


@pytest.mark.parametrize(
    ("seconds", "right_px", "phase"), [(30, 780, Phase.MOVING), (120, 900, Phase.HAND)]
)
def test_a_picture_that_never_comes_to_rest_says_what_to_do(
    evening: Evening, seconds: int, right_px: int, phase: Phase
) -> None:
    """A television, a fan or a lamp that flickers: amid the picture or at its edge."""
    evening.fps = 2  # two minutes are many frames
    swaying = [replace(TABLE, thing=(700, 20, right_px, bottom)) for bottom in (80, 110)]
    frames = round(evening.fps * (seconds + 5) / 2)
    sights = [evening.show(scene)[0] for _ in range(frames) for scene in swaying]
    assert {sight.phase for sight in sights[9:]} == {phase}
    assert {sight.message for sight in sights[: round(evening.fps * (seconds - 5))]} == {""}
    assert "keeps moving" in sights[-1].message
    assert {sight.message for sight in evening.show(TABLE, 12)[-4:]} == {""}


def test_a_shadow_over_the_table_changes_no_tile(evening: Evening) -> None:
    before = ids(evening.sights[-1])
    for edge in range(-60, WIDTH_PX, 60):
        evening.show(replace(TABLE, shade=edge))
    sight = evening.settle(TABLE, 20)
    assert (sight.phase, text(sight), ids(sight)) == (Phase.STABLE, TEXT, before)
    assert {tile.status for tile in tiles(sight).values()} == {"seen"}


@pytest.mark.parametrize("shift", [(25.0, -14.0, 2.0), (-40.0, 20.0, -3.0), (37.0, 0.0, 0.0)])
def test_a_bumped_camera_keeps_every_tile(
    evening: Evening, shift: tuple[float, float, float]
) -> None:
    before = ids(evening.sights[-1])
    bumped = replace(TABLE, shift=shift)
    sights = evening.show(bumped, 10)
    assert Phase.HAND not in {sight.phase for sight in sights}
    (settled,) = fresh(sights)
    assert (text(settled), ids(settled)) == (TEXT, before)
    assert settled.settled is not None
    assert not settled.settled.after_hand
    assert {tile.status for tile in tiles(settled).values()} == {"seen"}
    quad = tiles(settled)["R3"].quad_img
    expected = bumped.readings().quads_img[0]
    assert np.abs(quad - expected).max() < 1


def test_a_move_after_a_bump_is_seen(evening: Evening) -> None:
    shift = (25.0, -14.0, 2.0)
    evening.settle(replace(TABLE, shift=shift))
    sights = evening.reach(
        replace(TABLE, shift=shift), replace(WITH_SEVEN, shift=shift), at=(316, 150)
    )
    assert text(sights[-1]).startswith("R3 R4 R5 R6 R7 |")


@pytest.mark.parametrize("shift", [(25.0, -14.0, 2.0), (-40.0, 20.0, -3.0), (37.0, 0.0, 0.0)])
def test_a_hand_that_bumps_the_camera_is_a_hand(
    evening: Evening, shift: tuple[float, float, float]
) -> None:
    """Whoever reaches over the table knocks against the camera, and plays on."""
    sights = evening.reach(
        replace(TABLE, shift=shift), replace(WITH_SEVEN, shift=shift), at=(316, 150)
    )
    assert Phase.HAND in {sight.phase for sight in sights}
    assert text(sights[-1]).startswith("R3 R4 R5 R6 R7 |")
    assert sights[-1].settled is not None
    assert sights[-1].settled.after_hand
    assert {tile.status for tile in tiles(sights[-1]).values()} == {"seen"}


def test_a_tile_pushed_out_of_the_picture_stays_known() -> None:
    lying = replace(TABLE, tiles={**TABLE.tiles, **row(800, 400, "O1 O2 O3 O4")})
    evening = Evening()
    evening.settle(lying)
    sight = evening.settle(replace(lying, shift=(60.0, 0.0, 0.0)), 10)
    status = {face: tile.status for face, tile in tiles(sight).items()}
    assert (status["O4"], status["O1"]) == ("covered", "seen")


def test_a_hand_at_rest_covers_and_nothing_is_read_under_it(evening: Evening) -> None:
    asked = evening.reader.asked
    sights = evening.show(OVER_TILES, 6)
    assert sights[-1].phase is Phase.COVERED
    assert "K10" in sights[-1].message
    assert tiles(sights[-1])["K10"].status == "covered"
    assert evening.reader.asked == asked
    sights += evening.show(OVER_TILES, 20)
    assert sights[-1].phase is Phase.COVERED
    assert not fresh(sights)
    after = evening.settle(TABLE)
    assert (text(after), after.phase) == (TEXT, Phase.STABLE)
    assert tiles(after)["K10"].status == "seen"


@dataclass(frozen=True)
class Rimmed(Scene):
    """A picture with a few black lines along its edge, as some cameras leave them."""

    rim_px: int = 0

    def pixels(self, seed: int = 0) -> Pixels:
        pixels, rim = super().pixels(seed), self.rim_px
        pixels[:rim] = pixels[-rim:] = pixels[:, :rim] = pixels[:, -rim:] = 0
        return pixels


@pytest.mark.parametrize("rim_px", [1, 2, 5, 12])
def test_a_hand_at_rest_is_one_where_the_picture_has_a_black_rim(rim_px: int) -> None:
    evening, table = Evening(), Rimmed(TABLE.tiles, rim_px=rim_px)
    assert text(evening.settle(table)) == TEXT
    asked = evening.reader.asked
    sights = evening.show(replace(table, hand=OVER_TILES.hand), 6)
    assert [sight.phase for sight in sights[::5]] == [Phase.HAND, Phase.COVERED]
    assert evening.reader.asked == asked


@pytest.mark.parametrize("place", [(611, 120), (400, 300)])
def test_what_a_hand_held_for_long_and_took_away_again_is_gone(place: tuple[int, int]) -> None:
    """The place of an arm that rested beside a tile looks different once it is gone."""
    table = Scene({**row(150, 120, "R3 R4 R5 R6"), **row(500, 120, "B7 K7 O7")})
    left, top = place
    held, taken = (
        replace(table, tiles={**table.tiles, (left, y): "R7"}, hand=(left + 18, y + 75))
        for y in (top, 410)
    )
    evening = Evening()
    before = evening.settle(table)
    evening.show(taken)
    assert "R7" in text(evening.show(held, 60)[-1])
    evening.show(taken)
    after = evening.settle(table)
    assert (after.phase, text(after), ids(after)) == (Phase.STABLE, text(before), ids(before))


def test_a_thing_put_on_tiles_covers_them(evening: Evening) -> None:
    before = ids(evening.sights[-1])
    covered = replace(TABLE, thing=(130, 240, 345, 420))
    sights = evening.show(covered, 20)
    assert sights[-1].phase is Phase.COVERED
    assert not fresh(sights)
    assert tiles(sights[-1])["K13"].status == "covered"
    assert tiles(sights[-1])["R3"].status == "seen"
    assert ids(evening.settle(TABLE)) == before


def test_a_thing_put_beside_tiles_does_not_matter(evening: Evening) -> None:
    beside = replace(TABLE, thing=(600, 300, 760, 420))
    sight = evening.settle(beside, 20)
    assert (sight.phase, text(sight)) == (Phase.STABLE, TEXT)


def test_a_tile_taken_away_beside_a_thing_is_gone(evening: Evening) -> None:
    rest = {place: face for place, face in TABLE.tiles.items() if face != "K13"}
    after = Scene(rest, thing=(345, 240, 500, 420))
    sights = evening.reach(TABLE, after, at=(316, 280))
    assert text(evening.settle(after, 16)).endswith("| K9 K10 K11 K12"), sights[-1].message


def test_a_tile_that_changed_without_a_hand_is_asked_about(evening: Evening) -> None:
    changed = replace(TABLE, tiles={**TABLE.tiles, (150, 120): "B9"})
    (settled,) = fresh(evening.show(changed, 8))
    assert settled.settled is not None
    assert not settled.settled.after_hand
    (asked,) = [tile for tile in settled.settled.tiles if tile.status == "doubtful"]
    assert asked.reading.unsure
    assert "Blue 9" in asked.reading.doubt
    named = {asked.reading.tile, *(face for face, _ in asked.reading.alternatives)}
    assert {Tile.parse("R3"), Tile.parse("B9")} <= named


def test_a_tile_that_vanished_without_a_hand_is_asked_about(evening: Evening) -> None:
    left = {place: face for place, face in TABLE.tiles.items() if face != "O7"}
    sight = evening.settle(replace(TABLE, tiles=left))
    assert text(sight) == TEXT
    assert tiles(sight)["O7"].status == "doubtful"
    assert "Orange 7" in tiles(sight)["O7"].reading.doubt
    assert {tile.status for tile in tiles(evening.settle(TABLE)).values()} == {"seen"}


def test_a_tile_that_appeared_without_a_hand_is_asked_about(evening: Evening) -> None:
    sight = evening.settle(WITH_SEVEN)
    assert tiles(sight)["R7"].status == "doubtful"


def test_black_pictures_are_lost_and_come_back(evening: Evening) -> None:
    before = evening.sights[-1].settled
    sights = evening.show(replace(TABLE, light=0.0, noise=0.5), 4)
    assert {sight.phase for sight in sights} == {Phase.LOST}
    assert "black" in sights[-1].message
    sight = evening.settle(TABLE)
    assert sight.phase is Phase.STABLE
    assert sight.settled is before


def test_the_dark_is_no_time_in_which_something_held_still(evening: Evening) -> None:
    plain = Scene({}, plain=(90, 90, 90))
    assert evening.show(plain)[-1].phase is Phase.LOST
    evening.show(replace(TABLE, light=0.0, noise=0.5), 60)
    sights = evening.show(plain, 5)
    assert {sight.phase for sight in sights} == {Phase.LOST}


def test_a_camera_that_shows_something_else_is_lost(evening: Evening) -> None:
    elsewhere = Scene({}, shift=(0.0, 0.0, 150.0), thing=(0, 0, 700, 500))
    sights = evening.show(elsewhere, 25)
    assert not fresh(sights)
    assert sights[-1].phase in {Phase.LOST, Phase.COVERED}
    sight = evening.settle(TABLE, 20)
    assert (sight.phase, text(sight)) == (Phase.STABLE, TEXT)


def test_frames_outvote_a_slip() -> None:
    evening = Evening(settings=WatchSettings(least_votes=3, most_votes=3))

    def slip(asked: int, readings: Readings) -> Readings:
        if asked != 2:
            return readings
        doubted = replace(
            readings.readings[0], tile=Tile.parse("R8"), confidence=0.5, doubt="glare"
        )
        return Readings(readings.quads_img, (doubted, *readings.readings[1:]))

    evening.reader.misread = slip
    sight = evening.settle(TABLE)
    assert (text(sight), tiles(sight)["R3"].status) == (TEXT, "seen")
    assert not tiles(sight)["R3"].reading.unsure


def test_a_slow_machine_finds_tiles_once_and_reads_them_twice() -> None:
    evening = Evening(settings=WatchSettings(fast_detection_s=-1.0))
    assert text(evening.settle(TABLE)) == TEXT
    assert evening.reader.asked == 1


def test_a_correction_stays_until_the_tile_moves(evening: Evening) -> None:
    number = ids(evening.sights[-1])["R3"]
    settled = evening.watcher.correct({number: Tile.parse("R2")})
    assert str(settled.table).startswith("R2 R4")
    sight = evening.reach(TABLE, WITH_SEVEN, at=(316, 150))[-1]
    assert text(sight).startswith("R2 R4 R5 R6 R7")
    assert tiles(sight)["R2"].status == "corrected"
    moved = {place: face for place, face in WITH_SEVEN.tiles.items() if face != "R3"}
    after = Scene({**moved, (700, 300): "R3"})
    sight = evening.reach(WITH_SEVEN, after, at=(168, 150))[-1]
    assert text(sight) == "R4 R5 R6 R7 | B7 K7 O7 | K9 K10 K11 K12 K13 | R3"


def test_a_tile_that_is_none_stays_away_until_it_moves(evening: Evening) -> None:
    settled = evening.watcher.correct({ids(evening.sights[-1])["O7"]: None})
    assert len(settled.tiles) == 11
    sight = evening.reach(TABLE, WITH_SEVEN, at=(316, 150))[-1]
    assert faces(sight).count("O7") == 0


@pytest.mark.parametrize(("doubt", "asked"), [(FOREIGN, 0), ("", 1)], ids=["thing", "tile"])
def test_a_thing_that_is_no_tile_is_pushed_aside_and_not_asked_about_again(
    evening: Evening, doubt: str, asked: int
) -> None:
    def unlike(_: int, readings: Readings) -> Readings:
        found = [
            replace(seen, doubt=doubt) if str(seen.tile) == "O1" else seen
            for seen in readings.readings
        ]
        return replace(readings, readings=tuple(found))

    def lying(left: int) -> Scene:
        return replace(TABLE, tiles={**TABLE.tiles, (left, 400): "O1"})

    evening.reader.misread = unlike
    sight = evening.reach(TABLE, lying(600), at=(618, 430))[-1]
    evening.watcher.correct({ids(sight)["O1"]: None})
    for before, after in ((600, 645), (645, 560)):
        sight = evening.reach(lying(before), lying(after), at=(618, 430))[-1]
        assert (faces(sight).count("O1"), len(faces(sight))) == (asked, 12 + asked)


def test_what_lies_where_a_tile_is_none_hides_nothing(evening: Evening) -> None:
    evening.watcher.correct({ids(evening.sights[-1])["O7"]: None})
    (place,) = (place for place, face in TABLE.tiles.items() if face == "O7")
    left, top = place
    cup = replace(TABLE, thing=(left - 3, top - 40, left + 90, top + 70))
    sight = evening.settle(cup, 45)
    assert (sight.phase, faces(sight).count("O7")) == (Phase.STABLE, 0), sight.message
    assert faces(evening.settle(TABLE, 45)).count("O7") == 0


def test_a_tile_that_was_not_seen_can_be_added(evening: Evening) -> None:
    quad = np.array([(298, 120), (334, 120), (334, 172), (298, 172)], np.float32)
    settled = evening.watcher.add(quad, Tile.parse("R7"))
    assert str(settled.table).startswith("R3 R4 R5 R6 R7 |")
    moved = replace(TABLE, tiles={**TABLE.tiles, (611, 120): "R7"})
    assert text(evening.reach(TABLE, moved, at=(630, 150))[-1]).startswith("R3 R4 R5 R6 R7 |")


def test_several_words_are_judged_once_or_none_counts(evening: Evening) -> None:
    before = evening.sights[-1].settled
    assert before is not None
    number = ids(evening.sights[-1])
    with pytest.raises(WatchError, match="999"):
        evening.watcher.correct({number["R3"]: None, 999: None})
    settled = evening.watcher.correct({number["R6"]: None, number["O7"]: Tile.parse("R7")})
    assert str(settled.table) == "R3 R4 R5 | B7 K7 R7 | K9 K10 K11 K12 K13"
    assert settled.number == before.number + 1


def test_what_a_person_says_is_checked(evening: Evening) -> None:
    with pytest.raises(WatchError, match="999"):
        evening.watcher.correct({999: None})
    with pytest.raises(WatchError, match="shape"):
        evening.watcher.add(np.zeros((3, 2), np.float32), Tile.parse("R7"))
    with pytest.raises(WatchError, match="no table"):
        Evening().watcher.add(np.zeros((4, 2), np.float32), Tile.parse("R7"))


def test_other_rules_judge_the_same_table(evening: Evening) -> None:
    settled = evening.watcher.use_rules(load_ruleset("crazy"))
    assert settled is not None
    assert len(settled.tiles) == 12
    assert Evening().watcher.use_rules(load_ruleset("crazy")) is None


def test_an_empty_table_settles_too() -> None:
    sight = Evening().settle(Scene())
    assert (sight.phase, text(sight)) == (Phase.STABLE, "")


def test_settings_are_checked() -> None:
    with pytest.raises(ValueError, match="least_votes"):
        WatchSettings(least_votes=3, most_votes=2)


SCENES = st.builds(
    lambda hand, light, shift, seven: replace(
        WITH_SEVEN if seven else TABLE, hand=hand, light=light, shift=shift
    ),
    st.none() | st.tuples(st.integers(60, 900), st.integers(60, 500)),
    st.sampled_from([1.0, 1.0, 0.5]),
    st.sampled_from([(0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (30.0, 12.0, 1.0)]),
    st.booleans(),
)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(SCENES, st.integers(1, 5)), min_size=1, max_size=6))
def test_only_a_still_table_ever_settles(played: list[tuple[Scene, int]]) -> None:
    evening = Evening()
    for scene, frames in played:
        at_rest: int | None = None
        for _ in range(frames):
            (sight,) = evening.show(scene)
            assert sight.phase is Phase.STABLE or not sight.fresh
            if at_rest is not None:  # frames that show the same cost no reading
                assert evening.reader.asked == at_rest
            at_rest = evening.reader.asked if sight.phase is Phase.STABLE else None
    numbers = [sight.settled.number for sight in evening.sights if sight.settled]
    assert numbers == sorted(numbers)
