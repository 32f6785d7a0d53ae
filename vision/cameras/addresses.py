"""From what people write to the camera they mean."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from vision.cameras import words
from vision.cameras.borders import CameraError
from vision.cameras.captures import LiveCamera, VideoFile
from vision.cameras.folder import PictureFolder

if TYPE_CHECKING:
    from vision.cameras.borders import Camera

_SCHEMES: Final = frozenset({"http", "https", "rtsp", "rtsps"})


def camera_from(address: str) -> Camera:
    """Return the camera of an address, not opened yet.

    Parameters
    ----------
    address
        A number or `/dev/video0`, a video file, a folder of pictures, or an http or rtsp URL.

    Raises
    ------
    CameraError
        If nothing of the kind is there.

    Examples
    --------
    >>> camera_from("0").name
    'USB camera 0'
    >>> camera_from("rtsp://me:secret@10.0.0.7:554/live").name
    'camera at 10.0.0.7'
    >>> camera_from("http://[fd00::7]:8080/video").name
    'camera at fd00::7'
    """
    if address.isdecimal():
        return LiveCamera(int(address), words.USB.format(number=address), words.USB_ADVICE)
    if address.startswith("/dev/"):
        name = words.DEVICE.format(device=address.removeprefix("/dev/"))
        return LiveCamera(address, name, words.USB_ADVICE)
    if "://" in address:
        # The host only: a name is shown to everybody, and URLs carry passwords.
        name = words.NETWORK.format(host=_host(address))
        return LiveCamera(address, name, words.NETWORK_ADVICE)
    path = Path(address)
    if path.is_dir():
        return PictureFolder(path)
    if path.is_file():
        return VideoFile(path)
    raise CameraError(
        f"no camera {address!r}: give a number, a video file, a folder of pictures, "
        "or an http or rtsp URL"
    )


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, scheme, _ = parts.hostname, parts.scheme, parts.port
    except ValueError as error:
        raise CameraError(
            "the camera's URL has a host or port that cannot be; an IPv6 address stands in "
            "brackets, as in http://[fd00::7]:8080/video"
        ) from error
    if scheme not in _SCHEMES or not host:
        raise CameraError("the camera's URL must begin with http, https or rtsp and a host")
    return host
