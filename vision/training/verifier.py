"""Training the verifier: which of a picture's boxes hold a tile, weighed together.

The detector looks at pictures that it has not learnt from, and hands on even what looks only a
little like a tile; labels say which of its boxes are tiles.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click
import cv2
import numpy as np
import torch
from torch import nn

from vision.evaluation.matching import MIN_QUAD_IOU
from vision.quads import quad_iou
from vision.reading.verify import EVIDENCE, evidence
from vision.training.data import opened
from vision.training.loop import Schedule, Trainer
from vision.training.reader import IGNORED
from vision.training.set_transformer import SetTransformer, absence, filled
from vision.training.tiles import reshot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vision.detect import Detector
    from vision.reading.examine import Examiner
    from vision.training.data import Labelled
    from vision.types import Floats

BATCH, MOST_BOXES = 32, 64
LEAST_CONFIDENCE = 0.1
TILE, NO_TILE = 1, 0
LEAST_VISIBLE = 0.3  # of a tile's face; less of one is neither a tile nor none
LEAST_SHARED = 0.15  # of a box's area with a tile: the box is not nowhere
SOME_BOXES = 0.35  # share of the samples that are a part of a picture
PHOTO_VIEWS = 2


class Boxes(NamedTuple):
    """The boxes of one picture: evidence (n, `EVIDENCE`), and which are tiles, (n,)."""

    told: Floats
    truth: np.ndarray[tuple[int], np.dtype[np.int64]]


def boxes_of(
    detector: Detector, examiner: Examiner, samples: Iterable[Labelled], seed: int
) -> list[Boxes]:
    """Look at pictures that neither has learnt from; those where nothing is found drop out."""
    rng = np.random.default_rng(seed)
    detector = replace(detector, least=LEAST_CONFIDENCE)
    found = (_boxes(detector, examiner, opened(sample), rng) for sample in samples)
    return [boxes for boxes in found if boxes is not None]


def _boxes(
    detector: Detector, examiner: Examiner, sample: Labelled, rng: np.random.Generator
) -> Boxes | None:
    pixels = reshot(rng, sample.pixels_bgr)
    detections = detector.detect(pixels)
    if len(detections) == 0:
        return None
    quads, look, numbers = examiner.examine(pixels, detections.quads_img)
    told = evidence(pixels, quads, numbers, look, detections.confidences)
    return Boxes(told, np.array([truth_of(sample, quad) for quad in quads]))


def truth_of(sample: Labelled, quad: Floats) -> int:
    """Return whether a box is a tile, none, or neither because it is half of one."""
    overlaps = np.array([quad_iou(quad, tile) for tile in sample.quads_img] or [0.0])
    best = int(overlaps.argmax())
    if overlaps[best] >= MIN_QUAD_IOU and sample.visible[best] > LEAST_VISIBLE:
        return TILE
    hull = cv2.convexHull(quad.astype(np.float32))
    shared = [
        cv2.intersectConvexConvex(hull, cv2.convexHull(tile))[0] for tile in sample.quads_img
    ]
    return IGNORED if max(shared, default=0) > LEAST_SHARED * cv2.contourArea(hull) else NO_TILE


def make_batch(rng: np.random.Generator, pictures: Sequence[Boxes]) -> tuple[torch.Tensor, ...]:
    """Return evidence, absence and truth of `BATCH` pictures, filled up to one size."""
    chosen = [_some(rng, pictures[int(rng.integers(len(pictures)))]) for _ in range(BATCH)]
    told, truth = ([boxes[part] for boxes in chosen] for part in range(2))
    return (
        filled(told, MOST_BOXES),
        absence(truth, MOST_BOXES),
        filled(truth, MOST_BOXES, IGNORED),
    )


def _some(rng: np.random.Generator, boxes: Boxes) -> Boxes:
    """Return the boxes of a picture in any order, all or some."""
    chosen = rng.permutation(len(boxes.truth))
    if rng.random() < SOME_BOXES:
        chosen = chosen[: rng.integers(1, len(chosen) + 1)]
    chosen = chosen[:MOST_BOXES]
    return Boxes(boxes.told[chosen], boxes.truth[chosen])


def train_verifier(
    pictures: Sequence[Boxes],
    checkpoint: Path,
    *,
    steps: int,
    seed: int,
    rate: float = 2e-3,
    start: Path | None = None,
) -> SetTransformer:
    """Train from scratch or `start`, or go on from `checkpoint`; return the averaged network."""
    torch.manual_seed(seed)
    everything = np.concatenate([boxes.told for boxes in pictures])
    network = SetTransformer(EVIDENCE, 1, everything, forget=0.4)
    schedule = Schedule(steps=steps, warm_up=100, rate=rate, weight_decay=0.2)
    trainer = Trainer(network, schedule, checkpoint, seed, start)
    started = time.monotonic()
    for step in trainer.steps():
        rng = np.random.default_rng((seed, 5, step))
        told, absent, truth = (part.to(trainer.device) for part in make_batch(rng, pictures))
        guess, known = trainer.model(told, absent)[..., 0], truth != IGNORED
        loss = nn.functional.binary_cross_entropy_with_logits(guess[known], truth[known].float())
        trainer.update(loss)
        if step % 200 == 0:
            right = float(((guess > 0) == (truth == TILE))[known].float().mean())
            click.echo(
                f"step {step} loss {loss.item():.4f} right {right:.3f} "
                f"{time.monotonic() - started:.0f} s"
            )
    return trainer.averaged()
