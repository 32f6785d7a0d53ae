"""`meldwatch rules` and `meldwatch judge`: the referee without pictures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from referee import RulesetError, load_ruleset, load_ruleset_file, ruleset_names
from referee.jsonl import answer_lines
from referee.ruleset_text import changes_text, ruleset_text
from referee.rulesets import UNSUPPORTED
from web.options import RulesetChoice

if TYPE_CHECKING:
    from referee import Ruleset


@click.group("rules", invoke_without_command=True)
@click.pass_context
def rules_command(ctx: click.Context) -> None:
    """List, show and check rulesets; list them where nothing else is asked."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command)


@rules_command.command("list")
def list_command() -> None:
    """List the rulesets, with what sets each apart."""
    names = ruleset_names()
    width = max(map(len, [*names, *UNSUPPORTED]))
    for name in names:
        click.echo(f"{name:{width}}  {load_ruleset(name).summary}")
    click.echo("\nKnown, but not supported:")
    for name, reason in UNSUPPORTED.items():
        click.echo(f"{name:{width}}  {reason}")


@rules_command.command("show")
@click.argument("rules", metavar="NAME", type=RulesetChoice())
def show_command(rules: Ruleset) -> None:
    """Show every parameter of the ruleset NAME, or of a house ruleset's FILE.toml.

    Each with its meaning, unit, default and source. What is shown is itself a ruleset file.
    """
    click.echo(ruleset_text(rules))


@rules_command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
def check_command(file: Path) -> None:
    """Check a house ruleset FILE, and say what it changes.

    Exit code 1 if it is wrong, or cannot be read.
    """
    try:
        rules = load_ruleset_file(file)
    except RulesetError as error:
        raise click.ClickException(f"{file}: {error}") from error
    based = f"extends {rules.extends}" if rules.extends else "gives every value itself"
    click.echo(f"{file}: right; {rules.title!r} {based}")
    click.echo(changes_text(rules) or "It changes nothing.")


@click.command("judge")
@click.option(
    "--jsonl", is_flag=True, required=True, help="Requests in JSON, one a line; answers likewise."
)
def judge_command(*, jsonl: bool) -> None:
    """Answer requests about sets, tables, turns and scores from standard input.

    A line that cannot be understood gets an answer with an error, and the next is read.
    """
    del jsonl  # the only form there is, named so that another can be added
    if sys.stdin is None:
        raise click.ClickException("nothing can be asked: standard input is closed")
    lines = (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    for answer in answer_lines(lines):
        click.echo(answer)
