"""The settings as a commented file, as a page of the manual, and as flags."""

from __future__ import annotations

import json
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast, get_args, get_origin

import click

from web.settings import sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic.fields import FieldInfo

    from web.settings_sections import Settings

_settings_option: Final = click.option(
    "--settings",
    "settings_path",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Take settings from this TOML file [default: settings.toml in the folder of --data, "
    "or else in the usual one].",
)


def settings_toml(settings: Settings) -> str:
    """Return the settings as a TOML file that tells what each means."""
    return "\n".join(_toml_lines(settings)) + "\n"


def _toml_lines(settings: Settings) -> Iterator[str]:
    yield "# Settings of `meldwatch serve`; a flag of the same name goes before each."
    for section, model in sections().items():
        yield f"\n# {model.__doc__}"
        yield f"[{section}]"
        for name, field in model.model_fields.items():
            yield f"\n# {field.description}"
            yield f"# {_facts(field)}"
            yield f"{name} = {_value(getattr(getattr(settings, section), name))}"


def settings_markdown() -> str:
    """Return the page of the manual."""
    return "\n".join(_markdown_lines()) + "\n"


def _markdown_lines() -> Iterator[str]:
    yield "# Settings"
    yield "`meldwatch serve` takes its settings from one TOML file (`--settings FILE`, else"
    yield "`settings.toml` in the folder of `--data`, or else in the usual data folder) and from"
    yield "flags, which go before the file."
    yield "`meldwatch settings` prints a file with every default. A key that is not listed here"
    yield "is refused by its name. This page is written by `meldwatch settings --markdown`."
    for section, model in sections().items():
        yield f"\n## `[{section}]`"
        yield f"{model.__doc__}\n"
        yield "| setting | flag | default | unit | bounds | meaning |"
        yield "|---|---|---|---|---|---|"
        for name, field in model.model_fields.items():
            default = f"`{_value(field.default)}`"
            yield (
                f"| `{name}` | `{flag(name, field)}` | {default} | {unit(field)} "
                f"| {_bounds(field)} | {field.description} |"
            )


def unit(field: FieldInfo) -> str:
    """Return what a setting counts, or what kind of value it has."""
    extra = cast("dict[str, Any]", field.json_schema_extra)
    if extra["unit"]:
        return str(extra["unit"])
    if field.annotation is bool:
        return "true or false"
    return "list of texts" if get_origin(field.annotation) is tuple else "text"


def flag(name: str, field: FieldInfo) -> str:
    """Return how a setting is given on the command line."""
    dashed = name.replace("_", "-")
    return f"--{dashed}/--no-{dashed}" if field.annotation is bool else f"--{dashed}"


def settings_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--settings`, and a flag for every setting.

    It gets the file's path as `settings_path`, and in `flags` what was given, by setting.
    """
    fields = [item for model in sections().values() for item in model.model_fields.items()]

    @wraps(command)
    def with_flags(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - as the command
        flags = {name: options.pop(name) for name, _ in fields}
        given = {name: value for name, value in flags.items() if value not in {None, ()}}
        return command(*args, flags=given, **options)

    for name, field in reversed(fields):
        many = get_origin(field.annotation) is tuple
        kind = get_args(field.annotation)[0] if many else field.annotation
        option = click.option(
            flag(name, field),
            name,
            type=kind,
            multiple=many,
            default=None,
            help=f"{field.description} [{_facts(field)}]",
        )
        option(with_flags)
    return _settings_option(with_flags)


def _facts(field: FieldInfo) -> str:
    bounds = _bounds(field)
    return f"{unit(field)}{f', {bounds}' if bounds else ''}; default {_value(field.default)}"


def _bounds(field: FieldInfo) -> str:
    """Say between what a number must lie."""
    found = {
        key: getattr(rule, key)
        for rule in field.metadata
        for key in ("ge", "gt", "le")
        if hasattr(rule, key)
    }
    low = f"above {found['gt']}" if "gt" in found else f"from {found.get('ge')}"
    return f"{low} to {found['le']}" if found else ""


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
