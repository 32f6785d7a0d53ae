"""Table tops to lie on: wood, cloth, stone, plain, printed patterns; all made of noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.arrays import random_grain

if TYPE_CHECKING:
    from cv2.typing import MatLike
    from numpy.typing import NDArray

    from vision.rendering.arrays import Array
    from vision.types import Pixels

_SMOOTH_PX: Final = 6  # pixels a cell of noise needs for its curves; the rest is straight lines
_LETTERS: Final = tuple("ABCDEFGHJKLMNPRSTabdeghkmnorst123456789")


def noise(rng: np.random.Generator, size_px: int, cells: tuple[float, float]) -> Array:
    """Smooth noise, (size, size) float32 in 0 to 1, with that many cells down and across."""
    rows, columns = (max(2, round(c)) for c in cells)
    coarse = rng.random((rows + 1, columns + 1), dtype=np.float32)
    side = _least_side(size_px, max(cells))
    curved = cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)
    np.clip(curved, 0, 1, out=curved)
    return np.asarray(cv2.resize(curved, (size_px, size_px)), np.float32)


def fractal(rng: np.random.Generator, size_px: int, cells: float, octaves: int = 4) -> Array:
    """Sum of noises, each twice as fine and half as strong, (size, size) float32 in 0 to 1."""
    side = _least_side(size_px, cells * 2 ** (octaves - 1))
    total = np.zeros((side, side), np.float32)
    for octave in range(octaves):
        total += noise(rng, side, (cells * 2**octave,) * 2) / 2**octave
    total /= 2 - 0.5 ** (octaves - 1)
    return np.asarray(cv2.resize(total, (size_px, size_px)), np.float32)


def _least_side(size_px: int, cells: float) -> int:
    """Return the side of the smallest picture that shows so many cells as smoothly."""
    return min(size_px, max(_SMOOTH_PX, round(cells * _SMOOTH_PX)))


def _colour(rng: np.random.Generator, lowest: float = 0.05, highest: float = 0.95) -> Array:
    hue, saturation = rng.uniform(0, 360), rng.uniform(0, 0.8) ** 1.5
    value = rng.uniform(lowest, highest)
    hsv = np.array([[[hue, saturation, value]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _blend(mask: MatLike, low: Array, high: Array) -> Pixels:
    """Colour a mask, (h, w) in 0 to 1, from one colour to another."""
    steps = np.linspace(0, 255, 256)[:, None]
    ramp = np.clip(low * (255 - steps) + high * steps, 0, 255).round().astype(np.uint8)
    levels = _bytes(mask)
    return np.asarray(cv2.LUT(cv2.merge([levels] * 3), ramp[:, None]), np.uint8)


def _bytes(mask: MatLike) -> Pixels:
    """Return a mask in 0 to 1 as bytes; what lies outside is cut."""
    return np.asarray(cv2.addWeighted(mask, 255, mask, 0, 0, dtype=cv2.CV_8U), np.uint8)


def _blend_over(sheet: Pixels, share: Array, colour: Array) -> Pixels:
    """Lay a colour over a sheet, as thickly as `share`, (h, w) in 0 to 1, says."""
    ink = np.empty_like(sheet)
    ink[:] = np.clip(colour * 255, 0, 255)
    share = np.asarray(np.clip(share, 0, 1), np.float32)
    return np.asarray(cv2.blendLinear(ink, sheet, share, 1 - share), np.uint8)


def _wood(rng: np.random.Generator, size_px: int) -> Pixels:
    hue = rng.uniform(8, 38)
    dark = cv2.cvtColor(
        np.array([[[hue, rng.uniform(0.3, 0.75), rng.uniform(0.15, 0.6)]]], np.float32),
        cv2.COLOR_HSV2BGR,
    )[0, 0]
    light = dark * rng.uniform(1.2, 1.9)
    grain = noise(rng, size_px, (rng.uniform(60, 360), rng.uniform(2, 6)))
    waves = fractal(rng, size_px, rng.uniform(2, 5)) * np.float32(rng.uniform(0.8, 4))
    waves += np.linspace(0, rng.uniform(3, 14), size_px, dtype=np.float32)[:, None]
    waves *= np.float32(2 * np.pi)
    rings = np.sin(waves, out=waves)
    rings += 1
    rings *= noise(rng, size_px, (6, 2))
    level = cv2.addWeighted(grain, 0.5, rings, 0.25, 0)
    wood = _blend(level - _pores(rng, size_px), dark * 0.6, light)
    for _ in range(int(rng.integers(0, 3))):
        _knot(rng, wood, dark)
    return wood


def _pores(rng: np.random.Generator, size_px: int) -> Array:
    """Return short dark strokes along the grain, (size, size), 0 to 0.4."""
    long = int(rng.integers(6, 30))
    dots = random_grain(rng, (size_px, max(size_px // long, 2), 1))[..., 0]
    strokes = cv2.resize(dots, (size_px, size_px), interpolation=cv2.INTER_LINEAR)
    deep, rare = rng.uniform(0, 0.3), rng.uniform(0.2, 1.4)
    shown = cv2.addWeighted(strokes, deep, strokes, 0, -deep * rare)
    return np.asarray(np.clip(shown, 0, 0.4, out=shown), np.float32)


def _knot(rng: np.random.Generator, wood: Pixels, dark: Array) -> None:
    """Draw a knot, which looks like a tile's dish."""
    at = tuple(int(v) for v in rng.integers(0, len(wood), 2))
    axes = tuple(int(v) for v in rng.uniform(0.01, 0.05, 2) * len(wood) + 2)
    for ring in range(3, 0, -1):
        size = (axes[0] * ring // 2 + 1, axes[1] * ring // 2 + 1)
        colour = [float(v) * 255 for v in dark * (0.5 + 0.15 * ring)]
        cv2.ellipse(wood, at, size, 0, 0, 360, colour, -1, cv2.LINE_AA)


def _planks(rng: np.random.Generator, size_px: int) -> Pixels:
    wood = _wood(rng, size_px)
    height = int(size_px / rng.uniform(2, 9))
    gain = 1.0
    for y in range(int(rng.integers(height)), size_px, height):
        gain *= rng.uniform(0.85, 1.15)
        cv2.convertScaleAbs(wood[y : y + height], dst=wood[y : y + height], alpha=gain)
        cv2.line(wood, (0, y), (size_px, y), (13, 13, 13), int(rng.integers(1, 4)))
    return wood


def _cloth(rng: np.random.Generator, size_px: int) -> Pixels:
    base = _colour(rng)
    weave = _woven(rng, size_px) if rng.random() < 0.5 else _felt(rng, size_px)
    strength = rng.uniform(0.03, 0.1) / max(float(cv2.meanStdDev(weave)[1][0, 0]), 1e-3)
    folds = fractal(rng, size_px, 3)
    deep = rng.uniform(0, 0.2)
    level = cv2.addWeighted(weave, strength, folds, deep, 0.5 - deep / 2)
    cloth = _blend(level, base - 0.5, base + 0.5)
    if rng.random() < 0.4:  # stripes of another yarn
        stripes = noise(rng, size_px, (2, rng.uniform(7, 55))) > 0.6
        other = base + (_colour(rng) - base) * rng.uniform(0.2, 0.9)
        cv2.copyTo(_blend(level, other - 0.5, other + 0.5), stripes.view(np.uint8), cloth)
    return cloth


def _felt(rng: np.random.Generator, size_px: int) -> Array:
    fibres = random_grain(rng, (size_px, size_px, 1))[..., 0]
    across, along = rng.uniform(0.4, 2), rng.uniform(0.4, 4)
    return np.asarray(cv2.GaussianBlur(fibres, (0, 0), sigmaX=across, sigmaY=along), np.float32)


def _woven(rng: np.random.Generator, size_px: int) -> Array:
    """Return how high threads stand that go over and under each other, (size, size)."""
    pitch = float(np.exp(rng.uniform(np.log(2.5), np.log(16))))
    loose = rng.uniform(0, 0.3)
    (across, x, one), (along, y, other) = (
        _threads(rng, size_px, pitch, loose), _threads(rng, size_px, pitch, loose)
    )  # fmt: skip
    over = np.float32(0.2) * one[None] * other[:, None]
    woven = np.maximum(across[None] * (0.8 + over), along[:, None] * (0.8 - over))
    shade = 1 + rng.normal(0, rng.uniform(0, 0.25), (2, int(max(x.max(), y.max())) + 1))
    woven *= shade[0][x].astype(np.float32)[None]
    woven *= shade[1][y].astype(np.float32)[:, None]
    hairs = random_grain(rng, (size_px, size_px, 1), 0.8)[..., 0]
    return np.asarray(cv2.addWeighted(woven, 1, hairs, rng.uniform(0, 0.4), 0), np.float32)


def _threads(
    rng: np.random.Generator, size_px: int, pitch: float, loose: float
) -> tuple[Array, NDArray[np.int64], Array]:
    """Return along a line how high threads are, which one is there, and its sign, turn about."""
    count = int(size_px / pitch) + 2
    wide = pitch * np.clip(1 + rng.normal(0, loose, count), 0.5, 1.5)
    edges = np.r_[0, np.cumsum(np.r_[wide, wide])]
    at = np.arange(size_px) + 0.5
    which = np.searchsorted(edges, at, side="right") - 1
    inside = (at - edges[which]) / (edges[which + 1] - edges[which])
    sign = np.where(which % 2, 1, -1).astype(np.float32)
    return np.sin(np.pi * inside).astype(np.float32), which, sign


def _stone(rng: np.random.Generator, size_px: int) -> Pixels:
    cloud = fractal(rng, size_px, rng.uniform(2, 8), 5)
    pale = _colour(rng, 0.5, 1.0)
    odd = rng.random() < 0.25
    other = _colour(rng, 0.3, 0.9) if odd else pale * rng.uniform(0.75, 0.97)
    base = _blend(cloud, other, pale)
    ridge = np.abs(fractal(rng, size_px, rng.uniform(2, 5), 5) - 0.5)
    wide = noise(rng, size_px, (4, 4)) * np.float32(0.016) + np.float32(0.002)
    veins = np.exp(-((ridge / wide) ** np.float32(1.2)))
    veins *= np.clip(noise(rng, size_px, (5, 5)) * 3 - 1, 0, 1)  # they come and go
    dark = _colour(rng) if odd else pale * rng.uniform(0.2, 0.7)
    return _blend_over(base, veins * rng.uniform(0.2, 0.9), dark)


def _glass(rng: np.random.Generator, size_px: int) -> Pixels:
    """Look through a pane at the floor below, out of focus, and at the ceiling in it."""
    floor = (_wood, _planks, _plain, _stone)[int(rng.integers(4))](rng, size_px // 2)
    below = cv2.GaussianBlur(floor, (0, 0), size_px * rng.uniform(0.002, 0.01))
    below = cv2.resize(below, (size_px, size_px))
    tint = np.array([0.9, 1, 0.88]) ** rng.uniform(0, 2) * rng.uniform(0.5, 0.95)
    seen = np.asarray(cv2.transform(below, np.diag(tint)), np.uint8)
    ceiling = np.clip(fractal(rng, size_px, rng.uniform(1, 4), 2) * 3 - 1.2, 0, 1)
    return _blend_over(seen, ceiling * rng.uniform(0.05, 0.4), _colour(rng, 0.7, 1.0))


def _plain(rng: np.random.Generator, size_px: int) -> Pixels:
    base = _colour(rng, 0.02, 1.0)
    deep = rng.uniform(0, 0.15) / 2
    return _blend(fractal(rng, size_px, 2), base - deep, base + deep)


def _pattern(rng: np.random.Generator, size_px: int) -> Pixels:
    """Lay out checks, tiles, dots: squares the size of tiles are the hard ones."""
    pitch = size_px / rng.uniform(3, 28)
    x = np.arange(size_px, dtype=np.float32)[None] / np.float32(pitch)
    y = x.T
    ratio = np.float32(rng.uniform(0.6, 1.0))
    kind = rng.integers(4)
    if kind == 0:
        mask = (np.floor(x) + np.floor(y * ratio)) % 2
    elif kind == 1:
        mask = ((x % 1 < 0.08) | (y * ratio % 1 < 0.08)).astype(np.float32)
    elif kind == 2:
        mask = 0.5 * (np.floor(x) % 2) + 0.5 * (np.floor(y) % 2)
    else:
        mask = ((x % 1 - 0.5) ** 2 + (y % 1 - 0.5) ** 2 < 0.1).astype(np.float32)
    return _blend(mask, _colour(rng), _colour(rng))


def _print(rng: np.random.Generator, size_px: int) -> Pixels:
    """Make a tablecloth, newspaper or play mat: shapes and letters that are no tiles."""
    sheet = _plain(rng, size_px)
    for _ in range(int(rng.integers(5, 60))):
        _print_one(rng, sheet)
    return sheet


def _print_one(rng: np.random.Generator, sheet: Pixels) -> None:
    size_px = len(sheet)
    x, y = (int(v) for v in rng.integers(0, size_px, 2))
    colour = tuple(float(v) * 255 for v in _colour(rng))
    size = int(rng.uniform(0.015, 0.17) * size_px) + 2
    kind = rng.integers(4)
    if kind == 0:
        cv2.circle(sheet, (x, y), size, colour, int(rng.choice([-1, 1, 3])), cv2.LINE_AA)
    elif kind == 1:
        box = cv2.boxPoints(((x, y), (size, size * rng.uniform(0.5, 3)), rng.uniform(0, 180)))
        cv2.fillConvexPoly(sheet, box.astype(np.int32), colour, cv2.LINE_AA)
    elif kind == 2:
        text = "".join(rng.choice(_LETTERS, int(rng.integers(1, 6))))
        font, bold = int(rng.integers(0, 5)), max(1, size // 12)
        cv2.putText(sheet, text, (x, y), font, size / 30, colour, bold, cv2.LINE_AA)
    else:
        end = tuple(int(v) for v in rng.integers(0, size_px, 2))
        cv2.line(sheet, (x, y), end, colour, max(1, size // 8), cv2.LINE_AA)


_MAKERS = (
    (_wood, 0.26),
    (_planks, 0.1),
    (_cloth, 0.2),
    (_stone, 0.13),
    (_glass, 0.06),
    (_plain, 0.09),
    (_pattern, 0.08),
    (_print, 0.08),
)


def table_of(kind: str, rng: np.random.Generator, size_px: int) -> Array:
    """Return a table top of the material named: wood, planks, cloth, stone, glass, plain."""
    makers = {maker.__name__.strip("_"): maker for maker, _ in _MAKERS}
    return as_light(makers[kind](rng, size_px))


def random_material(rng: np.random.Generator, size_px: int) -> Pixels:
    """Return a piece of any table top, (size, size, 3) BGR, seen from above."""
    makers, chances = zip(*_MAKERS, strict=True)
    maker = makers[int(rng.choice(len(makers), p=chances))]
    return np.asarray(maker(rng, size_px), np.uint8)


def as_light(pixels: MatLike) -> Array:
    """Return bytes as float32, 0 to 1."""
    return np.multiply(pixels, np.float32(1 / 255), dtype=np.float32)
