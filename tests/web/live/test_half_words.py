"""A person's word and what follows from it for the match are kept together, or neither is."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from referee import Colour
from tests.web.live.test_words import LAID, Life
from web.live.errors import CommandError
from web.store import Store, StoreError
from web.store.schema import READS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from vision.types import Readings

RIGHT, WRONG = "R10 R11 R12 | B10 B11 B12", "R10 R11 R12 | B10 B11 O9"
writes = pytest.mark.parametrize("writes", [0, 1, 2])


class KilledError(BaseException):
    """The process is gone."""


@contextmanager
def killed_after(store: Store, writes: int) -> Iterator[None]:
    """Let the process be killed as it begins to write once more than so often."""
    begun = 0

    def begin(connection: Connection) -> None:
        nonlocal begun
        if not connection.get_execution_options().get(READS):
            if begun == writes:
                raise KilledError
            begun += 1

    event.listen(store._engine, "begin", begin)
    try:
        with suppress(KilledError):
            yield
    finally:
        event.remove(store._engine, "begin", begin)


def counted(store: Store) -> Life:
    """Let a turn count of which a tile is misread."""
    life = Life(store, B12="O9")
    life.begin()
    life.do("end_turn", accept_illegal=True)
    assert life.live.snapshot()["match"]["table"] == WRONG
    return life


def again(store: Store, life: Life) -> tuple[str, list[str]]:
    """Return what is on the record after a restart, and what people are said to have said."""
    other = Life(store)
    other.reader.misread = life.reader.misread
    shown = other.show(LAID)
    said = [tile["tile"] for tile in shown["tiles"] if tile["status"] == "corrected"]
    return shown["match"]["table"], said


@writes
def test_a_counted_tile_is_corrected_with_the_record_or_not_at_all(
    store: Store, writes: int
) -> None:
    life = counted(store)
    with killed_after(store, writes):
        life.do("correct_tile", id=life.tile("O9")["id"], tile="B12")
    assert again(store, life) == ((RIGHT, ["B12"]) if writes else (WRONG, []))


@writes
def test_a_counted_tile_that_was_struck_comes_back_with_the_record_or_not_at_all(
    store: Store, writes: int
) -> None:
    life = counted(store)
    quad = life.tile("O9")["quad"]
    life.do("delete_tile", id=life.tile("O9")["id"])
    with killed_after(store, writes):
        life.do("add_tile", quad=quad, tile="O9")
    assert again(store, life) == ((WRONG, ["O9"]) if writes else ("R10 R11 R12 | B10 B11", []))


def unsure(_asked: int, readings: Readings) -> Readings:
    doubtful = tuple(
        replace(one, doubt="a doubt") if one.tile.colour is Colour.BLUE else one
        for one in readings.readings
    )
    return replace(readings, readings=doubtful)


@writes
def test_a_turn_is_vouched_for_and_counts_or_neither(store: Store, writes: int) -> None:
    life = Life(store)
    life.reader.misread = unsure
    life.begin()
    with killed_after(store, writes):
        life.do("end_turn", accept_unsure=True)
    blue = ["B10", "B11", "B12"]
    assert again(store, life) == ((RIGHT, blue) if writes else ("R10 R11 R12", []))


def test_a_correction_of_the_record_that_cannot_be_kept_was_not_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = counted(store)
    before = life.live.snapshot()

    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(store, "amend", full)
    with pytest.raises(CommandError, match="disk is full"):
        life.do("correct_tile", id=life.tile("O9")["id"], tile="B12")
    assert_same(life.show(LAID), before)


def test_what_cannot_be_vouched_for_together_is_not_vouched_for_in_part(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = Life(store)
    life.reader.misread = unsure
    life.begin()
    before = life.live.snapshot()

    def full(*_: object, **__: object) -> None:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(store, "append", full)
    with pytest.raises(CommandError, match="disk is full"):
        life.do("end_turn", accept_unsure=True)
    assert_same(life.show(LAID), before)


def assert_same(shown: dict[str, Any], before: dict[str, Any]) -> None:
    for key in ("tiles", "corrections", "match", "desync", "records"):
        assert shown[key] == before[key], key
    assert (shown["proposal"] is None) == (before["proposal"] is None)
