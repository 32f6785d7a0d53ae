"""Single tiles as training samples for the corner finder and the reader."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.crops import straighten
from vision.quads import boxes_of, quads_of, short_first, shortest_side
from vision.rendering.arrays import bent, finer, jpeg, pinching
from vision.rendering.capture import shaken
from vision.rendering.shading import embossed
from vision.training.augment import relight
from vision.training.data import Labelled, inside_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cv2.typing import MatLike

    from vision.types import Floats, Pixels

# Of a number: seen so far it is taught; seen less than the other there is nothing to be read.
NUMBER_SEEN, NUMBER_HIDDEN = 0.72, 0.3
SMALLEST_SIDE_PX = 11.0  # a 13 has some six columns of pixels there
SHRINKABLE_PX = 20.0
RELIT, CALLED = 0.5, 0.25  # shares of whole pictures
CALL_SCALE = (0.5, 0.9)
CALL_QUALITY = (8, 40)  # of a JPEG, as poor video calls have it
DIMMED = 0.2  # share of the pictures that no call sends
DIMNESS, GRAIN = (0.12, 0.5), (0.008, 0.05)  # parts of the light, and of white
DIM_QUALITY, BLOTCHY = (50, 95), 0.5
# Share of the crops with glare, and how far from white what they mirror is, in parts of white.
GLARING, TINTED = 0.2, 0.15
SHAKEN, STREAK = 0.12, (0.05, 0.25)  # share of the crops, and parts of their width
# Share of the crops whose numbers no typeface has: how far their lines stray, in parts of the
# width, as so many places across and down say; share of those with other strokes, how far out
# these move in parts of the width, and the most of them that is seen over what they were.
RESTYLED, STRAY, STRAY_PLACES = 0.4, (0.01, 0.07), (3, 4)
RESTROKED, STROKE, OTHER_STROKE = 0.5, (0.008, 0.026), 0.9
# Share of those whose numbers are smaller, how many times, and about where in parts of the crop.
SHRUNK, SMALLER, MIDDLE = 0.5, (0.55, 1.0), ((0.45, 0.55), (0.35, 0.6))
# Share of those with a circle in relief, how strongly it is shaded, how wide it and its slope are,
# in parts of the crop's width, and about where in parts of the crop.
EMBOSSED, SHADING, DIAMETER, SLOPE = 0.2, (0.05, 0.5), (0.3, 0.95), (0.01, 0.06)
CIRCLE_AT = ((0.4, 0.6), (0.2, 0.75))
# How much of a faded number's contrast is left: from the least by which it is told, and so little
# that there is nothing to read; how far towards white its tile fades; share with a circle.
LEGIBLE, BLANK, PALER, CIRCLED = (0.12, 0.45), (0.0, 0.04), (0.0, 0.8), 0.7
# Share of the crops that are seen from nearer, and how many times: makers print large and small.
NEARER, AS_NEAR = 0.25, (1.0, 1.3)
# Share of the crops that lose their colours. A reader has to doubt a grey picture's inks, but
# were more than a few of what looks grey not black, it would never say black of a thin stroke.
GREY = 0.01


def upright(sample: Labelled) -> Labelled:
    """Return a photograph's labels with every quad begun at its upright top left.

    Numbers stand in the upper half of a tile, so the side with more ink is up; ink is what
    differs from the tile's own median colour.
    """
    if sample.upright_known:
        return sample
    quads = short_first(sample.quads_img).copy()
    for i, quad in enumerate(quads):
        crop = straighten(sample.pixels_bgr, quad, (64, 96), -0.1).astype(np.float32)
        ink = np.abs(crop - np.median(crop.reshape(-1, 3), 0)).max(-1)
        ink = np.where(ink > 0.45 * np.percentile(ink, 99), ink, 0)
        if ink[48:].sum() > ink[:48].sum():
            quads[i] = np.roll(quad, 2, 0)
    return replace(sample, quads_img=quads, upright_known=True)


class TilePool:
    """All usable tiles of many pictures, to draw from."""

    def __init__(self, samples: Sequence[Labelled]) -> None:
        self.samples = [upright(sample) for sample in samples]
        self.places = np.array(
            [
                (s, t)
                for s, sample in enumerate(self.samples)
                for t, quad in enumerate(sample.quads_img)
                if shortest_side(quad) >= SMALLEST_SIDE_PX and sample.visible[t] > 0.4
            ],
            np.int64,
        ).reshape(-1, 2)

    def draw(self, rng: np.random.Generator) -> tuple[Labelled, int]:
        """Return a picture and the index of one of its tiles."""
        s, t = self.places[int(rng.integers(len(self.places)))]
        return self.samples[s], int(t)


def misfit(rng: np.random.Generator, quad: Floats) -> Floats:
    """Return a quad that has lost or gained half a tile at its side, as where two seem one.

    Half a number may look like another one: a 13 without its 1 is a plain 3.
    """
    kind = rng.integers(3)
    if kind == 0:  # a part of the tile alone
        lost = rng.uniform(0.35, 0.55)
        ends = ((lost, 1.0), (0.0, 1 - lost))[int(rng.integers(2))]
    elif kind == 1:  # half a tile, and half of the next one
        shift = rng.uniform(0.35, 0.65) * rng.choice([-1, 1])
        ends = (shift, 1 + shift)
    else:  # a tile and more than half of the next one
        gained = rng.uniform(0.6, 1.1)
        ends = ((-gained, 1.0), (0.0, 1 + gained))[int(rng.integers(2))]
    top, bottom = quad[1] - quad[0], quad[2] - quad[3]
    corners = [
        quad[0] + ends[0] * top,
        quad[0] + ends[1] * top,
        quad[3] + ends[1] * bottom,
        quad[3] + ends[0] * bottom,
    ]
    return np.array(corners, np.float32)


def cover(rng: np.random.Generator, crop: Pixels, cloak: Pixels, reach: float) -> Pixels:
    """Lay something over a crop from its left or its right, `reach` of its width at mid-height."""
    height, width = crop.shape[:2]
    x = np.arange(width, dtype=np.float32)[None]
    slope = rng.normal(0, 0.2)
    edge = reach * width + slope * (np.arange(height, dtype=np.float32)[:, None] - height / 2)
    softness = rng.uniform(0.5, 2.5)  # pixels
    over = 1 / (1 + np.exp(np.clip((x - edge) / softness, -20, 20)))
    if rng.random() < 0.5:
        over = over[:, ::-1]
    return np.asarray(crop + (cloak.astype(np.float32) - crop) * over[..., None], np.uint8)


def loosen(rng: np.random.Generator, quad: Floats) -> Floats:
    """Return a box around a tile as an imperfect detector would give it: no perspective."""
    x, y, wide, tall, angle = boxes_of(quad[None])[0].tolist()
    angle += rng.normal(0, 0.08) if rng.random() < 0.8 else rng.uniform(-0.8, 0.8)
    wide *= np.exp(rng.normal(0, 0.1))
    tall *= np.exp(rng.normal(0, 0.1))
    x, y = (x, y) + rng.normal(0, 0.06, 2) * wide
    return np.asarray(quads_of(np.array([(x, y, wide, tall, angle)], np.float32))[0])


def cut_by_frame(rng: np.random.Generator, sample: Labelled, quad: Floats) -> Labelled:
    """Return the picture cropped so that its edge cuts the tile, but not its centre away."""
    height, width = sample.pixels_bgr.shape[:2]
    x, y = quad.mean(0)
    reach = shortest_side(quad) * rng.uniform(0.05, 0.7)
    edge = int(rng.integers(4))
    pixels = sample.pixels_bgr.copy() if edge == 0 else sample.pixels_bgr
    if edge == 0:
        pixels = pixels[: max(2, min(height, round(y + reach)))]
    elif edge == 1:
        pixels = pixels[:, : max(2, min(width, round(x + reach)))]
    else:  # top and left edges would move the origin; black them out as "outside" instead
        pixels = pixels.copy()
        if edge == 2:
            pixels[: max(0, round(y - reach))] = 114
        else:
            pixels[:, : max(0, round(x - reach))] = 114
    return replace(sample, pixels_bgr=pixels)


def restyle(rng: np.random.Generator, crop: Pixels) -> Pixels:
    """Bend what a crop shows, make it smaller, draw it with other strokes, and emboss a circle.

    A reader meets typefaces that are in no training; beside fonts it learns from such as these
    that a number is told by how its strokes hang together (elastic distortions, Simard et al.
    2003).
    """
    height, width = crop.shape[:2]
    across, down = STRAY_PLACES
    stray = rng.uniform(-1, 1, (2, down, across)) * rng.uniform(*STRAY) * width
    if rng.random() < SHRUNK:
        factor, x, y = rng.uniform(*np.array([SMALLER, *MIDDLE]).T)
        stray = finer(stray) + pinching((width, height), factor, (x, y))
    shown = bent(crop, stray, border=cv2.BORDER_REFLECT_101)
    if rng.random() < RESTROKED:
        change = (cv2.erode, cv2.dilate)[int(rng.integers(2))]
        share = rng.uniform(0, OTHER_STROKE)
        side = 2 * round(rng.uniform(*STROKE) * width) + 1
        other = change(shown, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
        shown = cv2.addWeighted(shown, 1 - share, other, share, 0)
    if rng.random() < EMBOSSED:
        shown = _with_a_circle(rng, shown)
    return np.asarray(shown, np.uint8)


def faded(rng: np.random.Generator, crop: Pixels, contrast: float) -> Pixels:
    """Leave so much contrast of what is printed, as a lamp's glare does; relief outlasts it.

    A circle in relief around next to nothing is not a joker's face.
    """
    face = np.median(crop.reshape(-1, 3), 0)
    face = face + (255 - face) * rng.uniform(*PALER)
    edge = max(2, round(0.16 * crop.shape[1]))
    inside = np.zeros(crop.shape[:2], np.float32)
    inside[edge:-edge, edge:-edge] = 1
    faint = cv2.GaussianBlur(inside, (0, 0), edge / 4)[..., None] * np.float32(1 - contrast)
    shown: MatLike = np.asarray(crop + (face - crop) * faint, np.uint8)
    if rng.random() < CIRCLED:
        shown = _with_a_circle(rng, shown)
    return np.asarray(shown, np.uint8)


def _with_a_circle(rng: np.random.Generator, crop: MatLike) -> MatLike:
    """Raise or sink a circle behind what a crop shows, as makers do, or only its line."""
    height, width = crop.shape[:2]
    angle, strength = rng.uniform(0, 2 * np.pi), rng.uniform(*SHADING)
    x, y = rng.uniform(*np.array(CIRCLE_AT).T) * (width, height)
    return embossed(
        crop,
        (x, y),
        rng.uniform(*DIAMETER) * width / 2,
        rng.uniform(*SLOPE) * width,
        (strength * np.cos(angle), strength * np.sin(angle)),
        ridge=rng.random() < 0.5,
    )


def degrade(rng: np.random.Generator, crop: Pixels, side_px: float) -> Pixels:
    """Make a crop look as if its tile, `side_px` wide, was small, shaken, grainy or half glare."""
    crop = relight(rng, crop, GREY)
    height, width = crop.shape[:2]
    if side_px > SHRINKABLE_PX and rng.random() < 0.4:
        factor = shrinking(rng, min(side_px, width))
        small = cv2.resize(crop, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        crop = np.asarray(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8
        )
    if rng.random() < SHAKEN:
        streak_px = rng.uniform(*STREAK) * width
        crop = np.asarray(shaken(rng, crop.astype(np.float32), streak_px), np.uint8)
    if rng.random() < 0.2:
        grain = rng.normal(0, rng.uniform(2, 16), crop.shape)
        crop = np.clip(crop + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.15:
        crop = _squeezed(rng, crop, side_px)
    if rng.random() < GLARING:
        crop = glare(rng, crop)
    if rng.random() < 0.12:
        crop = _shadow_edge(rng, crop)
    return crop


def shrinking(rng: np.random.Generator, side_px: float) -> float:
    """Return how many times as wide a tile shall look: `SMALLEST_SIDE_PX` to 0.8 of its side."""
    return float(np.exp(rng.uniform(np.log(SMALLEST_SIDE_PX / side_px), np.log(0.8))))


def called(rng: np.random.Generator, pixels: Pixels, factor: float) -> Pixels:
    """Send a picture through a poor video call, `factor` times as large, and in coarse blocks."""
    height, width = pixels.shape[:2]
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    sent = jpeg(small, int(rng.integers(*CALL_QUALITY)))
    return np.asarray(cv2.resize(sent, (width, height)), np.uint8)


def reshot(rng: np.random.Generator, pixels: Pixels, called_share: float = CALLED) -> Pixels:
    """Return a picture, half the time in other light, and at times poorly taken."""
    if rng.random() < RELIT:
        pixels = relight(rng, pixels, GREY)
    return poorly_taken(rng, pixels, called_share)


def poorly_taken(rng: np.random.Generator, pixels: Pixels, called_share: float = CALLED) -> Pixels:
    """Return a picture as it is, as a poor video call sends it, or as a dark room leaves it."""
    if rng.random() < called_share:
        return called(rng, pixels, rng.uniform(*CALL_SCALE))
    return dimmed(rng, pixels) if rng.random() < DIMMED else pixels


def dimmed(rng: np.random.Generator, pixels: Pixels) -> Pixels:
    """Return a picture as it comes from a dark room: a part of the light, and a sensor's grain."""
    grain = rng.standard_normal(pixels.shape, np.float32)
    if rng.random() < BLOTCHY:  # phones take the grain away and leave blotches
        grain = np.asarray(2 * cv2.GaussianBlur(grain, (0, 0), 0.8), np.float32)
    dark = pixels * rng.uniform(*DIMNESS) + grain * (255 * rng.uniform(*GRAIN))
    return jpeg(np.clip(dark, 0, 255).astype(np.uint8), int(rng.integers(*DIM_QUALITY)))


