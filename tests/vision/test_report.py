from __future__ import annotations

import json
from typing import Any

import numpy as np

from referee import load_ruleset
from tests.fakes import FakeDetector, FakeReader, blank, fake_reader, quad_at, sure
from vision.pipeline import TableReader
from vision.report import error_report, photo_report


def report(
    table: str, doubts: dict[str, str] | None = None, rules: str = "standard"
) -> dict[str, Any]:
    reading = fake_reader(table, doubts).read(blank(), load_ruleset(rules))
    return dict(json.loads(json.dumps(photo_report("a.jpg", reading))))


def test_keys_stand_in_the_documented_order() -> None:
    answer = report("R3 R4 R5")
    assert " ".join(answer) == (
        "version photo width height tiles sets table unsure verdict timings_ms"
    )
    assert " ".join(answer["tiles"][0]) == "id tile confidence alternatives quad set pos"
    assert " ".join(answer["verdict"]) == "ok violations hints points"
    assert " ".join(answer["timings_ms"]) == "detect read lay_out judge"


def test_tiles_sets_and_table_agree() -> None:
    answer = report("R3 R4 R5 | B7 K7 O7 J")
    assert answer["table"] == "R3 R4 R5 | B7 K7 O7 J"
    assert answer["sets"] == [{"id": 0, "tiles": "R3 R4 R5"}, {"id": 1, "tiles": "B7 K7 O7 J"}]
    assert [(t["id"], t["tile"], t["set"], t["pos"]) for t in answer["tiles"]][3:5] == [
        (3, "B7", 1, 0),
        (4, "K7", 1, 1),
    ]
    assert answer["tiles"][0]["quad"] == [
        [50.0, 40.0],
        [110.0, 40.0],
        [110.0, 130.0],
        [50.0, 130.0],
    ]
    assert answer["verdict"] == {
        "ok": True, "violations": [], "hints": [], "points": [[12], [28]]
    }  # fmt: skip


def test_violations_name_tiles_by_their_ids() -> None:
    answer = report("R3 R4 R5 | B7 K7 B7")
    assert answer["verdict"]["ok"] is False
    (violation,) = answer["verdict"]["violations"]
    assert (violation["code"], violation["sets"]) == ("REPEATED_COLOUR", [1])
    assert set(violation["tiles"]) == {3, 5}
    assert "Blue 7" in violation["message"]
    assert answer["verdict"]["points"] == [[12], []]


def test_a_face_too_many_is_a_question_not_a_breach() -> None:
    answer = report("R3 R4 R5 | R3 B3 K3 | R3 O3 B3")
    assert answer["verdict"]["ok"] is None
    assert [v["code"] for v in answer["verdict"]["violations"]] == ["TOO_MANY_OF_FACE"]
    assert report("R3 R4 R6 | R3 B3 K3 | R3 O3 B3")["verdict"]["ok"] is None
    assert report("R3 R4 R7 | R3 B3 K3 | R3 O3 B3")["verdict"]["ok"] is False


def test_hints_may_carry_a_suggestion() -> None:
    answer = report("R12 R13 J")
    (hint,) = answer["verdict"]["hints"]
    assert (answer["verdict"]["ok"], hint["code"]) == (True, "MOVE_JOKER")
    assert hint["suggestion"] == "J R12 R13"


def test_unsure_tiles_are_listed_with_their_doubt() -> None:
    answer = report("R3 R4 R5 | B7 K8 O9", {"K8": "glare covers the number"})
    assert answer["unsure"] == [4]
    assert answer["verdict"]["ok"] is None
    assert answer["tiles"][4]["doubt"] == "glare covers the number"
    assert "doubt" not in answer["tiles"][3]


def test_a_crossing_group_is_written_as_a_grid() -> None:
    quads = np.array([quad_at(200, 8)] + [quad_at(138 + 62 * i, 100) for i in range(3)])
    readings = tuple(sure(face) for face in ("R8", "R7", "R8", "R9"))
    reader = TableReader(FakeDetector(quads), FakeReader(readings))
    answer = photo_report("a.jpg", reader.read(blank(), load_ruleset("crazy")))
    assert answer["sets"] == [{"id": 0, "tiles": ". R8 . / R7 R8 R9"}]
    assert [(t["set"], t["pos"]) for t in answer["tiles"]] == [(0, 1), (0, 3), (0, 4), (0, 5)]


def test_an_empty_picture_is_an_honest_answer() -> None:
    answer = report("")
    assert (answer["tiles"], answer["sets"], answer["table"], answer["unsure"]) == ([], [], "", [])
    assert answer["verdict"] == {"ok": True, "violations": [], "hints": [], "points": []}


def test_errors_are_answers_too() -> None:
    assert error_report("a.jpg", "no such file") == {
        "version": 1,
        "photo": "a.jpg",
        "error": "no such file",
    }
