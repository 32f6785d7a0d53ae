"""Judge by how many tiles a rack holds: drawing, the hand limit, and laying more than it held."""

from __future__ import annotations

from typing import TYPE_CHECKING

from referee.phrases import say
from referee.verdicts import Code, Violation

if TYPE_CHECKING:
    from referee.phrases import Phrase
    from referee.ruleset import Ruleset


def judge_draw(
    rack_size: int, rules: Ruleset, *, could_play: bool | None, pool_empty: bool = False
) -> tuple[Violation, ...]:
    """Judge drawing instead of playing (rules reference 5.5, 5.7, 6.7, 10.8).

    `could_play` is None where nobody has looked at the rack: then nobody is accused.

    >>> from referee import load_ruleset
    >>> rummibug = load_ruleset("rummibug")
    >>> [len(judge_draw(size, rummibug, could_play=True)) for size in (34, 35)]
    [0, 1]
    """
    obliged = rules.play_obligation in {"A", "B"} or must_play(rack_size, rules)
    if pool_empty and rules.pool_empty_rule == "must_play_if_able":
        obliged = True
    if obliged and could_play:
        message = say("reason.MUST_PLAY", "Something could be played, so it had to be.")
        return (Violation(Code.MUST_PLAY, message),)
    return ()


def must_play(rack_size: int, rules: Ruleset) -> bool:
    """Whether a rack is too large to draw where something can be played (rules reference 6.7)."""
    return bool(rules.must_play_from) and rack_size >= rules.must_play_from


def judge_hand(rack_size: int, limit: int) -> tuple[Violation, ...]:
    """Warn of a rack above the hand limit, where there is one (rules reference 7.2).

    >>> [len(judge_hand(size, 30)) for size in (30, 31)], judge_hand(99, 0)
    ([0, 1], ())
    """
    if not limit or rack_size <= limit:
        return ()
    message = say(
        "reason.HAND_LIMIT",
        "{count} tiles are over the limit of {limit}; keeping them costs points.",
        count=rack_size,
        limit=limit,
    )
    return (Violation(Code.HAND_LIMIT, message),)


def judge_laid(
    player: str, rack_size: int, laid: int, *, from_elsewhere: int = 0
) -> tuple[Violation, ...]:
    """Warn of more tiles than a rack should hold (rules reference 1.3).

    Nobody is accused: a draw that nobody recorded is likelier than tiles from nowhere.
    `from_elsewhere` is how many of the tiles may be none of the rack's.

    >>> [violation.message for violation in judge_laid("Ann", 8, 10)]
    ["Ann's rack should hold 8 tiles, but 10 were laid: was a draw not recorded?"]
    >>> judge_laid("Ann", 8, 8), judge_laid("Ann", 8, 10, from_elsewhere=2)
    ((), ())
    """
    if laid <= rack_size + from_elsewhere:
        return ()
    return (Violation(Code.LAID_TOO_MANY, _laid_too_many(player, rack_size, laid)),)


def _laid_too_many(player: str, rack_size: int, laid: int) -> Phrase:
    if not rack_size:
        return say(
            "reason.LAID_TOO_MANY_OF_NONE",
            "{player}'s rack should be empty, but more was laid: was a draw not recorded?",
            player=player,
        )
    if rack_size == 1:
        return say(
            "reason.LAID_TOO_MANY_OF_ONE",
            "{player}'s rack should hold one tile, but {laid} were laid: was a draw not recorded?",
            player=player,
            laid=laid,
        )
    return say(
        "reason.LAID_TOO_MANY",
        "{player}'s rack should hold {held} tiles, but {laid} were laid: was a draw not recorded?",
        player=player,
        held=rack_size,
        laid=laid,
    )
