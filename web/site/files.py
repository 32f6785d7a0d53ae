"""Matches out and in, and reports of bad readings."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from flask import Response, abort, jsonify, redirect, request, send_file

from referee.phrases import say
from web.site.areas import Area, services
from web.site.errors import wants_json
from web.site.limits import Rate
from web.site.roles import Role
from web.site.spool import open_answer

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

area = Area("files")
_FORM_BYTES: Final = 10_000
_NOTE_CHARACTERS: Final = 2000


@area.page("/export/<int:match_id>.zip", Role.ORGANISER, rate=Rate.FILE)
def export_zip(match_id: int) -> ResponseReturnValue:
    """Return everything that is known of a match."""
    _must_exist(match_id)
    file = open_answer()  # Flask closes it once it is sent.
    services().archive.export_zip(match_id, file)
    file.seek(0)
    return send_file(
        file,
        mimetype="application/zip",
        as_attachment=True,
        download_name=f"meldwatch-match-{match_id}.zip",
    )


@area.page("/export/<int:match_id>.csv", Role.ORGANISER, rate=Rate.FILE)
def export_csv(match_id: int) -> ResponseReturnValue:
    """Return the scores of a match, a line a round."""
    _must_exist(match_id)
    name = f"meldwatch-match-{match_id}.csv"
    return Response(
        services().archive.scores_csv(match_id),
        mimetype="text/csv",
        headers={"Content-Disposition": f"attachment; filename={name}"},
    )


@area.page("/import", Role.ORGANISER, method="POST", rate=Rate.FILE)
def import_zip() -> ResponseReturnValue:
    """Take in an exported match, and show it."""
    known = services()
    request.max_content_length = known.uploads.import_bytes + _FORM_BYTES
    sent = request.files.get("file")
    if sent is None:
        abort(
            400,
            say("error.no_file", "No file was chosen. Choose the ZIP file that an export gave."),
        )
    match_id = known.archive.import_zip(cast("BinaryIO", sent.stream))
    if wants_json():
        return jsonify(ok=True, id=match_id)
    return redirect(f"/matches/{match_id}", 303)


@area.page("/report", Role.ORGANISER, method="POST", rate=Rate.FILE)
def report() -> ResponseReturnValue:
    """Return the picture, what was read in it and a note as a ZIP file to send in."""
    table = services().table
    note = str(request.form.get("note", ""))[:_NOTE_CHARACTERS]
    data = _report(table.snapshot(), table.picture_jpeg(), note)
    return send_file(
        BytesIO(data),
        mimetype="application/zip",
        as_attachment=True,
        download_name="meldwatch-report.zip",
    )


def _report(snapshot: dict[str, Any], jpeg: bytes | None, note: str) -> bytes:
    """Put into a file what tells why a reading was bad, and nothing about the players."""
    told = {key: snapshot[key] for key in ("version", "phase", "message", "picture", "tiles")}
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("note.txt", note)
        told |= {key: snapshot[key] for key in ("corrections", "parts")}
        archive.writestr("reading.json", json.dumps(told, indent=1))
        if jpeg is not None:
            archive.writestr("picture.jpg", jpeg)
    return out.getvalue()


def _must_exist(match_id: int) -> None:
    if services().archive.match(match_id) is None:
        abort(404)
