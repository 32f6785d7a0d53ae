"""The referee against the rules tried out by brute force, under every ruleset."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import (
    Code,
    Ruleset,
    SetVerdict,
    TileSet,
    check_set,
    load_ruleset,
    parse_table,
    parse_tiles,
)
from referee.judge import TURNED, judge_part
from referee.ruleset import parameters
from referee.rulesets import override, ruleset_names
from tests.referee.brute_force import grid_points, legal, meanings, points, quarter, ways
from tests.referee.legal_sets import legal_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.referee.brute_force import Cells
    from tests.referee.brute_force_turns import Set

STANDARD = load_ruleset("standard")
SETS_DIFFER: Final = ("standard", "keadle", "crazy", "runny")
seeds = st.integers(0, 2**32).map(Random)
quick = settings(deadline=None, max_examples=40)


def compare(lying: Sequence[str], rules: Ruleset) -> None:
    """One set: is it legal, what may it be worth, what may each of its tiles be?"""
    verdict = check_set(TileSet(parse_tiles(" ".join(lying))), rules)
    found = verdict.valid, set(verdict.points)
    assert found == (legal(lying, rules), points(lying, rules)), (rules, lying)
    if not rules.accept_unsorted_sets and rules.joker_position == "physical":
        read = {
            tuple(tuple((tile.colour.value, n) for n in tile.members) for tile in reading.tiles)
            for reading in verdict.readings
        }
        assert read == ways(lying, rules), (rules, lying)
    if not verdict.valid:
        assert verdict.violations or verdict.hints


def test_the_other_rulesets_have_the_sets_of_the_standard() -> None:
    names = [name for name, about in parameters().items() if about.section == "Sets"]
    for name in set(ruleset_names()) - set(SETS_DIFFER):
        rules = load_ruleset(name)
        assert {key: getattr(rules, key) for key in names} == {
            key: getattr(STANDARD, key) for key in names
        }


@pytest.mark.parametrize("name", SETS_DIFFER)
def test_every_small_set(name: str) -> None:
    faces = ["J", "R1", "R2", "R3", "B2", "R6", "R9", "O9", "R10", "R11", "R12", "R13"]
    for size in (1, 2, 3):
        for lying in product(faces, repeat=size):
            if lying.count("J") < 2 or "R2" in lying:
                compare(lying, load_ruleset(name))


@pytest.mark.parametrize("name", ["standard", "keadle"])
def test_every_run_with_jokers(name: str) -> None:
    rules = override(load_ruleset(name), {"colours": 2})
    for first in range(1, 14):
        for size in range(3, 15):
            run = [f"R{(number - 1) % 13 + 1}" for number in range(first, first + size)]
            compare(run, rules)
            for place in range(size):
                compare([*run[:place], "J", *run[place + 1 :]], rules)


@pytest.mark.parametrize("name", SETS_DIFFER)
@given(seeds)
@quick
def test_sets_with_a_tile_exchanged(name: str, random: Random) -> None:
    lying = legal_set(random, name, 2)
    for _ in range(random.choice([0, 1, 1, 2])):
        lying[random.randrange(len(lying))] = legal_set(random, name, 1)[0]
    rules = load_ruleset(name)
    if prod(len(meanings(tile, rules)) for tile in lying) < 20_000:  # else it takes too long
        compare(lying, rules)


FLIPS: Final[dict[str, list[Any]]] = {
    "min_set": [2, 4],
    "group_max": [2, 3, 5],
    "group_rule": ["colours", "colours_or_one"],
    "run_rule": ["one_colour", "one_or_all_colours"],
    "run_max": [0, 3, 4],
    "wrap": [True, False],
    "zero": [True, False],
    "compound_tiles": [True, False],
    "two_dimensional": [True, False],
    "max_jokers_per_set": [1],
    "accept_unsorted_sets": [True],
    "joker_position": ["reseat"],
    "tile_values": [[*range(3, 16)]],
    "zero_value": [7],
}


@pytest.mark.parametrize("name", SETS_DIFFER)
@pytest.mark.parametrize("flip", FLIPS)
def test_sets_under_each_parameter_changed(name: str, flip: str) -> None:
    random = Random(flip)
    for value in FLIPS[flip]:
        rules = override(load_ruleset(name), {flip: value})
        for _ in range(30):
            lying = legal_set(random, name, 1)[:5]
            if random.random() < 0.5:
                random.shuffle(lying)
            compare(lying, rules)


def test_sets_where_a_colour_may_come_twice() -> None:
    rules = override(STANDARD, {"group_colour_repeat": True})
    for lying in product(["J", "R7", "B7", "K7", "R8"], repeat=4):
        if lying.count("J") < 2:
            compare(lying, rules)


@cache
def small_lines(name: str) -> list[Set]:
    """Legal lines of two or three tiles that cross well."""
    faces = {
        "crazy": "J R7 R8 R9 R10 R6 R2 R13 B8 K8 O8 B9 K9 K10",
        "runny": "J R1 R2 R3 B1 B2 B3 K1 K2 K3 O3",
    }[name].split()
    some = (found for size in (2, 3) for found in product(faces, repeat=size))
    return [found for found in some if found.count("J") < 2 and legal(found, load_ruleset(name))]


def crossing(random: Random, name: str) -> Cells:
    """A row and one or two columns through it, or nearly so."""
    row = random.choice(small_lines(name))
    cells = {(2, place): tile for place, tile in enumerate(row)}
    for place in random.sample(range(len(row)), random.choice([1, 1, 2])):
        down = random.choice([found for found in small_lines(name) if row[place] in found])
        top = 2 - down.index(row[place])
        cells |= {(top + at, place): tile for at, tile in enumerate(down)}
    if random.random() < 0.2:
        cells[random.choice([*cells])] = random.choice(row)
    return cells


def written(cells: Cells) -> str:
    """The grid in notation."""
    rows, columns = ({at[side] for at in cells} for side in (0, 1))
    return " / ".join(
        " ".join(cells.get((row, column), ".") for column in range(min(columns), max(columns) + 1))
        for row in range(min(rows), max(*rows, min(rows) + 1) + 1)
    )


@pytest.mark.parametrize("name", ["crazy", "runny"])
@pytest.mark.parametrize("free_number", [True, False])
@given(seeds)
@settings(deadline=None, max_examples=60)
def test_grids_from_all_sides(name: str, free_number: bool, random: Random) -> None:
    rules = override(load_ruleset(name), {"joker_cross_free_number": free_number})
    cells = crossing(random, name)
    (grid,) = parse_table(written(cells)).parts
    for degrees in (0, 90, 180, 270):
        verdict = judge_part(grid, rules, TURNED[degrees])
        expected = grid_points(cells, rules)
        assert (verdict.valid, set(verdict.points)) == (bool(expected), expected), str(grid)
        cells = quarter(cells)


def mended(lying: list[str], verdict: SetVerdict) -> list[str]:
    """The tiles after doing what the reasons ask for, and nothing else."""
    gone, more = set[int](), list[str]()
    for violation in verdict.violations:
        places = [place for _, place in violation.tiles]
        if violation.code in {Code.WRONG_COLOUR, Code.WRONG_NUMBER}:
            gone |= {*places}
        elif violation.code in {Code.REPEATED_COLOUR, Code.REPEATED_NUMBER}:
            gone |= {*places[1:]}
        elif violation.code is Code.GAP:
            low, high = (int(lying[place][1:]) for place in places)
            more += [f"{lying[places[0]][0]}{number}" for number in range(low + 1, high)]
    rest = [tile for place, tile in enumerate(lying) if place not in gone] + more
    if len({tile[1:] for tile in rest if tile != "J"}) == 1:  # a group may be too long
        del rest[4:]
    return rest


@given(seeds)
@settings(deadline=None, max_examples=200)
def test_a_set_without_the_faults_that_are_named_is_legal(random: Random) -> None:
    lying = legal_set(random, "standard", 1)
    for _ in range(random.choice([1, 1, 2])):
        tile = legal_set(random, "standard", 0)[0]
        lying[random.randrange(len(lying))] = tile
        lying[:0] = random.choice([[], [tile]])
    verdict = check_set(TileSet(parse_tiles(" ".join(lying))), STANDARD)
    codes = {violation.code for violation in verdict.violations}
    if codes & {Code.NOT_A_SET, Code.WRAPPED_RUN}:
        return
    unsorted = override(STANDARD, {"accept_unsorted_sets": True})
    rest = mended(lying, verdict)
    judged = check_set(TileSet(parse_tiles(" ".join(rest))), unsorted)
    assert judged.valid or not 3 <= len(rest) <= 13, (
        lying,
        rest,
        [v.message for v in verdict.violations],
    )
