"""The table as it is now: events, snapshot, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Response, abort, jsonify, request

from referee.phrases import say
from web.site.areas import Area, services, session
from web.site.crops import cut, tile_crop
from web.site.guard import client
from web.site.roles import Role
from web.site.streams import busy, follow
from web.site.texts import ENGLISH

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Area("live")


@area.page("/events", Role.SPECTATOR)
def events() -> ResponseReturnValue:
    """Send the whole state at once and after every change; `?lang=` says in which language."""
    known, held = services(), session()
    wanted = request.args.get("lang", ENGLISH)
    language = wanted if wanted in known.texts.languages else ENGLISH
    slot = known.streams.open(held, client())
    if slot is None:
        return Response(busy(), mimetype="text/event-stream")
    slot.language = language
    stream = follow(known.table, slot, known.writer, lambda: known.links.alive(held))
    answer = Response(stream, mimetype="text/event-stream")
    # Not left to the generator: one that was never begun runs no `finally`.
    answer.call_on_close(lambda: known.streams.leave(slot))
    return answer


@area.page("/snapshot.json", Role.SPECTATOR)
def snapshot() -> ResponseReturnValue:
    """Return the whole state."""
    return jsonify(services().table.snapshot())


@area.page("/picture.jpg", Role.SPECTATOR)
def picture() -> ResponseReturnValue:
    """Return the newest picture."""
    known = services()
    return _jpeg(known.pictures.newest(known.table))


@area.page("/evidence/<int:evidence_id>.jpg", Role.SPECTATOR)
def evidence(evidence_id: int) -> ResponseReturnValue:
    """Return the picture that was kept with a record."""
    answer = _jpeg(services().archive.evidence(evidence_id))
    answer.headers["Cache-Control"] = "private, max-age=3600"
    return answer


@area.page("/tile-picture", Role.SPECTATOR)
def tile_picture() -> ResponseReturnValue:
    """Return one tile, upright, as it is seen best: `?id=` is its number in the snapshot."""
    known = services()
    tile = request.args.get("id", type=int)
    aside = None if tile is None else known.table.tile_aside(tile)
    if aside is not None:
        return _jpeg(cut(*aside))
    jpeg = known.pictures.newest(known.table)
    return _jpeg(None if jpeg is None else tile_crop(jpeg, known.table.snapshot(), tile))


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        abort(
            404,
            say(
                "error.no_picture",
                "There is no such picture yet. Check that the camera runs, and try again.",
            ),
        )
    return Response(data, mimetype="image/jpeg")
