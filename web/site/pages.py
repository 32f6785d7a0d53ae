"""The pages that people look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, abort, jsonify, redirect, render_template, request

from referee.phrases import say
from web.site.areas import Area, may, services
from web.site.hosts import host_name
from web.site.language import language
from web.site.roles import Role
from web.site.rules import rules_told

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Area("pages")


@area.page("/")
def index() -> ResponseReturnValue:
    """Show the organiser's dashboard, and everybody else where they belong."""
    if may(Role.ORGANISER):
        return render_template("index.html")
    if may(Role.SPECTATOR):
        return redirect("/watch")
    if not may(Role.CAMERA):
        abort(403)
    return redirect("/phone")


@area.page("/watch", Role.SPECTATOR)
def watch() -> ResponseReturnValue:
    """Show the table to those who only look."""
    return render_template("watch.html")


@area.page("/phone", Role.CAMERA)
def phone() -> ResponseReturnValue:
    """Show a phone its camera page: live over https, else a form for photos."""
    return _for_phones("phone.html")


@area.page("/phone/setup", Role.CAMERA)
def phone_setup() -> ResponseReturnValue:
    """Tell how a phone comes to trust this table's certificate."""
    return _for_phones("phone_setup.html")


@area.page("/phone/ca.crt", Role.CAMERA)
def certificate() -> ResponseReturnValue:
    """Return the certificate that a phone has to trust for the secure page."""
    data = services().authority()
    if data is None:
        abort(
            404,
            say(
                "error.no_https",
                "There is no secure page here: start `meldwatch serve` with an https port.",
            ),
        )
    kind = {"Content-Disposition": "attachment; filename=meldwatch.crt"}
    return Response(data, mimetype="application/x-x509-ca-cert", headers=kind)


@area.page("/matches", Role.SPECTATOR)
def matches() -> ResponseReturnValue:
    """List what was played."""
    return render_template("matches.html", matches=services().archive.matches())


@area.page("/matches/<int:match_id>", Role.SPECTATOR)
def match(match_id: int) -> ResponseReturnValue:
    """Show a match and its scores."""
    found = services().archive.match(match_id)
    if found is None:
        abort(404)
    return render_template("match.html", match=services().tongues.told(found, language()))


@area.page("/matches/<int:match_id>/history.json", Role.SPECTATOR)
def match_history(match_id: int) -> ResponseReturnValue:
    """Return all events of a match, of which the state of the table has the newest only."""
    found = services().archive.match(match_id)
    if found is None:
        abort(404)
    return jsonify(services().tongues.told(found["history"], language()))


@area.page("/rules.json", Role.SPECTATOR)
def rules() -> ResponseReturnValue:
    """Return every ruleset, and what its parameters mean."""
    known = services()
    return jsonify(rules_told(known.rule_texts, language(), known.house))


@area.page("/healthz")
def healthz() -> ResponseReturnValue:
    """Tell a watchdog that the server answers."""
    return jsonify(ok=True)


def _for_phones(template: str) -> str:
    link, demo = _secure_link(), services().demo
    return render_template(template, secure=request.is_secure, secure_link=link, demo=demo)


def _secure_link() -> str:
    """Return where a phone goes on live: cookies do not follow it from http to https."""
    known = services()
    path = f"/enter?token={known.links.token(Role.CAMERA)}"
    return known.hosts.https(path, at=host_name(request.host))
