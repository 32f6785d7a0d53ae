"""Where the camera was moved to: the map from where tiles were to where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import pair_off, rectangle
from vision.types import stack
from vision.watching.glance import Glance
from vision.watching.motion import compare

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.tiles import Tile
    from vision.types import Floats, Indices
    from vision.watching.ballot import Place
    from vision.watching.known import Known
    from vision.watching.motion import Change
    from vision.watching.sights import SeenTile

LEAST_TILES = 4
LEAST_AGREEING = 0.55  # of the tiles
NEAR = 0.5  # tile widths
CLOSE = 0.15  # tile widths
CORNERS = 400  # of the small picture, the clearest ones
LEAST_CORNERS = 12
TREMBLE_PX = (0.05, 1.5)  # of the small picture
LEAST_SHIFT_PX = 1.0  # of the small picture
EXPLAINED = 0.5  # of what differed


@dataclass(frozen=True, slots=True)
class Faces:
    """Tiles to find the camera's move from.

    Attributes
    ----------
    quads_img
        (n, 4, 2) float32, image pixels.
    tiles
        n faces.
    """

    quads_img: Floats
    tiles: tuple[Tile, ...]

    @classmethod
    def of(cls, tiles: Sequence[SeenTile | Known | Place]) -> Faces:
        """Take tiles for what they read as."""
        quads = stack(tile.quad_img for tile in tiles)
        return cls(quads, tuple(tile.reading.tile for tile in tiles))

    @property
    def centres(self) -> Floats:
        """(n, 2)."""
        return np.asarray(self.quads_img.mean(1), np.float32)

    @property
    def width_px(self) -> float:
        """Width of a typical tile."""
        return float(
            np.median(np.linalg.norm(self.quads_img[:, 1] - self.quads_img[:, 0], axis=1))
        )


def find_move(before: Faces, now: Faces) -> Floats | None:
    """Find the camera's move from the tiles, as a homography (3, 3) of image pixels.

    Returns
    -------
        None if the camera stayed where it was, or the tiles don't tell.
    """
    move = find_map(before, now, LEAST_AGREEING)
    if move is None:
        return None
    pairs = _same_faces(before.tiles, now.tiles)
    stay = np.eye(3, dtype=np.float32)
    if _agree(pairs, stay, before, now) >= _agree(pairs, move, before, now):
        return None
    shift = np.linalg.norm(moved(before.centres, move) - before.centres, axis=1)
    return move if float(shift.max()) > CLOSE * before.width_px else None


def find_map(source: Faces, target: Faces, share: float) -> Floats | None:
    """Find the homography (3, 3) that lays tiles over the same tiles in another picture.

    Parameters
    ----------
    share
        Which part of the tiles of the picture with fewer must come to lie on each other.

    Returns
    -------
        None if there are too few, or they don't agree.
    """
    least = max(LEAST_TILES, share * min(len(source.tiles), len(target.tiles)))
    pairs = _same_faces(source.tiles, target.tiles)
    if len(pairs) < least:
        return None
    maps = [
        _refined(found, source, target, agreeing)
        for found in _fits(pairs, source, target)
        if len(agreeing := _agreeing(pairs, found, source, target, NEAR)) >= LEAST_TILES
    ]
    best = max(maps, key=lambda found: _agree(pairs, found, source, target), default=None)
    if best is None or _agree(pairs, best, source, target) < least:
        return None
    return best


def still_there(before: Faces, now: Faces) -> int:
    """Return how many tiles lie where they lay, as seen by a camera that was not moved."""
    pairs = _same_faces(before.tiles, now.tiles)
    return _agree(pairs, np.eye(3, dtype=np.float32), before, now) if len(pairs) else 0


def moved(points: Floats, move: Floats) -> Floats:
    """Map points (..., 2) by a homography."""
    flat = np.ascontiguousarray(points, np.float32).reshape(-1, 1, 2)
    if not len(flat):  # OpenCV maps nothing to what has no shape
        return np.asarray(points, np.float32)
    return np.asarray(cv2.perspectiveTransform(flat, move), np.float32).reshape(points.shape)


def scaled(move: Floats, scale: float) -> Floats:
    """Return a move of a picture's pixels as one of the same picture, so many times as large."""
    resize = np.diag([scale, scale, 1.0])
    return np.asarray(resize @ move @ np.linalg.inv(resize), np.float32)


