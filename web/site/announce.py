"""Tell in the terminal where the pages are, and open them in a browser."""

from __future__ import annotations

import os
import shutil
import sys
import webbrowser
from io import StringIO
from typing import TYPE_CHECKING

import segno

from web.site.entry import link
from web.site.roles import Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from web.site.services import Services

_WHAT = {
    Role.ORGANISER: "dashboard, for one device",
    Role.CAMERA: "phone as camera",
    Role.SPECTATOR: "for those who look",
}


def announcement(known: Services, shown: Role) -> str:
    """Return the addresses of the pages, and the code of one of them.

    Parameters
    ----------
    shown
        The role whose link is shown as a QR code.
    """
    return "\n".join(_lines(known, shown))


def _lines(known: Services, shown: Role) -> Iterator[str]:
    links = {role: link(known.links, known.hosts, role) for role in Role}
    links[Role.ORGANISER] = dashboard(known)
    yield "Meldwatch is ready."
    for role, address in links.items():
        yield f"  {_WHAT[role]:26} {address}"
    if known.hosts.https_port:
        live = known.hosts.https("/phone")
        yield f"  {'live from a phone':26} {live}, set up on its camera page"
    elsewhere = known.hosts.addresses()[1:]
    if elsewhere:
        yield f"  This machine is also at {', '.join(elsewhere)}."
    if not known.hosts.addresses():
        yield "  This machine is in no network, so other devices cannot reach it."
    code = terminal_code(links[shown])
    if _fits(code):
        yield f"Scan for the {shown} page ({_WHAT[shown]}):"
        yield code
    else:
        yield "The code to scan does not fit this terminal: the dashboard has it, under Devices."
    # A demo's folder is gone with it, and no command knows where it is.
    more = "" if known.demo else " `meldwatch link ROLE` prints fresh links."
    yield f"Ctrl-C ends it.{more}"


def dashboard(known: Services) -> str:
    """Return a fresh link to the dashboard on this machine."""
    return link(known.links, known.hosts, Role.ORGANISER, known.hosts.here)


def terminal_code(address: str) -> str:
    """Return a QR code made of characters, two rows a line."""
    out = StringIO()
    segno.make(address, error="l").terminal(out, compact=True)
    return out.getvalue().rstrip("\n")


def _fits(code: str) -> bool:
    """Whether standard output has the characters of a code, and a terminal the room."""
    try:
        code.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    width = len(code.partition("\n")[0])
    return not sys.stdout.isatty() or width <= shutil.get_terminal_size().columns


def open_browser(address: str) -> bool:
    """Open a browser window, where there is a screen for one; tell whether it was tried."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False  # a browser in text would take the terminal over
    return webbrowser.open(address)
