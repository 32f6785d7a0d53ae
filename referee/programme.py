"""An integer programme, solved on the columns that matter.

Reduced-cost fixing (Nemhauser and Wolsey, Integer and Combinatorial Optimization, 1988, II.5.2):
with the bound z of the relaxed programme, no solution that uses a column of reduced cost r is
better than z - r. So a solution found without the columns dearer than r, and no further than r
from the bound, is the best there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from scipy.optimize import (  # type: ignore[import-untyped]
    Bounds,
    LinearConstraint,
    linprog,
    milp,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

_OPTIMAL: Final = 0
_INFEASIBLE: Final = 2
# The first try leaves out all but the columns that are nearly free.
_FIRST_GAP: Final = 0.05
_SLACK: Final = 1e-6
_LEAST_SECONDS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Programme:
    """Maximise `values` @ x for whole x with 0 <= x <= `most` and `low` <= `rows` @ x <= `high`.

    Attributes
    ----------
    values, most
        (n,) float64.
    rows
        (m, n) float64.
    low, high
        (m,) float64.
    """

    values: NDArray[Any]
    most: NDArray[Any]
    rows: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Solution:
    """How often each column is used, or None where nothing was found."""

    counts: NDArray[Any] | None
    proven: bool
    """Whether nothing better exists; without counts, whether nothing exists at all."""


def solve(programme: Programme, deadline_s: float) -> Solution:
    """Solve until `deadline_s` (`time.monotonic` seconds), with a little grace at least."""
    bound = _relaxed(programme)
    if bound.status == _INFEASIBLE:
        return Solution(None, proven=True)
    if bound.status != _OPTIMAL:
        return _on(programme, np.arange(len(programme.values)), deadline_s)[0]
    cost, gap = bound.lower.marginals, _FIRST_GAP
    while True:
        columns = np.flatnonzero(cost <= gap)
        found, value = _on(programme, columns, deadline_s)
        everything = len(columns) == len(cost)
        if everything or (found.proven and value >= -bound.fun - gap):
            return found
        if not found.proven:  # out of time
            return Solution(found.counts, proven=False)
        gap = 4 * gap if found.counts is None else -bound.fun - value + _SLACK


def _relaxed(programme: Programme) -> Any:  # noqa: ANN401 - scipy has no types
    """Solve for any x, whole or not: a bound, and what every column costs at least."""
    rows, low, high = programme.rows, programme.low, programme.high
    bounded = np.isfinite(high)
    return linprog(
        -programme.values,
        A_ub=np.vstack([rows[bounded], -rows]),
        b_ub=np.r_[high[bounded], -low],
        bounds=np.c_[np.zeros(len(programme.most)), programme.most],
        method="highs-ds",
        options={"presolve": False},
    )


def _on(programme: Programme, columns: NDArray[Any], deadline_s: float) -> tuple[Solution, float]:
    """Solve with these columns alone; return the solution and its value."""
    found = milp(
        -programme.values[columns],
        integrality=np.ones(len(columns)),
        bounds=Bounds(0, programme.most[columns]),
        constraints=[LinearConstraint(programme.rows[:, columns], programme.low, programme.high)],
        # The model is small: working it over beforehand costs twice what it saves.
        options={
            "presolve": False,
            "time_limit": max(deadline_s - monotonic(), _LEAST_SECONDS),
            "mip_rel_gap": 0.0,
        },
    )
    if found.x is None:
        return Solution(None, proven=found.status == _INFEASIBLE), -np.inf
    counts = np.zeros(len(programme.values), int)
    counts[columns] = np.rint(found.x).astype(int)
    return Solution(counts, proven=found.status == _OPTIMAL), -float(found.fun)
