"""Judge a turn: the table before it and after it, and the rack if it is known.

How the tiles were moved does not matter, only what lies there at the end (rules reference 1.2).
Tiles are counted by face, so it makes no difference which of two equal tiles moved.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from referee.jokers import Change, joker_faults
from referee.judge import best_turns, check_set, judge_table
from referee.networks import networks
from referee.opening import opening_violations
from referee.phrases import Notation, say
from referee.rulesets import load_ruleset, with_joker_preset
from referee.story import tell
from referee.table import Grid, Table, TileSet
from referee.verdicts import Code, Place, Status, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from referee.networks import Key, Network
    from referee.ruleset import Ruleset
    from referee.table import Flips
    from referee.tiles import Tile

_JOKER_WORDS: Final = {
    Code.JOKER_TAKEN: say("reason.JOKER_TAKEN", "A joker was moved, but no tile took its place."),
    Code.JOKER_GROUP_OF_THREE: say(
        "reason.JOKER_GROUP_OF_THREE",
        "A joker leaves a group of three only when both missing colours are given.",
    ),
    Code.JOKER_NOT_IN_NEW_SET: say(
        "reason.JOKER_NOT_IN_NEW_SET", "A replaced joker must go into a new set."
    ),
    Code.JOKER_NEEDS_RACK_TILES: say(
        "reason.JOKER_NEEDS_RACK_TILES",
        "A replaced joker's new set needs more tiles from the rack beside it.",
    ),
    Code.JOKER_SET_LOCKED: say(
        "reason.JOKER_SET_LOCKED", "A set that holds a joker must keep all its tiles."
    ),
}


@dataclass(frozen=True, slots=True)
class Situation:
    """What a turn is judged by besides the two tables.

    `rack` is what the player held before the turn, None where it is unknown. `free_tiles` lie
    open at the side for everyone once all dealt jokers are played (McGraw), None where they are
    not known; `joker_due` says that this is the turn on which the player's own is due.
    `more_possible` says whether the rack that is left could still be played, where someone has
    looked.
    """

    opened: bool = True
    rack: tuple[Tile, ...] | None = None
    unsure: frozenset[Place] = frozenset()
    flipped: Flips | None = None
    free_tiles: tuple[Tile, ...] | None = ()
    dealt_jokers_played: bool = False
    joker_due: bool = False
    more_possible: bool | None = None


@dataclass(frozen=True, slots=True)
class TurnVerdict:
    """Whether a turn is legal, with every reason why not."""

    violations: tuple[Violation, ...]
    warnings: tuple[Violation, ...]
    table: Verdict
    added: tuple[Tile, ...]
    story: str

    @property
    def legal(self) -> bool | None:
        """True without violations, False with one, None while unsure tiles decide."""
        if self.violations:
            return False
        return None if self.table.unknown else True


def judge_turn(
    before: Table,
    after: Table,
    rules: Ruleset | None = None,
    situation: Situation | None = None,
) -> TurnVerdict:
    """Judge a turn by the table before and after it (rules reference 1.3).

    Where a table with crossing sets may be read from several sides, as one of groups alone, the
    one from which the turn breaches least counts: no player sits on the camera's side.

    >>> from referee import parse_table
    >>> verdict = judge_turn(parse_table("R3 R4 R5"), parse_table("R4 R5 R6"))
    >>> verdict.legal, [violation.message for violation in verdict.violations]
    (False, ['Red 3 is gone from the table.'])
    """
    rules, situation = rules or load_ruleset("standard"), situation or Situation()
    if (turn := situation.flipped) is None:
        both = Table((*before.parts, *after.parts))
        doubtful = {len(before.parts) + part for part, _ in situation.unsure}
        ways = (
            judge_turn(before, after, rules, replace(situation, flipped=way))
            for way in best_turns(both, rules, doubtful)
        )
        return min(ways, key=lambda verdict: len(verdict.violations))
    verdict = judge_table(after, rules, situation.unsure, turn)
    change = _change(before, after, rules, turn)
    violations = [*_too_many(change.added, after, verdict), *_invalid_sets(after, verdict)]
    warnings: tuple[Violation, ...] = ()
    if not verdict.unknown:
        violations[:0] = [
            *_missing(before, after),
            *_from_rack(change.added, before, situation, rules),
            *_nothing_added(change.added),
        ]
        violations += _opening(change, situation, violations, rules)
        violations += () if violations else _finer(change, situation, rules)
        warnings = () if violations else tuple(_warnings(change, situation, rules))
    added = tuple(change.added.elements())
    return TurnVerdict(tuple(violations), warnings, verdict, added, tell(change, rules))


def _finer(change: Change, situation: Situation, rules: Ruleset) -> Iterator[Violation]:
    """Yield what only a turn that is legal so far can breach: joker rules, obligations."""
    yield from _jokers(change, rules)
    if situation.more_possible and rules.play_obligation == "A":
        message = say("reason.MUST_PLAY_MORE", "More could be played, so it had to be.")
        yield Violation(Code.MUST_PLAY, message)


def _change(before: Table, after: Table, rules: Ruleset, turn: Flips) -> Change:
    """Compare the tables network by network, wherever each lies now."""
    old, new = networks(before, rules, turn), networks(after, rules, turn)
    kept = Counter(network.key for network in old) & Counter(network.key for network in new)
    stayed, gone = _taken(old, Counter(kept))
    _, come = _taken(new, Counter(kept))
    return Change(gone, come, stayed, after.faces - before.faces)


def _taken(
    found: tuple[Network, ...], kept: Counter[Key]
) -> tuple[tuple[Network, ...], tuple[Network, ...]]:
    """Split networks into those whose key is among `kept`, as often as it is, and the rest."""
    inside: list[Network] = []
    outside: list[Network] = []
    for network in found:
        (inside if kept[network.key] > 0 else outside).append(network)
        kept[network.key] -= 1
    return tuple(inside), tuple(outside)


def _missing(before: Table, after: Table) -> Iterator[Violation]:
    """Name the table tiles that are gone, jokers included (rules reference 1.3, 4.1)."""
    for tile, times in (before.faces - after.faces).items():
        name = say("tile.a_joker", "A joker") if tile.is_joker else tile
        message = say("reason.TABLE_TILE_MISSING", "{tile} is gone from the table.", tile=name)
        if times > 1:
            message = say(
                "reason.TABLE_TILE_MISSING_OFTEN",
                "{tile} ({times} of them) is gone from the table.",
                tile=name,
                times=times,
            )
        sets = tuple(part for part, lying in enumerate(before.parts) if tile in lying.tiles)
        yield Violation(Code.TABLE_TILE_MISSING, message, sets)


def _from_rack(
    added: Counter[Tile], before: Table, situation: Situation, rules: Ruleset
) -> Iterator[Violation]:
    """Name added tiles that the player did not hold (rules reference 1.3, 9.4)."""
    if situation.rack is None:
        return
    foreign = added - Counter(situation.rack)
    if situation.free_tiles is None and situation.dealt_jokers_played:
        # Any numbered tile may be one of those that lie open, and nobody said which do.
        foreign = Counter({tile: times for tile, times in foreign.items() if tile.is_joker})
    free = foreign & Counter(situation.free_tiles or ())
    for tile in foreign - free:
        message = say(
            "reason.TILE_NOT_FROM_RACK", "{tile} was not on the player's rack.", tile=tile
        )
        yield Violation(Code.TILE_NOT_FROM_RACK, message.begun())
    for tile in free:
        if not situation.dealt_jokers_played:
            message = say(
                "reason.FREE_TILE_EARLY",
                "Free tiles may be used only when every player has played the dealt jokers.",
            )
            yield Violation(Code.FREE_TILE, message)
        elif _available(tile, before, rules):
            message = say(
                "reason.FREE_TILE",
                "{tile} can be taken from the table, so the free one may not be.",
                tile=tile,
            )
            yield Violation(Code.FREE_TILE, message)


def _available(tile: Tile, table: Table, rules: Ruleset) -> bool:
    """Whether some set holds the tile and stays legal without it (rules reference 9.4)."""
    for lying in table.parts:
        if tile not in lying.tiles or isinstance(lying, Grid) or len(lying.tiles) == 1:
            continue
        place = lying.tiles.index(tile)
        rest = TileSet(lying.tiles[:place] + lying.tiles[place + 1 :])
        if check_set(rest, rules).valid:
            return True
    return False


def _too_many(added: Counter[Tile], after: Table, verdict: Verdict) -> Iterator[Violation]:
    """Yield the doubts about faces that this turn brought above their number."""
    for violation in verdict.violations:
        if violation.code is Code.TOO_MANY_OF_FACE:
            part, place = violation.tiles[0]
            if after.parts[part].tiles[place] in added:
                yield violation


def _nothing_added(added: Counter[Tile]) -> Iterator[Violation]:
    """Rearranging alone is no turn (rules reference 1.3)."""
    if not added:
        message = say("reason.NO_RACK_TILE", "No tile was added from the rack.")
        yield Violation(Code.NO_RACK_TILE, message)


def _invalid_sets(after: Table, verdict: Verdict) -> Iterator[Violation]:
    """Name every set that is not legal as it lies (rules reference 1.3)."""
    for part, (lying, found) in enumerate(zip(after.parts, verdict.parts, strict=True)):
        if found.status in {Status.INVALID, Status.FIXABLE}:
            reasons = found.violations or found.hints
            message = say(
                "reason.INVALID_SET",
                "{tiles} is not legal as it lies. {reason}",
                tiles=str(lying) if isinstance(lying, Grid) else Notation(lying),
                reason=reasons[0].message,
            )
            places = tuple(place for reason in reasons for place in reason.tiles)
            yield Violation(Code.INVALID_SET, message, (part,), places)


def _opening(
    change: Change, situation: Situation, violations: list[Violation], rules: Ruleset
) -> Iterator[Violation]:
    """Judge the opening; its points count only while every set is legal."""
    if situation.opened:
        return
    broken = any(violation.code is Code.INVALID_SET for violation in violations)
    for violation in opening_violations(change, rules):
        if violation.code is not Code.OPENING_BELOW_THRESHOLD or not broken:
            yield violation


def _jokers(change: Change, rules: Ruleset) -> Iterator[Violation]:
    places = sorted({network.part for network in change.come if network.jokers})
    for code in joker_faults(change, rules):
        message = _JOKER_WORDS[code]
        if code is Code.JOKER_TAKEN and rules.joker_source == "rack":
            message = say(
                "reason.JOKER_TAKEN_NOT_FROM_RACK",
                "A joker was moved, but no tile from the rack took its place.",
            )
        yield Violation(code, message, tuple(places))


def _warnings(change: Change, situation: Situation, rules: Ruleset) -> Iterable[Violation]:
    """Yield what is allowed, but not in every edition or not for long."""
    if rules.joker_pickup == "free" and situation.opened:
        yield from _jokers(change, with_joker_preset(rules, "replace_new_set"))
    held = any(tile.is_joker for tile in situation.rack or ())
    played = any(tile.is_joker for tile in change.added)
    if rules.wild_second_turn and situation.joker_due and held and not played:
        message = say(
            "reason.WILD_MUST_BE_PLAYED", "The dealt joker is due this turn, if it can be played."
        )
        yield Violation(Code.WILD_MUST_BE_PLAYED, message)
