"""Matches out to files, and in again."""

from __future__ import annotations

import csv
import json
import tracemalloc
import zipfile
from collections import Counter
from contextlib import suppress
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings

from referee.events import Adjusted, Dealt, Drew, Event, Played, Started, Stopped, encode
from referee.match import replay
from tests.web.test_zips import DAMAGE, damaged
from web.live.archive import Archive
from web.store import Store, StoreError, open_store, parcel, said_key
from web.zips import read_member

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WORDS = {"cameras": [{"camera": "a", "tiles": []}]}
JPEG = b"\xff\xd8\xff and so on"


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://") as opened:
        yield opened


def played(store: Store) -> int:
    match_id = store.create_match([Started(("Ann", "=Bob"))], title="An evening")
    store.append(match_id, Dealt("Ann"), expected=1)
    store.append(match_id, Played("R10 B10 O10"), expected=2, evidence=JPEG)
    store.append(match_id, Drew(), expected=3)
    store.undo(match_id, expected=4)
    store.append(match_id, Adjusted("Ann", 12, "a bet"), expected=5)
    store.amend(match_id, {6: Adjusted("Ann", 14, "a bet")}, expected=6)
    store.append(match_id, Stopped(), expected=7)
    changes: dict[int, Event] = {6: Adjusted("Ann", 15, "a bet"), 3: Played("R10 B10 K10")}
    store.amend(match_id, changes, expected=8)
    store.note(match_id, WORDS, expected=9)
    return match_id


def exported(store: Store) -> bytes:
    out = BytesIO()
    Archive(store).export_zip(played(store), out)
    return out.getvalue()


@pytest.fixture(scope="module")
def export() -> bytes:
    """An export for tests that do not ask what it was made of."""
    with open_store("sqlite://") as store:
        return exported(store)


def test_an_export_replays_to_the_same_totals(store: Store) -> None:
    data = exported(store)
    with open_store("sqlite://") as other:
        match_id = Archive(other).import_zip(BytesIO(data))
        there, here = store.current(1), other.current(match_id)
        assert [one.event for one in there] == [one.event for one in here]
        assert [one.at for one in there] == [one.at for one in here]
        match = replay(one.event for one in here)
        assert [(player.name, player.score) for player in match.players] == [
            ("Ann", 15), ("=Bob", 0)
        ]  # fmt: skip
        pictures = [one.evidence_id for one in here if one.evidence_id is not None]
        assert [other.evidence(number) for number in pictures] == [JPEG]
        assert Archive(other).matches()[0]["title"] == "An evening"
        assert other.words(match_id) == WORDS


def test_an_export_can_be_read_by_people(store: Store) -> None:
    with zipfile.ZipFile(BytesIO(exported(store))) as archive:
        lines = archive.read("report.txt").decode().splitlines()
        assert any(line.startswith("Ann: Laid") for line in lines), lines
        assert archive.read("scores.csv").decode().startswith("round,Ann,'=Bob")


def test_scores_are_a_line_a_round(store: Store) -> None:
    rows = list(csv.reader(StringIO(Archive(store).scores_csv(played(store)))))
    assert rows == [["round", "Ann", "'=Bob"], ["apart", "15", "0"], ["total", "15", "0"]]


def test_pages_get_a_match_with_its_history(store: Store) -> None:
    found = Archive(store).match(played(store))
    assert found is not None
    assert (found["phase"], found["match"]["players"][0]["score"]) == ("over", 15)
    assert [line["event"] for line in found["history"]] == [
        "Started", "Dealt", "Played", "Adjusted", "Stopped"
    ]  # fmt: skip
    assert Archive(store).match(77) is None


DECLARED = [{"line": "B7 K7 J", "place": 2, "tile": "O7"}]


def test_what_jokers_stand_for_goes_along_and_options_do_not(store: Store) -> None:
    match_id = played(store)
    store.set(said_key(match_id), json.dumps({"auto_accept": True, "declared": DECLARED}))
    out = BytesIO()
    Archive(store).export_zip(match_id, out)
    with zipfile.ZipFile(out) as archive:
        report = archive.read("report.txt").decode()
        assert report.endswith("The joker in B7 K7 J stands for Orange 7.\n")
    with open_store("sqlite://") as other:
        here = Archive(other).import_zip(out)
        assert json.loads(other.get(said_key(here)) or "") == {"declared": DECLARED}


