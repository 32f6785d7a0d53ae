"""Requests in JSON, one a line."""

import json
import re
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.answers import KEYS as KNOWN
from referee.jsonl import answer, answer_lines

NOTATION = st.lists(
    st.sampled_from(["R7", "J", "K13", "B1", "|", "/", ".", "X"]), max_size=12
).map(" ".join)
VALUES = st.none() | st.booleans() | st.integers(-3, 40) | st.text(max_size=5) | NOTATION
KEYS = st.sampled_from(
    """id set table grid sets before after rack rack_before board racks winner end stalemate
    scoring opened threshold joker_preset goal unsure turned deal wrap tile_values
    free_tiles jokers copies colours min_set group_max run_max max_jokers_per_set""".split()  # noqa: SIM905 - one word a key reads better
)
REQUESTS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["set", "table", "opening", "turn", "score", "best_play"])
        | VALUES,
        "ruleset": st.sampled_from(["standard", "crazy", "runny", "keadle", "american"]) | VALUES,
    },
    optional=dict.fromkeys(["set", "table", "grid", "before", "after", "board", "rack"], NOTATION),
).flatmap(
    lambda base: st.dictionaries(KEYS, VALUES | st.lists(VALUES | NOTATION, max_size=3)).map(
        lambda more: {**more, **base}
    )
)


@given(REQUESTS)
@settings(deadline=None, max_examples=200)
def test_every_request_gets_an_answer_in_two_seconds(request: dict[str, Any]) -> None:
    started = process_time()
    (line,) = answer_lines([json.dumps(request)])
    found = json.loads(line)
    assert ("error" in found) or {"valid", "legal", "scores", "proven"} & found.keys()
    assert found.get("id") == request.get("id")
    assert process_time() - started < 2


@given(st.text(max_size=30))
def test_any_line_gets_an_answer(line: str) -> None:
    assert (
        len(list(answer_lines([line, '{"kind": "set", "set": "R1"}']))) == bool(line.strip()) + 1
    )


def test_a_bad_line_does_not_stop_the_rest() -> None:
    lines = [
        "{",
        "[]",
        "",
        '{"id": "x", "kind": "nothing"}',
        '{"id": 2, "kind": "set", "set": "R4"}',
    ]
    found = [json.loads(line) for line in answer_lines(lines)]
    assert ["error" in line for line in found] == [True, True, True, False]
    assert [line.get("id") for line in found] == [None, None, "x", 2]


def test_set() -> None:
    assert answer({"id": 1, "kind": "set", "set": "R4 J R6"}) == {
        "id": 1,
        "valid": True,
        "status": "valid",
        "readings": [{"kind": "run", "points": 15, "jokers": ["R5"]}],
        "points": [15],
        "hints": [],
        "violations": [],
    }
    crazy = answer({"kind": "set", "ruleset": "crazy", "set": "J B12"})
    assert crazy["points"] == [32]
    fixable = answer({"kind": "set", "set": "R12 R13 J"})
    assert (fixable["valid"], fixable["hints"][0]["suggestion"]) == (False, "J R12 R13")


def test_table_and_grid() -> None:
    table = answer({"kind": "table", "table": "R3 R4 R5 | R7 B7 R7"})
    assert (table["valid"], table["points"]) == (False, [[12], []])
    assert table["violations"][0]["tiles"] == [[1, 0], [1, 2]]
    grid = answer({"kind": "table", "ruleset": "runny", "grid": ". R8 . / R7 B8 K9 / . K8 ."})
    lines = [(line["tiles"], line["valid"]) for line in grid["sets"][0]["lines"]]
    assert lines == [("R7 B8 K9", True), ("R8 B8 K8", True)]
    unsure = answer({"kind": "table", "table": "R7 B7 R7", "unsure": [[0, 2]]})
    assert unsure["valid"] is None
    turned = {"kind": "table", "ruleset": "runny", "table": "R9 R8 R7"}
    assert (answer(turned)["valid"], answer(turned)["turned"]) == (True, 180)
    turn = {"kind": "turn", "ruleset": "runny", "before": [], "after": ["R13 R12 R11"]}
    assert (answer(turn)["legal"], answer(turn)["turned"]) == (True, 180)
    assert answer({**turned, "turned": 180})["hints"] == []
    assert answer({**turned, "turned": 0})["valid"] is False


def test_opening() -> None:
    request = {"kind": "opening", "sets": ["R8 R9 R10"], "threshold": 30}
    found = answer(request)
    assert (found["legal"], found["points"]) == (False, 27)
    assert answer({**request, "threshold": 20})["legal"] is True
    assert answer({**request, "threshold": 20, "rack": "R8 R9"})["legal"] is False
    assert answer({**request, "sets": ["R8 R9 R11"]})["points"] is None


