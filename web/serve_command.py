"""`meldwatch serve`, `link`, `settings` and `bench events`: the live table and its pages."""

from __future__ import annotations

import json
import logging
import tempfile
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from vision.cameras import hush
from vision.evaluation.bench import machine
from vision.recordings import RecordingError
from vision.resources import ResourceError
from vision.teaching import ProfileError
from web.certificates import CertificateError
from web.ending import told_to_end, wait
from web.live.archive import Archive
from web.options import load_reader
from web.settings import SettingsError, load_settings, settings_and_folder
from web.settings_text import settings_markdown, settings_options, settings_toml
from web.site.announce import announcement, dashboard, open_browser
from web.site.cameras import open_feeds
from web.site.commentary import Commentary, totals
from web.site.data_folder import DataFolder, DataFolderError
from web.site.demo import DemoPlayer, load_game
from web.site.entry import link
from web.site.household import (
    REFUSALS,
    SERVED,
    Given,
    Household,
    choose_port,
    open_household,
)
from web.site.network import hosts_of
from web.site.phones import phones_of
from web.site.roles import Lifetimes, Links, Role
from web.site.server import ServeError
from web.site.tls import Vouched
from web.store import StoreError, open_store

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator

    from web.options import Loader
    from web.settings_sections import Settings
    from web.site.hosts import Hosts

_WRONG: Final = (
    DataFolderError,
    ProfileError,
    RecordingError,
    ResourceError,
    ServeError,
    SettingsError,
    StoreError,
)

_USUAL_GAME: Final = "standard"


@click.command("serve")
@click.option("--demo", is_flag=True, help="Play a recorded game; no camera is needed.")
@click.option("--game", metavar="NAME", help=f"Which, for --demo.  [default: {_USUAL_GAME}]")
@click.option("--loop", is_flag=True, help="Begin the game again at its end.")
@click.option("--once", is_flag=True, help="With --demo: end when the game is over.")
@click.option("--verbose", is_flag=True, help="Write more into the log, on standard error.")
@settings_options
@click.pass_obj
def serve_command(  # noqa: PLR0913 - one parameter an option
    loader: Loader,
    *,
    demo: bool,
    game: str | None,
    loop: bool,
    once: bool,
    verbose: bool,
    settings_path: Path | None,
    flags: dict[str, Any],
) -> None:
    """Watch a table, and show it on pages for every device in the room."""
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    if not verbose:
        hush()
    _check_demo(flags, demo=demo, wanted=bool(game or loop or once))
    try:
        with ExitStack() as stack:
            if demo:
                folder = stack.enter_context(_temporary_folder())
                settings = _apart(load_settings(settings_path, flags))
                served, over = stack.enter_context(
                    _demo(loader, settings, folder, game or _USUAL_GAME, loop=loop)
                )
            else:
                settings, path = settings_and_folder(settings_path, flags)
                folder = DataFolder.open(path)
                stack.enter_context(folder.claimed())
                served, over = stack.enter_context(_table(loader, settings, folder)), None
            _run(
                served,
                settings,
                Role.SPECTATOR if demo else Role.CAMERA,
                over if once else None,
            )
    except _WRONG as error:
        raise click.ClickException(str(error)) from error


def _check_demo(flags: dict[str, Any], *, demo: bool, wanted: bool) -> None:
    """Refuse what would be silently left out: a game without --demo, or a camera with it.

    A demo has neither https nor a set of its own, and keeps its matches apart.
    """
    if wanted and not demo:
        raise click.ClickException("--game, --loop and --once play a recorded game: add --demo")
    for flag in ("--camera", "--https-port", "--set", "--store"):
        if demo and flags.get(flag[2:].replace("-", "_")):
            raise click.ClickException(f"--demo plays a recorded game: leave it out to use {flag}")


def _apart(settings: Settings) -> Settings:
    """Return the settings of a demo: its matches do not belong among real ones."""
    keeping = settings.keeping.model_copy(update={"store": ""})
    return settings.model_copy(update={"keeping": keeping})


@contextmanager
def _temporary_folder() -> Iterator[DataFolder]:
    with tempfile.TemporaryDirectory(prefix="meldwatch-demo-") as path:
        yield DataFolder.open(Path(path))


@contextmanager
def _demo(
    loader: Loader, settings: Settings, folder: DataFolder, game: str, *, loop: bool
) -> Iterator[tuple[Household, threading.Event]]:
    """Serve a recorded game, and tell when it is over."""
    recording, film = load_game(game)
    reader = load_reader(loader, _models(settings))
    given = Given(
        reader=reader,
        feeds=[film],
        open_phone=phones_of(settings),
        hosts=_listening(settings, https=False),
        demo=True,
    )
    with open_household(settings, folder, given) as served:
        player = DemoPlayer(recording, film, served.table, REFUSALS, loop=loop)
        commentary = Commentary(served.table, click.echo, settings.pages.language)
        commentary.start()
        player.start()
        try:
            yield served, player.done
        finally:
            film.close()
            player.close()
            commentary.close()
            click.echo(totals(served.table.snapshot()))


