"""Soak the live table: a long evening, played by a seed while everything goes wrong that can.

    python -m tests.web.live.soak --hours 2 --speed 20

A process serves a table: real feed, watcher, referee, store and pages; only the networks are
stand-ins that know what lies there. Three players lay, add, draw, lay wrongly and are refused,
take back and do again, end rounds and begin new ones. Every few turns something goes wrong: the
disk is full, another program holds the matches, the camera is lost and back, somebody taps twice,
a page follows and never reads; and in the first quarter of the time the program is killed in the
middle of a command and started again on the same folder. At the end the store is held against
what the players know was confirmed, and the memory of the last life is told by quarters.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.web.live.soak.evening import Pace
from tests.web.live.soak.soaking import soak


def main() -> None:
    """Soak, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=2.0, help="simulated")
    parser.add_argument("--speed", type=float, default=20.0, help="at most so many times")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pace = Pace(speed=options.speed, seed=options.seed)
    with tempfile.TemporaryDirectory() as folder:
        soaked = soak(Path(folder), options.hours, pace)
    print(soaked.text())  # noqa: T201


if __name__ == "__main__":
    main()
