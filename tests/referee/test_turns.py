"""Turns: the table before and after, one line a case."""

from dataclasses import replace

import pytest

from referee import (
    Code,
    Ruleset,
    Situation,
    Table,
    judge_draw,
    judge_turn,
    load_ruleset,
    parse_table,
    parse_tiles,
)
from referee.rulesets import JOKER_PRESETS, override, with_joker_preset

STANDARD = load_ruleset("standard")
KEADLE = load_ruleset("keadle")
MCGRAW = load_ruleset("mcgraw")
CRAZY = load_ruleset("crazy")
RUMMIBUG = load_ruleset("rummibug")


def codes(
    before: str, after: str, rules: Ruleset = STANDARD, situation: Situation | None = None
) -> list[Code]:
    verdict = judge_turn(parse_table(before), parse_table(after), rules, situation)
    return [violation.code for violation in verdict.violations]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("R4 R5 R6 R7 R8", "R4 R5 R6 | R6 R7 R8", []),
        ("R3 R4 R5", "R4 R5 R6 | R3 B3 K3", []),
        ("R3 R4 R5", "R4 R5 R6", [Code.TABLE_TILE_MISSING]),
        ("R3 R4 R5 | R6 R7 R8", "R3 R4 R5 R6 R7 R8", [Code.NO_RACK_TILE]),
        ("R3 R4 R5 | R3 B3 K3", "R3 R4 R5 | B3 K3 O3", [Code.TABLE_TILE_MISSING]),
        ("R3 R4 R5", "R3 R4 R5 R7", [Code.INVALID_SET]),
        ("J R4 R5", "R3 R4 R5", [Code.TABLE_TILE_MISSING]),
        ("R3 R4 R5", "R5 R4 R3 | K1 O1 B1", []),
        ("", "", [Code.NO_RACK_TILE]),
    ],
)
def test_turns(before: str, after: str, expected: list[Code]) -> None:
    assert codes(before, after) == expected


def test_where_a_tile_that_is_gone_lay_is_told() -> None:
    before, after = (
        parse_table("B7 B8 B9 | R3 R4 R5 | R3 B3 K3"),
        parse_table("B7 B8 B9 | R3 R4 R5"),
    )
    gone = {str(v.message)[:7]: v.sets for v in judge_turn(before, after).violations}
    assert gone["Black 3"] == (2,)
    assert gone["Red 3 i"] == (1, 2)


def test_what_else_is_wrong_with_an_opening_is_told_beside_a_set_that_is_no_set() -> None:
    """But not that it is worth too little: nobody knows what it would be worth."""
    found = codes("R3 R4 R5", "R3 R4 R5 R6 | B1 B2", situation=Situation(opened=False))
    assert Code.INVALID_SET in found
    assert Code.OPENING_BELOW_THRESHOLD not in found
    assert len(found) > 1


def test_of_two_equal_tiles_one_is_gone_or_both() -> None:
    before, rest = "R3 R4 R5 R6 | R4 R5 R6 R7", "R4 R5 R6"
    for after, told in (
        (f"{rest} R7 | {rest}", "Red 3 is gone from the table."),
        ("R3 R4 R5 | R5 R6 R7", "Red 4 is gone from the table."),
        ("R3 R4 R5 | R3 B3 K3", "Red 4 is gone from the table."),
        ("R3 B3 K3 | R7 B7 K7", "Red 4 (2 of them) is gone from the table."),
    ):
        messages = [
            v.message for v in judge_turn(parse_table(before), parse_table(after)).violations
        ]
        assert told in messages


def test_of_two_equal_sets_one_may_not_be_added_to_before_opening() -> None:
    twice = "R10 R11 R12 | R10 R11 R12"
    first = Situation(opened=False)
    assert codes(twice, f"{twice} | B10 B11 B12", situation=first) == []
    assert codes(twice, f"{twice} R13 | B10 B11 B12", situation=first) == [
        Code.OPENING_TABLE_CHANGED
    ]


def test_a_joker_is_spoken_of_only_where_nothing_else_is_wrong() -> None:
    before = "R4 R5 J"
    assert codes(before, "R3 R4 R5 | J B9 K9", RUMMIBUG) == [Code.JOKER_TAKEN]
    assert codes(before, "R4 R5 | J B9 K9", RUMMIBUG) == [Code.INVALID_SET]


