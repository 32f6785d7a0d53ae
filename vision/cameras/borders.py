"""What a camera is to those who use it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from vision.types import Pixels


class CameraError(Exception):
    """A camera that gives no pictures; the message says why and what to do."""


class BrokenPictureError(CameraError):
    """One picture that cannot be shown; the camera goes on with the next."""


class Camera(Protocol):
    """Gives frames one after another; used by one thread only."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    @property
    def live(self) -> bool:
        """False for a recording, which may end."""
        ...

    def open(self) -> None:
        """Begin, or begin again after `close`; raises `CameraError`."""
        ...

    def grab(self) -> Pixels | None:
        """Wait for the next (h, w, 3) uint8 BGR frame; None once a recording has ended.

        Raises `CameraError` where a live camera gives no more, and `BrokenPictureError` where
        only this frame is lost.
        """
        ...

    def close(self) -> None:
        """Let the camera go; closing twice does no harm."""
        ...


@runtime_checkable
class Identified(Protocol):
    """A camera that can tell which device it is."""

    @property
    def device(self) -> str:
        """Its make and serial number since it was opened last; empty where they are unknown."""
        ...


@runtime_checkable
class Handheld(Protocol):
    """A camera that somebody holds, and that may send single photos."""

    @property
    def streams(self) -> bool:
        """Whether its frames come one after another; else each is a photo, taken by hand."""
        ...


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture from a camera.

    Attributes
    ----------
    pixels
        (h, w, 3) uint8 BGR.
    number
        Grows by one with every frame.
    taken_s
        When it came, by the monotonic clock.
    camera
        Name of the camera.
    """

    pixels: Pixels
    number: int
    taken_s: float
    camera: str


class Health(StrEnum):
    """How a camera does."""

    STARTING = "starting"
    OK = "ok"
    BLACK = "black"
    FROZEN = "frozen"
    SWAPPED = "swapped"
    LOST = "lost"
    ENDED = "ended"
