"""The detector's network: a YOLO with one class, oriented boxes without a seam, and its loss."""

from __future__ import annotations

import torch
from ultralytics.cfg import get_cfg
from ultralytics.nn.modules.head import OBB, Detect
from ultralytics.nn.tasks import OBBModel, yaml_model_load
from ultralytics.utils.loss import RotatedBboxLoss, v8OBBLoss
from ultralytics.utils.metrics import probiou

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


def build_detector(family: str = "11n") -> OBBModel:
    """Return an untrained one-class YOLO of a family and size with a seamless head.

    YOLO26's own head does without non-maximum suppression and without distributions; here its
    backbone and neck carry the head that they all have, so that what differs is the network.
    """
    layers = yaml_model_load(f"yolo{family}-obb.yaml") | {"end2end": False, "reg_max": 16}
    model = OBBModel(layers, nc=1, verbose=False)
    head = model.model[-1]
    for branch in head.cv4:
        last = branch[-1]
        branch[-1] = torch.nn.Conv2d(last.in_channels, CHANNELS, 1)
    head.ne = CHANNELS
    head.__class__ = TileHead
    model.args = get_cfg()
    model.args.angle = 4.0
    return model
