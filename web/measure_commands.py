"""`meldwatch evaluate` and `meldwatch bench`: how well, and how fast."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from vision.annotation import annotate, save_annotated
from vision.evaluation.bench import bench, bench_text, machine
from vision.evaluation.drawn import DrawnError
from vision.evaluation.photos import by_group, evaluate, table_text, write_csv
from vision.evaluation.suite_scores import (
    by_edition,
    run_suite,
    score_rows,
    scores_text,
    write_scores,
)
from vision.evaluation.suites import named_suites
from vision.findings import find
from vision.labels import LabelError, load_labels
from vision.pictures import PictureError, load_picture
from vision.resources import ResourceError, sample_pictures
from web.options import kind_option, load_reader, models_option, rules_option, set_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from referee.ruleset import Ruleset
    from vision.evaluation.photos import PhotoResult
    from vision.evaluation.suite_scores import Scored
    from vision.pipeline import TableReader
    from vision.types import Pixels
    from web.options import Loader

# Options, by parameter, that the one or the other kind of evaluation alone heeds.
_OF_PHOTOS: Final = frozenset({"split", "altered", "kind"})
_OF_SUITES: Final = frozenset({"tables", "taught", "failures_dir", "drawn_dir"})


@click.command("evaluate")
@click.argument("labels", metavar="[LABELS.json]", required=False, type=click.Path(path_type=Path))
@click.option("--split", metavar="NAME", help="Use the photos of this split only, such as dev.")
@click.option(
    "--altered",
    is_flag=True,
    help="Read every photo again as other light, cameras and angles would show it.",
)
@kind_option("What the photos show: of a rack's tiles no set is expected.")
@click.option(
    "--suite",
    "suites",
    multiple=True,
    metavar="NAME",
    help="Render and read the tables of a suite instead of photos; `all` for every suite, "
    "`NAME@2` for other tables of the same recipe. May be given more than once.",
)
@click.option(
    "--tables",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    help="Tables of each suite.",
)
@click.option(
    "--csv", "csv_path", type=click.Path(path_type=Path), metavar="FILE", help="Write a CSV, too."
)
@click.option("--verbose", is_flag=True, help="List every tile that was not found or read right.")
@click.option(
    "--failures",
    "failures_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --suite: write annotated pictures of the tables that were not read exactly.",
)
@click.option(
    "--taught", is_flag=True, help="With --suite: teach each table's tiles first, from one photo."
)
@click.option(
    "--drawn",
    "drawn_dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="With --suite: take the pictures that `make trace` has drawn into DIR.",
)
@set_option
@models_option
@click.pass_obj
def evaluate_command(  # noqa: PLR0913 - one parameter an option
    loader: Loader,
    labels: Path | None,
    *,
    split: str | None,
    altered: bool,
    kind: str,
    suites: tuple[str, ...],
    tables: int,
    csv_path: Path | None,
    verbose: bool,
    taught: bool,
    failures_dir: Path | None,
    drawn_dir: Path | None,
    tiles: str,
    models_dir: Path | None,
) -> None:
    """Compare what is found and read with labelled photos, or with suites of rendered tables."""
    if (labels is None) == (not suites):
        raise click.UsageError("give either LABELS.json or --suite NAME")
    if csv_path is not None and not csv_path.absolute().parent.is_dir():
        raise click.UsageError(f"cannot write {csv_path}: there is no such folder")
    if labels is None:
        _refuse(_OF_PHOTOS, "LABELS.json: suites have tables of their own")
        rows = _run_suites(
            suites,
            tables,
            load_reader(loader, models_dir, tiles),
            verbose=verbose,
            taught=taught,
            failures_dir=failures_dir,
            drawn_dir=drawn_dir,
        )
        if csv_path is not None:
            _save_csv(lambda file: write_scores(rows, file), csv_path)
        return
    _refuse(_OF_SUITES, "--suite NAME")
    try:
        photos = load_labels(labels, split)
        reader = load_reader(loader, models_dir, tiles)
        results = list(evaluate(photos, reader, as_rack=kind == "rack", altered=altered))
    except (LabelError, PictureError) as error:
        raise click.ClickException(str(error)) from error
    if verbose:
        _echo_failures(results)
    groups = by_group(results)
    click.echo(table_text(groups))
    if csv_path is not None:
        _save_csv(lambda file: write_csv(groups, file), csv_path)


def _refuse(unheeded: frozenset[str], wanted: str) -> None:
    """Refuse options that would go unheeded: figures would pass for others than they are."""
    ctx = click.get_current_context()
    for option in ctx.command.params:
        name = option.name or ""
        if name in unheeded and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option.opts[0]} wants {wanted}")


def _echo_failures(results: Sequence[PhotoResult]) -> None:
    for result in results:
        for failure in result.failures:
            click.echo(f"{result.photo.path.name}: {failure}")


def _run_suites(  # noqa: PLR0913 - one parameter an option
    wanted: Sequence[str],
    tables: int,
    reader: TableReader,
    *,
    verbose: bool,
    taught: bool,
    failures_dir: Path | None,
    drawn_dir: Path | None,
) -> list[list[str]]:
    """Run suites, say the figures of each as soon as they are there, and return them all."""
    try:
        names = named_suites(wanted)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    every = []
    for name in names:
        results = run_suite(name, tables, reader, taught=taught, drawn_dir=drawn_dir)
        told = _told(name, results, verbose=verbose, failures_dir=failures_dir)
        try:
            rows = score_rows(name, by_edition(told))
        except DrawnError as error:
            raise click.ClickException(str(error)) from error
        click.echo(scores_text(rows))
        every += rows
    return every


def _told(
    name: str, results: Iterable[Scored], *, verbose: bool, failures_dir: Path | None
) -> Iterator[Scored]:
    """Say and show what failed, one table after another."""
    for result in results:
        for failure in result.failures if verbose else ():
            click.echo(f"{name} {result.given.number} ({result.given.edition}): {failure}")
        if failures_dir is not None and result.failures:
            _save_failure(result, failures_dir / f"{name}-{result.given.number}.jpg")
        yield result


def _save_failure(result: Scored, path: Path) -> None:
    """Write the picture of a table as it was read."""
    reading = result.reading
    picture = annotate(result.given.pixels, reading.readings, reading.layout, find(reading))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_annotated(picture, path)
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from error


def _save_csv(write: Callable[[TextIO], None], path: Path) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            write(file)
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from error


class _PicturesByDefault(click.Group):
    """A group of commands that means `pictures` where none of them is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command's name in where it is missing."""
        if not args or args[0] not in {*self.commands, *ctx.help_option_names}:
            args = ["pictures", *args]
        return super().parse_args(ctx, args)