@pytest.mark.parametrize(
    "declared", [[{"line": "B7 K7 J", "place": -1, "tile": "O7"}], [7], [{"line": "J" * 99}]]
)
def test_declarations_that_make_no_sense_are_left_out(store: Store, declared: list[Any]) -> None:
    data = _changed(lambda told: told.update(declared=declared))(exported(store))
    with open_store("sqlite://") as other:
        match_id = Archive(other).import_zip(BytesIO(data))
        assert other.get(said_key(match_id)) is None


def test_a_match_of_thousands_of_records_is_taken_in(store: Store) -> None:
    def longer(told: dict[str, Any]) -> None:
        agreed = {**told["records"][-1], "kind": "event", "of": None}
        agreed["event"] = encode(Adjusted("Ann", 1, "a bet"))
        back = {**agreed, "kind": "undo", "event": None}
        told["records"] += [agreed, back, agreed] * 1000

    data = _changed(longer)(exported(store))
    with open_store("sqlite://") as other:
        here = Archive(other).import_zip(BytesIO(data))
        found = Archive(other).match(here)
        assert found is not None
        assert found["match"]["players"][0]["score"] == 15 + 1000


def test_a_match_that_is_here_already_is_not_taken_in_again(store: Store) -> None:
    data, match_id = exported(store), store.matches()[0].id
    assert Archive(store).import_zip(BytesIO(data)) == match_id
    with open_store("sqlite://") as other:
        other.create_match([Started(("Ann", "Bob"))])
        here = Archive(other).import_zip(BytesIO(data))
        assert Archive(other).import_zip(BytesIO(data)) == here
        other.undo(here, expected=len(other.records(here)))
        assert Archive(other).import_zip(BytesIO(data)) not in {1, here}


def test_an_export_from_before_jokers_were_told_of_is_taken_in(store: Store) -> None:
    data = _changed(lambda told: told.pop("declared"))(exported(store))
    with open_store("sqlite://") as other:
        assert Archive(other).import_zip(BytesIO(data)) == 1


def test_a_match_by_rules_that_nobody_knows_is_shown_and_goes_along(store: Store) -> None:
    match_id = store.create_match([Started(("Ann", "Bob"), "sunday")], title="Sunday")
    archive, out = Archive(store), BytesIO()
    found = archive.match(match_id)
    assert found is not None
    assert (found["phase"], found["match"]) == ("unreadable", None)
    assert "no ruleset 'sunday'" in found["error"]
    with pytest.raises(StoreError, match="This match cannot be read: no ruleset 'sunday'"):
        archive.scores_csv(match_id)
    archive.export_zip(match_id, out)
    with zipfile.ZipFile(out) as exported:
        assert exported.namelist() == ["match.json"]


def test_a_list_of_matches_follows_what_is_recorded(store: Store) -> None:
    match_id = played(store)
    archive = Archive(store)
    assert archive.matches()[0]["phase"] == "over"
    assert archive.matches()[0]["rules_name"] == "Standard"
    archive.matches()[0]["title"] = "changed by a reader"
    count = len(store.records(match_id))
    store.undo(match_id, expected=count)
    store.undo(match_id, expected=count + 1)
    assert (archive.matches()[0]["phase"], archive.matches()[0]["title"]) == (
        "playing", "An evening"
    )  # fmt: skip


def _deep(_data: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("match.json", "[" * 100_000)
    return out.getvalue()


def _changed(change: Callable[[dict[str, Any]], object]) -> Callable[[bytes], bytes]:
    def repack(data: bytes) -> bytes:
        out = BytesIO()
        with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
            told = json.loads(old.read("match.json"))
            change(told)
            new.writestr("match.json", json.dumps(told))
        return out.getvalue()

    return repack


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda data: data[: len(data) // 2], "not the export"),
        (lambda _: b"not a zip", "not the export"),
        (_deep, "not the export"),
        (_changed(lambda told: told.pop("records")), "not the export"),
        (_changed(lambda told: told.update(version=2)), "version 2"),
        (_changed(lambda told: told.update(declared=7)), "not the export"),
        (_changed(lambda told: told.update(title="\ud800")), "not the export"),
        (_changed(lambda told: told.update(began="9999-12-31T23:59:59-23:59")), "not the export"),
        (_changed(lambda told: told["records"][2]["event"].update(table=5)), "cannot be 5"),
        (_changed(lambda told: told["records"].insert(0, told["records"][4])), "nothing to undo"),
        (_changed(lambda told: told["records"].pop(0)), "cannot be"),
        (_changed(lambda told: told["records"][1].update(kind="rm")), "unknown kind"),
        (_changed(lambda told: told["records"][1].update(event=[])), "cannot be"),
        (_changed(lambda told: told["records"][1].update(event=["Dealt"])), "not the export"),
        (_changed(lambda told: told["records"][1].update(event=[["a", 1]])), "not the export"),
        (_changed(lambda told: told["records"][-2].update(event={})), "not the export"),
        (_changed(lambda told: told["records"][-1].update(kind="words", event=[])), "not the"),
        (_changed(lambda told: told["records"].extend(told["records"] * 4000)), "more than"),
    ],
)
def test_a_spoilt_export_is_refused_and_nothing_is_kept(
    export: bytes, spoil: Callable[[bytes], bytes], words: str
) -> None:
    with open_store("sqlite://") as other:
        with pytest.raises(StoreError, match=words):
            Archive(other).import_zip(BytesIO(spoil(export)))
        assert other.matches() == ()


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(**DAMAGE)
def test_a_damaged_export_is_refused_in_words(
    export: bytes, tmp_path: Path, place: float, gone: int, instead: bytes
) -> None:
    path = tmp_path / "damaged.zip"
    path.write_bytes(damaged(export, place, gone, instead))
    with path.open("rb") as file, open_store("sqlite://") as other, suppress(StoreError):
        Archive(other).import_zip(file)


