"""Https."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

from cheroot.makefile import StreamReader, StreamWriter
from cheroot.ssl import Adapter

if TYPE_CHECKING:
    from pathlib import Path
    from socket import socket


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return what proves that this is the server that phones were told of."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    return context


class TlsAdapter(Adapter):
    """Makes connections secure, and leaves the greeting to the thread that serves each."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.context = context

    def bind(self, sock: socket) -> socket:
        """Listen as it is."""
        return sock

    def wrap(self, sock: socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return the connection, not greeted yet, and what requests over it carry."""
        secure = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return secure, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return what requests carry: the same for all, as clients show no certificates."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: socket, mode: str = "r", bufsize: int = -1) -> Any:  # noqa: ANN401 - cheroot's own kinds
        """Return a file over the connection."""
        return (StreamReader if "r" in mode else StreamWriter)(sock, mode, bufsize)