def test_joker_rules_hold_in_an_opening_that_may_use_the_table() -> None:
    opens = Situation(opened=False)
    sabra = load_ruleset("sabra-1978")
    laid = "R10 R11 R12 | B9 K9 J"
    assert codes("R4 R5 R6 J", f"R4 R5 R6 | {laid}", sabra, opens) == [Code.JOKER_TAKEN]
    assert codes("R4 R5 R6 J", f"R4 R5 R6 R7 | {laid}", sabra, opens) == []


def test_tiles_come_from_the_rack() -> None:
    held = Situation(rack=parse_tiles("R6 B1"))
    assert codes("R3 R4 R5", "R3 R4 R5 R6", situation=held) == []
    assert codes("R3 R4 R5", "R3 R4 R5 R6 R7", situation=held) == [Code.TILE_NOT_FROM_RACK]


def test_three_of_a_face_is_a_misreading() -> None:
    assert codes("R5 B5 K5 | R5 O5 B5", "R5 B5 K5 | R5 O5 B5 | R5 R6 R7") == [
        Code.TOO_MANY_OF_FACE
    ]


def test_three_of_a_face_are_nothing_that_a_later_turn_is_held_to() -> None:
    three = "R5 B5 K5 | R5 O5 B5 | R5 R6 R7"
    assert codes(three, f"{three} R8") == []
    assert codes(three, f"{three} R8 | R5 K5 O5") == [Code.TOO_MANY_OF_FACE]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "R9 R10 R11", []),
        ("", "O9 B9 K9", [Code.OPENING_BELOW_THRESHOLD]),
        ("", "J R9 R10", [Code.OPENING_BELOW_THRESHOLD]),
        ("", "O9 J J", []),
        ("", "J J O9", []),
        ("", "R8 R9 R10 | R3 K3 B3", []),
        ("K10 K11 K12", "K10 K11 K12 K13", [Code.OPENING_TABLE_CHANGED]),
        ("B6 B7 B8", "B6 B7 B8 B9 | R10 R11 R12", [Code.OPENING_TABLE_CHANGED]),
        ("B8 B7 B6", "R10 R11 R12 | B6 B7 B8", []),
        ("J R4 R5", "R10 R11 R12 | R4 R5 J", [Code.OPENING_TABLE_CHANGED]),
        ("J R4 R5", "R10 R11 R12 | R5 R4 J", []),
        ("", "R10 R11 R13", [Code.INVALID_SET]),
    ],
)
def test_openings(before: str, after: str, expected: list[Code]) -> None:
    assert codes(before, after, situation=Situation(opened=False)) == expected


def test_house_openings() -> None:
    unopened = Situation(opened=False)
    sabra = load_ruleset("sabra-1978")
    assert codes("B6 B7 B8", "B6 B7 B8 B9 | R10 R11 R12", sabra, unopened) == []
    assert codes("B6 B7 B8", "B6 B7 B8 B9 | R8 R9 R10", sabra, unopened) == [
        Code.OPENING_BELOW_THRESHOLD
    ]
    assert codes("R13 B13 K13 O13", "R10 R11 R12 R13 | B13 K13 O13", sabra, unopened) == []
    assert codes("R7 B7 K7 O7", "R4 R5 R6 R7 | B7 K7 O7", sabra, unopened) == [
        Code.OPENING_BELOW_THRESHOLD
    ]
    single = override(STANDARD, {"opening_multi_set": False})
    assert codes("", "R8 R9 R10 | R3 K3 B3", single, unopened) == [Code.OPENING_BELOW_THRESHOLD]
    assert codes("", "R9 R10 R11 | R3 K3 B3", single, unopened) == []
    assert codes("R3 K3 B3", "R3 K3 B3", single, unopened) == [
        Code.NO_RACK_TILE, Code.OPENING_BELOW_THRESHOLD
    ]  # fmt: skip
    laid = parse_table("R13 B13 K13 | R10 J R12")
    (violation,) = judge_turn(Table(), laid, MCGRAW, unopened).violations
    assert (violation.code, violation.sets) == (Code.OPENING_JOKER, (1,))


