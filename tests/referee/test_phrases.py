from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING

import pytest

from referee import Tile, check_set, judge_turn, parse_set, parse_table
from referee.phrases import ENGLISH, Count, Phrase, Series, said, say

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_phrase_is_its_english_text() -> None:
    phrase = say("reason.GAP", "{first} is missing.", first=Tile.parse("R6"))
    assert phrase == "Red 6 is missing."
    assert json.dumps({"text": phrase}) == '{"text": "Red 6 is missing."}'


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy])
def test_a_copy_knows_what_it_is_made_of(again: Callable[[Phrase], Phrase]) -> None:
    phrase = say("story.laid", "laid {new}", new=Count(3)).begun()
    other = again(phrase)
    assert isinstance(other, Phrase)
    assert (other, other.key, other.values, other.capital) == (
        "Laid three", "story.laid", {"new": Count(3)}, True
    )  # fmt: skip


@pytest.mark.parametrize(
    ("series", "expected"),
    [
        (Series(()), ""),
        (Series((Tile.parse("R7"),)), "Red 7"),
        (Series((Tile.parse("R7"), Tile.parse("J"), 8)), "Red 7, the joker and 8"),
        (Series(("a", "b", "c"), "; "), "a; b; c"),
    ],
)
def test_several_things_are_joined(series: Series, expected: str) -> None:
    assert said(series, ENGLISH) == expected


def test_what_the_referee_says_knows_what_it_is_made_of() -> None:
    (violation,) = check_set(parse_set("R7 B7 R7")).violations
    assert isinstance(violation.message, Phrase)
    assert violation.message.values["tile"] == Tile.parse("R7")
    verdict = judge_turn(parse_table("R4 R5 R6"), parse_table("R4 R5 R6 R7"))
    assert isinstance(verdict.story, Phrase)
    assert verdict.story == "Red 7 joined Red 4-6, now Red 4-7; 7 points from the rack."
