"""Sets that several cameras see together, and that may go on where one sees something lie."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee.verdicts import Status
from tests.vision.watching.made_scenes import HEIGHT_PX, STANDARD, WIDTH_PX, Scene, row
from tests.vision.watching.test_merge import ACROSS, BACK, SAME, reads, seen
from vision.doubts import UNCLEAR, UNDER
from vision.types import Picture
from vision.watching.together.joint import Joint
from vision.watching.together.merge import AlignedView, accused_by

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.types import Floats
    from vision.watching.sights import SeenTile, SettledTable

SHAPE = (HEIGHT_PX, WIDTH_PX)
OTHERS = row(500, 120, "B7 K7 O7") | row(150, 260, "K9 K10 K11 K12 K13")
ASKED = {"R4": reads("R4", doubt=UNDER)}


def first(faces: str, changes: Mapping[str, SeenTile | None] | None = None) -> AlignedView:
    table = seen(None, changes, Scene(OTHERS | row(150, 120, faces)))
    return AlignedView("first", 0, table, SAME, accused_by(table))


def other(faces: str, changes: Mapping[str, SeenTile | None] | None = None) -> AlignedView:
    """From the other side of the table."""
    table = seen(ACROSS, changes, Scene(OTHERS | row(150, 120, faces)))
    return AlignedView("other", 1, table, BACK, accused_by(table))


def said(table: SettledTable) -> dict[str, Status]:
    """What is said of the sets that two cameras settled, but for what both see well."""
    pairs = zip(table.table.parts, table.verdict.parts, strict=True)
    return {str(part): verdict.status for part, verdict in pairs if str(part)[0] == "R"}


def together(*views: AlignedView) -> dict[str, Status]:
    return said(Joint(STANDARD).settle(views, SHAPE, after_hand=False))


@pytest.mark.parametrize(
    "silent",
    [
        other("R3 R4", {"R3": reads("R3", 0.6, UNCLEAR)}),
        other("R3 R4 R5", {"R5": reads("R5", status="covered")}),  # beyond its own picture
    ],
    ids=["in doubt of another tile", "legal with what it remembers"],
)
def test_a_camera_that_did_not_look_where_a_set_ends_answers_nothing(silent: AlignedView) -> None:
    asks = first("R3 R4", ASKED)
    assert together(asks, silent) == {"R3 R4": Status.UNKNOWN}
    assert together(silent, asks) == {"R3 R4": Status.UNKNOWN}


def test_a_camera_that_sees_where_a_set_ends_answers_another_that_asks() -> None:
    assert together(first("R3 R4", ASKED), other("R3 R4")) == {"R3 R4": Status.INVALID}


def test_nobody_is_asked_about_a_set_that_two_cameras_see_in_parts() -> None:
    begins = first("R3 R4", ASKED)
    ends = other("R3 R4 R5 R6", {"R3": None, "R4": None, "R5": reads("R5", doubt=UNDER)})
    assert together(begins, ends) == {"R3 R4 R5 R6": Status.VALID}


@pytest.mark.parametrize("there", [SAME, ACROSS], ids=["first", "other"])
def test_what_lies_beyond_an_end_is_seen_though_only_the_merged_set_is_wrong(
    there: Floats,
) -> None:
    """Each camera alone is in doubt of another tile of it, and so does not look there."""
    scene = Scene(OTHERS | row(150, 120, "R3 R4"))
    wary = seen(there, {"R3": reads("R3", 0.6, UNCLEAR)}, scene)
    hidden = replace(
        scene,
        thing=(223, 100, 330, 200),
        seen_from=tuple(map(tuple, there.tolist())),
        size_px=(1100, 900),
    )
    looks = replace(wary, picture=Picture((900, 1100), pixels=hidden.pixels()))
    misses = seen(SAME, {"R4": None}, scene)
    back = np.linalg.inv(there).astype(np.float32)

    def settled(table: SettledTable) -> dict[str, Status]:
        one = AlignedView("one", 0, table, back)
        return together(one, AlignedView("two", 1, misses, SAME, accused_by(misses)))

    assert settled(looks) == {"R3 R4": Status.UNKNOWN}
    assert settled(wary) == {"R3 R4": Status.INVALID}


def test_what_a_persons_word_leaves_to_be_asked_is_asked_at_once() -> None:
    one, two = first("R3 R4 B9"), other("R3 R4 B9")
    joint = Joint(STANDARD)
    before = joint.settle([one, two], SHAPE, after_hand=False)
    assert said(before) == {"R3 R4 B9": Status.INVALID}
    now = seen(None, ASKED, Scene(OTHERS | row(150, 120, "R3 R4")))
    own = {str(tile.reading.tile): tile.id for tile in one.table.tiles}
    news = [replace(tile, id=own[str(tile.reading.tile)]) for tile in now.tiles]
    none = next(tile.id for tile in before.tiles if str(tile.reading.tile) == "B9")
    after = joint.told({0: replace(now, tiles=tuple(news))}, {none: None})
    assert said(after) == {"R3 R4": Status.UNKNOWN}