def test_a_picture_that_is_none_is_refused(store: Store) -> None:
    data, out = exported(store), BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<script>" if name.endswith(".jpg") else old.read(name))
    with pytest.raises(StoreError, match="not a JPEG"):
        Archive(store).import_zip(out)


MANY = 24
LARGE = b"\xff\xd8\xff" + bytes(range(256)) * 4000


def _illustrated(store: Store) -> tuple[int, BytesIO]:
    """Return a match with many large pictures, and its export."""
    match_id, out = store.create_match([Started(("Ann", "Bob"))], title="Long"), BytesIO()
    for count in range(MANY):
        store.append(match_id, Adjusted("Ann", 1), expected=count + 1, evidence=LARGE)
    Archive(store).export_zip(match_id, out)
    return match_id, out


def test_a_match_with_many_pictures_is_taken_in_one_by_one(store: Store, tmp_path: Path) -> None:
    match_id, out = _illustrated(store)
    with open_store(f"sqlite:///{tmp_path / 'other.sqlite'}") as other:
        tracemalloc.start()
        try:
            here = Archive(other).import_zip(out)
            most_bytes = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert most_bytes < 8 * len(LARGE)
        pictures = [one.evidence_id for one in other.current(here) if one.evidence_id]
        assert len(pictures) == MANY
        assert all(other.evidence(number) == LARGE for number in pictures)
        assert [one.event for one in store.current(match_id)] == [
            one.event for one in other.current(here)
        ]


def test_nothing_is_kept_where_the_last_picture_is_wrong(store: Store) -> None:
    _, out = _illustrated(store)
    spoilt = BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(spoilt, "w") as new:
        for name in old.namelist():
            new.writestr(name, b"<script>" if name.endswith(f"/{MANY}.jpg") else old.read(name))
    before = store.matches()
    with pytest.raises(StoreError, match=f"Picture {MANY} of this export is not a JPEG"):
        Archive(store).import_zip(spoilt)
    assert store.matches() == before
    assert store.evidence(MANY + 1) is None


def test_nothing_is_kept_where_a_picture_changes_on_its_way_in(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, out = _illustrated(store)
    read = read_member
    seen: Counter[str] = Counter()

    def changing(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
        seen[name] += 1
        if name.endswith(f"/{MANY}.jpg") and seen[name] == 2:
            raise zipfile.BadZipFile("Bad CRC-32")
        return read(archive, name, most_bytes)

    monkeypatch.setattr(parcel, "read_member", changing)
    with open_store("sqlite://") as other:
        with pytest.raises(StoreError, match="not the export"):
            Archive(other).import_zip(out)
        assert not other.matches()
        assert other.evidence(1) is None


@pytest.mark.parametrize(
    ("name", "most", "words"),
    [
        ("_MOST_PICTURE_BYTES", len(LARGE) - 1, "is larger than"),
        ("_MOST_PICTURES_BYTES", 5 * len(LARGE), "pictures of this export are too large"),
    ],
)
def test_pictures_that_are_too_large_are_refused(
    store: Store, monkeypatch: pytest.MonkeyPatch, name: str, most: int, words: str
) -> None:
    _, out = _illustrated(store)
    monkeypatch.setattr(parcel, name, most)
    before = store.matches()
    with pytest.raises(StoreError, match=words):
        Archive(store).import_zip(out)
    assert store.matches() == before
