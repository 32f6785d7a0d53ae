"""Reasons and numbers in annotated pictures point at what they are about, and at nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import load_ruleset
from tests.fakes import blank, fake_reader
from vision.annotation.notes import notes_of, plan
from vision.annotation.pointing import Desk, Target, outset_px
from vision.findings import find

if TYPE_CHECKING:
    from vision.annotation.notes import Plan
    from vision.types import Floats

SIZE = (1000, 750)
OUTSET = np.array([-1, -1, 1, 1], np.float32)
UNSURE = "Look at it."
TABLES = (
    "R3 R4 R6 R9 | B7 K7 O7 | K10 O10 K1 | O1 O2 O3 O4 O5",
    "R3 R4 R5 R6 | B7 B7 K7 B9 B10 | K3 | O1 R2 O3",
    "K7 | R5 | O1 O10 O11 O13 K3 | B1 B2 B4",
)


def planned(table: str, doubts: dict[str, str], angle_deg: float = 0, zoom: float = 1) -> _Planned:
    """Plan the notes of a table that lies turned and smaller in the picture."""
    reading = fake_reader(table, doubts).read(blank(*SIZE), load_ruleset("standard"))
    turn = cv2.getRotationMatrix2D((300, 350), angle_deg, zoom)
    quads = cv2.transform(reading.readings.quads_img, turn).astype(np.float32)
    quads += np.array(SIZE, np.float32) / 2 - quads.reshape(-1, 2).mean(axis=0)
    notes = notes_of(find(reading), reading.layout, reading.readings)
    return _Planned(plan(notes, quads, SIZE), quads)


class _Planned:
    """A plan, and the tiles that it is for."""

    def __init__(self, found: Plan, quads: Floats) -> None:
        self.plan, self.quads = found, quads

    def away(self, point: Floats) -> Floats:
        """Distances of all tiles (n,) from a point, negative inside."""
        x, y = (float(v) for v in point)
        return np.array([-cv2.pointPolygonTest(quad, (x, y), True) for quad in self.quads])

    @property
    def places(self) -> list[Floats]:
        """Where plates and numbers stand."""
        numbers = [place for _, places in self.plan.numbered for place in places]
        return [point.place for point in self.plan.pointed] + numbers


def covers(place: Floats, points: Floats) -> bool:
    return bool(((points > place[:2]) & (points < place[2:])).all(axis=1).any())


def along(line: Floats) -> Floats:
    return np.linspace(line[0], line[1], 300, dtype=np.float32)


@given(
    table=st.sampled_from(TABLES),
    unsure=st.sets(st.sampled_from(sorted(set(" ".join(TABLES).split()) - {"|"})), max_size=14),
    angle_deg=st.integers(-180, 180),
    zoom=st.sampled_from([0.3, 0.6, 1.0]),
)
@settings(max_examples=60, deadline=None)
def test_lines_and_numbers_point_at_their_own_tiles_only(
    table: str, unsure: set[str], angle_deg: int, zoom: float
) -> None:
    doubts = dict.fromkeys(sorted(unsure), UNSURE)
    doubts |= {face: f"Is it a {number}?" for number, face in enumerate(sorted(unsure)[::2])}
    found = planned(table, doubts, angle_deg, zoom)
    for point in found.plan.pointed:
        (own,) = point.note.about
        reach_px = 0 if len(own) == 1 else outset_px(found.quads, SIZE)
        ends = found.away(point.line[1])
        others = np.delete(ends, own)
        assert ends[list(own)].min() <= reach_px + 1
        assert (others > ends[list(own)].min()).all()
        steps = along(point.line)
        assert all((np.delete(found.away(step), own) > -1).all() for step in steps)
        assert covers(point.place + OUTSET, point.line[:1])
        assert not any(covers(place, steps) for place in found.places if place is not point.place)
    for note, places in found.plan.numbered:
        for own, place in zip(note.about, places, strict=True):
            away = found.away(place.reshape(2, 2).mean(axis=0))
            assert (np.delete(away, own) > away[list(own)].min()).all()


@pytest.mark.parametrize(
    ("table", "doubts", "text", "about"),
    [
        ("R3 R4 R6", {"R4": UNSURE}, f"Red 4? {UNSURE}", ((1,),)),
        ("O1 O2 K3", {}, "Black 3 does not belong in an orange run.", ((2,),)),
        ("R3 R4 R6", {}, "Red 5 is missing between Red 4 and Red 6.", ((0, 1, 2),)),
        ("B7 K7 B7", {}, "Blue 7 is in this group twice.", ((0,), (2,))),
    ],
)
def test_a_sentence_is_about_the_tiles_that_it_begins_with(
    table: str, doubts: dict[str, str], text: str, about: tuple[tuple[int, ...], ...]
) -> None:
    plan = planned(table, doubts).plan
    notes = [*(point.note for point in plan.pointed), *(note for note, _ in plan.numbered)]
    assert about in [note.about for note in notes if text in note.texts]


def test_what_is_said_of_one_set_is_said_in_one_place() -> None:
    (point,) = planned("R3 R5 R7", {}).plan.pointed
    assert len(point.note.texts) == 2


def test_tiles_of_which_the_same_is_said_have_a_number_each() -> None:
    ((_, places),) = planned("K10 O10 B10 | K10 R10 O10", {"K10": UNSURE}).plan.numbered
    assert len(places) == 2


def test_a_picture_is_not_crowded_with_plates() -> None:
    faces = " ".join(f"R{number}" for number in range(1, 14))
    found = planned(faces, dict.fromkeys(faces.split(), UNSURE), zoom=0.6)
    assert not found.plan.pointed
    assert len(found.plan.numbered) == 13


def tile(left_px: float, top_px: float) -> Floats:
    corners = np.array([[0, 0], [60, 0], [60, 80], [0, 80]], np.float32)
    return corners + np.array([left_px, top_px], np.float32)


@pytest.mark.parametrize(("gap_px", "room"), [(2, False), (20, True)])
def test_no_line_ends_at_a_frame_where_another_set_is_nearer(gap_px: int, *, room: bool) -> None:
    own, size = (0, 1), (1000, 385)
    others = [tile(428 - gap_px - 60, 212), tile(460, 212), tile(335, 300), tile(525, 300)]
    quads = np.array([tile(400, 300), tile(460, 300), *others], np.float32)
    found = Desk(size, quads, 12).beside((40, 20), Target.of(own, quads, size))
    assert (found is not None) == room