def test_what_was_laid_as_an_opening_may_have_been_moved_on_since() -> None:
    sabra = load_ruleset("sabra-1978")
    moved = "R12 B12 K12 O12", "R9 R10 R11 R12 | B12 K12 O12"
    two = (
        "R10 B10 K10 O10 | O3 O4 O5 O6",
        "R7 R8 R9 R10 | B10 K10 O10 | R3 B3 K3 O3 | O4 O5 O6",
    )
    joker = "R13 B13 K13 O13", "R10 J R12 R13 | B13 K13 O13"
    bare = {"opening_jokers": False}
    for tables, changes, legal in (
        (moved, {}, True),
        (two, {}, True),
        (two, {"opening_multi_set": False}, False),
        (joker, {}, True),
        (joker, bare, False),
    ):
        found = codes(*tables, override(sabra, changes), Situation(opened=False))
        assert found == [Code.OPENING_BELOW_THRESHOLD] * (not legal)


def test_a_joker_may_be_replaced_before_opening_where_the_rules_say_so() -> None:
    unopened = Situation(opened=False, rack=parse_tiles("R6 R10 R11"))
    turn = "R5 J R7 | K1 K2 K3", "R5 R6 R7 | R10 R11 J | K1 K2 K3"
    early = override(STANDARD, {"joker_before_opening": True})
    assert codes(*turn, STANDARD, unopened) == [Code.OPENING_TABLE_CHANGED]
    assert codes(*turn, early, unopened) == []
    assert codes("R5 J R7 | K1 K2 K3", "R5 R6 R7 | R10 J R12 | K1 K2 K3", early, unopened) == [
        Code.TILE_NOT_FROM_RACK
    ]
    zero = override(CRAZY, {"joker_before_opening": True})
    assert codes("R12 R13 J", "R12 R13 J R1", zero, Situation(opened=False)) == [
        Code.OPENING_TABLE_CHANGED
    ]
    low = "R5 R6 R7 | R1 B1 J | K1 K2 K3"
    assert codes("R5 J R7 | K1 K2 K3", low, early, Situation(opened=False)) == [
        Code.OPENING_BELOW_THRESHOLD
    ]


REPLACED_FROM_TABLE = ("J B5 B6 | R4 B4 K4 O4", "B4 B5 B6 | R4 K4 O4 | J R9 B9")
TWO = "B5 J O5 | K4 J K6"
EXTENDED = ("R2 K2 J | O3 O4 O5", "R2 K2 O2 | O3 O4 O5 J")


@pytest.mark.parametrize(
    ("before", "after", "breaches"),
    [
        ("R5 J R7", "R5 R6 R7 | R9 B9 J", {}),
        (*EXTENDED, {"replace_new_set": Code.JOKER_NOT_IN_NEW_SET}),
        (*REPLACED_FROM_TABLE, {"rack_only_new_set": Code.JOKER_TAKEN}),
        ("R1 R2 R3 J", "R1 R2 R3 | J R12 R13", {"replace_any_source": Code.JOKER_TAKEN}),
        ("J R4 R5 | B1 B2 B3", "R4 R5 J | B1 B2 B3 B4", {"replace_any_source": Code.JOKER_TAKEN}),
        ("R2 B2 K2 J", "R2 B2 J | K2 K3 K4", {"strict_1978": Code.JOKER_SET_LOCKED}),
        ("R1 B1 J", "R1 B1 K1 | J R7 B7", {"tournament_both_missing": Code.JOKER_GROUP_OF_THREE}),
        ("R1 B1 J", "R1 B1 K1 O1 | J R7 B7", {}),
        # Black 5 replaces one joker, and so red 5 the other.
        (
            TWO,
            "B5 R5 O5 | K4 K5 K6 | R9 B9 K9 J | R2 B2 K2 J",
            {"tournament_both_missing": Code.JOKER_TAKEN},
        ),
        (
            "K4 J K6 | K4 J K6",
            "K4 K5 K6 | K4 B4 O4 | K6 B6 O6 | R9 B9 K9 J | R2 B2 K2 J",
            {"rack_only_new_set": Code.JOKER_TAKEN},
        ),
        (
            "K4 J K6 | K4 J K6 | K5 B5 O5 R5",
            "K4 K5 K6 | K4 K5 K6 | B5 O5 R5 | R9 B9 J | R1 B1 J",
            {"rack_only_new_set": Code.JOKER_TAKEN},
        ),
        ("R5 J R7 | R9 B9 K9 O9", "R5 R6 R7 | R9 B9 K9 | O9 O10 J", {"strict_1978": None}),
    ],
)
def test_joker_presets(before: str, after: str, breaches: dict[str, Code | None]) -> None:
    found = {
        preset: codes(before, after, with_joker_preset(STANDARD, preset))
        for preset in JOKER_PRESETS
    }
    assert found["free"] == []
    for preset, code in breaches.items():
        assert found[preset] == [code or Code.JOKER_NEEDS_RACK_TILES]
    if not breaches:
        assert not any(found.values())


