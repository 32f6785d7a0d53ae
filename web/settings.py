"""The settings of `meldwatch serve`.

They come from one TOML file, and flags of `meldwatch serve` go before it.
"""

from __future__ import annotations

import json
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from referee import RulesetError
from web.house_rules import find_ruleset, house_rules
from web.settings_sections import Settings
from web.site.data_folder import DataFolder, usual_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails


class SettingsError(Exception):
    """A setting that cannot be used; the message names it and says why."""


def load_settings(path: Path | None, flags: Mapping[str, Any] | None = None) -> Settings:
    """Read the settings file, if there is one, and put what flags say before it.

    Parameters
    ----------
    flags
        Values by the name of the setting, which is unique among all sections.

    Raises
    ------
    SettingsError
        If the file cannot be read, a setting is unknown, or its value cannot be.
    """
    values = {} if path is None else _read(path)
    for name, value in (flags or {}).items():
        values.setdefault(section_of(name), {})[name] = value
    where = "settings" if path is None else str(path)
    try:
        found = Settings.model_validate(values)
        house_rules(found.table.ruleset) or find_ruleset(found.table.ruleset)
    except ValidationError as error:
        raise SettingsError("\n".join(f"{where}: {text}" for text in _texts(error))) from error
    except RulesetError as error:
        raise SettingsError(f"{where}: table.ruleset: {error}") from error
    return found


def settings_and_folder(
    path: Path | None = None, flags: Mapping[str, Any] | None = None
) -> tuple[Settings, Path]:
    """Return the settings, and the data folder they name.

    By default they are those in the data folder of the flags, or else in the usual place.

    Raises
    ------
    SettingsError
        As `load_settings`.
    """
    usual = usual_folder()
    named = Path(load_settings(None, flags).keeping.data or usual)
    path = path or DataFolder(named).settings or DataFolder(usual).settings
    settings = load_settings(path, flags)
    return settings, Path(settings.keeping.data or usual)


def section_of(name: str) -> str:
    """Return the section that a setting is in.

    >>> section_of("port")
    'pages'
    """
    return next(key for key, part in sections().items() if name in part.model_fields)


def sections() -> dict[str, type[BaseModel]]:
    """Return the model of every section."""
    found = {}
    for name, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found[name] = kind
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        # Some editors write a mark at the beginning of a file.
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}") from error


def _texts(error: ValidationError) -> list[str]:
    return [
        _unknown(tuple(map(str, each["loc"])))
        if each["type"] == "extra_forbidden"
        else f"{'.'.join(map(str, each['loc']))}: expected {_expected(each)}, got {_got(each)}"
        for each in error.errors()
    ]


def _expected(error: ErrorDetails) -> str:
    """Say what can stand there, in the words of a settings file."""
    bounds = error.get("ctx", {})
    words = {
        "string_type": "text in quotes",
        "tuple_type": 'a list, such as ["one", "two"]',
        "int_type": "a whole number",
        "int_parsing": "a whole number",
        "int_from_float": "a whole number",
        "float_type": "a number",
        "float_parsing": "a number",
        "bool_type": "true or false",
        "bool_parsing": "true or false",
        "model_type": "a section of settings",
        "greater_than": f"more than {bounds.get('gt')}",
        "greater_than_equal": f"at least {bounds.get('ge')}",
        "less_than_equal": f"at most {bounds.get('le')}",
    }
    return words.get(error["type"], error["msg"].removeprefix("Value error, "))


def _got(error: ErrorDetails) -> str:
    """Return what stands there as a settings file has it."""
    return json.dumps(error["input"], ensure_ascii=False, default=str)


def _unknown(where: tuple[str, ...]) -> str:
    """Name an unknown setting, and what may have been meant."""
    known = list(sections())
    if len(where) > 1:
        known = list(sections()[where[0]].model_fields)
    near = get_close_matches(where[-1], known, 1)
    what = "setting" if len(where) > 1 else "section"
    meant = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(known)}"
    return f"{'.'.join(where)} is no {what}{meant}"
