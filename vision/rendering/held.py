"""What players hold: tiles on a rack, or spread when the round is over. Lengths in tile widths."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from math import ceil, cos, pi, radians, sin
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.rendering.layouts import BACK, FACES, Pose, Room, flat, random_name, sets_in
from vision.rendering.rows import COPIES, rows_of_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.arrays import Array

BOX: Final = FACES * COPIES
TIERS: Final = ((1, 0.2), (2, 0.5), (3, 0.2), (4, 0.1))  # of a rack, and how many racks have them
LONGEST: Final = 15  # tiles that a tier has room for
LEAN, ASKEW, STEP = (40, 75), 12.0, (0.5, 1.0)  # degrees, degrees, heights of a tile
APART, GAP = 0.15, (0.2, 1.5)  # how often hands part the tiles of a tier, and by how much
SORTED: Final = 0.5  # of the hands
SPREAD: Final = 2.4  # square tile widths that a tile takes which is thrown on the table
# Tiles of a hand in mid-game, tile widths from the middle, heights of a tile from the nearest set.
HELD, ASIDE, BEFORE = (4, 17), 1.5, (1.2, 2.2)
STRAIGHT, NEARLY = 0.5, 0.3  # how many hands are laid upright, and by how many radians not quite


@dataclass(frozen=True, slots=True)
class Stand:
    """How a rack stands on the table, and where tiles lean on it.

    Attributes
    ----------
    along, down
        (3,) unit vectors along a tier, and down the tiles that lean on it.
    behind
        (3,) from the foot of a tier to that of the one behind it.
    tall
        Height of a tile.
    """

    along: Array
    down: Array
    behind: Array
    tall: float

    @classmethod
    def leaning(cls, angle: float, lean: float, step: float, tall: float) -> Stand:
        """Turn a rack by `angle` about the upright; tiles rise by `lean`, both in radians.

        A tier is so many heights of a tile above the one before it, measured along the tiles.
        """
        away = np.array([sin(angle), -cos(angle), 0.0])
        up = np.array([0, 0, 1.0])
        step *= tall
        return cls(
            np.array([cos(angle), sin(angle), 0.0]),
            -away * cos(lean) - up * sin(lean),
            away * (step * cos(lean) + 0.15) + up * (step * sin(lean) * 0.9),
            tall,
        )

    def holds(self, name: str, tier: int, place: float) -> Pose:
        """Return a tile whose middle is so many tile widths along a tier."""
        foot = self.behind * tier + self.along * place
        return Pose(name, foot - self.down * self.tall / 2, self.along, self.down, tier)


def rack(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lean tiles in one to four tiers on a rack, seen from the player's side."""
    angle = rng.uniform(0, 2 * pi) if rng.random() < 0.2 else rng.normal(0, 0.8)
    lean = radians(rng.uniform(35, 78))
    tiers = int(rng.integers(1, 5))
    length = int(rng.integers(2, max(3, min(16, int(half * 2)))))
    if rng.random() < 0.4:  # close by, to fill the picture
        length = max(3, min(18, round(half * rng.uniform(1.2, 2.6))))
    stand = Stand.leaning(angle, lean, rng.uniform(0.42, 1.0), tall)
    full = rng.random() < 0.5
    poses = []
    for tier in range(tiers):
        gap = rng.uniform(0, 0.06)
        for i in range(length):
            if not full and rng.random() < 0.35:
                continue
            name = BACK if rng.random() < 0.02 else random_name(rng)
            poses.append(stand.holds(name, tier, (i - length / 2) * (1 + gap)))
    return poses


def rack_among_sets(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Stand a rack on a table where sets lie, too, before it and behind it."""
    leaning = rack(rng, half, tall)
    half *= 1.6  # what lies behind is farther away, and smaller
    room = Room(half * 1.2)
    room.take(leaning, tall, 1.0)
    return leaning + sets_in(rng, room, half, tall)


def sets_before_a_rack(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets as `rows_of_sets` does, and stand a player's rack between them and the camera.

    Returns the poses, and the sets in notation; a pose's group is the place of its set, those of
    the rack's tiers come after them.
    """
    laid, sets = rows_of_sets(rng, tiles, tall)
    left = Counter(BOX) - Counter(pose.name for pose in laid)
    leaning, _ = hand_on_a_rack(rng, int(rng.integers(*HELD)), tall, list(left.elements()))
    to = np.array([rng.normal(0, ASIDE), rng.uniform(*BEFORE) * tall, 0.0])
    to[1] += max(pose.centre[1] for pose in laid) - min(pose.centre[1] for pose in leaning)
    held = (
        replace(pose, centre=pose.centre + to, group=len(sets) + pose.group) for pose in leaning
    )
    return _in_the_middle([*laid, *held]), sets


def hand_on_a_rack(
    rng: np.random.Generator, tiles: int, tall: float, box: Sequence[str] = BOX
) -> tuple[list[Pose], tuple[str, ...]]:
    """Stand so many tiles of a box on a rack, seen from its player's side.

    Returns the poses, and the tiers in notation, the front one first; a pose's group is its tier.
    """
    hand = _hand(rng, tiles, box)
    counts, chances = zip(*TIERS, strict=True)
    tiers = max(int(rng.choice(counts, p=chances)), ceil(tiles / LONGEST))
    stand = Stand.leaning(
        radians(rng.normal(0, ASKEW)), radians(rng.uniform(*LEAN)), rng.uniform(*STEP), tall
    )
    poses = []
    rows = np.array_split(hand, tiers)
    for tier, names in enumerate(rows):
        parted = rng.uniform(*GAP, len(names)) * (rng.random(len(names)) < APART)
        places = np.arange(len(names)) * (1 + rng.uniform(0, 0.04)) + np.cumsum(parted)
        places -= places.mean() + rng.normal(0, 0.5)
        poses += [stand.holds(str(n), tier, x) for n, x in zip(names, places, strict=True)]
    return _in_the_middle(poses), tuple(map(" ".join, rows))


def hand_spread(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Spread so many tiles of a box on the table, face up, as a loser does to have them counted.

    Returns the poses and the tiles in notation, each by itself; a pose's group is its place there.
    """
    half = float(np.sqrt(tiles * tall * SPREAD)) / 2
    upright = rng.random() < STRAIGHT
    room = Room(half)
    poses: list[Pose] = []
    for number, name in enumerate(_hand(rng, tiles, BOX)):
        while len(poses) == number:
            x, y = rng.uniform(-half, half, 2) * 0.9
            turn = rng.normal(0, NEARLY) if upright else rng.uniform(0, 2 * pi)
            tile = flat(name, x, y, turn, number)
            if room.take([tile], tall, 0.02):
                poses.append(tile)
    return poses, tuple(pose.name for pose in poses)


def _hand(rng: np.random.Generator, tiles: int, box: Sequence[str]) -> list[str]:
    """Draw tiles from a box; players sort some hands."""
    drawn = list(map(str, rng.permutation(box)[:tiles]))
    return sorted(drawn, key=FACES.index) if rng.random() < SORTED else drawn


def _in_the_middle(poses: list[Pose]) -> list[Pose]:
    middle = np.mean([pose.centre for pose in poses], axis=0) * (1, 1, 0)
    return [replace(pose, centre=pose.centre - middle) for pose in poses]
