from __future__ import annotations

import pytest

from referee import load_ruleset
from tests.fakes import blank, fake_reader
from vision.evaluation.bench import bench, bench_text


def test_bench_gives_medians_of_every_stage() -> None:
    result = bench(
        fake_reader("R3 R4 R5"), blank(), load_ruleset("standard"), name="a.jpg", runs=3, warm_up=0
    )
    assert (result.name, result.tiles, result.width_px, result.runs) == ("a.jpg", 3, 1000, 3)
    assert result.timings.network == 5.0
    assert result.total_ms > 0
    assert result.other_share == pytest.approx(1 - 5.0 / result.total_ms)
    header, row = bench_text([result]).splitlines()
    assert header.split()[3:] == ["total", "network", "detect", "read", "lay_out", "judge"]
    assert row.split()[:3] == ["a.jpg", "1000x750", "3"]
