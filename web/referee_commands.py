"""`meldwatch rules` and `meldwatch judge`: the referee without pictures."""

from __future__ import annotations

import sys

import click

from referee import load_ruleset, ruleset_names
from referee.jsonl import answer_lines


@click.command("rules")
def rules_command() -> None:
    """List the rulesets."""
    names = ruleset_names()
    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:{width}}  {load_ruleset(name).title}")


@click.command("judge")
@click.option(
    "--jsonl", is_flag=True, required=True, help="Requests in JSON, one a line; answers likewise."
)
def judge_command(*, jsonl: bool) -> None:
    """Answer requests about sets, tables, turns and scores from standard input.

    A line that cannot be understood gets an answer with an error, and the next is read.
    """
    del jsonl  # the only form there is, named so that another can be added
    lines = (line.decode("utf-8", "replace") for line in sys.stdin.buffer)
    for answer in answer_lines(lines):
        click.echo(answer)
