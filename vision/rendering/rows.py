"""Tables laid with room between the sets, so that what belongs together is never in question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import judge_table, parse_table
from vision.rendering.layouts import BACK, FACES, Pose, Room, flat, group, run

if TYPE_CHECKING:
    from vision.rendering.arrays import Array

Lay = Callable[[np.random.Generator, list[str], tuple[float, float], int, float], list[Pose]]

LIKE_INK: Final = {"R": "O", "O": "R", "B": "K", "K": "B"}
LIKE_NUMBER: Final = {
    1: 7, 2: 7, 3: 8, 4: 1, 5: 6, 6: 9, 7: 1, 8: 3, 9: 6, 10: 13, 11: 1, 12: 13, 13: 12,
}  # fmt: skip
STRANGE: Final = 0.2  # of the wrong tiles are any tile at all
OTHER_INK: Final = 0.4
COPIES: Final = 2  # of every face, jokers included, in a box
FEWEST, MOST = 14, 60  # tiles of a whole table
PLACE, WIDER = 3.2, 1.25  # square tile widths that a tile takes; rows are longer than many
LOOSEST = 0.04  # tile widths between tiles of a set
CLOSE_ROWS, CLOSE_SETS = (0.15, 0.4), (0.08, 0.5)  # at least, in heights and in widths
# Square tile widths a tile, radians that a set is askew, tile widths to the next one.
ROOMY, ASKEW, CLOSE_BY = 8.0, 0.12, (0.12, 0.4)
STOCK, HEAP, MOST_BACKS = -1, 2.5, 25  # no set's number; how far tiles spread, and how many
LOOSE = 0.1  # tile widths between tiles of a set that careless hands laid, mostly less
TRIES: Final = 500  # at a set, before those that lie already are taken up again


def rows_of_sets(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay legal sets of so many tiles in all, in rows around the middle.

    Returns the poses, and the sets in notation; a pose's group is the place of its set.
    """
    return _in_rows(rng, _sets(rng, tiles), tall)


