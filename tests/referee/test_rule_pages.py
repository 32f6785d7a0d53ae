"""The pages for players say of every example, score and value what the referee says."""

from pathlib import Path

import pytest

from referee import load_ruleset, ruleset_names
from referee.ruleset import parameters
from tests.referee.rule_pages import (
    ILLEGAL,
    LEGAL,
    Row,
    changed,
    rows_of,
    scores_of,
    shown_value,
    verdict_of,
)

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ruleset_names()
ROWS = [row for name in NAMES for row in rows_of(DOCS / "rules" / f"{name}.md")]
EXAMPLES = [row for row in ROWS if "legal" in row.cells]
SCORES = [row for row in ROWS if "scores" in row.cells]
VALUES = [row for row in ROWS if row.kind == "parameter"]


def test_every_ruleset_has_a_page_and_every_page_a_ruleset() -> None:
    assert {path.stem for path in (DOCS / "rules").glob("*.md")} == set(NAMES)
    titles = {name: (DOCS / "rules" / f"{name}.md").read_text("utf-8") for name in NAMES}
    assert [n for n in NAMES if not titles[n].startswith(f"# {load_ruleset(n).title}\n")] == []


@pytest.mark.parametrize("document", ["rulesets.md", "players.md"])
def test_the_pages_are_found(document: str) -> None:
    text = (DOCS / document).read_text("utf-8")
    assert [name for name in NAMES if f"(rules/{name}.md)" not in text] == []


def test_every_row_is_held_to_something() -> None:
    assert len(EXAMPLES) + len(SCORES) + len(VALUES) == len(ROWS)


@pytest.mark.parametrize("row", EXAMPLES, ids=str)
def test_an_example_is_what_the_referee_says(row: Row) -> None:
    legal, says = verdict_of(load_ruleset(row.page), row.cells)
    assert row.cells["legal"] == legal
    assert row.cells["why"]
    assert says in {"", row.cells["why"]}


@pytest.mark.parametrize("name", NAMES)
def test_a_page_shows_what_is_legal_and_what_is_not(name: str) -> None:
    shown = {row.cells["legal"][0] for row in EXAMPLES if row.page == name}
    assert shown == {LEGAL, ILLEGAL}


@pytest.mark.parametrize("row", SCORES, ids=str)
def test_scores_are_those_of_the_rules(row: Row) -> None:
    assert row.cells["scores"] == scores_of(load_ruleset(row.page), row.cells)


@pytest.mark.parametrize("row", VALUES, ids=str)
def test_a_parameter_has_the_value_that_the_page_shows(row: Row) -> None:
    name, rules = row.cells["parameter"].strip("`"), load_ruleset(row.page)
    assert row.cells["meaning"] == parameters()[name].meaning
    assert row.cells["here"] == shown_value(rules, name)
    standard = shown_value(load_ruleset("standard"), name)
    assert row.cells.get("standard", standard) == standard


@pytest.mark.parametrize("name", [name for name in NAMES if name != "standard"])
def test_a_page_lists_all_that_is_different_from_standard(name: str) -> None:
    listed = [row.cells["parameter"].strip("`") for row in VALUES if row.page == name]
    assert listed == changed(load_ruleset(name))
