"""The names and addresses that other devices know this machine by."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from web.site.hosts import Hosts

if TYPE_CHECKING:
    from web.settings_sections import Settings

_ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address that nobody has; what would be sent there leaves by the usual way out."""


def hosts_of(settings: Settings) -> Hosts:
    """Return what this machine is called, and where it listens."""
    pages = settings.pages
    own = socket.gethostname().lower()
    names = {"localhost", own, f"{own.partition('.')[0]}.local", *map(str.lower, pages.hosts)}
    return Hosts(frozenset(names), pages.port, pages.https_port, addresses)


def addresses() -> tuple[str, ...]:
    """Return this machine's addresses in its networks, the likeliest first."""
    found: list[str] = []
    # Suppressed: there is no way out.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(_ELSEWHERE)  # sends nothing
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):  # a name that nobody knows
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return tuple(dict.fromkeys(at for at in found if not at.startswith(("127.", "0."))))
