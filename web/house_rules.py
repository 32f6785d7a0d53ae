"""A ruleset by its name, or a house ruleset by its file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.errors import RulesetError
from referee.rulesets import load_ruleset, load_ruleset_file, ruleset_names

if TYPE_CHECKING:
    from referee.ruleset import Ruleset

ENDING: Final = ".toml"


def is_file(ruleset: str) -> bool:
    """Tell whether a house ruleset's file is meant, and no name.

    >>> is_file("sunday.toml"), is_file("standard")
    (True, False)
    """
    return ruleset.endswith(ENDING)


def find_ruleset(ruleset: str) -> Ruleset:
    """Return one of our rulesets by name, or a house ruleset by its file.

    Raises
    ------
    RulesetError
        If there is none, or something in the file is wrong; the message begins with the file.
    """
    if not is_file(ruleset):
        return load_ruleset(ruleset)
    try:
        return load_ruleset_file(Path(ruleset).expanduser())
    except RulesetError as error:
        raise RulesetError(f"{ruleset}: {error}") from error


def house_rules(ruleset: str) -> Ruleset | None:
    """Return the house ruleset of a file, to be chosen beside our own; None for a name.

    Raises
    ------
    RulesetError
        If it cannot be loaded, or is called like one of ours.
    """
    if not is_file(ruleset):
        return None
    rules = find_ruleset(ruleset)
    if rules.name in ruleset_names():
        raise RulesetError(
            f"{ruleset}: {rules.name!r} is one of our own rulesets; give your file another name"
        )
    return rules
