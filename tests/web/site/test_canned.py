from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from web.live.settings import LiveSettings
from web.live.snapshot import build
from web.live.views import View
from web.site.canned import CannedTable
from web.site.canned_scenes import SCENES

if TYPE_CHECKING:
    from web.site.borders import Snapshot


def shown() -> list[Snapshot]:
    table, found = CannedTable(), []
    for _ in SCENES:
        found.append(table.snapshot())
        table.step()
    return found


def test_a_canned_state_has_the_keys_of_a_real_one() -> None:
    real = build(View(), 1, datetime.now(UTC), 0.0, LiveSettings())
    for state in shown():
        assert set(state) == set(real)


def test_the_scenes_show_everything_that_a_page_draws() -> None:
    states = shown()
    marks = {part["status"] for state in states for part in state["parts"]}
    assert marks == {"valid", "invalid", "unsure"}
    assert {len(part["cells"]) for state in states for part in state["parts"]} == {1, 3}
    for key in ("proposal", "desync", "restore", "leftovers", "match", "clock"):
        found = [state[key] is not None for state in states]
        assert any(found), key
        assert not all(found), key
    assert {state["match"]["phase"] for state in states if state["match"]} == {
        "playing",
        "scoring",
        "over",
    }
