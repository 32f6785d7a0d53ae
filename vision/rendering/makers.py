"""What the tiles of a scene are laid by, one kind of layout each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from vision.rendering.held import rack, rack_among_sets
from vision.rendering.layouts import (
    Pose,
    crossing_grid,
    jokers_on_a_table,
    pile,
    sets_on_a_table,
    two_figures_on_a_table,
)
from vision.rendering.rows import whole_table

if TYPE_CHECKING:
    import numpy as np

Maker = Callable[["np.random.Generator", float, float], list[Pose]]
# How often each is chosen where none is asked for.
MAKERS: Final[dict[str, tuple[Maker, float]]] = {
    "sets": (sets_on_a_table, 0.5),
    "grid": (crossing_grid, 0.13),
    "pile": (pile, 0.15),
    "rack": (rack, 0.14),
    "rack-and-sets": (rack_among_sets, 0.08),
    "whole-table": (whole_table, 0.0),  # needs larger pictures than the others
    "two-figures": (two_figures_on_a_table, 0.0),  # what detectors part
    "jokers": (jokers_on_a_table, 0.0),  # what readers see least
}


def random_layout(
    rng: np.random.Generator, half: float, tall: float, only: str | None = None
) -> list[Pose]:
    """Return one scene's tiles, from any of the makers or from the one of that name."""
    names = list(MAKERS)
    chances = [chance for _, chance in MAKERS.values()]
    name = only or names[int(rng.choice(len(names), p=chances))]
    return MAKERS[name][0](rng, half, tall)
