"""What is said of a table that was seen, and what is asked instead."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from referee import Tile, load_ruleset
from referee.verdicts import Status
from tests.fakes import FakeDetector, FakeReader, blank, quad_at, sure
from vision.doubts import BESIDE, BEYOND, FOREIGN, GAP, NEARLY, OFTEN, PARTED, UNCLEAR, UNREADABLE
from vision.misread import LEAST_JOKER, LEAST_LEFT, MANY, WAVERS
from vision.pipeline import TableReader
from vision.types import Reading

if TYPE_CHECKING:
    from vision.pipeline import TableReading
    from vision.types import Floats

STANDARD = load_ruleset("standard")
HAND, CARD = (60, 80, 110), (255, 255, 255)


def read_at(left_px: int, *faces: str) -> TableReader:
    quads = np.array([quad_at(left_px + 62 * i, 300) for i in range(len(faces))])
    return TableReader(FakeDetector(quads), FakeReader(tuple(map(sure, faces))))


def test_a_set_that_may_go_on_beyond_the_edge_is_asked_about() -> None:
    for left_px in (3, 1000 - 2 * 62):
        reading = read_at(left_px, "R3", "R4").read(blank(), STANDARD)
        assert reading.verdict.ok is None
        assert {r.doubt for r in reading.readings.readings} == {"", BEYOND}
    for top_px, ok in ((3, None), (750 - 2 * 62, None), (250, False)):
        across = np.array([quad_at(top_px + 62 * i, 300) for i in range(2)])
        down = np.stack([750 - across[..., 1], across[..., 0]], 2)
        reader = TableReader(FakeDetector(down), FakeReader((sure("R3"), sure("R4"))))
        reading = reader.read(blank(), STANDARD)
        assert reading.verdict.ok is ok
    assert read_at(400, "R3", "R4").read(blank(), STANDARD).verdict.ok is False


def close_by(left_px: int, left_over: str, sets: str, *, gap_px: int = 7) -> TableReading:
    """Read what is left of a set, from so far left on, and sets a little further to the right."""
    faces = f"{left_over} {sets}".split()
    more = len(left_over.split())
    places = [left_px + 62 * i + gap_px * (i >= more) for i in range(len(faces))]
    quads = np.array([quad_at(x, 300) for x in places])
    reader = TableReader(FakeDetector(quads), FakeReader(tuple(map(sure, faces))))
    return reader.read(blank(), STANDARD)


@pytest.mark.parametrize(
    ("left_over", "sets"),
    [
        ("R4 R5", "K7 K8 K9"),
        ("K12", "B9 O9 J"),
        ("R4 J", "O1 O2 O3 O4"),
        ("K1", "B8 K8 O8 O2 B2 K2"),
    ],
)
def test_what_is_left_of_a_set_close_to_legal_ones_may_go_on_beyond_the_edge(
    left_over: str, sets: str
) -> None:
    seen = close_by(3, left_over, sets)
    assert len(seen.table.parts) == 1
    assert seen.verdict.ok is None
    first, *others = seen.readings.readings
    assert first.doubt == BEYOND
    assert not any(one.doubt for one in others)
    assert close_by(200, left_over, sets).verdict.ok is False
    assert close_by(3, left_over, sets, gap_px=0).verdict.ok is False  # nothing parts them


@pytest.mark.parametrize(
    ("sets", "left_over"),
    [("K7 K8 K9", "R5 R4"), ("B9 O9 J", "K12"), ("B8 K8 O8 O2 B2 K2", "K1"), ("K7 K8 K9", "R4 J")],
)
def test_so_may_what_is_left_of_a_set_at_the_other_end_of_legal_ones(
    sets: str, left_over: str
) -> None:
    faces, more = f"{sets} {left_over}".split(), len(left_over.split())

    def read(right_px: int, *, gap_px: int = 7) -> TableReading:
        lefts = [right_px - 62 * k - gap_px * (k > more) for k in range(len(faces), 0, -1)]
        quads = np.array([quad_at(x, 300) for x in lefts])
        reader = TableReader(FakeDetector(quads), FakeReader(tuple(map(sure, faces))))
        return reader.read(blank(), STANDARD)

    seen = read(1000)
    assert len(seen.table.parts) == 1
    assert seen.verdict.ok is None
    assert [one.doubt for one in seen.readings.readings] == [""] * (len(faces) - 1) + [BEYOND]
    assert read(800).verdict.ok is False
    assert read(1000, gap_px=0).verdict.ok is False


@pytest.mark.parametrize(
    ("left_over", "sets"), [("R4", "K7 K8 K9 O1"), ("R4 B11", "K7 K8 K9"), ("R4 R5", "K7 K8 B9")]
)
def test_what_is_wrong_in_another_way_is_wrong_at_the_edge_too(left_over: str, sets: str) -> None:
    assert close_by(3, left_over, sets).verdict.ok is False


def beside(gap_px: int, third: Reading, *faces: str) -> TableReading:
    """Read sure tiles in a row, and one more, so far from the last one."""
    quads = [quad_at(300 + 62 * i, 300) for i in range(len(faces))]
    quads.append(quad_at(300 + 62 * len(faces) + gap_px, 300))
    readings = (*map(sure, faces), third)
    reader = TableReader(FakeDetector(np.array(quads)), FakeReader(readings))
    return reader.read(blank(), STANDARD)


def test_an_unsure_tile_beside_a_short_set_may_belong_to_it() -> None:
    unsure = replace(sure("R9"), doubt=UNREADABLE)
    near, far = beside(35, unsure, "R3", "R4"), beside(90, unsure, "R3", "R4")
    assert len(near.table.parts) == len(far.table.parts) == 2
    assert near.verdict.ok is None
    assert [reading.doubt for reading in near.readings.readings] == ["", BESIDE, UNREADABLE]
    assert far.verdict.ok is False
    assert beside(35, sure("R9"), "R3", "R4").verdict.ok is False
    assert beside(35, unsure, "R3", "R3", "R3").verdict.ok is False
    assert beside(35, unsure, "R4").verdict.ok is None


def test_a_tile_that_makes_a_short_set_whole_belongs_to_it_if_it_lies_near() -> None:
    assert beside(35, sure("R5"), "R3", "R4").verdict.ok is True
    assert beside(90, sure("R5"), "R3", "R4").verdict.ok is False


@pytest.mark.parametrize(
    ("last", "table", "doubt"),
    [("R6", "R3 R4 R5 R6 | R7", ""), ("K6", "R3 R4 R5 | K6 | R7", BESIDE)],
)
def test_what_may_be_no_tile_and_lies_over_one_does_not_part_it_from_its_set(
    last: str, table: str, doubt: str
) -> None:
    """A light square of a cloth that reaches under the last tile, and is larger than it is."""
    row = [quad_at(300 + 62 * i, 300) for i in range(4)]
    middle, sides = row[3].mean(0), row[3] - row[3].mean(0)
    turn = np.array([(0.77, 0.64), (-0.64, 0.77)], np.float32)
    square = (1.1 * sides @ turn + middle + np.array((18, -45))).astype(np.float32)
    doubted = replace(sure("R7"), confidence=0.7, doubt=FOREIGN)
    faces = (*map(sure, ("R3", "R4", "R5", last)), doubted)
    reading = TableReader(FakeDetector(np.array([*row, square])), FakeReader(faces)).read(
        blank(), STANDARD
    )
    assert sorted(str(reading.table).split(" | ")) == sorted(table.split(" | "))
    assert reading.verdict.ok is None
    assert reading.readings.readings[3].doubt == doubt


@pytest.mark.parametrize(("hinted", "ok"), [(True, None), (False, False)])
def test_under_a_tile_that_was_thrown_over_others_their_set_may_go_on(
    hinted: bool, ok: bool | None
) -> None:
    """Of black 4, 5 and 6 only the 6 is found; where the 4 looks out, something may be a tile."""
    six = quad_at(424, 300)
    step = np.array((62, 0), np.float32)
    turn = np.array([(0.9, 0.44), (-0.44, 0.9)], np.float32)
    thrown = ((six - six.mean(0)) @ turn + six.mean(0) - 1.5 * step).astype(np.float32)
    hints = thrown.mean(0) - step @ turn if hinted else np.array((50, 50))
    reader = TableReader(
        FakeDetector(np.array([six, thrown]), hints_img=hints[None].astype(np.float32)),
        FakeReader((sure("K6"), sure("R7"))),
    )
    reading = reader.read(blank(), STANDARD)
    assert reading.verdict.ok is ok
    assert {one.doubt for one in reading.readings.readings} == {BESIDE if hinted else ""}


@pytest.mark.parametrize(
    ("last", "ok", "doubts"), [("J", True, ["", "", ""]), ("K12", None, ["", PARTED, PARTED])]
)
def test_a_tile_that_lies_just_as_the_next_belongs_there_however_its_outline_is_found(
    last: str, ok: bool | None, doubts: list[str]
) -> None:
    """Seen from low, a joker and its side wall were found as one tile that is too tall."""
    *row, tall = (quad_at(300 + 62 * i, 300) for i in range(3))
    tall[:2] -= np.array((0, 35), np.float32)
    tall[2:] += np.array((0, 50), np.float32)
    faces = FakeReader(tuple(map(sure, ("R11", "B11", last))))
    seen = TableReader(FakeDetector(np.array([*row, tall])), faces).read(blank(), STANDARD)
    assert (last in str(seen.table).split(" | ")) is (ok is None)  # it was parted from the others
    assert seen.verdict.ok is ok
    assert [one.doubt for one in seen.readings.readings] == doubts


@pytest.mark.parametrize(("wider_px", "ok"), [(15, None), (6, False)])
def test_where_an_outline_reaches_into_the_next_place_a_tile_may_lie_there(
    wider_px: int, ok: bool | None
) -> None:
    """In the dark neither the edge between two tiles was seen nor an orange 12 on the second."""
    others, pair = [
        [quad_at(left + 62 * i, 300) for i in range(n)] for left, n in ((200, 3), (600, 2))
    ]
    pair[1][[1, 2]] += np.array((wider_px, 0), np.float32)
    faces = FakeReader(tuple(map(sure, ("R3", "R4", "R5", "R12", "B12"))))
    seen = TableReader(FakeDetector(np.array([*others, *pair])), faces).read(blank(), STANDARD)
    assert seen.verdict.ok is ok
    assert seen.readings.readings[4].doubt == (BESIDE if ok is None else "")


@pytest.mark.parametrize(
    ("last", "statuses"),
    [("B12", [Status.VALID]), ("K12", [Status.UNKNOWN, Status.UNKNOWN])],
)
def test_a_tile_that_was_parted_from_its_row_is_not_accused_of_lying_alone(
    last: str, statuses: list[Status]
) -> None:
    """Its own outline, found too narrow, does not tell that it lies where the row goes on."""
    *row, narrow = (quad_at(300 + 62 * i, 300) for i in range(3))
    narrow[[1, 2]] -= np.array((20, 0), np.float32)
    narrow += np.array((8, 0), np.float32)
    narrow[:2] -= np.array((0, 45), np.float32)
    narrow[2:] += np.array((0, 40), np.float32)
    faces = FakeReader(tuple(map(sure, ("B10", "B11", last))))
    seen = TableReader(FakeDetector(np.array([*row, narrow])), faces).read(blank(), STANDARD)
    assert (last in str(seen.table).split(" | ")) is (len(statuses) > 1)
    assert [part.status for part in seen.verdict.parts] == statuses


@pytest.mark.parametrize(("away_px", "ok"), [(0, None), (15, None), (40, False)])
def test_where_the_next_tile_would_lie_what_looks_like_one_is_asked_about(
    away_px: float, ok: bool | None
) -> None:
    """A lamp drowned an orange 12: a tile on which nothing could be read, and it was left out."""
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(2)])
    hints = np.array([*quads.mean(1), quad_at(238 - away_px, 300).mean(0)], np.float32)
    faces = FakeReader((sure("K12"), sure("B12")))
    seen = TableReader(FakeDetector(quads, hints_img=hints), faces).read(blank(), STANDARD)
    assert seen.verdict.ok is ok
    assert [one.doubt for one in seen.readings.readings] == [BESIDE if ok is None else "", ""]


GLARE = 255


@pytest.mark.parametrize(
    ("away_px", "larger", "light", "asked"),
    [
        (0, 1.0, GLARE, True),
        (0, 1.0, 225, True),
        (30, 1.0, GLARE, False),  # between two places
        (0, 1.4, GLARE, False),  # something larger
        (0, 1.0, 120, False),  # the table, with nothing on it
    ],
)
def test_a_set_that_is_legal_may_go_on_with_a_tile_that_a_lamp_drowned(
    away_px: float, larger: float, light: int, asked: bool
) -> None:
    """It is worth less without that tile, which may be read the next time."""
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(3)])
    drowned = quad_at(486 + away_px, 300)
    drowned = drowned.mean(0) + (drowned - drowned.mean(0)) * np.float32(larger)
    picture = blank()
    picture[300:390, 300:484] = 225
    picture[300:390, 486:546] = light
    faces = FakeReader(tuple(map(sure, ("B5", "B6", "B7"))))
    detector = FakeDetector(quads, glimpsed_img=np.array([*quads, drowned], np.float32))
    seen = TableReader(detector, faces).read(picture, STANDARD)
    assert [one.doubt for one in seen.readings.readings] == ["", "", BESIDE if asked else ""]
    assert seen.verdict.ok is (None if asked else True)


@pytest.mark.parametrize(("room_px", "ok"), [(62, None), (30, False), (110, False)])
def test_a_row_that_goes_on_after_one_tiles_room_may_have_one_there(
    room_px: int, ok: bool | None
) -> None:
    """Seen from low, an 8 was not found at all, and the 7 lay by itself."""
    lefts = (300, 362 + room_px, 424 + room_px, 486 + room_px)
    quads = np.array([quad_at(left, 300) for left in lefts])
    faces = FakeReader(tuple(map(sure, ("B7", "B9", "B10", "B11"))))
    seen = TableReader(FakeDetector(quads), faces).read(blank(), STANDARD)
    assert str(seen.table) == "B7 | B9 B10 B11"
    assert seen.verdict.ok is ok
    assert seen.readings.readings[0].doubt == (GAP if ok is None else "")


@pytest.mark.parametrize(
    ("upper", "lower", "asked"),
    [
        ("K1 K2 K3 K4 K5", "K6 K7", "K6"),
        ("K1 K2", "K3 K4 K5 K6 K7", "K1"),
        ("R7 B7 K7", "O7", "O7"),
        ("K1 K2 K3 K4 K5", "K7 K8", ""),
        ("K1 K2 K3 K4 K5", "K7", ""),
        ("K6 K7", "K1 K2 K3 K4 K5", ""),
    ],
)
@pytest.mark.parametrize("below_px", [92, 130])
def test_a_set_may_lie_in_two_lines(upper: str, lower: str, asked: str, below_px: int) -> None:
    lines = upper.split(), lower.split()
    quads = np.array(
        [quad_at(300 + 62 * i, 300 + below_px * k) for k in (0, 1) for i in range(len(lines[k]))]
    )
    reader = TableReader(FakeDetector(quads), FakeReader(tuple(map(sure, [*lines[0], *lines[1]]))))
    seen = reader.read(blank(), STANDARD)
    found = {str(one.tile): one.doubt for one in seen.readings.readings if one.unsure}
    asked = asked if below_px == 92 else ""
    assert found == ({asked: PARTED} if asked else {})
    assert seen.verdict.ok is (None if asked else False)


def askew(quad: Floats) -> Floats:
    """Turn an outline about its middle, by one radian."""
    turn = np.array([[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]], np.float32)
    return np.asarray((quad - quad.mean(0)) @ turn + quad.mean(0), np.float32)


@pytest.mark.parametrize(
    ("other", "asked_under"),
    [(face, ["standard", "crazy"]) for face in ("B10", "K8", "J")] + [("K10", ["crazy"])],
)
@pytest.mark.parametrize(
    ("there", "doubt"), [(quad_at(424, 300), GAP), (askew(quad_at(362, 300)), PARTED)]
)
def test_two_tiles_of_a_heap_are_asked_about_if_they_may_be_of_one_set(
    other: str, asked_under: list[str], there: Floats, doubt: str
) -> None:
    """In line with each other with one tile's room between, or beside each other and askew."""
    reader = TableReader(
        FakeDetector(np.array([quad_at(300, 300), there])), FakeReader((sure("B8"), sure(other)))
    )
    for rules in ("standard", "crazy"):
        seen = reader.read(blank(), load_ruleset(rules))
        assert len(seen.verdict.parts) == 2
        asked = doubt if rules in asked_under else ""
        assert [one.doubt for one in seen.readings.readings] == [asked, asked]


