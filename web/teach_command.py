"""`meldwatch teach` and `meldwatch sets`: adapt the reader to one's own set of tiles."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.pictures import PictureError, load_picture
from vision.teaching import (
    ProfileError,
    forget_profile,
    look_over,
    profile_names,
    save_profile,
    teach,
)
from vision.teaching.profile import check_name, known_as
from web.options import data_option, load_reader, models_option, sets_folder
from web.teaching.lessons import MOST_PHOTOS

if TYPE_CHECKING:
    from vision.pipeline import TableReader
    from vision.teaching import LaidOut
    from web.options import Loader

LAYOUT = """\
  R1 R2 R3 ... R13        red, from 1 on the left to 13 on the right
  B1 B2 B3 ... B13        blue below it
  O1 O2 O3 ... O13        then orange, or what your set has in its place
  K1 K2 K3 ... K13 J      then black, and one or two jokers after it"""


def _few(_ctx: click.Context, _param: click.Parameter, photos: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse more photos than a set is taught from, and one that is given twice."""
    if len(photos) > MOST_PHOTOS:
        raise click.BadParameter(f"expected at most {MOST_PHOTOS} photos, got {len(photos)}")
    if len({Path(photo).resolve() for photo in photos}) < len(photos):
        raise click.BadParameter("expected different photos, got one twice")
    return photos


@click.command(
    "teach",
    epilog="Lay the tiles out like this, the rows a finger's width apart, and take one to three "
    "photos from above, each in another light or from another side:\n\n\b\n" + LAYOUT,
)
@click.argument("name")
@click.argument(
    "photos",
    nargs=-1,
    required=True,
    metavar="PHOTO...",
    type=click.Path(readable=False),
    callback=_few,
)
@click.option("--replace", "replaces", is_flag=True, help="Replace the set of that name.")
@data_option
@models_option
@click.pass_obj
def teach_command(  # noqa: PLR0913 - one parameter an option
    loader: Loader,
    name: str,
    photos: tuple[str, ...],
    *,
    replaces: bool,
    data: Path | None,
    models_dir: Path | None,
) -> None:
    """Teach the reader the set NAME from photos of its tiles.

    Use it afterwards with `--set NAME`. Other sets are read as before: what is taught counts only
    where it is asked for.
    """
    try:
        check_name(name)
    except ProfileError as error:
        raise click.BadParameter(str(error), param_hint="NAME") from error
    taken = known_as(name, profile_names(sets_folder(data)))
    if taken and not replaces:
        raise click.BadParameter(
            f"there is a set called {taken!r} already; choose another name, or add --replace",
            param_hint="NAME",
        )
    name = taken or name
    reader = load_reader(loader, models_dir)
    taught_from = _that_show_the_set(photos, reader)
    try:
        profile = teach(name, taught_from, reader)
        path = save_profile(profile, sets_folder(data))
        learnt = profile.table_reader(reader)
    except ProfileError as error:
        raise click.ClickException(str(error)) from error
    now = [look_over(found.pixels, learnt) for found in taught_from]
    click.echo(
        f"Taught {name!r} from {len(profile.faces)} tiles in {len(taught_from)} of {len(photos)} "
        f"photos. Of the {len(profile.faces)} tiles in them {_sure(taught_from)} were read for "
        f"sure before, {_sure(now)} are now."
    )
    tiles = name if data is None else str(path)  # `read` looks in the usual folder only
    click.echo(f'Use it with: --set "{tiles}"' if " " in tiles else f"Use it with: --set {tiles}")
    click.echo(f"It is kept in {path}.")


def _that_show_the_set(photos: tuple[str, ...], reader: TableReader) -> list[LaidOut]:
    """Return what photos show that show the whole set; say what is wrong or strange with each."""
    good = []
    for photo in photos:
        try:
            found = look_over(load_picture(Path(photo)), reader)
        except PictureError as error:
            click.echo(f"{photo}: {error}", err=True)
            continue
        if found.problem:
            click.echo(f"{photo}: {found.problem}", err=True)
            continue
        good.append(found)
        # In a strange set they may be misread; else they would be taught for one another.
        others = [
            f"{found.readings[place].tile} where {face} belongs"
            for place, face in enumerate(found.faces)
            if found.is_mislaid(place)
        ]
        if others:
            text = f"I read {', '.join(others)}: if they lie so, lay them right and teach again"
            click.echo(f"{photo}: {text}", err=True)
    if not good:
        raise click.ClickException(f"nothing was taught; lay the tiles out like this:\n{LAYOUT}")
    return good


def _sure(photos: list[LaidOut]) -> int:
    """Count the tiles of photos that are read for sure."""
    return sum(not reading.unsure for found in photos for reading in found.readings)


@click.command("sets")
@click.option("--forget", metavar="NAME", help="Delete what was taught of the set NAME.")
@data_option
def sets_command(*, forget: str | None, data: Path | None) -> None:
    """List the sets that were taught."""
    folder = sets_folder(data)
    if forget is not None:
        try:
            forget_profile(forget, folder)
        except ProfileError as error:
            raise click.ClickException(str(error)) from error
        click.echo(f"Forgot {forget!r}.")
        return
    names = profile_names(folder)
    for name in names:
        click.echo(name)
    if not names:
        click.echo("No set was taught yet: `meldwatch teach NAME PHOTO...` does it.", err=True)
