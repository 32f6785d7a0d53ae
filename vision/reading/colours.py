"""Ink colours: all tiles of one picture read together.

One tile in a warm room may look as orange as red; four inks under one light fall into four
heaps. So a small network, the palette, sees of every tile what tells its ink, and what the others
look like beside it. It knows nothing of numbers, places or rules: only inks are compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.medians import median
from vision.quads import shortest_sides
from vision.reading.contrast import grain_of, ink_on, inner_logs, is_veined

if TYPE_CHECKING:
    from vision.types import Floats, Pixels

TINT = 265  # what the reader's last layer sees of a tile's ink
INK = slice(TINT, TINT + 3)  # which of the clues are `ink_of`
CLUES = INK.stop + 2
USUAL_SIDE_PX = 40.0
# Every so many pixels; and the most that what is most vivid in a grey picture, such as a camera in
# the dark sends, differs between channels, of the brightest.
SAMPLED: Final = 8
GREY: Final = 0.04
# What inks that nobody can see are worth: of four none is sure.
UNSEEN: Final = 4.0


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
    count, _, height, _ = crops.shape
    logs = inner_logs(crops)
    # Of the whole face, as a bold 10 may fill more than half of where numbers stand.
    blank = median(logs.reshape(count, 3, -1), axis=2)
    off = logs[:, :, : round(height * 0.52)].reshape(count, 3, -1) - blank
    difference = np.abs(off).sum(1)
    cut = np.quantile(difference, 0.93, axis=1)[:, None]
    inked = (difference >= cut)[:, None]
    return np.asarray((off * inked).sum(2) / inked.sum(2), np.float32)


def clues(crops: Floats, tint: Floats, light: Floats, quads_img: Floats) -> Floats:
    """Return what tells the inks of n tiles, (n, `CLUES`) float32.

    Parameters
    ----------
    crops
        (n, 3, h, w) float32 RGB, white-balanced and upright.
    tint
        (n, `TINT`): what the reader sees of the ink.
    light
        (n,): how much light the blank faces send out, 0 to 1.
    quads_img
        (n, 4, 2) px; in small tiles inks look paler.
    """
    sizes = np.log(np.maximum(shortest_sides(quads_img), 1) / USUAL_SIDE_PX)
    lit = np.log(np.maximum(light, 1e-3))
    ink = ink_of(crops)
    # Inks are compared, so that all are to be found in one way where what varies is no grain.
    if (grain := grain_of(crops)) is not None and is_veined(grain):
        of_grained, stands_out = ink_on(crops, grain)
        ink[stands_out] = of_grained[stands_out]
    columns = (tint, ink, lit[:, None], sizes[:, None])
    return np.concatenate(columns, 1).astype(np.float32)


def is_grey(pixels: Pixels) -> bool:
    """Tell whether a picture (h, w, 3) has no colours at all, as an infrared camera's."""
    some = pixels[::SAMPLED, ::SAMPLED].reshape(-1, 3).astype(np.int16)
    vivid = np.quantile(np.ptp(some, axis=1), 0.995)
    return bool(vivid < GREY * max(float(some.max()), 1.0))
