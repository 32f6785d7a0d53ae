"""Fixed cameras by their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2

from vision.cameras import CameraError, Feed, FeedSettings, camera_from
from vision.cameras.captures import VideoFile, open_capture
from web.site.server import ServeError

if TYPE_CHECKING:
    from vision.cameras import Camera
    from web.settings_sections import Settings

_TYPED: Final = cv2.VideoWriter.fourcc(*"ansi")


def camera_at(address: str) -> Camera:
    """Return the camera of an address, not opened yet.

    Raises
    ------
    CameraError
        If nothing of the kind is there, or a file is no video.
    """
    camera = camera_from(address)
    if isinstance(camera, VideoFile) and not _is_video(address):
        raise CameraError(
            f"{address} is no video: give a number, a video file, a folder of pictures, "
            "or an http or rtsp URL"
        )
    return camera


def _is_video(path: str) -> bool:
    """Tell whether a file has a picture; FFmpeg makes a film of texts, too, typing them."""
    capture = open_capture(path)
    try:
        return capture.read()[0] and capture.get(cv2.CAP_PROP_FOURCC) != _TYPED
    finally:
        capture.release()


def open_feeds(settings: Settings) -> tuple[Feed, ...]:
    """Return the fixed cameras, not opened yet.

    Raises
    ------
    ServeError
        If an address is none of a camera.
    """
    ill = FeedSettings(**settings.feeds.model_dump())
    try:
        return tuple(Feed(camera_at(address), ill) for address in settings.cameras.camera)
    except CameraError as error:
        raise ServeError(str(error)) from error
