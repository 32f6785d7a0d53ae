from __future__ import annotations

from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import Ruleset, load_ruleset, parse_tiles
from referee.judge import judge_part
from referee.table import TileSet
from referee.tiles import Tile
from tests.fakes import sure
from tests.vision.test_lay_out import UPSIDE_DOWN, quads, row, turned
from vision.grouping import lay_out_sets
from vision.lay_out import lay_out, to_table
from vision.rendering.layouts import group, run
from vision.row_parts import part_row
from vision.types import Floats, Readings

STANDARD = load_ruleset("standard")
TOUCHING, APART = 40, 44.5  # pixels from tile to tile, of 40 wide ones


def sets(seed: int, count: int) -> list[list[Tile]]:
    """Legal sets, runs and groups."""
    rng = np.random.default_rng(seed)
    names = [
        run(rng, int(rng.integers(3, 8))) if rng.random() < 0.5 else group(rng, 3 + number % 2)
        for number in range(count)
    ]
    return [list(parse_tiles(" ".join(each))) for each in names]


def parted(faces: list[Tile], gaps: list[float], rules: Ruleset = STANDARD) -> list[list[Tile]]:
    ends = (0, *part_row(faces, gaps, rules), len(faces))
    return [faces[a:b] for a, b in pairwise(ends)]


def is_legal(faces: list[Tile]) -> bool:
    return judge_part(TileSet(tuple(faces)), STANDARD).valid


def table(text: str, places: Floats, rules: Ruleset = STANDARD) -> str:
    readings = Readings(places, tuple(map(sure, text.split())))
    return str(to_table(lay_out_sets(readings, rules), readings))


class TestPairs:
    @pytest.mark.parametrize("gap", [4.5, 10.0])
    def test_where_the_rules_allow_them_two_pairs_in_a_row_are_two_sets(self, gap: float) -> None:
        places = np.concatenate([row(2), row(2, x=82 + gap)])
        pairs = replace(STANDARD, min_set=2)
        assert table("R5 R6 B9 B10", places, pairs) == "R5 R6 | B9 B10"

    def test_elsewhere_they_are_one_wrong_row(self) -> None:
        places = np.concatenate([row(2), row(2, x=86.5)])
        assert table("R5 R6 B9 B10", places) == "R5 R6 B9 B10"


class TestRowsOfTouchingSets:
    @given(st.integers(0, 10_000), st.integers(1, 4))
    def test_nobody_is_accused_of_pushing_legal_sets_together(self, seed: int, count: int) -> None:
        faces = list(chain(*sets(seed, count)))
        assert all(is_legal(part) for part in parted(faces, [0.0] * (len(faces) - 1)))

    @given(st.integers(0, 10_000))
    def test_what_is_legal_as_it_lies_is_one_set(self, seed: int) -> None:
        (faces,) = sets(seed, 1)
        assert parted(faces, [0.5] * (len(faces) - 1)) == [faces]

    @given(st.integers(0, 10_000), st.data())
    def test_no_tile_is_lost_and_none_changes_its_place(
        self, seed: int, data: st.DataObject
    ) -> None:
        rng = np.random.default_rng(seed)
        faces = list(parse_tiles("R3 R4 R5 K7 B8 J O9 O9 O9"))
        faces = [faces[i] for i in rng.permutation(len(faces))]
        gap = st.floats(-0.1, 0.3)
        gaps = data.draw(st.lists(gap, min_size=len(faces) - 1, max_size=len(faces) - 1))
        parts = parted(faces, gaps)
        assert list(chain(*parts)) == faces
        assert all(len(part) >= 3 for part in parts)

    def test_of_two_ways_the_wider_gap_decides(self) -> None:
        faces = list(parse_tiles("R1 R2 R3 R4 R5 R6 R7 K1 K2 K3"))
        assert list(map(len, parted(faces, [0.0] * 9))) == [7, 3]
        faces = list(parse_tiles("K7 R7 B7 J R8 R9 R10"))
        gaps = [0.0, 0.0, 0.02, 0.0, 0.0, 0.0]
        assert list(map(len, parted(faces, gaps))) == [3, 4]
        assert list(map(len, parted(faces, gaps[::-1]))) == [4, 3]

    @pytest.mark.parametrize(
        "wrong",
        ["R3 R4 R5 K6 R7 R8", "R3 R3 R4 R5 R6 R7", "K5 B5 O5 R5 K5 R6", "R4 R5 R6 R7 R8 R6"],
    )
    def test_a_wrong_set_stays_whole_and_wrong(self, wrong: str) -> None:
        faces = list(parse_tiles(wrong))
        assert parted(faces, [0.0] * 5) == [faces]

    def test_what_lies_only_in_the_wrong_order_stays_one_set(self) -> None:
        faces = list(parse_tiles("R4 R5 R6 R8 R7 R9"))
        assert parted(faces, [0.0, 0.0, 0.1, 0.0, 0.0]) == [faces]

    def test_a_legal_set_is_not_accused_with_a_wrong_one_beside_it(self) -> None:
        faces = list(parse_tiles("R3 R4 R5 K7 K8 B9"))
        assert parted(faces, [0.0, 0.0, 0.1, 0.0, 0.0]) == [faces[:3], faces[3:]]


