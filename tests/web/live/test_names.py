"""Players who can be told apart."""

from __future__ import annotations

import pytest

from referee import load_ruleset
from referee.rulesets import override
from web.live.errors import CommandError
from web.live.names import player_names

RULES = load_ruleset("standard")


@pytest.mark.parametrize(
    "pair",
    [
        ("Ann", "ann"),
        ("Ann", " Ann  "),
        ("Ann", "A\u200bnn"),
        ("Ann", "\uff21nn"),
        ("Jos\u00e9", "Jose\u0301"),
        ("Strauss", "STRAU\u00df"),
    ],
)
def test_names_that_look_alike_are_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="Two players are called"):
        player_names(pair, RULES)


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\0", "\u200d", "\u202e"])
def test_a_name_that_cannot_be_seen_is_none(name: str) -> None:
    with pytest.raises(CommandError, match="needs a name"):
        player_names(["Ann", name], RULES)


def test_what_cannot_be_seen_is_left_out_and_emoji_stay_whole() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert player_names(["\u202eBob\0", family], RULES) == ("Bob", family)
    assert player_names(["Ann", "Anna"], RULES) == ("Ann", "Anna")


def test_who_are_too_many_are_told_what_lets_them_play() -> None:
    six = ["Ann", "Bob", "Cem", "Dee", "Eve", "Fay"]
    with pytest.raises(CommandError, match="4 players at most; a house rule can let more"):
        player_names(six, RULES)
    assert len(player_names(six, override(RULES, {"players_max": 6}))) == 6
