"""What the reader learns from: crops of tiles, and what is to be read on them."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="training has an environment of its own")

from vision.faces import NOT_UPRIGHT
from vision.training.data import Labelled
from vision.training.reader import COVERED, IGNORED, sample_crop
from vision.training.tiles import TilePool

QUAD = np.array([[(10, 10), (50, 10), (50, 70), (10, 70)]], np.float32)


def pool_of(name: str, seen: float = 1.0) -> TilePool:
    """Return a pool of one blank tile, of whose number so much is seen."""
    pixels = np.full((80, 60, 3), 200, np.uint8)
    whole, share = np.ones(1, np.float32), np.array([seen], np.float32)
    return TilePool([Labelled(pixels, (name,), QUAD, whole, share, upright_known=True)])


@pytest.mark.parametrize(
    ("name", "seen", "read"),
    [("R8", 0.5, {IGNORED}), ("R8", 1.0, {7}), ("R12", 0.5, set()), ("R12", 1.0, {11})],
)
def test_half_a_number_of_two_figures_is_none(name: str, seen: float, read: set[int]) -> None:
    """What is left of an 11 is a plain 1."""
    rng, pool = np.random.default_rng(7), pool_of(name, seen)
    numbers = {sample_crop(rng, pool)[1] for _ in range(100)}
    assert numbers == read | {NOT_UPRIGHT}  # as tiles upside down are, and places without one


def test_an_eleven_under_a_thumb_is_no_one() -> None:
    rng = np.random.default_rng(8)
    one, eleven = (
        np.mean([sample_crop(rng, pool_of(name))[1] == NOT_UPRIGHT for _ in range(3000)])
        for name in ("K1", "K11")
    )
    assert eleven - one == pytest.approx(0.6 * COVERED / 2, abs=0.025)


def test_half_of_what_has_faded_cannot_be_read_and_a_joker_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(10)

    def read(name: str) -> float:
        return float(
            np.mean([sample_crop(rng, pool_of(name))[1] != NOT_UPRIGHT for _ in range(800)])
        )

    monkeypatch.setattr("vision.training.reader.FADED", 0)
    before = {name: read(name) for name in ("K1", "J")}
    monkeypatch.setattr("vision.training.reader.FADED", 1)
    for name, share in before.items():
        assert read(name) == pytest.approx(share / 2, abs=0.06)


@pytest.mark.parametrize("share", [0, 1])
def test_some_tiles_are_seen_from_nearer(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies below a tile is seen at the crop's lower edge, but not from nearer."""
    monkeypatch.setattr("vision.training.reader.NEARER", share)
    monkeypatch.setattr("vision.training.reader.RESTYLED", 0)
    pool = pool_of("R8")
    pool.samples[0].pixels_bgr[70:, 10:50] = 20  # below the tile
    rng = np.random.default_rng(9)
    crops = [
        crop for crop, number, _ in (sample_crop(rng, pool) for _ in range(400)) if number == 7
    ]
    seen = np.mean([crop[-3:].mean() < 0.6 * crop[40:60].mean() for crop in crops])
    assert seen > 0.6 if share == 0 else seen < 0.4