@click.group("bench", cls=_PicturesByDefault)
def bench_command() -> None:
    """Measure how long pictures and the referee take on this machine.

    `meldwatch bench [PHOTO]...` is short for `meldwatch bench pictures [PHOTO]...`.
    """


@bench_command.command("pictures")
@click.argument("photos", nargs=-1, metavar="[PHOTO]...", type=click.Path(path_type=Path))
@click.option(
    "--runs", type=click.IntRange(1), default=20, show_default=True, help="Readings per picture."
)
@rules_option
@models_option
@click.pass_obj
def pictures_command(
    loader: Loader,
    photos: tuple[Path, ...],
    *,
    runs: int,
    rules: Ruleset,
    models_dir: Path | None,
) -> None:
    """Measure the time per picture; the bundled samples by default.

    Medians in milliseconds after a warm-up, from decoded pixels to the verdict; `network` is
    the part of `detect` and `read` that is spent inside the networks.
    """
    try:
        pictures = [(path.name, _picture(path)) for path in photos or sample_pictures()]
    except ResourceError as error:
        raise click.ClickException(str(error)) from error
    reader = load_reader(loader, models_dir)
    click.echo(f"{machine()}; medians of {runs} runs, in milliseconds")
    results = [bench(reader, pixels, rules, name=name, runs=runs) for name, pixels in pictures]
    click.echo(bench_text(results))


def _picture(path: Path) -> Pixels:
    try:
        return load_picture(path)
    except PictureError as error:
        raise click.ClickException(f"{path}: {error}") from error


@bench_command.command("referee")
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Positions to look for the best play in.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which positions.")
def referee_command(positions: int, seed: int) -> None:
    """Measure the referee on seeded positions: tables, turns, crossing sets, best play.

    Where the public solver `rummikub_solver` is installed, it looks for the best plays, too,
    and the agreements are counted.
    """
    from referee.bench import referee_bench  # noqa: PLC0415 - scipy only for those who ask

    click.echo(f"{machine()}; in milliseconds")
    for line in referee_bench(positions, seed):
        click.echo(line)
