"""Photographed tiles become sets that the renderer lays on new tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from vision.evaluation.suite_tables import tables
from vision.evaluation.suites import suite_named
from vision.quads import shortest_side
from vision.rendering.editions import edition_named
from vision.training.cutouts import LEAST_SIDE_PX, cut_out, photographed_box
from vision.training.data import Labelled

if TYPE_CHECKING:
    from vision.rendering.editions import Edition
    from vision.training.cutouts import Cutouts


@pytest.fixture(scope="module")
def photograph() -> Labelled:
    """A table as somebody would have labelled it: which end of a tile is up is not known."""
    table = next(iter(tables(suite_named("plain"), "plain", 1)))
    names = tuple(f"{t.colour}{t.number}" if t.number else "J" for t in table.photo.tiles)
    quads = np.array([np.roll(t.outline_img, 2, 0) for t in table.photo.tiles], np.float32)
    whole = np.ones(len(names), np.float32)
    return Labelled(table.pixels, names, quads, whole, whole, upright_known=False)


@pytest.fixture(scope="module")
def like() -> Edition:
    """Edition A, as the files have it."""
    return edition_named("a")


@pytest.fixture(scope="module")
def cutouts(photograph: Labelled) -> Cutouts:
    """What is cut out of that table."""
    return cut_out([photograph])


def test_every_face_that_is_large_enough_is_cut_out(
    photograph: Labelled, cutouts: Cutouts
) -> None:
    large = [
        name
        for name, quad in zip(photograph.names, photograph.quads_img, strict=True)
        if shortest_side(quad) >= LEAST_SIDE_PX
    ]
    assert {name: len(crops) for name, crops in cutouts.items()} == {
        name: large.count(name) for name in large
    }
    assert large


def test_cut_out_faces_are_upright_and_lie_in_white_light(cutouts: Cutouts, like: Edition) -> None:
    box = photographed_box(np.random.default_rng(1), like, cutouts)
    body = np.array(like.body.colour[::-1]) / 255
    upright = 0
    for name in cutouts:
        albedo = box.face(name).albedo_bgr
        assert np.median(albedo.reshape(-1, 3), 0) == pytest.approx(body, abs=0.02)
        ink = np.abs(albedo - body).max(2)
        half = ink.shape[0] // 2
        upright += bool((ink[:half] > 0.3).sum() > (ink[half:] > 0.3).sum())
    assert upright >= 0.95 * len(cutouts)


def test_a_face_that_nobody_photographed_is_drawn(cutouts: Cutouts, like: Edition) -> None:
    name, *_ = cutouts
    box = photographed_box(np.random.default_rng(1), like, {name: cutouts[name]})
    assert list(box.drawn) == [name]
    assert box.face("").alpha.shape == box.face(name).alpha.shape