def test_where_sets_may_cross_an_unsure_tile_below_is_asked_about_too() -> None:
    """A column through a row that was not read: its tiles would lie alone."""
    quads = np.array([quad_at(400, 300), quad_at(400, 450)])
    faces = (sure("R8"), replace(sure("R9"), doubt=UNREADABLE))
    reader = TableReader(FakeDetector(quads), FakeReader(faces))
    assert reader.read(blank(), load_ruleset("runny")).verdict.ok is None
    assert reader.read(blank(), STANDARD).verdict.ok is False


def test_what_no_more_tiles_would_mend_is_wrong_at_the_edge_too() -> None:
    assert read_at(3, "R3", "R3", "R3").read(blank(), STANDARD).verdict.ok is False
    assert read_at(3, "R3", "R4", "R5").read(blank(), STANDARD).verdict.ok is True


def nearly(face: str, other: str, confidence: float) -> Reading:
    chance = (Tile.parse(other), 1 - confidence)
    return replace(sure(face), confidence=confidence, alternatives=(chance,))


@pytest.mark.parametrize(
    ("chances", "ok"),
    [
        ((0.98, 0.995), None),
        ((0.995, 0.98), None),
        ((0.995, 0.995), None),
        ((0.98, None), False),
        ((0.98, 0.995, 0.995), None),
        ((0.98, None, 0.995), False),
    ],
)
def test_where_one_ink_is_open_to_doubt_that_of_its_neighbours_is(
    chances: tuple[float | None, ...], ok: bool | None
) -> None:
    ends = [
        nearly(f"R{number}", f"O{number}", chance) if chance else sure(f"R{number}")
        for number, chance in zip((10, 9, 8), chances, strict=False)
    ]
    readings = (sure("O12"), sure("O11"), *ends)
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(len(readings))])
    reading = TableReader(FakeDetector(quads), FakeReader(readings)).read(blank(), STANDARD)
    assert str(reading.table) == " ".join(str(one.tile) for one in readings)
    assert reading.verdict.ok is ok


