"""A certificate authority of this machine's own, and the certificate that https pages show."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from vision.whole_files import OWNER_ONLY, write_whole
from web.site.hosts import plain_name

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_BITS: Final = 2048
_CA_DAYS: Final = 3650
# Apple's devices refuse more than 825 days.
_LEAF_DAYS: Final = 820
_RENEW: Final = timedelta(days=30)
# A clock of a phone may be a little behind.
_SLACK: Final = timedelta(days=1)


class CertificateError(Exception):
    """The certificate cannot be made or kept; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where the certificates are kept.

    Attributes
    ----------
    cert_path, key_path
        The chain that pages are served with, and its key.
    ca_der
        The authority's certificate as phones download it.
    """

    cert_path: Path
    key_path: Path
    ca_der: bytes


@dataclass(frozen=True, slots=True)
class _Issued:
    cert: x509.Certificate
    key: rsa.RSAPrivateKey


def ensure_certificate(
    folder: Path, names: Iterable[str], now: datetime | None = None
) -> Certificate:
    """Return the certificate for these names, made or renewed if need be.

    Parameters
    ----------
    folder
        Where it is kept; made if need be. Every file in it is for its owner only.
    names
        Host names, and addresses of either kind, with or without brackets.
    now
        The time with its zone; None for the clock's.

    Raises
    ------
    CertificateError
        If it cannot be read or written, or a name cannot be one.
    """
    now = now or datetime.now(UTC)
    wanted = frozenset(map(_plain, names))
    paths = [folder / name for name in ("ca.pem", "ca.key", "server.pem", "server.key")]
    ca_path, ca_key_path, cert_path, key_path = paths
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        authority = _load(ca_path, ca_key_path)
        leaf = _load(cert_path, key_path)
        if authority is None or not _lasts(authority.cert, now):
            authority, leaf = _make_authority(now), None
            _keep(authority, ca_path, ca_key_path)
        if leaf is None or not _serves(leaf.cert, authority.cert, wanted, now):
            leaf = _make_leaf(authority, wanted, now)
            _keep(leaf, cert_path, key_path, authority.cert)
    except OSError as error:
        raise CertificateError(
            f"cannot keep certificates in {folder}: {error.strerror or error}; "
            "choose another folder with --data"
        ) from error
    der = authority.cert.public_bytes(serialization.Encoding.DER)
    return Certificate(cert_path, key_path, der)


def _load(cert_path: Path, key_path: Path) -> _Issued | None:
    """Read a certificate with its key; None where there is none, or it is damaged."""
    try:
        cert = x509.load_pem_x509_certificate(cert_path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
    except (FileNotFoundError, ValueError, TypeError):
        return None
    if not isinstance(key, rsa.RSAPrivateKey) or key.public_key() != cert.public_key():
        return None
    return _Issued(cert, key)


def _serves(
    cert: x509.Certificate, authority: x509.Certificate, wanted: frozenset[str], now: datetime
) -> bool:
    """Whether the certificate is the authority's, names all that is wanted, and lasts."""
    found = cert.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    names = {str(name.value) for name in found}
    key_id = cert.extensions.get_extension_for_class(x509.AuthorityKeyIdentifier).value
    own_id = x509.SubjectKeyIdentifier.from_public_key(authority.public_key())
    return _lasts(cert, now) and names == wanted and key_id.key_identifier == own_id.digest


def _lasts(cert: x509.Certificate, now: datetime) -> bool:
    """Whether it holds already, unless the clock was ahead when it was made, and for a while."""
    return cert.not_valid_before_utc <= now and cert.not_valid_after_utc - now >= _RENEW


def _builder(
    subject: x509.Name, issuer: x509.Name, key: rsa.RSAPrivateKey, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _SLACK)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=not authority,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=authority,
        crl_sign=authority,
        encipher_only=False,
        decipher_only=False,
    )


def _make_authority(now: datetime) -> _Issued:
    key = rsa.generate_private_key(65537, _BITS)
    # A number of its own tells an old authority from a new one in a phone's list.
    name = _name(f"Meldwatch {secrets.token_hex(3)}")
    cert = (
        _builder(name, name, key, now, _CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(authority=True), critical=True)
        .sign(key, hashes.SHA256())
    )
    return _Issued(cert, key)


def _make_leaf(authority: _Issued, names: frozenset[str], now: datetime) -> _Issued:
    key = rsa.generate_private_key(65537, _BITS)
    issuer_id = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    cert = (
        _builder(_name("Meldwatch pages"), authority.cert.subject, key, now, _LEAF_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer_id, critical=False)
        .add_extension(
            x509.SubjectAlternativeName([_general(name) for name in sorted(names)]), critical=False
        )
        .sign(authority.key, hashes.SHA256())
    )
    return _Issued(cert, key)


def _plain(name: str) -> str:
    """Return a name as certificates have it: addresses in one way, letters in ASCII.

    >>> _plain("[FD00::0007]"), _plain("fe80::1%eth0"), _plain("Küche.lan")
    ('fd00::7', 'fe80::1', 'xn--kche-0ra.lan')
    """
    try:
        return plain_name(name).encode("idna").decode("ascii")
    except UnicodeError as error:
        raise CertificateError(f"{name!r} is no host name: mend it in --hosts") from error


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _keep(
    issued: _Issued, cert_path: Path, key_path: Path, issuer: x509.Certificate | None = None
) -> None:
    pem = serialization.Encoding.PEM
    secret = issued.key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    chain = issued.cert.public_bytes(pem) + (issuer.public_bytes(pem) if issuer else b"")
    write_whole(key_path, secret, OWNER_ONLY)
    write_whole(cert_path, chain, OWNER_ONLY)
