from __future__ import annotations

import errno
import os
import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID

from web.certificates import CertificateError, ensure_certificate

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("127.0.0.1", "table.local", "fd00::7")
NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("name", NAMES)
def test_who_trusts_the_authority_trusts_the_pages(tmp_path: Path, name: str) -> None:
    made = ensure_certificate(tmp_path, NAMES)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(made.cert_path, made.key_path)
    client = ssl.create_default_context(cadata=made.ca_der)
    here, there = socket.socketpair()

    def serve() -> None:
        with server.wrap_socket(there, server_side=True) as secure:
            secure.recv(1)

    thread = threading.Thread(target=serve)
    thread.start()
    with client.wrap_socket(here, server_hostname=name) as secure:
        assert secure.getpeercert()
        secure.send(b".")
    thread.join()


def test_it_lasts_as_long_as_phones_take_and_is_for_servers(tmp_path: Path) -> None:
    made = ensure_certificate(tmp_path, NAMES, NOW)
    leaf = x509.load_pem_x509_certificate(made.cert_path.read_bytes())
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc <= timedelta(days=825)
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    ensure_certificate(tmp_path / "tls", NAMES)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "tls").iterdir()} == {0o600}


def test_it_is_made_once_and_renewed_in_time_or_for_new_names(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, NAMES, NOW)
    leaf = first.cert_path.read_bytes()
    again = ensure_certificate(tmp_path, NAMES[::-1], NOW + timedelta(days=700))
    assert (again.cert_path.read_bytes(), again.ca_der) == (leaf, first.ca_der)
    late = ensure_certificate(tmp_path, NAMES, NOW + timedelta(days=800))
    assert late.cert_path.read_bytes() != leaf
    assert late.ca_der == first.ca_der
    moved = ensure_certificate(tmp_path, ("10.0.0.7",), NOW)
    assert x509.load_pem_x509_certificate(
        moved.cert_path.read_bytes()
    ).extensions.get_extension_for_class(x509.SubjectAlternativeName)


def test_one_that_was_made_while_the_clock_was_wrong_is_made_anew(tmp_path: Path) -> None:
    for years in (-50, 14):
        wrong = ensure_certificate(tmp_path, NAMES, NOW + timedelta(days=365 * years))
        right = ensure_certificate(tmp_path, NAMES, NOW)
        assert right.ca_der != wrong.ca_der


def test_a_name_may_be_written_in_many_ways(tmp_path: Path) -> None:
    first = ensure_certificate(tmp_path, ("fd00::7", "xn--kche-0ra.lan"), NOW)
    leaf = first.cert_path.read_bytes()
    again = ensure_certificate(tmp_path, ("[FD00:0::07]", "Küche.lan."), NOW)
    assert again.cert_path.read_bytes() == leaf
    with pytest.raises(CertificateError, match="is no host name"):
        ensure_certificate(tmp_path, ("a..b",), NOW)


def test_a_damaged_one_is_made_anew(tmp_path: Path) -> None:
    ensure_certificate(tmp_path, NAMES).cert_path.write_bytes(b"?")
    assert ensure_certificate(tmp_path, NAMES).cert_path.read_bytes().startswith(b"-----BEGIN")


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError, match="choose another folder"):
        ensure_certificate(tmp_path / "file", NAMES)


def test_a_full_disk_is_told_and_nothing_half_done_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_draft: Path, _path: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(CertificateError, match="No space left on device"):
        ensure_certificate(tmp_path, NAMES)
    assert list(tmp_path.iterdir()) == []
