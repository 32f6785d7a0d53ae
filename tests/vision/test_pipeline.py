from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from referee import load_ruleset
from tests.fakes import FakeDetector, FakeReader, blank, fake_reader, quad_at, sure
from vision.pipeline import BESIDE, BEYOND, TableReader
from vision.read import UNREADABLE

if TYPE_CHECKING:
    from vision.pipeline import TableReading
    from vision.types import Reading

STANDARD = load_ruleset("standard")


def test_a_table_comes_out_as_it_lies() -> None:
    reading = fake_reader("R3 R4 R5 | B7 K7 O7 J").read(blank(), STANDARD)
    assert str(reading.table) == "R3 R4 R5 | B7 K7 O7 J"
    assert reading.verdict.ok is True
    assert (reading.width_px, reading.height_px) == (1000, 750)


def test_a_wrong_set_makes_the_table_wrong() -> None:
    assert fake_reader("R3 R4 R5 | B7 K7 B7").read(blank(), STANDARD).verdict.ok is False


def test_a_set_with_an_unsure_tile_is_not_accused() -> None:
    reading = fake_reader("R3 R4 R5 | B7 K8 O9", {"K8": "glare"}).read(blank(), STANDARD)
    assert reading.verdict.ok is None


def test_an_unsure_tile_does_not_excuse_another_set() -> None:
    reading = fake_reader("R3 R4 R6 | B7 K8 O9", {"K8": "glare"}).read(blank(), STANDARD)
    assert reading.verdict.ok is False


def test_an_empty_picture_gives_an_empty_table() -> None:
    reading = fake_reader("").read(blank(), STANDARD)
    assert (len(reading.readings), str(reading.table), reading.verdict.ok) == (0, "", True)


def test_sets_cross_only_where_the_rules_let_them() -> None:
    quads = np.array([quad_at(100 + 62 * i, 100) for i in range(3)] + [quad_at(100, 192)])
    readings = tuple(sure(face) for face in ("R1", "R2", "R3", "R2"))
    reader = TableReader(FakeDetector(quads), FakeReader(readings))
    assert str(reader.read(blank(), load_ruleset("crazy")).table) == "R1 R2 R3 / R2 . ."
    assert str(reader.read(blank(), STANDARD).table) == "R1 R2 R3 | R2"


def test_every_stage_is_timed() -> None:
    timings = fake_reader("R3 R4 R5").read(blank(), STANDARD).timings
    assert min(timings.detect, timings.read, timings.lay_out, timings.judge) > 0
    assert timings.network == 5.0


def read_at(left_px: int, *faces: str) -> TableReader:
    quads = np.array([quad_at(left_px + 62 * i, 300) for i in range(len(faces))])
    return TableReader(FakeDetector(quads), FakeReader(tuple(map(sure, faces))))


def test_a_set_that_may_go_on_beyond_the_edge_is_asked_about() -> None:
    for left_px in (3, 1000 - 2 * 62):
        reading = read_at(left_px, "R3", "R4").read(blank(), STANDARD)
        assert reading.verdict.ok is None
        assert {r.doubt for r in reading.readings.readings} == {"", BEYOND}
    assert read_at(400, "R3", "R4").read(blank(), STANDARD).verdict.ok is False


def beside(gap_px: int, third: Reading, *faces: str) -> TableReading:
    """Read sure tiles in a row, and one more, so far from the last one."""
    quads = [quad_at(300 + 62 * i, 300) for i in range(len(faces))]
    quads.append(quad_at(300 + 62 * len(faces) + gap_px, 300))
    readings = (*map(sure, faces), third)
    reader = TableReader(FakeDetector(np.array(quads)), FakeReader(readings))
    return reader.read(blank(), STANDARD)


def test_an_unsure_tile_beside_a_short_set_may_belong_to_it() -> None:
    unsure = replace(sure("R5"), doubt=UNREADABLE)
    near, far = beside(35, unsure, "R3", "R4"), beside(90, unsure, "R3", "R4")
    assert len(near.table.parts) == len(far.table.parts) == 2
    assert near.verdict.ok is None
    assert [reading.doubt for reading in near.readings.readings] == ["", BESIDE, UNREADABLE]
    assert far.verdict.ok is False
    assert beside(35, sure("R5"), "R3", "R4").verdict.ok is False
    assert beside(35, unsure, "R3", "R3", "R3").verdict.ok is False
    assert beside(35, unsure, "R4").verdict.ok is None


def test_what_no_more_tiles_would_mend_is_wrong_at_the_edge_too() -> None:
    assert read_at(3, "R3", "R3", "R3").read(blank(), STANDARD).verdict.ok is False
    assert read_at(3, "R3", "R4", "R5").read(blank(), STANDARD).verdict.ok is True
