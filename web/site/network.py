"""The names and addresses that other devices know this machine by."""

from __future__ import annotations

import errno
import socket
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
_HERE: Final = "localhost"


def hosts_of(settings: Settings) -> Hosts:
    """Return what this machine is called, and where it listens."""
    pages = settings.pages
    own = socket.gethostname().lower()
    more = map(plain_name, pages.hosts)
    names = {_HERE, own, f"{own.partition('.')[0]}.local", *more}
    host = plain_name(pages.host)
    here, found = _HERE, partial(addresses, ipv6=host == "::")
    if host != _HERE and not _is_any(host):
        here, found = host, partial(tuple, () if _is_loopback(host) else (host,))
    return Hosts(frozenset(names | {here}), pages.port, pages.https_port, found, here)


def addresses(*, ipv6: bool = False) -> tuple[str, ...]:
    """Return this machine's addresses in its networks, the likeliest first."""
    families = (socket.AF_INET, socket.AF_INET6) if ipv6 else (socket.AF_INET,)
    found = [at for family in families for at in _addresses(family)]
    return tuple(dict.fromkeys(at for at in found if _is_reached(at)))


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


def _addresses(family: socket.AddressFamily) -> list[str]:
    found: list[str] = []
    # Suppressed: there is no way out, or no such network.
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((_ELSEWHERE[family], _DISCARD))  # sends nothing
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):  # a name that nobody knows
        known = socket.getaddrinfo(socket.gethostname(), None, family, socket.SOCK_DGRAM)
        found += [str(one[4][0]) for one in known]
    return [plain_name(at) for at in found]


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
        return ip_address(host).is_loopback
    except ValueError:
        return False