@pytest.mark.parametrize(
    ("faces", "other", "confidence", "ok"),
    [
        ("R3 K3 B3 R3", "O3", 0.98, None),
        ("R3 K3 B3 R3", "O3", 0.999, None),
        ("R3 R4 R5 R7", "R6", 0.98, None),
        ("R3 R4 R5 R7", "R6", 0.999, None),
        ("R3 R4 R5 R7", "R9", 0.98, False),
        ("R3 K3 B3 R3", "O8", 0.98, False),
        ("R3 K3 B3 O3", "R3", 0.98, True),
    ],
)
def test_a_set_is_not_accused_where_another_face_that_is_named_would_make_it_legal(
    faces: str, other: str, confidence: float, ok: bool | None
) -> None:
    *first, last = faces.split()
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(4)])
    readings = (*map(sure, first), nearly(last, other, confidence))
    reading = TableReader(FakeDetector(quads), FakeReader(readings)).read(blank(), STANDARD)
    assert str(reading.table) == faces
    assert reading.verdict.ok is ok
    doubt = NEARLY.format(other=Tile.parse(other).words) if ok is None else ""
    assert reading.readings.readings[3].doubt == doubt


@pytest.mark.parametrize(
    ("other", "chance", "ok"),
    [("J", LEAST_JOKER, None), ("J", LEAST_JOKER / 2, False), ("O3", LEAST_JOKER / 2, None)],
)
def test_only_a_trace_of_a_joker_is_not_asked_about(
    other: str, chance: float, ok: bool | None
) -> None:
    last = replace(nearly("R3", other, 0.996), alternatives=((Tile.parse(other), chance),))
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(4)])
    faces = FakeReader((*map(sure, ("R3", "K3", "B3")), last))
    assert TableReader(FakeDetector(quads), faces).read(blank(), STANDARD).verdict.ok is ok


