"""The correction: what is added to the reader's answers for one set of tiles.

The reader's last layers are linear, so a linear function of what they see, added to their
logits, is the same as training them on; it is fitted as a multinomial logistic regression that
starts from the general reader and is held near it by weight decay.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from scipy.optimize import minimize  # type: ignore[import-untyped]

from vision.crops import balance, straighten_all, straighten_for
from vision.faces import NOT_UPRIGHT, ink_column, log_softmax, number_column
from vision.quads import rectangle
from vision.slips import jitter, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.tiles import Tile
    from vision.network import Network
    from vision.types import Floats, Indices, Pixels, Reals

VIEWS: Final = 30  # of each tile, all a little different
MARGIN: Final = 0.2  # of the kept crops: room to move the corners in
KEPT_SIZE: Final = (112, 168)
DECAY: Final = {"number": 0.05, "colour": 0.05}
ROUNDS: Final = 80
SHARES: Final = (0.3, 0.8, 0.95, 1.0)
"""Of the time: when the views are made, looked at, and the numbers and the colours fitted."""
ON_THEIR_SIDE: Final = 3  # every so many views shows a tile on its side
OFF: Final = (0.03, 0.07)  # how far corners are found off, of the tile's width: mostly, at times
OFTEN_OFF: Final = 0.3
OFTEN_SMALL: Final = 0.4
BATCH: Final = 128


@dataclass(frozen=True, slots=True)
class Correction:
    """Linear corrections of the logits.

    Attributes
    ----------
    number, colour
        (15, f + 1) and (4, g + 1) float32; the last column is the bias.
    """

    number: Floats
    colour: Floats

    def apply(
        self, numbers: Floats, colours: Floats, seen: Floats, tint: Floats
    ) -> tuple[Floats, Floats]:
        """Return corrected logits of n crops.

        Parameters
        ----------
        numbers, colours
            (n, 15) and (n, 4) logits.
        seen, tint
            (n, f) and (n, g): what the last layers see.
        """
        return (
            numbers + seen @ self.number[:, :-1].T + self.number[:, -1],
            colours + tint @ self.colour[:, :-1].T + self.colour[:, -1],
        )


def keep(pixels: Pixels, quads: Floats) -> Pixels:
    """Cut tiles out with some of their surroundings, (n, 168, 112, 3) uint8."""
    return straighten_all(pixels, quads, KEPT_SIZE, MARGIN)


def fit_correction(
    network: Network,
    crops: Pixels,
    faces: Sequence[Tile],
    told: Callable[[float], None] | None = None,
) -> Correction:
    """Fit a correction of the reader to n tiles.

    Parameters
    ----------
    network
        The reader's network.
    crops
        (n, 168, 112, 3) uint8 BGR from `keep`.
    faces
        What they show.
    told
        Told which share is done, 0 to 1, again and again; what it raises ends the fitting.
    """
    rng = np.random.default_rng(0)
    tell = told or (lambda _share: None)
    views, numbers, colours = _views(rng, network, crops, faces, tell)
    outputs = []
    for at in range(0, len(views), BATCH):
        tell(SHARES[0] + (SHARES[1] - SHARES[0]) * at / len(views))
        outputs.append(network.run(views[at : at + BATCH]))
    answers, inks, seen, tint = (np.concatenate(each) for each in zip(*outputs, strict=True))
    inked = colours >= 0
    return Correction(
        _fit(answers, seen, numbers, DECAY["number"], _part(tell, *SHARES[1:3])),
        _fit(inks[inked], tint[inked], colours[inked], DECAY["colour"], _part(tell, *SHARES[2:])),
    )


def _part(tell: Callable[[float], None], first: float, last: float) -> Callable[[int], None]:
    """Tell of the rounds of a fit, which is a part of the whole."""
    return lambda done: tell(first + (last - first) * min(done / ROUNDS, 1.0))


def _views(
    rng: np.random.Generator,
    network: Network,
    crops: Pixels,
    faces: Sequence[Tile],
    tell: Callable[[float], None],
) -> tuple[Floats, Indices, Indices]:
    """Return balanced views of the tiles as pictures of a table would show them, and labels."""
    left, top = (MARGIN * side for side in KEPT_SIZE)
    right, bottom = KEPT_SIZE[0] - left, KEPT_SIZE[1] - top
    quad = rectangle(left, top, right, bottom)
    views, numbers, colours = [], [], []
    for done, (crop, face) in enumerate(zip(crops, faces, strict=True)):
        tell(SHARES[0] * done / len(faces))
        number, colour = number_column(str(face)), ink_column(str(face))
        for view in range(VIEWS):
            loose = shorten(rng, jitter(rng, quad, OFF[int(rng.random() < OFTEN_OFF)]))
            turns = 2 if view % 2 else 0
            if view % (2 * ON_THEIR_SIDE) == 1:
                turns = int(rng.choice([1, 3]))
            (cut,) = straighten_for(network, crop, np.roll(loose, turns, 0)[None])
            views.append(_weather(rng, cut))
            numbers.append(NOT_UPRIGHT if turns else number)
            colours.append(-1 if turns else colour)
    return balance(np.stack(views)), np.array(numbers), np.array(colours)


def _weather(rng: np.random.Generator, crop: Pixels) -> Pixels:
    """Make a crop darker, softer or noisier at random, its colours kept."""
    height, width = crop.shape[:2]
    if rng.random() < OFTEN_SMALL:
        factor = rng.uniform(0.3, 0.9)
        small = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (width, height)), np.uint8)
    light = np.float32(rng.uniform(0.55, 1.15)) * np.exp(rng.normal(0, 0.03, 3))
    grain = rng.normal(0, rng.uniform(0, 8), crop.shape)
    return np.clip(crop * light.astype(np.float32) + grain, 0, 255).astype(np.uint8)


def _fit(
    logits: Floats,
    seen: Floats,
    truth: Indices,
    decay: float,
    told: Callable[[int], None],
) -> Floats:
    """Fit the addition to logits (n, c) from n views (n, f), as (c, f + 1); tell each round."""
    views, classes = logits.shape
    scale = max(float(np.sqrt((seen**2).mean())), 1e-6)
    inputs = np.c_[seen / scale, np.ones(views)].astype(np.float64)
    wanted = np.eye(classes)[truth]
    # Every class weighs the same, however many tiles show it.
    weights = 1 / np.maximum(wanted.sum(0), 1)[truth]
    weights /= weights.sum()

    # Not by `@`: products as small as these gain nothing from more threads, and on a busy machine
    # the linear algebra library's threads wait for one another a hundred times as long.
    def loss(flat: Reals) -> tuple[float, Reals]:
        added = flat.reshape(classes, -1)
        logs = log_softmax(logits + np.einsum("vf,cf->vc", inputs, added))
        error = (np.exp(logs) - wanted) * weights[:, None]
        value = decay / 2 * float((added**2).sum()) - float((logs[wanted > 0] * weights).sum())
        return value, (np.einsum("vc,vf->cf", error, inputs) + decay * added).ravel()

    rounds = count(1)
    found = minimize(
        loss,
        np.zeros(classes * inputs.shape[1]),
        jac=True,
        method="L-BFGS-B",
        callback=lambda _now: told(next(rounds)),
        options={"maxiter": ROUNDS},
    )
    added = found.x.reshape(classes, -1)
    added[:, :-1] /= scale
    return np.asarray(added, np.float32)
