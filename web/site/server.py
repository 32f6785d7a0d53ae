"""Serve the pages over http and https until told to stop."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from web.site.connections import Crowd, PageServer
from web.site.network import how_to_listen

if TYPE_CHECKING:
    from cheroot.ssl import Adapter
    from flask import Flask

    from web.site.streams import StreamLimits, Streams

_REQUEST_THREADS: Final = 12
_BACKLOG: Final = 64
_QUIET_S: Final = 10
_SHUTDOWN_S: Final = 3


class ServeError(Exception):
    """The pages cannot be served; the message says why and what to do."""

    @classmethod
    def at(cls, host: str, port: int, error: OSError) -> ServeError:
        """Return what to raise where a port could not be listened at."""
        return cls(
            f"cannot listen at {host} port {port}: {error.strerror or error}; "
            f"{how_to_listen(error)}"
        )


@dataclass(frozen=True, slots=True)
class Door:
    """Where to listen.

    Attributes
    ----------
    host
        The address of this machine to listen at; `0.0.0.0` for all.
    port
        0 for any that is free.
    tls
        What makes it https.
    """

    host: str
    port: int
    tls: Adapter | None = None


class Site:
    """The application behind its doors, each with threads of its own.

    An open event stream holds a thread until it ends, so there are as many as there may be
    streams, and some for the requests in between.
    """

    def __init__(self, app: Flask, streams: Streams, doors: tuple[Door, ...]) -> None:
        self._streams = streams
        self._doors = doors
        self._servers = [_server(app, door, streams.limits) for door in doors]
        self._threads: list[threading.Thread] = []

    @property
    def ports(self) -> tuple[int, ...]:
        """Where it listens, door by door; known once it has started."""
        return tuple(int(server.bind_addr[1]) for server in self._servers)

    def start(self) -> None:
        """Listen at all doors.

        Raises
        ------
        ServeError
            If a port is taken, or may not be used.
        """
        for server, door in zip(self._servers, self._doors, strict=True):
            try:
                server.prepare()
            except OSError as error:
                self.close()
                raise ServeError.at(door.host, door.port, error) from error
            name = f"serve-{server.bind_addr[1]}"
            thread = threading.Thread(target=server.serve, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def close(self) -> None:
        """End the streams, finish what is being answered, and stop listening."""
        for server in self._servers:
            server.closing = True
        self._streams.close()
        for server in self._servers:
            server.stop()
        for thread in self._threads:
            thread.join(_SHUTDOWN_S)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _server(app: Flask, door: Door, limits: StreamLimits) -> PageServer:
    server = PageServer(
        (door.host, door.port),
        app,
        numthreads=limits.threads + _REQUEST_THREADS,
        request_queue_size=_BACKLOG,
        timeout=_QUIET_S,
        shutdown_timeout=_SHUTDOWN_S,
        server_name="meldwatch",
    )
    server.ssl_adapter = door.tls
    server.crowd = Crowd(limits.per_address + limits.organisers + _REQUEST_THREADS // 2)
    return server
