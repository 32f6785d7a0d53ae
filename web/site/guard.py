"""What every request passes before its view, and every answer on its way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import abort, current_app, g, request

from referee.phrases import say
from web.site.areas import access_of, may, services
from web.site.errors import TooManyError

if TYPE_CHECKING:
    from flask import Flask, Response

    from web.site.areas import Access
    from web.site.roles import Session

_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "media-src": "'self' blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS: Final = {
    "Content-Security-Policy": "; ".join(f"{what} {where}" for what, where in _POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`, with which browsers send no Origin with forms either.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), screen-wake-lock=(self), microphone=(), geolocation=()",
}
FOREIGN: Final = say(
    "error.foreign", "This came from another page than Meldwatch's own, and was not done."
)
_SECURE_HEADERS: Final = {"Cross-Origin-Opener-Policy": "same-origin"}


def install(app: Flask) -> None:
    """Put the guard before and behind all routes.

    Raises
    ------
    ValueError
        If a route does not say who may use it.
    """
    access = access_of(app)
    for rule in app.url_map.iter_rules():
        if rule.endpoint != "static" and rule.endpoint not in access:
            raise ValueError(f"{rule.rule} does not say who may use it; add it to an Area")
    app.before_request(lambda: _check(access))
    app.after_request(finish)


def cookie_name() -> str:
    """Name the cookie after the port: browsers share cookies between a machine's ports."""
    port = request.environ.get("SERVER_PORT", "")
    return f"__Host-meldwatch-{port}" if request.is_secure else f"meldwatch-{port}"


def set_cookie(answer: Response, session: Session) -> Response:
    """Let the browser remember a session."""
    answer.set_cookie(
        cookie_name(),
        services().links.cookie(session),
        # Not when, since the device's clock may be another.
        max_age=max(services().links.left_s(session), 0),
        path="/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    return answer


def client() -> str:
    """Return who asks: the network address, since a cookie could be left out."""
    return request.remote_addr or "nobody"


def _check(access: dict[str, Access]) -> None:
    """Refuse what is not for whoever asks; what has no route falls through to its error."""
    known = services()
    if not known.hosts.known(request.host):
        abort(421)
    if "Transfer-Encoding" in request.headers:
        abort(411)  # what says not how long it is could only be refused once it was read
    g.session = known.links.session(request.cookies.get(cookie_name()))
    if request.endpoint is None or request.endpoint == "static":
        return
    needed = access[request.endpoint]
    wait_s = known.limits.wait_s(client(), needed.rate)
    if wait_s:
        raise TooManyError(wait_s)
    if not may(*needed.roles):
        abort(403)
    if request.method not in {"GET", "HEAD"} and not same_origin():
        current_app.logger.warning("refused a request from %r", request.headers.get("Origin"))
        abort(403, FOREIGN)


def same_origin() -> bool:
    """Tell whether one of our own pages sent this; browsers say so, one way or both."""
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None and site != "same-origin":
        return False
    if origin is None:
        return site is not None
    return origin == f"{request.scheme}://{request.host}"


def finish(answer: Response) -> Response:
    """Put the headers on an answer that every answer carries."""
    answer.headers.update(HEADERS)
    if request.is_secure:
        answer.headers.update(_SECURE_HEADERS)
    if request.endpoint == "static":
        answer.headers["Cache-Control"] = "no-cache"
    else:
        answer.headers.setdefault("Cache-Control", "no-store")
    return answer
