"""The rulesets for the pages: values, and what each parameter means."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

from referee.ruleset import parameters
from referee.ruleset_text import unit
from referee.rulesets import load_ruleset, ruleset_names


@lru_cache
def rules_json() -> dict[str, Any]:
    """Return every ruleset with all its values, and every parameter with its help.

    >>> rules = rules_json()
    >>> rules["rulesets"][0]["name"], rules["parameters"][0]["meaning"]
    ('standard', 'Colours in the set of tiles, from 2 to 4.')
    """
    return {
        "rulesets": [
            asdict(load_ruleset(name)) for name in sorted(ruleset_names(), key="standard".__ne__)
        ],
        "parameters": [
            {
                "name": about.name,
                "section": about.section,
                "meaning": about.meaning,
                "unit": unit(about),
                "source": about.source,
                "kind": _kind(about.kind),
                "choices": about.choices,
                "low": about.low,
                "high": about.high,
            }
            for about in parameters().values()
        ],
    }


def _kind(kind: object) -> str:
    """Name the kind of field that a page asks for a value with."""
    if kind is bool:
        return "switch"
    if kind is int:
        return "number"
    return "numbers" if kind == tuple[int, ...] else "choice"