@pytest.mark.parametrize(("left", "ok"), [(LEAST_LEFT, None), (0.004, False)])
@pytest.mark.parametrize("other", ["R5", None])
def test_what_leaves_much_to_others_may_be_a_joker(
    other: str | None, left: float, ok: bool | None
) -> None:
    """A word from top to bottom looked like a 1, or like nothing; a letter like a 3, or a 5."""
    joker, trace = Tile.parse("J"), LEAST_JOKER / 4
    named = ((joker, trace), *(((Tile.parse(other), left - trace),) if other else ()))
    last = replace(sure("R1"), confidence=0.9999 - left, alternatives=named)
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(3)])
    faces = FakeReader((sure("O10"), last, sure("R10")))
    seen = TableReader(FakeDetector(quads), faces).read(blank(), STANDARD)
    assert seen.verdict.ok is ok
    doubt = NEARLY.format(other=joker.words) if ok is None else ""
    assert [one.doubt for one in seen.readings.readings] == ["", doubt, ""]


@pytest.mark.parametrize(
    ("traces", "other", "ok"),
    [
        ((0.0013, 0.0016), "B6", None),
        ((0.0013, 0.0004), "B6", False),
        ((0.0004, 0.01), "B6", False),
        ((0.0013, 0.0016), "B9", False),
    ],
)
def test_two_tiles_of_a_set_may_be_misread_at_once(
    traces: tuple[float, float], other: str, ok: bool | None
) -> None:
    """A disc embossed under thin numbers made a 5 a 6, and a 6 a 4."""
    five, six = (Tile.parse(face) for face in ("B5", other))
    faces = (
        sure("B4"),
        replace(sure("B6"), confidence=0.975, alternatives=((five, traces[0]),)),
        replace(sure("B4"), confidence=0.996, alternatives=((six, traces[1]),)),
        sure("B7"),
    )
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(4)])
    seen = TableReader(FakeDetector(quads), FakeReader(faces)).read(blank(), STANDARD)
    assert seen.verdict.ok is ok
    asked = ["", NEARLY.format(other=five.words), NEARLY.format(other=six.words), ""]
    assert [one.doubt for one in seen.readings.readings] == (asked if ok is None else [""] * 4)


