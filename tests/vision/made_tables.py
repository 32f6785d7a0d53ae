"""Tables of known layout, made by the thousand: only outlines, no pixels.

Lengths are tile widths on the table; `Style` says how carelessly the players lay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.types import Floats

Reals: TypeAlias = NDArray[np.float64]
Cells: TypeAlias = tuple[tuple[int | None, ...], ...]

RIGHT_TO_UPRIGHT = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


@dataclass(frozen=True, slots=True)
class Style:
    """How a table is laid and seen.

    Attributes
    ----------
    sets
        The fewest and most sets.
    gap, largest_gap
        Mean and limit of the gaps inside sets.
    stagger
        Most that neighbours are shifted against each other, as a share of their height.
    turn_deg, bend_deg
        Spread of the tiles' own angles, and the most that a row curves from tile to tile.
    apart
        The smallest gap between sets that lie end to end.
    near
        How often a set is laid right beside another.
    scale_change
        The most that the scale changes across the picture.
    slope
        The least that the height of the view is foreshortened to.
    noise
        Spread of the corners' errors, as a share of the tile's width.
    upside_down
        How often a single tile's up is wrong.
    """

    sets: tuple[int, int] = (1, 20)
    gap: float = 0.02
    largest_gap: float = 0.08
    stagger: float = 0.15
    turn_deg: float = 1.2
    bend_deg: float = 4.0
    apart: float = 0.14
    near: float = 0.6
    scale_change: float = 1.5
    slope: float = 0.5
    noise: float = 0.01
    upside_down: float = 0.02


@dataclass(frozen=True, slots=True)
class MadeTable:
    """Outlines as they would be detected, in no order, and the truth.

    Attributes
    ----------
    quads_img
        (n, 4, 2) float32, image pixels, clockwise from the upright top-left corner.
    sets
        Every set's cells of tile indices; a plain set is one row in reading order.
    """

    quads_img: Floats
    sets: tuple[Cells, ...]


def make_table(rng: np.random.Generator, style: Style) -> MadeTable:
    """Lay rows of 3 to 13 tiles and loose tiles, many of them close to another."""
    height = rng.uniform(1.36, 1.5)
    laid: list[Reals] = []
    for _ in range(rng.integers(style.sets[0], style.sets[1] + 1)):
        found = _place_row(rng, style, height, laid)
        if found is not None:
            laid.append(found)
    return _photograph(rng, style, laid, [(tuple(range(len(row))),) for row in laid])


def make_grid_table(rng: np.random.Generator, style: Style) -> MadeTable:
    """Lay crosswords of one to six crossing sets."""
    height = rng.uniform(1.36, 1.5)
    laid: list[Reals] = []
    cells: list[Cells] = []
    for _ in range(rng.integers(style.sets[0], style.sets[1] + 1)):
        grid = _crossword(rng)
        flat = _grid_quads(rng, style, height, grid)
        for _ in range(30):
            moved = _move(flat, rng.uniform(0, 360), rng.uniform(-9, 9, 2))
            if _clear(moved, laid, 0.2):
                laid.append(moved)
                cells.append(grid)
                break
    return _photograph(rng, style, laid, cells)


def _place_row(
    rng: np.random.Generator, style: Style, height: float, laid: list[Reals]
) -> Reals | None:
    n = 1 if rng.random() < 0.1 else int(rng.choice((3, 3, 3, 4, 4, 5, 6, 8, 13)))
    row = _row_quads(rng, style, height, n)
    rows = [other for other in laid if len(other) > 1]
    for _ in range(30):
        # A loose tile close to a set's end is anyone's guess.
        if n > 1 and rows and rng.random() < style.near:
            moved, apart = _beside(rng, style, row, rows[rng.integers(len(rows))])
        else:
            reach = 3 + 1.2 * len(laid)
            moved = _move(row, rng.uniform(0, 360), rng.uniform(-reach, reach, 2))
            apart = 0.35
        if _clear(moved, laid, apart):
            return moved
    return None


def _row_quads(rng: np.random.Generator, style: Style, height: float, n: int) -> Reals:
    """(n, 4, 2) outlines of one row, its first tile at the origin."""
    bend_deg = rng.uniform(-style.bend_deg, style.bend_deg)
    tile = RIGHT_TO_UPRIGHT * (1, height)
    quads = [_turned(tile, np.radians(rng.normal(0, style.turn_deg)))]
    base = np.zeros(2)
    for k in range(1, n):
        bent = np.radians(bend_deg * k)
        along = np.array([np.cos(bent), np.sin(bent)])
        base = base + along
        shift = rng.uniform(-0.5, 0.5) * style.stagger * height
        own = bent + np.radians(rng.normal(0, style.turn_deg))
        quad = _turned(tile, own) + base + shift * np.array([-along[1], along[0]])
        gap = min(rng.exponential(style.gap), style.largest_gap)
        short = gap - float(_separation(quads[-1][None], quad[None])[0, 0])
        base = base + along * short
        quads.append(quad + along * short)
    return np.array(quads)


def _turned(points: Reals, angle: float) -> Reals:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([(cos, sin), (-sin, cos)]))


def _move(quads: Reals, angle_deg: float, to: Reals) -> Reals:
    return _turned(quads - quads.mean(axis=(0, 1)), np.radians(angle_deg)) + to


def _beside(
    rng: np.random.Generator, style: Style, row: Reals, other: Reals
) -> tuple[Reals, float]:
    """Lay a row close to another one: end to end, above it, or across its end."""
    how = rng.integers(3)
    last = other[-1]
    across = (last[1] - last[0] + last[2] - last[3]) / 2
    down = (last[3] - last[0] + last[2] - last[1]) / 2
    angle_deg = float(np.degrees(np.arctan2(across[1], across[0]))) + rng.normal(0, 2)
    if how == 0:
        start = _turned(row - row[0].mean(axis=0), np.radians(angle_deg))
        gap = rng.uniform(style.apart, 0.6) + 0.05
        shift = rng.normal(0, 0.2)
        moved = start + last.mean(axis=0) + across * (1 + gap) + down * shift
        opposite = moved[::-1, [2, 3, 0, 1]] if rng.random() < 0.3 else moved
        return opposite, style.apart
    if how == 1:
        gap = rng.uniform(0.0, 0.3)
        to = other.mean(axis=(0, 1)) + down * (1 + gap + 0.1) + across * rng.normal(0, 1)
        return _move(row, angle_deg + 180 * rng.integers(2), to), 0.0
    start = _turned(row - row[0].mean(axis=0), np.radians(angle_deg + 90 + 180 * rng.integers(2)))
    gap = rng.uniform(0.03, 0.3)
    return start + last.mean(axis=0) + across * (1.25 + gap) + down * rng.normal(0, 0.3), 0.02


def _clear(quads: Reals, laid: list[Reals], apart: float) -> bool:
    """Whether the outlines keep their distance from all that lies there."""
    return all(float(_separation(quads, other).min()) >= apart for other in laid)


def _separation(quads: Reals, others: Reals) -> Reals:
    """(n, m) how far two rectangles are apart along their own axes, negative if they overlap."""
    found = []
    for one, two, swap in ((quads, others, False), (others, quads, True)):
        axes = np.stack([one[:, 1] - one[:, 0], one[:, 3] - one[:, 0]], axis=1)
        axes = axes / np.linalg.norm(axes, axis=-1, keepdims=True)
        mine = np.einsum("nad,nkd->nak", axes, one)[:, None]
        theirs = np.einsum("nad,mkd->nmak", axes, two)
        gaps = np.maximum(theirs.min(-1) - mine.max(-1), mine.min(-1) - theirs.max(-1)).max(-1)
        found.append(gaps.T if swap else gaps)
    return np.asarray(np.maximum(*found))


def _crossword(rng: np.random.Generator) -> Cells:
    """Lines of 3 to 6 cells that cross, none touching another by accident; cells are numbered."""
    first = int(rng.integers(3, 7))
    taken = {(k, 0): True for k in range(first)}
    for _ in range(int(rng.integers(0, 6))):
        places = list(taken)
        x, y = places[rng.integers(len(places))]
        flat = not taken[x, y]
        length, before = int(rng.integers(3, 6)), int(rng.integers(0, 3))
        line = [((x + k, y) if flat else (x, y + k)) for k in range(-before, length - before)]
        new = [cell for cell in line if cell != (x, y)]
        ends = _beyond(line, flat=flat)
        crowded = {
            (i + dx, j + dy) for i, j in new for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))
        }
        crowded = (crowded | set(new) | set(ends)) - {(x, y)} - set(new)
        if not (set(new) & set(taken)) and not (crowded & set(taken)):
            taken |= dict.fromkeys(new, flat)
    return _numbered(list(taken))


def _beyond(line: list[tuple[int, int]], *, flat: bool) -> list[tuple[int, int]]:
    (x, y), (u, v) = line[0], line[-1]
    return [(x - 1, y), (u + 1, v)] if flat else [(x, y - 1), (u, v + 1)]


def _numbered(cells: list[tuple[int, int]]) -> Cells:
    left, top = (min(axis) for axis in zip(*cells, strict=True))
    right, bottom = (max(axis) for axis in zip(*cells, strict=True))
    order = iter(range(len(cells)))
    return tuple(
        tuple(next(order) if (x, y) in cells else None for x in range(left, right + 1))
        for y in range(top, bottom + 1)
    )


def _grid_quads(rng: np.random.Generator, style: Style, height: float, grid: Cells) -> Reals:
    quads = []
    gap = style.gap + 0.01
    for y, row in enumerate(grid):
        for x, tile in enumerate(row):
            if tile is not None:
                own = np.radians(rng.normal(0, style.turn_deg))
                loose = rng.uniform(-style.gap, style.gap, 2)
                centre = np.array([x * (1 + gap), y * (height + gap)]) + loose
                quads.append(_turned(RIGHT_TO_UPRIGHT * (1, height), own) + centre)
    return np.array(quads)


def _photograph(
    rng: np.random.Generator, style: Style, laid: list[Reals], cells: list[Cells]
) -> MadeTable:
    """See the table at a slant, with shaky outlines, in no order."""
    flat = np.concatenate(laid)
    points = _turned(flat.reshape(-1, 2), rng.uniform(0, 2 * np.pi))
    points = points - points.min(axis=0)
    depth = points[:, 1] / max(points[:, 1].max(), 1)
    points = points * (1, rng.uniform(style.slope, 1))
    far = 1 + rng.uniform(0, style.scale_change - 1) * depth
    seen = (points / far[:, None]).reshape(-1, 4, 2) * rng.uniform(30, 120)

    width = np.linalg.norm(seen[:, 1] - seen[:, 0], axis=-1).mean()
    seen = seen + rng.normal(0, style.noise * width, seen.shape)
    starts = np.cumsum([0, *map(len, laid)])
    for start, row in zip(starts, laid, strict=False):
        # Never so many that the set's own up is lost.
        wrong = start + np.nonzero(rng.random(len(row)) < style.upside_down)[0]
        wrong = wrong[: (len(row) - 1) // 2]
        seen[wrong] = seen[wrong][:, [2, 3, 0, 1]]

    order = rng.permutation(len(seen))
    place = np.argsort(order)
    sets = tuple(
        tuple(
            tuple(None if tile is None else int(place[start + tile]) for tile in row)
            for row in grid
        )
        for start, grid in zip(starts, cells, strict=False)
    )
    return MadeTable(seen[order].astype(np.float32), sets)
