"""The names and addresses that the pages are reached by."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Hosts:
    """What this machine is called, and where phones reach it.

    Attributes
    ----------
    names
        The names that it answers to, in small letters.
    http_port, https_port
        Where it listens; 0 for not at all.
    addresses
        Tells the addresses in the local network, the likeliest first; they change when the
        network does.
    here
        What a browser on this machine reaches it by.
    """

    names: frozenset[str] = frozenset({"localhost"})
    http_port: int = 8765
    https_port: int = 0
    addresses: Callable[[], tuple[str, ...]] = field(default=lambda: ())
    here: str = "localhost"

    def known(self, host: str) -> bool:
        """Tell whether a `Host` header names this machine.

        A name that is not ours is refused: whoever owns it could let it point here, and read
        the pages with a visitor's browser. An address cannot be bent so.

        >>> hosts = Hosts(names=frozenset({"localhost", "box.local"}))
        >>> [hosts.known(host) for host in ("box.local:8765", "192.168.1.4", "[::1]:8765")]
        [True, True, True]
        >>> [hosts.known(host) for host in ("evil.example", "8.8.8.8", "")]
        [False, False, False]
        """
        name = host_name(host)
        if name in self.names:
            return True
        try:
            address = ip_address(name)
        except ValueError:
            return False
        near = address.is_private or address.is_loopback or address.is_link_local
        return near or name in self.addresses()

    def http(self, path: str = "", at: str = "") -> str:
        """Return a plain address of these pages for other devices."""
        return f"http://{_bracketed(at or self.best())}:{self.http_port}{path}"

    def https(self, path: str = "", at: str = "") -> str:
        """Return a secure address of these pages; empty where there is none."""
        if not self.https_port:
            return ""
        return f"https://{_bracketed(at or self.best())}:{self.https_port}{path}"

    def best(self) -> str:
        """Return the address that other devices most likely reach."""
        return next(iter(self.addresses()), self.here)

    def vouched(self) -> frozenset[str]:
        """Return all that the certificate has to name.

        >>> sorted(Hosts(addresses=lambda: ("10.0.0.4",)).vouched())
        ['10.0.0.4', '127.0.0.1', '::1', 'localhost']
        """
        return self.names | {*self.addresses(), self.here, "127.0.0.1", "::1"}


def host_name(host: str) -> str:
    """Return a `Host` header without its port, in small letters.

    >>> host_name("Box.local:80"), host_name("[fe80::1]:80"), host_name("10.0.0.1")
    ('box.local', 'fe80::1', '10.0.0.1')
    """
    if host.startswith("["):
        return plain_name(host.partition("]")[0])
    return plain_name(host.partition(":")[0])


def plain_name(name: str) -> str:
    """Return a name or address in the one way in which it is compared.

    >>> plain_name("[FD00::0007]"), plain_name("fe80::1%eth0"), plain_name("Box.lan.")
    ('fd00::7', 'fe80::1', 'box.lan')
    """
    bare = name.strip().strip("[]").rstrip(".").lower()
    try:
        return str(ip_address(bare.partition("%")[0]))
    except ValueError:
        return bare


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
