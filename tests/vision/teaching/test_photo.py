"""Which tile is which, in a photo of a laid-out set."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from tests.fakes import (
    EitherWay,
    FakeDetector,
    FakeReader,
    LightOnly,
    blank,
    sure,
    to_mirror,
    unsure,
)
from vision.pipeline import TableReader
from vision.teaching.photo import IN_A_MIRROR, NO_TILES, look_over

if TYPE_CHECKING:
    from vision.types import Floats

FACES = [f"{colour}{number}" for colour in "RBOK" for number in range(1, 14)]
TALL = 1.43


def laid_out(jokers: int = 1, gap_after: str = "") -> tuple[list[str], Floats]:
    """Faces and quads as they are to be laid, seen slantwise and a little crooked."""
    rng = np.random.default_rng(3)
    places = [(float(i % 13), i // 13) for i in range(52)]
    places += [(13.0 + i, 3) for i in range(jokers)]
    if gap_after:
        last, below = places[FACES.index(gap_after)]
        places = [(x + 0.65 * (y == below and x > last), y) for x, y in places]
    square = np.array([(0, 0), (1, 0), (1, TALL), (0, TALL)], np.float32)
    corners = np.array([(x * 1.03, y * TALL * 1.4) for x, y in places])[:, None]
    quads = (square + corners + rng.normal(0, 0.03, corners.shape)).astype(np.float32)
    view = cv2.getPerspectiveTransform(
        np.array([(0, 0), (13, 0), (13, 8), (0, 8)], np.float32),
        np.array([(160, 130), (900, 60), (1010, 560), (80, 600)], np.float32),
    )
    seen = cv2.perspectiveTransform(quads.reshape(1, -1, 2), view).reshape(-1, 4, 2)
    return [*FACES, *["J"] * jokers], np.asarray(seen, np.float32)


def reader_of(names: list[str], quads: Floats) -> TableReader:
    shuffled = np.random.default_rng(1).permutation(len(names))
    readings = tuple(sure(names[i]) for i in shuffled)
    return TableReader(FakeDetector(quads[shuffled]), FakeReader(readings))


NOTHING = np.zeros((700, 1100, 3), np.uint8)


@pytest.mark.parametrize("jokers", [1, 2])
def test_every_tile_is_named_by_its_place(jokers: int) -> None:
    names, quads = laid_out(jokers)
    # What the general model makes of a strange six or of strange ink does not matter.
    seen = ["K8" if name.endswith("6") else name.replace("O", "R") for name in names]
    found = look_over(NOTHING, reader_of(seen, quads))
    assert list(map(str, found.faces)) == names
    assert found.quads_img == pytest.approx(quads, abs=1e-3)


def test_dark_tiles_are_seen_in_the_negative_and_taught_as_they_look_there() -> None:
    names, quads = laid_out()
    light, table = reader_of(names, quads), blank(1100, 700)
    found = look_over(table, replace(light, detector=LightOnly(quads)))
    assert list(map(str, found.faces)) == names
    assert found.pixels.mean() > 128
    assert look_over(NOTHING, light).pixels is NOTHING


def test_a_tile_that_was_read_upside_down_is_turned() -> None:
    names, quads = laid_out()
    turned = quads.copy()
    turned[[5, 20]] = np.roll(turned[[5, 20]], 2, 1)
    found = look_over(NOTHING, reader_of(names, turned))
    assert found.quads_img == pytest.approx(quads, abs=1e-3)


def test_a_photo_taken_from_the_other_side_is_turned_as_a_whole() -> None:
    names, quads = laid_out()
    opposite = np.array([1100, 700], np.float32) - quads
    found = look_over(NOTHING, reader_of(names, opposite))
    assert list(map(str, found.faces)) == names


@pytest.mark.parametrize("missed", [[6], [7, 8], [17, 40]])
def test_tiles_that_were_not_seen_leave_their_places_empty(missed: list[int]) -> None:
    names, quads = laid_out()
    left = [i for i in range(len(names)) if i not in missed]
    found = look_over(NOTHING, reader_of([names[i] for i in left], quads[left]))
    assert list(map(str, found.faces)) == [names[i] for i in left]


@pytest.mark.parametrize("after", ["R1", "B6", "K3", "K6", "K10", "K13"])
def test_a_gap_in_a_row_is_no_tile_that_was_not_seen(after: str) -> None:
    names, quads = laid_out(gap_after=after)
    found = look_over(NOTHING, reader_of(names, quads))
    assert list(map(str, found.faces)) == names


@pytest.mark.parametrize(
    "left", [range(39), range(12), [i for i in range(53) if i != 12], range(52), []]
)
def test_a_set_that_is_not_whole_is_counted_in_words(left: list[int]) -> None:
    names, quads = laid_out()
    kept = list(left)
    found = look_over(NOTHING, reader_of([names[i] for i in kept], quads[kept]))
    assert re.search(r"want four rows|no tiles|no joker behind", found.problem)


@pytest.mark.parametrize("rows", ["RBOK", "B", "K"])
def test_rows_laid_from_thirteen_to_one_are_refused(rows: str) -> None:
    names, quads = laid_out()
    backwards = [f"{one[0]}{14 - int(one[1:])}" if one[0] in rows else one for one in names]
    found = look_over(NOTHING, reader_of(backwards, quads))
    assert "from 1 on the left to 13 on the right" in found.problem


def test_a_row_without_its_first_tile_and_with_another_at_its_end_is_refused() -> None:
    names, quads = laid_out()
    names[13:26] = [*names[14:26], "B13"]
    found = look_over(NOTHING, reader_of(names, quads))
    assert "Where Blue 1 should lie I read Blue 2, and 11 more" in found.problem


@pytest.mark.parametrize(
    ("below", "seen"), [("RKOB", "red, black, orange and blue"), ("KRBO", "black, red, blue and")]
)
def test_rows_that_were_exchanged_are_refused(below: str, seen: str) -> None:
    names, quads = laid_out()
    exchanged = [
        name if name == "J" else below["RBOK".index(name[0])] + name[1:] for name in names
    ]
    found = look_over(NOTHING, reader_of(exchanged, quads))
    assert f"from the top I see {seen}" in found.problem


def test_ink_that_looks_like_another_rows_is_no_other_order() -> None:
    names, quads = laid_out()
    turquoise = [name.replace("O", "B") for name in names]
    assert look_over(NOTHING, reader_of(turquoise, quads)).problem == ""


def test_what_was_found_is_told_even_where_it_is_not_enough() -> None:
    names, quads = laid_out()
    found = look_over(NOTHING, reader_of(names[:20], quads[:20]))
    assert found.rows == (13, 7)
    assert (found.quads_img.shape, found.faces) == ((20, 4, 2), ())
    assert "I see rows of 13, 7 tiles" in found.problem
    nothing = look_over(NOTHING, reader_of([], quads[:0]))
    assert (nothing.rows, nothing.problem) == ((), NO_TILES)


def test_a_mirrored_photo_is_called_one() -> None:
    """Not one whose tiles are out of order, as its tiles are the other way round."""
    names, quads = laid_out()
    shown = [sure("R8")] * 8 + [unsure("R8", "Is it?")] * (len(names) - 8)
    reader = EitherWay(tuple(shown), mirrored=tuple(map(sure, names)))
    assert look_over(to_mirror(), TableReader(FakeDetector(quads), reader)).problem == IN_A_MIRROR
    out_of_order = look_over(NOTHING, reader_of(names[::-1], quads)).problem
    assert out_of_order not in {"", IN_A_MIRROR}
