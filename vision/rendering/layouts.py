"""Where tiles lie: sets, crossing grids, piles. Lengths are in tile widths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.rendering.arrays import Array, Mask

COLOURS = "RBOK"
NUMBERS = range(1, 14)
FACES = (*(f"{colour}{number}" for colour in COLOURS for number in NUMBERS), "J")
BACK = ""
FIRST_SET = 10  # sets are numbered after the tiers of a rack


@dataclass(frozen=True, slots=True)
class Pose:
    """One tile in space; z is up from the table.

    Attributes
    ----------
    name
        The face, or "" for a tile that shows its back.
    centre
        (3,) centre of the face that is seen.
    right, down
        (3,) unit vectors along the face, as its reader sees them.
    group
        Number of the set the tile belongs to.
    """

    name: str
    centre: Array
    right: Array
    down: Array
    group: int


def flat(name: str, x: float, y: float, angle: float, group: int, lift: float = 0.0) -> Pose:
    """Return a tile lying on the table, face up, `angle` in radians from the x axis."""
    right = np.array([cos(angle), sin(angle), 0.0])
    down = np.array([-sin(angle), cos(angle), 0.0])
    return Pose(name, np.array([x, y, lift]), right, down, group)


def run(rng: np.random.Generator, length: int) -> list[str]:
    """Return a legal run as far as `length` allows one."""
    length = min(length, 13)
    first = int(rng.integers(1, 15 - length))
    colour = str(rng.choice(list(COLOURS)))
    names = [f"{colour}{first + i}" for i in range(length)]
    return _with_joker(rng, names)


def group(rng: np.random.Generator, length: int) -> list[str]:
    """Return a legal group of three or four."""
    number = int(rng.integers(1, 14))
    colours = rng.permutation(list(COLOURS))[: max(3, min(length, 4))]
    return _with_joker(rng, [f"{colour}{number}" for colour in colours])


def jumble(rng: np.random.Generator, length: int) -> list[str]:
    """Return any tiles at all; most such sets are illegal."""
    return [random_name(rng) for _ in range(length)]


def two_figures(rng: np.random.Generator, length: int) -> list[str]:
    """Return numbers of two figures, mostly elevens, whose halves look like narrow ones."""
    numbers = rng.choice([10, 11, 12, 13], size=length, p=[0.15, 0.55, 0.15, 0.15])
    return [f"{rng.choice(list(COLOURS))}{number}" for number in numbers]


def many_jokers(rng: np.random.Generator, length: int) -> list[str]:
    """Return any faces, every other one a joker."""
    return ["J" if rng.random() < 0.5 else random_name(rng) for _ in range(length)]


def random_name(rng: np.random.Generator) -> str:
    """Return any face, jokers as often as four faces together."""
    return "J" if rng.random() < 0.06 else str(rng.choice(FACES[:-1]))


Kinds = tuple[tuple[Callable[[np.random.Generator, int], list[str]], float], ...]
# What rows are made by, given their length, and how often.
ANY_SET: Kinds = ((run, 0.4), (group, 0.3), (jumble, 0.3))


def _with_joker(rng: np.random.Generator, names: list[str]) -> list[str]:
    if rng.random() < 0.15:
        names[int(rng.integers(len(names)))] = "J"
    return names


def _row(
    rng: np.random.Generator,
    names: list[str],
    at: tuple[float, float],
    angle: float,
    group_id: int,
    tall: float,
) -> list[Pose]:
    """Lay tiles side by side, each a little off as hands leave them."""
    tidy = rng.random() < 0.6
    gap = rng.uniform(0.0, 0.03) if tidy else rng.uniform(0.0, 0.12)
    stagger = rng.uniform(0, 0.03) if tidy else rng.uniform(0.02, 0.12)
    turn = radians(0.6 if tidy else 3.0)
    curve = rng.normal(0, 0.01)
    poses = []
    heading, (x, y) = angle, at
    for name in names:
        offset = rng.normal(0, stagger) * tall
        px, py = x - sin(heading) * offset, y + cos(heading) * offset
        flip = pi if rng.random() < 0.02 else 0.0
        poses.append(flat(name, px, py, heading + rng.normal(0, turn) + flip, group_id))
        step = 1.0 + gap + abs(rng.normal(0, gap / 2))
        x, y = x + cos(heading) * step, y + sin(heading) * step
        heading += curve
    return poses


class Room:
    """Which ground of a square table of 2 x `half` is taken."""

    def __init__(self, half: float) -> None:
        self.half = half
        self._middles = np.empty((0, 2))
        self._sides = np.empty((0, 2, 2))

    def take(self, poses: list[Pose], tall: float, margin: float) -> bool:
        """Claim the ground under `poses`, so much wider and taller than they are.

        False, and nothing claimed, if any of it is taken or none of them lies on the table.
        """
        if not poses:
            return True
        middles = np.array([p.centre[:2] for p in poses])
        sides = np.array([(p.right[:2], p.down[:2]) for p in poses])
        sides *= np.array([[1 + margin], [tall + margin]])
        if not (np.abs(middles) < self.half).all(1).any():
            return False
        if _overlap(middles[:, None], sides[:, None], self._middles, self._sides).any():
            return False
        self._middles = np.concatenate([self._middles, middles])
        self._sides = np.concatenate([self._sides, sides])
        return True


def _overlap(middles: Array, sides: Array, others: Array, their_sides: Array) -> Mask:
    """Tell whether parallelograms overlap, (...,): no line along a side of either parts them.

    Middles are (..., 2), the two sides of each (..., 2, 2).
    """
    apart = np.zeros(np.broadcast_shapes(middles.shape, others.shape)[:-1], bool)
    for edges in (sides, their_sides):
        across = np.stack([edges[..., 1], -edges[..., 0]], -1)
        reach = sum(np.abs(across @ s.swapaxes(-1, -2)).sum(-1) / 2 for s in (sides, their_sides))
        between = (across @ (middles - others)[..., None])[..., 0]
        apart |= (np.abs(between) > reach).any(-1)
    return ~apart


def sets_on_a_table(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lay sets at any angle over a square of 2 x `half`, some of them close to one another."""
    return _some_backs(rng, sets_in(rng, Room(half * 1.2), half, tall), 0.25)


