from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Tile, load_ruleset
from tests.fakes import sure
from tests.vision.test_lay_out import quads, row
from vision.doubts import BESIDE, GAP, NEARLY, PARTED
from vision.grouping import lay_out_sets
from vision.judging import judge_seen
from vision.lay_out import to_table
from vision.seams import at_seams, part_network
from vision.types import Floats, Picture, Placed, Reading, Readings

if TYPE_CHECKING:
    from collections.abc import Sequence

RUNNY = load_ruleset("runny")
ACROSS, DOWN = 41, 58  # pixels from tile to tile, of 40 x 57: a hair apart
NOWHERE = np.zeros((0, 2), np.float32)
SEEN = 5  # pixels that a gap is wider than a hair, to be seen


def judged(
    places: Floats, faces: Sequence[Reading], hints: Floats = NOWHERE
) -> tuple[str, set[str], bool | None]:
    """Return the table under Runny's rules, what is asked, and whether it is legal."""
    readings = Readings(places, tuple(faces))
    layout = lay_out_sets(readings, RUNNY)
    table = to_table(layout, readings)
    asked, verdict = judge_seen(layout, table, readings, RUNNY, Picture((1000, 1000), hints))
    return str(table), {one.doubt for one in asked.readings} - {""}, verdict.ok


def seen(places: Floats, faces: str, hints: Floats = NOWHERE) -> tuple[str, set[str], bool | None]:
    """Judge tiles that are surely read."""
    return judged(places, list(map(sure, faces.split())), hints)


def tee(x: float = 100, y: float = 100) -> Floats:
    """A row of three, and two tiles below its middle one."""
    return np.concatenate(
        [row(3, x, y), quads((x + ACROSS, y + DOWN), (x + ACROSS, y + 2 * DOWN))]
    )


TEE = "R3 R4 R5 B4 K4"


class TestTables:
    def test_a_network_that_is_legal_is_whole(self) -> None:
        table, asked, ok = seen(tee(), TEE)
        assert (table, asked, ok) == ("R3 R4 R5 / . B4 . / . K4 .", set(), True)

    @pytest.mark.parametrize("wider", [SEEN, 12])
    def test_one_a_few_millimetres_away_is_another(self, wider: float) -> None:
        beside = row(3, 100 + 3 * ACROSS + wider, 100)
        table, asked, ok = seen(np.concatenate([tee(), beside]), f"{TEE} K9 B9 R9")
        assert (table, asked, ok) == ("R3 R4 R5 / . B4 . / . K4 . | K9 B9 R9", set(), True)

    def test_whether_they_touch_is_asked_where_no_gap_is_seen(self) -> None:
        beside = row(3, 100 + 3 * ACROSS, 100)
        table, asked, ok = seen(np.concatenate([tee(), beside]), f"{TEE} K9 B9 R9")
        assert table.startswith("R3 R4 R5 K9 B9 R9")
        assert (asked, ok) == ({PARTED}, None)

    def test_what_is_wrong_however_it_is_parted_stays_wrong(self) -> None:
        beside = row(3, 100 + 3 * ACROSS + SEEN, 100)
        _, asked, ok = seen(np.concatenate([tee(), beside]), "R3 R9 R5 B4 K4 K9 B1 R9")
        assert (asked, ok) == (set(), False)

    def test_a_legal_network_is_not_wrong_with_a_wrong_one(self) -> None:
        beside = row(3, 100 + 3 * ACROSS + SEEN, 100)
        table, _, ok = seen(np.concatenate([tee(), beside]), f"{TEE} K9 B1 R9")
        assert (table, ok) == ("R3 R4 R5 / . B4 . / . K4 . | K9 B1 R9", False)

    def test_one_pair_of_tiles_that_seems_to_touch_does_not_hold_two_rows_together(self) -> None:
        below = row(4, 100, 100 + DOWN + SEEN)
        below[3, :2, 1] -= SEEN
        faces = "R3 R4 R5 R6 K9 K10 K11 K12"
        table, asked, ok = seen(np.concatenate([row(4, 100, 100), below]), faces)
        assert (table, asked, ok) == ("R3 R4 R5 R6 | K9 K10 K11 K12", set(), True)

    def test_rows_that_touch_all_along_are_a_network(self) -> None:
        places = np.concatenate([row(3, 100, 100), row(3, 100, 100 + DOWN)])
        table, _, ok = seen(places, "R3 R4 R5 K9 K10 K11")
        assert (table, ok) == ("R3 R4 R5 / K9 K10 K11", None)


