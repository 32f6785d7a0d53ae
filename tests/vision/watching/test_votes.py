from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Tile
from vision.doubts import BESIDE
from vision.faces import FACES
from vision.types import Reading
from vision.watching.votes import vote

SEVEN, ONE = Tile.parse("R7"), Tile.parse("R1")
READINGS = st.builds(
    lambda tile, confidence, doubt: Reading(tile, confidence, (), doubt),
    st.sampled_from(FACES),
    st.floats(0.2, 1.0),
    st.sampled_from(["", "glare"]),
)


@given(st.lists(READINGS, min_size=1, max_size=6))
def test_a_vote_is_a_reading_of_a_face_that_was_read(readings: list[Reading]) -> None:
    result = vote(readings)
    assert result.tile in {reading.tile for reading in readings}
    assert 0 < result.confidence <= 1
    assert sum(chance for _, chance in result.alternatives) <= 1 - result.confidence + 1e-6
    assert [chance for _, chance in result.alternatives] == sorted(
        (chance for _, chance in result.alternatives), reverse=True
    )


@given(st.sampled_from(FACES), st.lists(st.floats(0.9, 1.0), min_size=1, max_size=6))
def test_what_all_are_sure_of_is_sure(face: Tile, confidences: list[float]) -> None:
    result = vote([Reading(face, confidence) for confidence in confidences])
    assert (result.tile, result.unsure) == (face, False)


def test_one_unsure_look_does_not_spoil_two_sure_ones() -> None:
    sure = Reading(SEVEN, 0.99)
    assert not vote([sure, sure, Reading(ONE, 0.4, ((SEVEN, 0.3),), "glare")]).unsure


def test_unsure_looks_stay_unsure_together() -> None:
    doubted = Reading(SEVEN, 0.8, ((ONE, 0.15),), "glare")
    result = vote([doubted, doubted])
    assert result.doubt == "glare"
    assert result.confidence == pytest.approx(0.8, abs=0.05)
    assert result.alternatives[0][0] == ONE


def test_sure_looks_at_two_faces_are_asked_about() -> None:
    result = vote([Reading(SEVEN, 0.999), Reading(SEVEN, 0.999), Reading(ONE, 0.99)])
    assert (result.tile, result.doubt) == (SEVEN, "Another look says Red 1.")


def test_what_left_a_trace_in_one_of_two_looks_is_still_named() -> None:
    seen = Reading(SEVEN, 0.999, ((ONE, 6e-4),))
    assert [face for face, _ in vote([seen, Reading(SEVEN, 0.999)]).alternatives] == [ONE]


def test_a_doubt_where_the_set_ends_makes_no_face_the_less_sure() -> None:
    at_the_end = Reading(ONE, 0.99, doubt=BESIDE)
    assert vote([Reading(SEVEN, 0.999), at_the_end]).doubt == "Another look says Red 1."


def test_no_looks_are_no_vote() -> None:
    with pytest.raises(ValueError, match="one reading or more"):
        vote([])
