"""Detect: every face-up tile of a picture as an oriented quadrilateral.

A one-class YOLO11 with oriented boxes looks at the picture once at a moderate size. Where the
tiles come out too small there to be placed well, it looks again, closer, in overlapping windows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from math import ceil, sqrt
from typing import TYPE_CHECKING, TypeAlias

import cv2
import numpy as np

from vision.assembly import SMALLEST_SET
from vision.grain import blur_for_grain, softened
from vision.network import Network, load_network
from vision.quads import quads_of
from vision.types import Detections

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.types import Flags, Floats, Indices, Pixels

    _Resized = Callable[[float], tuple[Pixels, float]]

STRIDE_PX = 32
BOX = 6  # columns: a box and its score; four corners may come after them
FIRST_LOOK_PX = 600  # of a square with as many pixels
LEAST_CONFIDENCE = 0.35
HINT = 0.05  # what is less like a tile is not worth a look even beside one
GLIMPSED = 0.15  # what a lamp drowns leaves a tile's outline, if not a surely found one
# Width of a tile, in pixels of the network's input.
COMFORTABLE_PX = (36.0, 130.0)
# Smaller ones do where the network is sure of them: a second look takes as long as all the rest.
SMALL_PX, SURE = 22.0, 0.84
WANTED_PX = 44.0
MOST_ENLARGED = 2.0  # more shows nothing new
# Times the scale of the first look: where nothing certainly is a tile they may be that small.
NEARER = 2.0
# The smallest tiles may be taken for one, two by two; a closer look tells how small they are.
MOST_LOOKS = 3
ANOTHER = (0.9, 1.1)  # times the scale of the look before it: what lies between shows nothing new
WINDOW_PX = 1024
MOST_WINDOWS = 12
# Tiles are solid: no two centres are nearer than a width, or, seen from the side, a height.
# Boxes nearer than this part of it are about the same tile.
SAME_TILE = 0.7
# Perspective makes the nearest tile of a table up to twice as wide as the middle one.
GIANT, ENOUGH_TO_COMPARE, CERTAIN = 2.4, 5, 0.7


@dataclass(frozen=True, slots=True)
class _Boxes:
    """Oriented boxes.

    Attributes
    ----------
    xywhr
        (n, 5): centre x, centre y, width, height, angle of the width.
    scores
        (n,).
    quads
        (n, 4, 2): the boxes' corners, or those that a network found that looks for them.
    """

    xywhr: Floats
    scores: Floats
    quads: Floats

    @property
    def centres(self) -> Floats:
        """Return their middles, (n, 2)."""
        return self.xywhr[:, :2]

    def take(self, chosen: Indices) -> _Boxes:
        return _Boxes(self.xywhr[chosen], self.scores[chosen], self.quads[chosen])


_Look: TypeAlias = tuple[_Boxes, _Boxes]
"""One box a tile; and all of whatever looked at all like one."""


@dataclass(frozen=True, slots=True)
class Detector:
    """Finds the face-up tiles in a picture; holds its network, so make one and keep it.

    Attributes
    ----------
    network
        From pictures to oriented boxes.
    first_look_px
        Side of a square with as many pixels as the picture has in the first look: what a look
        costs, whatever the picture's shape.
    again
        Whether tiles that come out too small or too large are looked at again.
    least
        How sure it must be of a tile.
    """

    network: Network
    first_look_px: int = FIRST_LOOK_PX
    again: bool = True
    least: float = LEAST_CONFIDENCE

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Detector:
        """Load the network of a folder, or the one that comes with the program.

        Raises
        ------
        ResourceError
            If it is missing or damaged.
        """
        return cls(load_network("detector", models_dir))

    @property
    def network_ms(self) -> float:
        """Milliseconds spent inside the network in the last call."""
        return self.network.spent_ms

    def detect(self, pixels: Pixels) -> Detections:
        """Find every face-up tile in (h, w, 3) uint8 BGR pixels."""
        self.network.reset_clock()
        scale = min(1.0, self.first_look_px / sqrt(pixels.shape[0] * pixels.shape[1]))
        resized: _Resized = cache(partial(_resized, pixels))
        blur_px = blur_for_grain(resized(scale)[0]) / scale
        boxes, every = self._looks(resized, scale, blur_px)
        if blur_px and not _is_plain(boxes, every.centres):
            # What looks like grain may be a cloth's weave, and a blur cost its small tiles.
            boxes, every = _found_more((boxes, every), self._looks(resized, scale, 0.0))
        if 0 < boxes.scores.max(initial=0) < CERTAIN and scale * NEARER <= 1:
            # What is taken for tiles may be cups, and the tiles too small to be seen beside them.
            boxes, every = _found_more(
                (boxes, every), self._looks(resized, scale * NEARER, blur_px)
            )
        boxes = _without_giants(boxes)
        boxes = _without_cropped(boxes, pixels.shape[1], pixels.shape[0])
        glimpsed = _unique(every.take(np.flatnonzero(every.scores >= GLIMPSED)))
        return Detections(boxes.quads, boxes.scores, every.centres, glimpsed.quads)

    def _looks(self, resized: _Resized, scale: float, blur_px: float) -> _Look:
        """Find tiles at one scale, and again where another shows them better; as `_look` does.

        `blur_px` is of the picture, so that a closer look sees it as well.
        """
        boxes, every = self._look(resized, scale, blur_px)
        for _ in range(MOST_LOOKS - 1):
            closer = self._better(boxes, scale)
            if closer is None:
                break
            scale = closer
            boxes, every = self._look(resized, scale, blur_px)
        return boxes, every

    def _better(self, boxes: _Boxes, scale: float) -> float | None:
        """Return the scale at which the tiles of a look would be seen well, if it is another."""
        if not self.again or not len(boxes.scores):
            return None
        typical_px = float(np.median(boxes.xywhr[:, 2])) * scale
        sure = float(np.median(boxes.scores)) >= SURE
        least_px = SMALL_PX if sure else COMFORTABLE_PX[0]
        if least_px <= typical_px <= COMFORTABLE_PX[1]:
            return None
        better = min(scale * WANTED_PX / typical_px, MOST_ENLARGED)
        return None if ANOTHER[0] < better / scale < ANOTHER[1] else better

    def _look(self, resized: _Resized, scale: float, blur_px: float) -> _Look:
        """Find tiles at one scale, window by window where the picture is large."""
        seen, shrunk = resized(scale)
        seen = softened(seen, blur_px * scale)
        windows = _windows(*seen.shape[:2])
        found = [self._window(seen[y:y2, x:x2], x, y) for y, y2, x, x2 in windows]
        xywhr = np.concatenate([boxes.xywhr for boxes in found])
        xywhr[:, :4] /= shrunk
        quads = np.concatenate([boxes.quads for boxes in found]) * np.float32(1 / shrunk)
        every = _Boxes(xywhr, np.concatenate([boxes.scores for boxes in found]), quads)
        likely = np.flatnonzero(every.scores >= self.least)
        return _unique(every.take(likely)), every

    def _window(self, window: Pixels, left: int, top: int) -> _Boxes:
        height, width = window.shape[:2]
        padded = cv2.copyMakeBorder(
            window,
            0,
            -height % STRIDE_PX,
            0,
            -width % STRIDE_PX,
            cv2.BORDER_CONSTANT,
            value=(114,) * 3,
        )
        image = np.asarray(padded, np.float32)[..., ::-1].transpose(2, 0, 1)[None] / np.float32(
            255
        )
        rows = self.network.run(image)[0][0]
        rows = rows[rows[:, 5] >= HINT]
        corner = np.array((left, top), np.float32)
        rows[:, :2] += corner
        xywhr, corners = rows[:, :5], rows[:, BOX:].reshape(-1, 4, 2)
        quads = corners + corner if rows.shape[1] > BOX else quads_of(xywhr)
        return _Boxes(xywhr, rows[:, 5], quads)


def _resized(pixels: Pixels, scale: float) -> tuple[Pixels, float]:
    """Return a picture so many times as wide, and how many times it exactly is."""
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    resized = cv2.resize(pixels, (width, height), interpolation=method)
    return np.asarray(resized, np.uint8), width / pixels.shape[1]


def _windows(height: int, width: int) -> list[tuple[int, int, int, int]]:
    """Cover a picture with overlapping windows: (top, bottom, left, right) each."""
    rows, columns = _spans(height), _spans(width)
    if len(rows) * len(columns) > MOST_WINDOWS:
        return [(0, height, 0, width)]
    return [(*row, *column) for row in rows for column in columns]


def _spans(side: int) -> list[tuple[int, int]]:
    """Return where windows begin and end along a side; neighbours overlap by three tiles or more.

    They are as few and then as short as can be: what two of them see is looked at twice.

    >>> _spans(900), _spans(1500)
    ([(0, 900)], [(0, 832), (668, 1500)])
    """
    if side <= WINDOW_PX:
        return [(0, side)]
    overlap = round(3 * WANTED_PX)
    count = ceil((side - overlap) / (WINDOW_PX - overlap))
    least = ceil((side - overlap) / count) + overlap
    size = least + -least % STRIDE_PX
    starts = np.linspace(0, side - size, count).round().astype(int).tolist()
    return [(start, start + size) for start in starts]


def _found_more(*looks: _Look) -> _Look:
    """Return the look that is the surest of the most tiles."""
    return max(looks, key=lambda look: float(look[0].scores.sum()))


def _unique(boxes: _Boxes) -> _Boxes:
    """Keep the surest of the boxes that lie on one tile.

    Overlap of areas would let a box around the digit alone live beside its tile's own box; that
    tiles are solid, so that no two centres come close, is the stronger rule.
    """
    boxes = boxes.take(np.argsort(-boxes.scores, kind="stable"))
    centres, least_side = boxes.centres, boxes.xywhr[:, 2:4].min(1)
    free = np.ones(len(centres), np.bool_)
    for i, centre in enumerate(centres):
        if free[i]:
            later = free[i + 1 :]
            later &= np.hypot(*(centres[i + 1 :] - centre).T) >= SAME_TILE * least_side[i]
    return boxes.take(np.flatnonzero(free))


def _is_plain(boxes: _Boxes, hints: Floats) -> bool:
    """Whether a look is certain of some tiles, and saw nothing else at all like one.

    >>> tiles = np.array([(50, 50, 20, 30, 0), (90, 50, 20, 30, 0)], np.float32)
    >>> boxes = _Boxes(tiles, np.array([0.9, 0.8], np.float32), quads_of(tiles))
    >>> _is_plain(boxes, tiles[:, :2] + 3), _is_plain(boxes, np.array([(70, 90)], np.float32))
    (True, False)
    """
    if not len(boxes.scores) or boxes.scores.min() < CERTAIN:
        return False
    centres, least_side = boxes.centres, boxes.xywhr[:, 2:4].min(1)
    apart = np.linalg.norm(hints[:, None] - centres, axis=2)
    return bool((apart < SAME_TILE * least_side).any(1).all())


def _without_giants(boxes: _Boxes) -> _Boxes:
    """Drop boxes around several tiles: of those on one table none is that much the largest.

    What is certainly a tile tells how large tiles are, rather than specks that may be some. Where
    there are as many large ones as a set has, and none lies around anything, they are the tiles,
    and the small ones letters that a camera prints into its picture.
    """
    if len(boxes.scores) < ENOUGH_TO_COMPARE:
        return boxes
    sides = np.sqrt(boxes.xywhr[:, 2] * boxes.xywhr[:, 3])
    certain = boxes.scores >= min(CERTAIN, float(boxes.scores.max()))
    large = sides > GIANT * np.median(sides[certain])
    if (large & certain).sum() >= SMALLEST_SET and not _lie_around_others(boxes)[large].any():
        return boxes
    return boxes.take(np.flatnonzero(~large))


def _lie_around_others(boxes: _Boxes) -> Flags:
    """Tell in which of n boxes another one's centre lies, (n,)."""
    x, y, width, height, angle = boxes.xywhr.T[:, :, None]
    right, down = boxes.xywhr[:, 0] - x, boxes.xywhr[:, 1] - y
    along = np.abs(right * np.cos(angle) + down * np.sin(angle))
    across = np.abs(down * np.cos(angle) - right * np.sin(angle))
    inside = (along < width / 2) & (across < height / 2)
    return np.asarray(inside.sum(1) > 1)


def _without_cropped(boxes: _Boxes, width: int, height: int) -> _Boxes:
    """Drop slivers: tiles whose centre the picture's edge has cut away."""
    x, y = boxes.xywhr[:, 0], boxes.xywhr[:, 1]
    return boxes.take(np.flatnonzero((x >= 0) & (x <= width) & (y >= 0) & (y <= height)))
