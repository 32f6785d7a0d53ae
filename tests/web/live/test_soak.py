"""A few minutes of the soak: `python -m tests.web.live.soak` plays a whole evening."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.web.live.soak.asking import FAULTS, KILL
from tests.web.live.soak.evening import Pace
from tests.web.live.soak.soaking import soak

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.skipif(sys.platform == "win32", reason="nothing there is killed like this")
def test_whatever_goes_wrong_nothing_that_was_confirmed_is_lost_or_counts_twice(
    tmp_path: Path,
) -> None:
    soaked = soak(tmp_path, 0.025, Pace(speed=1000, think_s=3, every=1, kills=1))
    assert (soaked.lost, soaked.doubled, soaked.out_of_order) == (0, 0, 0)
    assert set(soaked.faults) == {*FAULTS, KILL}
    assert soaked.scores == soaked.own_scores == soaked.replayed
    assert not soaked.log
