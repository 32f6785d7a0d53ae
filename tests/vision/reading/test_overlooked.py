"""Tiles that were not found, beside others of their rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import load_ruleset
from referee.verdicts import Status
from tests.fakes import TILE_HEIGHT_PX, TILE_WIDTH_PX, FakeDetector, quad_at, sure
from vision.doubts import CROWDED, FOREIGN, LARGER, SMALLER, UNREADABLE
from vision.pipeline import TableReader
from vision.reading.overlooked import FAINT, look_again, next_in_rows
from vision.types import Detections, Reading, Readings

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

TABLE = np.zeros((480, 800, 3), np.uint8)
STEP = TILE_WIDTH_PX + 2
ASTRAY = 0.3  # steps: what is that far from a tile reads as none


@dataclass
class Places:
    """Reads what lies at a place, found or not."""

    faces: dict[int, str]
    network_ms: float = 0.0
    asked: int = 0

    def quads(self, *places: int) -> Floats:
        return np.array([quad_at(100 + place * STEP, 200) for place in places], np.float32)

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        assert pixels is TABLE
        self.asked += len(detections)
        quads, readings = [], []
        for quad in detections.quads_img:
            steps = float(quad[0, 0] - 100) / STEP
            place = round(steps)
            if place in self.faces and abs(steps - place) < ASTRAY:
                quads.append(quad)
                readings.append(sure(self.faces[place]))
        return Readings(np.array(quads, np.float32).reshape(-1, 4, 2), tuple(readings))


def seen(places: Places, *found: int) -> Readings:
    return Readings(places.quads(*found), tuple(sure(places.faces[place]) for place in found))


def hints(quads: Floats) -> Floats:
    return np.asarray(quads.mean(1) + np.float32(0.2 * TILE_WIDTH_PX))


def tangled(places: Places, *, doubt: str = UNREADABLE, confidence: float = 0.3) -> Readings:
    """Return a row of three, and beside it the places 0 and 1 taken for one tile."""
    both = places.quads(0)
    both[:, 1:3] = places.quads(1)[:, 1:3]
    tangle = replace(sure("R1"), confidence=confidence, doubt=doubt)
    row = seen(places, 2, 3, 4)
    return Readings(np.concatenate([row.quads_img, both]), (*row.readings, tangle))


def grow(
    places: Places, before: Readings, seen_a_little: Floats, *others: Floats
) -> tuple[Floats, Floats]:
    """Look for tiles; `others` are boxes that were found and in which nothing is read."""

    def read(quads: Floats) -> Readings:
        return places.read(TABLE, Detections(quads, np.zeros(len(quads), np.float32)))

    boxes = np.concatenate([before.quads_img, *others])
    found = Detections(boxes, np.ones(len(boxes), np.float32), seen_a_little)
    kept, missed = next_in_rows(before, found, read)
    return before.quads_img[kept], missed


@pytest.mark.parametrize("found", [(0, 1, 2), (2, 3, 4), (0, 1, 4)])
def test_tiles_that_go_on_a_row_are_found_one_after_another(found: tuple[int, ...]) -> None:
    places = Places({place: f"R{place + 1}" for place in range(5)})
    lost = [place for place in range(5) if place not in found]
    kept, missed = grow(places, seen(places, *found), hints(places.quads(*lost)))
    assert len(kept) == len(found)
    order = np.argsort(missed[:, 0, 0])
    np.testing.assert_allclose(missed[order], places.quads(*lost), atol=4)


@pytest.mark.parametrize("side", [-1, 1])
def test_tiles_that_go_on_a_column_are_found(side: int) -> None:
    """A column crosses a row; one tile of it is not found, above or below the others."""
    places = Places({1: "R1"})
    down = np.array([0, 1.05 * TILE_HEIGHT_PX], np.float32)
    column = [places.quads(1) + side * k * down for k in range(4)]
    row = places.quads(0, 1, 2)
    quads = np.concatenate([row[[0, 2]], *column[:3]])
    before = Readings(quads, tuple(sure(f"R{k + 1}") for k in range(len(quads))))
    _, missed = grow(places, before, hints(column[3]))
    np.testing.assert_allclose(missed, column[3], atol=1)
    _, missed = grow(places, before, hints(row[[2]] + down))
    assert len(missed) == 0


def test_without_a_hint_no_tile_is_looked_for_beside_a_row() -> None:
    places = Places({place: f"R{place + 1}" for place in range(5)})
    before = seen(places, 0, 1, 2)
    for seen_a_little in (np.zeros((0, 2), np.float32), hints(places.quads(0, 1, 2, 8))):
        kept, missed = grow(places, before, seen_a_little)
        np.testing.assert_array_equal(kept, before.quads_img)
        assert len(missed) == 0
    assert places.asked == 0


@pytest.mark.parametrize(
    ("doubt", "confidence"), [(UNREADABLE, 0.3), (CROWDED, 0.98), (LARGER, 0.98), (FOREIGN, 0.98)]
)
def test_two_tiles_that_were_taken_for_one_come_apart(doubt: str, confidence: float) -> None:
    places = Places({place: f"R{place + 1}" for place in range(5)})
    before = tangled(places, doubt=doubt, confidence=confidence)
    kept, missed = grow(places, before, hints(places.quads(0, 1)))
    np.testing.assert_array_equal(kept, places.quads(2, 3, 4))
    np.testing.assert_allclose(missed, places.quads(1, 0), atol=1)


def test_a_tile_whose_figures_were_taken_for_two_comes_together() -> None:
    places = Places({1: "R11", 2: "R12", 3: "R13"})
    [whole] = places.quads(1)
    middle = (whole[:2].mean(0), whole[2:].mean(0))
    halves = [(whole[0], middle[0], middle[1], whole[3]), (middle[0], *whole[1:3], middle[1])]
    half = replace(sure("R1"), confidence=0.8, doubt=SMALLER)
    row = seen(places, 2, 3)
    quads = np.concatenate([row.quads_img, np.array(halves, np.float32)])
    before = Readings(quads, (*row.readings, half, half))
    kept, missed = grow(places, before, np.asarray(quads[2:].mean(1)))
    np.testing.assert_array_equal(kept, places.quads(2, 3))
    np.testing.assert_allclose(missed, places.quads(1), atol=1)


@pytest.mark.parametrize("parts", [((0, 0.5),), ((0.45, 1),), ((0, 0.6), (0.5, 1))])
def test_a_set_of_which_only_figures_were_found_comes_together(
    parts: tuple[tuple[float, float], ...],
) -> None:
    """Three elevens that nothing lies beside, each found by halves: no row leads there."""
    places = Places({0: "R1", 1: "R2", 2: "R3", 6: "K11", 7: "B11", 8: "O11"})
    whole = places.quads(6, 7, 8)
    width = whole[:, 1] - whole[:, 0]
    halves = [np.stack([whole[:, 0] + a * width, whole[:, 0] + b * width], 1) for a, b in parts]
    tall = whole[0, 3] - whole[0, 0]
    boxes = [np.concatenate([top, top[:, ::-1] + tall], 1) for top in halves]
    before = seen(places, 0, 1, 2)
    kept, missed = grow(places, before, np.concatenate(boxes).mean(1), *boxes)
    np.testing.assert_array_equal(kept, before.quads_img)
    np.testing.assert_allclose(missed[np.argsort(missed[:, 0, 0])], whole, atol=8)


def test_what_is_narrow_and_reads_as_nothing_stays_unread() -> None:
    places = Places({0: "R1", 1: "R2", 2: "R3"})
    narrow = places.quads(6)
    narrow[:, 1:3] -= np.array((TILE_WIDTH_PX / 2, 0), np.float32)
    _, missed = grow(places, seen(places, 0, 1, 2), narrow.mean(1), narrow)
    assert places.asked == 2
    assert len(missed) == 0


def test_what_may_still_hold_another_tile_stays_in_doubt() -> None:
    """A joker and a 2 were taken for one tile, and the 2 alone is found."""
    places = Places({0: "J", 1: "R2", 2: "R3", 3: "R4", 4: "R5"})
    before = tangled(places)
    kept, missed = grow(places, before, hints(places.quads(0, 1)))
    np.testing.assert_array_equal(kept, before.quads_img)
    np.testing.assert_allclose(missed, places.quads(1), atol=1)


@pytest.mark.parametrize(("off", "stays"), [((0.1, -0.3), False), ((0.5, 0), True)])
def test_a_tile_found_beside_itself_is_found_once(
    off: tuple[float, float], *, stays: bool
) -> None:
    """Half a width away its box may hold half of another tile, which was not found."""
    places = Places({1: "R2", 2: "R3", 3: "R4", 4: "R5"})
    height = np.linalg.norm(places.quads(1)[0, 3] - places.quads(1)[0, 0])
    astray = places.quads(1) - np.array(off, np.float32) * np.array((TILE_WIDTH_PX, -height))
    half = replace(sure("R2"), confidence=0.3, doubt=UNREADABLE)
    row = seen(places, 2, 3, 4)
    before = Readings(
        np.concatenate([row.quads_img, astray.astype(np.float32)]), (*row.readings, half)
    )
    kept, missed = grow(places, before, hints(places.quads(1)))
    np.testing.assert_array_equal(kept, before.quads_img if stays else row.quads_img)
    np.testing.assert_allclose(missed, places.quads(1), atol=1)


def test_what_cannot_be_read_stays_in_doubt_where_no_tile_is_found_in_its_place() -> None:
    places = Places({2: "R3", 3: "R4", 4: "R5"})
    covered = replace(sure("R2"), confidence=0.01, doubt=UNREADABLE)
    row = seen(places, 2, 3, 4)
    before = Readings(np.concatenate([row.quads_img, places.quads(1)]), (*row.readings, covered))
    kept, missed = grow(places, before, hints(places.quads(1)))
    np.testing.assert_array_equal(kept, before.quads_img)
    assert len(missed) == 0
    assert places.asked == 1


@pytest.mark.parametrize("change", ["jumps", "grows", "hardly reads", "is a joker"])
def test_what_is_found_beside_a_row_has_to_lie_there_and_to_be_a_tile(change: str) -> None:
    places = Places({place: f"R{place + 1}" for place in range(4)})

    class Astray(Places):
        def read(self, pixels: Pixels, detections: Detections) -> Readings:
            found = super().read(pixels, detections)
            quads, readings = found.quads_img, found.readings
            if change == "jumps":
                quads = quads + np.float32(0.5 * TILE_WIDTH_PX)
            elif change == "grows":
                quads = quads.mean(1, keepdims=True) + 1.4 * (quads - quads.mean(1, keepdims=True))
            elif change == "is a joker":
                readings = tuple(sure("J") for _ in readings)
            else:
                readings = tuple(replace(one, confidence=0.5) for one in readings)
            return Readings(quads.astype(np.float32), readings)

    _, missed = grow(Astray(places.faces), seen(places, 0, 1, 2), hints(places.quads(3)))
    assert len(missed) == 0


@pytest.mark.parametrize("missed", [0, 1, 2])
def test_a_tile_missed_beside_a_short_row_is_asked_about(missed: int) -> None:
    places = Places({0: "B7", 1: "K7", 2: "R7"})
    before = seen(places, *(place for place in range(3) if place != missed))
    after = look_again(TABLE, before, places)
    assert after.readings[:2] == before.readings
    assert [(str(r.tile), r.doubt) for r in after.readings[2:]] == [(places.faces[missed], FAINT)]


def test_rows_that_are_long_enough_are_not_looked_beside() -> None:
    places = Places({place: f"R{place + 1}" for place in range(4)})
    before = seen(places, 0, 1, 2)
    assert look_again(TABLE, before, places) is before
    assert places.asked == 0


def test_where_nothing_can_be_read_nothing_is_added() -> None:
    places = Places({0: "B7", 1: "K7"})
    assert look_again(TABLE, seen(places, 0, 1), places).readings == seen(places, 0, 1).readings
    assert places.asked == 2


def test_beyond_the_picture_nothing_is_looked_for() -> None:
    places = Places({-2: "R7", 11: "K7"})
    before = Readings(places.quads(-2, 11) - np.float32(40), (sure("R7"), sure("K7")))
    look_again(TABLE, before, places)
    assert places.asked == 2


def test_nobody_is_accused_for_a_tile_that_was_missed() -> None:
    places = Places({0: "B7", 1: "K7", 2: "R7"})
    reader = TableReader(FakeDetector(places.quads(0, 2)), places)
    reading = reader.read(TABLE, load_ruleset("standard"))
    assert [part.status for part in reading.verdict.parts] == [Status.UNKNOWN]
    assert [str(r.tile) for r in reading.readings.readings if r.unsure] == ["K7"]


def test_two_tiles_that_are_there_alone_are_still_no_set() -> None:
    places = Places({0: "B7", 1: "K7"})
    reader = TableReader(FakeDetector(places.quads(0, 1)), places)
    reading = reader.read(TABLE, load_ruleset("standard"))
    assert [part.status for part in reading.verdict.parts] == [Status.INVALID]


def test_a_place_that_hardly_reads_is_left_alone() -> None:
    places = Places({0: "B7", 1: "K7", 2: "R7"})
    before = seen(places, 0, 1)

    class Hardly(Places):
        def read(self, pixels: Pixels, detections: Detections) -> Readings:
            found = super().read(pixels, detections)
            dim = tuple(Reading(r.tile, 0.3) for r in found.readings)
            return Readings(found.quads_img, dim)

    assert look_again(TABLE, before, Hardly(places.faces)).readings == before.readings
