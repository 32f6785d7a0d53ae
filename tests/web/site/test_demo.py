from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.recordings import Moving, RecordedPlayer, RecordedTile, Recording, Still
from web.site.canned import CannedTable, CommandRefusedError
from web.site.demo import DemoPlayer
from web.site.film import FilmFeed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pytest

    from vision.types import Pixels

FIRST, SECOND = "R10 R11 R12", "R10 R11 R12 | B1 B2 B3"
WRONG = "R10 R11 R12 | B1 B2 B4"


def still(scene: int, kind: str, player: str, table: str, **values: object) -> Still:
    quads = ((0, 0), (40, 0), (40, 60), (0, 60)), ((50, 0), (90, 0), (90, 60), (50, 60))
    faces = table.replace("|", " ").split()[-2:]
    tiles = [RecordedTile(tile=t, quad=q) for t, q in zip(faces, quads, strict=False)]
    given: dict[str, Any] = {"before": "", "added": "", "legal": True, "codes": (), "wins": False}
    return Still.model_validate(
        {
            "scene": scene,
            "from_frame": scene * 3 + 1,
            "to_frame": scene * 3 + 2,
            "kind": kind,
            "player": player,
            "table": table,
            "racks": {},
            "tiles": tuple(tiles),
            **given,
            **values,
        }
    )


def recording(*stills: Still) -> Recording:
    players = tuple(RecordedPlayer(name=name, rack=14, opened=False) for name in ("Ann", "Bob"))
    return Recording(
        title="Two turns",
        ruleset="standard",
        video="two.mp4",
        width=640,
        height=480,
        fps=5,
        frames=len(stills) * 3,
        players=players,
        stills=stills,
        moving=(Moving(scene=1, from_frame=0, to_frame=0, what="hand", player="Ann"),),
    )


class PlayedTable(CannedTable):
    """Sees what the recording shows as soon as the film is there, its tiles read as told."""

    def __init__(self, told: Mapping[int, dict[str, Any]]) -> None:
        super().__init__()
        self.told = told
        self.show({"proposal": None})

    def show(self, values: Mapping[str, Any]) -> None:
        super().show({"match": None, **values})

    def command(self, name: str, values: Mapping[str, Any]) -> None:
        self.commands.append((name, dict(values)))
        if name == "put_right":
            self.show(proposal(FIRST))
        if name == "drew":
            raise CommandRefusedError("Somebody was faster.")
        if name == "correct_tile":
            found = self.snapshot()["proposal"]
            self.show({"proposal": {**found, "table": SECOND, "unsure": False, "legal": True}})

    def run(self, feed: FilmFeed, stop: threading.Event) -> None:
        after, shown = -1, -1
        while not stop.is_set():
            frame = feed.newest(after, 0.2)
            if frame is None:
                continue
            after = frame.number
            scene = feed.place // 3
            if feed.place % 3 and scene != shown and scene in self.told:
                shown = scene
                self.show(self.told[scene])
            stop.wait(0.001)


def proposal(table: str, **values: object) -> dict[str, Any]:
    return {"proposal": {"table": table, "legal": True, "unsure": False, **values}}


def pixels() -> Iterator[Pixels]:
    while True:
        yield np.zeros((4, 4, 3), np.uint8)


def play(
    table: PlayedTable,
    played: Recording,
    patience_s: float = 20.0,
    *,
    first: str = "Ann",
    middle: bool = False,
) -> list[str]:
    """Return the commands that were given, after the match was set up."""
    feed, stop = FilmFeed(pixels, 1_000_000, "two.mp4"), threading.Event()
    feed.start()
    watching = threading.Thread(target=table.run, args=(feed, stop))
    demo = DemoPlayer(played, feed, table, (CommandRefusedError,), seen_s=0, patience_s=patience_s)
    watching.start()
    demo.start()
    try:
        assert demo.done.wait(30)
    finally:
        demo.close()
        stop.set()
        watching.join()
    names = ["Ann", "Bob"] if first == "Ann" else ["Bob", "Ann"]
    changes = {"opening_threshold": 0, "opening_same_turn_manipulation": True} if middle else {}
    handfuls = {"Ann": [14, 0], "Bob": [17 if middle else 14, 0]}
    assert table.commands[:2] == [
        ("new_match", {"players": names, "ruleset": "standard", "changes": changes}),
        ("start_round", {"starter": "Bob" if middle else first, "handfuls": handfuls}),
    ]
    return [name for name, _ in table.commands[2:]]


