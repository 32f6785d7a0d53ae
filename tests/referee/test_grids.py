"""Crossing sets: Crazy and Runny tables."""

import pytest

from referee import Code, HintCode, Ruleset, Status, judge_table, load_ruleset, parse_table
from referee.rulesets import override
from referee.table import UNFLIPPED

CRAZY = load_ruleset("crazy")
RUNNY = load_ruleset("runny")


@pytest.mark.parametrize(
    ("rules", "text", "points"),
    [
        (CRAZY, "K6 . . / R6 R10 . / O6 . . ", None),
        (CRAZY, ". K6 . / R8 R6 R10 / . O6 .", (36,)),
        (CRAZY, "R13 R10 / . B10 / . K10", (43,)),
        (CRAZY, ". B7 . / R7 R8 R9 / . K8 .", None),
        (CRAZY, ". B8 . / R7 R8 R9 / . K8 .", (40,)),
        # A joker where sets cross: 9 across and 6 down counts 9.
        (CRAZY, ". K6 . / R8 J R10 / . O6 .", (39,)),
        # The joker is zero across, which counts 20, and black.
        (CRAZY, ". R1 . . / K13 J K1 K2 / . O1 . .", (38,)),
        (RUNNY, "R3 B4 K5 / . K4 . / . O4 .", (20,)),
        (RUNNY, "R3 J K5 / . K4 . / . R4 .", (20,)),
        (RUNNY, "R7 R8 R9 / . . B9 / . . K9", (42,)),
    ],
)
def test_grids(rules: Ruleset, text: str, points: tuple[int, ...] | None) -> None:
    verdict = judge_table(parse_table(text), rules)
    assert verdict.ok is (points is not None)
    if points is not None:
        assert verdict.points == (points,)


def test_a_shared_joker_has_one_colour() -> None:
    # Across it is red; down red is taken.
    verdict = judge_table(parse_table(". R6 . / R8 J R10 / . O6 ."), RUNNY)
    (violation,) = verdict.violations
    assert (violation.code, violation.tiles) == (Code.CROSSING_JOKER, ((0, 2),))
    assert verdict.ok is False


def test_colours_are_one_over_the_whole_network() -> None:
    # Both jokers of the column lack blue and orange; each row takes one of them.
    apart = ". R5 . / . K5 . / B4 J B6 / . . . / . . ."
    assert judge_table(parse_table(apart), RUNNY).ok is True
    same = "B4 J B6 / . R5 . / . K5 . / B4 J B6"
    assert judge_table(parse_table(same), RUNNY).ok is False
    other = "B4 J B6 / . R5 . / . K5 . / O4 J O6"
    assert judge_table(parse_table(other), RUNNY).ok is True


def test_a_shared_joker_may_be_bound_to_one_number() -> None:
    bound = override(CRAZY, {"joker_cross_free_number": False})
    table = parse_table(". K4 . / R8 J R10 / . O4 .")
    assert judge_table(table, CRAZY).ok is True
    assert judge_table(table, bound).ok is False


@pytest.mark.parametrize(
    "text",
    ["R9 R8 R7 / . . B7 / . . K7", "R9 B9 K9 / R8 . . / R7 . .", "R9 R8 R7 | K3 K2 K1"],
)
def test_the_whole_table_is_turned_once(text: str) -> None:
    verdict = judge_table(parse_table(text), CRAZY)
    assert verdict.ok is True
    assert [hint.code for hint in verdict.hints] == [HintCode.TURN_GRID]
    assert verdict.turned in {90, 180, 270}
    assert f"turned by {verdict.turned} degrees clockwise" in verdict.hints[0].message
    assert judge_table(parse_table(text), CRAZY, flipped=UNFLIPPED).violations == ()
    fixed = judge_table(parse_table(text), CRAZY, flipped=UNFLIPPED)
    assert Status.FIXABLE in {part.status for part in fixed.parts}


@pytest.mark.parametrize(
    ("text", "tile"),
    [
        ("R9 R8 R7 | R6 R5 B4 R3", (1, 2)),
        ("R9 R8 R7 / B9 . . / K9 . . / R4 . .", (0, 5)),
    ],
)
def test_a_fault_of_a_turned_table_is_named_where_it_lies(
    text: str, tile: tuple[int, int]
) -> None:
    verdict = judge_table(parse_table(text), CRAZY)
    assert verdict.turned == 180
    assert [violation.tiles for violation in verdict.violations] == [(tile,)]


def test_lines_are_never_turned_one_by_one() -> None:
    verdict = judge_table(parse_table("R7 R8 R9 | R9 R8 R7 | K1 K2 K3"), CRAZY)
    assert [part.status for part in verdict.parts] == [
        Status.VALID,
        Status.FIXABLE,
        Status.VALID,
    ]


def test_every_line_is_judged() -> None:
    verdict = judge_table(parse_table("R7 R8 R9 / . . B8 / . . K9"), RUNNY)
    (violation,) = verdict.violations
    assert (violation.code, violation.tiles) == (Code.WRONG_NUMBER, ((0, 3),))
    assert [line.valid for line in verdict.parts[0].lines] == [True, False]
