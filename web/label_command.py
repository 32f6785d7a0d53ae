"""`meldwatch label`: propose labels for photos, and let a person put them right on a page."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from vision.labels import LabelError
from vision.pictures import PictureError
from web.ending import told_to_end, wait
from web.label.app import ADDRESS, create_app
from web.label.book import LabelBook
from web.label.desk import Desk, prepare
from web.label.package import ENDING, open_report
from web.label.proposals import Proposer
from web.options import load_reader, models_option
from web.site.announce import open_browser
from web.site.server import Door, ServeError, Site
from web.site.streams import StreamLimits, Streams
from web.site.texts import Texts
from web.text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from web.label.corrections import Correction

_Picture: TypeAlias = "tuple[Path, tuple[Correction, ...]]"

_USUAL_NAME: Final = "labels.json"
# There are no streams here, but a browser that loads all of a page at once needs its threads.
_ROOM: Final = StreamLimits(most=12, organisers=0, per_device=12, per_address=30)


@click.command("label")
@click.argument(
    "photos",
    nargs=-1,
    required=True,
    metavar="PHOTO...",
    type=click.Path(path_type=Path, readable=False),
)
@click.option(
    "--out",
    metavar="LABELS.json",
    type=click.Path(path_type=Path),
    help="Write the labels into this file, and go on with those in it "
    f"[default: {_USUAL_NAME} beside the first photo].",
)
@models_option
@click.option("--no-browser", is_flag=True, help="Open no browser, only print the address.")
@click.pass_context
def label_command(
    ctx: click.Context,
    photos: tuple[Path, ...],
    *,
    out: Path | None,
    models_dir: Path | None,
    no_browser: bool,
) -> None:
    """Label photos for training: the networks propose, a person puts right on a local page.

    A report of a bad reading (.zip), as the dashboard saves it, is taken like a photo.
    Every change is kept at once; started again with the same file, it goes on where it was.
    Exit code 1 if a photo could not be read.
    """
    path = out or photos[0].parent / _USUAL_NAME
    try:
        book = _open_book(path)
        proposer = Proposer(load_reader(ctx.obj, models_dir))
        pictures = tuple(map(_picture, photos))
        wanted = _each_once(filter(None, pictures))
        ready = _prepare(wanted, book, proposer)
        if ready:
            desk = Desk(ready, book, proposer)
            with open_site(desk) as address:
                _wait(address, browser=not no_browser)
            _say_goodbye(desk, path)
    except (LabelError, ServeError) as error:
        raise click.ClickException(str(error)) from error
    if None in pictures or len(ready) < len(wanted):
        ctx.exit(1)


@contextmanager
def open_site(desk: Desk) -> Iterator[str]:
    """Serve the page to this machine only, and yield its address."""
    token = secrets.token_urlsafe(16)
    app = create_app(desk, Texts.load(), token)
    with Site(app, Streams(_ROOM), (Door(ADDRESS, 0),)) as site:
        yield f"http://{ADDRESS}:{site.ports[0]}/{token}/"


def _open_book(path: Path) -> LabelBook:
    """Open the label file, or make the folder that it is to be in."""
    book = LabelBook.open(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabelError(
            f"cannot make the folder {path.parent}: {error.strerror}; choose another with --out"
        ) from error
    return book


def _picture(photo: Path) -> _Picture | None:
    """Return a photo as it is, and a report's picture with what was put right in it.

    None where it has none, which is said.
    """
    if photo.suffix.lower() != ENDING:
        return photo, ()
    try:
        report = open_report(photo)
    except PictureError as error:
        click.echo(f"{photo}: {error}", err=True)
        return None
    if report.note:
        click.echo(f"{photo}: {report.note}")
    return report.picture, report.corrections


def _each_once(pictures: Iterable[_Picture]) -> dict[Path, tuple[Correction, ...]]:
    """Return photos with what is known of them, though they be given twice."""
    found: dict[Path, tuple[Correction, ...]] = {}
    for photo, corrections in pictures:
        found[photo] = corrections or found.get(photo, ())
    return found


def _prepare(
    photos: dict[Path, tuple[Correction, ...]], book: LabelBook, proposer: Proposer
) -> tuple[Path, ...]:
    """Put labels for every photo into the file; return the photos that could be read."""
    entries = {}
    for photo, corrections in photos.items():
        try:
            entry = entries[photo] = prepare(photo, book, proposer, corrections)
        except (PictureError, LabelError) as error:
            click.echo(f"{photo}: {error}", err=True)
            continue
        unsure = sum(bool(tile.doubt) for tile in entry.tiles)
        state = "done" if entry.checked else f"{unsure} unsure"
        click.echo(f"{photo}: {count(len(entry.tiles), 'tile')}, {state}")
        if len(entries) == 1:  # so that who cannot write here need not wait to be told
            book.put(entry)
    if entries:
        book.put(*entries.values())
    return tuple(entries)


def _wait(address: str, *, browser: bool) -> None:
    """Say where the page is, and wait until told to end."""
    ended = told_to_end()
    click.echo(f"Open {address} on this machine; Ctrl-C ends it.")
    if browser:
        open_browser(address)
    wait(ended)


def _say_goodbye(desk: Desk, path: Path) -> None:
    now = desk.progress
    click.echo(f"Done: {now.checked} of {count(now.photos, 'photo')}; the labels are in {path}.")
    if now.checked < now.photos:
        click.echo("The others are not trained on until they are done: start again to go on.")
