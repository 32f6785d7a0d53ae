"""Whole tables: unsure tiles, equipment, crossing sets, and what never changes a verdict."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import (
    ALL_FACES,
    Code,
    HintCode,
    Situation,
    Status,
    Table,
    TileSet,
    check_set,
    judge_table,
    judge_turn,
    load_ruleset,
    parse_table,
)

tiles = st.sampled_from(ALL_FACES)
tables = st.lists(
    st.lists(tiles, min_size=1, max_size=6).map(lambda found: TileSet(tuple(found))), max_size=5
).map(lambda parts: Table(tuple(parts)))


def test_an_empty_table_is_legal() -> None:
    assert judge_table(Table()).ok is True


def test_all_violations_of_all_sets_are_named() -> None:
    verdict = judge_table(parse_table("R3 R4 R5 | R7 B7 R7 | K1 K2"))
    assert verdict.ok is False
    assert [(v.code, v.sets, v.tiles) for v in verdict.violations] == [
        (Code.REPEATED_COLOUR, (1,), ((1, 0), (1, 2))),
        (Code.TOO_SHORT, (2,), ((2, 0), (2, 1))),
    ]
    assert verdict.points == ((12,), (), ())


def test_a_layout_hint_is_no_breach() -> None:
    verdict = judge_table(parse_table("R12 R13 J"))
    assert (verdict.ok, verdict.parts[0].valid) == (True, False)


def test_a_set_with_an_unsure_tile_is_not_accused() -> None:
    verdict = judge_table(parse_table("R3 R4 R5 | R7 B7 R7"), unsure={(1, 2)})
    assert (verdict.ok, verdict.violations) == (None, ())
    (hint,) = verdict.hints
    assert (hint.code, hint.tiles) == (HintCode.LOOK_AT_TILE, ((1, 2),))
    assert hint.message == "Can't tell yet: look at tile 3 of set 2 (read as Red 7)."
    assert verdict.parts[1].status is Status.UNKNOWN


def test_an_unsure_tile_does_not_turn_the_table_over() -> None:
    """The unsure tile may be red 5, and all lie the other way round."""
    runny, table = load_ruleset("runny"), parse_table("J R6 R7 | R9 R8 R7")
    for verdict in (
        judge_table(table, runny, unsure={(0, 2)}),
        judge_turn(Table(), table, runny, Situation(unsure=frozenset({(0, 2)}))).table,
    ):
        assert (verdict.ok, verdict.violations, verdict.turned) == (None, (), 180)


def test_a_sure_breach_outweighs_an_unsure_tile() -> None:
    assert judge_table(parse_table("R3 R4 R6 | R7 B7 R7"), unsure={(1, 2)}).ok is False


def test_three_of_a_face_is_a_doubt_about_the_reading() -> None:
    table = parse_table("R5 B5 K5 | R5 R6 R7 | R5 O5 K5")
    (violation,) = judge_table(table).violations
    assert violation.code is Code.TOO_MANY_OF_FACE
    assert violation.tiles == ((0, 0), (1, 0), (2, 0))
    assert "misread or from another set of tiles" in violation.message
    assert judge_table(table, unsure={(2, 0)}).violations == ()


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("R7 R8 R9 | R7 B7 K7 | R6 R7 R8", "There are 3 Red 7s on the table, but only 2 exist:"),
        ("R7 J R9 | R7 B7 J | K1 J K3", "There are 3 jokers on the table, but only 2 exist:"),
    ],
)
def test_what_lies_there_too_often_is_named_and_counted(text: str, begins: str) -> None:
    (violation,) = judge_table(parse_table(text)).violations
    assert violation.code is Code.TOO_MANY_OF_FACE
    assert violation.message.startswith(begins)


def test_sets_may_not_cross_in_one_dimension() -> None:
    (violation,) = judge_table(parse_table("R7 R8 R9 / . B8 . / . K8 .")).violations
    assert (violation.code, violation.tiles) == (Code.CROSSING_SETS, ((0, 1),))


@pytest.mark.parametrize(
    ("grid", "begins"),
    [
        (". R8 . / R7 J R9 / . R10 .", "The joker is in two sets at once"),
        (". R8 . . / R7 J J R10 / . R10 R11 .", "The joker, the joker, Red 10"),
        ("R7 R8 R9 . / . . . J", "The joker touches no other tile"),
    ],
)
def test_a_joker_begins_a_sentence_with_a_capital(grid: str, begins: str) -> None:
    (violation,) = judge_table(parse_table(grid)).violations
    assert violation.message.startswith(begins)


def test_lines_of_a_grid_that_do_not_cross_are_sets() -> None:
    verdict = judge_table(parse_table("R7 R8 R9 / . . . / B1 K1 O1"))
    assert (verdict.ok, verdict.points) == (True, ((27,),))


def test_a_loose_tile_of_a_grid_is_named() -> None:
    (violation,) = judge_table(parse_table("R7 R8 R9 . / . . . B1")).violations
    assert (violation.code, violation.tiles) == (Code.LOOSE_TILE, ((0, 3),))


@given(tables, st.randoms())
def test_the_order_of_sets_changes_nothing(table: Table, random: Random) -> None:
    parts = list(table.parts)
    random.shuffle(parts)
    assert judge_table(Table(tuple(parts))).ok == judge_table(table).ok


@given(tables)
def test_a_mirrored_set_stands_as_before(table: Table) -> None:
    for part in table.parts:
        assert check_set(TileSet(part.tiles[::-1])).status == check_set(TileSet(part.tiles)).status


@given(tables)
def test_a_part_is_valid_exactly_when_it_has_readings_and_no_violation(table: Table) -> None:
    for part in judge_table(table).parts:
        assert part.valid == bool(part.readings)
        assert (part.status is Status.INVALID) == bool(part.violations)
