"""Load rulesets from TOML: the ones of this folder by name, house rules from a file.

A file gives ``extends = "standard"`` and the parameters it changes. Whatever is not a
parameter is refused by name, with the closest one as a suggestion.
"""

from __future__ import annotations

import tomllib
from dataclasses import asdict
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, get_origin

from referee.errors import RulesetError
from referee.phrases import expected, say
from referee.requests import FLAG, TEXT
from referee.ruleset import Parameter, Ruleset, parameters

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from referee.phrases import Phrase

UNSUPPORTED: Final = {
    "american": say(
        "ruleset.american",
        "the 1978 book's American game (stacks, discards, opening at 50) is a different game, "
        "and its rules are not publicly complete",
    ),
    "international": say(
        "ruleset.international",
        "the 1978 book's International game (stacks, a draw and a discard each turn) is a "
        "different game, and its rules are not publicly complete",
    ),
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


_NAMED: Final = 3
_LABELS: Final = ("name", "title", "summary", "extends")


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
        text = say(
            "ruleset.unsupported",
            "ruleset {name} is known but not supported: {reason}",
            name=repr(name),
            reason=UNSUPPORTED[name],
        )
        raise RulesetError(text)
    names = ruleset_names()
    if name not in names:
        text = say(
            "ruleset.none",
            "no ruleset {name}{guess}; known: {names}",
            name=repr(name),
            guess=_guess(name, names),
            names=", ".join(names),
        )
        raise RulesetError(text)
    file = resources.files(__name__) / f"{name}.toml"
    return parse_ruleset(file.read_text(encoding="utf-8"), name)


def load_ruleset_file(path: Path) -> Ruleset:
    """Load a house ruleset, called after its file."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors write a mark at the beginning
    except OSError as error:
        reason = error.strerror or str(error)
        text = say("ruleset.unread", "cannot be read: {reason}", reason=reason)
        raise RulesetError(text) from error
    except UnicodeDecodeError as error:
        raise RulesetError(say("ruleset.no_text", "not TOML: it is not UTF-8 text")) from error
    return parse_ruleset(text, path.stem)


def parse_ruleset(text: str, name: str) -> Ruleset:
    r"""Read a ruleset from TOML text, on top of the one it extends.

    >>> house = parse_ruleset('extends = "standard"\nopening_threshold = 50', "house")
    >>> house.name, house.opening_threshold, house.deal
    ('house', 50, 14)
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        hint = say(
            "ruleset.no_toml",
            "not TOML: {reason}; texts go in quotes, yes and no are true and false, "
            "and nothing is given twice",
            reason=str(error),
        )
        raise RulesetError(hint) from error
    if "name" in given:
        raise RulesetError(
            say("ruleset.name", "name: a ruleset is called after its file, so it gives none")
        )
    parent = given.get("extends", "")
    if parent == name or not isinstance(parent, str):
        raise RulesetError(_cannot_extend(name, parent))
    values = asdict(load_ruleset(parent)) if parent else {"extends": ""}
    rules = build_ruleset({**values, "title": name, "summary": "", **given, "name": name})
    # Not where rules are built: a match that was begun by such rules goes on.
    if rules.min_set > rules.group_max:
        text = say(
            "parameter.groups",
            "min_set: expected at most {most}, which is group_max, got {least}",
            most=rules.group_max,
            least=rules.min_set,
        )
        raise RulesetError(text)
    return rules


def _cannot_extend(name: str, parent: object) -> Phrase:
    if parent in ruleset_names():
        return say(
            "ruleset.ours",
            "extends: {name} is one of our own rulesets; give your file another name",
            name=repr(name),
        )
    return say(
        "ruleset.extends",
        "extends: ruleset {name} cannot extend {parent}",
        name=repr(name),
        parent=repr(parent),
    )


def differences(rules: Ruleset) -> dict[str, tuple[Any, Any]]:
    r"""Return what a ruleset changes in the one that it extends: old values and new ones.

    >>> differences(parse_ruleset('extends = "standard"\nwrap = true\ndeal = 14', "house"))
    {'wrap': (False, True)}
    """
    parent = load_ruleset(rules.extends or "standard")
    pairs = {name: (getattr(parent, name), getattr(rules, name)) for name in parameters()}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def override(rules: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset with some parameters changed, checked like a file's.

    >>> override(load_ruleset("standard"), {"opening_threshold": 50}).opening_threshold
    50
    """
    return build_ruleset({**asdict(rules), **changes}) if changes else rules


def carried(rules: Ruleset) -> tuple[str, dict[str, Any]]:
    r"""Return one of our rulesets by name, and what makes it this one, as a match keeps them.

    So a match played by a house ruleset can be replayed where its file is not.

    >>> name, own = carried(parse_ruleset('extends = "keadle"\nwrap = false', "sunday"))
    >>> name, own["name"], own["wrap"], len(own)
    ('keadle', 'sunday', False, 5)
    >>> carried(load_ruleset("crazy"))
    ('crazy', {})
    """
    if rules.name in ruleset_names():
        return rules.name, {}
    changes = {name: new for name, (_, new) in differences(rules).items()}
    plain = {key: list(new) if isinstance(new, tuple) else new for key, new in changes.items()}
    labels = {key: getattr(rules, key) for key in _LABELS}
    return rules.extends or "standard", labels | plain


def with_joker_preset(rules: Ruleset, preset: str) -> Ruleset:
    """Return the ruleset with the joker rules of a preset (rules reference 4.5).

    >>> with_joker_preset(load_ruleset("standard"), "strict_1978").joker_reuse
    'new2'
    """
    if preset not in JOKER_PRESETS:
        known = tuple(JOKER_PRESETS)
        text = say(
            "ruleset.no_preset",
            "no joker preset {preset}{guess}; known: {names}",
            preset=repr(preset),
            guess=_guess(preset, known),
            names=", ".join(known),
        )
        raise RulesetError(text)
    values = zip(_PRESET_PARAMETERS, JOKER_PRESETS[preset], strict=True)
    return override(rules, dict(values))


def build_ruleset(values: Mapping[str, Any]) -> Ruleset:
    """Check every value and build the ruleset; the first wrong one is refused by name."""
    kinds = (*_LABELS, *parameters())
    for key, value in values.items():
        if isinstance(value, dict):
            text = say(
                "ruleset.section",
                "[{key}]: a ruleset has no sections; leave this line out",
                key=key,
            )
            raise RulesetError(text)
        if key not in kinds:
            near = _guess(key, kinds)
            raise RulesetError(
                say("ruleset.unknown", "unknown parameter {key}{guess}", key=repr(key), guess=near)
            )
    missing = [key for key in kinds if key not in values]
    if missing:
        raise RulesetError(_missing(missing))
    checked: dict[str, Any] = {key: _label(key, values[key]) for key in _LABELS}
    checked |= {key: _checked(about, values[key]) for key, about in parameters().items()}
    rules = Ruleset(**checked)
    _check_together(rules)
    return rules


def _missing(names: list[str]) -> Phrase:
    left = len(names) - _NAMED
    more = say("ruleset.more", " and {count} more", count=left) if left > 0 else ""
    return say(
        "ruleset.missing",
        "missing parameters: {names}{more}; "
        'put extends = "standard" at the top of the file, and give only what differs',
        names=", ".join(names[:_NAMED]),
        more=more,
    )


def _label(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise RulesetError(expected(key, TEXT, repr(value)))
    return value


def _checked(about: Parameter, value: Any) -> Any:  # noqa: ANN401
    """Return the value as the parameter's type, or refuse it."""
    key, kind = about.name, about.kind
    if about.choices:
        if value not in about.choices:
            choices = ", ".join(map(repr, about.choices))
            one_of = say("request.one_of", "one of {choices}", choices=choices)
            raise RulesetError(expected(key, one_of, repr(value)))
        return value
    if kind is int:
        return _within(about, value)
    if get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)) or any(type(item) is not int for item in value):
            numbers = say("request.numbers", "a list of numbers")
            raise RulesetError(expected(key, numbers, repr(value)))
        return tuple(_within(about, item) for item in value)
    if type(value) is not kind:
        raise RulesetError(expected(key, FLAG, repr(value)))
    return value


def _within(about: Parameter, value: object) -> int:
    """Return a whole number, or refuse one that is none or out of bounds."""
    if type(value) is int and about.low <= value <= about.high:
        return value
    within = say("request.within", "a number from {low} to {high}", low=about.low, high=about.high)
    raise RulesetError(expected(about.name, within, repr(value)))


def _check_together(rules: Ruleset) -> None:
    """Refuse values that are right alone, but not beside each other."""
    if len(rules.tile_values) != rules.max_number:
        text = say(
            "parameter.values",
            "tile_values: expected {expected} values, got {given}",
            expected=rules.max_number,
            given=len(rules.tile_values),
        )
        raise RulesetError(text)
    if rules.players_min > rules.players_max:
        text = say(
            "parameter.players",
            "players_min: expected at most {most}, which is players_max, got {least}",
            most=rules.players_max,
            least=rules.players_min,
        )
        raise RulesetError(text)


def _guess(word: str, known: tuple[str, ...]) -> str:
    close = get_close_matches(word, known, n=1)
    return say("ruleset.guess", "; did you mean {word}?", word=repr(close[0])) if close else ""
