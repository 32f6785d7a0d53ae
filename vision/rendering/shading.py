"""Light and shade that are laid over a picture as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cv2.typing import MatLike

    from vision.types import Floats, Pixels, Reals

GAMMA: Final = 2.2
# The light where the sun does not shine, in parts of its own, and the tint: blue, green, red.
SKY_LIGHT: Final = (0.1, 0.6)
SKY: Final = np.array((1.15, 1.0, 0.9))
# How much larger than a tile what lies around it is, and how many times as light its body becomes.
AROUND, TINT = 1.4, (0.1, 1.3)


def embossed(
    picture: MatLike,
    middle: tuple[float, float],
    radius: float,
    line: float,
    light: tuple[float, float],
    *,
    ridge: bool,
) -> MatLike:
    """Return a picture (h, w, 3), 0 to 255, with a circle raised on it, as light shows it.

    Parameters
    ----------
    middle, radius, line
        Where it is, x and y, how large, and how wide its slope, px.
    light
        Where the light comes from, x and y; its length is how strongly slopes are shaded. From
        the opposite side it shows the circle sunk.
    ridge
        Whether the circle's line alone is raised, not all of the disc.
    """
    height, width = picture.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x - np.float32(middle[0]), y - np.float32(middle[1])
    distance = np.hypot(x, y)
    off = (distance - np.float32(radius)) / np.float32(line)
    slope = np.exp(-(off**2))
    if ridge:  # its inner side falls inwards, as steep
        slope = np.sqrt(2 * np.e) * off * slope
    shade = 1 + slope * (x * light[0] + y * light[1]) / np.maximum(distance, 1)
    shaded = picture * shade.astype(np.float32)[..., None]
    return np.asarray(np.clip(shaded, 0, 255), picture.dtype)


def slats(
    size: tuple[int, int], angle: float, every_px: float, begun: float, part: float
) -> Pixels:
    """Return where a blind's slats throw shadow, (h, w): 255 in shadow, 0 in the light.

    Parameters
    ----------
    size
        Width and height, px.
    angle
        Of the way across the slats, radians.
    every_px
        How far from one slat to the next.
    begun, part
        How far the first has begun at the top left, and how much is in shadow, in parts of that.
    """
    width, height = size
    y, x = np.mgrid[:height, :width].astype(np.float32)
    along = (x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))) / np.float32(every_px)
    return np.where((along + np.float32(begun)) % 1 < part, 255, 0).astype(np.uint8)


def sky_light(rng: np.random.Generator) -> Reals:
    """Return how much blue, green and red light is left where the sun does not shine, (3,)."""
    return np.asarray(np.exp(rng.uniform(*np.log(SKY_LIGHT))) * SKY)


def in_shade(pixels: MatLike, shade: MatLike, left: Sequence[float] | Reals) -> Pixels:
    """Return (h, w, 3) uint8 pixels with a shadow, (h, w), 255 where it is deepest.

    `left` is how much blue, green and red light it leaves, of which levels are a power.
    """
    lit = (1 - np.linspace(0, 1, 256)[:, None] * (1 - np.array(left))) ** (1 / GAMMA)
    return np.asarray(pixels * lit.astype(np.float32)[shade], np.uint8)


def like_the_table(pixels: Pixels, quads_img: Floats, likeness: float) -> Pixels:
    """Return (h, w, 3) pixels with tiles, (n, 4, 2), in the colour of what lies around them.

    `likeness` is how much of the way there their bodies go: 0 leaves them as they are. All change
    alike, as a set has one body; ink is darkened with it.
    """
    middles = quads_img.mean(1, keepdims=True)
    tiles = _covered(pixels, quads_img)
    around = _covered(pixels, middles + AROUND * (quads_img - middles))
    beside, within = pixels[(around > 0) & (tiles == 0)], pixels[tiles > 0]
    if not len(beside) or not len(within):
        return pixels
    table, body = np.median(beside, axis=0), np.maximum(np.median(within, axis=0), 1)
    times = np.clip(1 + likeness * (table / body - 1), *TINT)
    levels = np.clip(np.arange(256)[:, None] * times, 0, 255).astype(np.uint8)
    share = cv2.GaussianBlur(tiles, (0, 0), 0.8) / np.float32(255)
    return np.asarray(cv2.blendLinear(cv2.LUT(pixels, levels[None]), pixels, share, 1 - share))


def _covered(pixels: Pixels, quads_img: Floats) -> Pixels:
    """Return where any of n quads lies, (h, w): 255 there, 0 elsewhere."""
    covered = np.zeros(pixels.shape[:2], np.uint8)
    for quad in np.rint(quads_img).astype(np.int32):  # all at once would leave out where two lie
        cv2.fillConvexPoly(covered, quad, 255)
    return covered
