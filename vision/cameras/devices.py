"""Which camera it is that answers to a number: what Linux knows of it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

_DEVICES: Final = Path("/sys/class/video4linux")


def device_name(source: int | str, devices: Path = _DEVICES) -> str:
    """Return the make of a USB camera and its serial number, as far as they are known.

    Numbers go to whatever is plugged in, so this tells whether it is still the same camera.

    Parameters
    ----------
    source
        A number, a device such as `/dev/video0`, or a URL.
    devices
        Where the system lists them.

    Returns
    -------
    Empty where nothing is known: of network cameras, and on other systems than Linux.
    """
    if isinstance(source, str) and not source.startswith("/dev/"):
        return ""
    node = f"video{source}" if isinstance(source, int) else Path(source).resolve().name
    entry = devices / node
    # The entry stands for a function of the device; what is around it is the device itself.
    whole = (entry / "device").resolve().parent
    return " ".join(filter(None, (_text(entry / "name"), _text(whole / "serial"))))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