def test_the_free_preset_warns_of_what_others_forbid() -> None:
    verdict = judge_turn(parse_table("R1 R2 R3 J"), parse_table("R1 R2 R3 | J R12 R13"))
    assert verdict.legal is True
    assert [warning.code for warning in verdict.warnings] == [Code.JOKER_TAKEN]


def test_nobody_is_warned_of_what_the_rules_or_the_opening_allow() -> None:
    """Whoever opens among the sets that lie there plays by rules that allow just that."""
    opening = override(STANDARD, {"opening_threshold": 0, "opening_same_turn_manipulation": True})
    own_choice = with_joker_preset(STANDARD, "replace_any_source")
    for (before, after), rules, situation in (
        (("R1 R2 R3 J", "R1 R2 R3 | J R12 R13"), opening, Situation(opened=False)),
        (EXTENDED, own_choice, Situation()),
    ):
        verdict = judge_turn(parse_table(before), parse_table(after), rules, situation)
        assert (verdict.legal, verdict.warnings) == (True, ())


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("replace_new_set", "A joker was moved, but no tile took its place."),
        ("rack_only_new_set", "A joker was moved, but no tile from the rack took its place."),
    ],
)
def test_a_joker_that_was_taken_is_told_with_what_should_have_replaced_it(
    preset: str, words: str
) -> None:
    before, after = parse_table("R1 R2 R3 J"), parse_table("R1 R2 R3 | J R12 R13")
    verdict = judge_turn(before, after, with_joker_preset(STANDARD, preset))
    assert [violation.message for violation in verdict.violations] == [words]


def test_another_breach_of_the_joker_rules_is_told_as_such() -> None:
    before, after = map(parse_table, EXTENDED)
    verdict = judge_turn(before, after, with_joker_preset(STANDARD, "rack_only_new_set"))
    assert [violation.message for violation in verdict.violations] == [
        "A replaced joker must go into a new set."
    ]


def test_a_joker_replaced_from_the_table_is_told_from_one_that_was_only_taken() -> None:
    before, after = map(parse_table, REPLACED_FROM_TABLE)
    (violation,) = judge_turn(before, after, RUMMIBUG).violations
    assert violation.message == "A joker was moved, but no tile from the rack took its place."
    assert violation.sets == (2,)


def test_keadle_takes_a_joker_for_any_tile_that_keeps_the_set() -> None:
    assert codes("J R5 R6", "R5 R6 R7 | J K9 O9", KEADLE) == []
    assert codes("J R5 R6 R7", "R5 R6 R7 | J K9 O9", KEADLE) == [Code.JOKER_TAKEN]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        # Two new tiles beside the joker; one only; one in its row and one in a crossing column.
        ("O6 O7 O8 | R5 R6 R7 | K3 J K5", []),
        ("R5 R6 R7 | O6 . . / O7 . . / O8 O9 J", [Code.JOKER_NEEDS_RACK_TILES]),
        ("R5 R6 R7 | O5 . . / O6 . . / O7 . . / O8 O9 J", []),
        # The joker stays red 6: moving it is no retrieval.
        ("O6 O7 O8 | R5 J R7 R8", []),
        ("O6 O7 O8 | R5 . . / J B6 K6 / R7 . .", []),
        ("O6 O7 O8 J | R5 R6 R7", [Code.JOKER_NOT_IN_NEW_SET]),
    ],
)
def test_crazy_wants_two_new_tiles_in_the_network(after: str, expected: list[Code]) -> None:
    assert codes("R5 J R7 | O6 O7 O8", after, CRAZY) == expected


