"""Https."""

from __future__ import annotations

import ssl
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from cheroot.makefile import StreamReader, StreamWriter
from cheroot.ssl import Adapter

from web.certificates import CertificateError, ensure_certificate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from socket import socket


def tls_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return what proves that this is the server that phones were told of."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    return context


class Vouched:
    """Gives what https is served with, made anew as soon as this machine has another address.

    Parameters
    ----------
    names
        Tells all that the certificate has to name.

    Raises
    ------
    CertificateError
        If it cannot be kept to begin with.
    """

    def __init__(self, folder: Path, names: Callable[[], frozenset[str]]) -> None:
        self._folder = folder
        self._names = names
        self._named = names()
        self._make()

    def _make(self) -> None:
        made = ensure_certificate(self._folder, self._named)
        self.ca_der = made.ca_der
        self._context = tls_context(made.cert_path, made.key_path)

    def __call__(self) -> ssl.SSLContext:
        """Return it as it is needed now."""
        names = self._names()
        if not names <= self._named:
            self._named |= names
            with suppress(CertificateError):  # the one there is still serves the other addresses
                self._make()
        return self._context


class TlsAdapter(Adapter):
    """Makes connections secure, and leaves the greeting to the thread that serves each."""

    def __init__(self, context: Callable[[], ssl.SSLContext]) -> None:
        self.context = context

    def bind(self, sock: socket) -> socket:
        """Listen as it is."""
        return sock

    def wrap(self, sock: socket) -> tuple[ssl.SSLSocket, dict[str, str]]:
        """Return the connection, not greeted yet, and what requests over it carry."""
        secure = self.context().wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return secure, self.get_environ()

    def get_environ(self) -> dict[str, str]:
        """Return what requests carry: the same for all, as clients show no certificates."""
        return {"wsgi.url_scheme": "https", "HTTPS": "on"}

    def makefile(self, sock: socket, mode: str = "r", bufsize: int = -1) -> Any:  # noqa: ANN401 - cheroot's own kinds
        """Return a file over the connection."""
        return (StreamReader if "r" in mode else StreamWriter)(sock, mode, bufsize)
