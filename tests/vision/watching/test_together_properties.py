"""Whatever three cameras say in whatever order, what they say together holds together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import Tile
from tests.vision.watching.made_scenes import HEIGHT_PX, STANDARD, WIDTH_PX, Scene, row
from tests.vision.watching.two_views import ACROSS
from vision.types import Picture, Reading
from vision.watching.registration import moved
from vision.watching.sights import Phase, SeenTile, SettledTable, Sight
from vision.watching.tables import settled_table
from vision.watching.together import CameraSight, Together

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching.together.lineup import Standing

NONE = -1
CAMERAS = ("near", "far", "other")
MOVES = {
    "near": np.eye(3, dtype=np.float32),
    "far": np.array(ACROSS, np.float32),
    "other": np.array([(0.8, 0.1, 40), (-0.1, 0.7, 120), (0, 0, 1)], np.float32),
}
# Cameras that read the same face into different places might be laid over each other askew.
WRONG = {"near": "O11", "far": "O12", "other": "O13"}
TABLES = (
    Scene(),
    Scene(row(250, 120, "R3 R4 R5")),
    Scene(row(250, 120, "R3 R4 R5 R6") | row(520, 120, "B7 K7 O7")),
    Scene(row(250, 120, "R3 R4 R5 R6") | row(250, 240, "K9 K10 K11")),
)


@dataclass(frozen=True)
class Said:
    """What a camera says: of which table, without which tile, and which it misreads."""

    camera: str
    phase: Phase
    table: int
    missed: int
    misread: int
    hand: bool
    away: str


# Mostly the same table, read rightly, so that views come together at all.
SAID = st.builds(
    Said,
    camera=st.sampled_from(CAMERAS),
    phase=st.sampled_from([*[Phase.STABLE] * 8, *Phase]),
    table=st.sampled_from([*[2] * 8, 3, 3, 3, 1, 0]),
    missed=st.sampled_from([*[NONE] * 8, 0, 1, 6]),
    misread=st.sampled_from([*[NONE] * 8, 1, 2, 5]),
    hand=st.booleans(),
    away=st.sampled_from([*[""] * 8, *CAMERAS]),
)


def table_of(said: Said, number: int) -> SettledTable:
    readings = TABLES[said.table].readings()
    quads: Floats = readings.quads_img
    tiles = []
    for place, (quad, reading) in enumerate(zip(quads, readings.readings, strict=True)):
        if place == said.missed:
            continue
        wrong = Tile.parse(WRONG[said.camera])
        read = Reading(wrong, 0.98) if place == said.misread else reading
        tiles.append(SeenTile(said.table * 20 + place, read, moved(quad, MOVES[said.camera])))
    shape = HEIGHT_PX, WIDTH_PX
    return settled_table(number, tiles, STANDARD, Picture(shape), after_hand=said.hand)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(SAID, min_size=1, max_size=25))
def test_what_cameras_say_together_holds_together(evening: list[Said]) -> None:
    together = Together(STANDARD)
    last: dict[str, CameraSight] = {}
    tables: dict[str, SettledTable] = {}
    for number, said in enumerate(evening):
        if said.phase is Phase.STABLE:
            tables[said.camera] = table_of(said, number)
        settled = tables.get(said.camera)
        fresh = said.phase is Phase.STABLE
        sight = Sight(said.phase, number, settled, fresh)
        newest = CameraSight(said.camera, CAMERAS.index(said.camera), sight, float(number))
        last[said.camera] = newest
        used = [name for name in CAMERAS if name in last and name in {said.camera, *here(said)}]
        told = together.see([last[name] for name in used], newest, float(number))
        check(told, together, last, used)
        last[said.camera] = replace(newest, sight=replace(sight, fresh=False))


def here(said: Said) -> set[str]:
    return set(CAMERAS) - {said.away}


def check(told: Sight, together: Together, last: dict[str, CameraSight], used: list[str]) -> None:
    standing = together.standing
    assert standing.primary in standing.counting
    assert set(standing.counting) <= set(used)
    assert not set(standing.notes) & set(standing.counting)
    phases = {last[name].sight.phase for name in standing.counting}
    if told.phase is Phase.STABLE:
        assert phases <= {Phase.STABLE, Phase.COVERED}
    if Phase.HAND in phases:
        assert told.phase is Phase.HAND
    assert told.settled is not None or not told.fresh
    if told.settled is None:
        return
    ids = [tile.id for tile in told.settled.tiles]
    assert len(ids) == len(set(ids))
    assert sorted(n for placed in told.settled.layout.placed for n in placed.tiles) == list(
        range(len(ids))
    )
    if together.joined and told.phase is Phase.STABLE:
        assert_nothing_is_guessed(told.settled, standing, last)


def assert_nothing_is_guessed(
    settled: SettledTable, standing: Standing, last: dict[str, CameraSight]
) -> None:
    """No camera that counts is sure of another face than the one that is told as sure."""
    assert standing.primary is not None
    for name in standing.counting:
        own = last[name].sight.settled
        if not last[name].still or own is None:
            continue
        move = (MOVES[standing.primary] @ np.linalg.inv(MOVES[name])).astype(np.float32)
        for seen in own.tiles:
            middle = moved(seen.quad_img, move).mean(0)
            for tile in settled.tiles:
                if float(np.linalg.norm(tile.quad_img.mean(0) - middle)) < 6:
                    assert tile.reading.unsure or tile.reading.tile == seen.reading.tile
