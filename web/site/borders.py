"""What the pages need of the other parts: the live table and the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from vision.types import Floats, Pixels

Snapshot: TypeAlias = "dict[str, Any]"
"""The state of the table as JSON values; `number` grows by one with every change."""


class Subscription(Protocol):
    """The snapshots that come after one another; where several wait, the newest wins."""

    def get(self, timeout_s: float) -> Snapshot | None:
        """Wait for the next snapshot; None where none came in time, or after the end."""
        ...

    def close(self) -> None:
        """Follow no longer; whoever waits is let go."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Table(Protocol):
    """The live table."""

    def snapshot(self) -> Snapshot:
        """Return the state as it is now."""
        ...

    def subscribe(self) -> Subscription:
        """Follow the changes from now on."""
        ...

    def command(self, name: str, values: Mapping[str, Any]) -> None:
        """Do what a person asked for."""
        ...

    def picture_jpeg(self) -> bytes | None:
        """Return the newest picture; None where there is none yet."""
        ...

    def picture_pixels(self) -> Pixels | None:
        """Return the newest picture as the camera gave it; None where there is none yet."""
        ...

    def tile_aside(self, tile_id: int) -> tuple[Pixels, Floats] | None:
        """Return another picture in which a tile is seen better, and its corners there."""
        ...

    def push_frame(self, pixels: Pixels, camera: str, *, photo: bool = False) -> None:
        """Take (h, w, 3) uint8 BGR pixels from a phone, of its live picture or of a photo."""
        ...


class Settings(Protocol):
    """Values that outlive the program, by key."""

    def get(self, key: str) -> str | None:
        """Return the value; None where there is none."""
        ...

    def set(self, key: str, value: str) -> None:
        """Keep the value."""
        ...


class Archive(Protocol):
    """What was kept of matches."""

    def matches(self) -> list[dict[str, Any]]:
        """Return every match as JSON values, the newest first."""
        ...

    def match(self, match_id: int) -> dict[str, Any] | None:
        """Return one match with its history as JSON values; None where there is none."""
        ...

    def evidence(self, evidence_id: int) -> bytes | None:
        """Return the JPEG that was kept with a record; None where there is none."""
        ...

    def export_zip(self, match_id: int, file: BinaryIO) -> None:
        """Write everything that is known of a match."""
        ...

    def scores_csv(self, match_id: int) -> str:
        """Return the scores, a line a round."""
        ...

    def import_zip(self, file: BinaryIO) -> int:
        """Take in an exported match, and return its new number."""
        ...
