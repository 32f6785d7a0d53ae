"""Links in, as text and as QR codes."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

import segno
from flask import Response, abort, current_app, g, jsonify, redirect, request

from web.site.areas import Area, services
from web.site.guard import set_cookie
from web.site.limits import Rate
from web.site.roles import Role

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.site.hosts import Hosts
    from web.site.roles import Links

area = Area("entry")
START: Final = {Role.ORGANISER: "/", Role.CAMERA: "/phone", Role.SPECTATOR: "/watch"}
"""Where each role's link leads."""


@area.page("/enter", rate=Rate.ENTER)
def enter() -> ResponseReturnValue:
    """Let a device in by its link, and send it to its page."""
    purpose = request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
    if request.method != "GET" or "prefetch" in purpose:
        abort(503)  # looking ahead must not use up a link
    known = services()
    role, session = known.links.enter(request.args.get("token", ""), g.session)
    return set_cookie(current_app.make_response(redirect(START[role])), session)


@area.page("/qr/<role>.svg", Role.ORGANISER)
def qr(role: str) -> ResponseReturnValue:
    """Return a QR code with a fresh link."""
    if role not in list(Role):
        abort(404)
    out = BytesIO()
    code = segno.make(_fresh(Role(role)), error="m")
    code.save(out, kind="svg", xmldecl=False, svgclass=None, lineclass=None, border=3, scale=8)
    return Response(out.getvalue(), mimetype="image/svg+xml")


@area.page("/links.json", Role.ORGANISER)
def links() -> ResponseReturnValue:
    """Return a fresh link for every role that many devices may share."""
    return jsonify({role: _fresh(role) for role in (Role.CAMERA, Role.SPECTATOR)})


def _fresh(role: Role) -> str:
    return link(services().links, services().hosts, role)


def link(links: Links, hosts: Hosts, role: Role, at: str = "") -> str:
    """Return a fresh link for other devices; `at` names this machine otherwise than they do."""
    return hosts.http(f"/enter?token={links.token(role)}", at)
