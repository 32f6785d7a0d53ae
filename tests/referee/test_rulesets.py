"""Rulesets as data: they load, they are documented, and mistakes are refused by name."""

from dataclasses import fields
from pathlib import Path

import pytest

from referee import Ruleset, RulesetError, check_set, load_ruleset, parse_set, ruleset_names
from referee.rulesets import override, parse_ruleset

DOCUMENT = (Path(__file__).parents[2] / "docs" / "rulesets.md").read_text(encoding="utf-8")
NAMES = (
    "crazy",
    "keadle",
    "mcgraw",
    "pressman-1998",
    "rummibug",
    "rummibug-relaxed",
    "runny",
    "sabra-1978",
    "standard",
)


def test_all_rulesets_load() -> None:
    assert ruleset_names() == NAMES
    assert [load_ruleset(name).name for name in NAMES] == list(NAMES)


@pytest.mark.parametrize("name", [field.name for field in fields(Ruleset)])
def test_every_parameter_is_documented(name: str) -> None:
    assert f"`{name}`" in DOCUMENT


@pytest.mark.parametrize(
    "name", [f.name for f in fields(Ruleset) if f.name not in {"name", "title", "tile_values"}]
)
def test_the_documented_default_is_the_standard_value(name: str) -> None:
    row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| `{name}` |"))
    value = getattr(load_ruleset("standard"), name)
    shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    assert row.split("|")[4].strip() == shown


@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_is_documented(name: str) -> None:
    assert f"| `{name}` |" in DOCUMENT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dael = 3", "unknown parameter 'dael'; did you mean 'deal'?"),
        ("deal = -1", "deal: expected a number from 0 to 10000, got -1"),
        ("deal = true", "deal: expected a number from 0 to 10000, got True"),
        ("wrap = 1", "wrap: expected bool, got 1"),
        ("title = 1", "title: expected str, got 1"),
        ('scoring = "D"', "scoring: expected one of 'A', 'B', 'C', 'none', got 'D'"),
        ("tile_values = [1]", "tile_values: expected 13 values, got 1"),
        ('tile_values = "1"', "tile_values: expected a list of numbers, got '1'"),
        ("deal = ", "ruleset 'house' is not TOML"),
    ],
)
def test_a_wrong_house_rule_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_ruleset(f'extends = "standard"\n{text}', "house")
    assert str(caught.value).startswith(message)


def test_a_ruleset_must_be_complete() -> None:
    with pytest.raises(RulesetError, match="missing parameters: colours, max_number"):
        parse_ruleset('title = "bare"', "bare")
    with pytest.raises(RulesetError, match="cannot extend 'house'"):
        parse_ruleset('extends = "house"', "house")


@pytest.mark.parametrize("name", ["american", "international"])
def test_the_other_games_of_1978_are_named_and_not_supported(name: str) -> None:
    with pytest.raises(RulesetError, match="known but not supported: the 1978 book"):
        load_ruleset(name)


def test_house_rules_change_verdicts() -> None:
    standard = load_ruleset("standard")
    repeated = override(standard, {"group_colour_repeat": True})
    assert check_set(parse_set("R7 R7 B7"), repeated).valid
    single = override(standard, {"max_jokers_per_set": 1})
    assert not check_set(parse_set("J R7 J"), single).valid
    unsorted = override(standard, {"accept_unsorted_sets": True})
    assert check_set(parse_set("R5 R3 R4"), unsorted).points == (12,)
    reseated = override(standard, {"joker_position": "reseat"})
    assert check_set(parse_set("R12 R13 J"), reseated).points == (36,)
    assert not check_set(parse_set("R5 R3 R4"), reseated).valid