def two_figures_on_a_table(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lay rows in which every tile may be taken for two."""
    return sets_in(rng, Room(half * 1.2), half, tall, ((two_figures, 1.0),))


def jokers_on_a_table(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lay rows with more jokers than any game has: of what differs most a reader sees least."""
    return sets_in(rng, Room(half * 1.2), half, tall, ((many_jokers, 1.0),))


def sets_in(
    rng: np.random.Generator, room: Room, half: float, tall: float, kinds: Kinds = ANY_SET
) -> list[Pose]:
    """Lay sets where there is room, numbered from `FIRST_SET` on."""
    makers, chances = zip(*kinds, strict=True)
    facing = rng.uniform(0, 2 * pi)
    ordered = rng.random() < 0.5
    poses: list[Pose] = []
    wanted = int(rng.integers(1, 22))
    for attempt in range(wanted * 3):
        names = makers[int(rng.choice(len(makers), p=chances))](
            rng,
            int(
                rng.choice(
                    [1, 2, 3, 4, 5, 6, 8, 13], p=[0.12, 0.05, 0.35, 0.2, 0.12, 0.08, 0.05, 0.03]
                )
            ),
        )
        turn = rng.normal(0, 0.05) if ordered else rng.uniform(0, 2 * pi)
        at = tuple(rng.uniform(-half, half, 2))
        heading = facing + turn + pi * (rng.random() < 0.15)
        row = _row(rng, names, at, heading, FIRST_SET + attempt, tall)
        if room.take(row, tall, float(rng.uniform(0.02, 0.3))):
            poses += row
        if attempt >= wanted and poses:
            break
    return poses


def crossing_grid(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lay words that cross, as in the two-dimensional games."""
    cells: dict[tuple[int, int], str] = {(0, 0): random_name(rng)}
    for _ in range(int(rng.integers(2, 8))):
        column, row = list(cells)[int(rng.integers(len(cells)))]
        across = rng.random() < 0.5
        start = -int(rng.integers(0, 3))
        for i in range(start, start + int(rng.integers(3, 6))):
            cells.setdefault((column + i, row) if across else (column, row + i), random_name(rng))
    angle = rng.uniform(0, 2 * pi)
    gap = rng.uniform(0.01, 0.06)
    at = rng.uniform(-half / 3, half / 3, 2)
    poses = []
    for (column, row), name in cells.items():
        x, y = column * (1 + gap), row * (tall + gap)
        nudge = rng.normal(0, 0.015, 2)
        px = at[0] + x * cos(angle) - y * sin(angle) + nudge[0]
        py = at[1] + x * sin(angle) + y * cos(angle) + nudge[1]
        poses.append(flat(name, px, py, angle + rng.normal(0, 0.012), 0))
    return poses


def pile(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Throw tiles anywhere, face up and face down; some lie on others."""
    crowded = rng.random() < 0.4
    count = int(rng.integers(2, 45))
    room = Room(half * 1.2)
    poses: list[Pose] = []
    spread = half * rng.uniform(0.4, 1.0)
    for i in range(count):
        x, y = rng.uniform(-spread, spread, 2)
        pose = flat(random_name(rng), x, y, rng.uniform(0, 2 * pi), i)
        if crowded and rng.random() < 0.15:
            poses.append(flat(pose.name, x, y, rng.uniform(0, 2 * pi), i, lift=0.3))
        elif room.take([pose], tall, 0.0):
            poses.append(pose)
    return _some_backs(rng, poses, 0.6)


def _some_backs(rng: np.random.Generator, poses: list[Pose], chance: float) -> list[Pose]:
    """Turn a few tiles face down in some scenes; a blank back must not be read."""
    if rng.random() > chance:
        return poses
    share = rng.uniform(0.05, 0.4)
    return [
        Pose(BACK if rng.random() < share else p.name, p.centre, p.right, p.down, p.group)
        for p in poses
    ]
