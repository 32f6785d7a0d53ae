"""Connections that hold up nobody else, and requests that are not read for nothing."""

from __future__ import annotations

import logging
import socket
import ssl
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from cheroot.server import HTTPConnection, HTTPRequest
from cheroot.wsgi import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

log: Final = logging.getLogger(__name__)
_MOST_LEFT_BYTES: Final = 100_000
_HEADER_BYTES: Final = 32_000
_BODY_BYTES: Final = 1_000_000_000
"""More than any route takes; each has a limit of its own."""
_LINGER_S: Final = 20.0
_LINGER_BYTES: Final = 200_000_000
_GULP_BYTES: Final = 1 << 16


class Crowd:
    """How many threads each network address keeps busy.

    One address, with however many connections, must leave threads for the others.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._busy: Counter[str] = Counter()
        self._lock = threading.Lock()

    @contextmanager
    def inside(self, address: str) -> Iterator[bool]:
        """Count one more thread while in the block; tell whether it may work."""
        with self._lock:
            self._busy[address] += 1
            few = self._busy[address] <= self._most
        try:
            yield few
        finally:
            with self._lock:
                self._busy[address] -= 1
                if not self._busy[address]:
                    del self._busy[address]


class Request(HTTPRequest):
    """A request whose body, where it is refused, is left unread.

    Cheroot would read all that is left of it, into memory, before it answers.
    """

    def send_headers(self) -> None:
        """Answer, and hang up where much of the request was not read."""
        if self.chunked_read or getattr(self.rfile, "remaining", 0) > _MOST_LEFT_BYTES:
            self.close_connection = True
            self.conn.lingers = True
        super().send_headers()


class Connection(HTTPConnection):
    """A connection that greets when it is first served, so that a silent one holds up nobody."""

    RequestHandlerClass = Request
    _greeted = False
    lingers = False
    """Whether much of a request was left unread."""

    def communicate(self) -> bool:
        """Serve one request; tell whether to stay connected."""
        crowd: Crowd = self.server.crowd
        with crowd.inside(str(self.remote_addr)) as few:
            if not few or not self._greet():
                return False
            stay = bool(super().communicate())  # type: ignore[no-untyped-call]
            if self.lingers:
                self._linger()
            # Cheroot would forget to close what is given back to it once it stops.
            return stay and not self.server.closing

    def _linger(self) -> None:
        """Let what is still being sent come in, for a while, and throw it away.

        Whoever hangs up on unread bytes resets the connection, and a browser would show that
        instead of the answer, which says what was wrong.
        """
        until_s, left = time.monotonic() + _LINGER_S, _LINGER_BYTES
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            while left > 0 and time.monotonic() < until_s and not self.server.closing:
                got = len(self.socket.recv(_GULP_BYTES))
                if not got:
                    return
                left -= got

    def _greet(self) -> bool:
        """Make the connection secure, once, where it is to be; tell whether that worked."""
        if not self._greeted and isinstance(self.socket, ssl.SSLSocket):
            try:
                self.socket.do_handshake()
            except OSError as error:
                # Such as a phone that does not trust us yet.
                log.info("no secure connection with %s: %s", self.remote_addr, error)
                return False
        self._greeted = True
        return True


class PageServer(Server):
    """Cheroot, with our connections, limits and log."""

    ConnectionClass = Connection
    max_request_header_size = _HEADER_BYTES
    max_request_body_size = _BODY_BYTES
    crowd = Crowd(most=10)
    closing = False
    expiration_interval = 0.1
    """Seconds after which it notices at the latest that it is to stop."""

    @staticmethod
    def bind_socket(socket_: socket.socket, bind_addr: tuple[str, int]) -> socket.socket:
        """Bind, or leave no socket behind."""
        try:
            socket_.bind(bind_addr)
        except OSError:
            socket_.close()
            raise
        return socket_

    def process_conn(self, conn: HTTPConnection) -> None:
        """Hand a connection to a thread; while closing, there may be none left to close it."""
        if self.closing:
            conn.close()
        else:
            super().process_conn(conn)

    def error_log(self, msg: str = "", level: int = logging.INFO, traceback: bool = False) -> None:
        """Write what the server has to say into the log."""
        log.log(level, msg, exc_info=traceback)
