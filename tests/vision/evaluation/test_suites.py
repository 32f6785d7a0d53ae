"""Evaluation suites: the same tables every time, scored by tiles, sets and whole tables."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from unittest.mock import Mock

import numpy as np
import pytest

from referee import Tile, judge_table, load_ruleset, parse_grid, parse_set, parse_table
from tests.fakes import FakeDetector, FakeReader
from vision.evaluation.suite_scores import (
    COLUMNS,
    Score,
    Scored,
    by_edition,
    canonical,
    score_rack,
    score_rows,
    score_table,
    write_scores,
)
from vision.evaluation.suite_tables import Given, table, tables
from vision.evaluation.suites import SUITES, Suite, suite_named, suite_names
from vision.pipeline import TableReader
from vision.rendering import racks
from vision.rendering.crossings import crossing_sets, crossing_words
from vision.rendering.held import LONGEST, hand_on_a_rack, hand_spread, sets_before_a_rack
from vision.rendering.layouts import BACK, FACES, Room
from vision.rendering.rows import (
    COPIES,
    close_rows_of_sets,
    loose_rows_of_sets,
    rows_of_sets,
    rows_of_spoilt_sets,
    sets_from_all_sides,
)
from vision.rendering.scene import render
from vision.types import Reading

if TYPE_CHECKING:
    from referee import Ruleset
    from vision.evaluation.suites import Layout

STANDARD, RUNNY, CRAZY = map(load_ruleset, ("standard", "runny", "crazy"))
LITTLE = Suite("a few tiles", (7, 7), (20, 22), size_px=420, edition="a")


def one(suite: Suite, name: str = "little") -> Given:
    return next(tables(suite, name, 1))


def read_as(given: Given, faces: dict[int, Reading | None]) -> Scored:
    """Score a reader that sees what lies there, except for some tiles."""
    quads, readings = [], []
    for number, tile in enumerate(given.photo.tiles):
        reading = faces.get(number, Reading(Tile.parse(tile.text), 0.99))
        if reading is not None:
            quads.append(tile.outline_img)
            readings.append(reading)
    reader = TableReader(FakeDetector(np.array(quads)), FakeReader(tuple(readings)))
    return score_table(given, reader.read(given.pixels, STANDARD), STANDARD)


def test_suites_have_a_few_words_and_editions_of_their_own() -> None:
    assert all(suite.about for suite in SUITES.values())
    assert "edition-okey" in suite_names()
    assert suite_named("edition-e").edition == "e"
    with pytest.raises(KeyError):
        suite_named("edition-nobody-made")


def test_any_recipe_may_be_laid_with_a_wrong_tile_in_every_set() -> None:
    spoilt = suite_named("spoilt-small@2")
    assert spoilt.tile_px == SUITES["small"].tile_px
    given = one(replace(LITTLE, layout=spoilt.layout))
    assert all(part.violations for part in judge_table(given.table).parts)
    assert "spoilt-unmet" in suite_names()
    assert "spoilt-jokers" not in suite_names()  # how its tiles lie is what it is about
    with pytest.raises(KeyError):
        suite_named("spoilt-edition-e")


def test_after_an_at_sign_there_are_other_tables_of_the_same_recipe() -> None:
    assert suite_named("plain@2") is SUITES["plain"]
    assert suite_named("edition-e@new").edition == "e"
    with pytest.raises(KeyError):
        suite_named("nothing@2")
    first, other, again = (one(LITTLE, name) for name in ("little", "little@2", "little@2"))
    assert str(other.table) != str(first.table)
    assert np.array_equal(other.pixels, again.pixels)


@pytest.mark.parametrize(
    ("layout", "tiles"),
    [
        (rows_of_sets, 90),
        (rows_of_spoilt_sets, 60),
        (close_rows_of_sets, 90),
        (loose_rows_of_sets, 90),
        (sets_from_all_sides, 90),
        (crossing_words, 104),
        (partial(crossing_sets, rules=RUNNY), 60),
        (partial(crossing_sets, rules=CRAZY), 90),
        (hand_on_a_rack, 60),
        (hand_spread, 60),
    ],
)
def test_no_table_takes_more_tiles_than_a_box_holds(layout: Layout, tiles: int) -> None:
    for seed in range(5):
        poses, texts = layout(np.random.default_rng(seed), tiles, 1.4)
        laid = Counter(pose.name for pose in poses if pose.name != BACK)
        assert max(laid.values()) <= COPIES
        assert laid == Counter(" ".join(texts).replace("/", "").replace(".", "").split())


@pytest.mark.parametrize("rules", [RUNNY, CRAZY])
def test_networks_are_legal_and_close_by_but_do_not_touch(rules: Ruleset) -> None:
    for seed in range(4):
        poses, texts = crossing_sets(np.random.default_rng(seed), 50, 1.4, rules=rules)
        assert judge_table(parse_table(" | ".join(texts)), rules).ok
        pairs = [(a, b) for a in poses for b in poses if a.group < b.group]
        gaps = [np.max(np.abs(a.centre - b.centre)[:2] - (1, 1.4)) for a, b in pairs]
        assert 0.05 < min(gaps) < 0.45


def test_a_suite_gives_the_same_tables_every_time_and_other_suites_others() -> None:
    first, again = (list(tables(LITTLE, "little", 2)) for _ in range(2))
    assert [str(given.table) for given in first] == [str(given.table) for given in again]
    assert np.array_equal(first[1].pixels, again[1].pixels)
    assert str(first[0].table) != str(first[1].table)
    assert str(one(LITTLE, "other").table) != str(first[0].table)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in SUITES
        if name not in {"hands", "crowded", "glare", "printed", "evening", "rack", "held"}
    ],
)
def test_nothing_is_hidden_or_cut(name: str) -> None:
    suite = SUITES[name]
    given = one(suite, name)
    assert not any(tile.cut for tile in given.photo.tiles)
    assert len(given.photo.tiles) == len(given.table.tiles)
    assert suite.tiles[0] <= len(given.table.tiles) <= suite.tiles[1]
    assert len(given.whole) == len(given.table.parts)


def test_a_rack_holds_its_tiles_in_tiers_that_are_not_too_long() -> None:
    lengths = set()
    for seed in range(40):
        tiles = 4 + seed % 25
        poses, texts = hand_on_a_rack(np.random.default_rng(seed), tiles, 1.4)
        tiers = [[pose for pose in poses if pose.group == tier] for tier in range(len(texts))]
        assert [" ".join(pose.name for pose in tier) for tier in tiers] == list(texts)
        assert max(map(len, tiers)) <= LONGEST
        lengths.add(len(tiers))
        for tier in tiers:
            places = sorted(float(pose.centre @ pose.right) for pose in tier)
            assert min(np.diff(places), default=1) >= 1
        assert np.mean([pose.centre[:2] for pose in poses], axis=0) == pytest.approx(0, abs=1e-6)
    assert lengths == {1, 2, 3, 4}


def test_a_rack_stands_before_sets_with_tiles_that_they_leave() -> None:
    for seed in range(5):
        poses, sets = sets_before_a_rack(np.random.default_rng(seed), 36, 1.4)
        laid, held = (
            [pose for pose in poses if racks.leans(pose) is leaning] for leaning in (False, True)
        )
        assert [pose.group for pose in laid] == sorted(pose.group for pose in laid)
        assert {pose.group for pose in laid} == set(range(len(sets)))
        assert min(pose.group for pose in held) == len(sets)
        assert max(Counter(pose.name for pose in poses).values()) <= COPIES
        nearest = max(float(pose.centre[1]) for pose in laid)
        assert all(pose.centre[1] > nearest for pose in held if pose.group == len(sets))


def test_no_tile_of_a_rack_makes_a_table_inexact_and_accusing_one_counts() -> None:
    laid = tables(replace(SUITES["held"], edition="a", varied=False), "held", 9)
    given = next(each for each in laid if len(each.whole) == len(each.table.parts))
    assert len(given.held_img) == len(given.photo.tiles) - len(given.table.tiles) > 3
    score = read_as(given, {}).score
    assert (score.tables, score.tables_exact, score.sets_exact) == (1, 1, score.sets)
    asked = replace(given, held_img=given.held_img[:0])
    assert read_as(asked, {}).score.tables_exact == 0
    unread = dict.fromkeys(range(len(given.table.tiles)))
    assert read_as(given, unread).score.accused >= 1  # nothing lies that would tell the table


def test_spread_tiles_do_not_lie_on_one_another() -> None:
    for seed in range(20):
        poses, _ = hand_spread(np.random.default_rng(seed), 28, 1.4)
        room = Room(50)
        assert all(room.take([pose], 1.4, 0.0) for pose in poses)


def test_of_a_rack_the_list_counts_and_no_set() -> None:
    """What hides the lower half of a tile hides no number, and no rack is legal."""
    given = one(replace(SUITES["rack"], edition="a", varied=False), "tiers 4")
    assert not any(tile.cut for tile in given.photo.tiles)
    assert len(given.whole) < len(given.table.parts)

    def scored(faces: dict[int, Reading | None]) -> Score:
        quads = np.array([tile.outline_img for tile in given.photo.tiles])
        readings = [Reading(Tile.parse(tile.text), 0.99) for tile in given.photo.tiles]
        readings = [faces.get(i) or reading for i, reading in enumerate(readings)]
        reader = TableReader(FakeDetector(quads), FakeReader(tuple(readings)))
        return score_rack(given, reader.read(given.pixels, STANDARD).as_rack).score

    right = scored({})
    assert (right.tiles.f1, right.tables, right.tables_exact) == (1, 1, 1)
    assert (right.sets, right.accused, right.excused) == (0, 0, 0)
    unsure = Reading(Tile.parse(given.photo.tiles[0].text), 0.5, (), "?")
    for other in (Reading(Tile.parse("K13"), 0.99), unsure):
        assert (scored({0: other}).tables, scored({0: other}).tables_exact) == (1, 0)


def test_made_up_sets_lie_as_others_would() -> None:
    plain, made_up = one(LITTLE), one(replace(LITTLE, varied=True))
    assert str(plain.table) == str(made_up.table)
    assert not np.array_equal(plain.pixels, made_up.pixels)


def test_of_mixed_sets_every_face_is_drawn_once_and_all_tiles_are_as_large() -> None:
    draw = Mock(wraps=render)
    table(replace(LITTLE, varied=True, mixed=True), "little", 0, draw)
    one, other = draw.call_args.args[1].sets
    assert set(FACES) <= set(one.drawn)
    assert set(FACES) <= set(other.drawn)
    assert one.face("B8").alpha.shape == other.face("B8").alpha.shape
    assert not np.array_equal(one.face("B8").albedo_bgr, other.face("B8").albedo_bgr)


def test_what_is_read_as_it_lies_is_exact() -> None:
    given = one(LITTLE)
    score = read_as(given, {}).score
    assert (score.tiles.f1, score.sets, score.sets_exact) == (1, 2, 2)
    assert (score.tables, score.tables_exact) == (1, 1)


def test_a_misread_tile_spoils_its_set_and_its_table() -> None:
    scored = read_as(one(LITTLE), {0: Reading(Tile.parse("K13"), 0.99)})
    assert (scored.score.sets_exact, scored.score.tables_exact) == (1, 0)
    assert scored.score.tiles.confident_wrong == 1
    assert any("is read otherwise" in failure for failure in scored.failures)


def test_accusing_what_is_legal_and_excusing_what_is_not_are_counted() -> None:
    legal = read_as(one(LITTLE), {0: Reading(Tile.parse("K13"), 0.99)})
    assert (legal.score.accused, legal.score.excused) == (1, 0)
    doubted = read_as(one(LITTLE), {0: Reading(Tile.parse("K13"), 0.6, (), "?")})
    assert (doubted.score.accused, doubted.score.excused) == (0, 0)
    spoilt = one(replace(LITTLE, layout=rows_of_spoilt_sets))
    assert (read_as(spoilt, {}).score.accused, read_as(spoilt, {}).score.excused) == (0, 0)
    mended = parse_set("R3 R4 R5 R6 R7 R8 R9")
    first = spoilt.table.parts[0]
    faces: dict[int, Reading | None] = {
        i: Reading(tile, 0.99) for i, tile in enumerate(mended.tiles[: len(first.tiles)])
    }
    assert read_as(spoilt, faces).score.excused == 1


def test_accusing_a_set_half_of_which_is_hidden_is_counted_apart() -> None:
    given = one(LITTLE)
    hidden = replace(given, whole=given.whole - {0})
    for laid, counts in ((given, (1, 0)), (hidden, (0, 1))):
        score = read_as(laid, {0: Reading(Tile.parse("K13"), 0.99)}).score
        assert (score.accused, score.accused_covered) == counts
        assert (score.tables, score.excused) == (counts[0], 0)


def test_every_set_of_the_illegal_suite_is_illegal() -> None:
    for given in tables(SUITES["illegal"], "illegal", 3):
        assert not any(part.valid for part in judge_table(given.table).parts)


def test_a_missed_tile_counts_and_tables_with_hidden_tiles_are_not_asked_for() -> None:
    given = one(LITTLE)
    assert read_as(given, {0: None}).score.tiles.recall == pytest.approx(6 / 7)
    hidden = replace(given, whole=frozenset({1}))
    score = read_as(hidden, {0: None}).score
    assert (score.sets, score.sets_exact, score.tables) == (1, 1, 0)


def test_parts_read_from_the_other_side_are_the_same() -> None:
    assert canonical(parse_set("R3 R4 R5")) == canonical(parse_set("R5 R4 R3"))
    assert canonical(parse_set("R3 R4 R5")) != canonical(parse_set("R3 R5 R4"))
    upright = parse_grid(". R8 . / R7 J R9 / . B8 .")
    half = parse_grid(". B8 . / R9 J R7 / . R8 .")
    mirrored = parse_grid(". R8 . / R9 J R7 / . B8 .")
    assert canonical(upright) == canonical(half) != canonical(mirrored)


def test_scores_add_up_by_edition_and_are_written_as_csv() -> None:
    given = one(LITTLE)
    results = [read_as(given, {}), read_as(replace(given, edition="b"), {0: None})]
    groups = by_edition(results)
    assert list(groups) == ["a", "b", "all"]
    assert groups["all"] == groups["a"] + groups["b"]
    file = io.StringIO()
    write_scores(score_rows("little", groups), file)
    rows = list(csv.DictReader(file.getvalue().splitlines()))
    assert [row["edition"] for row in rows] == ["a", "b", "all"]
    assert rows[2]["tiles"] == "14"
    assert rows[2]["tables_exact"] == "0.5000"
    assert set(rows[0]) == {"suite", "edition", *COLUMNS}


def test_a_share_of_nothing_is_empty() -> None:
    (row,) = score_rows("none", {"all": Score()})
    assert row[list(COLUMNS).index("sets_exact") + 2] == ""
