"""Contrast: ink on a grained face, told from the grain.

Wood is darker and lighter from vein to vein, and a pale ink on it differs in hue alone. Across the
colours in which the veins differ, along those in which the ink does, little is left of the veins:
Fisher's linear discriminant (Fisher 1936), what varies being the veins of all tiles of a picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.crops import WHITE
from vision.medians import median

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Reals

# Where an upright tile is blank, in parts of a crop: top, bottom, and from either side.
BLANK: Final = (0.62, 0.88, 0.16)
ENOUGH: Final = 3  # tiles, to tell their grain
SPECKS: Final = 0.1  # of what is blank, as stars and dirt, that is no grain
NOISE: Final = 0.03  # of a log reflectance, in every channel, that is no grain either
# Faces are grained with so many times as much variance in one direction of the colours as noise
# has. Veins lie along one line there; what is beside tiles that are found badly lies anywhere,
# with more of the variance across that line.
GRAINED, ACROSS = 2.0, 0.1
INKED: Final = 0.035  # of a face is as unlike it as anything there
# How many times as far ink has to stand out from the grain. Of 580 numbers in doubt that do so,
# all but sixteen on wood, 0.91, not 0.77 are right when brought out, and 429, not 116 sure, none
# of them wrongly.
FAR: Final = 1.5
# Brightness, red, green and blue.
PLAINLY: Final = np.concatenate([np.full((1, 3), 1 / 3), np.eye(3)])
# How dark ink is put, as a log reflectance, and how much lighter than the face and how much
# darker than the ink anything is, of what lies between them.
DARKNESS, SPAN = 1.6, (-0.15, 1.3)
DARKEST: Final = 0.03


def grain_of(crops: Floats) -> Reals | None:
    """Return how the faces of n upright tiles vary where nothing is printed, (3, 3).

    That is a covariance of log reflectances. None where they are plain, or too few to tell.

    Parameters
    ----------
    crops
        (n, 3, h, w) float32 RGB, white-balanced.
    """
    if len(crops) < ENOUGH:
        return None
    height, width = crops.shape[2:]
    top, bottom, side = np.rint(np.multiply(BLANK, (height, height, width))).astype(int)
    # Every other pixel is plenty.
    logs = _log(crops[:, :, top:bottom:2, side:-side:2]).reshape(len(crops), 3, -1)
    off = (logs - median(logs, axis=2)).transpose(1, 0, 2).reshape(3, -1)
    away = np.abs(off).sum(0)
    grain = np.cov(off[:, away <= np.quantile(away, 1 - SPECKS)])
    if np.linalg.eigvalsh(grain)[-1] < GRAINED * NOISE**2:
        return None
    return np.asarray(grain + NOISE**2 * np.eye(3))


def is_veined(grain: Reals) -> bool:
    """Whether a grain (3, 3) surely is that of wood, not in part what tiles lie among."""
    _, across, along = np.linalg.eigvalsh(grain) - NOISE**2
    return bool(across <= ACROSS * along)


def ink_on(crops: Floats, grain: Reals) -> tuple[Floats, Flags]:
    """Return the ink of n tiles, as log reflectance against their own blank faces.

    Parameters
    ----------
    crops
        (n, 3, h, w) float32 RGB, white-balanced; n above nought, either way up.
    grain
        (3, 3) from `grain_of`.

    Returns
    -------
    ink
        (n, 3) float32; the mean over what is least like grain.
    stands_out
        (n,): whether it is `FAR` times as far from the grain as in the best of brightness, red,
        green and blue.
    """
    logs = inner_logs(crops, every=2).reshape(len(crops), 3, -1)
    off = logs - median(logs, axis=2)
    within = np.linalg.inv(grain).astype(np.float32)
    unlike = np.einsum("nip,ij,njp->np", off, within, off)
    inked = (unlike >= np.quantile(unlike, 1 - INKED, axis=1)[:, None])[:, None]
    ink = (off * inked).sum(2) / inked.sum(2)
    best = np.sqrt(np.einsum("ni,ij,nj->n", ink, within, ink))
    spread = np.sqrt(np.einsum("ki,ij,kj->k", PLAINLY, grain, PLAINLY))
    return ink, np.asarray(best >= FAR * (np.abs(ink @ PLAINLY.T) / spread).max(1))


def bring_out(crops: Floats, ink: Floats, grain: Reals) -> Floats:
    """Return n tiles as if their ink were black and their faces plain, (n, 3, h, w), grey.

    Parameters
    ----------
    crops
        (n, 3, h, w) float32 RGB, white-balanced; n above nought, either way up.
    ink
        (n, 3) from `ink_on`.
    grain
        (3, 3) from `grain_of`.
    """
    across = np.linalg.solve(grain, ink.T).T.astype(np.float32)
    across /= np.maximum((across * ink).sum(1, keepdims=True), 1e-9)
    face = median(inner_logs(crops, every=2).reshape(len(crops), 3, -1), axis=2)
    part = np.einsum("ni,nihw->nhw", across, _log(crops) - face[..., None])
    views = WHITE * np.exp(-DARKNESS * np.clip(part, *SPAN))
    return np.repeat(views[:, None], 3, axis=1).astype(np.float32)


def inner_logs(crops: Floats, every: int = 1) -> Floats:
    """Return the log colours of n crops (n, 3, h, w) inside the edges of their tiles.

    Of `every` so many pixels each way.
    """
    height, width = crops.shape[2:]
    rows, columns = (slice(edge, -edge, every) for edge in (height // 10, width // 7))
    return _log(crops[:, :, rows, columns])


def _log(crops: Floats) -> Floats:
    return np.log(np.maximum(crops, DARKEST))
