"""Pictographs on jokers: which are kept from training, and how they are printed."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import judge_table, parse_table
from vision.evaluation.suites import SUITES
from vision.rendering import pictographs
from vision.rendering.boxes import fill_boxes
from vision.rendering.editions import Joker, all_editions, find_font
from vision.rendering.jokers import draw_joker
from vision.rendering.rows import rows_of_sets_with_jokers
from vision.rendering.variety import SPARE, Stock, vary

if TYPE_CHECKING:
    from vision.rendering.arrays import Array
    from vision.types import Pixels

EDITIONS = all_editions()
INK = EDITIONS[0].ink
GREEN = (40, 200, 60, 255)


def green(pictograph: str, *, coloured: bool) -> Pixels:
    """Return a green block, twice as wide as high, or a black one."""
    assert pictograph
    return np.full((40, 80, 4), GREEN if coloured else (0, 0, 0, 255), np.uint8)


def printed(joker: Joker, seed: int = 1) -> tuple[Array, Array]:
    """Return a joker's coverage, (128, 90), and its colours there, (n, 3)."""
    mask, colour = draw_joker(joker, INK, 90, 128, np.random.default_rng(seed))
    return mask, np.broadcast_to(colour, (128, 90, 3))[mask > 0.9]


def test_no_pictograph_is_of_two_kinds() -> None:
    kinds = (pictographs.TRAINED, pictographs.SPARE, pictographs.UNMET)
    counts = Counter(each for kind in kinds for each in kind)
    assert set(counts.values()) == {1}
    assert min(map(len, kinds)) > 250


def test_none_shows_a_figure() -> None:
    names = [unicodedata.name(each) for each in (*pictographs.TRAINED, *pictographs.UNMET)]
    words = {word for name in names for word in name.replace("-", " ").split()}
    assert not words & {"DIGIT", "NUMBER", "KEYCAP", "BILLIARDS", "HUNDRED", "EIGHTEEN"}


def test_a_pictograph_stands_where_jokers_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.rendering.jokers.drawn", green)
    joker = Joker(style="pictograph", pictograph="x", diameter=0.6, centre_y=0.4)
    mask, _ = printed(joker)
    rows, columns = np.nonzero(mask > 0.5)
    assert np.ptp(columns) == pytest.approx(0.6 * 90, abs=1.5)
    assert np.ptp(rows) == pytest.approx(0.3 * 90, abs=1.5)
    assert rows.mean() == pytest.approx(0.4 * 128, abs=1)
    assert columns.mean() == pytest.approx(44.5, abs=1)


def test_it_is_in_its_colours_or_in_the_sets_inks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.rendering.jokers.drawn", green)
    joker = Joker(style="pictograph", pictograph="x")
    inks = [np.array(ink[::-1], np.float32) / 255 for _, ink in INK]

    def seen(kind: str, seed: int) -> set[int]:
        _, colours = printed(joker.model_copy(update={"inks": kind}), seed)
        apart = [np.abs(colours - ink).max(1) < 0.01 for ink in inks]
        assert np.any(apart, axis=0).all()
        return {i for i, there in enumerate(apart) if there.any()}

    _, own = printed(joker.model_copy(update={"inks": "own"}))
    np.testing.assert_allclose(
        own, np.broadcast_to(np.array(GREEN[:3]) / 255, own.shape), atol=0.01
    )
    names = list(type(INK).model_fields)
    two = {i for seed in range(20) for i in seen("two", seed)}
    assert {names[i] for i in two} == {"red", "black"}
    assert {i for seed in range(40) for i in seen("any", seed)} == {0, 1, 2, 3}
    assert max(len(seen("many", seed)) for seed in range(20)) > 1


def test_without_its_font_it_is_an_emblem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.rendering.pictographs.find_font", lambda _: None)
    pictographs.drawn.cache_clear()
    try:
        mask, _ = printed(Joker(style="pictograph", pictograph="\N{FROG FACE}", inks="own"))
    finally:
        pictographs.drawn.cache_clear()
    assert 0.008 < mask.mean() < 0.5


@pytest.mark.skipif(
    find_font(("Symbola_hint.ttf",)) is None or find_font(("NotoColorEmoji.ttf",)) is None,
    reason="fonts-symbola and fonts-noto-color-emoji are not installed",
)
def test_both_fonts_draw_every_one() -> None:
    for pictograph in (*pictographs.TRAINED[::40], *pictographs.UNMET[::20]):
        black = pictographs.drawn(pictograph, coloured=False)
        assert black is not None
        assert black[..., :3].max() == 0
        assert black[..., 3].max() > 200
    frog = pictographs.drawn("\N{FROG FACE}", coloured=True)
    assert frog is not None
    blue, green, red, _ = frog[frog[..., 3] > 250].mean(0)
    assert green > max(blue, red)


def test_only_sets_for_training_have_them() -> None:
    rng = np.random.default_rng(4)
    boxes = fill_boxes(rng, EDITIONS, 200, SPARE)
    shown = [box.edition.joker.pictograph for box in boxes]
    assert {*shown} <= {"", *pictographs.SPARE}
    assert 0.1 < np.mean([each != "" for each in shown]) < 0.45
    made_up = [vary(edition, EDITIONS, rng, Stock()) for edition in EDITIONS * 20]
    assert {(each.joker.pictograph, each.joker.inks) for each in made_up} == {("", "two")}


def test_a_table_of_jokers_has_both_in_legal_sets() -> None:
    change = SUITES["jokers"].change
    assert change is not None
    rng = np.random.default_rng(2)
    shown = {change(EDITIONS[0], i, rng).joker.pictograph for i in range(50)}
    assert len(shown) > 30
    assert shown <= set(pictographs.UNMET)
    for seed in range(8):
        poses, texts = rows_of_sets_with_jokers(np.random.default_rng(seed), 40, 1.4)
        assert Counter(pose.name for pose in poses)["J"] == 2
        assert max(text.split().count("J") for text in texts) == 1
        assert not any(
            part.violations for part in judge_table(parse_table(" | ".join(texts))).parts
        )
