"""From a settled table to the turn it proposes: pure, and slow to accuse.

A turn is illegal only if nothing else can be made of what is seen. An unsure tile, one that
something covers, one that changed though no hand was seen, a face that lies there more often
than it exists, or a tile whose next-best reading would make the turn legal: each of these makes
the turn one that can't be told yet, with the one tile to look at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from referee.judge import best_turns
from referee.match_state import Phase
from referee.mover import from_the_side, situation
from referee.networks import networks
from referee.opening import opening_points
from referee.phrases import say
from referee.racks import judge_laid
from referee.table import Table
from referee.turns import judge_turn
from referee.verdicts import Code, Status
from vision.neighbours import read_otherwise
from web.live.aside import without_parts
from web.live.comparing import compare, compare_seen, only_doubtful, tiles_of_parts, with_tile
from web.live.sentences import question, why

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from referee.match_state import Match
    from referee.tiles import Tile
    from referee.turns import TurnVerdict
    from referee.verdicts import Place, Violation
    from vision.types import Reading
    from vision.watching.sights import SeenTile, SettledTable
    from web.live.comparing import Difference

# Below this chance a next-best reading is no reason to spare anyone a verdict.
_LEAST_CHANCE: Final = 0.005
# Each second thought is one more judgement of the turn, of about two milliseconds.
_MOST_SECOND_THOUGHTS: Final = 16


@dataclass(frozen=True, slots=True)
class Look:
    """The one tile that a person should look at before a turn can be judged."""

    tile_id: int
    text: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the player to move has done, as far as it is seen.

    Attributes
    ----------
    legal
        None while it can't be told; then `look` says which tile decides.
    story
        The turn in words.
    points
        What the tiles from the rack are worth; an opening's sets with their jokers.
    table
        What lies there now.
    """

    player: str
    legal: bool | None
    story: str
    points: int
    table: Table
    violations: tuple[Violation, ...] = ()
    warnings: tuple[Violation, ...] = ()
    look: Look | None = None

    @property
    def unsure(self) -> bool:
        """Whether it can't be told yet."""
        return self.legal is None

    @property
    def certain(self) -> bool:
        """Whether it may count without a person's word: legal, and by no count of tiles odd."""
        odd = any(warning.code is Code.LAID_TOO_MANY for warning in self.warnings)
        return self.legal is True and not odd


def propose(settled: SettledTable, match: Match) -> Proposal | None:
    """Return the turn that a settled table shows; None where it shows no move."""
    if match.phase is not Phase.PLAYING:
        return None
    found = compare_seen(match.table, settled)
    if no_move(found, settled) or only_doubtful(match.table, settled):
        return None
    unsure = unsure_places(settled, found)
    verdict = _judged(match, settled.table, unsure)
    own, inherited = _own_violations(verdict, found)
    look = _look(settled, found, own, unsure, match)
    mover = match.current
    laid = _laid_too_many(match, settled.table)
    return Proposal(
        mover.name,
        None if look else not own,
        verdict.story,
        turn_points(match, settled.table),
        settled.table,
        () if look else own,
        () if look or own else (*laid, *verdict.warnings, *inherited),
        look,
    )


def _laid_too_many(match: Match, after: Table) -> tuple[Violation, ...]:
    """Warn of more tiles than the rack should hold, where that is known."""
    mover, free = match.current, from_the_side(match, after)
    if mover.rack_unsure:
        return ()
    laid = (after.faces - match.table.faces).total()
    return judge_laid(mover.name, mover.rack_size, laid, from_elsewhere=free.total())


def _own_violations(
    verdict: TurnVerdict, found: Difference
) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
    """Part what is wrong into the player's own doing, and what lay there before.

    A set that counts on the record, though it is wrong, is not held against the next player.
    """
    before = [
        violation
        for violation in verdict.violations
        if violation.code is Code.INVALID_SET and not set(violation.sets) & set(found.come)
    ]
    own = tuple(violation for violation in verdict.violations if violation not in before)
    return own, tuple(before)


def no_move(found: Difference, settled: SettledTable) -> bool:
    """Whether a difference is none that anyone has to answer for.

    Sets that were only pushed about, or that the camera now sees as one, are no move as long
    as each is legal as it lies.
    """
    if found.none:
        return True
    statuses = {settled.verdict.parts[part].status for part in found.come}
    return found.same_tiles and statuses <= {Status.VALID}


def unsure_places(settled: SettledTable, found: Difference) -> frozenset[Place]:
    """Return the tiles that decide the turn, but are not known for certain.

    Parts that lie as they are on the record are vouched for by it.
    """
    return frozenset(
        (part, position)
        for part in found.come
        for position, tile in enumerate(settled.layout.placed[part].tiles)
        if not settled.tiles[tile].certain
    )


