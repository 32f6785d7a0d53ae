"""The collected rule cases: public engines' tests and rule pages, recomputed independently.

They are read from the folder that MELDWATCH_CASES names, or from ``shared/rule_cases`` beside
the checkout, and skipped where neither is there.
"""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee import (
    Code,
    Ruleset,
    Situation,
    Table,
    check_set,
    judge_table,
    judge_turn,
    load_ruleset,
    parse_set,
    parse_table,
    parse_tiles,
)
from referee.events import Dealt, Drew, Refused, Started
from referee.layout import arranged
from referee.match import apply, replay
from referee.match_state import Match
from referee.mover import equipment
from referee.networks import networks
from referee.opening import opening_points
from referee.rulesets import JOKER_PRESETS, override, with_joker_preset
from referee.scoring import pick_bonus, rack_points, score_round, stalemate_winners

STANDARD = load_ruleset("standard")
BESIDE = Path(__file__).parents[3] / "shared" / "rule_cases"
FOLDER = Path(os.environ.get("MELDWATCH_CASES", BESIDE))


def cases(name: str) -> list[Any]:
    """Every case of one file, or one skipped stand-in that says why."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        skip = pytest.mark.skip(reason=f"no rule cases at {path}; set MELDWATCH_CASES")
        return [pytest.param({}, marks=skip, id=name)]
    found = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case, id=case["id"]) for case in found]


def seeds(kind: str) -> list[Any]:
    """The worked examples of one kind from the rule documents."""
    found = cases("seed_examples")
    return [case for case in found if case.values[0].get("kind", kind) == kind]


@pytest.mark.parametrize("case", cases("set_validity"))
def test_set_validity(case: dict[str, Any]) -> None:
    tiles, expected = parse_set(case["tiles"]), case["expected"]
    verdict = check_set(tiles)
    assert verdict.valid == expected["valid_as_laid_out"]
    assert list(verdict.points) == expected["points_as_laid_out"]
    arrangeable = verdict.valid or arranged(tiles, STANDARD) is not None
    assert arrangeable == expected["valid_as_multiset"]


def rules_of(case: dict[str, Any]) -> Ruleset:
    return load_ruleset(case["ruleset"].replace("_", "-"))


KINDS = {"run": "run", "run_same": "run", "group_diff": "group"}


@pytest.mark.parametrize("case", seeds("set"))
def test_seed_sets(case: dict[str, Any]) -> None:
    verdict = check_set(parse_set(case["input"]), rules_of(case))
    expected = case["expected"]
    assert verdict.valid == expected["valid"]
    assert list(verdict.points) == expected.get("points", list(verdict.points))
    kinds = {KINDS.get(kind, kind) for kind in expected.get("kinds", ())}
    assert kinds <= {reading.kind for reading in verdict.readings}
    jokers = {tuple(joker.number for joker in reading.jokers) for reading in verdict.readings}
    assert {tuple(numbers) for numbers in expected.get("joker_readings", ())} <= jokers


@pytest.mark.parametrize("case", seeds("intersection"))
def test_seed_intersections(case: dict[str, Any]) -> None:
    across, down = (case["input"][way].split() for way in ("horizontal", "vertical"))
    column = next(place for place, text in enumerate(across) if text.startswith("["))
    crossing = next(place for place, text in enumerate(down) if text.startswith("["))
    rows = [
        across if row == crossing else ["."] * column + [text] + ["."] * (len(across) - column - 1)
        for row, text in enumerate(down)
    ]
    grid = " / ".join(" ".join(row) for row in rows).replace("[", "").replace("]", "")
    verdict = judge_table(parse_table(grid), rules_of(case))
    assert verdict.ok == case["expected"]["valid"]
    assert verdict.hints == ()


@pytest.mark.parametrize("case", cases("initial_meld"))
def test_initial_melds(case: dict[str, Any]) -> None:
    rules = override(STANDARD, {"opening_threshold": case["threshold"]})
    rack = None if case["hand"] is None else parse_tiles(case["hand"])
    after = parse_table(" | ".join(case["sets"]))
    verdict = judge_turn(Table(), after, rules, Situation(opened=False, rack=rack))
    expected = case["expected"]
    assert verdict.legal == expected["legal_as_laid_out"]
    if expected["points_as_laid_out"] is not None:
        assert opening_points(networks(after, rules), rules) == expected["points_as_laid_out"]


REASONS = {
    "invalid_set": Code.INVALID_SET,
    "table_tile_missing": Code.TABLE_TILE_MISSING,
    "tile_not_in_rack": Code.TILE_NOT_FROM_RACK,
    "no_tile_from_rack": Code.NO_RACK_TILE,
    "table_changed_before_initial_meld": Code.OPENING_TABLE_CHANGED,
    "initial_meld_below_threshold": Code.OPENING_BELOW_THRESHOLD,
    "joker_taken_without_replacement": Code.JOKER_TAKEN,
    "joker_not_in_new_set": Code.JOKER_NOT_IN_NEW_SET,
    "group_of_3_needs_both_missing": Code.JOKER_GROUP_OF_THREE,
    "joker_set_disturbed": Code.JOKER_SET_LOCKED,
    "joker_needs_two_rack_tiles": Code.JOKER_NEEDS_RACK_TILES,
}


@pytest.mark.parametrize("preset", JOKER_PRESETS)
@pytest.mark.parametrize("case", cases("turn_legality") + cases("turn_edge_cases"))
def test_turns(case: dict[str, Any], preset: str) -> None:
    threshold = override(STANDARD, {"opening_threshold": case["threshold"]})
    before, after = (parse_table(" | ".join(case[f"board_{when}"])) for when in TIMES)
    situation = Situation(opened=case["opened"], rack=parse_tiles(case["rack_before"]))
    verdict = judge_turn(before, after, with_joker_preset(threshold, preset), situation)
    expected = case["expected"][preset]
    assert verdict.legal == expected["legal"]
    codes = {REASONS[reason.split(":")[0]] for reason in expected["reasons"]}
    assert {violation.code for violation in verdict.violations} == codes


TIMES = ("before", "after")


@pytest.mark.parametrize("case", [c for c in seeds("turn") if "board_after" in str(c.values)])
def test_seed_turns(case: dict[str, Any]) -> None:
    given = case["input"]
    before, after = (parse_table(" | ".join(given[f"board_{when}"])) for when in TIMES)
    situation = Situation(opened=given["opened"], rack=parse_tiles(given["rack"]))
    assert judge_turn(before, after, rules_of(case), situation).legal == case["expected"]["legal"]


@pytest.mark.parametrize("case", seeds("initial_meld"))
def test_seed_openings(case: dict[str, Any]) -> None:
    after, expected = parse_table(" | ".join(case["input"]["sets"])), case["expected"]
    rules = rules_of(case)
    assert rules.opening_threshold == case["input"]["threshold"]
    verdict = judge_turn(Table(), after, rules, Situation(opened=False))
    assert verdict.legal == expected["legal"]
    points = opening_points(networks(after, rules), rules)
    assert points == expected.get("points", points)


OPTIONS = {
    "A_standard": {"scoring": "A"},
    "B_winner_takes": {"scoring": "B"},
    "C_losers_keep": {"scoring": "C"},
    "A_crazy_winner_subtracts": {"stalemate_scoring": "winner_subtracts_own"},
    "A_pressman_difference": {"stalemate_scoring": "difference"},
}


@pytest.mark.parametrize("case", cases("scoring"))
def test_scores(case: dict[str, Any]) -> None:
    racks = {name: parse_tiles(rack) for name, rack in case["racks"].items()}
    expected = case["expected"]
    points = {name: rack_points(rack, STANDARD) for name, rack in racks.items()}
    assert points == expected["rack_points"]
    for option in OPTIONS.keys() & expected.keys():
        rules = override(STANDARD, OPTIONS[option])
        assert score_round(racks, rules, case["winner"]) == expected[option]
    for method in {"lowest_value", "fewest_tiles"} & expected.keys():
        rules = override(STANDARD, {"stalemate_winner": method})
        assert list(stalemate_winners(racks, rules)) == expected[method]


def flow_match(given: dict[str, Any]) -> Match:
    """One turn of a round with the given rack and pool, drawn or refused."""
    match = replay([Started(("Ann", "Bob")), Dealt("Ann", {"Ann": given["rack"]})])
    drawing = given["action"] == "end_turn_no_move"
    match = replace(match, pool=given.get("pool", match.pool))
    return apply(match, Drew() if drawing else Refused())


@pytest.mark.parametrize("case", cases("flow"))
def test_flow(case: dict[str, Any]) -> None:
    given, expected = case["given"], case["expected"]
    if "tiles" in expected:
        assert equipment(STANDARD) == {"numbered": 104, "jokers": expected["jokers"]}
    elif "win" in expected:
        rack, opened = parse_tiles(given["rack"]), given["opened"]
        assert (not rack and opened) == expected["win"]
    elif "dealt" in expected:
        match = replay([Started(tuple("ABCD"[: given["players"]])), Dealt("A")])
        assert sum(player.rack_size for player in match.players) == expected["dealt"]
        assert match.pool == expected["pool"]
    elif "pool_delta" in expected:
        dealt = replay([Started(("Ann", "Bob")), Dealt("Ann")])
        drawn = apply(dealt, Drew())
        sizes = [player.rack_size for player in drawn.players]
        assert sizes == [expected["rack_size"], expected["other_rack"]]
        assert drawn.pool - dealt.pool == expected["pool_delta"]
    else:
        match = flow_match(given)
        assert match.player("Ann").rack_size == expected["rack_size"]
        assert match.current.name == "Bob"


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("case", cases("solver_public") + cases("solver_generated"))
def test_best_plays(case: dict[str, Any]) -> None:
    best_play = pytest.importorskip("referee.best_play").best_play
    board = case["board"] if case["board"] is not None else [case["board_tiles"]]
    table, rack = parse_table(" | ".join(board)), parse_tiles(case["rack"])
    expected = case["expected"]
    played = best_play(table, rack)
    assert len(played.tiles) == expected["max_tiles"]
    assert played.goes_out == expected["can_go_out"]
    shed = best_play(table, rack, goal="points")
    assert rack_points(shed.tiles, STANDARD) == expected["max_rack_points_shed_joker30"]
    opening = best_play(table, rack, opened=False)
    assert len(opening.tiles) == expected["initial_meld_max_tiles"]


@pytest.mark.parametrize("case", seeds("pick_bonus"))
def test_seed_pick_bonus(case: dict[str, Any]) -> None:
    assert pick_bonus(case["input"]["handfuls"]) == case["expected"]["bonus"]


@pytest.mark.parametrize("case", [c for c in seeds("score") if "'racks': {" in str(c.values)])
def test_seed_scores(case: dict[str, Any]) -> None:
    given = case["input"]["racks"]
    tiles = {name: rack if isinstance(rack, str) else SUMS[rack] for name, rack in given.items()}
    racks = {name: parse_tiles(rack) for name, rack in tiles.items()}
    winner = next(name for name, rack in racks.items() if not rack)
    scores = score_round(racks, rules_of(case), winner)
    assert scores == {name: case["expected"][name] for name in racks}


SUMS = {0: "", 3: "R3", 5: "R5", 10: "R10"}


@pytest.mark.parametrize("case", seeds("rack"))
def test_seed_racks(case: dict[str, Any]) -> None:
    points = rack_points(parse_tiles(case["input"]["rack"]), rules_of(case))
    assert points == case["expected"]["points"]


@pytest.mark.parametrize("case", seeds("deal"))
def test_seed_deals(case: dict[str, Any]) -> None:
    rules, count = rules_of(case), int(str(case["input"]["players"])[0])
    names = tuple("ABCD"[:count])
    match = replay([Started(names, rules.name), Dealt("A")])
    expected = case["expected"]
    dealt = [player.rack_size for player in match.players]
    wilds = expected.get("wild", [0] * count)
    assert [size - wild for size, wild in zip(dealt, wilds, strict=True)] == [
        expected.get("tiles", 28)
    ] * count
