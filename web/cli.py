"""The `meldwatch` command."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from pathlib import Path

    from vision.pipeline import TableReader

# Where each command is, and what it is for. What a command needs is imported when it is asked
# for: all of it together takes seconds, and Ctrl-C in the midst should not end in a traceback.
_COMMANDS: Final = {
    "serve": (
        "web.serve_command:serve_command",
        "Watch a table, and show it on pages for every device.",
    ),
    "doctor": (
        "web.doctor_command:doctor_command",
        "Check networks, cameras, light, ports and disk.",
    ),
    "link": ("web.serve_command:link_command", "Print a fresh link to the table that is served."),
    "settings": (
        "web.serve_command:settings_command",
        "Print a settings file with every default, or check one.",
    ),
    "read": ("web.read_command:read", "Read photos of tables or racks, and judge them."),
    "teach": ("web.teach_command:teach_command", "Teach the reader one's own set of tiles."),
    "sets": ("web.teach_command:sets_command", "List the sets that were taught."),
    "rules": ("web.referee_commands:rules_command", "List, show and check rulesets."),
    "judge": (
        "web.referee_commands:judge_command",
        "Answer requests about sets, tables and turns in JSON.",
    ),
    "label": (
        "web.label_command:label_command",
        "Label photos for training, on a page on this machine.",
    ),
    "evaluate": (
        "web.measure_commands:evaluate_command",
        "Compare what is read with labelled photos or suites.",
    ),
    "bench": (
        "web.measure_commands:bench_command",
        "Measure how long pictures and the referee take.",
    ),
}
_PARTS: Final = {
    "bench": ("web.watch_bench:watch_command", "web.serve_command:events_command"),
}


class _Lazily(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name all commands."""
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command, with those that belong to it."""
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        found = _imported(_COMMANDS[cmd_name][0])
        for part in _PARTS.get(cmd_name, ()):
            found.add_command(_imported(part))
        command: click.Command = found
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])


def _imported(place: str) -> Any:  # noqa: ANN401 - a command, or a group of them
    module, name = place.split(":")
    return getattr(import_module(module), name)


@click.group(cls=_Lazily)
@click.version_option(package_name="meldwatch", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Meldwatch: a camera referee for a real Rummikub table."""
    if ctx.obj is None:
        ctx.obj = _load_table_reader


def _load_table_reader(models_dir: Path | None) -> TableReader:
    from vision.loading import load_table_reader  # noqa: PLC0415 - not every command looks

    return load_table_reader(models_dir)


def main() -> None:
    """Run the command line; a file or an output that cannot be used ends it with one line."""
    if isinstance(sys.stdout, TextIOWrapper):
        # A letter of a name that a terminal or file has no character for is no reason to end.
        sys.stdout.reconfigure(errors="replace")
    try:
        cli(prog_name="meldwatch")
    except OSError as error:
        # What is left in the buffer would fail again, with a traceback, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        what = error.filename or "cannot write the answer"  # which has no name
        click.echo(f"meldwatch: {what}: {error.strerror or error}", err=True)
        sys.exit(1)