def in_a_picture(wavering: int, *faces: Reading) -> TableReading:
    """Read a set with many tiles below it that lie by themselves, some of them wavering."""
    wavers = replace(nearly("K1", "K4", WAVERS - 0.01), doubt=NEARLY.format(other="Black 4"))
    others = (*[wavers] * wavering, *map(sure, ("B1", "B3", "B5", "B7", "B9", "B11")[wavering:]))
    quads = [quad_at(100 + 62 * i, 100) for i in range(len(faces))]
    quads += [quad_at(100 + 140 * i, 500) for i in range(len(others))]
    reader = TableReader(FakeDetector(np.array(quads)), FakeReader((*faces, *others)))
    return reader.read(blank(), STANDARD)


@pytest.mark.parametrize(
    ("faces", "doubts"),
    [
        ("O8 R9 R10 J R12", [NEARLY.format(other="Red 8"), "", "", "", ""]),
        ("O8 K3 R3", [NEARLY.format(other="Orange 3"), "", ""]),
        ("R9 O8 R7 K2", [UNCLEAR, "", "", ""]),
        ("R9 R10 R11", ["", "", ""]),
    ],
)
def test_by_a_poor_picture_nobody_is_accused(faces: str, doubts: list[str]) -> None:
    plain = tuple(map(sure, faces.split()))
    wrong = any(doubts)
    seen = in_a_picture(MANY[0], *(replace(one, confidence=0.995) for one in plain))
    assert [one.doubt for one in seen.readings.readings[: len(plain)]] == doubts
    assert seen.verdict.parts[0].status is (Status.UNKNOWN if wrong else Status.VALID)
    clear = in_a_picture(MANY[0] - 1, *(replace(one, confidence=0.995) for one in plain))
    assert clear.verdict.parts[0].status is (Status.INVALID if wrong else Status.VALID)


