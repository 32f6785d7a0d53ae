"""Open ends: where a set that is too short may go on, unseen.

What is asked there, `ends_in_doubt` tells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from referee.verdicts import Code
from vision.assembly import SMALLEST_SET
from vision.lay_out import VISIBLE, row_gaps, to_part, ways_on
from vision.row_parts import legal_sets
from vision.seams import wrong_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from referee.verdicts import SetVerdict, Verdict
    from vision.types import Flags, Floats, Layout, Readings

# Breaches that more tiles would mend.
CURABLE: Final = frozenset({Code.TOO_SHORT, Code.LOOSE_TILE, Code.ONLY_JOKERS})


@dataclass(frozen=True, slots=True)
class OpenEnd:
    """Where a set that more tiles would mend may go on.

    Attributes
    ----------
    tile
        Number of its last tile there.
    after_img, step_img
        (2,) px: where the centre of a next tile would be, and how far that is from the last.
    """

    tile: int
    after_img: Floats
    step_img: Floats

    def is_near(self, centres_img: Floats, steps: float, *, further: int = 0) -> Flags:
        """Tell which centres (n, 2) lie within so many steps of where a next tile would, (n,).

        Or of where the one that comes so many places `further` would.
        """
        return np.asarray(self.steps_off(centres_img, further=further) <= steps)

    def steps_off(self, centres_img: Floats, *, further: int = 0) -> Floats:
        """Return how many steps from there centres (n, 2) lie, (n,)."""
        away = np.linalg.norm(centres_img - self.after_img - further * self.step_img, axis=1)
        return np.asarray(away / max(1.0, float(np.linalg.norm(self.step_img))))


class OpenEnds(NamedTuple):
    """Where wrong sets may go on.

    Attributes
    ----------
    curable
        Those of sets that more tiles would mend.
    all
        Those of networks, too, of which other lines are wrong in another way. Where something
        lies that can't be read, it may be what is wrong with those. And those of what is left to
        be seen of a set that lies close to a legal one, so that the two look like one.
    """

    curable: list[OpenEnd]
    all: list[OpenEnd]


def open_ends(layout: Layout, readings: Readings, verdict: Verdict, rules: Ruleset) -> OpenEnds:
    """Return where sets that more tiles would mend may go on."""
    found = OpenEnds([], [])
    crossing = rules.two_dimensional
    for placed, part in zip(layout.placed, verdict.parts, strict=True):
        if not part.violations:
            continue
        tiles = to_part(placed, readings).tiles
        ends = [
            end
            for line, wrong in wrong_lines(placed, part, readings)
            if is_curable(wrong, tiles)
            for end in ends_of(readings.quads_img, line, crossing=crossing)
        ]
        found.all.extend(ends)
        if is_curable(part, tiles):
            found.curable.extend(ends)
        elif not crossing:
            found.all.extend(_ends_beside_sets(placed.tiles, tiles, readings, rules))
    return found


def _ends_beside_sets(
    numbers: Sequence[int], tiles: Sequence[Tile], readings: Readings, rules: Ruleset
) -> list[OpenEnd]:
    """Return the end of a row at which there is too little for a set, beside whole ones.

    Parameters
    ----------
    numbers, tiles
        The row's tiles, and what they read as.
    """
    first, last = ends_of(readings.quads_img, numbers)
    gaps = row_gaps(readings.quads_img[list(numbers)])
    return [
        end
        for k in range(1, min(SMALLEST_SET, len(tiles)))
        for end, stub, gap, rest, within in (
            (first, tiles[:k], gaps[k - 1], tiles[k:], gaps[k:]),
            (last, tiles[-k:], gaps[-k], tiles[:-k], gaps[:-k]),
        )
        if gap > VISIBLE and may_begin(stub) and legal_sets(rest, within, rules) is not None
    ]


def is_curable(part: SetVerdict, tiles: Sequence[Tile]) -> bool:
    """Whether a set of these tiles is wrong, and in no way that more tiles would not mend.

    Where two tiles may be a set, two that are none are too few, unless they go in no set together.
    """
    return bool(part.violations) and all(
        violation.code in CURABLE
        or (violation.code is Code.NOT_A_SET and may_begin([tiles[k] for _, k in violation.tiles]))
        for violation in part.violations
    )


def may_begin(tiles: Sequence[Tile]) -> bool:
    """Whether tiles are too few for most sets, and share a number or a colour."""
    real = [tile for tile in tiles if not tile.is_joker]
    shared = min(len({getattr(tile, of) for tile in real}) for of in ("number", "colour"))
    return len(tiles) < SMALLEST_SET and shared <= 1


def ends_of(quads_img: Floats, tiles: Sequence[int], *, crossing: bool = False) -> list[OpenEnd]:
    """Return where a row of tiles may go on; its beginning comes first."""
    return [
        OpenEnd(tile, quads_img[tile].mean(0) + step, step)
        for tile, step in ways_on(quads_img, tiles, crossing=crossing)
    ]
