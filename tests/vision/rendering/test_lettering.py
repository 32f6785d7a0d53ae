"""Letters on jokers: in which typefaces they are written, and on whose sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PIL import ImageFont

from vision.rendering.editions import Joker, all_editions
from vision.rendering.jokers import draw_joker
from vision.rendering.typefaces import SPARE as SPARE_TYPEFACES
from vision.rendering.variety import LEARNT, SPARE, Stock, vary

EDITIONS = all_editions()
WRITTEN = Joker(style="lettering", typeface="Any.ttf", diameter=0.6, ring=0)


@pytest.fixture
def font(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the font that Pillow carries for any that is asked for."""
    carried = ImageFont.load_default(160)
    monkeypatch.setattr("vision.rendering.jokers.find_font", lambda names: names[0] or None)
    monkeypatch.setattr("vision.rendering.pen.open_font", lambda *_: carried)


def written(joker: Joker, seed: int) -> np.ndarray:
    return draw_joker(joker, EDITIONS[0].ink, 90, 128, np.random.default_rng(seed))[0]


@pytest.mark.usefixtures("font")
def test_letters_are_a_fonts_or_plain_strokes() -> None:
    plain = WRITTEN.model_copy(update={"typeface": ""})
    for seed in range(20):
        assert np.abs(written(WRITTEN, seed) - written(plain, seed)).max() > 0.5


@pytest.mark.usefixtures("font")
def test_they_stay_on_the_tile_and_differ() -> None:
    drawn = [written(WRITTEN, seed) for seed in range(40)]
    assert all(0.004 < each.mean() < 0.4 for each in drawn)
    assert all(max(each[0].max(), each[-1].max()) == 0 for each in drawn)
    assert np.mean([np.abs(a - b).mean() < 0.004 for a, b in combinations(drawn, 2)]) < 0.05


@pytest.mark.usefixtures("font")
def test_a_font_of_figures_alone_leaves_plain_strokes(monkeypatch: pytest.MonkeyPatch) -> None:
    blank = ImageFont.TransposedFont(ImageFont.load_default(160))
    monkeypatch.setattr(blank, "getbbox", lambda _: (0, 0, 0, 0))
    monkeypatch.setattr("vision.rendering.pen.open_font", lambda *_: blank)
    plain = WRITTEN.model_copy(update={"typeface": ""})
    assert np.array_equal(written(WRITTEN, 4), written(plain, 4))


def test_only_sets_for_training_have_them() -> None:
    rng = np.random.default_rng(6)
    stocks = {"learnt": LEARNT, "spare": SPARE, "suites": Stock()}
    jokers = {
        name: [vary(edition, EDITIONS, rng, stock).joker for edition in EDITIONS * 50]
        for name, stock in stocks.items()
    }
    share = {
        name: np.mean([joker.style == "lettering" for joker in some])
        for name, some in jokers.items()
    }
    assert 0.02 < share["learnt"] < 0.12
    assert share["suites"] == 0
    assert {joker.typeface for joker in jokers["spare"]} <= {"", *SPARE_TYPEFACES}
