"""What the organiser does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, jsonify, request

from web.site.areas import Area, services
from web.site.limits import Rate
from web.site.roles import Role

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Area("commands")


@area.page("/api/commands/<name>", Role.ORGANISER, method="POST", rate=Rate.COMMAND)
def command(name: str) -> ResponseReturnValue:
    """Do one thing; its values are the JSON object of the body."""
    values = request.get_json(silent=True)
    if not isinstance(values, dict):
        abort(400, "The values of a command are sent as a JSON object. Reload the page.")
    services().table.command(name, values)
    return jsonify(ok=True)
