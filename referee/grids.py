"""Judge sets that cross: every line of a grid, and the jokers where lines meet.

Each line is read by itself; then one reading per line is chosen so that every shared joker has
one colour (rules reference 10.2-10.7). Only lines that share a joker can disagree: a shared
numbered tile keeps its colour and may be read differently in its two lines.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from referee.phrases import say
from referee.table import UNFLIPPED, TileSet
from referee.verdicts import Code, SetVerdict, Status, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.melds import Reading, TileReading
    from referee.ruleset import Ruleset
    from referee.table import Cell, Flips, Grid, Line

Jokers = dict[int, "TileReading"]
"""What some jokers of a grid are, by their position in it."""

# Totals of a network with many ambiguous jokers are sampled, not listed for ever.
_MOST_SOLUTIONS: Final = 2000


def judge_grid(
    grid: Grid,
    rules: Ruleset,
    check: Callable[[TileSet, Ruleset], SetVerdict],
    flipped: Flips = UNFLIPPED,
) -> SetVerdict:
    """Judge every line of a grid and their crossings.

    `check` judges one line; `flipped` says whether rows and columns read the other way.
    Positions in the verdict are those of `Grid.tiles`.
    """
    places = {cell: place for place, cell in enumerate(grid.cells)}
    lines = grid.lines()
    violations = [*_loose(grid, lines, places)]
    crossings = _crossings(lines, places)
    if crossings and not rules.two_dimensional:
        violations.append(_crossing_violation(grid, crossings))
        return SetVerdict(Status.INVALID, violations=tuple(violations))
    verdicts = tuple(_judge_line(line, places, rules, check, flipped) for line in lines)
    violations.extend(v for verdict in verdicts for v in verdict.violations)
    points: tuple[int, ...] = ()
    if all(verdict.readings for verdict in verdicts) and not violations:
        networks = _networks(lines, verdicts, places, flipped)
        broken = [network for network in networks if next(network.solutions(rules), None) is None]
        violations.extend(network.violation() for network in broken)
        if not broken:
            points = _points(grid, networks, rules)
    return SetVerdict(
        Status.INVALID if violations else _worst(verdicts),
        violations=tuple(violations),
        hints=tuple(hint for verdict in verdicts for hint in verdict.hints),
        points=points,
        lines=verdicts,
    )


def _worst(verdicts: tuple[SetVerdict, ...]) -> Status:
    found = {verdict.status for verdict in verdicts}
    order = (Status.INVALID, Status.FIXABLE)
    return next((status for status in order if status in found), Status.VALID)


def _judge_line(
    line: Line,
    places: dict[Cell, int],
    rules: Ruleset,
    check: Callable[[TileSet, Ruleset], SetVerdict],
    flipped: Flips,
) -> SetVerdict:
    tiles, cells = line_as_read(line, flipped)
    return check(tiles, rules).moved(0, [places[cell] for cell in cells])


def line_as_read(line: Line, flipped: Flips) -> tuple[TileSet, tuple[Cell, ...]]:
    """Return a line's tiles and cells in the direction in which the table reads."""
    if flipped.rows if line.horizontal else flipped.columns:
        return TileSet(line.tiles.tiles[::-1]), line.cells[::-1]
    return line.tiles, line.cells


def _loose(grid: Grid, lines: tuple[Line, ...], places: dict[Cell, int]) -> Iterator[Violation]:
    """Name every tile that touches no other (rules reference 10.2)."""
    held = {cell for line in lines for cell in line.cells}
    for cell, place in places.items():
        if cell not in held:
            message = say(
                "reason.LOOSE_TILE", "{tile} touches no other tile.", tile=grid.tiles[place]
            )
            yield Violation(Code.LOOSE_TILE, message.begun(), (0,), ((0, place),))


def _crossings(lines: tuple[Line, ...], places: dict[Cell, int]) -> list[int]:
    """Return the positions of the tiles that belong to two lines."""
    rows = {cell for line in lines if line.horizontal for cell in line.cells}
    columns = {cell for line in lines if not line.horizontal for cell in line.cells}
    return sorted(places[cell] for cell in rows & columns)


def _crossing_violation(grid: Grid, crossings: list[int]) -> Violation:
    """Say that a tile belongs to one set only (rules reference 1.4)."""
    tiles = TileSet(tuple(grid.tiles[place] for place in crossings))
    if len(crossings) == 1:
        message = say(
            "reason.CROSSING_SETS",
            "{tile} is in two sets at once; leave a gap between sets.",
            tile=tiles.tiles[0],
        )
    else:
        message = say(
            "reason.CROSSING_SETS_OF_MORE",
            "{tiles} are in two sets at once; leave a gap between sets.",
            tiles=tiles,
        )
    at = tuple((0, place) for place in crossings)
    return Violation(Code.CROSSING_SETS, message.begun(), (0,), at)


