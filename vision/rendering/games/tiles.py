"""The tiles of a recorded game: where each lies, and what is carried when sets change."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import radians
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.rendering.games.script import EMPTY
from vision.rendering.layouts import BACK, Pose, flat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vision.rendering.games.script import Cells, Script, Spot

CARRIED: Final = 3  # as many as fingers hold side by side


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile that lies on the table: which one it is, and the cell it lies in."""

    id: int
    name: str
    place: str
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Carry:
    """Tiles moved together; `source` or `target` is empty where they come from or go to a rack."""

    ids: tuple[int, ...]
    source: tuple[Pose, ...]
    target: tuple[Pose, ...]


def pose_at(spot: Spot, row: int, column: int, name: str, tall: float, tile_id: int) -> Pose:
    """Return where a cell's tile lies, a little off as hands leave it."""
    rng = np.random.default_rng((tile_id, row, column))
    angle = radians(spot[2])
    across = np.array([np.cos(angle), np.sin(angle)])
    down = np.array([-np.sin(angle), np.cos(angle)])
    x, y = np.array(spot[:2]) + across * column * 1.02 + down * row * tall * 1.015
    dx, dy = rng.normal(0, 0.012, 2)
    return flat(name, x + dx, y + dy, angle + rng.normal(0, 0.008), 0)


def pool_poses(script: Script, rng: np.random.Generator, tall: float) -> list[Pose]:
    """Scatter the face-down tiles."""
    x, y, count = script.pool
    columns = max(1, round(np.sqrt(count * 0.6)))
    poses = []
    for i in range(count):
        dx, dy = rng.normal(0, 0.06, 2)
        at = x + (i % columns - (columns - 1) / 2) * 1.5 + dx, y + (i // columns) * tall * 1.2 + dy
        poses.append(flat(BACK, *at, rng.normal(0, 0.25), 0))
    return poses


class Tiles:
    """The tiles on the table, each the same one as long as it lies there."""

    def __init__(self, script: Script, tall: float) -> None:
        self._script = script
        self._tall = tall
        self._next = 1
        self.lying: dict[int, Lying] = {}

    def pose(self, tile: Lying) -> Pose:
        """Return where a tile lies."""
        spot = self._script.places[tile.place]
        return pose_at(spot, tile.row, tile.column, tile.name, self._tall, tile.id)

    def rearrange(self, sets: dict[str, Cells]) -> list[Carry]:
        """Take over a new arrangement; return what has to be carried for it, in order."""
        before = self.lying
        free = dict(before)
        staying, rest = _staying(free, _cells(sets))
        placed = [self._placed(free, tile) for tile in rest]
        self.lying = {tile.id: tile for tile in (*staying, *placed)}
        moved = [tile for tile in placed if tile.id in before]
        added = [tile for tile in placed if tile.id not in before]
        chunks = (*_chunks(free.values()), *_chunks(moved, before), *_chunks(added))
        return [self._carry(chunk, before, self.lying) for chunk in chunks]

    def _placed(self, free: dict[int, Lying], tile: Lying) -> Lying:
        """Return a tile in its new place: one of the free ones, which is taken, or a new one."""
        old = next((one for one in free.values() if one.name == tile.name), None)
        if old is not None:
            return replace(tile, id=free.pop(old.id).id)
        self._next += 1
        return replace(tile, id=self._next - 1)

    def _carry(
        self, chunk: Sequence[Lying], before: dict[int, Lying], after: dict[int, Lying]
    ) -> Carry:
        ids = tuple(tile.id for tile in chunk)
        return Carry(
            ids,
            tuple(self.pose(before[i]) for i in ids if i in before),
            tuple(self.pose(after[i]) for i in ids if i in after),
        )


def _cells(sets: dict[str, Cells]) -> Iterator[Lying]:
    """Yield what is to lie in each cell, whichever tile that will be."""
    for place, rows in sets.items():
        for r, row in enumerate(rows):
            for c, name in enumerate(row):
                if name != EMPTY:
                    yield Lying(0, name, place, r, c)


def _staying(free: dict[int, Lying], wanted: Iterable[Lying]) -> tuple[list[Lying], list[Lying]]:
    """Return the tiles that lie already where such a one is wanted, then what else is wanted.

    Those that stay are free no longer.
    """
    staying, rest = [], []
    for tile in wanted:
        same = next((one for one in free.values() if replace(one, id=0) == tile), None)
        if same is None:
            rest.append(tile)
        else:
            staying.append(free.pop(same.id))
    return staying, rest


def _chunks(
    tiles: Iterable[Lying], before: dict[int, Lying] | None = None
) -> list[tuple[Lying, ...]]:
    """Put tiles together that lie side by side, and did so before."""
    chunks: list[list[Lying]] = []
    for tile in tiles:
        last = chunks[-1][-1] if chunks else None
        if last is not None and len(chunks[-1]) < CARRIED and _beside(last, tile):
            together = before is None or _beside(before[last.id], before[tile.id])
            if together:
                chunks[-1].append(tile)
                continue
        chunks.append([tile])
    return [tuple(chunk) for chunk in chunks]


def _beside(one: Lying, other: Lying) -> bool:
    return (one.place, one.row, one.column + 1) == (other.place, other.row, other.column)
