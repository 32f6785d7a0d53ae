"""Serve the pages over a canned table: `python -m web.site.preview`."""

from __future__ import annotations

import secrets
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from web.site.app import create_app
from web.site.canned import CannedArchive, CannedTable, CommandRefusedError
from web.site.canned_lessons import CannedTeacher
from web.site.hosts import Hosts
from web.site.roles import Links, Role
from web.site.server import Door, Site
from web.site.services import Services
from web.site.texts import Texts
from web.teaching.lessons import Lessons

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Preview:
    """A running preview."""

    url: str
    table: CannedTable
    services: Services

    def link(self, role: Role | str) -> str:
        """Return a fresh link for a role; an organiser's works once."""
        return f"{self.url}/enter?token={self.services.links.token(Role(role))}"


def canned_services(port: int = 0) -> Services:
    """Return services over a canned table; links last as long as the program."""
    archive = CannedArchive()
    return Services(
        table=CannedTable(),
        archive=archive,
        links=Links(secrets.token_bytes(32), archive),
        hosts=Hosts(http_port=port),
        texts=Texts.load(),
        lessons=Lessons(CannedTeacher()),
        refusals=(CommandRefusedError,),
    )


@contextmanager
def open_preview(port: int = 0) -> Iterator[Preview]:
    """Serve the pages on this machine only; port 0 takes any that is free."""
    known = canned_services(port)
    app = create_app(known)
    app.jinja_env.auto_reload = True
    with Site(app, known.streams, (Door("127.0.0.1", port),)) as site:
        table = known.table
        if not isinstance(table, CannedTable):  # pragma: no cover
            raise TypeError("expected the canned table")
        yield Preview(f"http://127.0.0.1:{site.ports[0]}", table, known)


@click.command()
@click.option("--port", type=int, default=8765, show_default=True, help="Where to listen.")
@click.option(
    "--every", type=float, default=4.0, show_default=True, help="Seconds a scene; 0 stands still."
)
def main(port: int, every: float) -> None:
    """Serve the pages over a canned table that goes through its scenes."""
    with open_preview(port) as preview:
        for role in Role:
            for _ in range(3 if role is Role.ORGANISER else 1):
                click.echo(f"{role:9} {preview.link(role)}")
        click.echo("Ctrl-C ends it.")
        wait = threading.Event()
        try:
            while not wait.wait(every or None):
                preview.table.step()
        except KeyboardInterrupt:
            click.echo("ended")


if __name__ == "__main__":
    main()
