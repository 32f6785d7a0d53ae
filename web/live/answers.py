"""What the referee says when it is asked: to a challenge, for a hint, about a joker."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from referee.events import Drew, Played
from referee.mover import situation
from referee.networks import networks
from referee.phrases import say, several
from referee.racks import judge_draw
from referee.scoring import rack_points
from referee.table import Table
from referee.tiles import Tile
from referee.turns import judge_turn
from web.live.errors import CommandError
from web.live.match_json import violations_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from referee.match_state import Match
    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from referee.verdicts import Violation
    from vision.watching.sights import SettledTable
    from web.live.proposals import Proposal
    from web.live.record import Told

_HIDDEN: Final = say(
    "answer.hidden", "If something could be played, it had to be: only the rack tells."
)

_MORE_HIDDEN: Final = say(
    "answer.more_hidden",
    "What was laid is legal. If more could be played, it had to be: only the rack tells.",
)


def challenged(told: Sequence[Told], proposal: Proposal | None) -> dict[str, Any]:
    """Judge the turn that is proposed, or else the last one of the record."""
    if proposal is not None:
        text = proposal.look.text if proposal.look else ""
        return _answer(proposal.player, proposal.legal, proposal.violations, text)
    last = told[-1]
    if isinstance(last.event, Played):
        return _played(last)
    if isinstance(last.event, Drew):
        return _drew(last)
    raise CommandError(say("refusal.no_turn", "There is no turn to challenge."))


def _played(last: Told) -> dict[str, Any]:
    before, after = last.before, last.after
    mover = before.current
    known = replace(situation(before, after.table), more_possible=_more_possible(before, after))
    verdict = judge_turn(before.table, after.table, before.rules, known)
    left = after.player(mover.name)
    if verdict.legal and _counts_more(before.rules) and left.rack is None and left.may_hold:
        return _answer(mover.name, None, (), _MORE_HIDDEN)
    return _answer(mover.name, verdict.legal, verdict.violations, verdict.story)


def _more_possible(before: Match, after: Match) -> bool | None:
    """Whether the rack that a turn left could be played on, where the rules make it count."""
    rack = after.player(before.current.name).rack
    if not _counts_more(before.rules) or rack is None:
        return None
    from referee.best_play import could_play  # noqa: PLC0415 - scipy only for those who ask

    return could_play(after.table, rack, before.rules)


def _counts_more(rules: Ruleset) -> bool:
    """Whether the rules make a player play all that can be (rules reference 10.8)."""
    return rules.play_obligation == "A"


def _drew(last: Told) -> dict[str, Any]:
    """Drawing can be wrong only where the rules oblige; without a rack nobody is accused."""
    before = last.before
    mover, could = before.current, None
    if mover.rack is not None:
        from referee.best_play import could_play  # noqa: PLC0415 - scipy only for those who ask

        could = could_play(before.table, mover.rack, before.rules, opened=mover.opened)
    empty = not before.pool and not before.pool_unsure
    faults = judge_draw(mover.rack_size, before.rules, could_play=True, pool_empty=empty)
    if faults and could is None:
        return _answer(mover.name, None, (), _HIDDEN)
    violations = faults if could else ()
    return _answer(mover.name, not violations, violations, last.story)


def _answer(
    player: str, legal: bool | None, violations: Iterable[Violation], text: str
) -> dict[str, Any]:
    found = violations_json(violations)
    said = [_verdict(player, legal), *([v["text"] for v in found] or [text])]
    sentences = several(" ", filter(None, said))
    return {
        "kind": "challenge",
        "player": player,
        "legal": legal,
        "text": say("answer.all", "{sentences}", sentences=sentences),
        "violations": found,
    }


def _verdict(player: str, legal: bool | None) -> Phrase:
    if legal is None:
        return say("answer.unsure", "The turn of {player} can't be judged yet.", player=player)
    if legal:
        return say("answer.legal", "The turn of {player} is legal.", player=player)
    return say("answer.illegal", "The turn of {player} is not legal.", player=player)


def hinted(match: Match) -> dict[str, Any]:
    """Say what the player to move could play."""
    from referee.best_play import best_play  # noqa: PLC0415 - scipy only for those who ask

    mover = match.current
    if mover.rack is None:
        text = say(
            "refusal.no_rack",
            "The rack of {player} is not known, so there is no hint.",
            player=mover.name,
        )
        raise CommandError(text)
    play = best_play(match.table, mover.rack, match.rules, opened=mover.opened)
    return {
        "kind": "hint",
        "player": mover.name,
        "text": play.story,
        "tiles": " ".join(map(str, play.tiles)),
        "points": rack_points(play.tiles, match.rules),
        "table": str(play.table),
        "proven": play.proven,
    }


def joker_identities(settled: SettledTable, tile_id: int, rules: Ruleset) -> frozenset[Tile]:
    """Return the tiles that the jokers of a joker's set may stand for."""
    for part, placed in zip(settled.table.parts, settled.layout.placed, strict=True):
        ids = {settled.tiles[n].id for n in placed.tiles if settled.tiles[n].reading.tile.is_joker}
        if tile_id in ids:
            found = networks(Table((part,)), rules)
            return frozenset(
                Tile(colour, number)
                for network in found
                for joker in network.jokers
                for colour, number in joker.identities
                if number
            )
    raise CommandError(say("refusal.no_joker", "That is no joker; tap the joker."))
