"""Tables on which sets cross, as in the two-dimensional games. Lengths are in tile widths."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from referee import parse_grid, parse_set
from referee.judge import check_set, judge_part
from vision.rendering.layouts import COLOURS, FACES, NUMBERS, Pose, flat
from vision.rendering.rows import COPIES, TRIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from referee import Ruleset

Cell = tuple[int, int]
Cells = dict[Cell, str]

JOKERS, SWAPS, SHORT = 0.06, 0.25, 0.1  # how often: a joker, a 6 for a 9, a set of two tiles
LARGEST, WIDEST, HIGHEST = 26, 11, 8  # of a network: tiles, columns and rows
CLOSE_BY, ASKEW = (0.08, 0.4), 0.02  # tile widths to the next network, radians that one is askew
ASIDE, FAR, STEP = 2.0, 40.0, 0.02  # how a network is pushed to the others, tile widths


def crossing_words(
    rng: np.random.Generator, tiles: int, tall: float
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay so many tiles as lines that cross, all connected, and say what they are as a grid."""
    box = list(map(str, rng.permutation(FACES * COPIES)))
    cells: Cells = {(0, 0): box.pop()}
    most = round(np.sqrt(tiles) * 0.55) + 1, round(np.sqrt(tiles) * 0.9) + 1
    while len(cells) < tiles:
        row, column = list(cells)[int(rng.integers(len(cells)))]
        across = rng.random() < 0.5
        start = -int(rng.integers(0, 3))
        for i in range(start, start + int(rng.integers(3, 7))):
            cell = (row, column + i) if across else (row + i, column)
            inside = abs(cell[0]) <= most[0] and abs(cell[1]) <= most[1]
            touches = _neighbours(cell, cells)
            dense = touches > 1 and rng.random() < 0.1
            if cell not in cells and len(cells) < tiles and inside and (touches == 1 or dense):
                cells[cell] = box.pop()
    rows, columns = zip(*cells, strict=True)
    middle = (min(rows) + max(rows)) / 2, (min(columns) + max(columns)) / 2
    poses = []
    for (row, column), name in cells.items():
        dx, dy = rng.normal(0, 0.015, 2)
        x = (column - middle[1]) * 1.025 + dx
        y = (row - middle[0]) * (tall + 0.025) + dy
        poses.append(flat(name, x, y, rng.normal(0, 0.01), 0))
    return poses, (_notation(cells),)


def crossing_sets(
    rng: np.random.Generator, tiles: int, tall: float, *, rules: Ruleset
) -> tuple[list[Pose], tuple[str, ...]]:
    """Lay legal sets of so many tiles in all, many of them crossing, pushed close together.

    Returns the poses, and the networks and sets in notation; a pose's group is the place of its
    network.
    """
    networks = _networks(rng, tiles, rules)
    poses: list[Pose] = []
    for number, cells in enumerate(networks):
        poses += _pushed(rng, _laid(rng, cells, number, tall), poses, tall)
    places = np.array([pose.centre[:2] for pose in poses])
    middle = (places.min(0) + places.max(0)) / 2
    return [_moved(pose, -middle) for pose in poses], tuple(map(_notation, networks))


def _pushed(
    rng: np.random.Generator, network: list[Pose], laid: list[Pose], tall: float
) -> list[Pose]:
    """Push a network towards the middle, until it is close to what lies there."""
    room = np.array([1.0, tall]) + rng.uniform(*CLOSE_BY)
    to = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(to), np.sin(to)])
    off = rng.normal(0, ASIDE, 2)
    others = np.array([pose.centre[:2] for pose in laid]).reshape(-1, 2)
    own = np.array([pose.centre[:2] for pose in network])[:, None] + off
    far = 0.0
    for step in np.arange(FAR, 0, -STEP):
        if (np.abs(own + step * way - others) < room).all(-1).any():
            break
        far = step
    return [_moved(pose, off + far * way) for pose in network]


def _moved(pose: Pose, by: np.ndarray) -> Pose:
    return Pose(pose.name, pose.centre + np.append(by, 0.0), pose.right, pose.down, pose.group)


def _laid(rng: np.random.Generator, cells: Cells, number: int, tall: float) -> list[Pose]:
    """Lay the tiles of a network around the origin, as careful hands do."""
    middle = np.mean(list(cells), axis=0)
    gap, askew = rng.uniform(0, 0.04), rng.normal(0, ASKEW)
    cos, sin = np.cos(askew), np.sin(askew)
    poses = []
    for (row, column), name in cells.items():
        x = (column - middle[1]) * (1 + gap) + rng.normal(0, 0.012)
        y = (row - middle[0]) * (tall + gap) + rng.normal(0, 0.012)
        angle = askew + rng.normal(0, 0.01)
        poses.append(flat(name, x * cos - y * sin, x * sin + y * cos, angle, number))
    return poses