class TestMisreadRows:
    """What is surely read as K9 here may be the K7 that makes the row one set."""

    @pytest.mark.parametrize(
        ("gap", "lies"), [(0, "J K9 K8 K9 K10 K11"), (6, "J K9 K8 | K9 K10 K11")]
    )
    def test_a_tile_that_may_be_another_is_asked_about_unless_a_gap_is_seen(
        self, gap: int, lies: str
    ) -> None:
        misread = replace(sure("K9"), alternatives=((Tile.parse("K7"), 0.005),))
        joker, _, *others = map(sure, ["J", "K9", "K8", "K9", "K10", "K11"])
        places = np.concatenate([row(3), row(3, x=3 * 41 + gap)])
        readings = Readings(places, (joker, misread, *others))
        assert str(to_table(lay_out_sets(readings, STANDARD), readings)) == lies


class TestLooseRows:
    def test_a_set_laid_loosely_is_whole(self) -> None:
        loose = np.concatenate([row(1, y=12), row(2, x=52)])
        assert len(lay_out(loose).placed) > 1
        assert table("R5 R6 R7", loose) == "R5 R6 R7"
        assert table("R5 R6 R7", loose[:, UPSIDE_DOWN][::-1]) == "R5 R6 R7"

    @pytest.mark.parametrize("pitch", [54, 60, 64])
    @pytest.mark.parametrize("faces", ["R5 R6 R7", "K9 J O9 B9", "B9 B10 B11 B12 B13"])
    def test_a_set_of_which_no_two_tiles_seem_to_belong_together_is_whole(
        self, faces: str, pitch: int
    ) -> None:
        count = len(faces.split())
        loose = np.concatenate([row(count, pitch=pitch), row(3, y=110), row(3, y=190)])
        assert all(len(placed.tiles) == 1 for placed in lay_out(loose).placed[:count])
        assert table(f"{faces} K1 K2 K3 R1 R2 R3", loose) == f"{faces} | K1 K2 K3 | R1 R2 R3"

    @pytest.mark.parametrize("angle_deg", [45, 90, -60])
    @pytest.mark.parametrize("askew", [slice(1), slice(-1, None), slice(-2, None)])
    def test_what_lies_askew_at_the_end_of_a_set_that_it_goes_on_belongs_to_it(
        self, askew: slice, angle_deg: float
    ) -> None:
        places = row(5, pitch=46)
        middle = places[askew].mean((0, 1))
        places[askew] = turned(places[askew] - middle, angle_deg) + middle
        faces = ["R5", "R6", "R7", "R8", "R9"]
        assert table(" ".join(faces), places) == "R5 R6 R7 R8 R9"
        faces[askew] = ["K1"] * len(faces[askew])
        assert "R5 R6 R7 R8 R9" not in table(" ".join(faces), places)

    @pytest.mark.parametrize("faces", ["R5 R6 R7", "K9 J O9 B9", "B9 B10 B11 B12 B13"])
    @pytest.mark.parametrize("off", [slice(1, 2), slice(1, None, 2), slice(1), slice(-1, None)])
    def test_what_lies_half_a_tile_off_the_line_of_a_set_belongs_to_it(
        self, faces: str, off: slice
    ) -> None:
        places = row(len(faces.split()), pitch=42)
        places[off] += (0, 24)
        assert table(faces, places) == faces

    @pytest.mark.parametrize(
        ("x", "lies"),
        [
            (198, "O7 O8 O9 O10 O11 | R11 K11 B11"),
            (204, "O7 O8 O9 O10 | O11 R11 K11 B11"),
        ],
    )
    def test_of_two_sets_that_it_may_belong_to_a_tile_belongs_to_the_nearer_one(
        self, x: float, lies: str
    ) -> None:
        places = np.concatenate([row(4, x=10), row(1, x=x), row(3, x=268)])
        assert table("O7 O8 O9 O10 O11 R11 K11 B11", places) == lies

    def test_three_tiles_so_far_apart_that_make_no_set_are_loose(self) -> None:
        assert table("R5 R6 R8", row(3, pitch=60)) == "R5 | R6 | R8"

    def test_nor_is_a_part_of_it_taken_by_a_set_that_is_whole_already(self) -> None:
        loose = np.concatenate([row(1, y=12), row(3, x=52)])
        assert table("K5 R6 R7 R8", loose) == "K5 | R6 R7 R8"

    @pytest.mark.parametrize(("x", "y"), [(80, 0), (52, 40), (-90, 0)])
    def test_a_tile_farther_off_is_a_tile_of_its_own(self, x: float, y: float) -> None:
        apart = np.concatenate([row(1, y=y), row(2, x=x + 24)])
        assert "R5 R6 R7" not in table("R5 R6 R7", apart)

    def test_what_makes_no_set_is_not_joined(self) -> None:
        loose = np.concatenate([row(1, y=12), row(2, x=52)])
        assert "R5 R7" not in table("R5 R7 R8", loose)


