"""Rows of tiles, parted into the sets that they may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.judge import judge_part
from referee.table import TileSet
from vision.assembly import SMALLEST_SET
from vision.lay_out import VISIBLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile


def smallest_set(rules: Ruleset) -> int:
    """Return how many tiles a set has at least: house rules may allow pairs."""
    return min(rules.min_set, SMALLEST_SET)


def part_row(faces: Sequence[Tile], gaps: Sequence[float], rules: Ruleset) -> tuple[int, ...]:
    """Return where the sets of a row begin, beside the first.

    A row that is a legal set is one. Else it is parted into the fewest legal sets that leave no
    tile over, at the widest gaps. Failing that, a set that is wrong is held apart from legal
    ones, if there is a gap to be seen between them.

    Parameters
    ----------
    faces
        Its tiles, in reading order.
    gaps
        How much wider than usual the gap after each tile but the last is, in tile widths.

    Examples
    --------
    >>> from referee import load_ruleset, parse_tiles
    >>> standard = load_ruleset("standard")
    >>> part_row(parse_tiles("K12 O12 B12 R3 R4 R5 R6"), [0.0] * 6, standard)
    (3,)
    >>> wrong = parse_tiles("K12 O12 B12 R3 R4 R6")
    >>> part_row(wrong, [0.0] * 5, standard), part_row(wrong, [0, 0, 0.1, 0, 0], standard)
    ((), (3,))
    """
    verdict = judge_part(TileSet(tuple(faces)), rules)
    if verdict.valid:
        return ()
    ends = legal_sets(faces, gaps, rules)
    if ends is not None:
        return ends
    if not verdict.violations:  # only in the wrong order
        return ()
    seen = [k for k in range(1, len(faces)) if gaps[k - 1] > VISIBLE]
    return _best_parted(faces, gaps, rules, seen, all_legal=False) or ()


def legal_sets(
    faces: Sequence[Tile], gaps: Sequence[float], rules: Ruleset
) -> tuple[int, ...] | None:
    """Return where the legal sets that a row is begin, beside the first; None if it is none.

    Parameters
    ----------
    faces, gaps
        As of `part_row`.
    """
    return _best_parted(faces, gaps, rules, range(1, len(faces)), all_legal=True)


def _best_parted(
    faces: Sequence[Tile],
    gaps: Sequence[float],
    rules: Ruleset,
    places: Sequence[int],
    *,
    all_legal: bool,
) -> tuple[int, ...] | None:
    """Part a row at some of the places so that as few tiles as can be are in wrong sets.

    Of ways as good, the one with the fewest sets counts, and then the one at the widest gaps.

    Returns
    -------
    Where it is parted; None if all sets are to be legal, and in no way are.
    """
    # By where a row may be parted, the best way to part what lies before (Bellman 1957).
    best: dict[int, tuple[int, int, float, tuple[int, ...]]] = {0: (0, 0, 0.0, ())}
    for end in (*places, len(faces)):
        ways = []
        for begin, (wrong, sets, closeness, ends) in best.items():
            if end - begin < smallest_set(rules):
                continue
            legal = judge_part(TileSet(tuple(faces[begin:end])), rules).valid
            if all_legal and not legal:
                continue
            parted = (*ends, begin) if begin else ends
            gap = gaps[begin - 1] if begin else 0.0
            more = 0 if legal else end - begin
            ways.append((wrong + more, sets + 1, closeness - gap, parted))
        if ways:
            best[end] = min(ways)
    return best[len(faces)][3] if len(faces) in best else None
