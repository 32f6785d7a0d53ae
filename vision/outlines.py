"""Outlines: what the quads of tiles tell before their faces are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.types import Flags, Floats

# Where numbers and joker faces stand, as parts of the tile: left, top, right, bottom.
NUMBER_ZONE: Final = (0.2, 0.14, 0.8, 0.58)
BESIDE: Final = 2.6  # tile widths from centre to centre
STAGGER: Final = 0.2  # tile heights up or down for each width to the side
ALIGNED: Final = 0.96  # cosine of the angle between neighbours
WIDE: Final = 0.82  # wider for its height than a tile is from above: perhaps it lies on its side
AREA_CHANGE: Final = (0.4, 2.2)  # how much smaller or larger than its box a tile may turn out
# Tiles are solid: no other one's centre lies this near, in widths and heights. Those of the next
# tier of a rack may come near from above.
APART: Final = (0.72, 0.33)
# What is that much smaller or larger than the middle one of its nearest is suspect. Of 3,100 tiles
# of photographs and suites only three are smaller, blurred, behind a rack; none of 1,900 is larger
# than 1.26.
NEAREST: Final = 4
DWARF, GIANT = 0.75, 1.4

_UNIT_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def looks_wide(quads: Floats) -> Flags:
    """Tell which quads (n, 4, 2) could be tiles on their side, (n,)."""
    across = np.linalg.norm(quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3], axis=1)
    along = np.linalg.norm(quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1], axis=1)
    return np.asarray(across > WIDE * along)


def cut_off(quads: Floats, width: int, height: int) -> Flags:
    """Tell which upright quads (n, 4, 2) have part of their number outside the picture."""
    left, top, right, bottom = NUMBER_ZONE
    zone = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    corners = [inside(quad, zone) for quad in quads]
    x, y = np.moveaxis(np.array(corners, np.float32).reshape(-1, 4, 2), -1, 0)
    outside = (x < 0) | (x > width) | (y < 0) | (y > height)
    return np.asarray(np.any(outside, axis=1))


def against_neighbours(quads: Floats) -> Flags:
    """Tell which upright quads (n, 4, 2) lie the other way up from most of their row.

    A tile's row is what lies beside it, up to two tiles away on each side, and is turned like
    it or opposite; opposite ones must be in the majority by two.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    width, height = np.linalg.norm(across, axis=1), np.linalg.norm(along, axis=1)
    right, down = across / width[:, None], along / height[:, None]
    away = quads.mean(1)[None] - quads.mean(1)[:, None]
    sideways = np.abs((away * right[:, None]).sum(2)) / width[:, None]
    upwards = np.abs((away * down[:, None]).sum(2)) / height[:, None]
    alike = down @ down.T
    row = (sideways < BESIDE) & (upwards < STAGGER * sideways) & (np.abs(alike) > ALIGNED)
    np.fill_diagonal(row, val=False)
    same, opposite = (row & (alike > 0)).sum(1), (row & (alike < 0)).sum(1)
    return np.asarray(opposite > same + 1)


def collide(quads: Floats) -> Flags:
    """Tell which quads (n, 4, 2) share their place with another one, (n,).

    Two tiles that were taken for one make an outline that reaches into the next tile's; what
    either of them shows is not to be trusted.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    basis = np.stack([across, along], 2).astype(np.float64)
    solid = np.abs(np.linalg.det(basis)) > 1
    inverse = np.linalg.inv(np.where(solid[:, None, None], basis, np.eye(2)))
    away = quads.mean(1)[None] - quads.mean(1)[:, None]
    steps = np.abs(np.einsum("iab,ijb->ija", inverse, away))
    near = (steps < np.array(APART)).all(2) & solid[:, None]
    np.fill_diagonal(near, val=False)
    return np.asarray(near.any(1) | near.any(0))


def beside_neighbours(quads: Floats) -> Floats:
    """Return how large quads (n, 4, 2) are beside the middle one of their nearest, (n,).

    The tiles of a set are all of one size, and perspective changes it little from one to the next;
    figures printed on a table or a box are of any size, and so are slips of paper.
    """
    if len(quads) <= NEAREST:
        return np.ones(len(quads), np.float32)
    sizes = np.sqrt([cv2.contourArea(quad.astype(np.float32)) for quad in quads])
    away = np.linalg.norm(quads.mean(1)[None] - quads.mean(1)[:, None], axis=2)
    np.fill_diagonal(away, np.inf)
    around = np.argsort(away, 1, kind="stable")[:, :NEAREST]
    return np.asarray(sizes / np.maximum(np.median(sizes[around], 1), 1e-3), np.float32)


def inside(quad: Floats, points: Floats) -> Floats:
    """Map points (n, 2) of the unit square into a quad, in perspective."""
    warp = cv2.getPerspectiveTransform(_UNIT_SQUARE, np.ascontiguousarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None], warp)[0], np.float32)


def is_plausible(quad: Floats, box: Floats) -> bool:
    """Whether a corner finder's quad may be the tile that its box was about."""
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    ratio = cv2.contourArea(quad.astype(np.float32)) / max(cv2.contourArea(box), 1e-6)
    return AREA_CHANGE[0] < ratio < AREA_CHANGE[1]