class TestGapsWithinSets:
    """A careless hand leaves a wider gap within a set than beside it."""

    @pytest.mark.parametrize(
        ("faces", "before", "lie"),
        [
            ("O5 O6 O7 B8 B9 B10 B11 B12", 5, "O5 O6 O7 | B8 B9 B10 B11 B12"),
            ("R1 R2 R3 K9 K10 K11 K12", 4, "R1 R2 R3 | K9 K10 K11 K12"),
            ("K10 K11 K12 K13 R1 R2 R3", 3, "K10 K11 K12 K13 | R1 R2 R3"),
            ("R1 R2 R4 K9 K10 K11 K12", 4, "R1 R2 R4 K9 | K10 K11 K12"),
            ("R5 B5 K5 R4 O4 K4 O3 K3 J R3", 7, "R5 B5 K5 | R4 O4 K4 | O3 K3 J R3"),
        ],
    )
    def test_rows_are_parted_elsewhere_if_all_are_legal_then(
        self, faces: str, before: int, lie: str
    ) -> None:
        after = len(faces.split()) - before
        places = np.concatenate([row(before), row(after, x=before * 41 + 6)])
        assert len(lay_out(places).placed) > 1
        for angle_deg in (0, 90, 180):
            seen = table(faces, turned(places, angle_deg))
            assert sorted(seen.split(" | ")) == sorted(lie.split(" | "))

    def test_no_tile_goes_to_a_set_farther_off(self) -> None:
        places = np.concatenate([row(4), row(3, x=4 * 41 + 40)])
        assert table("R1 R2 R3 K9 K10 K11 K12", places) == "R1 R2 R3 K9 | K10 K11 K12"


class TestSquares:
    SQUARE = quads((0, 0), (41, 0), (0, 59), (41, 59))

    @pytest.mark.parametrize("angle_deg", [0, 90, 180])
    def test_four_of_a_number_laid_as_a_square_are_a_set(self, angle_deg: float) -> None:
        assert table("R7 B7 K7 O7", turned(self.SQUARE, angle_deg)) == "R7 B7 K7 O7"

    def test_three_of_a_number_as_a_corner_are_a_set(self) -> None:
        assert table("R7 B7 K7", self.SQUARE[:3]) == "R7 B7 K7"
        assert table("R7 B7 K7", self.SQUARE[1:]) == "R7 B7 K7"

    def test_what_makes_no_set_so_is_not_joined(self) -> None:
        assert table("R7 B7 K7 O8", self.SQUARE) == "R7 B7 | K7 O8"

    def test_nor_is_a_set_with_a_tile_below_it(self) -> None:
        below = np.concatenate([row(3), quads((0, 59))])
        assert table("R7 B7 K7 O7", below) == "R7 B7 K7 | O7"


def columns(*lengths: int, beside: float) -> Floats:
    """Columns of so many tiles, touching end to end, so many pixels apart."""
    return quads(
        *((x * (40 + beside), 58 * y) for x, tiles in enumerate(lengths) for y in range(tiles))
    )


