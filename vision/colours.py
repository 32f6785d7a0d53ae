"""Ink colours: all tiles of one picture read together.

One tile in a warm room may look as orange as red; four inks under one light fall into four
heaps. Each tile's own reading is therefore weighed against the heaps that the whole picture
forms: a mixture of four Gaussians that starts from the readings (a few steps of expectation
and maximisation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.types import Floats

LEAST_TILES = 5
LEAST_HEAP = 1.5
ROUNDS = 3
SPREAD = 0.15  # least standard deviation of an ink, in log reflectance
TRUST = 0.25  # weight of the heaps against the readings; both tuned on tuning pictures


def ink_of(crops: Floats) -> Floats:
    """Return each tile's ink, as log reflectance against its own blank face.

    Parameters
    ----------
    crops
        (n, 3, h, w) float32 RGB, white-balanced.

    Returns
    -------
    (n, 3) float32; the mean over the pixels that differ most from the face.
    """
    count, _, height, width = crops.shape
    upper = crops[:, :, height // 10 : round(height * 0.62), width // 7 : -(width // 7)]
    pixels = np.log(np.maximum(upper.reshape(count, 3, -1), 0.03))
    blank = np.median(pixels, axis=2, keepdims=True)
    difference = np.abs(pixels - blank).sum(1)
    cut = np.quantile(difference, 0.93, axis=1)[:, None]
    inked = (difference >= cut)[:, None]
    return np.asarray(((pixels - blank) * inked).sum(2) / inked.sum(2), np.float32)


def agree(probabilities: Floats, inks: Floats) -> Floats:
    """Return colour probabilities (n, 4) reconsidered in the light of the whole picture.

    Parameters
    ----------
    probabilities
        (n, 4) float32, each tile's own.
    inks
        (n, 3) float32 from `ink_of`.
    """
    if len(probabilities) < LEAST_TILES:
        return probabilities
    own = np.log(np.maximum(probabilities, 1e-6))
    weights = probabilities
    for _ in range(ROUNDS):
        mass = weights.sum(0)
        centres = weights.T @ inks / np.maximum(mass, 1e-6)[:, None]
        apart = ((inks[:, None] - centres[None]) ** 2).sum(2)
        spread = max(float((weights * apart).sum() / (3 * len(inks))), SPREAD**2)
        # A heap of less than a tile or two has no say, for or against.
        known = mass > LEAST_HEAP
        nearest = np.where(known, apart, np.inf).min(1, keepdims=True)
        support = np.where(known, (nearest - apart) / (2 * spread), 0.0)
        logits = own + TRUST * support
        logits -= logits.max(1, keepdims=True)
        weights = np.exp(logits)
        weights /= weights.sum(1, keepdims=True)
    return np.asarray(weights, np.float32)