def moved_glance(glance: Glance, move: Floats) -> Glance:
    """Return a small picture as the camera would see it after its move."""
    small = scaled(move, glance.scale)
    height, width = glance.shape
    warped = cv2.warpPerspective(
        glance.bgr, small, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return Glance(np.asarray(warped, np.uint8), glance.scale)


def steady_change(before: Glance, now: Glance) -> Change:
    """Tell what differs beyond a tremble of the camera that moves the picture a pixel or so."""
    change = compare(before, now)
    if not change.any:
        return change
    height, width = before.shape
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    # The function leaves its window in what it is given.
    (dx, dy), _ = cv2.phaseCorrelate(before.deviation.copy(), now.deviation.copy(), window)
    if not TREMBLE_PX[0] < float(np.hypot(dx, dy)) < TREMBLE_PX[1]:
        return change
    x, y = dx / before.scale, dy / before.scale
    move = np.array([(1, 0, x), (0, 1, y), (0, 0, 1)], np.float32)
    steady = compare(moved_glance(before, move), now)
    return steady if steady.mask.sum() < change.mask.sum() else change


def find_shift(before: Glance, now: Glance) -> Floats | None:
    """Find the camera's move from the pictures alone, as a homography (3, 3) of image pixels.

    Returns
    -------
        None if the camera stayed where it was, or no move explains what differs.
    """
    source, target = _matches(before, now)
    if len(source) < LEAST_CORNERS:
        return None
    found, agreeing = cv2.estimateAffinePartial2D(
        source, target, method=cv2.RANSAC, ransacReprojThreshold=2.0
    )
    if found is None or int(agreeing.sum()) < LEAST_CORNERS:
        return None
    small = np.vstack([found, (0, 0, 1)])
    height, width = before.shape
    frame = rectangle(0, 0, width, height)
    shift = np.linalg.norm(moved(frame, small.astype(np.float32)) - frame, axis=1)
    if float(shift.max()) < LEAST_SHIFT_PX:
        return None
    move = scaled(small, 1 / before.scale)
    left = compare(moved_glance(before, move), now).of_textured
    return move if left < EXPLAINED * compare(before, now).of_textured else None


def _matches(before: Glance, now: Glance) -> tuple[Floats, Floats]:
    """Return corners that look alike in two small pictures: (n, 2) and (n, 2)."""
    finder = cv2.ORB.create(CORNERS, 1.2, 4, edgeThreshold=12, patchSize=21, fastThreshold=7)
    points, words = finder.detectAndCompute(before.grey, None)
    others, other_words = finder.detectAndCompute(now.grey, None)
    if words is None or other_words is None:
        nothing = np.zeros((0, 2), np.float32)
        return nothing, nothing
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(words, other_words)
    source = np.array([points[pair.queryIdx].pt for pair in pairs], np.float32)
    target = np.array([others[pair.trainIdx].pt for pair in pairs], np.float32)
    return source.reshape(-1, 2), target.reshape(-1, 2)


def _same_faces(before: Sequence[Tile], now: Sequence[Tile]) -> Indices:
    """Return (m, 2): all pairs that show the same face."""
    pairs = [
        (i, j) for i, tile in enumerate(before) for j, other in enumerate(now) if tile == other
    ]
    return np.array(pairs, np.intp).reshape(-1, 2)


def _fits(pairs: Indices, source: Faces, target: Faces) -> list[Floats]:
    """Fit a turn and, where the views differ more, a perspective to the tiles' centres."""
    here, there = source.centres[pairs[:, 0]], target.centres[pairs[:, 1]]
    limit = NEAR * target.width_px
    turn, _ = cv2.estimateAffinePartial2D(
        here, there, method=cv2.RANSAC, ransacReprojThreshold=limit, maxIters=2000
    )
    fits = [] if turn is None else [np.vstack([turn, (0, 0, 1)]).astype(np.float32)]
    perspective, _ = cv2.findHomography(here, there, cv2.RANSAC, limit)
    if perspective is not None and np.isfinite(perspective).all():
        fits.append(np.asarray(perspective, np.float32))
    return fits


def _agree(pairs: Indices, found: Floats, source: Faces, target: Faces) -> int:
    return len(_agreeing(pairs, found, source, target, CLOSE))


def _agreeing(
    pairs: Indices, found: Floats, source: Faces, target: Faces, limit: float
) -> dict[int, int]:
    """Return the pairs that lie within `limit` tile widths of each other, each tile once."""
    apart = np.linalg.norm(
        moved(source.centres[pairs[:, 0]], found) - target.centres[pairs[:, 1]], axis=1
    )
    near = np.flatnonzero(apart < limit * target.width_px)
    return pair_off((float(apart[k]), int(pairs[k, 0]), int(pairs[k, 1])) for k in near)


def _refined(found: Floats, source: Faces, target: Faces, agreeing: Mapping[int, int]) -> Floats:
    """Fit perspective by the tiles' corners."""
    here = source.quads_img[[*agreeing]].reshape(-1, 2)
    there = target.quads_img[[*agreeing.values()]].reshape(-1, 2)
    refined, _ = cv2.findHomography(here, there, cv2.RANSAC, CLOSE * target.width_px)
    return found if refined is None else np.asarray(refined, np.float32)
