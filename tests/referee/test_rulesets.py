"""Rulesets as data: they load, they are documented, and mistakes are refused by name."""

from dataclasses import fields
from pathlib import Path

import pytest

from referee import (
    Ruleset,
    RulesetError,
    check_set,
    judge_table,
    load_ruleset,
    load_ruleset_file,
    parse_set,
    parse_table,
    ruleset_names,
)
from referee.ruleset import Parameter, parameters
from referee.ruleset_text import changes_text, ruleset_text
from referee.rulesets import differences, override, parse_ruleset

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


def row(about: Parameter) -> str:
    """The line that documents one parameter."""
    value = getattr(load_ruleset("standard"), about.name)
    default = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    if about.name == "tile_values":
        default = "face value"
    values = ", ".join(f"`{choice}`" for choice in about.choices)
    unit = about.unit or values or "yes or no"
    return f"| `{about.name}` | {about.meaning} | {unit} | {default} | {about.source} |"


@pytest.mark.parametrize("about", parameters().values(), ids=lambda about: about.name)
def test_every_parameter_is_documented_as_the_program_shows_it(about: Parameter) -> None:
    assert row(about) in DOCUMENT.splitlines()
    assert f"## {about.section}" in DOCUMENT.splitlines()


def test_every_field_but_the_labels_is_a_parameter() -> None:
    names = [field.name for field in fields(Ruleset)]
    assert names == ["name", "title", "summary", "extends", *parameters()]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_shown_is_a_ruleset_file(name: str) -> None:
    rules = load_ruleset(name)
    assert parse_ruleset(ruleset_text(rules), name) == rules


def test_changes_are_told() -> None:
    house = parse_ruleset('extends = "keadle"\nwrap = false\ndeal = 14', "house")
    assert (house.title, house.extends) == ("house", "keadle")
    assert changes_text(house) == "wrap = false (keadle: true)"
    assert differences(load_ruleset("standard")) == {}


def test_joker_rules_that_go_unheeded_are_told() -> None:
    new_set, replaced = 'extends = "standard"\njoker_reuse = "new"', 'joker_pickup = "replace"'
    told = changes_text(parse_ruleset(new_set, "house"))
    assert told.endswith('Heeded only with joker_pickup = "replace": joker_reuse.')
    assert "Heeded" not in changes_text(parse_ruleset(f"{new_set}\n{replaced}", "house"))
    assert "Heeded" not in changes_text(parse_ruleset('extends = "keadle"\nwrap = false', "house"))
    loose = 'extends = "keadle"\njoker_pickup = "free"'
    assert "Heeded" not in changes_text(parse_ruleset(loose, "house"))


def test_a_house_ruleset_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sunday.toml"
    path.write_text('extends = "standard"\nopening_threshold = 50\n', "utf-8")
    house = load_ruleset_file(path)
    assert (house.name, house.opening_threshold) == ("sunday", 50)
    path.write_bytes(b"\xff")
    with pytest.raises(RulesetError, match="not UTF-8"):
        load_ruleset_file(path)
    with pytest.raises(RulesetError, match="cannot be read: No such file"):
        load_ruleset_file(tmp_path / "none.toml")


@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_is_documented(name: str) -> None:
    assert f"| [`{name}`](rules/{name}.md) | {load_ruleset(name).summary} |" in DOCUMENT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dael = 3", "unknown parameter 'dael'; did you mean 'deal'?"),
        ("deal = -1", "deal: expected a number from 0 to 10000, got -1"),
        ("deal = true", "deal: expected a number from 0 to 10000, got True"),
        ("wrap = 1", "wrap: expected true or false, got 1"),
        ("title = 1", "title: expected text, got 1"),
        ('scoring = "D"', "scoring: expected one of 'A', 'B', 'C', 'none', got 'D'"),
        ("tile_values = [1]", "tile_values: expected 13 values, got 1"),
        ("tile_values = [1, -5]", "tile_values: expected a number from 0 to 10000, got -5"),
        ("tile_values = [1, 10001]", "tile_values: expected a number from 0 to 10000, got 10001"),
        ('tile_values = "1"', "tile_values: expected a list of numbers, got '1'"),
        ("players_min = 5", "players_min: expected at most 4, which is players_max, got 5"),
        ("min_set = 9", "min_set: expected at most 4, which is group_max, got 9"),
        ('name = "x"', "name: a ruleset is called after its file"),
        ("deal = ", "not TOML: "),
        ("[turn]\ntimer_s = 60", "[turn]: a ruleset has no sections; leave this line out"),
    ],
)
def test_a_wrong_house_rule_is_refused_by_name(text: str, message: str) -> None:
    with pytest.raises(RulesetError) as caught:
        parse_ruleset(f'extends = "standard"\n{text}', "house")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("text", ["title = Sunday", "wrap = yes", "deal = 13\ndeal = 14\n"])
def test_a_file_that_is_not_toml_is_told_where_and_what_to_write(text: str) -> None:
    with pytest.raises(RulesetError, match=r"at line \d.*quotes.*true.*twice"):
        parse_ruleset(text, "house")


def test_a_ruleset_must_be_complete() -> None:
    with pytest.raises(RulesetError, match="missing parameters: colours, max_number") as caught:
        parse_ruleset('title = "bare"', "bare")
    assert len(str(caught.value)) < 200
    assert 'extends = "standard"' in str(caught.value)
    with pytest.raises(RulesetError, match="cannot extend 'house'"):
        parse_ruleset('extends = "house"', "house")
    with pytest.raises(RulesetError, match="give your file another name"):
        parse_ruleset('extends = "standard"', "standard")


def test_a_mark_that_an_editor_put_at_the_beginning_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('extends = "standard"\ndeal = 16\n', encoding="utf-8-sig")
    assert load_ruleset_file(file).deal == 16


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
    assert check_set(parse_set("R5 J R3 R4"), unsorted).points == (14, 18)
    reseated = override(standard, {"joker_position": "reseat"})
    assert check_set(parse_set("R12 R13 J"), reseated).points == (36,)
    assert check_set(parse_set("J R9 R10"), reseated).points == (27, 30)
    assert not check_set(parse_set("R5 R3 R4"), reseated).valid


def test_tiles_that_the_rules_do_not_have() -> None:
    fewer = {"colours": 3, "max_number": 9, "tile_values": [*range(1, 10)]}
    for base in ("standard", "crazy"):
        rules = override(load_ruleset(base), fewer)
        for lying, tile in (("K5 K6 K7", "Black 5"), ("O11 J", "Orange 11")):
            verdict = judge_table(parse_table(lying), rules)
            assert verdict.ok is False
            assert (
                f"{tile} is not among the tiles of these rules: "
                "it is misread or from another set of tiles."
            ) in [violation.message for violation in verdict.violations]


def test_house_rules_may_be_combined() -> None:
    both = override(load_ruleset("crazy"), {"run_rule": "one_or_all_colours"})
    assert not check_set(parse_set("R12 B3"), both).valid  # red 1, red 2, blue 3
    circle = override(load_ruleset("keadle"), {"zero": True})
    (violation,) = check_set(parse_set("R12 R13 R1"), circle).violations
    assert violation.message == "Red 12, Red 13, Red 1 do not make a set."
