"""Training the detector: a YOLO11 with oriented boxes, one class, from scratch."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click
import numpy as np
import torch
from ultralytics.cfg import get_cfg
from ultralytics.nn.modules.head import OBB, Detect
from ultralytics.nn.tasks import OBBModel
from ultralytics.utils.loss import RotatedBboxLoss, v8OBBLoss
from ultralytics.utils.metrics import probiou

from vision.training.augment import random_view
from vision.training.data import opened
from vision.training.loop import Schedule, Trainer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from vision.training.data import Labelled
    from vision.types import Floats

INPUT_PX = 512
BATCH = 8
CHANNELS = 4  # cosine and sine of the doubled angle, offset x and y


class TileHead(OBB):
    """An oriented-box head without a seam.

    A tile looks the same after a half turn, so its angle has no beginning: squashing it into an
    interval tears the circle, and boxes near the tear come out 45 degrees wrong. Two channels,
    the cosine and sine of the doubled angle, have no tear. Nor may the box's centre be told in
    the box's own frame, which flips where the angle wraps: two more channels give it in the
    picture's frame, in strides from the anchor. The four distances of the base class, each
    learnt as a distribution, then stand for the half sides.
    """

    def forward_head(
        self,
        x: list[torch.Tensor],
        box_head: torch.nn.ModuleList,
        cls_head: torch.nn.ModuleList,
        angle_head: torch.nn.ModuleList,
    ) -> dict[str, torch.Tensor]:
        """Return raw boxes and scores, and as "angle" (b, 3, n): radians, offset x, offset y."""
        preds: dict[str, torch.Tensor] = Detect.forward_head(self, x, box_head, cls_head)
        batch = x[0].shape[0]
        raw = torch.cat([angle_head[i](x[i]).view(batch, CHANNELS, -1) for i in range(self.nl)], 2)
        raw = raw.float()
        angle = torch.atan2(raw[:, 1:2], raw[:, 0:1] + 1e-6) / 2
        preds["angle"] = torch.cat([angle, raw[:, 2:]], 1)
        return preds

    def decode_bboxes(
        self, bboxes: torch.Tensor, anchors: torch.Tensor, angle: torch.Tensor
    ) -> torch.Tensor:
        """Return boxes (b, 4, n): centre x, centre y, width, height, in strides."""
        return boxes_from(bboxes, angle[:, 1:], anchors, dim=1)


def boxes_from(
    half_sides: torch.Tensor, offset: torch.Tensor, anchors: torch.Tensor, dim: int
) -> torch.Tensor:
    """Return centre and sides from the four half sides and the centre's offset."""
    first, second = half_sides.split(2, dim=dim)
    return torch.cat([anchors + offset, first + second], dim)