def rows_of_sets_with_jokers(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets as `rows_of_sets`, with all of a box's jokers in them, at most one a set."""
    sets = _sets(rng, tiles)
    without = [names for names in sets if "J" not in names]
    laid = len(sets) - len(without)
    for place in rng.permutation(len(without))[: COPIES - laid]:
        without[place][int(rng.integers(len(without[place])))] = "J"
    return _in_rows(rng, sets, tall)


def close_rows_of_sets(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets as `rows_of_sets`, but a few millimetres apart, as where a table gets full."""
    sets = _sets(rng, tiles)
    below = rng.uniform(*CLOSE_ROWS)
    return _in_rows(rng, sets, tall, below=below, beside=CLOSE_SETS, tile=1 + LOOSEST)


def loose_rows_of_sets(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets as `rows_of_sets`, but each as careless hands do."""
    return _in_rows(rng, _sets(rng, tiles), tall, tile=1 + LOOSE, lay=_loose_row)


def sets_from_all_sides(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay legal sets as players at four sides of a table do, with the stock's tiles among them."""
    sets = _sets(rng, tiles)
    half = float(np.sqrt(tiles * ROOMY)) / 2
    room = Room(half)
    poses: list[Pose] = []
    for number, names in enumerate(sets):
        row: list[Pose] = []
        while not row or not room.take(row, tall, float(rng.uniform(*CLOSE_BY))):
            side = rng.integers(4) * np.pi / 2 + rng.normal(0, ASKEW)
            away = np.append(rng.uniform(-half, half, 2) * 0.8, 0.0)
            row = _row(rng, names, (-len(names) / 2, 0.0), number, tall)
            row = [_turn(pose, away, float(side)) for pose in row]
        poses += row
    return [*poses, *_stock(rng, room, tall)], tuple(map(" ".join, sets))


def _stock(rng: np.random.Generator, room: Room, tall: float) -> list[Pose]:
    """Lay what is left of the stock, face down, around one place where there is room."""
    middle = rng.uniform(-room.half, room.half, 2) * 0.7
    poses = []
    for _ in range(int(rng.integers(MOST_BACKS))):
        x, y = middle + rng.normal(0, HEAP, 2)
        pose = flat(BACK, x, y, rng.uniform(0, 2 * np.pi), STOCK)
        if room.take([pose], tall, 0.02):
            poses.append(pose)
    return poses


def whole_table(rng: np.random.Generator, half: float, tall: float) -> list[Pose]:
    """Lay as many legal sets in rows as late in a round, turned at will, on 2 x `half` squared."""
    fitting = int((2 * half * 0.85 / WIDER) ** 2 / PLACE)
    tiles = int(np.clip(rng.integers(FEWEST, MOST), 3, max(3, fitting)))
    poses, _ = rows_of_sets(rng, tiles, tall)
    angle = rng.uniform(0, 2 * np.pi)
    return [_turn(pose, np.zeros(3), angle) for pose in poses]


def rows_of_spoilt_sets(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets as `rows_of_sets`, in each of which one tile is wrong, mostly a likely mistake."""
    sets = _sets(rng, tiles)
    laid = Counter(name for names in sets for name in names)
    for names in sets:
        while not judge_table(parse_table(" ".join(names))).parts[0].violations:
            place = int(rng.integers(len(names)))
            mistaken = _mistaken(rng, names[place])
            if laid[mistaken] < COPIES:
                laid.subtract([names[place]])
                laid.update([mistaken])
                names[place] = mistaken
    return _in_rows(rng, sets, tall)


def _mistaken(rng: np.random.Generator, name: str) -> str:
    """Return another face, mostly one that this one may be taken for."""
    if name == "J" or rng.random() < STRANGE:
        return str(rng.choice(FACES[:-1]))
    colour, number = name[0], int(name[1:])
    if rng.random() < OTHER_INK:
        return f"{LIKE_INK[colour]}{number}"
    return f"{colour}{LIKE_NUMBER[number]}"


def _sets(rng: np.random.Generator, tiles: int) -> list[list[str]]:
    sets, left = list[list[str]](), tiles
    laid = Counter[str]()
    tried = 0
    while left >= 3:
        tried += 1
        if tried > TRIES:  # what is left in the box makes no set of the length that is left
            sets, left, laid, tried = [], tiles, Counter(), 0
        wanted = int(rng.choice([3, 4, 5, 6, 7], p=[0.4, 0.3, 0.15, 0.1, 0.05]))
        length = left if left < 6 else min(wanted, left - 3)
        names = group(rng, length) if length < 5 and rng.random() < 0.5 else run(rng, length)
        if all(laid[name] < COPIES for name in names):
            laid.update(names)
            sets.append(names)
            left -= length
            tried = 0
    return sets


def _row(
    rng: np.random.Generator, names: list[str], at: tuple[float, float], number: int, tall: float
) -> list[Pose]:
    """Lay one set as careful hands do."""
    turn = float(rng.normal(0, 0.02))
    gap = rng.uniform(0.0, LOOSEST)
    return [
        flat(
            name,
            at[0] + i * (1 + gap) * np.cos(turn) + rng.normal(0, 0.01),
            at[1] + i * (1 + gap) * np.sin(turn) + rng.normal(0, 0.02) * tall,
            turn + rng.normal(0, 0.012),
            number,
        )
        for i, name in enumerate(names)
    ]


def _loose_row(
    rng: np.random.Generator, names: list[str], at: tuple[float, float], number: int, tall: float
) -> list[Pose]:
    """Lay one set as careless hands do."""
    x, y = at
    slope = rng.normal(0, 0.03)
    poses = []
    for name in names:
        shift = rng.normal(0, 0.06) * tall
        poses.append(flat(name, x, y + shift, slope + rng.normal(0, 0.05), number))
        step = 1.03 + abs(rng.normal(0, LOOSE))
        x, y = x + step, y + step * slope
    return poses


def _in_rows(
    rng: np.random.Generator,
    sets: list[list[str]],
    tall: float,
    below: float = 0.55,
    beside: tuple[float, float] = (0.9, 1.6),
    tile: float = 1.0,
    lay: Lay = _row,
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay sets in rows, with so many heights below and widths beside each; a tile takes `tile`."""
    tiles = sum(map(len, sets))
    wide = max(14.0, WIDER * float(np.sqrt(tiles * PLACE)))
    poses: list[Pose] = []
    x, y = 0.0, 0.0
    for number, names in enumerate(sets):
        if x and x + len(names) > wide:
            x, y = 0.0, y + tall * (1 + below)
        poses += lay(rng, names, (x, y), number, tall)
        x += tile * len(names) + rng.uniform(*beside)
    middle = np.mean([pose.centre for pose in poses], axis=0)
    turned = float(rng.normal(0, 0.03))
    return [_turn(pose, middle, turned) for pose in poses], tuple(map(" ".join, sets))


def set_laid_out(rng: np.random.Generator, tall: float) -> list[Pose]:
    """Lay all faces of a set as `meldwatch teach` wants them: a row a colour, the joker last."""
    rows = [[f"{colour}{number}" for number in range(1, 14)] for colour in "RBOK"]
    rows[-1].append("J")
    step = tall * (1 + rng.uniform(0.2, 0.5))
    return [
        pose
        for number, names in enumerate(rows)
        for pose in _row(
            rng, names, (-6.0 + rng.normal(0, 0.2), (number - 1.5) * step), number, tall
        )
    ]


def _turn(pose: Pose, middle: Array, angle: float) -> Pose:
    spin = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    return Pose(
        pose.name, spin @ (pose.centre - middle), spin @ pose.right, spin @ pose.down, pose.group
    )
