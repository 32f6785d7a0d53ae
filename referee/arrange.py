"""Arrange tiles anew: an integer programme over set templates, solved by scipy's HiGHS.

Every table tile must end up in some set, rack tiles may; the programme picks how often each
template is used. A table set may also stay as it is, which is worth less than any tile but
more than nothing, so the table changes as little as it must.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from referee.judge import check_set
from referee.layout import arranged
from referee.programme import Programme, solve
from referee.scoring import rack_points
from referee.table import Grid, Table, TileSet
from referee.templates import Template, templates
from referee.tiles import ALL_FACES, JOKER, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from referee.ruleset import Ruleset

Goal = Literal["tiles", "points"]

_FACES: Final = len(ALL_FACES)


@dataclass(frozen=True, slots=True)
class Task:
    """What to arrange by: rules, goal, and when to stop looking (`time.monotonic` seconds)."""

    rules: Ruleset
    goal: Goal
    deadline_s: float
    opening: bool = False


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Sets made of all table tiles and some rack tiles; `optimal` if none are better."""

    sets: tuple[TileSet, ...]
    optimal: bool


def worth(tiles: Iterable[Tile], task: Task) -> int:
    """Return what laying these tiles is worth: one each, or their points on a rack."""
    laid = tuple(tiles)
    return len(laid) if task.goal == "tiles" else rack_points(laid, task.rules)


def arrange(table: Table, held: tuple[Tile, ...], task: Task) -> Arrangement | None:
    """Return the best arrangement; None if no legal sets can be made of what must be used.

    Where time runs out it is the best found so far, or the table as it lies.
    """
    needed, in_rack = _counts(table.tiles), _counts(held)
    known, kept = templates(task.rules), _kept(table, task.rules)
    chosen = _usable(needed + in_rack, task)
    sets = np.hstack([_matrix(task.rules)[:, chosen], *(_counts(p.tiles)[:, None] for p in kept)])
    if not sets.size:
        return None if task.opening or table.parts else Arrangement((), optimal=True)
    values = np.array([worth((face,), task) for face in ALL_FACES])
    staying = np.r_[np.zeros(len(chosen)), np.full(len(kept), 0.5 / (len(kept) + 1))]
    rows, low, high = sets, needed, needed + in_rack
    if task.opening:
        row, least = _threshold([known[place].points for place in chosen], task.rules)
        rows, low, high = np.vstack([rows, row]), np.r_[low, least], np.r_[high, np.inf]
    most = np.r_[_most(sets, needed + in_rack)[: len(chosen)], np.ones(len(kept))]
    found = solve(Programme(values @ sets + staying, most, rows, low, high), task.deadline_s)
    if found.counts is None:
        return None if found.proven else Arrangement(_lines(table), optimal=False)
    counts = found.counts
    new = [known[place] for place in np.repeat(chosen, counts[: len(chosen)])]
    stay = [part for part, count in zip(kept, counts[len(chosen) :], strict=False) if count]
    return Arrangement((*stay, *_joined(new, task.rules)), found.proven)


def _most(sets: NDArray[Any], pool: NDArray[Any]) -> NDArray[Any]:
    """Return how often the tiles suffice for each set, as (n,) float64."""
    often = np.where(sets > 0, pool[:, None] // np.maximum(sets, 1), np.inf)
    fewest: NDArray[Any] = often.min(axis=0)
    return fewest


def _usable(pool: NDArray[Any], task: Task) -> NDArray[Any]:
    """Return which templates the tiles suffice for, as (n,) indices."""
    columns = _matrix(task.rules)
    usable = (columns <= pool[:, None]).all(axis=0)
    if task.opening and not task.rules.opening_jokers:
        usable &= columns[JOKER.index] == 0
    return np.flatnonzero(usable)


def _threshold(points: list[int], rules: Ruleset) -> tuple[NDArray[Any], int]:
    """Return what each set adds to an opening, and what it needs (rules reference 3.1, 3.6)."""
    values, needed = np.array(points, float), rules.opening_threshold
    if not rules.opening_multi_set:
        values, needed = (values >= rules.opening_threshold).astype(float), 1
    return values, needed


def _kept(table: Table, rules: Ruleset) -> list[TileSet]:
    """Return the table's sets that are legal and may stay as they are."""
    return [part for part in _lines(table) if check_set(part, rules).valid]


def _lines(table: Table) -> tuple[TileSet, ...]:
    return tuple(part for part in table.parts if not isinstance(part, Grid))


def _joined(new: list[Template], rules: Ruleset) -> list[TileSet]:
    """Join new sets that make longer runs, since templates are short."""
    sets = sorted((_laid(found.tiles, rules) for found in new), key=lambda s: s.tiles[0].index)
    joined: list[TileSet] = []
    for found in sets:
        longer = TileSet(joined[-1].tiles + found.tiles) if joined else found
        if joined and check_set(longer, rules).valid:
            joined[-1] = longer
        else:
            joined.append(found)
    return joined


def _laid(tiles: tuple[Tile, ...], rules: Ruleset) -> TileSet:
    lying = TileSet(tiles)
    return lying if check_set(lying, rules).valid else arranged(lying, rules) or lying


def _counts(tiles: Iterable[Tile]) -> NDArray[Any]:
    """Return how often each face is among the tiles, as (53,) float64."""
    counts = np.zeros(_FACES)
    for tile in tiles:
        counts[tile.index] += 1
    return counts


@lru_cache(maxsize=16)
def _matrix(rules: Ruleset) -> NDArray[Any]:
    """Return the templates as columns of face counts, (53, n) float64."""
    return np.stack([_counts(template.tiles) for template in templates(rules)], axis=1)
