"""A recorded game before a real table that is really served, frame by frame as a test wants it."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee import Tile
from tests.vision.watching.test_games import TruthReader
from vision.cameras import Frame
from vision.pipeline import TableReader
from vision.recordings import bundled_recordings, frames_of, load_recording
from vision.types import Reading, Readings
from web.settings import load_settings
from web.site.data_folder import DataFolder
from web.site.hosts import Hosts
from web.site.household import Given, choose_port, open_household
from web.site.phones import phones_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from vision.recordings import Recording
    from vision.types import Detections, Pixels
    from web.live.live_table import LiveTable
    from web.site.roles import Role
    from web.site.services import Services

HERE = "127.0.0.1"


class SlippingReader(TruthReader):
    """Reads what lies there, but for some faces that it always takes for others."""

    def __init__(self, recording: Recording, slips: Mapping[str, str]) -> None:
        super().__init__(recording)
        self._slips = slips

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        true = super().read(pixels, detections)
        faces = tuple(
            Reading(Tile.parse(self._slips.get(str(reading.tile), str(reading.tile))), 0.99)
            for reading in true.readings
        )
        return Readings(true.quads_img, faces)


class Film:
    """A camera that shows every frame of a film, as fast as they are looked at, up to a place.

    There it waits. Time is the film's own: it has nothing to do with how long anything takes.
    """

    health = "ok"
    message = ""

    def __init__(self, path: Path, recording: Recording, truth: TruthReader) -> None:
        self.name = recording.title
        self._frames = frames_of(path.with_name(recording.video))
        self._fps = recording.fps
        self._truth = truth
        self._changed = threading.Condition()
        self._shown: Frame | None = None
        self._place, self._until = -1, 0
        self._closed = False

    def go_on(self, until: int) -> None:
        """Show all frames up to this one, and stay there."""
        with self._changed:
            self._until = until
            self._changed.notify_all()

    def start(self) -> None:
        """Begin with the first frame."""

    def stop(self) -> None:
        """A film has nothing to wait for."""

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> Frame | None:
        with self._changed:
            if self._shown is not None and self._shown.number > after:
                return self._shown
            self._changed.wait_for(lambda: self._place < self._until or self._closed, timeout_s)
            if self._closed or self._place >= self._until:
                return None
            self._place += 1
            self._truth.number = self._place
            taken_s = self._place / self._fps
            self._shown = Frame(next(self._frames), self._place, taken_s, self.name)
            return self._shown


@dataclass(frozen=True)
class Showing:
    """A film that is shown to a table that is served."""

    film: Film
    recording: Recording
    table: LiveTable
    services: Services
    url: str

    def link(self, role: Role) -> str:
        """Return a fresh link for a role."""
        return f"{self.url}/enter?token={self.services.links.token(role)}"

    def play_to_end_of(self, scene: int) -> None:
        """Let the film run until just before the table is touched after that scene."""
        self.film.go_on(self.recording.stills[scene].to_frame)

    def play_into_hand_before(self, scene: int) -> None:
        """Let the film run to where a hand is over the table."""
        before, after = self.recording.stills[scene - 1 : scene + 1]
        self.film.go_on((before.to_frame + after.from_frame) // 2)


@contextmanager
def showing(game: str, folder: Path, slips: Mapping[str, str]) -> Iterator[Showing]:
    """Serve a table before which a recorded game can be played."""
    path = bundled_recordings()[game]
    recording = load_recording(path)
    truth = SlippingReader(recording, slips)
    film = Film(path, recording, truth)
    port = choose_port(HERE, 0)
    settings = load_settings(None, {"host": HERE, "port": port, "https_port": 0})
    given = Given(
        reader=TableReader(truth, truth),
        feeds=[film],
        open_phone=phones_of(settings),
        hosts=Hosts(http_port=port),
    )
    with open_household(settings, DataFolder.open(folder), given) as served:
        url = f"http://{HERE}:{port}"
        yield Showing(film, recording, served.table, served.services, url)
