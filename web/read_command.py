"""`meldwatch read`: pictures in, verdicts out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.annotation import annotate, save_annotated
from vision.findings import find
from vision.leftovers import leftovers
from vision.pictures import PictureError, load_picture
from vision.report import error_report, photo_report, rack_report
from web.options import kind_option, load_reader, models_option, rules_option, set_option
from web.text import photo_text, rack_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader, TableReading
    from vision.types import Pixels


@click.command()
@click.argument(
    "photos", nargs=-1, required=True, metavar="PHOTO...", type=click.Path(readable=False)
)
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON, one line a photo.")
@click.option(
    "--annotated",
    "annotated_dir",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write annotated pictures into this folder, which is made if need be.",
)
@kind_option("A table's sets are judged; a rack's tiles are listed and valued.")
@rules_option
@set_option
@models_option
@click.pass_context
def read(  # noqa: PLR0913 - one parameter an option
    ctx: click.Context,
    photos: tuple[str, ...],
    *,
    as_json: bool,
    annotated_dir: Path | None,
    kind: str,
    rules: Ruleset,
    tiles: str,
    models_dir: Path | None,
) -> None:
    """Read photos of tables, and judge the sets in them; or of racks, and value their tiles.

    Exit code 0 if every photo was read (whatever the verdict), 1 if one was not or its
    annotated picture could not be written, 2 for wrong usage.
    """
    album = None if annotated_dir is None else _Album.open(annotated_dir)
    reader = load_reader(ctx.obj, models_dir, tiles)
    tell = _rack if kind == "rack" else _table
    answered = [
        _answer(photo, reader, rules, tell, album=album, as_json=as_json) for photo in photos
    ]
    if not all(answered):
        ctx.exit(1)


def _answer(  # noqa: PLR0913 - everything is passed in
    photo: str,
    reader: TableReader,
    rules: Ruleset,
    tell: Callable[[str, TableReading, Ruleset, bool], str],
    *,
    album: _Album | None,
    as_json: bool,
) -> bool:
    """Answer about one photo; say whether it could be read, and its annotated picture written."""
    try:
        pixels = load_picture(Path(photo))
    except PictureError as error:
        _say_unreadable(photo, str(error), as_json=as_json)
        return False
    reading = reader.read(pixels, rules)
    click.echo(tell(photo, reading, rules, as_json))
    return album is None or album.add(photo, pixels, reading)


def _table(photo: str, reading: TableReading, _rules: Ruleset, as_json: bool) -> str:
    return json.dumps(photo_report(photo, reading)) if as_json else photo_text(photo, reading)


def _rack(photo: str, reading: TableReading, rules: Ruleset, as_json: bool) -> str:
    reading = reading.as_rack
    found = leftovers(reading.readings, rules)
    if as_json:
        return json.dumps(rack_report(photo, reading, found))
    return rack_text(photo, reading, found)


def _say_unreadable(photo: str, reason: str, *, as_json: bool) -> None:
    line = " ".join(f"{photo}: {reason}".splitlines())
    click.echo(line, err=True)
    if as_json:
        click.echo(json.dumps(error_report(photo, reason)))


class _Album:
    """The folder of annotated pictures; names each so that none replaces another."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._taken: set[str] = set()

    @classmethod
    def open(cls, folder: Path) -> _Album:
        """Make the folder if need be."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.BadParameter(
                f"cannot make the folder {folder}: {error.strerror}", param_hint="--annotated"
            ) from error
        return cls(folder)

    def add(self, photo: str, pixels: Pixels, reading: TableReading) -> bool:
        """Write the annotated picture, or say on stderr why it cannot be written."""
        path = self._folder / self._name(Path(photo).stem)
        try:
            save_annotated(annotate(pixels, reading.readings, reading.layout, find(reading)), path)
        except OSError as error:
            reason = error.strerror or str(error)
            click.echo(f"{photo}: cannot write {path}: {reason}", err=True)
            return False
        return True

    def _name(self, stem: str) -> str:
        """Name a picture after its photo; some file systems take `A` and `a` for the same."""
        name, number = f"{stem}.annotated.jpg", 1
        while name.lower() in self._taken:
            number += 1
            name = f"{stem}-{number}.annotated.jpg"
        self._taken.add(name.lower())
        return name
