"""`meldwatch bench watch`: how well and how fast a table is watched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from vision.evaluation.bench import machine
from vision.recordings import RecordingError, bundled_recordings, load_recording
from vision.resources import ResourceError
from vision.watching.replay import replay
from web.options import load_reader, models_option

if TYPE_CHECKING:
    from web.options import Loader


@click.command("watch")
@click.argument("games", nargs=-1, metavar="[GAME.json]...", type=click.Path(path_type=Path))
@click.option("--live", is_flag=True, help="Miss frames while looking, as with a camera.")
@click.option("--full-hd", is_flag=True, help="Make the frames 1920 x 1080 first.")
@models_option
@click.pass_obj
def watch_command(
    loader: Loader,
    games: tuple[Path, ...],
    *,
    live: bool,
    full_hd: bool,
    models_dir: Path | None,
) -> None:
    """Watch recorded games; those that come with the program by default.

    Counts the still tables that were known when they ended, and the tables that settled while
    something moved; measures from the end of a movement to the settled table, and what looking
    at a frame takes where nothing has changed. Without --live no frame is missed, and the times
    are those of the film.
    """
    try:
        paths = games or tuple(bundled_recordings().values())
        recordings = [(path, load_recording(path)) for path in paths]
        reader = load_reader(loader, models_dir)
        click.echo(f"{machine()}; medians")
        for path, recording in recordings:
            video = path.with_name(recording.video)
            result = replay(recording, video, reader, live=live, full_hd=full_hd)
            click.echo(f"{path.stem}: {result.text()}")
            for note in result.notes:
                click.echo(f"  {note}")
    except (RecordingError, ResourceError) as error:
        raise click.ClickException(str(error)) from error