class TileLoss(v8OBBLoss):
    """The oriented-box loss for `TileHead`: angles modulo a half turn, centres by offset."""

    def __init__(self, model: OBBModel) -> None:
        super().__init__(model)
        self.bbox_loss = _HalfSideLoss(self.reg_max).to(self.device)

    def bbox_decode(
        self, anchor_points: torch.Tensor, pred_dist: torch.Tensor, pred_angle: torch.Tensor
    ) -> torch.Tensor:
        """Return boxes (b, n, 5): centre, sides, angle, in strides."""
        batch, count, channels = pred_dist.shape
        bins = pred_dist.view(batch, count, 4, channels // 4).softmax(3)
        half_sides = bins.matmul(self.proj.type(pred_dist.dtype))
        boxes = boxes_from(half_sides, pred_angle[..., 1:], anchor_points, dim=-1)
        return torch.cat([boxes, pred_angle[..., :1]], -1)

    def calculate_angle_loss(
        self,
        pred_bboxes: torch.Tensor,
        target_bboxes: torch.Tensor,
        fg_mask: torch.Tensor,
        weight: torch.Tensor,
        target_scores_sum: torch.Tensor,
        lambda_val: int = 3,
    ) -> torch.Tensor:
        """Return the mean squared sine of the angle off, and how far the centre is off.

        The centre is measured in short sides, so that small and large tiles count alike.
        """
        del lambda_val
        pred, target = pred_bboxes[fg_mask], target_bboxes[fg_mask]
        turned = torch.sin(pred[:, 4] - target[:, 4]) ** 2
        away = (pred[:, :2] - target[:, :2]).abs().sum(1) / target[:, 2].clamp(min=0.5)
        return ((turned + 0.25 * away.clamp(max=4)) * weight).sum() / target_scores_sum


class _HalfSideLoss(RotatedBboxLoss):
    """Overlap of the boxes as Gaussians, and the half sides as distributions."""

    def forward(
        self,
        pred_dist: torch.Tensor,
        pred_bboxes: torch.Tensor,
        anchor_points: torch.Tensor,
        target_bboxes: torch.Tensor,
        target_scores: torch.Tensor,
        target_scores_sum: torch.Tensor,
        fg_mask: torch.Tensor,
        imgsz: torch.Tensor,
        stride: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return both losses, each a scalar."""
        del anchor_points, imgsz, stride
        weight = target_scores[fg_mask].sum(-1, keepdim=True)
        target = target_bboxes[fg_mask]
        overlap = probiou(pred_bboxes[fg_mask], target, floor=self.floor)
        overlap_loss = ((1.0 - overlap) * weight).sum() / target_scores_sum
        bins = self.dfl_loss.reg_max
        half_sides = (target[:, [2, 3, 2, 3]] / 2).clamp(0, bins - 1 - 0.01)
        spread = self.dfl_loss(pred_dist[fg_mask].view(-1, bins), half_sides) * weight
        return overlap_loss, spread.sum() / target_scores_sum


def build_detector(size: str = "n") -> OBBModel:
    """Return an untrained one-class YOLO11 of that size with a seamless head."""
    model = OBBModel(f"yolo11{size}-obb.yaml", nc=1, verbose=False)
    head = model.model[-1]
    for branch in head.cv4:
        last = branch[-1]
        branch[-1] = torch.nn.Conv2d(last.in_channels, CHANNELS, 1)
    head.ne = CHANNELS
    head.__class__ = TileHead
    model.args = get_cfg()
    model.args.angle = 4.0
    return model


def boxes_of(quads: Floats, size_px: int) -> Floats:
    """Return quads as (n, 5) boxes: centre, width, height over `size_px`; radians.

    Width is along a quad's first side, the tile's own top, and the angle is that of the width,
    as of the parallelogram nearest to the quad. Were it the shorter side's, it would jump where
    a tile seen from the side looks square.
    """
    centre = quads.mean(1)
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    sides = np.stack([np.linalg.norm(across, axis=1), np.linalg.norm(along, axis=1)], 1)
    # The mean of both sides' directions; for a sheared quad neither alone is the box's.
    upright = np.stack([along[:, 1], -along[:, 0]], 1)
    mean = across / sides[:, :1] + upright / sides[:, 1:]
    angle = np.arctan2(mean[:, 1], mean[:, 0])
    return np.asarray(np.c_[centre / size_px, sides / size_px, angle], np.float32)


def make_batch(
    rng: np.random.Generator, draw: Callable[[np.random.Generator], Labelled]
) -> dict[str, torch.Tensor]:
    """Return one batch as the loss wants it: img (b, 3, h, w) in 0 to 1, bboxes, batch_idx."""
    views, boxes, owners = [], [], []
    for i in range(BATCH):
        view, quads = random_view(rng, draw(rng), INPUT_PX)
        views.append(view[..., ::-1].transpose(2, 0, 1))
        boxes.append(boxes_of(quads, INPUT_PX).reshape(-1, 5))
        owners.append(np.full(len(quads), i, np.float32))
    bboxes = torch.from_numpy(np.concatenate(boxes))
    return {
        "img": torch.from_numpy(np.ascontiguousarray(np.stack(views))),
        "bboxes": bboxes,
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
    size: str,
    steps: int,
    seed: int,
    share: float,
    start: Path | None = None,
) -> OBBModel:
    """Train from scratch, or from an earlier run's weights, or go on from `checkpoint`.

    Returns
    -------
        The averaged model.
    """
    torch.manual_seed(seed)
    model = build_detector(size)
    schedule = Schedule(steps=steps, warm_up=80, rate=2e-3, weight_decay=5e-4)
    trainer = Trainer(model, schedule, checkpoint, seed, start)
    loss_of = TileLoss(trainer.model)
    draw = mixer(photographs, scenes, share)
    started = time.monotonic()
    for step in trainer.steps():
        rng = np.random.default_rng((seed, step))
        batch = {k: v.to(trainer.device) for k, v in make_batch(rng, draw).items()}
        image = batch["img"].float().div_(255).contiguous(memory_format=torch.channels_last)
        with trainer.mixed_precision():
            preds = trainer.model(image)
        preds = {
            k: v.float() if torch.is_tensor(v) else [f.float() for f in v]
            for k, v in preds.items()
        }
        loss, parts = loss_of(preds, batch)
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
        """Map (1, 3, h, w) RGB in 0 to 1 to (1, n, 6): x, y, width, height, angle, score."""
        raw = self.model(image)
        raw = raw[0] if isinstance(raw, tuple) else raw
        return torch.cat([raw[:, :4], raw[:, 5:6], raw[:, 4:5]], 1).transpose(1, 2)


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
