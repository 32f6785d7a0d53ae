"""How long a picture takes, stage by stage, on this machine."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from vision.types import Timings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader
    from vision.types import Pixels


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Medians over several runs on one picture, from decoded pixels to the verdict."""

    name: str
    width_px: int
    height_px: int
    tiles: int
    runs: int
    timings: Timings
    total_ms: float

    @property
    def other_share(self) -> float:
        """Share of the time that is spent outside the networks."""
        return 1 - self.timings.network / self.total_ms


def bench(  # noqa: PLR0913 - what to read, under which rules, how often
    reader: TableReader, pixels: Pixels, rules: Ruleset, *, name: str, runs: int, warm_up: int = 3
) -> BenchResult:
    """Read a picture `runs` times after `warm_up` readings that do not count."""
    for _ in range(warm_up):
        reader.read(pixels, rules)
    readings = [reader.read(pixels, rules) for _ in range(runs)]
    medians = Timings(
        *(
            median(getattr(reading.timings, field.name) for reading in readings)
            for field in fields(Timings)
        )
    )
    last = readings[-1]
    return BenchResult(
        name,
        last.width_px,
        last.height_px,
        len(last.readings),
        runs,
        medians,
        median(total_ms(reading.timings) for reading in readings),
    )


def total_ms(timings: Timings) -> float:
    """All four stages together; the networks run inside the first two."""
    return timings.detect + timings.read + timings.lay_out + timings.judge


def machine() -> str:
    """Name this machine's processor and the cores that this process may use.

    >>> "core" in machine()
    True
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{_processor()}, {cores} {'core' if cores == 1 else 'cores'}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def bench_text(results: Iterable[BenchResult]) -> str:
    """Lay the medians out in columns for a terminal."""
    columns = ("total", "network", "detect", "read", "lay_out", "judge")
    titles = " ".join(f"{column:>8}" for column in columns)
    lines = [f"{'picture':24} {'size':>10} {'tiles':>5} {titles}"]
    for result in results:
        size = f"{result.width_px}x{result.height_px}"
        times = (result.total_ms, *(getattr(result.timings, name) for name in columns[1:]))
        cells = " ".join(f"{time:8.1f}" for time in times)
        lines.append(f"{result.name[:24]:24} {size:>10} {result.tiles:>5} {cells}")
    return "\n".join(lines)
