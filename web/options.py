"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import click

from referee import RulesetError
from referee.ruleset import Ruleset
from vision.resources import ResourceError
from web.house_rules import find_ruleset
from web.site.data_folder import DataFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.pipeline import TableReader

_Command = TypeVar("_Command", bound="Callable[..., Any] | click.Command")

Loader: TypeAlias = "Callable[[Path | None], TableReader]"
"""Loads the networks; commands find it as the context's object, so that tests can replace it."""


def load_reader(loader: Loader, models_dir: Path | None, tiles: str = "") -> TableReader:
    """Load the networks, or end the command with one line that says why they cannot be.

    `tiles` names a set that was taught, or it is a profile's file.
    """
    try:
        reader = loader(models_dir)
    except ResourceError as error:
        raise click.ClickException(str(error)) from error
    return taught(reader, tiles) if tiles else reader


def taught(reader: TableReader, tiles: str) -> TableReader:
    """Return a reader that knows a set, or end the command with the reason why it cannot."""
    from vision.teaching import ProfileError, find_profile  # noqa: PLC0415 - scipy takes its time

    try:
        return find_profile(tiles, sets_folder()).table_reader(reader)
    except ProfileError as error:
        raise click.ClickException(str(error)) from error


def sets_folder(data: Path | None = None) -> Path:
    """Return where the sets that were taught are kept: by default where `serve` looks for them."""
    from web.settings import SettingsError, settings_and_folder  # noqa: PLC0415 - takes its time

    try:
        folder = data or settings_and_folder()[1]
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    return DataFolder(folder).sets


class RulesetChoice(click.ParamType[Ruleset]):
    """One of our rulesets by name, or a house ruleset by its file."""

    name = "name"

    def convert(
        self, value: str | Ruleset, param: click.Parameter | None, ctx: click.Context | None
    ) -> Ruleset:
        """Load it; what is wrong with it is wrong usage."""
        if isinstance(value, Ruleset):
            return value
        try:
            return find_ruleset(value)
        except RulesetError as error:
            return self.fail(str(error), param, ctx)


def kind_option(says: str) -> Callable[[_Command], _Command]:
    """Return the option that tells photos of tables from those of racks, with its help."""
    return click.option(
        "--as",
        "kind",
        type=click.Choice(["table", "rack"]),
        default="table",
        show_default=True,
        help=says,
    )


rules_option = click.option(
    "--rules",
    type=RulesetChoice(),
    default="standard",
    show_default=True,
    metavar="NAME|FILE",
    help="The ruleset to judge by: a name of `meldwatch rules list`, or a house ruleset's "
    "FILE.toml.",
)
models_option = click.option(
    "--models",
    "models_dir",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Use the networks of this folder instead of those that come with the program.",
)
data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder where it is kept [default: that of `meldwatch serve`].",
)
set_option = click.option(
    "--set",
    "tiles",
    default="",
    metavar="NAME",
    help="Read with what `meldwatch teach` was taught of the set NAME.",
)
