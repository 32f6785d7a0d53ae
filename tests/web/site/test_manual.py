from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from web.cli import cli
from web.site.areas import access_of
from web.site.limits import Rate

if TYPE_CHECKING:
    from tests.web.site.conftest import Site

DOCS = Path(__file__).parents[3] / "docs"
SERVING = (DOCS / "serving.md").read_text(encoding="utf-8")


def test_the_manual_lists_every_route_with_its_role(site: Site) -> None:
    listed = dict(re.findall(r"^\| `((?:GET|POST) /\S*)` \| (\w+) \|", SERVING, re.MULTILINE))
    access, served = access_of(site.app), {}
    for rule in site.app.url_map.iter_rules():
        if rule.endpoint != "static":
            method = "POST" if "POST" in (rule.methods or ()) else "GET"
            roles = sorted(map(str, access[rule.endpoint].roles)) or ["all"]
            served[f"{method} {rule.rule}"] = " ".join(roles)
    assert listed == served


def test_the_manual_tells_every_command() -> None:
    manual = "\n".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    ctx = click.Context(cli)
    for name in cli.list_commands(ctx):
        assert f"meldwatch {name}" in manual, name
        command = cli.get_command(ctx, name)
        if isinstance(command, click.Group):
            for part in command.commands:
                assert f"meldwatch {name} {part}" in manual, (name, part)


def test_the_manual_tells_every_rate() -> None:
    table = SERVING.partition("| requests of one client |")[2].partition("\n\n")[0]
    at_once = [int(row.split("|")[3]) for row in table.splitlines()[2:]]
    assert at_once == [rate.burst for rate in Rate]
