from __future__ import annotations

import numpy as np

from referee import Tile, load_ruleset
from tests.fakes import FakeDetector, FakeReader, blank, fake_reader, quad_at, sure
from vision.pipeline import TableReader
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


def test_on_a_rack_no_tile_is_in_doubt_for_its_set() -> None:
    wavers = Reading(Tile.parse("B4"), 0.97, ((Tile.parse("R4"), 0.02),))
    quads = np.array([quad_at(100 + 62 * i, 100) for i in range(3)])
    reader = TableReader(FakeDetector(quads), FakeReader((sure("R3"), wavers, sure("R5"))))
    reading = reader.read(blank(), STANDARD)
    assert reading.readings.readings[1].unsure
    assert not reading.as_rack.readings.readings[1].unsure