class TestMisreadTiles:
    def test_a_network_is_asked_about_that_has_one_wrong_line_less_if_a_tile_is_another(
        self,
    ) -> None:
        """The other wrong line may be an accident of its own; that is to be seen then."""
        faces = [*map(sure, ["R3", "R4", "R9", "B4"]), sure("K9")]
        asked = judged(tee(), faces)
        assert asked[1:] == (set(), False)
        faces[-1] = replace(sure("K9"), alternatives=((Tile.parse("K4"), 0.01),))
        assert judged(tee(), faces)[1:] == ({NEARLY.format(other="Black 4")}, None)


class TestTilesThatWereNotFound:
    def test_a_line_of_a_network_that_goes_on_after_a_gap_is_asked_about(self) -> None:
        beyond = quads((100 + ACROSS, 100 + 3 * DOWN), (100 + ACROSS, 100 + 4 * DOWN))
        _, asked, ok = seen(np.concatenate([tee()[:4], beyond]), "R3 R4 R5 B5 B7 K8")
        assert (asked, ok) == ({GAP}, None)

    def test_and_so_is_one_beside_which_something_looks_like_a_tile(self) -> None:
        hint = np.array([(100 + ACROSS + 20, 100 + 2 * DOWN + 28)], np.float32)
        _, asked, ok = seen(tee()[:4], "R3 R4 R5 B4", hint)
        assert (asked, ok) == ({BESIDE}, None)
        assert seen(tee()[:4], "R3 R4 R5 B4")[2] is False

    def test_even_where_another_line_of_its_network_is_wrong(self) -> None:
        """That may be one of another network, which seems to touch: nobody is accused by it."""
        hint = np.array([(100 + ACROSS + 20, 100 + 2 * DOWN + 28)], np.float32)
        _, asked, ok = seen(tee()[:4], "R3 R4 R9 B4", hint)
        assert (asked, ok) == ({BESIDE}, None)
        assert seen(tee()[:4], "R3 R4 R9 B4")[2] is False


class TestPartNetwork:
    @staticmethod
    def parted(
        cells: tuple[tuple[int | None, ...], ...],
        legal: set[frozenset[int]],
        gaps: dict[tuple[int, int], float],
    ) -> set[frozenset[int]]:
        def faults(placed: Placed) -> list[tuple[int, ...]]:
            return [] if frozenset(placed.tiles) in legal else [placed.tiles]

        parts = part_network(Placed(cells), gaps, faults, 0.04)
        return {frozenset(part.tiles) for part in parts}

    def test_the_widest_gap_does_not_part_a_set_that_was_laid_loosely(self) -> None:
        legal = {frozenset({0, 1, 2}), frozenset({3, 4, 5})}
        gaps = {(0, 1): 0.0, (1, 2): 0.2, (2, 3): 0.1, (3, 4): 0.0, (4, 5): 0.0}
        assert self.parted(((0, 1, 2, 3, 4, 5),), legal, gaps) == legal

    def test_where_no_gap_is_seen_nothing_is_parted(self) -> None:
        legal = {frozenset({0, 1, 2}), frozenset({3, 4, 5})}
        gaps = {(k, k + 1): 0.03 for k in range(5)}
        assert self.parted(((0, 1, 2, 3, 4, 5),), legal, gaps) == {frozenset(range(6))}

    def test_of_ways_as_good_the_one_at_the_wider_gap_counts(self) -> None:
        legal = {frozenset(range(a, b)) for a, b in ((0, 3), (3, 7), (0, 4), (4, 7))}
        gaps = {(k, k + 1): 0.0 for k in range(6)} | {(2, 3): 0.1, (3, 4): 0.2}
        assert self.parted((tuple(range(7)),), legal, gaps) == {
            frozenset({0, 1, 2, 3}),
            frozenset({4, 5, 6}),
        }

    @given(st.integers(0, 5000))
    def test_no_tile_is_lost_and_seams_lie_between_parts(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        cells = {(int(a), int(b)) for a, b in rng.integers(0, 4, (9, 2))}
        tiles = iter(range(16))
        placed = Placed(
            tuple(
                tuple(next(tiles) if (a, b) in cells else None for b in range(4)) for a in range(4)
            )
        )
        gaps = {(a, b): float(rng.uniform(-0.05, 0.2)) for a in range(16) for b in range(16)}
        parts = part_network(
            placed, gaps, lambda part: [part.tiles] if rng.integers(2) else [], 0.04
        )
        assert sorted(chain(*(part.tiles for part in parts))) == sorted(placed.tiles)
        of = {tile: number for number, part in enumerate(parts) for tile in part.tiles}
        assert all(len(set(of.values())) > 1 for _ in at_seams(placed, parts))