def turn_points(match: Match, after: Table) -> int:
    """Return what a turn lays from the rack: an opening's sets, else the tiles' own values.

    Where an opening works on sets of the table, these are not its own.
    """
    found = compare(match.table, after)
    if not match.current.opened and not found.gone:
        own = Table(tuple(after.parts[part] for part in found.come))
        ways = (networks(own, match.rules, turn) for turn in best_turns(own, match.rules))
        return max(opening_points(found, match.rules) for found in ways)
    return sum(match.rules.value(tile.number) for tile in found.extra.elements() if tile.number)


def _judged(match: Match, after: Table, unsure: frozenset[Place] = frozenset()) -> TurnVerdict:
    known = situation(match, after, unsure)
    return judge_turn(match.table, after, match.rules, known)


def _look(
    settled: SettledTable,
    found: Difference,
    violations: tuple[Violation, ...],
    unsure: frozenset[Place],
    match: Match,
) -> Look | None:
    """Return the tile to look at before anyone is accused or praised."""
    if unsure:
        return _ask(_least_sure(settled, unsure))
    too_many = [v for v in violations if v.code is Code.TOO_MANY_OF_FACE]
    if too_many:
        places = [place for violation in too_many for place in violation.tiles]
        return Look(_least_sure(settled, places).id, too_many[0].message)
    if violations:
        return _second_thought(settled, found, match) or _thing(settled, found, match)
    return None


def _least_sure(settled: SettledTable, places: Iterable[Place]) -> SeenTile:
    """Return the tile that is read with the least confidence."""
    numbers = (settled.layout.placed[part].tiles[position] for part, position in places)
    return min((settled.tiles[n] for n in numbers), key=lambda tile: tile.reading.confidence)


def _ask(tile: SeenTile) -> Look:
    return Look(tile.id, question(tile.reading.tile, why(tile)))


def _second_thought(settled: SettledTable, found: Difference, match: Match) -> Look | None:
    """Return a tile that, read as its next-best face, would make the turn legal.

    Misreadings are rarer than slips of players, but an accusation for one costs more.
    """
    thoughts = sorted(_alternatives(settled, found), key=lambda thought: -thought[0])
    for _, number, tile in thoughts[:_MOST_SECOND_THOUGHTS]:
        if any(
            not _own_violations(_judged(match, _with_tiles(settled, faces)), found)[0]
            for faces in read_otherwise(_set_of(settled, number), number, tile)
        ):
            seen = settled.tiles[number]
            text = say(
                "look.really",
                "Is it really {tile}, or {other}?",
                tile=seen.reading.tile,
                other=tile,
            )
            return Look(seen.id, text)
    return None


def _thing(settled: SettledTable, found: Difference, match: Match) -> Look | None:
    """Return a tile that lies alone, if nothing would be wrong without those that do.

    Nobody lays a single tile, and what lies beside the sets may look like one.
    """
    alone = {
        placed.tiles[0]: part
        for part in found.come
        if len((placed := settled.layout.placed[part]).tiles) == 1
        and settled.tiles[placed.tiles[0]].status != "corrected"
    }
    if not alone:
        return None
    rest = propose(without_parts(settled, {*alone.values()}, match), match)
    if rest is not None and not rest.legal:
        return None
    seen = settled.tiles[min(alone, key=lambda n: settled.tiles[n].reading.confidence)]
    text = say(
        "look.alone", "{tile} lies alone: is it a tile that was laid?", tile=seen.reading.tile
    )
    return Look(seen.id, text)


def _alternatives(settled: SettledTable, found: Difference) -> Iterator[tuple[float, int, Tile]]:
    for number in tiles_of_parts(settled, found.come):
        seen = settled.tiles[number]
        if seen.status == "corrected":
            continue
        for tile, chance in seen.reading.alternatives:
            if chance >= _LEAST_CHANCE:
                yield chance, number, tile


def _set_of(settled: SettledTable, number: int) -> dict[int, Reading]:
    """Return the readings of a tile and of those in its set that nobody has corrected."""
    (tiles,) = (placed.tiles for placed in settled.layout.placed if number in placed.tiles)
    seen = {n: settled.tiles[n] for n in tiles}
    return {n: tile.reading for n, tile in seen.items() if tile.status != "corrected"}


def _with_tiles(settled: SettledTable, faces: Mapping[int, Tile]) -> Table:
    """Return the seen table with some tiles read otherwise."""
    parts = list(settled.table.parts)
    for place, placed in enumerate(settled.layout.placed):
        for position, number in enumerate(placed.tiles):
            if number in faces:
                (parts[place],) = with_tile(parts[place], position, faces[number])
    return Table(tuple(parts))
