"""Play a recorded game for visitors: the film runs, and somebody presses the buttons."""

from __future__ import annotations

import logging
import threading
import time
from math import hypot
from typing import TYPE_CHECKING, Any, Final

from referee.notation import parse_table
from referee.rulesets import load_ruleset
from referee.tiles import ALL_FACES
from vision.recordings import RecordingError, bundled_recordings, frames_of, load_recording
from web.site.film import FilmFeed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vision.recordings import Recording, Still
    from web.site.borders import Snapshot, Table

_log = logging.getLogger(__name__)
_SEEN_S: Final = 1.5
"""How long a verdict is left on the page before the button is pressed."""
_PATIENCE_S: Final = 30.0
"""How long a table is waited for before the film goes on without it."""
_HELPS: Final = 3
"""How often players say in one turn what their tiles are."""
_START: Final = "start"
_TURN: Final = "turn"
_DRAW: Final = "draw"
_MIDDLE: Final = {"opening_threshold": 0, "opening_same_turn_manipulation": True}
"""Where tiles lie at the start of a film, its players have opened."""


class DemoPlayer:
    """Sets the match of a recording up, and presses for its players when they have played.

    Parameters
    ----------
    refusals
        What the table raises where something cannot be done; a visitor may have pressed first.
    """

    def __init__(  # noqa: PLR0913 - everything is passed in
        self,
        recording: Recording,
        film: FilmFeed,
        table: Table,
        refusals: tuple[type[Exception], ...],
        *,
        loop: bool = False,
        seen_s: float = _SEEN_S,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._recording = recording
        self._film = film
        self._table = table
        self._refusals = refusals
        self._loop = loop
        self._seen_s = seen_s
        self._patience_s = patience_s
        self._match: int | None = None
        self._closed = threading.Event()
        self.done = threading.Event()
        self._thread = threading.Thread(target=self._work, name="demo", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def close(self) -> None:
        """Play no more."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            self.play()
            while self._loop and not self._closed.wait(self._patience_s):
                self._film.rewind()
                self.play()
        except Exception:  # noqa: BLE001 - a thread ends here, and the pages go on without it
            _log.exception("the demo cannot go on")
        finally:
            self.done.set()

    def play(self) -> None:
        """Play the recording once."""
        self._set_up()
        stills = self._recording.stills
        for place, still in enumerate(stills):
            self._draw_unseen(stills[place:])
            self._film.go_on(still.to_frame)
            if self._closed.is_set() or not self._arrives(still):
                return
            self._act(still)
        self._end()

    def _set_up(self) -> None:
        """Start a match that stands where the film begins."""
        recording, order = self._recording, self._recording.order
        start = parse_table(recording.stills[0].table).faces.total()
        racks = {player.name: player.rack for player in recording.players}
        # Whoever sits before the first player has laid what lies there.
        racks[order[-1]] += start
        seats = order if load_ruleset(recording.ruleset).clockwise else order[::-1]
        changes = _MIDDLE if start else {}
        new = {"players": list(seats), "ruleset": recording.ruleset, "changes": changes}
        if self._command("new_match", new):
            self._match = self._number()
        handfuls = {name: [count, 0] for name, count in racks.items()}
        self._do("start_round", starter=order[-1] if start else order[0], handfuls=handfuls)

    def _draw_unseen(self, coming: Sequence[Still]) -> None:
        """Draw for whoever the film leaves out, before the next player is seen."""
        mover = next((still.player for still in coming if still.kind in {_TURN, _DRAW}), None)
        for _ in self._recording.players:
            match = self._table.snapshot()["match"]
            if not match or match.get("turn") in {None, mover} or coming[0].kind == _START:
                return
            self._do("drew")

    def _arrives(self, still: Still) -> bool:
        """Wait for the film; tell whether it came there."""
        while not self._film.wait_for(still.from_frame, 1.0):
            if self._closed.is_set() or self._film.health != "ok":
                return False
        return True

    def _act(self, still: Still) -> None:
        """Do what the players do once the table lies still."""
        lies = still.kind == _START and bool(still.table)
        if still.kind == _DRAW:
            self._do("drew")
        elif (lies or still.kind == _TURN) and self._shown(still) and still.legal:
            self._do("end_turn")

    def _shown(self, still: Still) -> bool:
        """Wait until the turn is on the page as it was played, and leave it there for a while."""
        give_up_s = time.monotonic() + self._patience_s
        helps = _HELPS
        for snapshot in self._snapshots(give_up_s):
            if still.kind == _START and snapshot["desync"]:
                self._do("put_right", take="table")
            found = snapshot["proposal"]
            as_played = found is not None and _same(found["table"], still.table)
            if as_played and found["legal"] is still.legal:
                self._closed.wait(self._seen_s)
                return True
            asked = found is not None and found["unsure"]
            if helps and (asked or self._late(give_up_s)):
                helps -= 1
                self._closed.wait(self._seen_s)
                self._put_right(snapshot, still)
        if not self._closed.is_set():
            _log.warning("scene %s of the demo was not read as it was played", still.scene)
        return False

    def _late(self, give_up_s: float) -> bool:
        """Tell whether half the patience is used up."""
        return give_up_s - time.monotonic() < self._patience_s / 2

    def _snapshots(self, until_s: float) -> Iterator[Snapshot]:
        """Yield the state now and whenever it changes, or once a second."""
        with self._table.subscribe() as changes:
            yield self._table.snapshot()
            while time.monotonic() < until_s and not self._closed.is_set():
                yield changes.get(1.0) or self._table.snapshot()

    def _put_right(self, snapshot: Snapshot, still: Still) -> None:
        """Say what the doubted and misread tiles are, as a player would."""
        if not snapshot["picture"]:
            return
        scale = snapshot["picture"]["width"] / self._recording.width
        truth = [(*_middle(tile.quad, scale), tile.tile) for tile in still.tiles]
        for seen in snapshot["tiles"]:
            x, y = _middle(seen["quad"])
            width = hypot(
                seen["quad"][1][0] - seen["quad"][0][0], seen["quad"][1][1] - seen["quad"][0][1]
            )
            near = min(truth, key=lambda tile: hypot(tile[0] - x, tile[1] - y), default=None)
            if near is None or hypot(near[0] - x, near[1] - y) > width:
                continue
            if seen["unsure"] or seen["tile"] != near[2]:
                self._do("correct_tile", id=seen["id"], tile=near[2])

    def _end(self) -> None:
        """Score the round; the film does not show the others' racks, so some are made up."""
        match = self._table.snapshot()["match"]
        if match is None or match["phase"] != "scoring":
            return
        self._closed.wait(self._seen_s)
        racks = {player["name"]: rack_of(player["rack"]) for player in match["players"]}
        self._do("end_round", racks=racks)

    def _number(self) -> int | None:
        match = self._table.snapshot()["match"]
        return match.get("id") if match else None

    def _do(self, command: str, **values: Any) -> None:  # noqa: ANN401 - values of a command
        """Do something in the film's own match: a visitor may have begun another."""
        if self._number() == self._match:
            self._command(command, values)

    def _command(self, command: str, values: dict[str, Any]) -> bool:
        try:
            self._table.command(command, values)
        except self._refusals as error:
            _log.info("the demo could not %s: %s", command, error)
            return False
        return True


def load_game(name: str) -> tuple[Recording, FilmFeed]:
    """Return a game that comes with the program, and its film.

    Raises
    ------
    RecordingError
        If there is no such game, or it cannot be read.
    """
    known = bundled_recordings()
    if name not in known:
        raise RecordingError(f"there is no game {name!r}; there are {', '.join(known)}")
    path = known[name]
    recording = load_recording(path)
    video = path.parent / recording.video
    return recording, FilmFeed(lambda: frames_of(video), recording.fps, recording.title)


def rack_of(count: int) -> str:
    """Return a made-up rack.

    >>> rack_of(0), len(rack_of(3).split())
    ('', 3)
    """
    numbered = [face for face in ALL_FACES if not face.is_joker]
    return " ".join(str(numbered[(place * 17 + 4) % len(numbered)]) for place in range(count))


def _middle(quad: Any, scale: float = 1.0) -> tuple[float, float]:  # noqa: ANN401 - rows of two
    return (
        sum(x for x, _ in quad) / len(quad) * scale,
        sum(y for _, y in quad) / len(quad) * scale,
    )


def _same(seen: str, played: str) -> bool:
    """Tell whether two tables hold the same sets, in whatever order."""
    return sorted(map(str, parse_table(seen).parts)) == sorted(map(str, parse_table(played).parts))
