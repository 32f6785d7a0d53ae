"""Nobody is accused of a legal set or of a legal turn, under any rules."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import Code, judge_table, judge_turn, load_ruleset, parse_table
from referee.rulesets import ruleset_names
from tests.referee.legal_sets import COLOURS, fits, legal_set, legal_table, run

if TYPE_CHECKING:
    from referee.table import Table

Sets = list[list[str]]
CROSSING = ("crazy", "runny")
FLAT = tuple(name for name in ruleset_names() if name not in CROSSING)
seeds = st.integers(0, 2**32).map(Random)


def lying(sets: Sets) -> Table:
    return parse_table(" | ".join(map(" ".join, sets)))


@pytest.mark.parametrize("rules", ruleset_names())
@given(seeds)
@settings(deadline=None, max_examples=60)
def test_a_legal_table_is_legal_from_both_sides(rules: str, random: Random) -> None:
    sets = legal_table(random, rules)
    for table in (sets, [found[::-1] for found in sets]):
        verdict = judge_table(lying(table), load_ruleset(rules))
        assert verdict.ok is True, (table, [v.message for v in verdict.violations])
        assert all(part.valid for part in verdict.parts), table


@pytest.mark.parametrize("rules", FLAT)
@given(seeds)
@settings(deadline=None, max_examples=60)
def test_each_player_may_lay_sets_as_it_looks_right_to_him(rules: str, random: Random) -> None:
    sets = [found[:: random.choice([1, -1])] for found in legal_table(random, rules)]
    verdict = judge_table(lying(sets), load_ruleset(rules))
    assert all(part.valid for part in verdict.parts), sets


def crossing(random: Random, rules: str) -> dict[tuple[int, int], str]:
    """A row with one or two columns through it, which touch nowhere else."""
    row = legal_set(random, rules, 1)
    cells = {(0, place): tile for place, tile in enumerate(row)}
    for column in (
        random.sample(range(0, len(row), 2), random.choice([1, 1, 2])) if len(row) > 2 else []
    ):
        for _ in range(200):
            down = legal_set(random, rules, 1)
            places = [at for at, tile in enumerate(down) if tile == row[column] != "J"]
            new = (
                {(at - places[0], column): tile for at, tile in enumerate(down)} if places else {}
            )
            if places and fits(Counter((cells | new).values()), rules):
                cells |= new
                break
    return cells


def turned(cells: dict[tuple[int, int], str], quarters: int) -> Table:
    """The grid as it is seen from another side of the table."""
    for _ in range(quarters):
        cells = {(column, -row): tile for (row, column), tile in cells.items()}
    rows, columns = ({at[side] for at in cells} for side in (0, 1))
    return parse_table(
        " / ".join(
            " ".join(
                cells.get((row, column), ".") for column in range(min(columns), max(columns) + 1)
            )
            for row in range(min(rows), max(rows) + 2)
        )
    )


@pytest.mark.parametrize("rules", CROSSING)
@given(seeds)
@settings(deadline=None, max_examples=60)
def test_crossing_sets_are_legal_from_all_four_sides(rules: str, random: Random) -> None:
    cells = crossing(random, rules)
    for quarters in range(4):
        table = turned(cells, quarters)
        verdict = judge_table(table, load_ruleset(rules))
        assert verdict.ok is True, (str(table), [v.message for v in verdict.violations])


def moves(random: Random) -> list[tuple[str, Sets, Sets]]:
    """Turns that every ruleset allows: what they are, the sets before and after."""
    colour, other = random.sample(COLOURS, 2)
    some = random.sample(COLOURS, 4)
    first, number = random.randint(1, 7), random.randint(4, 12)
    long = run(colour, first, first + 5)
    held = [*long[:2], "J", *long[3:]]
    new = [f"{some[0]}{number}", "J", f"{some[1]}{number}"]
    group = [f"{one}{number}" for one in some]
    rest = [tile for tile in group if tile[0] != colour]
    freed = run(colour, number - 2, number)
    two = [run(one, number - 3, number) for one in some[:2]]
    return [
        ("split", [long], [long[:4], long[3:]]),
        ("taken from a group", [group], [rest, freed]),
        ("merged", [run(colour, 1, 3), run(colour, 5, 7)], [run(colour, 1, 7)]),
        ("ends of runs", two, [*(one[:3] for one in two), group[:3]]),
        ("joker replaced", [held], [long, new]),
        ("joker's set extended", [held], [[*held, f"{colour}{first + 6}"]]),
        ("joker kept in a group", [new], [[*new, f"{some[2]}{number}"]]),
        ("joker untouched", [held], [held, run(other, 1, 3)]),
    ]


@pytest.mark.parametrize("rules", ruleset_names())
@given(seeds)
@settings(deadline=None, max_examples=40)
def test_what_every_ruleset_allows_is_told_off_in_none(rules: str, random: Random) -> None:
    beside = [found for found in legal_table(random, rules, 2) if "J" not in found]
    for name, before, after in moves(random):
        now = [*beside, *after]
        if not fits(Counter(tile for found in now for tile in found), rules):
            continue
        if rules in FLAT:
            now = [found[:: random.choice([1, -1])] for found in now]
        random.shuffle(now)
        verdict = judge_turn(lying([*beside, *before]), lying(now), load_ruleset(rules))
        assert verdict.legal is True, (name, before, now, verdict.violations)


@pytest.mark.parametrize(
    ("rules", "before", "after"),
    [
        ("keadle", "J R5 R6", "R5 R6 R7 | B9 J K9"),
        ("keadle", "R9 R10 R11 R12 R13", "R9 R10 R11 | R12 R13 R1"),
        ("rummibug", "R4 J R6 | B3 B4 B5", "R4 R5 R6 | B3 B4 B5 J"),
        ("mcgraw", "R4 J R6 | R5 B5 K5 O5", "R4 R5 R6 | B5 K5 O5 | B9 J K9"),
        ("crazy", "R4 J R6 R7", "R4 R5 R6 R7 | J B9 K9"),
        ("crazy", "R4 J R6 R7 R8 R9", "R4 J R6 | R7 R8 R9 R10"),
        ("runny", "R1 J K3", "R1 J K3 O4"),
        ("runny", "R5 J R7 R8", "R5 R6 R7 R8 | B1 J O3"),
    ],
)
def test_what_these_rules_allow_is_not_told_off(rules: str, before: str, after: str) -> None:
    verdict = judge_turn(parse_table(before), parse_table(after), load_ruleset(rules))
    assert (verdict.legal, verdict.violations) == (True, ())


@pytest.mark.parametrize(("tiles", "better"), [("R9 R8 R7", "R7 R8 R9"), ("J R9 R8", "R8 R9 J")])
def test_a_run_that_lies_the_wrong_way_round_is_to_be_sorted(tiles: str, better: str) -> None:
    """Where sets may cross, and the others of the table read from the camera's side."""
    table = parse_table(f"K1 K2 K3 | B1 B2 B3 | {tiles}")
    (hint,) = judge_table(table, load_ruleset("runny")).hints
    assert hint.message == f"Sort the run: lay the set as {better}."
    (violation,) = judge_turn(
        parse_table("K1 K2 K3 | B1 B2 B3"), table, load_ruleset("runny")
    ).violations
    assert violation.code is Code.INVALID_SET
    assert "joker" not in violation.message
