"""Draw suites through Blender: `make trace ARGS="--out DIR --suite phone --tables 10"`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import click

from vision.evaluation.drawn import drawn_path, kept
from vision.evaluation.suite_tables import table
from vision.evaluation.suites import named_suites, suite_named
from vision.rendering.traced.blender import MISSING, is_installed
from vision.rendering.traced.draw import PathTracer


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to draw into.")
@click.option("--suite", "suites", multiple=True, required=True, metavar="NAME")
@click.option("--tables", type=click.IntRange(1), default=10, show_default=True)
@click.option(
    "--samples", type=click.IntRange(1), default=12, show_default=True, help="Rays a pixel."
)
@click.option("--workers", type=click.IntRange(1), default=2, show_default=True)
def main(out: Path, suites: tuple[str, ...], tables: int, samples: int, workers: int) -> None:
    """Draw the first tables of suites into OUT, but those that are there already.

    `meldwatch evaluate --suite NAME --drawn OUT` reads them.
    """
    try:
        names = named_suites(suites)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if not is_installed():
        raise click.ClickException(MISSING)
    try:
        out.mkdir(parents=True, exist_ok=True)
        _draw(out, names, tables, samples, workers)
    except OSError as error:
        raise click.ClickException(f"cannot write to {out}: {error.strerror}") from error


def _draw(out: Path, names: list[str], tables: int, samples: int, workers: int) -> None:
    wanted = [(name, number) for number in range(tables) for name in names]
    missing = [job for job in wanted if not drawn_path(out, *job).with_suffix(".json").exists()]
    with (
        ProcessPoolExecutor(workers, get_context("spawn")) as pool,
        click.progressbar(length=len(missing), label="Tracing") as bar,
    ):
        for _ in pool.map(partial(draw_table, out, samples), missing):
            bar.update(1)


def draw_table(out: Path, samples: int, job: tuple[str, int]) -> None:
    """Draw a suite's table of that number into a folder."""
    name, number = job
    table(
        suite_named(name), name, number, kept(PathTracer(samples), drawn_path(out, name, number))
    )


if __name__ == "__main__":
    main()