@contextmanager
def _table(loader: Loader, settings: Settings, folder: DataFolder) -> Iterator[Household]:
    """Serve the real thing."""
    hosts = _listening(settings, https=True)
    secure = _vouched(folder, hosts)
    given = Given(
        reader=load_reader(loader, _models(settings)),
        tiles=settings.cameras.set,
        feeds=open_feeds(settings),
        open_phone=phones_of(settings),
        hosts=hosts if secure else replace(hosts, https_port=0),
        tls=secure,
        authority=lambda: secure.ca_der if secure else None,
    )
    with open_household(settings, folder, given) as served:
        yield served


def _vouched(folder: DataFolder, hosts: Hosts) -> Vouched | None:
    """Return what https is served with; None where there is none, or it cannot be kept."""
    if not hosts.https_port:
        return None
    try:
        return Vouched(folder.path / "tls", hosts.vouched)
    except CertificateError as error:
        click.echo(f"Phones can send photos only, no live picture: {error}", err=True)
        return None


def _listening(settings: Settings, *, https: bool) -> Hosts:
    """Return where to listen, which is known to be free."""
    hosts, pages = hosts_of(settings), settings.pages
    secure = choose_port(pages.host, pages.https_port) if https and pages.https_port else 0
    return replace(hosts, http_port=choose_port(pages.host, pages.port), https_port=secure)


def _models(settings: Settings) -> Path | None:
    return Path(settings.cameras.models) if settings.cameras.models else None


def _run(served: Household, settings: Settings, shown: Role, over: threading.Event | None) -> None:
    """Say where the pages are, and serve them until told to end, or until it is `over`."""
    ended = told_to_end()
    click.echo(announcement(served.services, shown))
    if settings.pages.browser:
        open_browser(dashboard(served.services))
    wait(ended, *([over] if over else []))
    if served.services.demo:
        click.echo("Ended; what a demo recorded is not kept.")
    else:
        click.echo("Ended; everything that was recorded is kept.")


@click.command("link")
@click.argument("role", type=click.Choice([str(role) for role in Role]))
@settings_options
def link_command(role: str, *, settings_path: Path | None, flags: dict[str, Any]) -> None:
    """Print a fresh link for ROLE to the table that is served from the same data folder."""
    try:
        settings, path = settings_and_folder(settings_path, flags)
        folder = DataFolder.open(path)
        if not folder.serving:
            told = (
                "no table is served from {} now: the link works once one is, with the same --data"
            )
            click.echo(told.format(folder.path), err=True)
        with open_store(settings.keeping.store or folder.store) as store:
            archive, lifetimes = Archive(store), Lifetimes(**settings.links.model_dump())
            links = Links(folder.secret(), archive, lifetimes)
            hosts = hosts_of(_as_served(settings, archive, flags))
            click.echo(link(links, hosts, Role(role)))
    except _WRONG as error:
        raise click.ClickException(str(error)) from error


def _as_served(settings: Settings, archive: Archive, flags: dict[str, Any]) -> Settings:
    """Return the settings with the address at which the table was served last, unless told."""
    last = json.loads(archive.get(SERVED) or "{}")
    at = {name: value for name, value in last.items() if name not in flags}
    return settings.model_copy(update={"pages": settings.pages.model_copy(update=at)})


@click.command("settings")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--markdown", is_flag=True, help="Print the page of the manual instead.")
def settings_command(file: Path | None, *, markdown: bool) -> None:
    """Print a settings file with every default; or check FILE, and print what it comes to."""
    if markdown:
        click.echo(settings_markdown(), nl=False)
        return
    try:
        click.echo(settings_toml(load_settings(file)), nl=False)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


@click.command("events")
@click.option(
    "--pages", type=click.IntRange(1, 30), default=20, show_default=True, help="How many are open."
)
@click.option(
    "--events", type=click.IntRange(2), default=200, show_default=True, help="How many are told."
)
def events_command(pages: int, events: int) -> None:
    """Measure how long an event takes from the table to open pages.

    The state of a table of 60 tiles is sent whole, by a server on this machine, to pages that
    another process has open; from the moment that the state is there until a page has all of it.
    """
    from web.site.bench import bench_events, events_text  # noqa: PLC0415 - only for those who ask

    click.echo(machine())
    click.echo(events_text(bench_events(pages, events), pages))