@pytest.mark.parametrize(
    ("rules", "before", "after", "opened", "expected"),
    [
        # A joker between blue and orange is red or black, as the player says.
        (CRAZY, "B10 J O10", "B10 R10 O10 | K3 J K5", True, []),
        (CRAZY, "B10 J O10", "B10 K10 O10 | K3 J K5", True, []),
        (CRAZY, "R12 J | O6 J K9", "R12 R3 | O6 J K9 | O6 J K9", True, []),
        (CRAZY, "R12 J | O6 J K9", "O6 J K9 | O6 J K9 | R12 R3", True, []),
        # The zero of the first set went on, and the red 10 of the second took its place.
        (CRAZY, "R12 R13 J | J R2", "R12 R13 J | J R1 R2", True, []),
        (RUMMIBUG, "R7 B7 O7 J", "R7 B7 O7 K7 | O1 O2 J", True, []),
        (
            KEADLE,
            "R5 J R7 | R6 B6 K6 O6 | B9 B10 B11 B12 | K12 O12 R12 B12",
            "R5 R6 R7 | B6 K6 O6 | B9 B10 B11 | B12 J K12 | O12 R12 B12",
            True,
            [Code.NO_RACK_TILE],
        ),
        (KEADLE, "R5 J R7", "R5 R6 R7 | J K9 O9", False, [Code.OPENING_TABLE_CHANGED]),
    ],
)
def test_jokers_as_the_rule_books_say_in_words(
    rules: Ruleset, before: str, after: str, opened: bool, expected: list[Code]
) -> None:
    assert codes(before, after, rules, Situation(opened=opened)) == expected


def test_crazy_replaces_a_nine_by_a_six() -> None:
    assert codes("R8 J R10", "R8 R6 R10 | K3 J K5", CRAZY) == []
    assert codes("R8 J R10", "R8 R9 R10 | K3 J K5", CRAZY) == []


def test_which_of_two_equal_tiles_moved_makes_no_difference() -> None:
    before = "R5 J R7 | R6 B6 K6 O6"
    one, other = "R5 R6 R7 | R6 B6 K6 O6 | J R9 B9", "R5 R6 R7 | O6 K6 R6 B6 | B9 J R9"
    for preset in JOKER_PRESETS:
        rules = with_joker_preset(STANDARD, preset)
        assert codes(before, one, rules) == codes(before, other, rules) == []


def test_a_turn_waits_for_an_unsure_tile() -> None:
    situation = Situation(unsure=frozenset({(0, 0)}))
    verdict = judge_turn(parse_table("R3 R4 R5"), parse_table("R4 R5 R6"), STANDARD, situation)
    assert (verdict.legal, verdict.violations) == (None, ())


def test_how_to_lay_a_set_is_said_where_that_is_all_it_lacks() -> None:
    verdict = judge_turn(Table(), parse_table("R12 R13 J"))
    assert verdict.legal is False
    assert "lay the set as J R12 R13" in verdict.violations[0].message


def test_free_tiles() -> None:
    before, after = "R3 B3 K3 O3", "R3 B3 K3 O3 | R7 R8 R9"
    held, free = parse_tiles("R7 R8"), parse_tiles("R9 O3")
    early = Situation(rack=held, free_tiles=free)
    ready = Situation(rack=held, free_tiles=free, dealt_jokers_played=True)
    assert codes(before, after, MCGRAW, early) == [Code.FREE_TILE]
    assert codes(before, after, MCGRAW, ready) == []
    taken = "R3 B3 K3 O3 | O3 R3 B3"
    own = Situation(rack=parse_tiles("R3 B3"), free_tiles=free, dealt_jokers_played=True)
    assert codes(before, taken, MCGRAW, own) == [Code.FREE_TILE]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("R6 R7 R8 R9", "R6 R7 R8 R9 | R9 O9 K9", [Code.FREE_TILE]),
        ("R7 R8 R9", "R7 R8 R9 | R9 O9 K9", []),
        ("R7 R8 R9 R10", "R7 R8 R9 R10 | R9 O9 K9", []),
        ("R9 | B3 B4 B5", "R8 R9 R10 | B3 B4 B5 | R9 O9 K9", []),
        ("R9 B9 K9 O9", "R9 B9 K9 O9 | R8 R9 R10", [Code.FREE_TILE]),
    ],
)
def test_a_free_tile_may_be_used_unless_a_set_can_do_without_it(
    before: str, after: str, expected: list[Code]
) -> None:
    rack, free = parse_tiles("R8 R10 O9 K9"), parse_tiles("R9")
    situation = Situation(rack=rack, free_tiles=free, dealt_jokers_played=True)
    assert codes(before, after, MCGRAW, situation) == expected


