"""Best play, against the published figures of set templates and an exhaustive search."""

from collections import Counter
from functools import cache
from random import Random
from types import SimpleNamespace

import pytest

from referee import Ruleset, Situation, Table, judge_turn, load_ruleset, parse_table, parse_tiles
from referee.best_play import best_play, could_play
from referee.rulesets import override, with_joker_preset
from referee.templates import templates
from referee.tiles import ALL_FACES, Tile

STANDARD = load_ruleset("standard")

pytestmark = pytest.mark.usefixtures("unhurried")


def exhaustive(table: Table, rack: tuple[Tile, ...], rules: Ruleset) -> int:
    """The most rack tiles that can be laid, by trying every set for every tile in turn."""
    sets = [tuple(sorted(tile.index for tile in found.tiles)) for found in templates(rules)]

    @cache
    def most(must: tuple[int, ...], may: tuple[int, ...]) -> int:
        best = -99
        if not must:
            best = 0
        pool = Counter(must) + Counter(may)
        first = must[0] if must else None
        for found in sets:
            if first is not None and first not in found:
                continue
            if Counter(found) - pool:
                continue
            from_table = Counter(found) & Counter(must)
            from_rack = Counter(found) - from_table
            left = tuple(sorted((Counter(must) - from_table).elements()))
            rest = tuple(sorted((Counter(may) - from_rack).elements()))
            best = max(best, from_rack.total() + most(left, rest))
        return best

    return most(
        tuple(sorted(tile.index for tile in table.tiles)),
        tuple(sorted(tile.index for tile in rack)),
    )


@pytest.mark.parametrize("ruleset", ["standard", "keadle", "runny", "crazy"])
@pytest.mark.parametrize("seed", range(4))
def test_it_finds_what_an_exhaustive_search_finds(ruleset: str, seed: int) -> None:
    rules, random = load_ruleset(ruleset), Random(seed)
    table = parse_table(["R4 R5 R6", "B7 K7 O7 R7", "J K8 K9", ""][seed])
    low = [tile for tile in ALL_FACES if (tile.number or 3) in range(3, 11)]
    rack = tuple(random.sample(low, 8))
    free = with_joker_preset(rules, "free")
    found = best_play(table, rack, free)
    assert len(found.tiles) == exhaustive(table, rack, free)
    assert found.proven
    if found.tiles:
        verdict = judge_turn(table, found.table, free, Situation(rack=rack))
        assert verdict.legal


@pytest.mark.parametrize(
    ("board", "rack", "tiles", "table"),
    [
        ("R4 R5 R6", "R7", 1, "R4 R5 R6 R7"),
        ("R1 R2 R3 R4 R5 R6 R7", "R8 K1", 1, "R1 R2 R3 R4 R5 R6 R7 R8"),
        ("R3 R4 R5 | B3 B4 B5", "K3 K4 K5", 3, "R3 R4 R5 | B3 B4 B5 | K3 K4 K5"),
        ("B6 B7 B8 B9 B10", "B8", 1, "B6 B7 B8 | B8 B9 B10"),
        ("J R5 R6", "B3", 0, "J R5 R6"),
    ],
)
def test_the_table_changes_as_little_as_it_must(
    board: str, rack: str, tiles: int, table: str
) -> None:
    found = best_play(parse_table(board), parse_tiles(rack))
    assert (len(found.tiles), str(found.table)) == (tiles, table)


def test_points_and_tiles_are_different_goals() -> None:
    rack = parse_tiles("R1 R2 R3 R4 B4 K4 B13 K13 O13 R13")
    table = Table()
    both = [best_play(table, rack, goal=goal) for goal in ("tiles", "points")]
    assert [len(play.tiles) for play in both] == [10, 10]
    some = parse_tiles("R1 R2 R3 B3 K3 O3 J")
    assert len(best_play(table, some).tiles) == 7


def test_openings_come_from_the_rack() -> None:
    table = parse_table("R4 R5 R6")
    small = best_play(table, parse_tiles("R7 R8 R9 K1"), opened=False)
    assert (small.tiles, small.table, small.proven) == ((), table, True)
    enough = best_play(table, parse_tiles("R9 R10 R11 K1"), opened=False)
    assert str(enough.table) == "R4 R5 R6 | R9 R10 R11"
    assert not best_play(
        table, parse_tiles("J R12 R13"), load_ruleset("mcgraw"), opened=False
    ).tiles
    single = override(STANDARD, {"opening_multi_set": False})
    assert not best_play(table, parse_tiles("R4 R5 R6 B5 K5 O5"), single, opened=False).tiles


def test_pinned_jokers_keep_their_identity() -> None:
    strict = with_joker_preset(STANDARD, "rack_only_new_set")
    table = parse_table("R1 R2 R3 J")
    found = best_play(table, parse_tiles("R12 R13"), strict)
    assert (found.tiles, found.proven) == ((), False)
    shift = best_play(table, parse_tiles("R5 R6 K4"), strict)
    assert len(shift.tiles) == 2
    assert judge_turn(table, shift.table, strict).legal
    assert best_play(table, parse_tiles("R12 R13")).goes_out


@pytest.mark.parametrize("opened", [True, False])
def test_a_play_that_is_cut_short_is_never_proven(
    monkeypatch: pytest.MonkeyPatch, *, opened: bool
) -> None:
    cut_short = SimpleNamespace(status=1, x=None)
    monkeypatch.setattr("referee.programme.milp", lambda *_, **__: cut_short)
    table = parse_table("R4 R5 R6 | J K8 K9")
    for rules in (STANDARD, with_joker_preset(STANDARD, "strict_1978")):
        found = best_play(table, parse_tiles("R7 R10 R11 R12"), rules, opened=opened)
        assert (found.tiles, found.table, found.proven) == ((), table, False)
    assert could_play(table, parse_tiles("R10 R11 R12"), STANDARD, opened=opened) is None


def test_whether_anything_could_be_played() -> None:
    table = parse_table("R4 R5 R6")
    assert could_play(table, parse_tiles("R7 B1"), STANDARD) is True
    assert could_play(table, parse_tiles("R8 B1"), STANDARD) is False
    assert could_play(table, parse_tiles("R8 B1"), load_ruleset("runny")) is None


def test_no_longer_run_is_proposed_than_the_rules_allow() -> None:
    short = override(load_ruleset("standard"), {"run_max": 3})
    best = best_play(parse_table("R4 R5 R6"), parse_tiles("R7 R8"), short)
    assert (best.tiles, best.proven) == ((), True)
    long = override(load_ruleset("standard"), {"min_set": 4})
    best = best_play(Table(), parse_tiles("R4 R5 R6 R7 R8 R9 R10"), long)
    assert (len(best.tiles), best.proven) == (7, True)
