"""Where the camera was moved to: the map from where tiles were to where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.watching.glance import Glance
from vision.watching.motion import compare

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from referee.tiles import Tile
    from vision.types import Floats

    Pairs: TypeAlias = NDArray[np.intp]

LEAST_TILES = 4
LEAST_AGREEING = 0.55  # of the tiles
NEAR = 0.5  # tile widths
CLOSE = 0.15  # tile widths
CORNERS = 400  # of the small picture, the clearest ones
LEAST_CORNERS = 12
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
    if min(len(before.tiles), len(now.tiles)) < LEAST_TILES:
        return None
    pairs = _same_faces(before.tiles, now.tiles)
    if len(pairs) < LEAST_TILES:
        return None
    width_px = before.width_px
    move = _fit(before.centres[pairs[:, 0]], now.centres[pairs[:, 1]], NEAR * width_px)
    if move is None:
        return None
    agreeing = _agreeing(pairs, move, before, now, NEAR * width_px)
    if len(agreeing) < LEAST_TILES:
        return None
    move = _refined(move, before, now, agreeing)
    agreeing = _agreeing(pairs, move, before, now, CLOSE * width_px)
    stay = np.eye(3, dtype=np.float32)
    in_place = _agreeing(pairs, stay, before, now, CLOSE * width_px)
    enough = max(LEAST_TILES, LEAST_AGREEING * min(len(before.tiles), len(now.tiles)))
    if len(agreeing) < enough or len(in_place) >= len(agreeing):
        return None
    shift = np.linalg.norm(moved(before.centres, move) - before.centres, axis=1)
    return move if float(shift.max()) > CLOSE * width_px else None


def moved(points: Floats, move: Floats) -> Floats:
    """Map points (..., 2) by a homography."""
    flat = np.ascontiguousarray(points, np.float32).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, move), np.float32).reshape(points.shape)


def moved_glance(glance: Glance, move: Floats) -> Glance:
    """Return a small picture as the camera would see it after its move."""
    resize = np.diag([glance.scale, glance.scale, 1.0])
    small = resize @ move @ np.linalg.inv(resize)
    height, width = glance.shape
    warped = cv2.warpPerspective(
        glance.bgr, small, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return Glance(np.asarray(warped, np.uint8), glance.scale)


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
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    shift = np.linalg.norm(moved(frame, small.astype(np.float32)) - frame, axis=1)
    if float(shift.max()) < LEAST_SHIFT_PX:
        return None
    resize = np.diag([before.scale, before.scale, 1.0])
    move = (np.linalg.inv(resize) @ small @ resize).astype(np.float32)
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


def _same_faces(before: Sequence[Tile], now: Sequence[Tile]) -> Pairs:
    """Return (m, 2): all pairs that show the same face."""
    pairs = [
        (i, j) for i, tile in enumerate(before) for j, other in enumerate(now) if tile == other
    ]
    return np.array(pairs, np.intp).reshape(-1, 2)


def _fit(source: Floats, target: Floats, limit: float) -> Floats | None:
    found, _ = cv2.estimateAffinePartial2D(
        source, target, method=cv2.RANSAC, ransacReprojThreshold=limit, maxIters=2000
    )
    if found is None:
        return None
    return np.vstack([found, (0, 0, 1)]).astype(np.float32)


def _agreeing(
    pairs: Pairs, move: Floats, before: Faces, now: Faces, limit: float
) -> list[tuple[int, int]]:
    """Return the pairs that a move brings together, each tile once."""
    apart = np.linalg.norm(
        moved(before.centres[pairs[:, 0]], move) - now.centres[pairs[:, 1]], axis=1
    )
    kept: list[tuple[int, int]] = []
    firsts: set[int] = set()
    seconds: set[int] = set()
    for k in np.argsort(apart):
        i, j = (int(number) for number in pairs[k])
        if apart[k] < limit and i not in firsts and j not in seconds:
            kept.append((i, j))
            firsts.add(i)
            seconds.add(j)
    return kept


def _refined(
    move: Floats, before: Faces, now: Faces, agreeing: Sequence[tuple[int, int]]
) -> Floats:
    """Fit perspective, too, by the tiles' corners."""
    source = before.quads_img[[i for i, _ in agreeing]].reshape(-1, 2)
    target = now.quads_img[[j for _, j in agreeing]].reshape(-1, 2)
    found, _ = cv2.findHomography(source, target, cv2.RANSAC, CLOSE * before.width_px)
    return move if found is None else np.asarray(found, np.float32)
