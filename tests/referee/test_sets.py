"""Single sets under the standard rules, one line a case."""

import pytest

from referee import Code, HintCode, Status, check_set, load_ruleset, parse_set, readings

STANDARD = load_ruleset("standard")


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("R3 B3 K3 O3", (12,)),
        ("R7 B7 K7", (21,)),
        ("R1 R2 R3", (6,)),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", (91,)),
        ("R5 R4 R3", (12,)),
        ("R4 J R6", (15,)),
        ("J R10 R11", (30,)),
        ("R10 R11 J", (33,)),
        ("J R5 J", (15,)),
        ("R5 J J", (15, 18)),
        ("J J R3", (6, 9)),
        ("O9 J J", (27, 30)),
        ("R2 J R4 J", (14,)),
        ("J B10 O10 K10", (40,)),
        ("J R12 R11", (36,)),
    ],
)
def test_valid(text: str, points: tuple[int, ...]) -> None:
    assert check_set(parse_set(text)).points == points


@pytest.mark.parametrize(
    ("text", "better", "code"),
    [
        ("R12 R13 J", "J R12 R13", HintCode.MOVE_JOKER),
        ("J R1 R2", "R1 R2 J", HintCode.MOVE_JOKER),
        ("B10 B12 J", "B10 J B12", HintCode.MOVE_JOKER),
        ("R5 R3 R4", "R3 R4 R5", HintCode.SORT_RUN),
        ("R5 R3 J", "R3 J R5", HintCode.MOVE_JOKER),
        ("O7 O8 O13 O12 O11 O10 O9 J", "J O7 O8 O9 O10 O11 O12 O13", HintCode.SORT_RUN),
    ],
)
def test_fixable(text: str, better: str, code: HintCode) -> None:
    verdict = check_set(parse_set(text))
    (hint,) = verdict.hints
    assert (verdict.status, verdict.violations) == (Status.FIXABLE, ())
    assert (hint.code, str(hint.suggestion)) == (code, better)
    moved = [text.split()[place] for _, place in hint.tiles]
    assert moved == (["J"] if code is HintCode.MOVE_JOKER else [])


@pytest.mark.parametrize(
    ("text", "codes", "message"),
    [
        ("B7", [Code.TOO_SHORT], "Blue 7 lies alone; a set needs three tiles."),
        ("R7 R8", [Code.TOO_SHORT], "Red 7, Red 8 are only two tiles; a set needs three."),
        ("R13 J", [Code.TOO_SHORT], "Red 13, the joker are only two tiles; a set needs three."),
        ("J J J", [Code.ONLY_JOKERS], "A set needs at least one numbered tile beside its jokers."),
        ("R7 B7 R7", [Code.REPEATED_COLOUR], "Red 7 is in this group twice."),
        ("K4 K4 R4 O4", [Code.REPEATED_COLOUR], "Black 4 is in this group twice."),
        ("R4 J R4", [Code.REPEATED_COLOUR], "Red 4 is in this group twice."),
        ("K4 B4 R4 O5", [Code.WRONG_NUMBER], "Orange 5 does not belong in a group of 4s."),
        ("B7 R8 K9", [Code.NOT_A_SET], None),
        ("O7 O8 B9", [Code.WRONG_COLOUR], "Blue 9 does not belong in an orange run."),
        ("J R7", [Code.TOO_SHORT], "The joker, Red 7 are only two tiles; a set needs three."),
        ("R3 R4 R5 B6 R7", [Code.WRONG_COLOUR, Code.GAP], None),
        ("R4 R4 R5", [Code.REPEATED_NUMBER], "Red 4 is in this run twice."),
        ("R3 R4 R4 R5", [Code.REPEATED_NUMBER], "Red 4 is in this run twice."),
        ("R4 R6 R7", [Code.GAP], "Red 5 is missing between Red 4 and Red 6."),
        ("R1 J R4", [Code.GAP], "Red 2 and 3 are missing between Red 1 and Red 4."),
        ("R12 R13 R1", [Code.WRAPPED_RUN], "Red 1 cannot follow Red 13; 1 is only low."),
        ("R1 J R13", [Code.WRAPPED_RUN], None),
        ("R12 J R1", [Code.WRAPPED_RUN], "Red 1 cannot follow Red 12; 1 is only low."),
        ("O2 J K2 B2 J", [Code.TOO_LONG], None),
        ("J R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", [Code.TOO_LONG], None),
        ("R5 B5 K5 O5 O5", [Code.REPEATED_COLOUR, Code.TOO_LONG], None),
    ],
)
def test_invalid(text: str, codes: list[Code], message: str | None) -> None:
    verdict = check_set(parse_set(text))
    assert (verdict.status, verdict.readings) == (Status.INVALID, ())
    assert [violation.code for violation in verdict.violations] == codes
    assert message is None or verdict.violations[0].message == message


def test_every_reading_is_kept() -> None:
    found = readings(parse_set("J R7 J"), STANDARD)
    runs = [reading for reading in found if reading.kind == "run"]
    assert [[str(joker) for joker in reading.jokers] for reading in runs] == [["R6", "R8"]]
    assert len(found) == 7


def test_a_joker_in_a_mirrored_run_stays_in_its_place() -> None:
    (reading,) = readings(parse_set("R6 J R4"), STANDARD)
    assert [str(tile) for tile in reading.tiles] == ["R6", "R5", "R4"]


@pytest.mark.parametrize(
    ("ruleset", "text", "message"),
    [
        ("keadle", "R12 R13 R3 R4", "Red 1 and 2 are missing between Red 13 and Red 3."),
        ("keadle", "R11 R13 R1", "Red 12 is missing between Red 11 and Red 13."),
        ("crazy", "O12 O13", "Orange 12, Orange 13 do not make a set."),
        ("crazy", "R5", "Red 5 lies alone; a set needs two tiles."),
        ("runny", "R1 B2 K4", "3 is missing between Blue 2 and Black 4."),
        ("runny", "K13 B1 R2", "Blue 1 cannot follow Black 13; 1 is only low."),
        (
            "runny",
            "B9 K10 O11 R12 J",
            "A run of different colours has at most four tiles; this one has five.",
        ),
        (
            "runny",
            "B9 K10 O10 R11",
            "Black 10 and Orange 10 share a number; a run has each number once.",
        ),
        (
            "runny",
            "B9 K10 O11 B12",
            "Blue 9 and Blue 12 share a colour; a run has one colour, or all different ones.",
        ),
        ("runny", "R7 R8 B9", "Blue 9 does not belong in a red run."),
    ],
)
def test_reasons_in_other_rulesets(ruleset: str, text: str, message: str) -> None:
    verdict = check_set(parse_set(text), load_ruleset(ruleset))
    assert [violation.message for violation in verdict.violations] == [message]