class TestColumns:
    """Sets laid one tile below the other, which look like rows where they lie side by side."""

    SETS = ("R5 R6 R7", "B9 K9 O9 R9", "K1 K2 K3 K4 K5", "O5 J B5")

    @pytest.mark.parametrize("angle_deg", [0, 90, 180])
    @pytest.mark.parametrize("beside", [4, 10, 20])
    def test_columns_side_by_side_are_the_sets(self, beside: float, angle_deg: float) -> None:
        places = turned(columns(3, 4, 5, 3, beside=beside), angle_deg)
        assert sorted(table(" ".join(self.SETS), places).split(" | ")) == sorted(self.SETS)

    def test_a_wrong_one_is_wrong_alone(self) -> None:
        sets = (*self.SETS[:3], "O5 K6 B5")
        places = columns(3, 4, 5, 3, beside=8)
        assert sorted(table(" ".join(sets), places).split(" | ")) == sorted(sets)

    @pytest.mark.parametrize("angle_deg", [0, 90, 180])
    @pytest.mark.parametrize("pitch", [66, 74, 82])
    def test_one_of_which_no_two_tiles_seem_to_belong_together_is_whole(
        self, pitch: int, angle_deg: float
    ) -> None:
        loose = quads(*((130 * x + 3 * (y % 2), pitch * y) for x in range(2) for y in range(5)))
        lies = ["K1 K2 K3 K4 K5", "R7 R8 R9 J R11"]
        seen = table(" ".join(lies), turned(loose, angle_deg))
        assert sorted(seen.split(" | ")) == lies

    def test_what_makes_no_set_in_a_loose_column_is_loose(self) -> None:
        assert table("R5 R6 R8", quads((0, 0), (0, 70), (0, 140))) == "R5 | R6 | R8"
        assert table("R5 R6 R7", quads((0, 0), (0, 110), (0, 220))) == "R5 | R6 | R7"

    def test_beside_them_rows_stay_rows(self) -> None:
        places = np.concatenate([columns(3, 3, beside=8), row(4, x=96)])
        seen = table("R5 R6 R7 B9 K9 O9 K1 K2 K3 K4", places)
        assert sorted(seen.split(" | ")) == ["B9 K9 O9", "K1 K2 K3 K4", "R5 R6 R7"]

    @pytest.mark.parametrize("angle_deg", [0, 90, 180])
    @pytest.mark.parametrize(
        "sets", [["O9 O10 O11 O12"], ["B1 O1 K1"], ["R9 R10 R11", "O5 K5 B5"]]
    )
    def test_their_first_tiles_are_none_of_the_row_that_they_begin_beside(
        self, sets: list[str], angle_deg: float
    ) -> None:
        rows = ["K1 K2 K3 K4", "R1 R2 R3 R4", "B6 B7 B8 B9"]
        standing = columns(*(len(each.split()) for each in sets), beside=6)
        standing += (4 * 41 + 6, 0)
        places = np.concatenate([*(row(4, y=58 * k) for k in range(3)), standing])
        seen = table(" ".join(rows + sets), turned(places, angle_deg))
        assert sorted(seen.split(" | ")) == sorted(rows + sets)
        wrong = ["K1 K2 K3 K6", *rows[1:], *sets]
        assert "K1 K2 K3 K6" in table(" ".join(wrong), places)

    def test_a_wrong_row_among_rows_that_touch_stays_a_row(self) -> None:
        places = np.concatenate([row(4, y=58 * k) for k in range(3)])
        lies = "R5 R6 R7 R8 | B5 B6 B7 B8 | O5 O6 O7 K9"
        assert table(lies.replace(" |", ""), places) == lies


class TestTables:
    def test_sets_that_touch_are_parted_by_the_rules(self) -> None:
        assert table("K7 K8 K9 B7 O7 R7", row(6, pitch=TOUCHING)) == "K7 K8 K9 | B7 O7 R7"

    def test_from_the_other_side_of_the_table_too(self) -> None:
        upside_down = row(6, pitch=TOUCHING)[::-1, UPSIDE_DOWN]
        assert table("K7 K8 K9 B7 O7 R7", upside_down) == "B7 O7 R7 | K7 K8 K9"

    def test_a_wrong_set_a_few_millimetres_from_a_legal_one_is_wrong_alone(self) -> None:
        near = np.concatenate([row(3), row(3, x=3 * 41 + APART - 40)])
        assert table("K7 K8 K9 B7 O8 R7", near) == "K7 K8 K9 | B7 O8 R7"

    def test_where_sets_cross_what_touches_belongs_together(self) -> None:
        lying = table("K7 K8 K9 B7 O7 R7", row(6, pitch=TOUCHING), load_ruleset("crazy"))
        assert lying == "K7 K8 K9 B7 O7 R7"
