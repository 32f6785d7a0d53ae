"""What the organiser does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import abort, jsonify, redirect, request

from referee.phrases import say
from web.site.areas import Area, services
from web.site.camera import sent_photo
from web.site.errors import wants_json
from web.site.limits import Rate
from web.site.roles import Role

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Area("commands")
_PIXELS: Final = "pixels"
"""The one value that is no JSON: it comes from a photo only."""
_MARK_CHARACTERS: Final = 40


@area.page("/api/commands/<name>", Role.ORGANISER, method="POST", rate=Rate.COMMAND)
def command(name: str) -> ResponseReturnValue:
    """Do one thing; its values are the JSON object of the body."""
    values = request.get_json(silent=True)
    if not isinstance(values, dict):
        abort(
            400,
            say(
                "error.values",
                "The values of a command are sent as a JSON object. Reload the page.",
            ),
        )
    if _PIXELS in values:
        abort(400, say("error.pixels", "A picture is sent as a photo. Reload the page."))
    services().table.command(name, values)
    return jsonify(ok=True)


@area.page("/leftovers", Role.ORGANISER, method="POST", rate=Rate.PHOTO)
def leftovers() -> ResponseReturnValue:
    """Read what is left on a player's rack from a photo.

    A page may mark its photo: what is read of it is shown with the mark, so that the page knows
    of which picture the tiles' places tell.
    """
    known = services()
    pixels = sent_photo(known.uploads)
    player, mark = (request.form.get(key, "") for key in ("player", "mark"))
    values = {"player": player, "mark": mark[:_MARK_CHARACTERS], _PIXELS: pixels}
    known.table.command("read_leftovers", values)
    return jsonify(ok=True) if wants_json() else redirect("/", 303)