def test_a_free_tile_that_nobody_named_is_one_only_when_all_dealt_jokers_are_played() -> None:
    before, after = "R3 B3 K3 O3", "R3 B3 K3 O3 | R7 R8 R9"
    held = parse_tiles("R7 R8")
    early = Situation(rack=held, free_tiles=None)
    assert codes(before, after, MCGRAW, early) == [Code.TILE_NOT_FROM_RACK]
    assert codes(before, after, MCGRAW, replace(early, dealt_jokers_played=True)) == []


@pytest.mark.parametrize(
    ("rules", "rack", "due", "after", "reminded"),
    [
        (MCGRAW, "R6 J", True, "R3 R4 R5 R6", True),
        (MCGRAW, "R6 J", False, "R3 R4 R5 R6", False),
        (MCGRAW, "R6 B8", True, "R3 R4 R5 R6", False),
        (MCGRAW, "R6 J", True, "R3 R4 R5 J", False),
        (STANDARD, "R6 J", True, "R3 R4 R5 R6", False),
    ],
)
def test_who_holds_a_dealt_joker_that_is_due_is_reminded(
    rules: Ruleset, rack: str, due: bool, after: str, reminded: bool
) -> None:
    situation = Situation(rack=parse_tiles(rack), joker_due=due)
    verdict = judge_turn(parse_table("R3 R4 R5"), parse_table(after), rules, situation)
    assert verdict.legal is True
    expected = [Code.WILD_MUST_BE_PLAYED] if reminded else []
    assert [warning.code for warning in verdict.warnings] == expected


def test_obligations() -> None:
    for name, could_play, obliged in (
        ("standard", True, False),
        ("crazy", True, True),
        ("crazy", False, False),
        ("crazy", None, False),
    ):
        found = judge_draw(10, load_ruleset(name), could_play=could_play)
        assert [v.code for v in found] == [Code.MUST_PLAY] * obliged


def test_who_can_play_must_once_the_pool_is_empty_where_the_rules_say_so() -> None:
    able = override(STANDARD, {"pool_empty_rule": "must_play_if_able"})
    for rules, empty, could_play, obliged in (
        (able, True, True, True),
        (able, True, None, False),
        (able, False, True, False),
        (STANDARD, True, True, False),
    ):
        found = judge_draw(10, rules, could_play=could_play, pool_empty=empty)
        assert [v.code for v in found] == [Code.MUST_PLAY] * obliged


def test_obligation_a_wants_everything_played() -> None:
    everything = override(STANDARD, {"play_obligation": "A"})
    for rules, possible, expected in (
        (everything, True, [Code.MUST_PLAY]),
        (everything, False, []),
        (everything, None, []),
        (STANDARD, True, []),
    ):
        situation = Situation(more_possible=possible)
        assert codes("R3 R4 R5", "R3 R4 R5 R6", rules, situation) == expected


