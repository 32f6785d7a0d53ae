"""The names and addresses that other devices know this machine by."""

from __future__ import annotations

import errno
import math
import socket
import threading
import time
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from web.site.hosts import Hosts, plain_name

if TYPE_CHECKING:
    from web.settings_sections import Settings

_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has; what would be sent there leaves by the usual way out."""
_DISCARD: Final = 9
_PATIENCE_S: Final = 1.0
_FRESH_S: Final = 30.0
_HERE: Final = "localhost"


def hosts_of(settings: Settings) -> Hosts:
    """Return what this machine is called, and where it listens."""
    pages = settings.pages
    own = socket.gethostname().lower()
    own_names = filter(_is_name, (own, f"{own.partition('.')[0]}.local"))
    names = {_HERE, *own_names, *map(plain_name, pages.hosts)}
    host = plain_name(pages.host)
    if _is_any(host):
        found = Addresses(ipv6=host == "::")
        return Hosts(frozenset(names), pages.port, pages.https_port, found, _HERE)
    alone = partial(tuple, () if _is_loopback(host) else (host,))
    return Hosts(frozenset(names | {host}), pages.port, pages.https_port, alone, host)


class Addresses:
    """Tells this machine's addresses in its networks, the likeliest first.

    The usual way out is known at once. What the machine's name stands for is asked in the
    background, now and then, and waited for only at first, for a moment: where no resolver
    answers, as in a house without internet, asking takes ten seconds.
    """

    def __init__(self, *, ipv6: bool = False) -> None:
        self._families = (socket.AF_INET, socket.AF_INET6) if ipv6 else (socket.AF_INET,)
        self._by_name: dict[socket.AddressFamily, list[str]] = {}
        self._lock = threading.Lock()
        self._next_s = self._until_s = -math.inf
        self._told = threading.Event()

    def __call__(self) -> tuple[str, ...]:
        """Return them as they are known by now."""
        self._ask_now_and_then()
        self._told.wait(max(0.0, self._until_s - time.monotonic()))
        found = [
            plain_name(at)
            for family in self._families
            for at in [*_way_out(family), *self._by_name.get(family, ())]
        ]
        return tuple(dict.fromkeys(at for at in found if _is_reached(at)))

    def _ask_now_and_then(self) -> None:
        now_s = time.monotonic()
        with self._lock:
            if now_s < self._next_s:
                return
            self._next_s = math.inf  # not while it is being asked
            self._until_s = now_s if self._told.is_set() else now_s + _PATIENCE_S
        threading.Thread(target=self._ask, name="own-name", daemon=True).start()

    def _ask(self) -> None:
        self._by_name = {family: _known_by_name(family) for family in self._families}
        self._next_s = time.monotonic() + _FRESH_S
        self._told.set()


def listener(host: str) -> socket.socket:
    """Return a socket that can be bound to an address of this machine, as a server would be."""
    door = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if host == "::":
        # All addresses, of both kinds.
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    return door


def how_to_listen(error: OSError) -> str:
    """Say what to do where a port could not be listened at.

    >>> how_to_listen(PermissionError())
    'choose a port from 1024 on with --port and --https-port'
    """
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        return "give an address of this machine with --host, or 0.0.0.0 for all of them"
    if isinstance(error, PermissionError):
        return "choose a port from 1024 on with --port and --https-port"
    return "stop the other program, or choose another port with --port and --https-port"


def _way_out(family: socket.AddressFamily) -> list[str]:
    # Suppressed: there is no way out, or no such network.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_ELSEWHERE[family], _DISCARD))  # sends nothing
        return [str(probe.getsockname()[0])]
    return []


def _known_by_name(family: socket.AddressFamily) -> list[str]:
    # Suppressed: a name that nobody knows, or that is too long to be one.
    with suppress(OSError, UnicodeError):
        known = socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_DGRAM)
        return [str(one[4][0]) for one in known]
    return []


def _is_name(text: str) -> bool:
    """Whether links and certificates can name it.

    >>> [_is_name(text) for text in ("box.local", "", ".local", "x" * 64)]
    [True, False, False, False]
    """
    try:
        return text.encode("idna") != b""
    except UnicodeError:
        return False


def _is_reached(text: str) -> bool:
    """Whether links can name it; a link-local IPv6 address means nothing without its network."""
    at = ip_address(text)
    local = isinstance(at, IPv6Address) and at.is_link_local
    return not (at.is_loopback or at.is_unspecified or local or text.startswith("0."))


def _is_any(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == _HERE or ip_address(host).is_loopback
    except ValueError:
        return False
