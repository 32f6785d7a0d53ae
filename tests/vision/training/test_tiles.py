"""What is done to single tiles before they are learnt from."""

from __future__ import annotations

import numpy as np

from vision.training.tiles import degrade


def test_hardly_a_tile_loses_its_colours() -> None:
    """Grey is what black looks like: were it often a red tile's, black would be doubted."""
    rng = np.random.default_rng(1)
    red = np.full((48, 32, 3), (40, 40, 200), np.uint8)
    grey = 0
    for _ in range(1000):
        channels = degrade(rng, red, 32.0).reshape(-1, 3).mean(0)
        grey += float(np.ptp(channels)) < 8
    assert 0 < grey < 40
