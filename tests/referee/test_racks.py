"""How many tiles a rack holds, and what comes of laying more."""

import pytest

from referee import Code, judge_laid
from referee.events import Dealt, Drew, Played, Started
from referee.match import replay
from referee.match_state import Match, Phase

OPENING = "R10 R11 R12"
SIX = f"{OPENING} | B10 B11 B12"


def match(*turns: str) -> Match:
    """A match of two who were dealt four tiles each; an empty turn is a drawn tile."""
    started = Started(("Ann", "Bob"), changes={"deal_two_players": 4})
    return replay([started, Dealt("Ann"), *(Played(t) if t else Drew() for t in turns)])


@pytest.mark.parametrize(
    ("held", "laid", "says"),
    [
        (8, 10, "Ann's rack should hold 8 tiles, but 10 were laid: was a draw not recorded?"),
        (1, 2, "Ann's rack should hold one tile, but 2 were laid: was a draw not recorded?"),
        (0, 1, "Ann's rack should be empty, but more was laid: was a draw not recorded?"),
    ],
)
def test_more_than_the_rack_held_is_a_question(held: int, laid: int, says: str) -> None:
    (warning,) = judge_laid("Ann", held, laid)
    assert (warning.code, warning.message) == (Code.LAID_TOO_MANY, says)


@pytest.mark.parametrize(("laid", "elsewhere"), [(0, 0), (8, 0), (9, 1), (12, 4)])
def test_what_the_rack_or_another_place_may_have_held_is_none(laid: int, elsewhere: int) -> None:
    assert judge_laid("Ann", 8, laid, from_elsewhere=elsewhere) == ()


def test_a_round_does_not_end_by_a_count_that_cannot_be_right() -> None:
    after = match(SIX)
    ann = after.player("Ann")
    assert after.phase is Phase.PLAYING
    assert (ann.rack_size, ann.rack_unsure, ann.may_hold) == (0, True, True)


def test_a_round_ends_when_the_count_comes_out_even() -> None:
    after = match(OPENING, "", f"{OPENING} R13")
    assert after.phase is Phase.SCORING
    assert not after.player("Ann").may_hold
