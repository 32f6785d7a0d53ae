"""Load rulesets from TOML: the ones of this folder by name, house rules from a file.

A file gives ``extends = "standard"`` and the parameters it changes. Whatever is not a
parameter is refused by name, with the closest one as a suggestion.
"""

from __future__ import annotations

import tomllib
from dataclasses import fields
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin, get_type_hints

from referee.errors import RulesetError
from referee.ruleset import Ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

UNSUPPORTED: Final = {
    "american": "the 1978 book's American game (stacks, discards, opening at 50) is a different "
    "game, and its rules are not publicly complete",
    "international": "the 1978 book's International game (stacks, a draw and a discard each "
    "turn) is a different game, and its rules are not publicly complete",
}
_PRESET_PARAMETERS: Final = (
    "joker_pickup",
    "joker_source",
    "joker_reuse",
    "joker_group3",
    "joker_set_locked",
)
JOKER_PRESETS: Final = {
    "free": ("free", "any", "any", "one", False),
    "replace_any_source": ("replace", "any", "any", "one", False),
    "replace_new_set": ("replace", "any", "new", "one", False),
    "rack_only_new_set": ("replace", "rack", "new", "one", False),
    "strict_1978": ("replace", "rack", "new2", "one", True),
    "tournament_both_missing": ("replace", "rack", "new2", "both", True),
}
_BOUNDS: Final = {
    "colours": (2, 4),
    "max_number": (3, 13),
    "copies": (1, 8),
    "jokers": (0, 8),
    "jokers_above_four_players": (0, 8),
    "players_min": (1, 12),
    "players_max": (1, 12),
    "min_set": (2, 13),
    "group_max": (2, 16),
}
_MOST: Final = 10_000


def ruleset_names() -> tuple[str, ...]:
    """Names of the rulesets that can be loaded.

    >>> "standard" in ruleset_names()
    True
    """
    found = (entry.name for entry in resources.files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@lru_cache
def load_ruleset(name: str) -> Ruleset:
    """Load one of our rulesets by name.

    >>> load_ruleset("standard").opening_threshold
    30
    >>> load_ruleset("standrad")
    Traceback (most recent call last):
    ...
    referee.errors.RulesetError: no ruleset 'standrad'; did you mean 'standard'?; known: ...
    """
    if name in UNSUPPORTED:
        raise RulesetError(f"ruleset {name!r} is known but not supported: {UNSUPPORTED[name]}")
    names = ruleset_names()
    if name not in names:
        raise RulesetError(f"no ruleset {name!r}{_guess(name, names)}; known: {', '.join(names)}")
    text = (resources.files(__name__) / f"{name}.toml").read_text(encoding="utf-8")
    return parse_ruleset(text, name)


def parse_ruleset(text: str, name: str) -> Ruleset:
    r"""Read a ruleset from TOML text, on top of the one it extends.

    >>> house = parse_ruleset('extends = "standard"\nopening_threshold = 50', "house")
    >>> house.name, house.opening_threshold, house.deal
    ('house', 50, 14)
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"ruleset {name!r} is not TOML: {error}") from error
    parent = given.pop("extends", None)
    values: dict[str, Any] = {"title": name}
    if parent is not None:
        if parent == name or not isinstance(parent, str):
            raise RulesetError(f"ruleset {name!r} cannot extend {parent!r}")
        values |= _as_dict(load_ruleset(parent))
    return build_ruleset({**values, **given, "name": name})


def override(rules: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset with some parameters changed, checked like a file's.

    >>> override(load_ruleset("standard"), {"opening_threshold": 50}).opening_threshold
    50
    """
    return build_ruleset({**_as_dict(rules), **changes}) if changes else rules


def with_joker_preset(rules: Ruleset, preset: str) -> Ruleset:
    """Return the ruleset with the joker rules of a preset (rules reference 4.5).

    >>> with_joker_preset(load_ruleset("standard"), "strict_1978").joker_reuse
    'new2'
    """
    if preset not in JOKER_PRESETS:
        known = tuple(JOKER_PRESETS)
        raise RulesetError(
            f"no joker preset {preset!r}{_guess(preset, known)}; known: {', '.join(known)}"
        )
    values = zip(_PRESET_PARAMETERS, JOKER_PRESETS[preset], strict=True)
    return override(rules, dict(values))


def build_ruleset(values: Mapping[str, Any]) -> Ruleset:
    """Check every value and build the ruleset; the first wrong one is refused by name."""
    kinds = _kinds()
    for key in values:
        if key not in kinds:
            raise RulesetError(f"unknown parameter {key!r}{_guess(key, tuple(kinds))}")
    missing = [key for key in kinds if key not in values]
    if missing:
        raise RulesetError(f"missing parameters: {', '.join(missing)} (extend 'standard'?)")
    checked = {key: _checked(key, kind, values[key]) for key, kind in kinds.items()}
    rules = Ruleset(**checked)
    if len(rules.tile_values) != rules.max_number:
        raise RulesetError(
            f"tile_values: expected {rules.max_number} values, got {len(rules.tile_values)}"
        )
    return rules


@lru_cache
def _kinds() -> dict[str, Any]:
    """Return the type of every parameter."""
    return get_type_hints(Ruleset)


def _checked(key: str, kind: Any, value: Any) -> Any:  # noqa: ANN401
    """Return the value as the parameter's type, or refuse it."""
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            choices = ", ".join(map(repr, get_args(kind)))
            raise RulesetError(f"{key}: expected one of {choices}, got {value!r}")
        return value
    if kind is int:
        low, high = _BOUNDS.get(key, (0, _MOST))
        if type(value) is not int or not low <= value <= high:
            raise RulesetError(f"{key}: expected a number from {low} to {high}, got {value!r}")
        return value
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)) or any(type(item) is not int for item in value):
            raise RulesetError(f"{key}: expected a list of numbers, got {value!r}")
        return tuple(value)
    if type(value) is not kind:
        raise RulesetError(f"{key}: expected {kind.__name__}, got {value!r}")
    return value


def _as_dict(rules: Ruleset) -> dict[str, Any]:
    return {field.name: getattr(rules, field.name) for field in fields(rules)}


def _guess(word: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(word, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
