"""The detector's network: a YOLO with one class, oriented boxes without a seam, and its loss."""

from __future__ import annotations

import torch
from ultralytics.cfg import get_cfg
from ultralytics.nn.modules.conv import Conv
from ultralytics.nn.modules.head import OBB, Detect
from ultralytics.nn.tasks import OBBModel, yaml_model_load
from ultralytics.utils.loss import RotatedBboxLoss, v8OBBLoss
from ultralytics.utils.metrics import probiou
from ultralytics.utils.tal import RotatedTaskAlignedAssigner, make_anchors

CORNER_GAIN = 8.0
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


class CornerHead(TileHead):
    """A `TileHead` that places the tile's four corners, too, as keypoints.

    They are told by how far they are from the box's own corners, in its mean side; so a box that
    is named the other way round names its corners the other way round, and both are the tile.
    """

    def forward_head(
        self,
        x: list[torch.Tensor],
        box_head: torch.nn.ModuleList,
        cls_head: torch.nn.ModuleList,
        angle_head: torch.nn.ModuleList,
    ) -> dict[str, torch.Tensor]:
        """Return what `TileHead` does, and as "corners" (b, 8, n) how far they are off."""
        preds = super().forward_head(x, box_head, cls_head, angle_head)
        batch = x[0].shape[0]
        away = [self.corner_head[i](x[i]).view(batch, 8, -1) for i in range(self.nl)]
        preds["corners"] = torch.cat(away, 2).float()
        return preds

    def _inference(self, x: dict[str, torch.Tensor]) -> torch.Tensor:
        raw = super()._inference(x)
        boxes = torch.cat([raw[:, :4], raw[:, 5:6]], 1).transpose(1, 2)
        corners = corners_from(boxes, x["corners"].transpose(1, 2))
        return torch.cat([raw, corners.transpose(1, 2)], 1)


def corners_from(boxes: torch.Tensor, away: torch.Tensor) -> torch.Tensor:
    """Return (..., 8): x and y of four corners, clockwise, from boxes (..., 5)."""
    angle = boxes[..., 4:5]
    across = torch.cat([angle.cos(), angle.sin()], -1) * boxes[..., 2:3] / 2
    along = torch.cat([-angle.sin(), angle.cos()], -1) * boxes[..., 3:4] / 2
    square = [-across - along, across - along, across + along, along - across]
    mean_side = (boxes[..., 2:3] + boxes[..., 3:4]) / 2
    return boxes[..., :2].tile(4) + torch.cat(square, -1) + away * mean_side


def boxes_from(
    half_sides: torch.Tensor, offset: torch.Tensor, anchors: torch.Tensor, dim: int
) -> torch.Tensor:
    """Return centre and sides from the four half sides and the centre's offset."""
    first, second = half_sides.split(2, dim=dim)
    return torch.cat([anchors + offset, first + second], dim)


class _Remembering(RotatedTaskAlignedAssigner):
    """Keeps which tile of its picture every anchor was given."""

    tiles: torch.Tensor | None = None
    seen: torch.Tensor
    weights: torch.Tensor

    def forward(self, *given: torch.Tensor) -> tuple[torch.Tensor, ...]:
        assigned: tuple[torch.Tensor, ...] = super().forward(*given)
        _, _, self.weights, seen, tiles = assigned
        self.seen, self.tiles = seen.bool(), tiles.long()
        return assigned


class TileLoss(v8OBBLoss):
    """The oriented-box loss for `TileHead`: angles modulo a half turn, centres by offset."""

    def __init__(self, model: OBBModel) -> None:
        super().__init__(model)
        self.bbox_loss = _HalfSideLoss(self.reg_max).to(self.device)
        self.assigner.__class__ = _Remembering

    def loss(
        self, preds: dict[str, torch.Tensor], batch: dict[str, torch.Tensor]
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return the parts of the loss, scaled, and what to print of them."""
        loss, parts = super().loss(preds, batch)
        if "corners" in preds:
            corners = self._corner_loss(preds, batch)
            loss = torch.cat([loss, CORNER_GAIN * corners[None] * len(batch["img"])])
            parts["corner_loss"] = corners.detach()
        return loss, parts

    def _corner_loss(
        self, preds: dict[str, torch.Tensor], batch: dict[str, torch.Tensor]
    ) -> torch.Tensor:
        """Return how far the corners are off, in mean sides, whichever end is the top."""
        chosen: _Remembering = self.assigner
        if chosen.tiles is None or not chosen.seen.any():
            return preds["corners"].sum() * 0
        anchors, strides = make_anchors(preds["feats"], self.stride, 0.5)
        boxes = self.bbox_decode(
            anchors, preds["boxes"].transpose(1, 2), preds["angle"].transpose(1, 2)
        )
        boxes = torch.cat([boxes[..., :4] * strides, boxes[..., 4:]], -1).detach()[chosen.seen]
        guess = corners_from(boxes, preds["corners"].transpose(1, 2)[chosen.seen])
        pictures = torch.nonzero(chosen.seen)[:, 0]
        firsts = torch.searchsorted(batch["batch_idx"], pictures.to(batch["batch_idx"].dtype))
        truth = batch["quads"][firsts + chosen.tiles[chosen.seen]]
        off = torch.stack([(guess - t).abs().mean(1) for t in (truth, truth.roll(4, 1))]).amin(0)
        weight = chosen.weights[chosen.seen].sum(-1)
        off = off / boxes[:, 2:4].mean(1).clamp(min=4)
        return (off.clamp(max=1) * weight).sum() / chosen.weights.sum().clamp(min=1)

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


def build_detector(family: str = "11n") -> OBBModel:
    """Return an untrained one-class YOLO of a family and size with a seamless head.

    YOLO26's own head does without non-maximum suppression and without distributions; here its
    backbone and neck carry the head that they all have, so that what differs is the network.
    """
    family, _, corners = family.partition("-")
    layers = yaml_model_load(f"yolo{family}-obb.yaml") | {"end2end": False, "reg_max": 16}
    model = OBBModel(layers, nc=1, verbose=False)
    head = model.model[-1]
    for branch in head.cv4:
        last = branch[-1]
        branch[-1] = torch.nn.Conv2d(last.in_channels, CHANNELS, 1)
    head.ne = CHANNELS
    head.__class__ = TileHead
    if corners:
        head.__class__ = CornerHead
        head.corner_head = torch.nn.ModuleList(_corner_branch(branch) for branch in head.cv4)
    model.args = get_cfg()
    model.args.angle = 4.0
    return model


def _corner_branch(like: torch.nn.Sequential) -> torch.nn.Sequential:
    """Return a branch that begins by leaving the corners where the box has them."""
    into, width = like[0].conv.in_channels, 32
    last = torch.nn.Conv2d(width, 8, 1)
    torch.nn.init.zeros_(last.weight)
    torch.nn.init.zeros_(last.bias)
    return torch.nn.Sequential(Conv(into, width, 3), Conv(width, width, 3), last)
