"""Which faces a reading names beside its own."""

from __future__ import annotations

import numpy as np

from referee import Tile
from vision.doubts import LEAST_ALTERNATIVE, MOST_ALTERNATIVES, reading_of
from vision.faces import FACES


def test_whatever_leaves_a_trace_is_named_and_only_the_likeliest_are_offered() -> None:
    chances = np.zeros(len(FACES), np.float32)
    traces = {"R8": 0.002, "R9": 0.001, "O6": 0.0009, "R5": 1.5 * LEAST_ALTERNATIVE}
    for face, chance in {**traces, "K6": LEAST_ALTERNATIVE / 2, "R6": 0.996}.items():
        chances[FACES.index(Tile.parse(face))] = chance
    reading = reading_of(chances, 0.0, 0.96, is_cut=False, turned=False)
    assert (str(reading.tile), reading.doubt) == ("R6", "")
    assert [str(face) for face, _ in reading.alternatives] == list(traces)
    assert [str(face) for face, _ in reading.choices] == list(traces)[:3]
    every = reading_of(
        np.full(len(FACES), 0.01, np.float32), 0.0, 0.96, is_cut=False, turned=False
    )
    assert len(every.alternatives) == MOST_ALTERNATIVES
