"""Training the corner finder: a small network that turns a detector's box into a true quad."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import numpy as np
import torch
from torch import nn

from vision.crops import straighten
from vision.quads import UNIT_SQUARE, shortest_side
from vision.training.loop import Schedule, Trainer
from vision.training.tiles import TilePool, cut_by_frame, degrade, loosen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.types import Floats, Pixels

CROP = (64, 80)
MARGIN = 0.22
BATCH = 96


def block(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """Return a 3x3 convolution with normalisation and a rectifier."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.SiLU(inplace=True),
    )


class CornerFinder(nn.Module):
    """(n, 3, 80, 64) RGB in 0 to 1 to (n, 8): the corners' x, y in box coordinates.

    Box coordinates run from 0 to 1 over the detector's box, top left to bottom right; corners
    come clockwise from the one nearest to the box's own first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(3, 20, 2), block(20, 32), block(32, 48, 2), block(48, 48), block(48, 72, 2),
            block(72, 72), block(72, 72, 2),
        )  # fmt: skip
        self.head = nn.Sequential(
            nn.Flatten(), nn.Linear(72 * 5 * 4, 96), nn.SiLU(), nn.Linear(96, 8)
        )
        self.unit: torch.Tensor
        self.register_buffer("unit", torch.tensor([0.0, 0, 1, 0, 1, 1, 0, 1]), persistent=False)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the corners."""
        out: torch.Tensor = self.head(self.body(crops)).float() * 0.5 + self.unit
        return out


def in_box(box: Floats, points: Floats) -> Floats:
    """Return image points in the coordinates of a box, a parallelogram of (4, 2)."""
    across, down = box[1] - box[0], box[3] - box[0]
    basis = np.stack([across, down], 1).astype(np.float64)
    return np.asarray(np.linalg.solve(basis, (points - box[0]).T).T, np.float32)


def matching_turn(box: Floats, quad: Floats) -> Floats:
    """Return `quad` begun at the corner that makes it turn least from `box`."""
    turns = [np.roll(quad, shift, 0) for shift in (0, 2)]
    return min(turns, key=lambda turned: float(np.linalg.norm(in_box(box, turned) - UNIT_SQUARE)))


def sample_crop(rng: np.random.Generator, pool: TilePool) -> tuple[Pixels, Floats]:
    """Return one crop around a loose box, and the true corners in the box's coordinates."""
    sample, index = pool.draw(rng)
    quad = sample.quads_img[index]
    if rng.random() < 0.12:
        sample = cut_by_frame(rng, sample, quad)
    box = loosen(rng, quad)
    if rng.random() < 0.5:
        box = np.roll(box, 2, 0)
    corners = in_box(box, matching_turn(box, quad))
    crop = degrade(rng, straighten(sample.pixels_bgr, box, CROP, MARGIN), shortest_side(quad))
    if rng.random() < 0.5:  # a mirrored tile has the same corners, mirrored
        crop = crop[:, ::-1]
        corners = np.stack([1 - corners[[1, 0, 3, 2], 0], corners[[1, 0, 3, 2], 1]], 1)
    return crop, corners


def train_corners(
    draw_pool: Callable[[np.random.Generator], TilePool],
    checkpoint: Path,
    *,
    steps: int,
    seed: int,
    start: Path | None = None,
) -> CornerFinder:
    """Train from scratch or `start`, or go on from `checkpoint`; return the averaged network."""
    torch.manual_seed(seed)
    schedule = Schedule(steps=steps, warm_up=100, rate=2e-3, weight_decay=1e-3)

    def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return crops (n, 3, h, w) and their corners (n, 8)."""
        rng = np.random.default_rng((seed, 2, step))
        drawn = [sample_crop(rng, draw_pool(rng)) for _ in range(BATCH)]
        crops = np.stack([crop[..., ::-1].transpose(2, 0, 1) for crop, _ in drawn])
        truth = np.stack([corners.reshape(8) for _, corners in drawn])
        return torch.from_numpy(crops.copy()).float().div_(255), torch.from_numpy(truth)

    trainer = Trainer(CornerFinder(), schedule, checkpoint, seed, start, lambda: batch(0)[0])
    started = time.monotonic()
    for step, made in trainer.batches(batch):
        image, truth = (each.to(trainer.device, non_blocking=True) for each in made)
        with trainer.mixed_precision():
            guess = trainer.model(image.contiguous(memory_format=torch.channels_last))
        loss = nn.functional.smooth_l1_loss(guess.float(), truth.float(), beta=0.02)
        trainer.update(loss)
        if step % 100 == 0:
            off, spent = float((guess - truth).abs().median()), time.monotonic() - started
            click.echo(f"step {step} loss {loss.item():.4f} off {off:.4f} {spent:.0f} s")
    return trainer.averaged()


def export(network: nn.Module, size: tuple[int, int], outputs: list[str], path: Path) -> None:
    """Write a network on crops of `size` (width, height) as ONNX, any number at a time."""
    network = network.float().cpu().to(memory_format=torch.contiguous_format).eval()
    torch.onnx.export(
        network,
        (torch.zeros(2, 3, size[1], size[0]),),
        str(path),
        input_names=["crops"],
        output_names=outputs,
        dynamic_axes={name: {0: "n"} for name in ("crops", *outputs)},
        opset_version=17,
        dynamo=False,
    )
