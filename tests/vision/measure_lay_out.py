"""How often made tables are laid out exactly: ``python -m tests.vision.measure_lay_out``."""

from __future__ import annotations

from time import process_time

import click
import numpy as np

from tests.vision.made_tables import MadeTable, Style, make_grid_table, make_table
from vision.lay_out import lay_out

NOISES = (0.0, 0.01, 0.02, 0.03, 0.04)


@click.command()
@click.option("--tables", default=1000, show_default=True, help="Tables per line of the result.")
@click.option("--seed", default=0, show_default=True)
def measure(tables: int, seed: int) -> None:
    """Print exact sets and tables by the corners' errors in tile widths, as CSV."""
    click.echo("kind,noise,tables,tiles,sets_exact,tables_exact,cpu_ms")
    for noise in NOISES:
        _measure("plain", Style(noise=noise), tables, seed)
    for noise in NOISES:
        _measure("crossing", Style(sets=(1, 5), noise=noise), tables, seed)


def _measure(kind: str, style: Style, tables: int, seed: int) -> None:
    counts = np.zeros(5)
    for number in range(tables):
        rng = np.random.default_rng([seed, number])
        make = make_table if kind == "plain" else make_grid_table
        counts += _one(make(rng, style), two_dimensional=kind == "crossing")
    tiles, wanted, found, exact, seconds = counts.tolist()
    click.echo(
        f"{kind},{style.noise},{tables},{int(tiles)},{found / wanted:.4f},"
        f"{exact / tables:.4f},{1000 * seconds / tables:.2f}"
    )


def _one(table: MadeTable, *, two_dimensional: bool) -> tuple[float, ...]:
    start = process_time()
    layout = lay_out(table.quads_img, two_dimensional=two_dimensional)
    seconds = process_time() - start
    found, wanted = {placed.cells for placed in layout.placed}, set(table.sets)
    return (
        len(table.quads_img),
        len(wanted),
        len(found & wanted),
        float(found == wanted),
        seconds,
    )


if __name__ == "__main__":
    measure()
