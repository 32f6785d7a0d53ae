"""The best turn a rack allows, as legal under the rules as it can be proven.

Not covered: crossing sets (in Crazy and Runny all sets are taken to lie apart) and table sets
in the opening turn. Where rules pin a joker down, only plays that keep its identity are looked
for beside the best free one; `BestPlay.proven` says whether something better may exist.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, product
from time import monotonic
from typing import TYPE_CHECKING, Final

from referee.arrange import Arrangement, Task, arrange, worth
from referee.networks import networks
from referee.phrases import say
from referee.rulesets import load_ruleset
from referee.table import Table, TileSet
from referee.tiles import JOKER, Tile
from referee.turns import judge_turn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.arrange import Goal
    from referee.ruleset import Ruleset

# Real tables take a fraction of this; an answer should be there within two seconds.
_SECONDS: Final = 1.5
# Of a table's jokers, as many combinations of identities are tried as this.
_MOST_PINNINGS: Final = 16


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The best turn that was found; without tiles, there is nothing to play."""

    tiles: tuple[Tile, ...]
    table: Table
    goes_out: bool
    proven: bool
    """Whether nothing better exists under these rules."""
    story: str


def best_play(
    table: Table,
    rack: Iterable[Tile],
    rules: Ruleset | None = None,
    *,
    opened: bool = True,
    goal: Goal = "tiles",
) -> BestPlay:
    """Return the play that lays the most tiles, or sheds the most points.

    >>> from referee import parse_table, parse_tiles
    >>> best = best_play(parse_table("R4 R5 R6"), parse_tiles("R7 B7 K7 K1"))
    >>> len(best.tiles), str(best.table)
    (3, 'R4 R5 R6 | R7 B7 K7')
    """
    rules, held = rules or load_ruleset("standard"), tuple(rack)
    task = Task(rules, goal, monotonic() + _SECONDS, opening=not opened)
    if task.opening:
        return _opening_play(table, held, task)
    free = arrange(table, held, task)
    if free is None:
        return _nothing(table, held, proven=False)
    found = _as_play(table, free, held, rules)
    if not any(tile.is_joker for tile in table.tiles) or _legal(table, found, rules):
        return found
    best = max(
        (_pinned_play(table, held, task, pins) for pins in _pinnings(table, task)),
        key=lambda play: worth(play.tiles, task),
        default=_nothing(table, held, proven=False),
    )
    as_good = worth(best.tiles, task) == worth(found.tiles, task)
    return replace(best, proven=found.proven and as_good)


def could_play(
    table: Table, rack: Iterable[Tile], rules: Ruleset, *, opened: bool = True
) -> bool | None:
    """Whether anything can be played; None where that is not proven (rules reference 10.8).

    >>> from referee import parse_table, parse_tiles
    >>> could_play(parse_table("R4 R5 R6"), parse_tiles("R8 B1"), load_ruleset("standard"))
    False
    """
    play = best_play(table, rack, rules, opened=opened)
    if play.tiles:
        return True
    return None if rules.two_dimensional or not play.proven else False


def _nothing(table: Table, held: tuple[Tile, ...], *, proven: bool) -> BestPlay:
    story = say("story.nothing_to_play", "There is nothing to play.")
    return BestPlay((), table, not held, proven, story)


def _legal(table: Table, play: BestPlay, rules: Ruleset) -> bool:
    return not play.tiles or judge_turn(table, play.table, rules).legal is True


def _as_play(table: Table, found: Arrangement, held: tuple[Tile, ...], rules: Ruleset) -> BestPlay:
    """Describe the arranged sets as a turn on this table."""
    after = Table(found.sets)
    played = sorted((after.faces - table.faces).elements(), key=lambda tile: tile.index)
    if not played:
        return _nothing(table, held, proven=found.optimal)
    story = judge_turn(table, after, rules).story
    return BestPlay(tuple(played), after, len(played) == len(held), found.optimal, story)


def _opening_play(table: Table, held: tuple[Tile, ...], task: Task) -> BestPlay:
    """Return the best first sets, from the rack alone (rules reference 3.1)."""
    found = arrange(Table(), held, task)
    if found is None:
        return _nothing(table, held, proven=not task.rules.opening_same_turn_manipulation)
    play = _as_play(Table(), found, held, task.rules)
    return replace(play, table=Table((*table.parts, *found.sets)))


def _pinnings(table: Table, task: Task) -> Iterable[tuple[Tile, ...]]:
    """Yield what the jokers on the table may stand for, all at once, while there is time."""
    jokers = (joker for network in networks(table, task.rules) for joker in network.jokers)
    options = [
        [Tile(colour, number) for colour, number in sorted(joker.identities, key=str) if number]
        for joker in jokers
    ]
    for pins in islice(product(*options), _MOST_PINNINGS):
        if monotonic() < task.deadline_s:
            yield pins


def _pinned_play(
    table: Table, held: tuple[Tile, ...], task: Task, pins: tuple[Tile, ...]
) -> BestPlay:
    """Return the best play in which every table joker keeps this identity.

    Each joker is taken for the tile it stands for, and put back in its place afterwards.
    """
    waiting = iter(pins)
    replaced = [
        TileSet(tuple([next(waiting) if tile.is_joker else tile for tile in part.tiles]))
        for part in table.parts
    ]
    found = arrange(Table(tuple(replaced)), held, task)
    if found is None:
        return _nothing(table, held, proven=False)
    sets = list(found.sets)
    for pin in pins:
        place = next(place for place, line in enumerate(sets) if pin in line.tiles)
        tiles = sets[place].tiles
        where = tiles.index(pin)
        sets[place] = TileSet((*tiles[:where], JOKER, *tiles[where + 1 :]))
    play = _as_play(table, replace(found, sets=tuple(sets)), held, task.rules)
    return play if _legal(table, play, task.rules) else _nothing(table, held, proven=False)