def _networks(rng: np.random.Generator, tiles: int, rules: Ruleset) -> list[Cells]:
    """Put legal sets of so many tiles in all together, as networks of them and sets alone."""
    found, left, tried = list[Cells](), tiles, 0
    laid = Counter[str]()
    while left:
        tried += 1
        if tried > TRIES:  # what is left in the box makes nothing of the size that is left
            found, left, laid, tried = [], tiles, Counter(), 0
        most = min(left, int(rng.choice([3, 4, 5, 10, LARGEST], p=[0.15, 0.15, 0.1, 0.3, 0.3])))
        cells = _network(rng, most, laid, rules)
        if cells and left - len(cells) not in {1, 2}:
            found.append(cells)
            laid.update(cells.values())
            left -= len(cells)
            tried = 0
    return found


def _network(rng: np.random.Generator, most: int, laid: Counter[str], rules: Ruleset) -> Cells:
    """Cross legal sets, of at most so many tiles; none if the first does not fit."""
    cells: Cells = {}
    for _ in range(6 * most):
        more = _line(rng, cells, rules)
        if more is None or len(cells) + len(more) > most:
            continue
        together = cells | more
        used = laid + Counter(together.values())
        if max(used.values()) <= COPIES and _is_legal(together, rules):
            cells = together
    return cells


def _is_legal(cells: Cells, rules: Ruleset) -> bool:
    rows, columns = zip(*cells, strict=True)
    wide, high = max(columns) - min(columns), max(rows) - min(rows)
    if wide >= WIDEST or high >= HIGHEST:
        return False
    text = _notation(cells)
    part = parse_grid(text) if "/" in text else parse_set(text)
    return judge_part(part, rules).valid


def _line(rng: np.random.Generator, cells: Mapping[Cell, str], rules: Ruleset) -> Cells | None:
    """Return the tiles that make a set with one that lies there, and touch no other."""
    if cells:
        at = list(cells)[int(rng.integers(len(cells)))]
        through = cells[at]
    else:
        at, through = (0, 0), str(rng.choice(FACES[:-1]))
    names, place = _set_through(rng, through, rules)
    across = rng.random() < 0.5
    step = (0, 1) if across else (1, 0)
    line = {
        (at[0] + k * step[0], at[1] + k * step[1]): name
        for k, name in enumerate(names, start=-place)
    }
    added = {cell: name for cell, name in line.items() if cell not in cells}
    if not cells:
        return line
    touching = sum(_neighbours(cell, cells) for cell in added)
    beside = sum((place > 0, place < len(names) - 1))
    if len(added) != len(line) - 1 or touching != beside:
        return None
    return added


def _set_through(rng: np.random.Generator, face: str, rules: Ruleset) -> tuple[list[str], int]:
    """Return a legal set that has this face, and where in it."""
    for names, place in _candidates(rng, face, rules):
        swapped = [_perhaps(rng, name, keep=k == place) for k, name in enumerate(names)]
        for line in (swapped, names):
            line[place] = face
            if check_set(parse_set(" ".join(line)), rules).valid:
                return line, place
    raise AssertionError


def _candidates(
    rng: np.random.Generator, face: str, rules: Ruleset
) -> Iterator[tuple[list[str], int]]:
    """Yield lines that may be sets, for ever; a joker may stand for any face."""
    while True:
        name = str(rng.choice(FACES[:-1])) if face == "J" else face
        colour, number = name[0], int(name[1:])
        length = int(rng.choice([3, 4, 5, 6], p=[0.45, 0.3, 0.15, 0.1]))
        if rng.random() < SHORT and (pairs := _pairs(rules)):
            numbers = list(pairs[int(rng.integers(len(pairs)))])
            if number in numbers:
                yield [f"{colour}{n}" for n in numbers], numbers.index(number)
            continue
        place = int(rng.integers(length))
        mixed = [c for c in rng.permutation(list(COLOURS)) if c != colour]
        mixed.insert(min(place, 3), colour)
        numbers = list(range(number - place, number - place + length))
        kind = rng.random()
        if kind < 0.4 and length <= len(COLOURS):
            yield [f"{c}{number}" for c in mixed[:length]], place
        elif set(numbers) <= set(NUMBERS):
            colours = mixed if kind < 0.6 and length <= len(COLOURS) else colour * length
            yield [f"{c}{n}" for c, n in zip(colours, numbers, strict=False)], place


@lru_cache
def _pairs(rules: Ruleset) -> tuple[tuple[int, int], ...]:
    """Return the numbers that make a set of two tiles."""
    return tuple(
        (a, b) for a in NUMBERS for b in NUMBERS if check_set(parse_set(f"R{a} R{b}"), rules).valid
    )


def _perhaps(rng: np.random.Generator, name: str, *, keep: bool) -> str:
    """Return a joker for a tile, or a 6 for a 9, now and then; whether that is legal or not."""
    if keep:
        return name
    if rng.random() < JOKERS:
        return "J"
    if name[1:] in {"6", "9"} and rng.random() < SWAPS:
        return f"{name[0]}{15 - int(name[1:])}"
    return name


def _notation(cells: Mapping[Cell, str]) -> str:
    rows, columns = zip(*cells, strict=True)
    lines = [
        " ".join(cells.get((row, column), ".") for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(rows) + 1)
    ]
    return " / ".join(lines)


def _neighbours(cell: Cell, cells: Mapping[Cell, str]) -> int:
    """Count the laid cells that touch a cell; words that cross leave room between them."""
    row, column = cell
    beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return sum(place in cells for place in beside)
