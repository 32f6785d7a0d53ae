"""Boxes that hold no tile, told from those that do by all of a picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from referee import load_ruleset
from referee.verdicts import Status
from tests.vision.reading.sample import detector, legal_table, reader
from vision.doubts import FOREIGN
from vision.evaluation.matching import match
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.network import load_network
from vision.pipeline import TableReader
from vision.reading.sight import Look
from vision.reading.verify import EVIDENCE, SEEN, evidence
from vision.types import Detections

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

TILE = np.array([(0, 0), (40, 0), (40, 60), (0, 60)], np.float32)
TABLE = np.random.default_rng(3).integers(0, 255, (400, 600, 3)).astype(np.uint8)


@dataclass
class Says:
    """A verifier that gives boxes these logits, one after another."""

    logits: tuple[float, ...]
    spent_ms: float = 0.0

    def run(self, batch: Floats) -> list[Floats]:
        every = np.resize(np.array(self.logits, np.float32), len(batch))
        return [every[:, None]]

    def reset_clock(self) -> None:
        self.spent_ms = 0.0


@dataclass
class Finds:
    """A detector that finds the same in every picture."""

    found: Detections
    network_ms: float = 0.0

    def detect(self, _: Pixels) -> Detections:
        return self.found


def cover(pixels: Pixels, quad: Floats, *, white: bool = False) -> None:
    """Lay paper on a tile's face that is as bright as most of the picture, or white."""
    paper = (255, 255, 255) if white else np.median(pixels, (0, 1)).tolist()
    face = quad.mean(0) + 0.9 * (quad - quad.mean(0))
    cv2.fillPoly(pixels, [face.astype(np.int32)], paper)


def at(*places: tuple[float, float]) -> Floats:
    return TILE + np.array(places, np.float32)[:, None]


def look_at(count: int) -> tuple[Floats, Look]:
    """Return number probabilities, and a look that saw nothing in particular."""
    columns = (np.zeros((count, size), np.float32) for size in (15, 4, SEEN, 1))
    crops = np.zeros((count, 3, 96, 64), np.float32)
    return np.full((count, 15), 1 / 15, np.float32), Look(crops, *columns)


@pytest.mark.parametrize("count", [1, 2, 9])
def test_evidence_is_what_the_verifier_wants(count: int) -> None:
    quads = at(*((60 * i, 20 * i) for i in range(count)))
    told = evidence(TABLE, quads, *look_at(count), np.linspace(0, 1, count, dtype=np.float32))
    assert told.shape == (count, EVIDENCE)
    assert np.isfinite(told).all()
    assert load_network("verifier").settings["input"]["size"] == [EVIDENCE]


@pytest.mark.parametrize("beside", [True, False])
@pytest.mark.parametrize("white", [True, False])
@pytest.mark.parametrize("logit", [-9, -2.5, -1, 0, 1.4, 3])
def test_what_cannot_be_read_is_asked_about_where_it_is_likely_a_tile(
    logit: float, white: bool, beside: bool
) -> None:
    """In a row nearly always: only what is certainly none, or hardly one and dull, is left out."""
    pixels, found = legal_table()
    pixels = pixels.copy()
    covered, *others = found.quads_img
    cover(pixels, covered, white=white)
    nearest = np.argsort([np.linalg.norm(quad.mean(0) - covered.mean(0)) for quad in others])
    far = [others[i] for i in (nearest[:4] if beside else nearest[-4:])]
    boxes = Detections(np.array([covered, *far]), np.array([0.5, *[0.9] * 4], np.float32))
    verifier: Any = Says((logit, 9, 9, 9, 9))
    readings = replace(reader(), verifier=verifier).read(pixels, boxes)
    kept = [reading.unsure for reading in readings.readings]
    assert kept.count(False) == 4
    in_a_row = -3 if white else -2
    assert kept.count(True) == (logit > (in_a_row if beside else 2.2))


