"""Single tiles cut out of a picture, straightened and white-balanced on their own blank face."""

from __future__ import annotations

from math import ceil, dist
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.quads import rectangle

if TYPE_CHECKING:
    from vision.network import Network
    from vision.types import Flags, Floats, Pixels

OUTSIDE = (114, 114, 114)  # what lies beyond the picture's edge
MOST_SHRINK = 6
WHITE = 0.82  # where the blank face is put, leaving room for highlights
LIT = 0.7  # of a face is no lighter than its blank part
INK = 0.6  # what is darker in a channel, of balanced crops
# Where numbers may stand, in parts of a crop: left, top, right, bottom. How dark a stroke is at
# least, of what is darkest there.
PRINTABLE, STROKE = (0.125, 0.083, 0.875, 0.7), 0.45
BLANK = 0.6  # of it is no lighter than the face: a bold number fills up to half


def straighten(pixels: Pixels, quad_img: Floats, size: tuple[int, int], margin: float) -> Pixels:
    """Cut one quad out of a picture, in perspective.

    Parameters
    ----------
    pixels
        (h, w, 3) uint8.
    quad_img
        (4, 2) float32, clockwise from the corner that goes to the top left.
    size
        Width and height of the crop, pixels.
    margin
        Surroundings to keep on every side, as a part of the crop's side.
    """
    width, height = size
    corner, beside, _, below = quad_img.tolist()
    longest = max(dist(corner, beside) / width, dist(corner, below) / height)
    # Warping samples four neighbours; a large tile is shrunk by areas afterwards.
    shrink = min(max(1, ceil(longest * (1 - 2 * margin))), MOST_SHRINK)
    wide, tall = width * shrink, height * shrink
    left, right = wide * margin - 0.5, wide * (1 - margin) - 0.5
    top, bottom = tall * margin - 0.5, tall * (1 - margin) - 0.5
    target = rectangle(left, top, right, bottom)
    warp = cv2.getPerspectiveTransform(
        np.ascontiguousarray(quad_img, np.float32) - np.float32(0.5), target
    )
    crop = cv2.warpPerspective(
        pixels, warp, (wide, tall), flags=cv2.INTER_LINEAR, borderValue=OUTSIDE
    )
    if shrink > 1:
        crop = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def straighten_all(
    pixels: Pixels, quads_img: Floats, size: tuple[int, int], margin: float
) -> Pixels:
    """Cut n quads, n above nought, out of a picture as `straighten` does one, (n, h, w, 3)."""
    return np.stack([straighten(pixels, quad, size, margin) for quad in quads_img])


def straighten_for(network: Network, pixels: Pixels, quads_img: Floats) -> Pixels:
    """Cut n quads, n above nought, out of a picture as a network looks at them, (n, h, w, 3)."""
    width, height = network.settings["input"]["size"]
    return straighten_all(pixels, quads_img, (width, height), float(network.settings["margin"]))


def balance(crops: Pixels) -> Floats:
    """White-balance crops on their own blank face, so that lamps and shade drop out.

    The face is the brighter, larger part of a tile, so its colour is the mean of the pixels
    between the 50th and the 90th percentile of brightness in the middle of the crop.

    Parameters
    ----------
    crops
        (n, h, w, 3) uint8 BGR.

    Returns
    -------
    (n, 3, h, w) float32 RGB, 0 to 1.5, the blank face at about `WHITE` in every channel.
    """
    count, height, width = crops.shape[:3]
    # Every other pixel is plenty for the colour of a face.
    middle = crops[:, height // 8 : -(height // 8) : 2, width // 8 : -(width // 8) : 2]
    flat = middle.reshape(count, -1, 3).astype(np.float32) / 255
    light = flat.mean(-1)
    low, high = np.quantile(light, (0.5, 0.9), axis=1)
    blank = ((light >= low[:, None]) & (light <= high[:, None])).astype(np.float32)
    face = (flat * blank[..., None]).sum(1) / np.maximum(blank.sum(1), 1)[:, None]
    gain = (WHITE / 255 / np.maximum(face, 0.04)).astype(np.float32)[:, ::-1, None, None]
    balanced = np.empty((count, 3, height, width), np.float32)
    np.multiply(crops[..., ::-1].transpose(0, 3, 1, 2), gain, out=balanced)
    return np.minimum(balanced, 1.5, out=balanced)


def ink_above(balanced: Floats) -> Flags:
    """Guess which crops are upright, (n,): numbers stand in the upper half of a tile.

    Parameters
    ----------
    balanced
        (n, 3, h, w) from `balance`.
    """
    middle = balanced.shape[2] // 2
    ink = np.maximum(INK - balanced[:, :, ::2, ::2].min(1), 0)
    above, below = ink[:, : middle // 2].sum((1, 2)), ink[:, middle // 2 :].sum((1, 2))
    return np.asarray(above >= below)


def printed_boxes(balanced: Floats, margin: float) -> Floats:
    """Return where numbers stand on upright tiles: (n, 4), left, top, right, bottom.

    In parts of the tile. Where a shade or another tile's edge is seen, a box is too large.

    Parameters
    ----------
    balanced
        (n, 3, h, w) from `balance`.
    margin
        Of the crops, as `straighten` had it.
    """
    height, width = balanced.shape[2:]
    left, top, right, bottom = np.rint(np.multiply(PRINTABLE, (width, height) * 2)).astype(int)
    zone = balanced[:, :, top:bottom, left:right].min(1)
    darker = np.maximum(_ranked(zone, BLANK) - zone, 0)
    darker = np.stack([cv2.blur(each, (2, 2)) for each in darker])
    inked = darker > STROKE * _ranked(darker, 0.99)
    boxes = []
    for across, start, side in ((inked.max(1), left, width), (inked.max(2), top, height)):
        ends = across.argmax(1), across.shape[1] - across[:, ::-1].argmax(1)
        boxes.append((np.stack(ends, 1) + start) / side)
    corners = np.stack(boxes, 2).reshape(-1, 4)
    return np.asarray((corners - margin) / (1 - 2 * margin), np.float32)


def _ranked(levels: Floats, share: float) -> Floats:
    """Return which level of (n, h, w) that share is no higher than, (n, 1, 1)."""
    flat = levels.reshape(len(levels), -1)
    at = round(share * (flat.shape[1] - 1))
    return np.asarray(np.partition(flat, at, axis=1)[:, at, None, None], np.float32)


def face_light(pixels: Pixels, quads_img: Floats) -> Floats:
    """Return how much light the blank faces of tiles send out, (n,) float32, 0 to 1, linear.

    The faces of one set are alike, so what differs between them is how they are lit.
    """
    brightest = _face_pixels(pixels, quads_img).max(-1)
    return np.asarray(np.quantile(brightest, LIT, axis=1) ** 2.2, np.float32)


def face_colours(pixels: Pixels, quads_img: Floats) -> Floats:
    """Return what colour the blank faces of tiles are, (n, 3) float32 BGR, 0 to 1, linear."""
    channels = _face_pixels(pixels, quads_img)
    return np.asarray(np.quantile(channels, LIT, axis=1) ** 2.2, np.float32)


def _face_pixels(pixels: Pixels, quads_img: Floats) -> Floats:
    """Return what is to be seen inside the edges of n tiles, (n, p, 3), 0 to 1."""
    crops = straighten_all(pixels, quads_img, (24, 36), -0.05)
    return np.asarray(crops.reshape(len(crops), -1, 3) / 255, np.float32)
