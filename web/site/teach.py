"""Teach my set: photos in, what they show out, and which set the table is read by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from flask import Response, abort, jsonify, render_template, request

from referee.phrases import say
from web.site.areas import Area, services
from web.site.camera import sent_photo
from web.site.language import language
from web.site.limits import Rate
from web.site.roles import Role
from web.teaching.borders import LessonError

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.teaching.lessons import Lessons

area = Area("teach")
_Value = TypeVar("_Value")
_NO_PICTURE: Final = say(
    "teaching.no_picture",
    "The table's camera has given no picture yet. Check that it runs, or take a photo.",
)


@area.page("/teach", Role.ORGANISER)
def teach() -> ResponseReturnValue:
    """Show how to lay a set out, photograph and teach it."""
    _lessons()
    return render_template("teach.html")


@area.page("/teach.json", Role.ORGANISER)
def state() -> ResponseReturnValue:
    """Return the photos, what they show, what is being done, and the sets there are."""
    known = services()
    match = known.table.snapshot()["match"]
    playing = match is not None and match["phase"] == "playing"
    told = _lessons().state() | {"playing": playing}
    return jsonify(known.tongues.told(told, language()))


@area.page("/teach/<int:photo>.jpg", Role.ORGANISER)
def taken(photo: int) -> ResponseReturnValue:
    """Return a photo."""
    return _jpeg(_lessons().picture(photo))


@area.page("/teach/<int:photo>/tiles.jpg", Role.ORGANISER)
def tiles(photo: int) -> ResponseReturnValue:
    """Return all tiles of a photo, upright and side by side."""
    return _jpeg(_lessons().tiles(photo))


@area.page("/teach/photo", Role.ORGANISER, method="POST", rate=Rate.PHOTO)
def photograph() -> ResponseReturnValue:
    """Take a photo in from a form, and look it over."""
    _lessons().add(sent_photo(services().uploads))
    return state()


@area.page("/teach/camera", Role.ORGANISER, method="POST", rate=Rate.PHOTO)
def from_camera() -> ResponseReturnValue:
    """Take the newest picture of the table in, and look it over."""
    pixels = services().table.picture_pixels()
    if pixels is None:
        raise LessonError(_NO_PICTURE)
    _lessons().add(pixels)
    return state()


@area.page("/api/teach/remove", Role.ORGANISER, method="POST", rate=Rate.COMMAND)
def remove() -> ResponseReturnValue:
    """Forget a photo."""
    _lessons().remove(_sent("photo", int, 0))
    return state()


@area.page("/api/teach/start", Role.ORGANISER, method="POST", rate=Rate.COMMAND)
def start() -> ResponseReturnValue:
    """Begin to teach a set under a name."""
    left_out = {
        int(photo): [place for place in places if isinstance(place, int)]
        for photo, places in _sent("left_out", dict, {}).items()
        if str(photo).isdecimal() and isinstance(places, list)
    }
    _lessons().teach(_sent("name", str, ""), left_out, replace=_sent("replace", bool, False))
    return state()


@area.page("/api/teach/use", Role.ORGANISER, method="POST", rate=Rate.COMMAND)
def use() -> ResponseReturnValue:
    """Begin to read the table by another set, or by none."""
    _lessons().use(_sent("name", str, ""))
    return state()


def _lessons() -> Lessons:
    known = services().lessons
    if known is None:
        abort(404)
    return known


def _sent(key: str, kind: type[_Value], otherwise: _Value) -> _Value:
    """Return a value of the JSON object that was sent."""
    values: Any = request.get_json(silent=True)
    if not isinstance(values, dict):
        abort(400)
    value = values.get(key, otherwise)
    return value if isinstance(value, kind) else abort(400)


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        abort(404)
    return Response(data, mimetype="image/jpeg")
