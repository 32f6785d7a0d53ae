from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from referee import Tile
from tests.fakes import TILE_HEIGHT_PX, TILE_WIDTH_PX, quad_at, sure, unsure
from vision.doubts import BESIDE
from vision.evaluation.matching import match
from vision.evaluation.photos import Counts, by_group, score_photo, table_text, write_csv
from vision.labels import LabelledPhoto, LabelledTile
from vision.quads import quad_iou
from vision.types import Floats, Reading, Readings


def label(face: str, left: float = 100, top: float = 100, *, cut: bool = False) -> LabelledTile:
    tile = Tile.parse(face)
    colour = tile.colour.value if tile.colour else None
    return LabelledTile(tile.number, colour, quad_at(left, top), loose=False, cut=cut)


def box(number: int | None, left: float, top: float, grow: float = 20) -> LabelledTile:
    """A loose label: number only, an upright box larger than the tile."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * grow
    return LabelledTile(number, None, quad_at(left, top) + corners, loose=True, cut=False)


def counts(labels: list[LabelledTile], *read: tuple[Reading, tuple[float, float]]) -> Counts:
    photo = LabelledPhoto(Path("a.jpg"), "a", tuple(labels))
    quads = np.array([quad_at(*place) for _, place in read], np.float32).reshape(-1, 4, 2)
    return score_photo(photo, Readings(quads, tuple(reading for reading, _ in read))).counts


HERE, THERE, AWAY = (100, 100), (300, 100), (600, 500)


def test_all_right() -> None:
    c = counts([label("R7"), label("J", *THERE)], (sure("J"), THERE), (sure("R7"), HERE))
    assert (c.tiles, c.found, c.false_alarms, c.number_right, c.joint_right) == (2, 2, 0, 2, 2)
    assert (c.colour_right, c.colour_known) == (1, 1)
    assert (c.recall, c.precision, c.f1, c.photos_right) == (1, 1, 1, 1)


def test_a_missed_tile_costs_recall() -> None:
    c = counts([label("R7"), label("B7", *THERE)], (sure("R7"), HERE))
    assert (c.recall, c.precision, c.photos_right) == (0.5, 1, 0)
    assert c.f1 == pytest.approx(2 / 3)


def test_a_false_alarm_costs_precision_and_is_confidently_wrong() -> None:
    c = counts([label("R7")], (sure("R7"), HERE), (sure("B1"), AWAY))
    assert (c.recall, c.precision, c.confident_wrong, c.photos_right) == (1, 0.5, 1, 0)
    assert c.f1 == pytest.approx(2 / 3)


def test_an_unsure_false_alarm_claims_nothing() -> None:
    c = counts([label("R7")], (sure("R7"), HERE), (unsure("B1", "blurred"), AWAY))
    assert (c.precision, c.f1, c.confident_wrong, c.unsure, c.photos_right) == (0.5, 1, 0, 1, 0)


@pytest.mark.parametrize(
    ("read", "number", "colour"), [("R1", 0, 1), ("O7", 1, 0), ("K4", 0, 0), ("J", 0, 0)]
)
def test_number_and_colour_count_apart(read: str, number: int, colour: int) -> None:
    c = counts([label("R7")], (sure(read), HERE))
    assert (c.number_right, c.colour_right, c.joint_right) == (number, colour, 0)
    assert (c.confident_wrong, c.f1) == (1, 0)


def test_a_joker_read_as_a_number_is_wrong() -> None:
    c = counts([label("J")], (sure("R7"), HERE))
    assert (c.number_right, c.colour_known, c.joint_right) == (0, 0, 0)


def test_an_unsure_tile_counts_as_found_but_not_read() -> None:
    c = counts([label("R7")], (unsure("R7", "blurred"), HERE))
    assert (c.recall, c.joint_right, c.unsure, c.f1) == (1, 1, 1, 0)
    assert (c.confident_wrong, c.photos_right) == (0, 0)


@pytest.mark.parametrize(("read", "right"), [("R7", 1), ("R1", 0)])
def test_a_tile_of_which_only_the_sets_end_is_asked_about_is_read(read: str, right: int) -> None:
    c = counts([label("R7")], (unsure(read, BESIDE), HERE))
    assert (c.f1, c.unsure, c.ends_asked, c.confident_wrong) == (right, 0, 1, 1 - right)


def test_a_cut_tile_may_be_found_or_not() -> None:
    labels = [label("R7"), label("B7", *THERE, cut=True)]
    for extra in ((), ((sure("B7"), THERE),), ((unsure("B1", "cut"), THERE),)):
        c = counts(labels, (sure("R7"), HERE), *extra)
        assert (c.tiles, c.cut, c.precision, c.f1, c.photos_right) == (1, 1, 1, 1, 1)


def test_a_cut_tile_must_not_be_misread() -> None:
    c = counts([label("B7", cut=True)], (sure("B1"), HERE))
    assert (c.confident_wrong, c.photos_right) == (1, 0)


def test_a_photo_without_tiles_is_right_if_nothing_is_found() -> None:
    assert counts([]).photos_right == 1
    assert counts([], (sure("B1"), HERE)).photos_right == 0
    assert counts([]).recall is None


def test_one_label_takes_only_one_detection() -> None:
    c = counts([label("R7")], (sure("R7"), (100, 100)), (sure("R7"), (104, 100)))
    assert (c.found, c.false_alarms, c.photos_right) == (1, 1, 0)


def test_the_best_overlap_wins() -> None:
    quads = np.array([quad_at(118, 100), quad_at(103, 100)])
    assert match([label("R7"), label("R8", 125, 100)], quads) == {0: 1, 1: 0}


def test_quads_must_overlap_by_half() -> None:
    width = TILE_WIDTH_PX
    assert match([label("R7")], quad_at(100 + width * 0.32, 100)[None]) == {0: 0}
    assert match([label("R7")], quad_at(100 + width * 0.35, 100)[None]) == {}


def test_loose_boxes_ask_for_less() -> None:
    assert match([box(7, *HERE)], quad_at(*HERE)[None]) == {0: 0}
    assert match([box(7, *HERE)], quad_at(*AWAY)[None]) == {}


def test_numbers_without_colour_are_judged_by_number() -> None:
    c = counts([box(7, *HERE), box(None, *THERE)], (sure("K7"), HERE), (sure("J"), THERE))
    assert (c.number_right, c.joint_right, c.colour_known, c.f1) == (2, 2, 0, 1)


def turned(quad: Floats, angle_deg: float) -> Floats:
    centre = quad.mean(axis=0)
    a = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    result: Floats = ((quad - centre) @ turn.T + centre).astype(np.float32)
    return result


@pytest.mark.parametrize("angle_deg", [0, 30, 45, 90, 180])
def test_overlap_does_not_depend_on_the_first_corner(angle_deg: float) -> None:
    quad = turned(quad_at(50, 50), angle_deg)
    for first in range(4):
        assert quad_iou(quad, np.roll(quad, first, axis=0)) == pytest.approx(1, abs=1e-3)
    assert quad_iou(quad, quad[::-1].copy()) == pytest.approx(1, abs=1e-3)


def test_overlap_of_crossed_tiles() -> None:
    quad = quad_at(50, 50)
    common = TILE_WIDTH_PX**2
    union = 2 * TILE_WIDTH_PX * TILE_HEIGHT_PX - common
    assert quad_iou(quad, turned(quad, 90)) == pytest.approx(common / union, abs=1e-3)


def test_a_quad_without_area_overlaps_nothing() -> None:
    assert quad_iou(np.zeros((4, 2), np.float32), np.zeros((4, 2), np.float32)) == 0


def test_groups_add_up() -> None:
    results = [
        score_photo(LabelledPhoto(Path("a"), group, (label("R7"),)), readings)
        for group, readings in (
            ("b", Readings(quad_at(*HERE)[None], (sure("R7"),))),
            ("a", Readings(quad_at(*HERE)[None], (sure("R1"),))),
            ("b", Readings(np.zeros((0, 4, 2), np.float32), ())),
        )
    ]
    groups = by_group(results)
    assert list(groups) == ["a", "b", "all"]
    assert (groups["all"].photos, groups["all"].tiles, groups["all"].found) == (3, 3, 2)
    assert [g.photos_right for g in groups.values()] == [0, 1, 1]

    file = StringIO()
    write_csv(groups, file)
    rows = list(csv.DictReader(StringIO(file.getvalue())))
    assert [row["group"] for row in rows] == ["a", "b", "all"]
    assert rows[1]["recall"] == "0.50000"
    assert rows[2]["confident_wrong"] == "1"

    lines = table_text(groups).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert lines[0].split()[:3] == ["group", "photos", "tiles"]


def test_a_share_of_nothing_is_left_empty() -> None:
    file = StringIO()
    write_csv({"all": Counts(photos=1)}, file)
    assert next(csv.DictReader(StringIO(file.getvalue())))["recall"] == ""
    assert " - " in table_text({"all": Counts(photos=1)})


def test_failures_are_told_in_words() -> None:
    photo = LabelledPhoto(Path("a.jpg"), "a", (label("R7"), label("B2", *THERE)))
    quads = np.array([quad_at(*HERE), quad_at(*AWAY)])
    result = score_photo(photo, Readings(quads, (sure("R1"), unsure("K4", "blurred"))))
    assert result.failures == (
        "R7 at (130, 145) read as R1 (0.990, sure)",
        "B2 at (330, 145) not found",
        "no tile at (630, 545), read as K4 (0.500, unsure: blurred)",
    )