START = still(0, "start", "", "")


def test_a_turn_is_ended_once_it_is_seen_as_it_was_played() -> None:
    played = recording(START, still(1, "turn", "Ann", FIRST), still(2, "turn", "Bob", SECOND))
    table = PlayedTable({1: proposal(FIRST), 2: proposal("B1 B2 B3 | R10 R11 R12")})
    assert play(table, played) == ["end_turn", "end_turn"]


def test_nobody_ends_an_illegal_turn_and_a_draw_is_told() -> None:
    wrong = still(1, "turn", "Ann", WRONG, legal=False)
    played = recording(START, wrong, still(2, "draw", "Ann", FIRST), still(3, "rest", "", FIRST))
    assert play(PlayedTable({1: proposal(WRONG, legal=False)}), played) == ["drew"]


def test_an_unsure_tile_is_told_as_a_player_would() -> None:
    quad = [[50, 0], [90, 0], [90, 60], [50, 60]]
    seen = {
        "picture": {"width": 640, "height": 480, "number": 1},
        "tiles": [{"id": 9, "tile": "B4", "quad": quad, "unsure": True}],
        **proposal(SECOND, unsure=True, legal=None),
    }
    table = PlayedTable({1: seen})
    assert play(table, recording(START, still(1, "turn", "Ann", SECOND))) == [
        "correct_tile",
        "end_turn",
    ]
    assert table.commands[2] == ("correct_tile", {"id": 9, "tile": "B3"})


def test_a_table_that_is_never_read_right_does_not_stop_the_film(
    caplog: pytest.LogCaptureFixture,
) -> None:
    played = recording(START, still(1, "turn", "Ann", FIRST), still(2, "draw", "Bob", FIRST))
    with caplog.at_level(logging.WARNING):
        assert play(PlayedTable({}), played, patience_s=0.05) == ["drew"]
    assert "scene 1 of the demo was not read as it was played" in caplog.text


def test_tiles_that_lie_there_at_the_start_are_the_last_players() -> None:
    begun = still(0, "start", "", FIRST)
    desync = {"desync": {"text": "Seen.", "missing": [], "extra": []}, "proposal": None}
    table = PlayedTable({0: desync, 1: proposal(SECOND)})
    asked = play(table, recording(begun, still(1, "turn", "Ann", SECOND)), middle=True)
    assert asked == ["put_right", "end_turn", "end_turn"]


def test_whoever_the_film_leaves_out_has_drawn() -> None:
    turn = {"match": {"phase": "playing", "turn": "Bob", "players": []}}
    played = recording(START, still(1, "turn", "Bob", FIRST), still(2, "turn", "Ann", SECOND))
    table = PlayedTable({1: proposal(FIRST) | turn, 2: proposal(SECOND)})
    # Bob is still to move after his turn, and drawing is refused, so it is tried for each once.
    assert play(table, played, first="Bob") == ["end_turn", "drew", "drew", "end_turn"]


def test_nothing_is_done_in_a_match_that_a_visitor_began() -> None:
    theirs = {"match": {"id": 7, "phase": "playing", "turn": "Mum", "players": []}}
    table = PlayedTable({1: proposal(FIRST) | theirs})
    assert play(table, recording(START, still(1, "turn", "Ann", FIRST))) == []


def test_at_the_end_of_a_round_the_racks_are_scored() -> None:
    scoring = {
        "match": {
            "phase": "scoring",
            "players": [{"name": "Ann", "rack": 0}, {"name": "Bob", "rack": 3}],
        }
    }
    table = PlayedTable({1: proposal(FIRST) | scoring})
    played = recording(START, still(1, "turn", "Ann", FIRST, wins=True))
    assert play(table, played) == ["end_turn", "end_round"]
    racks = table.commands[-1][1]["racks"]
    assert racks["Ann"] == ""
    assert len(racks["Bob"].split()) == 3
