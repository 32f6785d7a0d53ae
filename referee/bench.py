"""How long the referee takes, and whether another solver finds the same best plays."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from referee.bench_positions import crossing_grid, legal_table, rack
from referee.best_play import BestPlay, best_play
from referee.judge import check_set, judge_table
from referee.melds import readings
from referee.networks import forget_networks
from referee.rulesets import load_ruleset, override
from referee.table import Table
from referee.turns import Situation, judge_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from referee.tiles import Tile

P = ParamSpec("P")
Answer = TypeVar("Answer")

_TABLES: Final = 50
_SOLVER: Final = "rummikub_solver"


@dataclass(slots=True)
class Timing:
    """Times of one kind of question, in milliseconds."""

    what: str
    aim: str
    clock_ms: list[float] = field(default_factory=list)
    processor_ms: list[float] = field(default_factory=list)

    def take(self, ask: Callable[P, Answer], *given: P.args, **named: P.kwargs) -> Answer:
        """Ask once, with nothing remembered from earlier questions, and note the time."""
        for cached in (check_set, readings):
            cached.cache_clear()
        forget_networks()
        clock, processor = perf_counter(), process_time()
        answer = ask(*given, **named)
        self.clock_ms.append(1000 * (perf_counter() - clock))
        self.processor_ms.append(1000 * (process_time() - processor))
        return answer

    def __str__(self) -> str:
        """Write one line of the table below `_HEADER`."""
        times = (self.clock_ms, self.processor_ms)
        cells = " ".join(f"{at(found):9.2f}" for found in times for at in (median, max))
        return f"{self.what:34} {len(self.clock_ms):>5} {cells}  {self.aim}"


_HEADER: Final = (
    f"{'':40} {'on the clock':^19} {'processor time':^19}\n"
    f"{'':34} {'asked':>5} {'median':>9} {'worst':>9} {'median':>9} {'worst':>9}  aim"
)


def referee_bench(positions: int, seed: int) -> Iterator[str]:
    """Yield lines of text: how long tables, turns, crossing sets and best plays take."""
    yield _HEADER
    yield str(_tables(seed))
    yield str(_grids(seed))
    ours, turns = (
        Timing("best play, 14 tiles, 45 on the table", "median 30, worst 250"),
        Timing("turn, judged", "median 5"),
    )
    asked = [_position(seed + number) for number in range(positions)]
    best_play(*asked[0])  # loads scipy, makes the templates
    found = [ours.take(best_play, *at) for at in asked]
    for (table, held), play in zip(asked, found, strict=True):
        turns.take(judge_turn, table, play.table, None, Situation(rack=held))
    yield str(turns)
    yield str(ours)
    proven = sum(play.proven for play in found)
    yield f"{proven} of {positions} best plays are proven to be the best"
    yield from _compared(asked, found)


def _position(seed: int) -> tuple[Table, tuple[Tile, ...]]:
    random = Random(seed)
    table = legal_table(random, 45)
    return table, rack(random, table, 14)


def _tables(seed: int) -> Timing:
    timing = Timing("table of 60 tiles, judged", "median 1")
    for number in range(_TABLES):
        timing.take(judge_table, legal_table(Random(seed + number), 60))
    return timing


def _grids(seed: int) -> Timing:
    timing = Timing("crossing table of 100, 4 jokers", "worst 50")
    rules = override(load_ruleset("crazy"), {"jokers": 4})
    for number in range(_TABLES):
        timing.take(judge_table, Table((crossing_grid(Random(seed + number)),)), rules)
    return timing


def _compared(asked: list[tuple[Table, tuple[Tile, ...]]], found: list[BestPlay]) -> Iterator[str]:
    """Yield how long the public solver takes, and how often it lays as many tiles."""
    try:
        solver = import_module(_SOLVER)
    except ImportError:
        yield f"{_SOLVER} is not installed, so nothing is compared: pip install {_SOLVER}"
        return
    rules = solver.RuleSet()
    timing = Timing(f"the same by {_SOLVER}", "")
    _solved(solver, rules, *asked[0])  # sets its model up
    theirs = [timing.take(_solved, solver, rules, *at) for at in asked]
    yield str(timing)
    agreed = sum(len(play.tiles) == tiles for play, tiles in zip(found, theirs, strict=True))
    yield f"{agreed} of {len(asked)} times both lay the same number of tiles"


def _solved(solver: Any, rules: Any, table: Table, held: tuple[Tile, ...]) -> int:  # noqa: ANN401
    """Return how many tiles the public solver lays; it counts faces in our order, from 1."""
    state = rules.new_game()
    state.add_table(*(tile.index + 1 for tile in table.tiles))
    state.add_rack(*(tile.index + 1 for tile in held))
    state.initial = False
    found = rules.solve(state, solver.SolverMode.TILE_COUNT)
    return 0 if found is None else len(found.tiles)
