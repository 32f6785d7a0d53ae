"""Which of the boxes hold a tile: all of a picture's weighed together.

Letters on a table cloth, keys and figures on cards may look like tiles to the detector. Beside the
tiles they give themselves away: by another face, another light, another size, a place away from
all rows. So a small network, the verifier, sees of every box what tells a tile, and what the
others look like beside it. It says how likely each is a tile; what it shows is the reader's say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.crops import straighten_all
from vision.faces import log_softmax
from vision.quads import axes

if TYPE_CHECKING:
    from vision.network import Network
    from vision.reading.sight import Look
    from vision.types import Floats, Pixels

SEEN: Final = 128  # what the reader's last layer sees of a tile's number
EVIDENCE: Final = SEEN + 15 + 4 + 2 * 15 + 3 + 3 + 32 + 5 + 15 + 1
USUAL_SIZE_PX: Final = 40.0
# The box as cut out, in pixels, with what is around it; what is surely face, and what tile.
CUT_PX, AROUND = (32, 48), 0.2
FACE: Final = (slice(11, 37), slice(8, 24))
TILE: Final = (slice(7, 41), slice(5, 27))
# Strips along the four sides of a tile's face, and outside along its own: a face has no ink there.
RIMS: Final = (
    (slice(11, 14), slice(8, 24)), (slice(34, 37), slice(8, 24)),
    (slice(11, 37), slice(8, 10)), (slice(11, 37), slice(22, 24)),
    (slice(4, 7), slice(8, 24)), (slice(41, 44), slice(8, 24)),
    (slice(11, 37), slice(3, 5)), (slice(11, 37), slice(27, 29)),
)  # fmt: skip
LEVELS: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
LOGS: Final = np.log(np.maximum(np.arange(256, dtype=np.float32) / 255, 0.01))
CHANCES: Final = (-4.0, 7.0)  # logits
NEIGHBOURS, FAR = 3, 8.0
HINTED: Final = np.float32(0.1)  # the detector's score of what it hardly found


def chances(verifier: Network, told: Floats) -> Floats:
    """Return how likely each box holds a tile, (n,), by `evidence` (n, `EVIDENCE`)."""
    return np.asarray(1 / (1 + np.exp(-verifier.run(told)[0][:, 0])), np.float32)


def evidence(
    pixels: Pixels, quads_img: Floats, numbers: Floats, look: Look, confidences: Floats
) -> Floats:
    """Return what tells tiles from what only looks like them, (n, `EVIDENCE`) float32.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    quads_img
        (n, 4, 2) px, n above nought, upright.
    numbers
        (n, 15) probabilities.
    look
        What the reader sees of them.
    confidences
        (n,): the detector's; `HINTED` where it found nothing.
    """
    crops = straighten_all(pixels, quads_img, CUT_PX, AROUND)
    logs = LOGS[crops]
    outside = np.ones(crops.shape[1:3], np.bool_)
    outside[TILE] = False
    face, around = _levels(crops[:, *FACE].reshape(len(crops), -1, 3)), _levels(crops[:, outside])
    blank = face[:, 2:4].mean(1)
    odds = np.clip(confidences, 1e-4, 1 - 1e-4)
    columns = (
        look.seen,
        np.log(np.maximum(numbers, 1e-5)),
        np.exp(log_softmax(look.colours)),
        face.reshape(len(logs), -1),
        around.reshape(len(logs), -1),
        blank - np.median(blank, 0),
        face.mean(1) - around.mean(1),
        *(_strip(logs[:, *rim] - blank[:, None, None]) for rim in RIMS),
        _places(quads_img),
        np.clip(np.log(odds / (1 - odds)), *CHANCES)[:, None],
    )
    return np.concatenate(columns, 1).astype(np.float32)


def _levels(pixels: Pixels) -> Floats:
    """Return the logs of the dark to bright `LEVELS` of pixels (n, p, 3), (n, 5, 3)."""
    ordered = np.sort(pixels[:, ::2].swapaxes(1, 2), axis=2, kind="stable")
    chosen = ordered[:, :, [round(level * (ordered.shape[2] - 1)) for level in LEVELS]]
    return np.asarray(LOGS[chosen].swapaxes(1, 2))


def _strip(logs: Floats) -> Floats:
    """Return the colour of strips (n, h, w, 3), and how uneven they are, (n, 4)."""
    flat = logs.reshape(len(logs), -1, 3)
    return np.concatenate([flat.mean(1), flat.mean(2).std(1)[:, None]], 1)


def _places(quads_img: Floats) -> Floats:
    """Return sizes and shapes of n quads, and how the nearest ones lie to each, (n, 20)."""
    count = len(quads_img)
    centres = quads_img.mean(1)
    across, along, width, height = axes(quads_img)
    area = np.abs(across[:, 0] * along[:, 1] - across[:, 1] * along[:, 0])
    size = np.sqrt(np.maximum(area, 1))
    typical = np.median(size)
    middle = np.linalg.norm(centres - np.median(centres, 0), axis=1) / typical
    own = (
        np.log(size / typical),
        np.log(width / height),
        area / (width * height),
        np.log(size / USUAL_SIZE_PX),
        np.log1p(middle),
    )
    away = centres[None] - centres[:, None]
    distance = np.linalg.norm(away, axis=2)
    np.fill_diagonal(distance, np.inf)
    near = np.zeros((count, NEIGHBOURS, 5), np.float32)
    near[:, :, 0] = FAR
    known = min(NEIGHBOURS, count - 1)
    nearest = np.argsort(distance, 1)[:, :known]
    rows = np.arange(count)[:, None]
    up = along / height[:, None]
    towards = away[rows, nearest]
    near[:, :known] = np.stack(
        (
            np.minimum(np.abs((towards * across[:, None]).sum(2)) / width[:, None] ** 2, FAR),
            np.minimum(np.abs((towards * along[:, None]).sum(2)) / height[:, None] ** 2, FAR),
            np.minimum(distance[rows, nearest] / size[:, None], FAR),
            np.clip(np.log(size[nearest] / size[:, None]), -2, 2),
            np.abs((up[nearest] * up[:, None]).sum(2)),
        ),
        2,
    )
    return np.concatenate([np.stack(own, 1), near.reshape(count, -1)], 1)
