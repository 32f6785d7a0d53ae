"""Play recorded games before the live table, and count what it says rightly and wrongly.

    python -m tests.web.live.measure_games datasets/games/*.json

Every frame is given at its own time. At the end of each still stretch what is proposed is
compared with the label; a turn that is legal is then confirmed, as the players would. An unsure
tile is told, and counted. Late is how long after the hand had left the proposal stood: in seconds
of the film, and with the processor time added that looking at all frames in between took.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from referee import parse_table
from referee.events import Dealt, Played, Started
from tests.web.live.fake_store import FakeStore
from tests.web.live.fakes import FakeFeed, FakePhone, Time
from vision.loading import load_table_reader
from web.live.comparing import compare
from web.live.errors import CommandError
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from referee.events import Event
    from vision.pipeline import TableReader
    from vision.types import Pixels

# Where tiles lie at the start, the players have opened, and hold as many tiles as it takes.
_MIDDLE = {"opening_threshold": 0, "opening_same_turn_manipulation": True}


@dataclass
class Tally:
    """What was said, over all films."""

    counts: Counter[str] = field(default_factory=Counter)
    late_s: list[float] = field(default_factory=list)
    with_looking_s: list[float] = field(default_factory=list)
    looked_ms: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def frames(video: Path) -> Iterator[Pixels]:
    """All frames of a film."""
    capture = cv2.VideoCapture(str(video))
    try:
        while True:
            there, pixels = capture.read()
            if not there:
                return
            yield np.asarray(pixels, np.uint8)
    finally:
        capture.release()


def begin(game: dict[str, Any], store: FakeStore) -> None:
    """Put a match into the store that stands where the film begins."""
    players = tuple(player["name"] for player in game["players"])
    turns = [still["player"] for still in game["stills"] if still["player"]]
    start = game["stills"][0]["table"]
    order = players[players.index(turns[0]) :] + players[: players.index(turns[0])]
    if not start:
        store.create_match([Started(order, game["ruleset"]), Dealt(order[0])])
        return
    changes = {**_MIDDLE, "deal": 30, "deal_two_players": 30}
    order = (*order[1:], order[0])
    events: list[Event] = [
        Started(order, game["ruleset"], changes),
        Dealt(order[-1]),
        Played(start),
    ]
    store.create_match(events)


def watch(path: Path, reader: TableReader, tally: Tally) -> None:
    """Let one film run before a live table."""
    game = json.loads(path.read_text(encoding="utf-8"))
    store, feed, now = FakeStore(), FakeFeed(path.stem), Time()
    begin(game, store)
    live = LiveTable(reader, store, [feed], clock=now, open_phone=FakePhone)
    stills = {still["to_frame"]: still for still in game["stills"]}
    begun = {still["from_frame"]: still for still in game["stills"]}
    due, stood_s, looking_s = None, 0.0, 0.0
    for number, pixels in enumerate(frames(path.with_suffix(".mp4"))):
        now.now_s = number / game["fps"]
        feed.give(pixels, now.now_s)
        started_s = time.process_time()
        live.look_once(0)
        looked_s = time.process_time() - started_s
        tally.looked_ms.append(looked_s * 1000)
        if number in begun:
            due, stood_s, looking_s = begun[number], now.now_s, 0.0
        looking_s += looked_s
        proposal = live.snapshot()["proposal"]
        if due and due["kind"] == "turn" and proposal and _same(proposal["table"], due["table"]):
            tally.late_s.append(now.now_s - stood_s)
            tally.with_looking_s.append(now.now_s - stood_s + looking_s)
            due = None
        if number in stills:
            _check(path.stem, stills[number], live, tally)
    live.close()


def _same(first: str, second: str) -> bool:
    return compare(parse_table(first), parse_table(second)).none


def _check(film: str, still: dict[str, Any], live: LiveTable, tally: Tally) -> None:
    """Compare what is said at the end of a still stretch with its label."""
    shown = live.snapshot()
    proposal = shown["proposal"]
    where = f"{film} {still['scene']} {still['kind']}"
    if shown["desync"]:
        tally.counts["disagreement"] += 1
        tally.notes.append(f"{where}: {shown['desync']['text']}")
        live.command("put_right", {"take": "table"})
        proposal = live.snapshot()["proposal"]
    if still["kind"] == "draw":
        live.command("drew", {})
    if still["kind"] != "turn":
        tally.counts["nothing said, rightly" if proposal is None else "said, wrongly"] += 1
        if proposal is not None:
            tally.notes.append(f"{where}: {proposal['story']} {proposal['violations']}")
        return
    said = "nothing" if proposal is None else _word(proposal["legal"])
    label = _word(still["legal"])
    tally.counts[f"{label}: {said}"] += 1
    right = proposal is not None and _same(proposal["table"], still["table"])
    tally.counts["table exact" if right else "table not exact"] += 1
    if said != label or not right:
        story = proposal and f"{proposal['story']} {proposal['violations']} {proposal['table']}"
        tally.notes.append(f"{where}: label {label}: {still['table']}\n      {said}: {story}")
    if said == "can't tell":
        _answer(still, live, proposal["look"]["id"])
    if still["legal"]:
        try:
            live.command("end_turn", {"accept_illegal": True, "accept_unsure": True})
        except CommandError as error:
            tally.notes.append(f"{where}: {error}")


def _answer(still: dict[str, Any], live: LiveTable, tile_id: int) -> None:
    """Look at a tile as a person would, and say what it is."""
    quads = {tile["id"]: tile["quad"] for tile in live.snapshot()["tiles"]}
    middle = np.mean(quads[tile_id], axis=0)
    nearest = min(
        still["tiles"], key=lambda tile: float(np.hypot(*(np.mean(tile["quad"], axis=0) - middle)))
    )
    live.command("correct_tile", {"id": tile_id, "tile": nearest["tile"]})


def _word(legal: bool | None) -> str:
    return {True: "legal", False: "illegal", None: "can't tell"}[legal]


def main() -> None:
    """Run all films and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    reader, tally = load_table_reader(), Tally()
    for path in parser.parse_args().games:
        watch(path, reader, tally)
    looked = np.array(tally.looked_ms)
    print(*(f"{count:5} {what}" for what, count in sorted(tally.counts.items())), sep="\n")  # noqa: T201
    print(  # noqa: T201
        f"late: median {np.median(tally.late_s):.1f} s, worst {max(tally.late_s):.1f} s; "
        f"with looking: median {np.median(tally.with_looking_s):.2f} s, "
        f"95 % {np.percentile(tally.with_looking_s, 95):.2f} s, "
        f"worst {max(tally.with_looking_s):.2f} s; "
        f"a look: median {np.median(looked):.0f} ms, worst {looked.max():.0f} ms"
    )
    print(*tally.notes, sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