@pytest.mark.parametrize(
    ("before", "after", "story"),
    [
        ("", "R7 R8 R9", "Laid Red 7-9; 24 points from the rack."),
        (
            "B6 B7 B8 B9 B10",
            "B6 B7 B8 | B8 B9 B10",
            "Blue 8 split Blue 6-10 into Blue 6-8 and Blue 8-10; 8 points from the rack.",
        ),
        (
            "R3 B3 K3 | K5 K6 K7",
            "R3 B3 K3 O3 | K5 K6 K7 J",
            (
                "Orange 3 joined the 3s in red, blue and black, now the 3s in red, blue, orange "
                "and black; the joker joined Black 5-7, now Black 5, Black 6, Black 7, the joker "
                "as Black 8; 3 points and a joker from the rack."
            ),
        ),
        ("R3 R4 R5 | R6 R7 R8", "R3 R4 R5 R6 R7 R8", None),
        # Which of two colours the joker of a group is, nobody has said.
        (
            "",
            "R9 B9 J",
            (
                "Laid Red 9, Blue 9, the joker as Orange 9 or Black 9; 18 points and a joker from "
                "the rack."
            ),
        ),
        # From the other side it could also be a part of a run.
        (
            "",
            "R13 J J",
            "Laid Red 13, the joker, the joker; 13 points and 2 jokers from the rack.",
        ),
        (
            "",
            "J J K10 K9",
            (
                "Laid the joker as Black 12, the joker as Black 11, Black 10, Black 9; "
                "19 points and 2 jokers from the rack."
            ),
        ),
    ],
)
def test_stories(before: str, after: str, story: str | None) -> None:
    told = judge_turn(parse_table(before), parse_table(after)).story
    assert story is None or told == story
    assert told.endswith("from the rack.")


def test_a_joker_where_sets_cross_is_not_said_to_be_what_only_one_of_them_allows() -> None:
    crossing = "J R9 B9 / R8 . . / R7 . ."
    story = judge_turn(parse_table(""), parse_table(crossing), load_ruleset("runny")).story
    assert "Orange" not in story
    assert "Black" not in story


@pytest.mark.parametrize(
    ("rules", "before", "after"),
    [
        ("sabra-1978", "R5 J R7", "R5 R6 R7 | B9 J J"),
        ("sabra-1978", "R1 J R3", "R1 R2 R3 | R1 J J"),
        ("runny", "R5 J R7", "R5 R6 R7 | B9 J J"),
        ("crazy", "R5 J R7 | B9 B10 B11", "R5 R6 R7 | B9 B10 B11 | O4 J J"),
    ],
)
def test_a_joker_from_the_rack_is_one_of_the_two_tiles_that_a_new_set_needs(
    rules: str, before: str, after: str
) -> None:
    verdict = judge_turn(parse_table(before), parse_table(after), load_ruleset(rules))
    assert verdict.violations == ()


@pytest.mark.parametrize(
    ("rules", "opening"),
    [("crazy", "J B12"), ("crazy", "B12 J"), ("runny", "R9 J J"), ("runny", "J J R9")],
)
@pytest.mark.parametrize("before", ["", "R5 B5 K5"])
def test_an_opening_counts_the_same_from_every_side(rules: str, opening: str, before: str) -> None:
    lying = " | ".join(filter(None, (before, opening)))
    closed = Situation(opened=False)
    verdict = judge_turn(parse_table(before), parse_table(lying), load_ruleset(rules), closed)
    assert verdict.violations == ()


@pytest.mark.parametrize(
    ("after", "legal"),
    [
        ("R5 B5 K5 O5 | R6 B6 K6 O6 | R7 B7 K7 | O1 J O3", True),  # first R5 R6 R7
        ("R5 B5 K5 O5 | R6 B6 K6 O6 | R9 B9 K9 | O1 J O3", False),
    ],
)
def test_the_set_that_a_joker_leaves_may_be_played_on_with(after: str, legal: bool) -> None:
    before = parse_table("J R5 R6 | B5 K5 O5 | B6 K6 O6")
    assert judge_turn(before, parse_table(after), load_ruleset("keadle")).legal is legal


@pytest.mark.parametrize(
    ("rules", "after", "legal"),
    [
        ("pressman-1998", "R5 R6 R7 | J R5 R6", True),
        ("keadle", "R5 R6 R7 | J R5 R6", True),
        ("pressman-1998", "R7 B7 K7 | J R5 R6 R7", False),
    ],
)
def test_a_set_of_the_same_tiles_as_the_one_that_goes_on_elsewhere_is_new(
    rules: str, after: str, legal: bool
) -> None:
    before = parse_table("R5 R6 J")
    assert judge_turn(before, parse_table(after), load_ruleset(rules)).legal is legal


def test_of_two_equal_sets_one_may_be_what_the_joker_left() -> None:
    before, after = parse_table("J R5 R6 J"), parse_table("R6 R5 J | R6 R5 J")
    assert judge_turn(before, after, load_ruleset("keadle")).legal
