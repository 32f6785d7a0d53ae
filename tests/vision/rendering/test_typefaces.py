"""Typefaces of rendered numbers: which are trained on, and which are kept from it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import SUITES
from vision.rendering.boxes import TileBox
from vision.rendering.editions import all_editions
from vision.rendering.typefaces import COLLECTED, FURTHER, SPARE, TRAINED, UNMET, USUAL
from vision.rendering.variety import Stock, vary

if TYPE_CHECKING:
    import pytest

    from vision.rendering.editions import Edition

EDITIONS = all_editions()


def test_no_typeface_is_named_twice_and_none_unmet_is_trained_on() -> None:
    names = [name.lower() for name in (*TRAINED, *SPARE, *UNMET)]
    assert len(set(names)) == len(names)
    assert set(TRAINED) == {*USUAL, *FURTHER, *COLLECTED}


def test_those_unmet_have_no_relative_of_their_name_among_those_trained_on() -> None:
    """What comes before a weight is the family's name; no two of these share its beginning."""
    kinds = (TRAINED, SPARE, UNMET)
    names = sorted((name[:6].lower(), kind) for kind, of in enumerate(kinds) for name in of)
    assert all(a[0] != b[0] or a[1] == b[1] for a, b in pairwise(names))


def test_made_up_sets_are_in_the_typefaces_that_are_given() -> None:
    rng = np.random.default_rng(5)
    stock = Stock(("One.ttf", "Two.otf"))
    sets = [vary(edition, EDITIONS, rng, stock) for edition in EDITIONS * 6]
    first = {each.digit.fonts[0] for each in sets}
    own = {font for edition in EDITIONS for font in edition.digit.fonts}
    assert {"One.ttf", "Two.otf"} <= first <= {"One.ttf", "Two.otf"} | own


def test_all_of_an_editions_own_typefaces_are_used() -> None:
    rng = np.random.default_rng(6)
    sets = [vary(edition, [edition], rng, Stock(())) for edition in EDITIONS for _ in range(60)]
    own = {font for edition in EDITIONS for font in edition.digit.fonts}
    assert {each.digit.fonts[0] for each in sets} == own


def test_a_suite_lays_every_unmet_typeface_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the fonts are installed or not."""
    laid = []

    def box(edition: Edition, rng: np.random.Generator) -> TileBox:
        laid.append(edition.digit.fonts[0])
        return TileBox(edition, rng)

    monkeypatch.setattr("vision.evaluation.suite_tables.TileBox", box)
    few = replace(SUITES["unmet"], tiles=(3, 3), size_px=96, tile_px=(12, 14))
    assert len(list(tables(few, "unmet", len(UNMET)))) == len(UNMET)
    assert tuple(laid) == UNMET


def test_another_typeface_changes_nothing_else() -> None:
    changed = EDITIONS[0].in_typeface("Other.ttf")
    assert changed.digit.fonts == ("Other.ttf", *EDITIONS[0].digit.fonts)
    assert changed.body == EDITIONS[0].body