def test_what_a_person_said_is_not_asked_about_in_a_poor_picture() -> None:
    said = [replace(sure(face), confidence=1.0) for face in ("R9", "O8", "R7")]
    assert in_a_picture(MANY[0], *said).verdict.parts[0].status is Status.INVALID
    seen = in_a_picture(MANY[0], *said, replace(sure("K2"), confidence=0.995))
    assert [one.doubt for one in seen.readings.readings[:4]] == ["", "", "", UNCLEAR]


def test_numbers_that_one_tile_leaves_open_are_open_for_the_others() -> None:
    """In one brush's hand sevens look like nines, and one of them surely so."""
    row = [quad_at(300 + 62 * i, 300) for i in range(3)]
    apart = [quad_at(300 + 62 * i, 500) for i in range(3)]
    wavers = Reading(Tile.parse("O9"), 0.97, ((Tile.parse("O7"), 0.03),))

    def read(third: Reading) -> TableReading:
        faces = (*map(sure, ("R9", "R8", "R9", "B9", "K9")), third)
        return TableReader(FakeDetector(np.array([*row, *apart])), FakeReader(faces)).read(
            blank(), STANDARD
        )

    assert read(sure("O9")).verdict.ok is False
    asked = read(wavers)
    assert asked.verdict.ok is None
    assert asked.readings.readings[0].doubt == NEARLY.format(other="Red 7")
    assert not any(one.unsure for one in asked.readings.readings[3:])


