from __future__ import annotations

import http.client
import logging
import socket
import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from web.site.app import create_app
from web.site.preview import canned_services
from web.site.roles import Role
from web.site.server import Door, Site
from web.site.tls import TlsAdapter, Vouched, tls_context

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a certificate for this machine that is its own authority, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Meldwatch test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@pytest.fixture
def served(pem: Path) -> Iterator[tuple[int, str]]:
    """Serve https; give the port and a camera's link."""
    known = canned_services()
    context = tls_context(pem, pem)
    door = Door("127.0.0.1", 0, TlsAdapter(lambda: context))
    with Site(create_app(known), known.streams, (door,)) as site:
        yield site.ports[0], f"/enter?token={known.links.token(Role.CAMERA)}"


def connect(port: int, pem: Path) -> http.client.HTTPSConnection:
    trust = ssl.create_default_context(cafile=str(pem))
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trust)


def test_pages_are_served_over_https(served: tuple[int, str], pem: Path) -> None:
    connection = connect(served[0], pem)
    connection.request("GET", served[1])
    answer = connection.getresponse()
    answer.read()
    cookie = str(answer.headers["Set-Cookie"])
    assert cookie.startswith(f"__Host-meldwatch-{served[0]}=")
    assert "Secure" in cookie
    headers = {
        "Cookie": cookie.partition(";")[0],
        "Origin": f"https://127.0.0.1:{served[0]}",
        "Content-Type": "image/jpeg",
    }
    connection.request("POST", "/camera/frame", b"no picture", headers)
    refused = connection.getresponse()
    assert refused.status == 422
    assert refused.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    connection.close()


def test_one_that_says_nothing_holds_up_nobody(served: tuple[int, str], pem: Path) -> None:
    with socket.create_connection(("127.0.0.1", served[0])):
        connection = connect(served[0], pem)
        connection.request("GET", "/healthz")
        assert connection.getresponse().status == 200
        connection.close()


def test_a_phone_that_does_not_trust_us_is_no_error(
    served: tuple[int, str], pem: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stranger = http.client.HTTPSConnection(
        "127.0.0.1", served[0], timeout=60, context=ssl.create_default_context()
    )
    with caplog.at_level(logging.WARNING), pytest.raises(ssl.SSLCertVerificationError):
        stranger.request("GET", "/healthz")
    stranger.close()
    connection = connect(served[0], pem)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    assert not caplog.records


def test_a_phone_trusts_an_address_that_came_later(tmp_path: Path) -> None:
    known, names = canned_services(), {"localhost"}
    vouched = Vouched(tmp_path, lambda: frozenset(names))
    trust = ssl.create_default_context(cadata=vouched.ca_der)

    def greet(port: int, name: str) -> None:
        with socket.create_connection(("127.0.0.1", port), 60) as door:
            trust.wrap_socket(door, server_hostname=name).close()

    door = Door("127.0.0.1", 0, TlsAdapter(vouched))
    with Site(create_app(known), known.streams, (door,)) as site:
        with pytest.raises(ssl.SSLCertVerificationError):
            greet(site.ports[0], "10.0.0.4")
        names.symmetric_difference_update({"localhost", "10.0.0.4"})
        greet(site.ports[0], "10.0.0.4")
        greet(site.ports[0], "localhost")
