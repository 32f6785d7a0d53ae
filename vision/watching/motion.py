"""What differs between two small pictures of a table, whatever the light does.

Lamps, clouds, auto-exposure and shadows scale the light; the structure of what lies there stays.
So windows are compared as in structural similarity, after the contrast's overall gain has been
taken out; plain surfaces of another colour are told apart by colour, which shade does not change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.medians import median
from vision.watching.glance import Glance, around

if TYPE_CHECKING:
    from vision.types import Floats, Pixels
    from vision.watching.glance import Mask

NOISE = 4.0  # grey levels that codec and sensor leave in a shrunken picture at least
NOISE_MARGIN = 2.2
MOST_NOISE = 7.0
LEAST_LIKENESS = 0.45
GAIN_RANGE = (0.12, 6.0)
NEAR_OVERALL = (0.6, 1.6)
STEADY_LIGHT = (0.8, 1.25)
DARK = np.float32(4)  # grey levels: keeps the noise of dark colours out of ratios
OTHER_COLOUR = 0.32  # of the logarithm of a ratio of colours
LEAST_PATCH_PX = 20
SAME_LEVEL = 7  # grey levels
FEW_PX = 6
LEAST_TEXTURED_PX = 60


@dataclass(frozen=True)
class Change:
    """What differs between two pictures.

    Attributes
    ----------
    mask
        (h, w) bool: what differs, without specks.
    of_textured
        Which part of all that had structure before differs, 0 to 1.
    gain
        Contrast now over contrast before: below 1 the picture is darker or less sharp.
    brightness
        Brightness now over brightness before.
    """

    mask: Mask
    of_textured: float
    gain: float
    brightness: float

    @cached_property
    def any(self) -> bool:
        """Whether anything differs."""
        return bool(self.mask.any())

    @property
    def light_differs(self) -> bool:
        """Whether a lamp was switched, or the exposure has moved."""
        return not STEADY_LIGHT[0] < self.brightness < STEADY_LIGHT[1]


def nearly_identical(one: Glance, other: Glance) -> bool:
    """Tell cheaply that nothing differs; where it can't, `compare` can."""
    apart = cv2.absdiff(one.grey, other.grey)
    return int(np.count_nonzero(apart > SAME_LEVEL)) < FEW_PX


def compare(before: Glance, now: Glance) -> Change:
    """Tell what differs between two pictures of the same size."""
    change = _change(before, now)
    if not change.any:
        return change
    even = _change(before, _without_bands(before, now))
    return even if even.mask.sum() < change.mask.sum() else change


def _without_bands(before: Glance, now: Glance) -> Glance:
    """Take out the bands of light, along rows or columns, that were not there before.

    A lamp that flickers with the mains lights the rows of a rolling shutter in turns. Things that
    move fill no more than half of a row.
    """
    ratios = np.log((now.mean + DARK) / (before.mean + DARK))
    bands = np.zeros_like(ratios)
    for across in (1, 0):
        usual = median(ratios - bands, across)
        bands += usual - median(usual)  # the light of the whole picture is told by `brightness`
    pixels = np.clip(now.bgr * np.exp(-bands)[..., None], 0, 255)
    return Glance(pixels.astype(np.uint8), now.scale)


def _change(before: Glance, now: Glance) -> Change:
    gain = _gain(before, now)
    differs = _likeness(before, now, gain) < LEAST_LIKENESS
    before_level, now_level = before.level.mean(), now.level.mean()
    brightness = float((now_level + 1) / (before_level + 1))
    textured = before.textured
    share = float((differs & textured).sum() / max(int(textured.sum()), 1))
    if STEADY_LIGHT[0] < brightness < STEADY_LIGHT[1]:
        differs = differs | _other_surface(before, now)
    mask = without_specks(differs)
    return Change(mask, share, gain, brightness)


def _gain(before: Glance, now: Glance) -> float:
    textured = before.textured
    if int(textured.sum()) < LEAST_TEXTURED_PX:
        return 1.0
    ratios = now.deviation[textured] / before.deviation[textured]
    # Where things have moved, places compare badly, but the whole picture still does well.
    overall = now.contrast / before.contrast
    least, most = (overall * far for far in NEAR_OVERALL)
    return float(np.clip(np.clip(median(ratios)[0], least, most), *GAIN_RANGE))


def _likeness(before: Glance, now: Glance, gain: float) -> Floats:
    """Structural similarity, (h, w), about 1 where nothing differs, 0 where all does."""
    common = around(before.level * now.level) - before.mean * now.mean
    noise = np.float32(_noise(before, now, gain) ** 2)
    spread = before.variance + now.variance / np.float32(gain * gain)
    return np.asarray((2 * common / np.float32(gain) + noise) / (spread + noise), np.float32)


def _noise(before: Glance, now: Glance, gain: float) -> float:
    """Return how far pixels may be off, in grey levels of the picture before.

    Most of two pictures differs by noise alone. In the dark, noise is raised together with what
    is seen.
    """
    apart = (now.level - now.mean) / np.float32(gain) - (before.level - before.mean)
    sampled = np.abs(apart[::2, ::2])
    usual = 1.48 / 2**0.5 * median(sampled).item()
    return max(NOISE / min(1.0, gain), NOISE_MARGIN * min(usual, MOST_NOISE))


def _other_surface(before: Glance, now: Glance) -> Mask:
    """Where a surface has another colour; shade that comes or goes leaves it the same."""
    ratios = np.log((now.bgr + DARK) / (before.bgr + DARK))
    ratios = cv2.blur(ratios, (3, 3))
    blue, green, red = (ratios[..., channel] for channel in range(3))
    cool, warm = blue - green, red - green
    colour = np.maximum(np.abs(cool - median(cool)), np.abs(warm - median(warm)))
    return np.asarray(colour > OTHER_COLOUR)


def without_specks(mask: Mask) -> Mask:
    """Drop patches smaller than `LEAST_PATCH_PX`."""
    if not mask.any():
        return mask
    plane: Pixels = mask.astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(plane, connectivity=8)
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST_PATCH_PX
    large[0] = False
    return np.asarray(large[labels])
