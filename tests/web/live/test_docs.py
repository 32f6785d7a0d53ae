"""What the page about the live table says is what there is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from web.live.commands import COMMANDS
from web.store.effective import KINDS

if TYPE_CHECKING:
    from tests.web.live.rooms import Room

DOCS = Path(__file__).parents[3] / "docs"
MODULES = sorted((DOCS.parent / "web" / "live").glob("[!_]*.py"))
PAGE = (DOCS / "live-table.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", [path.name for path in MODULES])
def test_every_module_is_on_the_page(module: str) -> None:
    assert module.endswith("_commands.py") or f"`{module}`" in PAGE


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE.split("## Commands")[1].split("## The snapshot")[0]


def test_every_key_of_the_snapshot_is_on_the_page(room: Room) -> None:
    room.play(timer_s=60)
    room.show("R10 R11 R12")
    about = PAGE.split("## The snapshot")[1]
    shown = room.snapshot()
    keys = {*shown, *shown["match"], *shown["proposal"], *shown["clock"], *shown["history"][0]}
    assert {key for key in keys if f"`{key}`" not in about} == set()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_record_is_on_the_page_about_what_is_kept(kind: str) -> None:
    assert f"`{kind}`" in (DOCS / "storage.md").read_text(encoding="utf-8")
