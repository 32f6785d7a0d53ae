"""Training the detector: a YOLO with oriented boxes, one class, from scratch."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import numpy as np
import torch

from vision.quads import boxes_of
from vision.training.augment import random_view
from vision.training.data import opened
from vision.training.loop import Schedule, Trainer
from vision.training.tile_head import TileLoss, build_detector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ultralytics.nn.tasks import OBBModel

    from vision.training.data import Labelled

INPUT_PX = 512
IN_INPUTS = np.array([INPUT_PX] * 4 + [1], np.float32)  # of a box's lengths and its angle
BATCH = 8


def make_batch(
    rng: np.random.Generator,
    draw: Callable[[np.random.Generator], Labelled],
    count: int = BATCH,
) -> dict[str, torch.Tensor]:
    """Return one batch of `count` views as the loss wants it.

    img is (b, 3, h, w) in bytes, quads (n, 8) in px, batch_idx (n,), bboxes (n, 5) as of
    `vision.quads.boxes_of`, but lengths over `INPUT_PX`.
    """
    views, boxes, corners, owners = [], [], [], []
    for i in range(count):
        view, quads = random_view(rng, draw(rng), INPUT_PX)
        views.append(view[..., ::-1].transpose(2, 0, 1))
        boxes.append(boxes_of(quads) / IN_INPUTS)
        corners.append(quads.reshape(-1, 8))
        owners.append(np.full(len(quads), i, np.float32))
    bboxes = torch.from_numpy(np.concatenate(boxes))
    return {
        "img": torch.from_numpy(np.ascontiguousarray(np.stack(views))),
        "bboxes": bboxes,
        "quads": torch.from_numpy(np.concatenate(corners)),
        "cls": torch.zeros(len(bboxes), 1),
        "batch_idx": torch.from_numpy(np.concatenate(owners)),
    }


def mixer(
    photographs: Sequence[Labelled], scenes: Sequence[Labelled], share: float
) -> Callable[[np.random.Generator], Labelled]:
    """Return a draw that takes a photograph with probability `share`, a scene otherwise."""

    def draw(rng: np.random.Generator) -> Labelled:
        pool = photographs if photographs and rng.random() < share else scenes
        return opened(pool[int(rng.integers(len(pool)))])

    return draw


def train_detector(
    photographs: Sequence[Labelled],
    scenes: Sequence[Labelled],
    checkpoint: Path,
    *,
    family: str,
    steps: int,
    seed: int,
    share: float,
    start: Path | None = None,
    rate: float = 2e-3,
    batch_size: int = BATCH,
) -> OBBModel:
    """Train from scratch, or from an earlier run's weights, or go on from `checkpoint`.

    `batch_size` is how many views a step sees.

    Returns
    -------
        The averaged model.
    """
    torch.manual_seed(seed)
    model = build_detector(family)
    schedule = Schedule(steps=steps, warm_up=80, rate=rate, weight_decay=5e-4)
    draw = mixer(photographs, scenes, share)

    def batch(step: int) -> dict[str, torch.Tensor]:
        return make_batch(np.random.default_rng((seed, step)), draw, batch_size)

    def pixels(of: dict[str, torch.Tensor]) -> torch.Tensor:
        return of["img"].float().div_(255).contiguous(memory_format=torch.channels_last)

    trainer = Trainer(model, schedule, checkpoint, seed, start, lambda: pixels(batch(0)))
    loss_of = TileLoss(trainer.model)
    started = time.monotonic()
    for step, made in trainer.batches(batch):
        given = {k: v.to(trainer.device, non_blocking=True) for k, v in made.items()}
        with trainer.mixed_precision():
            preds = trainer.model(pixels(given))
        preds = {
            k: v.float() if torch.is_tensor(v) else [f.float() for f in v]
            for k, v in preds.items()
        }
        loss, parts = loss_of(preds, given)
        trainer.update(loss.sum())
        if step % 50 == 0:
            shown = " ".join(f"{k} {float(v):.3f}" for k, v in parts.items())
            click.echo(f"step {step} {shown} {time.monotonic() - started:.0f} s")
    return trainer.averaged()


class _Deployed(torch.nn.Module):
    """BGR bytes in, boxes out: what the run-time calls."""

    def __init__(self, model: OBBModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Map (1, 3, h, w) RGB in 0 to 1 to (1, n, 6): x, y, width, height, angle, score.

        Corners, where the network has them, come after these, (1, n, 14).
        """
        raw = self.model(image)
        raw = raw[0] if isinstance(raw, tuple) else raw
        return torch.cat([raw[:, :4], raw[:, 5:6], raw[:, 4:5], raw[:, 8:]], 1).transpose(1, 2)


def export_detector(model: OBBModel, path: Path) -> None:
    """Write the network as ONNX; height and width stay free, in steps of 32."""
    deployed = _Deployed(model.float().cpu().to(memory_format=torch.contiguous_format).eval())
    head = model.model[-1]
    head.dynamic = True
    torch.onnx.export(
        deployed,
        (torch.zeros(1, 3, 384, 512),),
        str(path),
        input_names=["image"],
        output_names=["boxes"],
        dynamic_axes={"image": {2: "height", 3: "width"}, "boxes": {1: "n"}},
        opset_version=17,
        dynamo=False,
    )
