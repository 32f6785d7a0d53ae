"""Render labelled pictures: `python -m vision.rendering --out DIR --count 6000`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from vision.rendering.editions import edition_names
from vision.rendering.makers import MAKERS
from vision.rendering.scene import render
from vision.rendering.scene_folders import TILE_PX, Wanted, made_boxes, render_scenes
from vision.rendering.traced.blender import MISSING, is_installed
from vision.rendering.traced.draw import PathTracer

# Parts of a `Stock` that few sets have.
RARE = ("any_inks", "other_inks", "lettering", "grounds", "wood", "middle")
tile_option = click.option(
    "--tile",
    "tile_px",
    nargs=2,
    type=float,
    default=TILE_PX,
    show_default=True,
    help="Least and most tile width, pixels.",
)


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
@click.option("--count", default=6000, show_default=True, help="Pictures, rounded up to 50s.")
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--size", "size_px", default=576, show_default=True, help="Side of a picture, pixels."
)
@tile_option
@click.option("--workers", default=2, show_default=True)
@click.option("--only", type=click.Choice(list(MAKERS)), help="Only layouts of this kind.")
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(edition_names()),
    help="Leave this edition out.",
)
@click.option(
    "--elevation",
    "elevation_deg",
    nargs=2,
    type=float,
    help="Least and most height of the camera above the table's plane, degrees.",
)
@click.option("--prints", is_flag=True, help="Lay cards, papers, keys and dice about.")
@click.option("--spare", is_flag=True, help="With numbers and jokers that no reader learns.")
@click.option(
    "--mostly",
    type=click.Choice(RARE),
    multiple=True,
    help="Give most made-up sets what few have: inks of no edition, one of these green, violet or"
    " brown, letters on jokers, numbers left out of ink, wood, numbers in the middle of the tile.",
)
@click.option(
    "--dark", is_flag=True, help="Of black plastic, in the negative, as networks see it."
)
@click.option("--sunlit", is_flag=True, help="Let the sun throw hard shadows on every table.")
@click.option("--mixed", is_flag=True, help="Lay tiles of two sets on every table.")
@click.option(
    "--rays",
    type=click.IntRange(1),
    help="Trace so many rays a pixel by Blender, in rooms and light of its own; 3 are enough.",
)
def main(
    out: Path,
    count: int,
    seed: int,
    size_px: int,
    tile_px: tuple[float, float],
    workers: int,
    only: str | None,
    without: tuple[str, ...],
    elevation_deg: tuple[float, float] | None,
    prints: bool,
    spare: bool,
    mostly: tuple[str, ...],
    dark: bool,
    mixed: bool,
    sunlit: bool,
    rays: int | None,
) -> None:
    """Render COUNT labelled pictures into OUT, with one JSON line each in labels.jsonl."""
    fill = partial(made_boxes, without=without, spare=spare, mostly=mostly, dark=dark, mixed=mixed)
    if rays and not is_installed():
        raise click.ClickException(MISSING)
    draw = PathTracer(rays) if rays else render
    wanted = Wanted(size_px, tile_px, only, elevation_deg, fill, prints, sunlit, dark, draw)
    render_scenes(out, count, seed, wanted, workers=workers)


if __name__ == "__main__":
    main()
