"""A live table that is played by nobody: for working on the pages, and for measuring."""

from __future__ import annotations

import itertools
import threading
import zipfile
from copy import deepcopy
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from web.live.subscriptions import Subscriptions
from web.site.canned_scenes import SCENES
from web.site.canned_states import HEIGHT_PX, WIDTH_PX, base

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from vision.types import Pixels
    from web.live.subscriptions import Subscription
    from web.site.borders import Snapshot

_INKS: Final = {"R": (40, 40, 200), "O": (30, 140, 240), "B": (190, 90, 30), "K": (40, 40, 40)}


class CommandRefusedError(Exception):
    """A command that the canned table refuses."""


class CannedTable:
    """Shows scenes one after another, and remembers the commands it was given."""

    def __init__(self) -> None:
        self.followers = Subscriptions()
        self.commands: list[tuple[str, dict[str, Any]]] = []
        self.frames: list[tuple[str, tuple[int, ...]]] = []
        self._scenes = itertools.cycle(SCENES)
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._snapshot: Snapshot = {}
        self.show(next(self._scenes)())

    def snapshot(self) -> Snapshot:
        """Return the state as it is now."""
        return self._snapshot

    def subscribe(self) -> Subscription:
        """Follow the changes from now on."""
        return self.followers.open()

    def command(self, name: str, values: Mapping[str, Any]) -> None:
        """Go on to the next scene, and remember the command; `refuse_me` is refused."""
        if name == "refuse_me":
            raise CommandRefusedError("This table is canned, and refuses that.")
        # Who waits for the command and then shows a scene of their own must have the last word.
        self.step()
        self.commands.append((name, dict(values)))

    def tile_aside(self, tile_id: int) -> None:  # noqa: ARG002 - one picture shows all
        """Return nothing: there is one picture."""
        return

    def picture_jpeg(self) -> bytes | None:
        """Draw the tiles of the snapshot."""
        return cv2.imencode(".jpg", _drawn(self._snapshot))[1].tobytes()

    def picture_pixels(self) -> Pixels:
        """Draw the tiles of the snapshot."""
        return _drawn(self._snapshot)

    def push_frame(self, pixels: Pixels, camera: str, *, photo: bool = False) -> None:
        """Remember that a phone sent something."""
        del photo
        self.frames.append((camera, pixels.shape))

    def step(self) -> None:
        """Go on to the next scene."""
        self.show(next(self._scenes)())

    def show(self, values: Mapping[str, Any]) -> None:
        """Show a state in which these values are set."""
        with self._lock:
            number = next(self._numbers)
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            self._snapshot = deepcopy({**base(), **values, "number": number, "time": now})
            self.followers.publish(self._snapshot)


class CannedArchive:
    """Matches that were never played."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """Return a setting."""
        return self.values.get(key)

    def set(self, key: str, value: str) -> None:
        """Keep a setting."""
        self.values[key] = value

    def matches(self) -> list[dict[str, Any]]:
        """Return two matches."""
        return [self._match(2), self._match(1)]

    def match(self, match_id: int) -> dict[str, Any] | None:
        """Return a match with its history."""
        if match_id not in {1, 2}:
            return None
        state = base()
        return {**self._match(match_id), "match": state["match"], "history": state["history"]}

    def evidence(self, evidence_id: int) -> bytes | None:
        """Return a plain picture for the records that have one."""
        if evidence_id not in {6, 8}:
            return None
        return cv2.imencode(".jpg", np.full((360, 640, 3), 90, np.uint8))[1].tobytes()

    def export_zip(self, match_id: int, file: BinaryIO) -> None:
        """Write a file that is no export."""
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("match.txt", str(match_id))

    def scores_csv(self, match_id: int) -> str:
        """Return one line."""
        del match_id
        return "round,Ann,Bob,Chidi\r\n1,35,-10,-25\r\n"

    def import_zip(self, file: BinaryIO) -> int:
        """Take in any ZIP file as match 1."""
        try:
            with zipfile.ZipFile(file):
                return 1
        except zipfile.BadZipFile:
            raise CommandRefusedError(
                "This is no ZIP file. Choose one that an export gave."
            ) from None

    @staticmethod
    def _match(match_id: int) -> dict[str, Any]:
        return {
            "id": match_id,
            "title": f"Evening {match_id}",
            "began": "2026-05-01T19:30:00+00:00",
            "players": ["Ann", "Bob", "Chidi"],
            "rules_name": "Standard",
            "phase": "playing",
            "winner": None,
            "shared": [],
        }


def _drawn(snapshot: Snapshot) -> Pixels:
    """Draw a snapshot's tiles on a brown table top."""
    # One may still be asked for that the page showed before this state.
    picture = snapshot["picture"] or {"height": HEIGHT_PX, "width": WIDTH_PX}
    pixels = np.full((picture["height"], picture["width"], 3), (60, 90, 120), np.uint8)
    for tile in snapshot["tiles"]:
        quad = np.array(tile["quad"], np.int32)
        cv2.fillPoly(pixels, [quad], (225, 240, 245))
        face = tile["tile"]
        left, bottom = int(quad[0][0]) + 8, int(quad[0][1]) + 45
        ink = _INKS.get(face[0], (40, 40, 200))
        text = face[1:] if face[0] in _INKS else "J"
        cv2.putText(pixels, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 3)
    cv2.putText(
        pixels,
        f"canned {snapshot['number']}",
        (WIDTH_PX - 240, 40),
        cv2.FONT_HERSHEY_SIMPLEX,
        1.0,
        (255, 255, 255),
        2,
    )
    return pixels
