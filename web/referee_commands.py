"""`meldwatch rules`: what the referee knows."""

from __future__ import annotations

import click

from referee import load_ruleset, ruleset_names


@click.command("rules")
def rules_command() -> None:
    """List the rulesets."""
    names = ruleset_names()
    width = max(map(len, names))
    for name in names:
        click.echo(f"{name:{width}}  {load_ruleset(name).title}")
