"""The plain tiles of a set settle one that wavers, but make it no other, nor excuse a set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee import load_ruleset, parse_set, parse_tiles
from referee.judge import judge_part
from referee.tiles import ALL_FACES, Tile
from referee.verdicts import Status
from tests.fakes import FakeDetector, FakeReader, blank, quad_at, sure
from vision.doubts import BESIDE, DISPUTED, FOREIGN, NEARLY, UNCLEAR
from vision.neighbours import beside_neighbours
from vision.pipeline import TableReader
from vision.types import Layout, Placed, Reading, Readings

STANDARD = load_ruleset("standard")
CRAZY = load_ruleset("crazy")


def wavering(face: str, other: str, chance: float) -> Reading:
    tile, rival = parse_tiles(f"{face} {other}")
    return Reading(tile, chance, ((rival, 1 - chance),), NEARLY.format(other=rival.words))


def trace(face: str, other: str, chance: float) -> Reading:
    tile, rival = parse_tiles(f"{face} {other}")
    return Reading(tile, 1 - chance, ((rival, chance),))


def in_a_row(*found: Reading | str) -> tuple[Reading, ...]:
    readings = tuple(sure(one) if isinstance(one, str) else one for one in found)
    layout = Layout((Placed((tuple(range(len(readings))),)),))
    seen = Readings(np.zeros((len(readings), 4, 2), np.float32), readings)
    return beside_neighbours(layout, seen, STANDARD).readings


def test_a_rival_that_would_spoil_the_set_is_ruled_out() -> None:
    _, six, _ = in_a_row("R5", wavering("R6", "R8", 0.85), "R7")
    assert (str(six.tile), six.doubt) == ("R6", "")
    assert round(six.confidence, 4) == round(0.85 / (0.85 + 0.15 / 10), 4)
    assert six.confidence + sum(chance for _, chance in six.alternatives) == pytest.approx(1)


def test_what_no_rival_is_named_for_is_settled_too() -> None:
    unclear = Reading(Tile.parse("R6"), 0.94, ((Tile.parse("R8"), 0.015),), UNCLEAR)
    assert not in_a_row("R5", unclear, "R7")[1].unsure


@pytest.mark.parametrize(
    "row",
    [
        ("R5", wavering("R6", "R8", 0.8), "R7"),  # too near a tie
        ("B7", wavering("R7", "O7", 0.94), "K7"),  # a group either way
        ("R5", wavering("R6", "J", 0.94), "R7"),  # and so with a joker
        ("R5", wavering("R8", "R6", 0.94), "R7"),  # wrong as it is read
        ("R5", wavering("R8", "R6", 0.5), "R7"),  # even if it may as well not be
        ("B8", wavering("R8", "R6", 0.94), "K7"),  # wrong for another tile
        ("R5", replace(wavering("R6", "R8", 0.9), doubt=DISPUTED.format(other="Red 8")), "R7"),
        ("R5", wavering("R6", "R8", 0.94), Reading(Tile.parse("R7"), 0.99, (), FOREIGN)),
    ],
)
def test_all_else_stays_in_doubt(row: tuple[Reading | str, ...]) -> None:
    before = tuple(sure(one) if isinstance(one, str) else one for one in row)
    assert in_a_row(*row) == before


def test_tiles_that_are_mistaken_alike_do_not_settle_one_another() -> None:
    """A typeface whose sixes look like eights: the third is as wrong, if plain."""
    alike = (trace("O8", "O6", 0.004), wavering("R8", "R6", 0.91), wavering("B8", "B6", 0.93))
    assert [one.unsure for one in in_a_row(*alike)] == [False, True, True]
    alone = (trace("O8", "O6", 0.004), wavering("R8", "R6", 0.91), trace("B8", "B6", 0.002))
    assert not any(one.unsure for one in in_a_row(*alone))


def test_a_light_that_changes_an_ink_changes_it_along_the_run() -> None:
    red = (wavering("R7", "O7", 0.9), wavering("R8", "O8", 0.9), trace("R9", "O9", 0.01))
    assert in_a_row(*red) == red
    assert not in_a_row(red[0], trace("R8", "O8", 0.001), trace("R9", "O9", 0.001))[0].unsure


def test_tiles_that_waver_apart_settle_each_other() -> None:
    row = (wavering("R5", "R6", 0.93), "R6", wavering("R7", "R1", 0.93), "R8")
    assert not any(one.unsure for one in in_a_row(*row))
    four = [wavering(f"R{number}", "K1", 0.99) for number in (5, 6, 7, 8)]
    assert in_a_row(*four) == tuple(four)  # hardly anything here is plain


def test_where_sets_cross_all_lines_of_a_tile_have_a_say() -> None:
    """`R6 R7 R8` across and `R7 B7 K7` down share the red 7, which wavers."""
    wavers = wavering("R7", "R1", 0.9)
    faces = ("R6", wavers, "R8", "B7", "K7")
    cells = ((0, 1, 2), (None, 3, None), (None, 4, None))

    def settled(*found: Reading | str) -> Reading:
        readings = tuple(sure(one) if isinstance(one, str) else one for one in found)
        seen = Readings(np.zeros((5, 4, 2), np.float32), readings)
        return beside_neighbours(Layout((Placed(cells),)), seen, CRAZY).readings[1]

    assert not settled(*faces).unsure
    assert settled(*faces[:4], "K9") == wavers  # the line down is wrong, be it a 7 or not


def test_what_wavers_still_tells_where_another_set_may_go_on() -> None:
    """The run ends with a 6 that is settled; the pair beside it may be its own, be it askew."""
    quads = [quad_at(300 + 62 * i, 300) for i in range(3)]
    quads += [quad_at(300 + 62 * i + 35, 300) for i in (3, 4)]
    row = (sure("R4"), sure("R5"), wavering("R6", "R8", 0.9), sure("K9"), sure("K10"))
    found = TableReader(FakeDetector(np.array(quads)), FakeReader(row)).read(blank(), STANDARD)
    assert str(found.table) == "R4 R5 R6 | K9 K10"
    assert [part.status for part in found.verdict.parts] == [Status.VALID, Status.UNKNOWN]
    assert [one.doubt for one in found.readings.readings] == ["", "", "", BESIDE, ""]


def test_a_set_with_a_settled_tile_is_judged_and_counted() -> None:
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(3)])
    row = (sure("R4"), sure("R5"), wavering("R6", "R8", 0.9))
    verdict = TableReader(FakeDetector(quads), FakeReader(row)).read(blank(), STANDARD).verdict
    assert (verdict.ok, verdict.parts[0].points) == (True, (15,))


LEGAL = ("R3 R4 R5", "B9 B10 J B12 B13", "K7 R7 O7 B7", "J R1 B1", "O1 O2 O3 O4 O5 O6")


@given(data=st.data())
def test_no_reading_becomes_another_and_no_wrong_set_is_settled(data: st.DataObject) -> None:
    faces = st.sampled_from(ALL_FACES)
    tiles = list(
        data.draw(st.sampled_from(LEGAL).map(lambda text: parse_set(text).tiles))
        if data.draw(st.booleans())
        else data.draw(st.lists(faces, min_size=1, max_size=5))
    )
    readings = []
    for tile in tiles:
        rival = data.draw(faces)
        assume(rival != tile)
        chance = data.draw(st.sampled_from((0.5, 0.84, 0.94, 0.999)))
        readings.append(
            wavering(str(tile), str(rival), chance)
            if chance < 0.95
            else trace(str(tile), str(rival), 0.001)
        )
    after = in_a_row(*readings)
    assert [one.tile for one in after] == tiles
    assert all(now == was for now, was in zip(after, readings, strict=True) if not was.unsure)
    legal = not judge_part(parse_set(" ".join(map(str, tiles))), STANDARD).violations
    assert legal or after == tuple(readings)
    assert all(
        one.confidence >= 0.98 for one, was in zip(after, readings, strict=True) if one != was
    )
