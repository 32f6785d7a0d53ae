"""Who may do what, the links that make somebody it, and the cookie that remembers it."""

from __future__ import annotations

import json
import secrets
import threading
import time
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from itsdangerous import BadSignature, URLSafeSerializer

from referee.phrases import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from web.site.borders import Settings

_USED: Final = "used_links"
_HOUR_S: Final = 3600


class Role(StrEnum):
    """What somebody is allowed to do."""

    ORGANISER = "organiser"
    """Everything."""
    CAMERA = "camera"
    """Send pictures, and nothing else."""
    SPECTATOR = "spectator"
    """Look, and nothing else."""


class LinkError(Exception):
    """A link that lets nobody in; the message says why and what to do."""


class ExpiredLinkError(LinkError):
    """A link that was right once: too old by now, or used already."""


@dataclass(frozen=True, slots=True)
class Session:
    """What one device may do, and until when.

    Attributes
    ----------
    device
        A random name, the same for as long as the cookie lives.
    expires_s
        By the clock of sessions, seconds since 1970.
    """

    device: str
    roles: frozenset[Role]
    expires_s: int

    def may(self, roles: frozenset[Role]) -> bool:
        """Tell whether one of these roles is among its own; an organiser has them all."""
        return Role.ORGANISER in self.roles or bool(self.roles & roles)


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """How long links and cookies are good for, in hours."""

    organiser_link_h: float = 1.0
    link_h: float = 12.0
    session_h: float = 24.0


class Links:
    """Makes links and cookies, and tells whether one is ours and still good.

    A link for an organiser lets one device in: it is remembered once used. The others let in
    every phone that scans them until they expire.

    Parameters
    ----------
    now
        The time of day, by which links expire.
    lasting
        The time by which sessions expire; `now` where none is given. With `steady` nobody loses
        a role in the middle of an evening because the clock was put right, or the machine slept.
    """

    def __init__(
        self,
        secret: bytes,
        settings: Settings,
        lifetimes: Lifetimes = Lifetimes(),
        now: Callable[[], float] = time.time,
        lasting: Callable[[], float] | None = None,
    ) -> None:
        how = {"digest_method": sha256}
        self._links = URLSafeSerializer(secret, salt="link", signer_kwargs=how)
        self._cookies = URLSafeSerializer(secret, salt="session", signer_kwargs=how)
        self._settings = settings
        self._lifetimes = lifetimes
        self._now = now
        self._lasting = lasting or now
        self._lock = threading.Lock()

    def token(self, role: Role) -> str:
        """Return a fresh link's token for `role`."""
        lifetimes = self._lifetimes
        hours = lifetimes.organiser_link_h if role is Role.ORGANISER else lifetimes.link_h
        return _text(
            self._links.dumps(
                {"r": role, "n": secrets.token_urlsafe(9), "e": _until(self._now, hours)}
            )
        )

    def enter(self, token: str, session: Session | None = None) -> tuple[Role, Session]:
        """Return a link's role, and the session it gives; roles held already are kept.

        Raises
        ------
        LinkError
            If the token is not ours, too old, or a used organiser's.
        """
        try:
            values: dict[str, Any] = self._links.loads(token)
        except BadSignature:
            text = say(
                "link.foreign",
                "This link is not one of this table's. Scan the code again, or ask the organiser "
                "for a new link.",
            )
            raise LinkError(text) from None
        role = Role(values["r"])
        if values["e"] < self._now():
            raise ExpiredLinkError(
                say("link.expired", "This link has expired. Ask the organiser for a new one.")
            )
        if role is Role.ORGANISER:
            self._use(values["n"], values["e"])
        held = session.roles if session else frozenset()
        device = session.device if session else secrets.token_urlsafe(9)
        until = _until(self._lasting, self._lifetimes.session_h)
        return role, Session(device, held | {role}, until)

    def cookie(self, session: Session) -> str:
        """Return the session as a signed cookie."""
        roles = sorted(session.roles)
        return _text(
            self._cookies.dumps({"d": session.device, "r": roles, "e": session.expires_s})
        )

    def session(self, cookie: str | None) -> Session | None:
        """Return the session of a cookie; None where it is not ours or too old."""
        try:
            values = self._cookies.loads(cookie or "")
        except BadSignature:
            return None
        if values["e"] < self._lasting():
            return None
        return Session(values["d"], frozenset(map(Role, values["r"])), values["e"])

    def alive(self, session: Session) -> bool:
        """Tell whether a session that was good once still is."""
        return self.left_s(session) >= 0

    def left_s(self, session: Session) -> int:
        """Return the seconds for which a session is still good; less than none if it is not."""
        return int(session.expires_s - self._lasting())

    def _use(self, nonce: str, expires_s: int) -> None:
        """Remember an organiser's link until it would have expired anyway."""
        with self._lock:
            used: dict[str, int] = json.loads(self._settings.get(_USED) or "{}")
            if nonce in used:
                raise ExpiredLinkError(
                    say(
                        "link.used",
                        "This link has been used already: an organiser's link lets one device in. "
                        "Ask the organiser for a new one, or run `meldwatch link organiser`.",
                    )
                )
            kept = {key: until for key, until in used.items() if until >= self._now()}
            self._settings.set(_USED, json.dumps({**kept, nonce: expires_s}))


def steady(
    wall: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic
) -> Callable[[], float]:
    """Return a clock that begins with the time of day, and that nobody can put forward or back.

    >>> of_day, running = iter([1000.0]), iter([5.0, 6.0, 8.0])
    >>> now = steady(lambda: next(of_day), lambda: next(running))
    >>> now(), now()
    (1001.0, 1003.0)
    """
    began_s = wall() - monotonic()
    return lambda: began_s + monotonic()


def _until(now: Callable[[], float], hours: float) -> int:
    return int(now() + hours * _HOUR_S)


def _text(made: str | bytes) -> str:
    return made if isinstance(made, str) else made.decode("ascii")
