"""The commands that measure networks: `compare` and `teaching`."""

from __future__ import annotations

from pathlib import Path

import click

from vision.detect import Detector
from vision.evaluation.bench import machine
from vision.evaluation.photos import table_text, write_csv
from vision.evaluation.suite_scores import write_scores
from vision.reading.reader import Reader
from vision.training.commands.options import file_path
from vision.training.compare import COLUMNS, detectors, pictures, readers, variants
from vision.training.compare import compare as comparing
from vision.training.measure_teaching import measure_teaching

csv_option = click.option(
    "--csv", "csv_path", type=click.Path(path_type=Path), help="Write the table, too."
)


@click.command()
@click.option(
    "--photos",
    type=file_path,
    required=True,
    multiple=True,
    help="Labelled photographs; their `dev` split is used, or all where there are none.",
)
@click.option("--suite", "suites", multiple=True, help="Rendered tables to compare on, too.")
@click.option("--tables", default=10, show_default=True, help="Tables of each suite.")
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@click.option(
    "--detector",
    "networks",
    type=(str, file_path),
    multiple=True,
    metavar="NAME FILE",
    help="A detector to compare with others, instead of ways to look.",
)
@click.option(
    "--reader",
    "faces",
    type=(str, file_path),
    multiple=True,
    metavar="NAME FILE",
    help="A reader to compare with others, instead of ways to look.",
)
@csv_option
def compare(
    photos: tuple[Path, ...],
    suites: tuple[str, ...],
    tables: int,
    models: Path,
    networks: tuple[tuple[str, Path], ...],
    faces: tuple[tuple[str, Path], ...],
    csv_path: Path | None,
) -> None:
    """Compare ways to look at pictures: input sizes, second looks, corners, colours; networks."""
    click.echo(machine())
    given = pictures(photos, suites, tables)
    detector, reader = Detector.load(models), Reader.load(models)
    ways = [*detectors(reader, networks), *readers(detector, reader, faces)]
    ways = ways or list(variants(detector, reader))
    next(iter(comparing(given[:3], ways[:1])))  # the first pictures warm it up
    rows = []
    for row in comparing(given, ways):
        click.echo("  ".join(row))
        rows.append(row)
    if csv_path is not None:
        with csv_path.open("w", encoding="utf-8", newline="") as file:
            write_scores(rows, file, COLUMNS)


@click.command()
@click.option(
    "--crops",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    required=True,
    help="Pictures of single tiles in folders 1 to 13 and joker.",
)
@click.option(
    "--labels",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    help="Labelled photographs of the same set.",
)
@click.option("--models", type=click.Path(path_type=Path, file_okay=False), default=Path("models"))
@click.option("--each", default=2, show_default=True, help="Pictures to teach a face from.")
@click.option("--lessons", default=3, show_default=True, help="How often, from other pictures.")
@csv_option
def teaching(
    crops: Path, labels: Path, models: Path, each: int, lessons: int, csv_path: Path | None
) -> None:
    """Measure what teaching a set does for networks that have not seen it."""
    found = dict(measure_teaching(crops, labels, models, each=each, lessons=lessons))
    click.echo(table_text(found))
    if csv_path is not None:
        with csv_path.open("w", encoding="utf-8", newline="") as file:
            write_csv(found, file)
