"""Read the examples and values of the pages in docs/rules, and ask the referee about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee import (
    Situation,
    Table,
    check_set,
    judge_turn,
    load_ruleset,
    parse_set,
    parse_table,
    parse_tiles,
)
from referee.networks import networks
from referee.opening import opening_points
from referee.ruleset import parameters
from referee.scoring import score_round, stalemate_winners

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from referee import Hint, Ruleset, Violation

LEGAL, ILLEGAL = "✓", "✗"
NOTHING: Final = "\N{EN DASH}"
_MINUS: Final = "\N{MINUS SIGN}"
_CODE: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table of a page, its cells by the heads of the columns."""

    page: str
    line: int
    cells: Mapping[str, str]

    @property
    def kind(self) -> str:
        """What the first column is about."""
        return next(iter(self.cells))

    def __str__(self) -> str:
        """Name the row where it stands."""
        return f"{self.page}:{self.line}"


def rows_of(path: Path) -> Iterator[Row]:
    """Yield the rows of all tables of a page."""
    heads: list[str] = []
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in text.strip().strip("|").split("|")]
        if not text.startswith("|"):
            heads = []
        elif not heads:
            heads = cells
        elif not text.startswith("|---"):
            yield Row(path.stem, line, dict(zip(heads, cells, strict=True)))


def notation(cell: str) -> str:
    """Return what a cell shows, in notation."""
    assert cell == NOTHING or _CODE.search(cell), cell
    return " | ".join(_CODE.findall(cell))


def verdict_of(rules: Ruleset, cells: Mapping[str, str]) -> tuple[str, str]:
    """Return whether an example is legal, and what the referee says of it."""
    if "set" in cells:
        return _of_set(rules, cells["set"])
    first = notation(cells.get("first sets", NOTHING))
    before = notation(cells.get("before", cells.get("before, not opened", NOTHING)))
    after = parse_table(first or notation(cells["after"]))
    situation = Situation(
        opened="before" in cells,
        rack=parse_tiles(notation(cells["rack"])) if "rack" in cells else None,
        free_tiles=parse_tiles(notation(cells.get("free", NOTHING))),
        dealt_jokers_played=True,
        joker_due="rack" in cells,
    )
    verdict = judge_turn(parse_table(before), after, rules, situation)
    if not verdict.legal:
        return ILLEGAL, _said(verdict.violations)
    if first:
        return f"{LEGAL} {opening_points(networks(after, rules), rules)} points", ""
    return LEGAL, _said(verdict.warnings) or verdict.story


def _of_set(rules: Ruleset, cell: str) -> tuple[str, str]:
    text = notation(cell)
    if "/" in text:
        verdict = judge_turn(Table(), parse_table(text), rules)
        return (LEGAL, "") if verdict.legal else (ILLEGAL, _said(verdict.violations))
    found = check_set(parse_set(text), rules)
    if not found.valid:
        return ILLEGAL, _said((*found.violations, *found.hints))
    return f"{LEGAL} {' or '.join(map(str, found.points))} points", ""


def _said(found: Iterable[Violation | Hint]) -> str:
    return " ".join(one.message for one in found)


def scores_of(rules: Ruleset, cells: Mapping[str, str]) -> str:
    """Return the scores of a round that ended with these racks."""
    names = [name.removeprefix("left: ") for name in cells if name != "scores"]
    racks = {
        name: parse_tiles(notation(cell))
        for name, cell in zip(names, cells.values(), strict=False)
    }
    out = [name for name in names if not racks[name]] or [*stalemate_winners(racks, rules)]
    winner = out[0] if len(out) == 1 else None
    scores = score_round(racks, rules, winner)
    return ", ".join(f"{name} {score:+d}" for name, score in scores.items()).replace("-", _MINUS)


def shown_value(rules: Ruleset, name: str) -> str:
    """Return a parameter's value as a page shows it."""
    value = getattr(rules, name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "tile_values":
        plain = value == tuple(range(1, len(value) + 1))
        return "face value" if plain else ", ".join(map(str, value))
    return f"`{value}`" if parameters()[name].choices else str(value)


def changed(rules: Ruleset) -> list[str]:
    """Return the parameters in which a ruleset differs from the standard one."""
    standard = load_ruleset("standard")
    return [name for name in parameters() if getattr(rules, name) != getattr(standard, name)]
