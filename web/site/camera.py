"""Pictures from phones."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import abort, jsonify, redirect, request

from referee.phrases import say
from vision.pictures import PictureError
from web.site.areas import Area, services, session
from web.site.errors import TooManyError, wants_json
from web.site.limits import Rate
from web.site.roles import Role
from web.site.uploads import decode_frame, decode_photo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.typing import ResponseReturnValue

    from vision.types import Pixels
    from web.site.uploads import UploadLimits

area = Area("camera")
_FORM_BYTES = 10_000
_PATIENCE_S = 3.0
"""How long a photo waits for the one before: a browser gives up the first of a double tap."""


@area.page("/camera/frame", Role.CAMERA, method="POST", rate=Rate.FRAME)
def frame() -> ResponseReturnValue:
    """Take a frame of a live picture; say when to send the next."""
    known = services()
    if request.mimetype != "image/jpeg":
        abort(415)
    request.max_content_length = known.uploads.frame_bytes
    with _one_at_a_time():
        pixels = decode_frame(request.get_data(cache=False), known.uploads)
        known.table.push_frame(pixels, known.phones.name(session().device))
    motion = known.phones.moved(session().device, pixels)
    wait_ms = known.uploads.motion_wait_ms if motion else known.uploads.still_wait_ms
    return jsonify(wait_ms=wait_ms, motion=motion)


@area.page("/camera/photo", Role.CAMERA, method="POST", rate=Rate.PHOTO)
def photo() -> ResponseReturnValue:
    """Take a photo from a form, and show the form again."""
    known = services()
    pixels = sent_photo(known.uploads)
    known.table.push_frame(pixels, known.phones.name(session().device), photo=True)
    if wants_json():
        return jsonify(ok=True)
    return redirect("/phone?sent=1", 303)


def sent_photo(limits: UploadLimits) -> Pixels:
    """Return the photo of a form as (h, w, 3) uint8 BGR pixels."""
    request.max_content_length = limits.photo_bytes + _FORM_BYTES
    with _one_at_a_time(_PATIENCE_S):
        sent = request.files.get("photo")
        if sent is None:
            raise PictureError(say("picture.none", "no photo was chosen; take one first"))
        return decode_photo(sent.stream.read(), limits)


@contextmanager
def _one_at_a_time(patience_s: float = 0.0) -> Iterator[None]:
    """Let one picture of a device through at a time, and of all devices a few."""
    gate, device = services().sending, session().device
    if not gate.enter(device, patience_s):
        raise TooManyError(1.0)
    try:
        yield
    finally:
        gate.leave(device)
