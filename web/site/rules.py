"""The rulesets for the pages: values, and what each parameter means."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from referee.ruleset import parameters
from referee.ruleset_text import unit
from referee.rulesets import load_ruleset, ruleset_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.ruleset import Ruleset
    from web.site.texts import Texts


@lru_cache
def rules_json() -> dict[str, Any]:
    """Return every ruleset with all its values, and every parameter with its help, in English.

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


def rules_told(texts: Texts, language: str, house: Ruleset | None = None) -> dict[str, Any]:
    """Return what `rules_json` does, with everything that is for people in their language.

    A house ruleset comes first, and says of itself what its file says.

    >>> from web.site.texts import Texts
    >>> rules_told(Texts.load("rules"), "de")["parameters"][1]["meaning"]
    'Die höchste Zahl auf einem Stein.'
    """
    words, found = texts.all(language), rules_json()
    own = [] if house is None else [asdict(house)]
    return {
        "rulesets": own + [_said(one, "summary", words, one["name"]) for one in found["rulesets"]],
        "parameters": [
            _said(_said(one, "meaning", words, one["name"]), "unit", words, one["unit"])
            | {"labels": [_label(words, one["name"], choice) for choice in one["choices"]]}
            for one in found["parameters"]
        ],
    }


def _said(one: dict[str, Any], value: str, words: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return it with one of its values in words; what has none stays as it is."""
    return {**one, value: words.get(f"{value}.{name}", one[value])}


def _label(words: Mapping[str, str], parameter: str, choice: str) -> str:
    """Return what a value means that a parameter can have."""
    return words.get(f"choice.{parameter}.{choice}", choice)


def _kind(kind: object) -> str:
    """Name the kind of field that a page asks for a value with."""
    if kind is bool:
        return "switch"
    if kind is int:
        return "number"
    return "numbers" if kind == tuple[int, ...] else "choice"
