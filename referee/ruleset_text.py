"""Rulesets in text: all values with their meanings, and what a house ruleset changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from referee.ruleset import parameters
from referee.rulesets import differences, load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.ruleset import Parameter, Ruleset

_OF_REPLACING: Final = frozenset(
    {"joker_source", "joker_reuse", "joker_replacement", "joker_group3", "joker_set_locked"}
)


def ruleset_text(rules: Ruleset) -> str:
    """Return every parameter with its value, unit, default and meaning, as a ruleset file.

    >>> from referee.rulesets import parse_ruleset
    >>> mcgraw = load_ruleset("mcgraw")
    >>> parse_ruleset(ruleset_text(mcgraw), "mcgraw") == mcgraw
    True
    """
    return "\n".join(_lines(rules))


def _lines(rules: Ruleset) -> Iterator[str]:
    standard, section = load_ruleset("standard"), ""
    yield f"# {rules.name}{f': {rules.summary}' if rules.summary else ''}"
    for label in ("extends", "title", "summary"):
        if getattr(rules, label):
            yield f"{label} = {toml(getattr(rules, label))}"
    for name, about in parameters().items():
        if about.section != section:
            section = about.section
            yield f"\n## {section}"
        default = toml(getattr(standard, name))
        yield f"\n# {about.meaning}"
        yield f"# {unit(about)}; default {default}; rules reference {about.source}"
        yield f"{name} = {toml(getattr(rules, name))}"


def unit(about: Parameter) -> str:
    """Return what a parameter counts, or the values that it may have.

    >>> unit(parameters()["deal"]), unit(parameters()["wrap"]), unit(parameters()["joker_group3"])
    ('tiles', 'true or false', '"one", "both"')
    """
    if about.choices:
        return ", ".join(map(toml, about.choices))
    return about.unit or "true or false"


def toml(value: object) -> str:
    """Write a parameter's value as TOML does.

    >>> toml(True), toml("any"), toml((1, 2))
    ('true', '"any"', '[1, 2]')
    """
    return json.dumps(value, ensure_ascii=False)


def changes_text(rules: Ruleset) -> str:
    r"""Say what a ruleset changes in the one that it extends.

    >>> from referee.rulesets import parse_ruleset
    >>> print(changes_text(parse_ruleset('extends = "standard"\ndeal = 12', "house")))
    deal = 12 (standard: 14)
    """
    parent, changes = rules.extends or "standard", differences(rules)
    lines = [
        f"{name} = {toml(new)} ({parent}: {toml(old)})" for name, (old, new) in changes.items()
    ]
    unheeded = [name for name in changes if name in _OF_REPLACING]
    if unheeded and rules.joker_pickup == "free":
        lines.append(f'Heeded only with joker_pickup = "replace": {", ".join(unheeded)}.')
    return "\n".join(lines)