def _squeezed(rng: np.random.Generator, crop: Pixels, side_px: float) -> Pixels:
    """Send a crop through a poor video call: smaller than it was, and in coarse blocks."""
    width = crop.shape[1]
    factor = float(np.clip(rng.uniform(0.5, 1.0) * side_px / width, 14 / width, 1.0))
    return called(rng, crop, factor)


def glare(rng: np.random.Generator, crop: Pixels) -> Pixels:
    """Lay over a crop what a tile mirrors of a lamp or the sky: black ink takes its tint."""
    height, width = crop.shape[:2]
    spot = np.zeros((height, width), np.float32)
    at = (int(rng.integers(width)), int(rng.integers(height)))
    axes = (int(rng.uniform(4, width * 0.6)), int(rng.uniform(4, height * 0.5)))
    cv2.ellipse(spot, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0.1, 0.75), -1)
    glow = np.asarray(cv2.GaussianBlur(spot, (0, 0), rng.uniform(2, 10)), np.float32)[..., None]
    mirrored = 255 * (1 - np.abs(rng.normal(0, TINTED, 3))).astype(np.float32)
    return np.asarray(crop + np.maximum(mirrored - crop, 0) * glow, np.uint8)


def _shadow_edge(rng: np.random.Generator, crop: Pixels) -> Pixels:
    """Let a soft shadow fall across a crop."""
    height, width = crop.shape[:2]
    ramp = (
        np.linspace(-1, 1, width)[None] * rng.normal()
        + np.linspace(-1, 1, height)[:, None] * rng.normal()
    )
    dark = 1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-ramp * rng.uniform(2, 12)))
    return (crop * dark[..., None]).astype(np.uint8)


def elsewhere(rng: np.random.Generator, sample: Labelled, quad: Floats) -> Floats:
    """Return a quad like a tile's at another place: beside it, or anywhere in the picture."""
    if rng.random() < 0.5:
        shift = rng.normal(0, 1.5, 2) * np.linalg.norm(quad[1] - quad[0])
        return np.asarray(quad + shift, np.float32)
    height, width = sample.pixels_bgr.shape[:2]
    angle, scale = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.6)
    axes = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))]) * scale
    centre = rng.uniform((0, 0), (width, height))
    return np.asarray((quad - quad.mean(0)) @ axes.T + centre, np.float32)


def is_clear(sample: Labelled, quad: Floats) -> bool:
    """Whether a quad covers no more than a corner of any tile: a place with nothing to read."""
    others = sample.quads_img
    height, width = sample.pixels_bgr.shape[:2]
    if inside_share(quad[None], width, height)[0] < 0.5:
        return False
    area = abs(cv2.contourArea(quad))
    return all(cv2.intersectConvexConvex(quad, other)[0] < 0.3 * area for other in others)