@pytest.mark.parametrize(("logit", "confidence"), [(-9, 0.5), (-2.5, 0.9)])
@pytest.mark.parametrize("number", range(0, 24, 4))
def test_a_set_of_which_a_tile_was_taken_for_a_gap_or_a_print_is_not_accused(
    number: int, logit: float, confidence: float
) -> None:
    pixels, found = legal_table()
    pixels, confidences = pixels.copy(), found.confidences.copy()
    cover(pixels, found.quads_img[number])
    confidences[number] = confidence
    found = replace(found, confidences=confidences)
    logits = [logit if i == number else 9 for i in range(len(found))]
    verifier: Any = Says(tuple(logits))
    finder: Any = Finds(found)
    doubting = TableReader(finder, replace(reader(), verifier=verifier))
    reading = doubting.read(pixels, load_ruleset("standard"))
    assert len(reading.readings) < len(found)
    assert Status.INVALID not in {part.status for part in reading.verdict.parts}


def test_a_stray_that_can_be_read_is_asked_about_and_others_are_left_out() -> None:
    pixels, found = legal_table()
    nobody: Any = Says((-9,))
    trusting = replace(reader(), verifier=None).read(pixels, found)
    doubting = replace(reader(), verifier=nobody).read(pixels, found)
    assert len(doubting) == sum(not reading.unsure for reading in trusting.readings)
    assert {reading.doubt for reading in doubting.readings} == {FOREIGN}


@pytest.mark.parametrize(("logit", "asked"), [(1.4, True), (3.0, True), (4.5, False)])
def test_a_lone_tile_is_asked_about_sooner_than_one_of_a_row(logit: float, asked: bool) -> None:
    pixels, found = legal_table()
    verifier: Any = Says((logit,))
    doubting = replace(reader(), verifier=verifier)
    assert not any(reading.doubt for reading in doubting.read(pixels, found).readings)
    lone = replace(found, quads_img=found.quads_img[:1], confidences=found.confidences[:1])
    lone = replace(lone, hints_img=found.hints_img[:0])
    [reading] = doubting.read(pixels, lone).readings
    assert reading.doubt == (FOREIGN if asked else "")


@pytest.mark.parametrize("colour_temperature", [1.0, 20.0])
def test_what_may_be_no_tile_is_asked_about_as_such(
    monkeypatch: pytest.MonkeyPatch, colour_temperature: float
) -> None:
    """Though it lies in a row, and though its ink wavers: tiles elsewhere may settle an ink."""
    pixels, found = legal_table()
    found = replace(found, hints_img=found.hints_img[:0])  # nothing is found beside the others
    verifier: Any = Says((-1, *[9] * (len(found) - 1)))
    doubting = replace(reader(), verifier=verifier)
    monkeypatch.setitem(doubting.examiner.faces.settings, "colour_temperature", colour_temperature)
    first, *others = doubting.read(pixels, found).readings
    assert first.doubt == FOREIGN
    assert any(other.unsure for other in others) == (colour_temperature > 1)
    assert FOREIGN not in {other.doubt for other in others}


@pytest.mark.parametrize(("suite", "number"), [("oblique", 4), ("printed", 1)])
def test_letters_and_keys_are_no_tiles(suite: str, number: int) -> None:
    """All tiles whose numbers are seen are still found, and much of what is none is gone."""
    given = list(tables(suite_named(suite), suite, number))[-1]
    found = detector().detect(given.pixels)
    taken, wrong = [], []
    for each in (replace(reader(), verifier=None), reader()):
        readings = each.read(given.pixels, found)
        pairs = match(given.photo.tiles, readings.quads_img)
        taken.append(sorted(tile for tile in pairs if not given.photo.tiles[tile].cut))
        wrong.append(len(readings) - len(pairs))
    assert taken[0] == taken[1]
    assert wrong[1] < 0.7 * wrong[0]
