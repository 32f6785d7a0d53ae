"""What is said of cameras, in plain English, with places for names and reasons.

Reasons are parts of sentences; whoever shows them adds the full stop.
"""

from __future__ import annotations

from typing import Final

USB: Final = "USB camera {number}"
DEVICE: Final = "camera /dev/{device}"
NETWORK: Final = "camera at {host}"

STARTING: Final = "{name} is starting."
BLACK: Final = "{name} shows only black: take the cap off, or switch the light on."
FROZEN: Final = "The picture of {name} stands still: it is opened again; else replug it."
SWAPPED: Final = "{name} changed from {old} to {new}: is it the right camera?"
LOST: Final = "{name} gives no pictures: check its cable, power and network."
ENDED: Final = "{name} has ended."

CLOSED: Final = "{name} cannot be opened: {advice}"
NO_MORE: Final = "{name} gives no more pictures: {advice}"
USB_ADVICE: Final = "plug it in, and close other programs that use it"
NETWORK_ADVICE: Final = "check that it is on, in this network, and that the address is right"
NO_FILM: Final = "{path} cannot be played: give a video such as MP4"
NO_FOLDER: Final = "{path} cannot be read: {reason}"
EMPTY_FOLDER: Final = "{path} holds no pictures: put JPEG or PNG files in it"
BROKEN_FOLDER: Final = "no picture in {path} can be read: put others in it"
LEFT_OUT: Final = "{file} was left out: {reason}"
SILENT: Final = (
    "{name} sends no pictures: open the camera page on it, and keep it in the foreground"
)
