"""What is done to single tiles before they are learnt from."""

from __future__ import annotations

import numpy as np
import pytest

from vision.training.tiles import SMALLEST_SIDE_PX, degrade, reshot, shrinking


def test_hardly_a_tile_loses_its_colours() -> None:
    """Grey is what black looks like: were it often a red tile's, black would be doubted."""
    rng = np.random.default_rng(1)
    red = np.full((48, 32, 3), (40, 40, 200), np.uint8)
    grey = 0
    for _ in range(1000):
        channels = degrade(rng, red, 32.0).reshape(-1, 3).mean(0)
        grey += float(np.ptp(channels)) < 8
    assert 0 < grey < 40


def test_tiles_shrink_to_the_smallest_that_is_learnt() -> None:
    """The smallest tiles of a picture are the likeliest to be misread, so all sizes are learnt."""
    rng = np.random.default_rng(2)
    sides = np.array([64 * shrinking(rng, 64.0) for _ in range(500)])
    assert sides.min() >= SMALLEST_SIDE_PX
    assert sides.min() < SMALLEST_SIDE_PX + 1
    assert sides.max() <= 0.8 * 64
    assert np.median(sides) < (SMALLEST_SIDE_PX + 0.8 * 64) / 2  # small ones more often than even


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_as_many_pictures_as_asked_for_come_through_a_video_call(share: float) -> None:
    """It sends fewer pixels, so that neighbours become alike."""
    rng = np.random.default_rng(3)
    noise = rng.choice(np.array([60, 180], np.uint8), (64, 64, 3))
    seen = [reshot(rng, noise, share).mean(2) for _ in range(80)]
    alike = [float(np.diff(picture, axis=0).std() / picture.std()) < 1.2 for picture in seen]
    assert np.mean(alike) == pytest.approx(share, abs=0.15)
