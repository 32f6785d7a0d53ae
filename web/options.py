"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import click

from referee import RulesetError, load_ruleset, load_ruleset_file
from referee.ruleset import Ruleset
from vision.pipeline import TableReader
from vision.resources import ResourceError

Loader: TypeAlias = Callable[[Path | None], TableReader]
"""Loads the networks; commands find it as the context's object, so that tests can replace it."""


def load_reader(loader: Loader, models_dir: Path | None) -> TableReader:
    """Load the networks, or end the command with one line that says why they cannot be."""
    try:
        return loader(models_dir)
    except ResourceError as error:
        raise click.ClickException(str(error)) from error


class RulesetChoice(click.ParamType[Ruleset]):
    """One of our rulesets by name, or a house ruleset by its file."""

    name = "name"

    def convert(
        self, value: str | Ruleset, param: click.Parameter | None, ctx: click.Context | None
    ) -> Ruleset:
        """Load it; what is wrong with it is wrong usage."""
        if isinstance(value, Ruleset):
            return value
        house = value.endswith(".toml")
        try:
            return load_ruleset_file(Path(value)) if house else load_ruleset(value)
        except RulesetError as error:
            return self.fail(f"{value}: {error}" if house else str(error), param, ctx)


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
