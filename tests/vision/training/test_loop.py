"""Several runs' weights, averaged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from vision.training.loop import (  # noqa: E402 - torch may be missing
    Schedule,
    Trainer,
    load_average,
    mean_of,
)

if TYPE_CHECKING:
    from pathlib import Path


def test_the_mean_weighs_runs_by_their_share(tmp_path: Path) -> None:
    runs = []
    for name, value, weight in (("a", 1.0, 3.0), ("b", 5.0, 1.0)):
        average = {"layer": torch.full((2,), value), "batches": torch.tensor(7)}
        torch.save({"average": average}, tmp_path / f"{name}.pt")
        runs.append((tmp_path / f"{name}.pt", weight))
    mean = mean_of(runs, tmp_path / "mean.pt")
    assert mean["layer"].tolist() == [2.0, 2.0]
    assert int(mean["batches"]) == 7
    assert load_average(tmp_path / "mean.pt")["layer"].tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("has", "reckons_in"),
    [
        ({"avx2": True, "avx512_bf16": False, "amx_bf16": False}, torch.float32),
        ({"avx2": True, "avx512_bf16": True}, torch.bfloat16),
        ({"avx2": True, "amx_bf16": True}, torch.bfloat16),
    ],
)
def test_a_processor_that_only_imitates_bfloat16_is_spared_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    has: dict[str, bool],
    reckons_in: object,
) -> None:
    """It takes ten times as long over a step so."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has)
    schedule = Schedule(steps=1, warm_up=1, rate=1e-3, weight_decay=0.0)
    trainer = Trainer(torch.nn.Linear(4, 4), schedule, tmp_path / "checkpoint.pt", seed=1)
    with trainer.mixed_precision():
        answer = trainer.model(torch.ones(2, 4))
    assert answer.dtype is reckons_in


@pytest.mark.parametrize("workers", [0, 2])
def test_batches_come_in_turn_whoever_makes_them(tmp_path: Path, workers: int) -> None:
    """A run broken off at the third step asks for the third batch next."""
    schedule = Schedule(steps=7, warm_up=1, rate=1e-3, weight_decay=0.0)
    trainer = Trainer(torch.nn.Linear(4, 4), schedule, tmp_path / "checkpoint.pt", seed=1)
    trainer.step = 3
    made = [(step, float(each)) for step, each in trainer.batches(torch.tensor, workers)]
    assert made == [(3, 3.0), (4, 4.0), (5, 5.0), (6, 6.0)]
    assert load_average(tmp_path / "checkpoint.pt").keys() == {"weight", "bias"}


def test_the_average_follows_the_weights(tmp_path: Path) -> None:
    """Soon after the start it follows them closely, so that it leaves them at random no longer."""
    schedule = Schedule(steps=1, warm_up=1, rate=1e-1, weight_decay=0.0)
    trainer = Trainer(torch.nn.Linear(1, 1), schedule, tmp_path / "checkpoint.pt", seed=1)
    before = trainer.averaged().weight.item()
    trainer.update(trainer.model(torch.ones(1, 1)).sum())
    moved = trainer.model.weight.item() - before
    assert moved != 0
    kept = 0.999 * (1 - math.exp(-1 / 200))
    assert trainer.averaged().weight.item() == pytest.approx(before + (1 - kept) * moved)
