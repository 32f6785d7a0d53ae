"""Parts of a small picture: hands that reach in, things that lie about, places of tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.types import Floats, Pixels
    from vision.watching.glance import Mask

EDGE_PX = 2
LEAST_REACH_PX = 6  # how much of the picture's edge an arm crosses
HAND_TILES = 2.0  # a hand is larger than so many tiles
LARGE_TILES = 7.0  # what moves and is so large is taken for a hand wherever it is
LEAST_HAND = 0.006  # of the picture
THING_TILES = 1.5
SHADES = 0.6  # half sizes around a tile in which its edges and shades, or its neighbours', change


def patches(mask: Mask) -> Iterable[Mask]:
    """Yield each connected part of a mask, holes filled."""
    if not mask.any():
        return
    plane: Pixels = mask.astype(np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    closed = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, kernel)
    outlines, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        patch = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(patch, [outline], -1, 1, cv2.FILLED)
        yield patch.astype(bool)


def reaching_in(mask: Mask, places: Mask, tile_area_px: float) -> Mask:
    """Return what is as large as a hand and comes in over the picture's edge.

    Parameters
    ----------
    mask
        (h, w) what differs from the table as it lay.
    places
        (h, w) where tiles lay: those at the edge are no arms.
    """
    found = np.zeros_like(mask)
    least = max(HAND_TILES * tile_area_px, LEAST_HAND * mask.size)
    for patch in patches(mask):
        if patch.sum() >= least and _edge(patch & ~places) >= LEAST_REACH_PX:
            found |= patch
    return found


def large(mask: Mask, tile_area_px: float) -> Mask:
    """Return the parts that are larger than any few tiles."""
    found = np.zeros_like(mask)
    for patch in patches(mask):
        if patch.sum() >= max(LARGE_TILES * tile_area_px, 3 * LEAST_HAND * mask.size):
            found |= patch
    return found


def things(mask: Mask, places: Mask, tile_area_px: float) -> Mask:
    """Return what differs, is larger than a tile, and is no tile, old or new.

    Parameters
    ----------
    places
        (h, w) where tiles lay or lie.
    """
    rest = (mask & ~places).astype(np.uint8)
    side = max(3, round(0.45 * tile_area_px**0.5))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    rest = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, kernel), np.uint8)
    found = np.zeros_like(mask)
    for patch in patches(rest.astype(bool)):
        if (patch & ~places).sum() >= THING_TILES * tile_area_px:
            found |= patch
    return found


def with_seeds(mask: Mask, seeds: Mask) -> Mask:
    """Return the connected parts of a mask that hold any of the seeds."""
    found = np.zeros_like(mask)
    for patch in patches(mask | seeds):
        if (patch & seeds).any():
            found |= patch
    return found


def places_of(quads_img: Floats, shape: tuple[int, int], scale: float, grow: float = 0.0) -> Mask:
    """Return (h, w) where tiles lie.

    Parameters
    ----------
    quads_img
        (n, 4, 2) in pixels of the frame.
    scale
        Size of the small picture as a part of the frame's.
    grow
        How much further than its sides a tile reaches, as a part of its half size.
    """
    plane = np.zeros(shape, np.uint8)
    for quad in quads_img:
        middle = quad.mean(0)
        wide = ((quad - middle) * (1 + grow) + middle) * scale
        cv2.fillConvexPoly(plane, np.round(wide).astype(np.int32), 1)
    return plane.astype(bool)


def share_of(quad_img: Floats, mask: Mask, scale: float) -> float:
    """Return which part of a tile lies under a mask, 0 to 1; 0 outside the picture."""
    place = places_of(quad_img[None], (mask.shape[0], mask.shape[1]), scale)
    area = int(place.sum())
    return float((place & mask).sum() / area) if area else 0.0


def _edge(mask: Mask) -> int:
    """Count the pixels along the picture's edge."""
    inner = EDGE_PX
    return int(
        mask[inner, :].sum()
        + mask[-1 - inner, :].sum()
        + mask[:, inner].sum()
        + mask[:, -1 - inner].sum()
    )
