"""Training the reader: number and colour from one straightened, white-balanced tile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import cv2
import numpy as np
import torch
from torch import nn

from vision.crops import balance, straighten
from vision.faces import JOKER, NOT_UPRIGHT, ink_column, number_column
from vision.outlines import nearer
from vision.quads import shortest_side
from vision.slips import jitter, shorten
from vision.training.corners import block, export
from vision.training.loop import Schedule, Trainer
from vision.training.tiles import (
    AS_NEAR,
    BLANK,
    LEGIBLE,
    NEARER,
    NUMBER_HIDDEN,
    NUMBER_SEEN,
    RESTYLED,
    TilePool,
    cover,
    degrade,
    elsewhere,
    faded,
    is_clear,
    misfit,
    restyle,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.training.data import Labelled
    from vision.types import Floats, Pixels

CROP = (64, 96)
MARGIN = 0.06
BATCH = 96
PLACES = 3  # that the colour is looked for at
IGNORED = -1
# Shares of the samples that are places without a tile, and that are half a tile.
NOTHING_THERE, MISFITS = 0.1, 0.16
PLACES_TRIED = 3
# How many crops are covered from a side, and how far. Half a number may look like another one, as
# an 11 under a thumb; beside it there is room.
COVERED, HALF, RIM = 0.1, (0.4, 0.6), (0.02, 0.16)
FADED = 0.08  # share of the crops of which a lamp leaves little, or nothing, to be read


class Residual(nn.Module):
    """Two 3x3 convolutions that add to what goes in (He et al. 2016), at first nothing.

    So a network to which such are added begins as it was (Goyal et al. 2017, section 5.1).
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        last = nn.BatchNorm2d(width)
        nn.init.zeros_(last.weight)
        self.added = nn.Sequential(
            block(width, width), nn.Conv2d(width, width, 3, 1, 1, bias=False), last
        )

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return (n, width, h, w) like what goes in."""
        out: torch.Tensor = images + self.added(images)
        return out


def _body() -> nn.Sequential:
    return nn.Sequential(
        block(3, 24, 2), block(24, 32), block(32, 56, 2), block(56, 56), Residual(56),
        block(56, 96, 2), block(96, 96), block(96, 96), Residual(96), Residual(96),
        block(96, 128, 2), block(128, 128), Residual(128), Residual(128), Residual(128),
    )  # fmt: skip


class Reader(nn.Module):
    """(n, 3, h, w) balanced RGB to (n, 15) number and (n, 4) colour logits.

    Parameters
    ----------
    size
        w and h, multiples of 16.
    apart
        Whether number and colour have a body each, rather than one together.
    """

    def __init__(self, size: tuple[int, int] = CROP, *, apart: bool = False) -> None:
        super().__init__()
        self.body = _body()
        self.ink_body = _body() if apart else None
        self.number = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(128 * (size[0] // 16) * (size[1] // 16), 128),
            nn.SiLU(),
            nn.Linear(128, 15),
        )
        self.mean = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.where_early = nn.Conv2d(32, PLACES, 1)
        self.where_late = nn.Conv2d(128, PLACES, 1)
        self.ink = nn.Linear(128 + 32 + PLACES * (32 + 3), 4)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return number and colour logits."""
        number, colour, _, _ = self.look(crops)
        return number, colour

    def look(self, crops: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return number and colour logits, and what the last layer of each saw, (n, f), (n, g)."""
        early = self.body[:2](crops)
        late = self.body[2:](early)
        seen = self.number[:-1](late)
        if self.ink_body is not None:
            early = self.ink_body[:2](crops)
            late = self.ink_body[2:](early)
        tint = self._tint(crops, early, late)
        outputs = self.number[-1](seen), self.ink(tint), seen, tint
        return tuple(output.float() for output in outputs)

    def _tint(self, crops: torch.Tensor, early: torch.Tensor, late: torch.Tensor) -> torch.Tensor:
        """Return what tells the ink: the whole crop's mean, and what is seen where ink is.

        A thin number is a hundredth of the crop, so that in a mean its colour drowns. Attention
        (Bahdanau et al. 2015) over the places finds the strokes, and takes their colour there.
        """
        broad = torch.cat([late, nn.functional.max_pool2d(early, 8)], 1)
        where = self.where_early(early) + nn.functional.interpolate(
            self.where_late(late), scale_factor=8.0
        )
        weights = where.flatten(2).softmax(2)
        fine = torch.cat([early, nn.functional.avg_pool2d(crops, 2)], 1).flatten(2)
        return torch.cat([self.mean(broad), (weights @ fine.transpose(1, 2)).flatten(1)], 1)


class _Deployed(nn.Module):
    """What the run-time calls: everything that a look gives, so that sets can be taught."""

    def __init__(self, network: Reader) -> None:
        super().__init__()
        self.network = network

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.network.look(crops)


def export_reader(network: Reader, path: Path, size: tuple[int, int] = CROP) -> None:
    """Write the network as ONNX: number, colour, and what their last layers see."""
    export(_Deployed(network), size, ["number", "colour", "seen", "tint"], path)


Sample = tuple["Pixels", int, int]


def sample_crop(rng: np.random.Generator, pool: TilePool, size: tuple[int, int] = CROP) -> Sample:
    """Return a crop with its number class and its colour class (IGNORED for none)."""
    sample, index = pool.draw(rng)
    quad = sample.quads_img[index]
    name = sample.names[index]
    number, colour = number_column(name), ink_column(name)  # IGNORED for what has no ink
    chance = rng.random()
    if chance < NOTHING_THERE and (bare := _nothing_there(rng, sample, quad, size)) is not None:
        return degrade(rng, bare, shortest_side(quad)), NOT_UPRIGHT, IGNORED
    seen = sample.number_visible[index]
    if seen < NUMBER_HIDDEN:
        number, colour = NOT_UPRIGHT, IGNORED
    elif seen < NUMBER_SEEN:
        number = NOT_UPRIGHT if has_two_figures(name) else IGNORED
    loose = jitter(rng, quad, 0.03 if rng.random() < 0.8 else 0.08)
    loose = shorten(rng, loose)
    if chance < MISFITS:
        loose, number = misfit(rng, loose), NOT_UPRIGHT
    if chance > 0.7:  # upside down, or on its side as a tile seen from very low may be taken for
        loose = np.roll(loose, 2 if chance > 0.84 else int(rng.choice([1, 3])), 0)
        number = NOT_UPRIGHT
    if rng.random() < NEARER:
        loose = nearer(loose[None], rng.uniform(*AS_NEAR))[0]
    if rng.random() < RESTYLED:  # in double size: a small number on a large tile is sharp
        double = straighten(sample.pixels_bgr, loose, (2 * size[0], 2 * size[1]), MARGIN)
        crop = np.asarray(
            cv2.resize(restyle(rng, double), size, interpolation=cv2.INTER_AREA), np.uint8
        )
    else:
        crop = straighten(sample.pixels_bgr, loose, size, MARGIN)
    if rng.random() < COVERED and number < JOKER:
        half = has_two_figures(name) and rng.random() < 0.5
        cloak = straighten(sample.pixels_bgr, elsewhere(rng, sample, quad), size, MARGIN)
        crop = cover(rng, crop, cloak, rng.uniform(*(HALF if half else RIM)))
        number = NOT_UPRIGHT if half else number
    if rng.random() < FADED and number != IGNORED:
        legible = rng.random() < 0.5
        crop = faded(rng, crop, rng.uniform(*(LEGIBLE if legible else BLANK)))
        number, colour = (number, colour) if legible else (NOT_UPRIGHT, IGNORED)
    return degrade(rng, crop, shortest_side(quad)), number, colour


def _nothing_there(
    rng: np.random.Generator, sample: Labelled, quad: Floats, size: tuple[int, int]
) -> Pixels | None:
    """Return a crop of a place like a tile's where there is nothing to read, if one is found."""
    places = [elsewhere(rng, sample, quad) for _ in range(PLACES_TRIED)]
    crops = [
        straighten(sample.pixels_bgr, place, size, MARGIN)
        for place in places
        if is_clear(sample, place)
    ]
    # Bare tables teach little: what has most to show may be taken for a tile.
    return max(crops, key=lambda crop: float(crop.std()), default=None)


def has_two_figures(name: str) -> bool:
    """Whether a face shows a number of two figures.

    >>> [name for name in ("R1", "B12", "J") if has_two_figures(name)]
    ['B12']
    """
    return name != "J" and int(name[1:]) > 9


def train_reader(
    draw_pool: Callable[[np.random.Generator], TilePool],
    checkpoint: Path,
    *,
    steps: int,
    seed: int,
    start: Path | None = None,
    rate: float = 2e-3,
    size: tuple[int, int] = CROP,
    apart: bool = False,
    batch_size: int = BATCH,
) -> Reader:
    """Train from scratch or `start`, or go on from `checkpoint`; return the averaged network.

    `batch_size` is how many crops a step sees.
    """
    torch.manual_seed(seed)
    schedule = Schedule(steps=steps, warm_up=100, rate=rate, weight_decay=2e-2)

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (n, 3, h, w), their number and their colour classes, (n,) each."""
        rng = np.random.default_rng((seed, 3, step))
        crops, numbers, colours = zip(
            *(sample_crop(rng, draw_pool(rng), size) for _ in range(batch_size)), strict=True
        )
        image = torch.from_numpy(balance(np.stack(crops)))
        return image, torch.tensor(numbers), torch.tensor(colours)

    model = Reader(size, apart=apart)
    trainer = Trainer(model, schedule, checkpoint, seed, start, lambda: batch(0)[0])
    started = time.monotonic()
    for step, made in trainer.batches(batch):
        image, numbers, colours = (each.to(trainer.device, non_blocking=True) for each in made)
        with trainer.mixed_precision():
            number, colour = trainer.model(image.contiguous(memory_format=torch.channels_last))
        loss = _entropy(number, numbers) + _entropy(colour, colours)
        trainer.update(loss)
        if step % 100 == 0:
            right = [
                float((guess.argmax(1) == truth)[truth >= 0].float().mean())
                for guess, truth in ((number, numbers), (colour, colours))
            ]
            click.echo(
                f"step {step} loss {loss.item():.4f} number {right[0]:.3f} colour {right[1]:.3f} "
                f"{time.monotonic() - started:.0f} s"
            )
    return trainer.averaged()


def _entropy(guess: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(
        guess.float(), truth, ignore_index=IGNORED, label_smoothing=0.03
    )
