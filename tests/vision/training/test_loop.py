"""Several runs' weights, averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from vision.training.loop import load_average, mean_of  # noqa: E402 - torch may be missing

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
