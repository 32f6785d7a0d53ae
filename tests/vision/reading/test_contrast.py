"""Ink on a grained face, told from the grain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.reading.sample import detector, legal_table, reader
from vision.crops import WHITE
from vision.evaluation.matching import match
from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.reading.colours import INK, TINT, clues, ink_of
from vision.reading.contrast import DARKNESS, NOISE, bring_out, grain_of, ink_on, is_veined
from vision.reading.examine import Examiner

if TYPE_CHECKING:
    from vision.evaluation.suite_tables import Given
    from vision.types import Flags, Floats, Reals

# Log reflectances: one that is lighter and darker than veins are, and one far darker than any.
ORANGE, BLACK = np.array((0.25, -0.1, -0.5), np.float32), np.full(3, -1.6, np.float32)
VEINS = 0.2  # standard deviation of log reflectances
BAR = (slice(20, 50), slice(26, 38))  # of a crop: a number


def tiles(ink: Floats, *, veins: float = VEINS, count: int = 6) -> Floats:
    """Crops (n, 3, 96, 64) of upright tiles, a bar of an ink on faces with upright veins."""
    rng = np.random.default_rng(7)
    dark = np.repeat(np.repeat(rng.normal(0, veins, (count, 1, 1, 16)), 96, 2), 4, 3)
    noise = rng.normal(0, 0.01, (count, 3, 96, 64))
    logs = np.log(WHITE) + dark + noise
    logs[:, :, *BAR] += ink[:, None, None]
    return np.asarray(np.exp(logs), np.float32)


def grain_under(crops: Floats) -> Reals:
    grain = grain_of(crops)
    assert grain is not None
    return np.asarray(grain, np.float64)


def test_what_lies_beside_tiles_is_no_vein() -> None:
    crops = tiles(ORANGE)
    rng = np.random.default_rng(3)
    crops[:, :, 60:] *= (
        np.exp(rng.normal(0, VEINS, (6, 3, 1, 1))) ** np.linspace(0, 2, 36)[:, None]
    )
    assert not is_veined(grain_under(crops))
    assert is_veined(grain_under(tiles(ORANGE)))


def hue(inks: Floats) -> Floats:
    """What of log reflectances (n, 3) is no brightness: under a vein that is the vein's, too."""
    return np.asarray(inks - inks.mean(-1, keepdims=True))


def test_grain_is_how_blank_faces_vary() -> None:
    varies = grain_under(tiles(ORANGE))
    values, vectors = np.linalg.eigh(varies)
    assert 0.3 < values[-1] / (3 * VEINS**2) < 1  # without what is farthest from the face
    assert np.abs(vectors[:, -1]) == pytest.approx(3**-0.5, abs=0.01)
    assert values[:2] == pytest.approx(NOISE**2, rel=0.2)


@pytest.mark.parametrize(
    "crops", [tiles(ORANGE, veins=0.01), tiles(ORANGE, count=2), tiles(BLACK)[:0]]
)
def test_plain_faces_and_few_have_no_grain(crops: Floats) -> None:
    assert grain_of(crops) is None


@pytest.mark.parametrize(("ink", "far"), [(ORANGE, True), (BLACK, False)])
def test_ink_is_told_from_veins(ink: Floats, far: bool) -> None:
    crops = tiles(ink)
    told, stands_out = ink_on(crops, grain_under(crops))
    assert hue(told) == pytest.approx(np.tile(hue(ink), (6, 1)), abs=0.1)
    assert (stands_out == far).all()
    if far:  # and what differs most from a face may be its darkest vein
        assert np.abs(hue(ink_of(crops) - ink)).max() > 0.2


def test_a_number_is_brought_out_of_its_face() -> None:
    crops = tiles(ORANGE)
    grain = grain_under(crops)
    views = bring_out(crops, ink_on(crops, grain)[0], grain)
    assert (views == views[:, :1]).all()
    number, face = views[:, 0, *BAR], views[:, 0, 55:85, 10:54]
    assert number.mean() == pytest.approx(WHITE * np.exp(-DARKNESS), abs=0.1)
    assert face.mean() == pytest.approx(WHITE, abs=0.1)
    before = np.log(crops[:, :, 55:85, 10:54]).std()
    assert np.log(face).std() < before / 2


@settings(max_examples=20)
@given(st.tuples(*[st.floats(0.5, 1.2)] * 3))
def test_a_tinted_lamp_and_the_way_up_change_nothing(lamp: tuple[float, float, float]) -> None:
    crops = tiles(ORANGE, count=3)
    grain = grain_under(crops)
    ink, stands_out = ink_on(crops, grain)
    lit = crops * np.array(lamp, np.float32)[:, None, None]
    assert grain_under(lit) == pytest.approx(grain, abs=1e-5)
    there, also = ink_on(lit[..., ::-1, ::-1], grain)
    assert hue(there) == pytest.approx(hue(ink), abs=0.1)
    assert (also == stands_out).all()
    turned = bring_out(lit, ink, grain)
    assert turned == pytest.approx(bring_out(crops, ink, grain), abs=1e-3)


@pytest.mark.parametrize(("ink", "veins"), [(ORANGE, VEINS), (ORANGE, 0.01), (BLACK, VEINS)])
def test_the_palette_is_told_the_ink_and_not_the_vein(ink: Floats, veins: float) -> None:
    crops = tiles(ink, veins=veins)
    quads = np.tile(np.array([(0, 0), (20, 0), (20, 30), (0, 30)], np.float32), (6, 1, 1))
    told = clues(crops, np.zeros((6, TINT), np.float32), np.ones(6, np.float32), quads)[:, INK]
    assert hue(told) == pytest.approx(np.tile(hue(ink), (6, 1)), abs=0.1)


def test_plain_tiles_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels, found = legal_table()
    examiner = reader().examiner
    look = examiner.face_logits(pixels, found.quads_img)
    monkeypatch.setattr(Examiner, "weigh", lambda *_: all_in_doubt(len(found)))
    assert examiner.look_past_grain(pixels, found.quads_img, look) is look


def all_in_doubt(count: int) -> tuple[Floats, Flags]:
    numbers = np.full((count, 15), 0.2, np.float32)
    numbers[:, 3] = 0.8
    return numbers, np.zeros(count, np.bool_)


def test_more_of_wood_is_read_and_nothing_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    some = list(tables(suite_named("wooden"), "wooden", 4))
    seen = [sure_and_right(each) for each in some]
    monkeypatch.setattr(Examiner, "look_past_grain", lambda *looked: looked[-1])
    without = [sure_and_right(each) for each in some]
    assert sum(seen) > sum(without)


def sure_and_right(given: Given) -> int:
    """Return how many tiles of a table are surely read, all of them rightly."""
    readings = reader().read(given.pixels, detector().detect(given.pixels))
    labels = list(given.photo.tiles)
    pairs = [
        (labels[i], readings.readings[j]) for i, j in match(labels, readings.quads_img).items()
    ]
    sure = [(label.text, str(each.tile)) for label, each in pairs if not each.unsure]
    assert all(label == tile for label, tile in sure)
    return len(sure)