@pytest.mark.parametrize(
    ("confidence", "chance", "ok"),
    [
        (0.996, LEAST_JOKER, None),
        (0.996, LEAST_JOKER / 2, False),
        (0.999 - LEAST_LEFT, LEAST_JOKER / 2, None),
    ],
)
@pytest.mark.parametrize("like", ["O11", "K11"])
def test_what_reads_as_another_that_may_be_a_joker_may_be_one(
    like: str, confidence: float, chance: float, ok: bool | None
) -> None:
    """A pictograph read as an 11 with 0.987; the same one on the other joker with 0.999."""
    row = [quad_at(300 + 62 * i, 300) for i in range(4)]
    apart = [quad_at(300 + 62 * i, 500) for i in range(3)]
    named = ((Tile.parse("J"), chance),)
    other = replace(sure(like), confidence=confidence, alternatives=named)
    faces = (*map(sure, ("K13", "B13", "O11", "R13", "B11", "R11")), other)
    reader = TableReader(FakeDetector(np.array([*row, *apart])), FakeReader(faces))
    seen = reader.read(blank(), STANDARD)
    assert seen.verdict.ok is ok
    doubt = NEARLY.format(other=Tile.parse("J").words) if ok is None else ""
    assert [one.doubt for one in seen.readings.readings] == ["", "", doubt, "", "", "", ""]


