"""What is said of cameras, by the key under which other languages know it."""

from __future__ import annotations

from typing import Final

from vision.cameras import words
from vision.watching.states import BLURRED, FLAT
from vision.watching.together.lineup import NOT_YET, OTHERWISE
from vision.watching.together.pace import RESTLESS, SILENT

CAMERA_SENTENCES: Final = {
    "camera.usb": words.USB,
    "camera.device": words.DEVICE,
    "camera.network": words.NETWORK,
    "camera.phone": "phone {number}",
    "camera.starting": words.STARTING,
    "camera.black": words.BLACK,
    "camera.frozen": words.FROZEN,
    "camera.swapped": words.SWAPPED,
    "camera.lost": words.LOST,
    "camera.ended": words.ENDED,
    "camera.closed": f"{words.CLOSED}.",
    "camera.no_more": f"{words.NO_MORE}.",
    "camera.usb_advice": words.USB_ADVICE,
    "camera.network_advice": words.NETWORK_ADVICE,
    "camera.no_film": f"{words.NO_FILM}.",
    "camera.no_folder": f"{words.NO_FOLDER}.",
    "camera.empty_folder": f"{words.EMPTY_FOLDER}.",
    "camera.broken_folder": f"{words.BROKEN_FOLDER}.",
    "camera.left_out": f"{words.LEFT_OUT}.",
    "camera.silent": f"{words.SILENT}.",
    "camera.behind": SILENT,
    "camera.restless": RESTLESS,
    "camera.not_yet": NOT_YET,
    "camera.otherwise": OTHERWISE,
    "message.flat": FLAT,
    "message.blurred": BLURRED,
}
"""Names of cameras, how they do, and why they don't count, with places for names and reasons."""
