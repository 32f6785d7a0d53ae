"""What players are called: names that people can tell apart."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from referee.phrases import say
from web.live.errors import CommandError

if TYPE_CHECKING:
    from referee.ruleset import Ruleset

_LONGEST: Final = 40
# Joins the parts of one emoji, or letters of some scripts; all else of its kind is never seen.
_JOINERS: Final = "\u200c\u200d"
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs"})


def player_names(given: object, rules: Ruleset) -> tuple[str, ...]:
    """Return the players' names as they are kept.

    Raises
    ------
    CommandError
        If that is no list of names, or they are too few, too many, too long, or look alike.
    """
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise CommandError(say("refusal.names", "players: expected a list of names"))
    names = tuple(tidied(name) for name in given)
    if not all(name.strip(_JOINERS) for name in names):
        raise CommandError(say("refusal.nameless", "Every player needs a name."))
    if any(len(name) > _LONGEST for name in names):
        text = say("refusal.long_name", "A name has {most} letters at most.", most=_LONGEST)
        raise CommandError(text)
    looks = [_look(name) for name in names]
    alike = next((n for n, look in zip(names, looks, strict=True) if looks.count(look) > 1), None)
    if alike is not None:
        text = say(
            "refusal.alike",
            "Two players are called {name}: give each another name.",
            name=alike,
        )
        raise CommandError(text)
    if len(names) > rules.players_max:
        text = say(
            "refusal.many_players",
            "{rules} is for {most} players at most; a house rule can let more of you play.",
            rules=rules.title,
            most=rules.players_max,
        )
        raise CommandError(text)
    if len(names) < rules.players_min:
        text = say(
            "refusal.players",
            "{rules} is for {least} to {most} players.",
            rules=rules.title,
            least=rules.players_min,
            most=rules.players_max,
        )
        raise CommandError(text)
    return names


def tidied(name: str) -> str:
    r"""Return a name without what cannot be seen, and with single spaces.

    >>> tidied("  Ann \u200b  Lee\0 ")
    'Ann Lee'
    """
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    seen = (c for c in spaced if c in _JOINERS or unicodedata.category(c) not in _UNSEEN)
    return " ".join("".join(seen).split())


def _look(name: str) -> str:
    """Return what two names share that people take for one."""
    return unicodedata.normalize("NFKC", name).casefold().strip(_JOINERS)