@pytest.mark.parametrize(
    ("wrong", "elsewhere", "asked"),
    [
        ("R3 R11 R5 R6", "R10 R11 R12 | R11 B11 K11", ["R11"]),
        ("R3 R11 R5 R6", "R10 R11 R12", []),
        ("R3 R4 R5 R7", "R10 R11 R12 | R11 B11 K11 | B11 R11 O11", []),
        ("K11 B11 R11 R11", "R10 R11 R12", ["R11", "R11"]),
    ],
)
@pytest.mark.parametrize("confidence", [0.999, 1.0])
def test_what_lies_there_more_often_than_it_exists_may_be_another(
    wrong: str, elsewhere: str, asked: list[str], confidence: float
) -> None:
    """A fork and a knife, on both jokers, were surely read as red elevens."""
    sets = [tiles.split() for tiles in (wrong, *elsewhere.split(" | "))]
    quads = [
        quad_at(200 + 62 * x, 150 + 180 * y) for y in range(len(sets)) for x in range(len(sets[y]))
    ]
    faces = tuple(replace(sure(face), confidence=confidence) for tiles in sets for face in tiles)
    seen = TableReader(FakeDetector(np.array(quads)), FakeReader(faces)).read(blank(), STANDARD)
    asked = asked if confidence < 1 else []  # a person's word is not asked for twice
    assert seen.verdict.parts[0].status is (Status.UNKNOWN if asked else Status.INVALID)
    doubted = [(str(one.tile), one.doubt) for one in seen.readings.readings if one.unsure]
    assert doubted == [(face, OFTEN) for face in asked]


@pytest.mark.parametrize("face", ["B6", "B8"])
@pytest.mark.parametrize(
    ("turned", "other_way"), [([], False), ([1], True), ([0, 2, 3], True), ([0, 1, 2, 3], False)]
)
@pytest.mark.parametrize("confidence", [0.99, 1.0])
def test_a_6_that_lies_the_other_way_up_than_its_set_may_be_a_9(
    face: str, turned: list[int], other_way: bool, confidence: float
) -> None:
    """Though an outline that is too tall hides from its neighbours which way it lies."""
    quads = np.array([quad_at(300 + 62 * i, 300) for i in range(4)])
    if other_way:
        quads[1, :2, 1] -= 30
    quads[turned] = np.roll(quads[turned], 2, 1)
    faces = (sure("O9"), replace(sure(face), confidence=confidence), sure("R9"), sure("K9"))
    read = TableReader(FakeDetector(quads), FakeReader(faces)).read(blank(), STANDARD)
    asked = other_way and face == "B6" and confidence < 1  # a person's word is not asked for twice
    assert read.verdict.ok is (None if asked else False)
    assert [one.doubt for one in read.readings.readings] == [
        "", NEARLY.format(other="Blue 9") if asked else "", "", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("over", "faces", "other"),
    [
        (HAND, "B11 K11 O1", "Orange 11"),
        (CARD, "B11 K11 O1", "Orange 11"),
        (HAND, "R10 R9 R3", "Red 8"),
        (CARD, "R10 R9 R3", "Red 8"),
        (HAND, "B11 K11 O2", ""),
        (None, "B11 K11 O1", ""),
        (None, "R10 R9 R3", ""),
    ],
)
def test_where_something_lies_on_a_tile_its_number_may_be_what_is_left_of_another(
    over: tuple[int, int, int] | None, faces: str, other: str
) -> None:
    """A playing card is hardly whiter than the tile."""
    row = [quad_at(300 + 62 * i, 300) for i in range(3)]
    apart = [quad_at(300 + 62 * i, 500) for i in range(4)]
    pixels = np.full((1000, 1000, 3), 90, np.uint8)
    for quad in (*row, *apart):
        cv2.fillPoly(pixels, [quad.astype(np.int32)], (235, 235, 235))
    if over:
        cv2.fillPoly(pixels, [(row[2] + (30, 20)).astype(np.int32)], over)
    sures = tuple(map(sure, (*faces.split(), "R3", "R4", "R5", "R6")))
    quads = np.array([*row, *apart])
    seen = TableReader(FakeDetector(quads), FakeReader(sures)).read(pixels, STANDARD)
    assert seen.verdict.ok is (None if other else False)
    assert [one.doubt for one in seen.readings.readings] == [
        "", "", NEARLY.format(other=other) if other else "", *[""] * 4,
    ]  # fmt: skip
