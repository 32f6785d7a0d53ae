"""Recorded games before the live table, with people who end what they have played."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import cycle, takewhile
from typing import TYPE_CHECKING, Any

import numpy as np

from referee import load_ruleset, parse_table
from referee.events import Dealt, Drew, Played, Started
from tests.web.live.fakes import FakeFeed, FakePhone, Time
from vision.recordings import frames_of
from web.live.comparing import compare
from web.live.errors import CommandError
from web.live.live_table import LiveTable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from referee.events import Event
    from vision.pipeline import TableReader
    from vision.recordings import Recording, Still
    from vision.types import Pixels
    from web.live.borders import Snapshot, Store

    View = Callable[[Pixels], Pixels]

# Where tiles lie at the start, the players have opened.
MIDDLE = {"opening_threshold": 0, "opening_same_turn_manipulation": True}
_WORDS = {True: "legal", False: "illegal", None: "can't tell"}


@dataclass(slots=True)
class Said:
    """What was said of a still stretch, once it was over.

    Attributes
    ----------
    word
        "legal", "illegal", "can't tell"; or "nothing".
    proposal
        As the snapshot has it.
    desync
        In words, what table and record disagreed about at any time since the last stretch.
    spoke
        Whether a turn was proposed at any time since the stretch before.
    refusal
        What was answered when the players ended the turn all the same.
    late_s
        From the stretch's begin to the right proposal: seconds of the film, or real ones if it
        ran in real time.
    """

    still: Still
    word: str = "nothing"
    proposal: Snapshot | None = None
    desync: str = ""
    spoke: bool = False
    refusal: str = ""
    late_s: float | None = None

    @property
    def codes(self) -> list[str]:
        """Why it is illegal."""
        violations = [] if self.proposal is None else self.proposal["violations"]
        return [violation["code"] for violation in violations]

    @property
    def exact(self) -> bool:
        """Whether the proposed table is what lies there."""
        return self.proposal is not None and same(self.proposal["table"], self.still.table)


@dataclass(slots=True)
class Showing:
    """What came of a film.

    Attributes
    ----------
    looked_ms
        Processor time of every frame that was looked at.
    joined
        After how many of these frames all cameras counted.
    """

    said: list[Said] = field(default_factory=list)
    joined: int = 0
    looked_ms: list[float] = field(default_factory=list)
    last: Snapshot = field(default_factory=dict)


def same(first: str, second: str) -> bool:
    """Whether two tables hold the same sets, wherever they lie."""
    return compare(parse_table(first), parse_table(second)).none


def word(legal: bool | None) -> str:
    """Say it in a word."""
    return _WORDS[legal]


def beginning(recording: Recording) -> list[Event]:
    """Return the events of a match that stands where the film begins."""
    order = recording.order
    racks = {player.name: player.rack for player in recording.players}
    start = recording.stills[0].table
    if start:
        # Whoever sits before the first player has laid what lies there.
        racks[order[-1]] += parse_table(start).faces.total()
    seats = order if load_ruleset(recording.ruleset).clockwise else order[::-1]
    events: list[Event] = [
        Started(tuple(seats), recording.ruleset, dict(MIDDLE) if start else {}),
        Dealt(
            order[-1] if start else order[0],
            handfuls={name: [count] for name, count in racks.items()},
        ),
    ]
    return [*events, Played(start)] if start else events


def happened(recording: Recording) -> list[tuple[str, Event]]:
    """Return what the players of a film did that counts, and who it was.

    Whoever would have to move where the film goes on with another player has drawn unseen.
    """
    events: list[tuple[str, Event]] = []
    order = cycle(recording.order)
    for still in recording.stills:
        if still.kind == "draw" or (still.kind == "turn" and still.legal):
            events += [(name, Drew()) for name in takewhile(still.player.__ne__, order)]
            event = Drew() if still.kind == "draw" else Played(still.table)
            events.append((still.player, event))
    return events


def as_it_is(pixels: Pixels) -> Pixels:
    """See a frame as it was filmed."""
    return pixels


def show(  # noqa: PLR0913 - a film, who sees it, and how it is shown
    recording: Recording,
    video: Path,
    reader: TableReader,
    store: Store,
    left: Mapping[str, str] | None = None,
    *,
    in_real_time: bool = False,
    views: Sequence[View] = (as_it_is,),
) -> Showing:
    """Let a film run before a live table; every frame is given at its own time.

    Parameters
    ----------
    left
        What the others hold when somebody is out, if the round is to be scored.
    in_real_time
        Whether the film goes on while a frame is looked at, so that the newest one comes next and
        those before it are never seen, as with a camera.
    views
        What each camera makes of the film's frames.
    """
    store.create_match(beginning(recording))
    feeds = [FakeFeed(f"{recording.title} {number}") for number, _ in enumerate(views, 1)]
    now = Time()
    live = LiveTable(reader, store, feeds, clock=now, open_phone=FakePhone)
    try:
        evening = Evening(recording, live)
        for number, pixels in enumerate(frames_of(video)):
            taken_s = number / recording.fps
            if now.now_s >= taken_s + 1 / recording.fps:  # the next one is there by now
                evening.go_past(number)
                continue
            now.now_s = max(now.now_s, taken_s)
            for feed, view in zip(feeds, views, strict=True):
                feed.give(view(pixels), taken_s)
            begun_s = time.perf_counter()
            evening.look(len(feeds))
            if in_real_time:
                now.now_s += time.perf_counter() - begun_s
            evening.note(number, now.now_s)
        if left is not None:
            live.command("end_round", {"racks": dict(left)})
        evening.showing.last = live.snapshot()
    finally:
        live.close()
    return evening.showing


class Evening:
    """Looks frame by frame, and does what the players of the film do."""

    def __init__(self, recording: Recording, live: LiveTable) -> None:
        self.showing = Showing()
        self._live = live
        self._fps = recording.fps
        self._stills = list(recording.stills)
        self._said = Said(self._stills.pop(0))

    @property
    def due(self) -> Still:
        """The still stretch that is shown, or comes next."""
        return self._said.still

    def look(self, cameras: int) -> None:
        """Look at a frame, through one camera after the other."""
        begun_s = time.process_time()
        for _ in range(cameras):
            self._live.look_once(0)
        self.showing.looked_ms.append((time.process_time() - begun_s) * 1000)

    def note(self, number: int, now_s: float) -> None:
        """Take down what is said after a frame was looked at."""
        shown, said = self._live.snapshot(), self._said
        self.showing.joined += all(camera["counts"] for camera in shown["cameras"])
        said.proposal = shown["proposal"]
        said.spoke |= said.proposal is not None
        if shown["desync"]:
            said.desync = shown["desync"]["text"]
        if number >= said.still.from_frame and said.late_s is None and said.exact:
            said.late_s = now_s - said.still.from_frame / self._fps
        self.go_past(number)

    def go_past(self, number: int) -> None:
        """Go on as the players did, if this frame was the last of a stretch."""
        if number == self.due.to_frame:
            self.go_on()

    def go_on(self) -> None:
        """Take down what is said at the end of a stretch, and go on as the players did."""
        said, live = self._said, self._live
        said.proposal = live.snapshot()["proposal"]
        if live.snapshot()["desync"]:
            live.command("put_right", {"take": "table"})
            said.proposal = live.snapshot()["proposal"]
        if said.proposal is not None:
            said.word = word(said.proposal["legal"])
        if said.still.kind == "draw":
            live.command("drew", {})
        elif said.still.kind == "turn":
            self._end_turn(said)
        self.showing.said.append(said)
        if self._stills:
            self._said = Said(self._stills.pop(0))
            self._draw_unseen()

    def _draw_unseen(self) -> None:
        """Draw for whoever the film leaves out."""
        coming = (self._said.still, *self._stills)
        mover = next((still.player for still in coming if still.kind in {"draw", "turn"}), None)
        while mover not in {None, self._live.snapshot()["match"]["turn"]}:
            self._live.command("drew", {})

    def _end_turn(self, said: Said) -> None:
        values: dict[str, Any] = {}
        if said.still.legal and said.word != "legal":
            values = {"accept_illegal": True, "accept_unsure": True}
        try:
            if said.word == "can't tell":
                _answer(said, self._live)
            self._live.command("end_turn", values)
        except CommandError as error:
            said.refusal = str(error)


def _answer(said: Said, live: LiveTable) -> None:
    """Look at a tile as a person would, and say what it is."""
    assert said.proposal is not None
    number = said.proposal["look"]["id"]
    quads = {tile["id"]: tile["quad"] for tile in live.snapshot()["tiles"]}
    middle = np.mean(quads[number], axis=0)
    nearest = min(
        said.still.tiles,
        key=lambda tile: float(np.hypot(*(np.mean(tile.quad, axis=0) - middle))),
    )
    live.command("correct_tile", {"id": number, "tile": nearest.tile})
