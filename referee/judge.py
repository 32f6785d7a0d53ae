"""Judge what lies on a table: one set, or all of it."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from referee.explain import explain
from referee.grids import judge_grid
from referee.layout import arranged, moves_joker_only, taken_readings
from referee.phrases import Notation, say
from referee.rulesets import load_ruleset
from referee.table import UNFLIPPED, Flips, Grid, TileSet
from referee.verdicts import (
    Code,
    Hint,
    HintCode,
    Place,
    SetVerdict,
    Status,
    Verdict,
    Violation,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.tiles import Tile

TURNED: Final = {
    0: UNFLIPPED,
    180: Flips(rows=True, columns=True),
    90: Flips(columns=True),
    270: Flips(rows=True),
}
"""By how many degrees clockwise a table is turned to read from its top, and what that flips."""


@lru_cache(maxsize=8192)
def check_set(tile_set: TileSet, rules: Ruleset | None = None) -> SetVerdict:
    """Judge one set as it lies (rules reference 2).

    Tiles that would make a set in another order are a hint, not a breach, unless the rules
    take them as they lie.

    >>> from referee import parse_set
    >>> check_set(parse_set("R4 J R6")).points
    (15,)
    >>> check_set(parse_set("R12 R13 J")).hints[0].message
    'Move the joker: lay the set as J R12 R13.'
    >>> check_set(parse_set("R7 B7 R7")).violations[0].message
    'Red 7 is in this group twice.'
    """
    rules = rules or load_ruleset("standard")
    found = taken_readings(tile_set, rules)
    if found:
        totals = sorted({reading.points for reading in found})
        return SetVerdict(Status.VALID, found, points=tuple(totals))
    better = arranged(tile_set, rules)
    if better is None:
        return SetVerdict(Status.INVALID, violations=explain(tile_set, rules))
    return SetVerdict(Status.FIXABLE, hints=(_layout_hint(tile_set, better, rules),))


def _layout_hint(tile_set: TileSet, better: TileSet, rules: Ruleset) -> Hint:
    if moves_joker_only(tile_set.tiles, better.tiles, rules):
        code = HintCode.MOVE_JOKER
        message = say(
            "reason.MOVE_JOKER",
            "Move the joker: lay the set as {better}.",
            better=Notation(better),
        )
    else:
        code = HintCode.SORT_RUN
        message = say(
            "reason.SORT_RUN", "Sort the run: lay the set as {better}.", better=Notation(better)
        )
    moved = tuple((0, place) for place, tile in enumerate(tile_set.tiles) if tile.is_joker)
    places = moved if code is HintCode.MOVE_JOKER else ()
    return Hint(code, message, (0,), places, better)


def judge_table(
    table: Table,
    rules: Ruleset | None = None,
    unsure: AbstractSet[Place] = frozenset(),
    flipped: Flips | None = None,
) -> Verdict:
    """Judge everything on the table, with all reasons why it is not legal.

    Parameters
    ----------
    table
        What lies there.
    rules
        The ruleset; standard by default.
    unsure
        Tiles that the camera is unsure of, as (part, position in the part's tiles); a part
        that holds one is never accused.
    flipped
        Whether rows and columns read the other way, for rules with crossing sets. None lets
        the most lines decide: the one turn of the whole table (rules reference 10.2).

    >>> from referee import parse_table
    >>> verdict = judge_table(parse_table("R3 R4 R5 | R7 B7 R7"))
    >>> verdict.ok, verdict.points, [violation.message for violation in verdict.violations]
    (False, ((12,), ()), ['Red 7 is in this group twice.'])
    """
    rules = rules or load_ruleset("standard")
    doubtful = {part for part, _ in unsure}
    turn = flipped
    if turn is None:
        turn = best_turn(table, rules, doubtful)
    parts = tuple(
        _unknown(table, part, unsure)
        if part in doubtful
        else judge_part(lying, rules, turn).moved(part)
        for part, lying in enumerate(table.parts)
    )
    return Verdict(
        parts,
        (
            *(violation for part in parts for violation in part.violations),
            *_equipment(table, rules, unsure),
        ),
        (*(hint for part in parts for hint in part.hints), *_turn_hint(turn, flipped)),
        _degrees(turn),
    )


def judge_part(lying: TileSet | Grid, rules: Ruleset, flipped: Flips = UNFLIPPED) -> SetVerdict:
    """Judge one part of a table, set or grid, by itself.

    >>> from referee import load_ruleset, parse_grid
    >>> judge_part(parse_grid("R10 . / R2 B2"), load_ruleset("crazy")).lines[1].points
    (12,)
    """
    if isinstance(lying, Grid):
        return judge_grid(lying, rules, check_set, flipped)
    if flipped.rows:
        backwards = range(len(lying.tiles) - 1, -1, -1)
        return check_set(TileSet(lying.tiles[::-1]), rules).moved(0, backwards)
    return check_set(lying, rules)


def best_turn(table: Table, rules: Ruleset, doubtful: AbstractSet[int] = frozenset()) -> Flips:
    """Return the first of the `best_turns`, the table as it lies if that is one."""
    return best_turns(table, rules, doubtful)[0]


def best_turns(
    table: Table, rules: Ruleset, doubtful: AbstractSet[int] = frozenset()
) -> tuple[Flips, ...]:
    """Return the turns of the whole table under which most lines are legal.

    `doubtful` parts, which may be misread, have no say. Groups alone don't tell from which side
    a table reads: all turns are best then.
    """
    if not rules.two_dimensional:
        return (UNFLIPPED,)

    sure = [lying for part, lying in enumerate(table.parts) if part not in doubtful]

    def legal(turn: Flips) -> int:
        verdicts = [judge_part(part, rules, turn) for part in sure]
        lines = [line for verdict in verdicts for line in verdict.lines or (verdict,)]
        return sum(line.valid for line in lines) + sum(verdict.valid for verdict in verdicts)

    counts = {turn: legal(turn) for turn in TURNED.values()}
    most = max(counts.values())
    return tuple(turn for turn, count in counts.items() if count == most)


def _degrees(turn: Flips) -> int:
    return next(degrees for degrees, flips in TURNED.items() if flips == turn)


def _turn_hint(turn: Flips, flipped: Flips | None) -> Iterator[Hint]:
    if flipped is None and turn != UNFLIPPED:
        message = say(
            "reason.TURN_GRID",
            "The table reads best turned by {degrees} degrees clockwise, "
            "from another side than the camera's.",
            degrees=_degrees(turn),
        )
        yield Hint(HintCode.TURN_GRID, message)


def _unknown(table: Table, part: int, unsure: AbstractSet[Place]) -> SetVerdict:
    """Say which tile to look at, instead of judging a set that may be misread."""
    place = min(position for owner, position in unsure if owner == part)
    message = say(
        "reason.LOOK_AT_TILE_READ",
        "Can't tell yet: look at tile {place} of set {part} (read as {tile}).",
        place=place + 1,
        part=part + 1,
        tile=table.parts[part].tiles[place],
    )
    hint = Hint(HintCode.LOOK_AT_TILE, message, (part,), ((part, place),))
    return SetVerdict(Status.UNKNOWN, hints=(hint,))


def _equipment(table: Table, rules: Ruleset, unsure: AbstractSet[Place]) -> Iterator[Violation]:
    """Name faces that lie there more often than they exist (rules reference 1.3)."""
    where: dict[Tile, list[Place]] = {}
    for part, lying in enumerate(table.parts):
        for place, tile in enumerate(lying.tiles):
            if (part, place) not in unsure:
                where.setdefault(tile, []).append((part, place))
    for tile, places in where.items():
        limit = existing(tile, rules)
        if len(places) > limit:
            sets = tuple(dict.fromkeys(part for part, _ in places))
            message = _too_many(tile, len(places), limit)
            yield Violation(Code.TOO_MANY_OF_FACE, message, sets, tuple(places))


def existing(tile: Tile, rules: Ruleset) -> int:
    """Return how often a face exists in the equipment (rules reference 5.1).

    >>> from referee import parse_tiles
    >>> [existing(tile, load_ruleset("keadle")) for tile in parse_tiles("R7 J")]
    [2, 4]
    """
    if tile.colour is None or tile.number is None:
        return rules.jokers_max
    known = tile.colour in rules.palette and tile.number <= rules.max_number
    return rules.copies if known else 0


def _too_many(tile: Tile, count: int, limit: int) -> Phrase:
    if not limit:
        return say(
            "reason.TOO_MANY_OF_FACE_NONE",
            "{tile} is not among the tiles of these rules: "
            "it is misread or from another set of tiles.",
            tile=tile,
        ).begun()
    if tile.is_joker:
        return say(
            "reason.TOO_MANY_OF_FACE_JOKER",
            "There are {count} jokers on the table, but only {limit} exist: "
            "one is misread or from another set of tiles.",
            count=count,
            limit=limit,
        )
    return say(
        "reason.TOO_MANY_OF_FACE",
        "There are {count} {tile}s on the table, but only {limit} exist: "
        "one is misread or from another set of tiles.",
        count=count,
        tile=tile,
        limit=limit,
    )
