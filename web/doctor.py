"""Look at everything that an evening needs, before it begins."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from referee.phrases import sentence
from vision.advice import advise
from vision.cameras import CameraError, Feed, FeedSettings
from vision.mirrored import is_mirrored
from vision.resources import ResourceError
from vision.teaching import ProfileError
from web.certificates import CertificateError, ensure_certificate
from web.site.network import how_to_listen, listener
from web.site.uploads import MILLION
from web.store import StoreError, open_store
from web.teaching.sets import Sets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vision.cameras import Camera, Frame
    from vision.pipeline import TableReader

State = Literal["ok", "warn", "fail"]
_ROOM_MB: Final = 500
_PATIENCE_S: Final = 3.0
_WARM_UP_S: Final = 1.0
_USUAL: Final = FeedSettings()


@dataclass(frozen=True, slots=True)
class Check:
    """What was found about one thing, and what to do about it."""

    name: str
    state: State
    text: str
    advice: str = ""


def check_models(load: Callable[[], TableReader]) -> tuple[Check, TableReader | None]:
    """Load the networks."""
    try:
        reader = load()
    except ResourceError as error:
        return Check("networks", "fail", f"{error}.", ""), None
    return Check("networks", "ok", "The networks are there and undamaged."), reader


def check_disk(folder: Path) -> Check:
    """See whether there is room for an evening's pictures."""
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        text = f"Nothing can be kept in {folder}."
        return Check("disk", "fail", text, "Choose another folder with --data.")
    free_mb = shutil.disk_usage(there).free // MILLION
    if free_mb < _ROOM_MB:
        text = f"Only {free_mb} MB are free for {folder}."
        return Check(
            "disk", "warn", text, "Free some space, or choose another folder with --data."
        )
    return Check("disk", "ok", f"{free_mb} MB are free for {folder}.")


def check_store(url: str | Path) -> Check:
    """Open the matches, and bring them up to date, as serving them would."""
    try:
        open_store(url).close()
    except StoreError as error:
        return Check("matches", "fail", str(error))
    return Check("matches", "ok", "The matches can be reached.")


def check_set(reader: TableReader, folder: Path, name: str) -> Check:
    """See whether the set of tiles that the settings name can be used."""
    try:
        Sets(reader, folder, name)
    except ProfileError as error:
        return Check("set", "fail", sentence(str(error)))
    return Check("set", "ok", f"The set {name} is there.")


def check_port(host: str, port: int) -> Check:
    """See whether a port can be listened at."""
    with listener(host) as door:
        try:
            door.bind((host, port))
        except OSError as error:
            text = f"Port {port} cannot be used: {error.strerror or error}."
            return Check("port", "fail", text, sentence(how_to_listen(error)))
    return Check("port", "ok", f"Port {port} is free.")


def check_certificate(folder: Path, names: Iterable[str]) -> Check:
    """Make the certificate for https, if need be, and see that it can be kept."""
    try:
        ensure_certificate(folder, names)
    except (CertificateError, OSError) as error:
        return Check(
            "certificate", "warn", f"{error}.", "Phones can still send photos over plain http."
        )
    return Check("certificate", "ok", "The certificate for live phones is there.")


def check_camera(
    camera: Camera, reader: TableReader | None, ill: FeedSettings = _USUAL
) -> list[Check]:
    """Look through a camera, and at the light.

    Parameters
    ----------
    ill
        When it counts as ill, as it will in the evening.
    """
    patience_s = max(_PATIENCE_S, ill.silent_s)
    with Feed(camera, ill) as feed:
        frame = _settled_frame(feed, patience_s) if camera.live else feed.newest(-1, patience_s)
        message = feed.message
    if frame is None:
        silent = f"{camera.name} gave no picture in {patience_s:g} seconds"
        text = f"{(message or silent).rstrip('.')}."
        cable = "Check its cable, and that no program has it." if camera.live else ""
        return [Check(camera.name, "fail", text, cable)]
    height, width = frame.pixels.shape[:2]
    found = [Check(camera.name, "ok", f"It gives pictures of {width}x{height}.")]
    if reader is None:
        return found
    seen = reader.see_unless_mirrored(frame.pixels, two_dimensional=True)
    quads, mirrored = seen.detections.quads_img, is_mirrored(seen.readings.readings)
    # Darkness may be why no tile is seen, so it is spoken of first.
    advice = [
        Check("light", "warn", one.text, one.advice)
        for one in advise(frame.pixels, quads, mirrored=mirrored)
    ]
    if len(quads) == 0 and not advice:
        text = "No tiles are in view, so the light cannot be judged."
        return [*found, Check("light", "warn", text, "Lay some tiles on the table, face up.")]
    good = Check("light", "ok", f"{len(quads)} tiles are in view, and well lit.")
    return [*found, *(advice or [good])]


def _settled_frame(feed: Feed, patience_s: float) -> Frame | None:
    """Return a frame of a camera that has had time to get used to the light."""
    first = frame = feed.newest(-1, patience_s)
    while first is not None and frame is not None and frame.taken_s - first.taken_s < _WARM_UP_S:
        newer = feed.newest(frame.number, patience_s)
        if newer is None:
            break
        frame = newer
    return frame


def opened(address: str, camera_from: Callable[[str], Camera]) -> Camera | Check:
    """Return the camera of an address, or what is wrong with the address."""
    try:
        return camera_from(address)
    except CameraError as error:
        text = f"{str(error).rstrip('.')}."
        return Check(f"camera {address}", "fail", text, "Name it otherwise with --camera.")
