"""Turns against the rules tried out by brute force, under every ruleset and joker preset."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import (
    ALL_FACES,
    Ruleset,
    Situation,
    Table,
    judge_table,
    judge_turn,
    load_ruleset,
    parse_table,
)
from referee.best_play import best_play
from referee.rulesets import JOKER_PRESETS, override, ruleset_names, with_joker_preset
from tests.referee.brute_force import legal
from tests.referee.brute_force_turns import exist, faults, tiles
from tests.referee.legal_sets import legal_table

if TYPE_CHECKING:
    from collections import Counter

    from tests.referee.brute_force_turns import Sets

STANDARD = load_ruleset("standard")
FLAT: Final = tuple(name for name in ruleset_names() if name not in {"crazy", "runny"})
FLIPS: Final[dict[str, list[Any]]] = {
    "joker_source": ["any", "rack"],
    "joker_reuse": ["any", "new", "new2", "new_rack_only"],
    "joker_replacement": ["exact", "any_legitimate"],
    "joker_group3": ["one", "both"],
    "joker_set_locked": [True, False],
    "joker_position": ["physical", "reseat"],
    "opening_jokers": [True, False],
    "opening_multi_set": [True, False],
    "opening_same_turn_manipulation": [True, False],
    "opening_threshold": [0, 18, 50],
    "wrap": [True],
    "copies": [1],
    "jokers": [1],
}
RULES: Final = {
    **{name: load_ruleset(name) for name in FLAT},
    **{preset: with_joker_preset(STANDARD, preset) for preset in JOKER_PRESETS},
    **{
        f"{base}, {flip} {value}": override(load_ruleset(base), {flip: value})
        for base in ("rummibug", "keadle")
        for flip, values in FLIPS.items()
        for value in values
    },
}
seeds = st.integers(0, 2**32).map(Random)

# Runs, groups, and both with jokers that may be one thing or several: few tiles make many tables,
# so that one table often is another's turn.
TEXTS: Final = """
    R4 R5 R6 | R5 R6 R7 | R4 R5 R6 R7 | R3 R4 R5 | R3 R4 R5 R6 R7 | K4 K5 K6 | K5 K6 K7 | B4 B5 B6
    | R5 B5 K5 | R5 B5 O5 | R5 K5 O5 | B5 K5 O5 | R5 B5 K5 O5 | R6 B6 K6 | R4 J R6 | R5 J R7
    | J R5 R6 | R5 R6 J | J R4 R5 R6 | R4 R5 R6 J | R4 R5 J R7 | K4 J K6 | K5 J K7 | J K5 K6
    | B4 J B6 | R5 B5 J | R5 K5 J | B5 O5 J | B5 K5 J | R5 B5 K5 J | R6 B6 J | R6 K6 J | R5 J J
    | J J R5 | J R5 J | R6 J J | R4 J J R7 | J R5 R6 J | R5 B5 J J
"""
SETS: Final = [tuple(text.split()) for text in TEXTS.split("|")]


def fits(sets: Sets) -> bool:
    """Whether one box holds these tiles."""
    return max(tiles(sets).values()) <= 2


@cache
def tables() -> list[tuple[Sets, Counter[str]]]:
    """All tables of one or two of the sets that hold a joker, and their tiles."""
    two = [[one, other] for place, one in enumerate(SETS) for other in SETS[place:]]
    all_of_them = [[one] for one in SETS] + [sets for sets in two if fits(sets)]
    return [(sets, tiles(sets)) for sets in all_of_them if "J" in tiles(sets)]


def turn(random: Random, sides: tuple[int, ...] = (1, -1)) -> tuple[Sets, Sets]:
    """Two tables, the first made of tiles of the second, and sets as some side sees them."""
    while True:
        after = random.choices(SETS, k=random.choice([2, 2, 3]))
        there = tiles(after)
        before = [sets for sets, held in tables() if held < there] if fits(after) else []
        if before:
            return random.choice(before), [lying[:: random.choice(sides)] for lying in after]


def lying(sets: Sets) -> Table:
    """The sets as a table."""
    return parse_table(" | ".join(map(" ".join, sets)))


def compare(before: Sets, after: Sets, rules: Ruleset) -> None:
    """One turn, by a player who has opened and by one who has not."""
    for opened in (True, False):
        verdict = judge_turn(lying(before), lying(after), rules, Situation(opened=opened))
        codes = (violation.code.value for violation in verdict.violations)
        found = {"JOKER" if code.startswith("JOKER_") else code for code in codes}
        seen = [
            faults(*tables, rules, opened=opened) for tables in from_sides(before, after, rules)
        ]
        least = min(map(len, seen))
        expected = [breached for breached in seen if len(breached) == least]
        assert found in expected, (rules, str(lying(before)), str(lying(after)), opened)
        assert verdict.legal is not bool(found)


def from_sides(before: Sets, after: Sets, rules: Ruleset) -> list[tuple[Sets, Sets]]:
    """Both tables as they lie, and from the far side, if as much is legal from there (10.2)."""
    if not rules.two_dimensional:
        return [(before, after)]
    far = [[one[::-1] for one in sets] for sets in (before, after)]
    ways = [(before, after), (far[0], far[1])]
    legals = [sum(legal(one, rules) for one in (*was, *now)) for was, now in ways]
    return [way for way, count in zip(ways, legals, strict=True) if count == max(legals)]


@pytest.mark.parametrize("name", RULES)
@given(seeds)
@settings(deadline=None, max_examples=12)
def test_turns(name: str, random: Random) -> None:
    compare(*turn(random), RULES[name])


@pytest.mark.parametrize("name", [*FLAT, "runny"])
@given(seeds)
@settings(deadline=None, max_examples=12)
def test_a_misread_tile_that_the_camera_is_unsure_of_changes_no_verdict(
    name: str, random: Random
) -> None:
    """What is legal is called nothing else, and what is not is not called legal."""
    rules, (before, after) = load_ruleset(name), turn(random)
    truth = judge_turn(lying(before), lying(after), rules)
    seen = [list(one) for one in after]
    part = random.randrange(len(seen))
    place = random.randrange(len(seen[part]))
    seen[part][place] = str(random.choice(ALL_FACES))
    unsure = frozenset({(part, place)})
    misread = lying([tuple(one) for one in seen])
    verdict = judge_turn(lying(before), misread, rules, Situation(unsure=unsure))
    assert verdict.legal in {None, truth.legal}
    assert judge_table(misread, rules, unsure).ok in {None, truth.table.ok}


@pytest.mark.parametrize(
    "name", [*ruleset_names(), *(name for name in RULES if ", opening" in name)]
)
def test_no_illegal_turn_is_proposed(name: str) -> None:
    random, rules = Random(name), RULES.get(name) or load_ruleset(name)
    for opened in (True, False):
        table = lying([tuple(one) for one in legal_table(random, rules.name, 3)])
        left = {face: exist(str(face), rules) - table.faces[face] for face in ALL_FACES}
        rack = tuple(random.sample([face for face, n in left.items() for _ in range(n)], 14))
        play = best_play(table, rack, rules, opened=opened)
        verdict = judge_turn(table, play.table, rules, Situation(rack=rack, opened=opened))
        assert verdict.legal or not play.tiles, (str(table), str(play.table))


@pytest.mark.parametrize("name", ["crazy", "runny"])
@given(seeds)
@settings(deadline=None, max_examples=60)
def test_turns_where_sets_may_cross_and_do_not(name: str, random: Random) -> None:
    compare(*turn(random, sides=(1,)), load_ruleset(name))
