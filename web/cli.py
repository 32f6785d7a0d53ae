"""The `meldwatch` command."""

from __future__ import annotations

import os
import sys

import click

from vision.loading import load_table_reader
from web.doctor_command import doctor_command
from web.label_command import label_command
from web.measure_commands import bench_command, evaluate_command
from web.read_command import read
from web.referee_commands import judge_command, rules_command
from web.serve_command import events_command, link_command, serve_command, settings_command
from web.teach_command import sets_command, teach_command
from web.watch_bench import watch_command


@click.group()
@click.version_option(package_name="meldwatch", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Meldwatch: a camera referee for a real Rummikub table."""
    if ctx.obj is None:
        ctx.obj = load_table_reader


cli.add_command(read)
cli.add_command(evaluate_command)
cli.add_command(label_command)
cli.add_command(bench_command)
bench_command.add_command(watch_command)
cli.add_command(judge_command)
cli.add_command(rules_command)
cli.add_command(serve_command)
cli.add_command(teach_command)
cli.add_command(sets_command)
cli.add_command(doctor_command)
cli.add_command(link_command)
cli.add_command(settings_command)
bench_command.add_command(events_command)


def main() -> None:
    """Run the command line; output that cannot be written ends it with one line."""
    try:
        cli(prog_name="meldwatch")
    except OSError as error:
        # What is left in the buffer would fail again, with a traceback, when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"meldwatch: cannot write the answer: {error.strerror or error}", err=True)
        sys.exit(1)
