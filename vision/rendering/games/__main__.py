"""The bundled recorded games: `python -m vision.rendering.games --out datasets/games`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from vision.rendering.games.record import record
from vision.rendering.games.script import load_script
from vision.resources import resource_dir


@click.command()
@click.argument("names", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
def main(names: tuple[str, ...], out: Path) -> None:
    """Film the games called NAMES, or all of them: an MP4 each, and a JSON of what is true."""
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(resource_dir("games").glob("*.toml")):
        if names and path.stem not in names:
            continue
        truth = record(load_script(path), out / f"{path.stem}.mp4")
        lines = json.dumps(truth, indent=1, ensure_ascii=False)
        (out / f"{path.stem}.json").write_text(lines + "\n", encoding="utf-8")
        click.echo(f"{path.stem}: {truth['frames']} frames, {len(truth['stills'])} still tables")


if __name__ == "__main__":
    main()
