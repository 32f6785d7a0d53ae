"""What the referee is measured on is legal, and the measuring says what it did."""

from random import Random
from types import SimpleNamespace
from typing import NoReturn

import pytest

from referee import JOKER, Table, judge_table, load_ruleset
from referee.bench import referee_bench
from referee.bench_positions import crossing_grid, legal_table, rack
from referee.rulesets import override


@pytest.mark.parametrize("seed", range(5))
def test_positions_are_legal_and_come_from_one_box(seed: int) -> None:
    table = legal_table(Random(seed), 60)
    held = rack(Random(seed), table, 14)
    assert (len(table.tiles), len(held)) == (60, 14)
    assert judge_table(table).ok is True
    faces = Table((*table.parts,)).faces
    faces.update(held)
    assert max(faces.values()) <= 2
    rules = override(load_ruleset("crazy"), {"jokers": 4})
    grid = crossing_grid(Random(seed))
    assert (len(grid.tiles), grid.tiles.count(JOKER)) == (100, 4)
    assert judge_table(Table((grid,)), rules).ok is True


def test_the_bench_compares_where_the_other_solver_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Fake:
        SolverMode = SimpleNamespace(TILE_COUNT="tiles")

        def RuleSet(self) -> SimpleNamespace:  # noqa: N802 - as the solver calls it
            state = SimpleNamespace(add_table=lambda *_: None, add_rack=lambda *_: None)
            return SimpleNamespace(new_game=lambda: state, solve=lambda *_: None)

    monkeypatch.setattr("referee.bench.import_module", lambda _: Fake())
    lines = "\n".join(referee_bench(2, 0))
    assert "of 2 best plays are proven" in lines
    assert "of 2 times both lay the same number of tiles" in lines


def test_the_bench_says_how_to_install_the_other_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> NoReturn:
        raise ImportError(name)

    monkeypatch.setattr("referee.bench.import_module", missing)
    *_, last = referee_bench(1, 0)
    assert last.endswith("pip install rummikub_solver")