def test_turn() -> None:
    request = {"kind": "turn", "before": ["R1 R2 R3 J"], "after": ["R1 R2 R3", "J R12 R13"]}
    free = answer({**request, "joker_preset": "free"})
    assert (free["legal"], free["warnings"][0]["code"]) == (True, "JOKER_TAKEN")
    assert free["story"].endswith("25 points from the rack.")
    strict = answer({**request, "joker_preset": "strict_1978", "rack_before": "R12 R13"})
    assert [violation["code"] for violation in strict["violations"]] == ["JOKER_TAKEN"]


@pytest.mark.parametrize(
    ("more", "scores"),
    [
        ({"stalemate": "normal"}, {"1": 32, "2": -12, "3": -20}),
        ({"stalemate": "difference"}, {"1": 22, "2": -7, "3": -15}),
        ({"scoring": "C"}, {"1": 0, "2": 12, "3": 20}),
    ],
)
def test_score(more: dict[str, str], scores: dict[str, int]) -> None:
    racks = {"1": "R5", "2": "R12", "3": "R13 R7"}
    request = {"kind": "score", "racks": racks, "end": "stalemate", **more}
    assert answer(request)["scores"] == answer({**request, "winner": "1"})["scores"] == scores


def test_best_play() -> None:
    pytest.importorskip("scipy")
    found = answer({"kind": "best_play", "board": ["R4 R5 R6"], "rack": "R7 B1", "goal": "tiles"})
    assert (found["tiles"], found["play"], found["table"]) == (1, "R7", ["R4 R5 R6 R7"])
    assert found["goes_out"] is False


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"kind": "set"}, "set: expected a list of sets, got nothing"),
        ({"kind": "sets"}, "kind: expected one of set, table, opening"),
        ({"kind": "set", "set": "R1", "ruleset": "amercan"}, "no ruleset 'amercan'"),
        ({"kind": "set", "set": "R1", "wrap": 1}, "wrap: expected true or false, got 1"),
        ({"kind": "turn", "before": "", "after": "", "opened": 1}, "opened: expected true or"),
        ({"kind": "set", "set": "R1 " * 2000}, "set: expected at most 4000 characters"),
        ({"kind": "table", "table": "", "turned": 45}, "turned: expected one of 0, 180, 90"),
        ({"kind": "table", "table": "R3 R4 R5", "unsure": [[5, 0]]}, "unsure: expected tiles of"),
        ({"kind": "table", "table": "R3 R4 R5", "unsure": [[0, 7]]}, "unsure: expected tiles of"),
        ({"kind": "table", "grid": ". R8 / R7 .", "unsure": [[0, 2]]}, "unsure: expected tiles"),
        (
            {"kind": "turn", "before": "R3", "after": "", "unsure": [[0, 0]]},
            "unsure: expected tiles of the table, got [0, 0]",
        ),
        (
            {"kind": "turn", "before": "", "after": "", "rules": "keadle"},
            "there is no 'rules'; did you mean 'ruleset'?",
        ),
        (
            {"kind": "opening", "sets": "R10 R11 R12", "opening_treshold": 50},
            "there is no 'opening_treshold'; did you mean 'opening_threshold'?",
        ),
        ({"kind": "score", "racks": {"A": "B1", "B": "J"}}, "racks: expected the winner's to be"),
        (
            {"kind": "score", "racks": {"A": "B1", "B": "J"}, "winner": "A", "end": "out"},
            "racks: expected the winner's to be empty; where nobody went out, end is stalemate",
        ),
    ],
)
def test_wrong_requests_are_told_what_is_wrong(request_: dict[str, Any], message: str) -> None:
    assert answer(request_)["error"]["message"].startswith(message)


def test_keys_of_the_askers_own_are_passed_over() -> None:
    request = {"kind": "score", "racks": {"A": "", "B": "R5"}, "table_no": 3, "note": "late"}
    assert answer(request)["scores"] == {"A": 5, "B": -5}


def test_the_keys_that_the_manual_names_are_known() -> None:
    """So that none of them is taken for a misspelt one."""
    manual = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    rows = manual.partition("| kind | given |")[2].partition("\n\n")[0].splitlines()[2:]
    given = re.sub(r"\(.*?\)", "", " ".join(row.split("|")[2] for row in rows))
    assert {"before", "goal", "unsure"} <= {*re.findall(r"`(\w+)`", given)} <= KNOWN


def test_a_byte_order_mark_is_passed_over_and_no_number_is_refused() -> None:
    asked = '{"id": 1, "kind": "set", "set": "R3 R4 R5"}'
    (marked,) = answer_lines([f"\ufeff{asked}"])
    assert json.loads(marked)["valid"] is True
    for number in ("NaN", "-Infinity", "1e999"):
        (refused,) = answer_lines([asked.replace("1", number)])
        assert f"{number} is no finite number" in json.loads(refused)["error"]["message"]
    (echoed,) = answer_lines([asked.replace("1", "1.5e9")])
    assert json.loads(echoed)["id"] == 1.5e9
