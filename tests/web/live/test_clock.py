from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import vision.cameras
import vision.watching
import web.live
from web.live.clock import TurnClock

STEPS = st.lists(
    st.tuples(
        st.floats(0, 100), st.sampled_from(["pause", "resume", "hold", "let go", "extend", "wait"])
    )
)


def stepped(clock: TurnClock, step: str, now_s: float) -> TurnClock:
    match step:
        case "pause":
            return clock.pause(now_s)
        case "resume":
            return clock.resume(now_s)
        case "hold":
            return clock.hold(now_s, held=True)
        case "let go":
            return clock.hold(now_s, held=False)
        case "extend":
            return clock.extend(now_s, 30)
    return clock


def test_it_counts_down_and_stops_at_nothing() -> None:
    clock = TurnClock.started(60, now_s=5)
    assert [clock.left(now_s) for now_s in (5, 35, 65, 1000)] == [60, 30, 0, 0]
    assert clock.expired(65)
    assert not clock.expired(64)


def test_a_pause_costs_nothing() -> None:
    clock = TurnClock.started(60, 0).pause(10)
    assert (clock.left(500), clock.running) == (50, False)
    assert clock.resume(500).left(510) == 40


def test_what_a_person_paused_the_table_does_not_start() -> None:
    clock = TurnClock.started(60, 0).pause(10).hold(20, held=True).hold(30, held=False)
    assert not clock.running
    assert clock.resume(30).running


def test_what_the_table_holds_a_person_does_not_start() -> None:
    assert not TurnClock.started(60, 0).hold(10, held=True).resume(20).running


def test_an_extension_after_the_end_counts_from_now() -> None:
    clock = TurnClock.started(60, 0, extensions=1).extend(100, 30)
    assert (clock.left(100), clock.total_s, clock.extensions) == (30, 90, 0)


@given(STEPS)
def test_time_is_neither_made_nor_lost(steps: list[tuple[float, str]]) -> None:
    clock, now_s, ran_s, extended_s = TurnClock.started(10_000, 0), 0.0, 0.0, 0
    for wait_s, step in steps:
        now_s += wait_s
        ran_s += wait_s if clock.running else 0
        clock = stepped(clock, step, now_s)
        extended_s += 30 if step == "extend" else 0
        assert clock.running == (not clock.paused and not clock.held)
        expected_s = 10_000 + extended_s - ran_s
        assert abs(clock.left(now_s) - max(expected_s, 0)) < 1e-6


def test_nothing_at_the_table_looks_at_the_time_of_day() -> None:
    folders = [
        Path(str(one.__file__)).parent for one in (web.live, vision.cameras, vision.watching)
    ]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    of_day = re.compile(r"\btime\.time\b|from time import .*\btime\b")
    assert [f.name for f in files if of_day.search(f.read_text(encoding="utf-8"))] == []