@dataclass(frozen=True, slots=True)
class _Network:
    """Lines that share jokers, with every way to read the jokers of each."""

    shared: tuple[int, ...]
    lines: tuple[list[Jokers], ...]

    def solutions(self, rules: Ruleset) -> Iterator[tuple[Jokers, ...]]:
        """Yield a reading of the jokers for every line, consistent where lines cross."""
        yield from self._extended((), {}, rules)

    def _extended(
        self, chosen: tuple[Jokers, ...], known: Jokers, rules: Ruleset
    ) -> Iterator[tuple[Jokers, ...]]:
        if len(chosen) == len(self.lines):
            yield chosen
            return
        for option in self.lines[len(chosen)]:
            if all(_agree(tile, known.get(place), rules) for place, tile in option.items()):
                yield from self._extended((*chosen, option), {**option, **known}, rules)

    def totals(self, rules: Ruleset) -> set[int]:
        """Return every total of its jokers; each counts its higher number at a crossing."""
        found = set()
        for solution in islice(self.solutions(rules), _MOST_SOLUTIONS):
            worth: dict[int, int] = {}
            for place, tile in (item for option in solution for item in option.items()):
                worth[place] = max(worth.get(place, 0), rules.value(tile.number))
            found.add(sum(worth.values()))
        return found

    def violation(self) -> Violation:
        """Say that no colour fits the shared jokers (rules reference 10.6)."""
        message = say(
            "reason.CROSSING_JOKER",
            "The joker where sets cross would need a different colour in each of them.",
        )
        return Violation(
            Code.CROSSING_JOKER, message, (0,), tuple((0, place) for place in self.shared)
        )


def _agree(tile: TileReading, other: TileReading | None, rules: Ruleset) -> bool:
    """Whether one joker may be both, in two crossing lines (rules reference 10.6)."""
    if other is None:
        return True
    same_number = tile.number == other.number or rules.joker_cross_free_number
    return tile.colour == other.colour and same_number


def _networks(
    lines: tuple[Line, ...],
    verdicts: tuple[SetVerdict, ...],
    places: dict[Cell, int],
    flipped: Flips,
) -> list[_Network]:
    """Gather the lines with jokers by the jokers that they share."""
    groups: list[tuple[set[int], list[list[Jokers]]]] = []
    for line, verdict in zip(lines, verdicts, strict=True):
        cells = [places[cell] for cell in line_as_read(line, flipped)[1]]
        options = _joker_options(verdict.readings, cells)
        jokers = set(options[0])
        if not jokers:
            continue
        touching = [group for group in groups if group[0] & jokers]
        groups = [group for group in groups if not group[0] & jokers]
        members = [option for group in touching for option in group[1]]
        groups.append((jokers.union(*(group[0] for group in touching)), [*members, options]))
    return [_network(members) for _, members in groups]


def _joker_options(found: tuple[Reading, ...], cells: list[int]) -> list[Jokers]:
    """Return the distinct ways in which a line's jokers can be read."""
    ways = (zip(cells, reading.tiles, strict=True) for reading in found)
    jokers = (tuple(pair for pair in way if pair[1].is_joker) for way in ways)
    return [dict(way) for way in dict.fromkeys(jokers)]


def _network(lines: list[list[Jokers]]) -> _Network:
    """Order the lines so that each touches an earlier one, and prune what cannot be."""
    counts = Counter(place for line in lines for place in line[0])
    waiting = sorted(lines, key=len)
    ordered = [waiting.pop(0)]
    while waiting:
        known = {place for line in ordered for place in line[0]}
        following = next(line for line in waiting if known & set(line[0]))
        ordered.append(following)
        waiting = [line for line in waiting if line is not following]
    _prune(ordered)
    shared = tuple(sorted(place for place, times in counts.items() if times > 1))
    return _Network(shared, tuple(ordered))


def _prune(lines: list[list[Jokers]]) -> None:
    """Drop colours that a crossing line cannot give, until nothing changes."""
    size = -1
    while size != (size := sum(map(len, lines))):
        for line in lines:
            for other in lines:
                line[:] = [option for option in line if _supported(option, other)]


def _supported(option: Jokers, line: list[Jokers]) -> bool:
    return any(
        all(tile.colour == other[place].colour for place, tile in option.items() if place in other)
        for other in line
    )


def _points(grid: Grid, networks: list[_Network], rules: Ruleset) -> tuple[int, ...]:
    """Return every total of the grid; a shared tile counts once (rules reference 10.7)."""
    totals = {sum(rules.value(tile.number) for tile in grid.tiles if tile.number)}
    for network in networks:
        totals = {total + more for total in totals for more in network.totals(rules)}
    return tuple(sorted(totals))
