"""The labelling page and what it asks for: on this machine only, behind a token in the address."""

from __future__ import annotations

import hmac
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    g,
    jsonify,
    render_template,
    request,
)
from pydantic import BaseModel, ValidationError
from werkzeug.exceptions import HTTPException

from referee.phrases import say, sentence
from vision.labels import LabelError
from vision.pictures import PictureError
from web.label.book import ChangedElsewhereError
from web.label.changes import Change, ChangeError, SentQuad
from web.label.desk import StaleError
from web.site.errors import in_words
from web.site.guard import FOREIGN, finish, same_origin
from web.site.hosts import host_name
from web.site.language import chosen, remember
from web.site.tongues import Tongues

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from web.label.desk import Desk
    from web.site.texts import Texts

ADDRESS: Final = "127.0.0.1"
_NAMES: Final = frozenset({ADDRESS, "localhost"})
_BODY_BYTES: Final = 2_000_000
_SENT = TypeVar("_SENT", bound=BaseModel)
_ELSEWHERE: Final = say("label.elsewhere", "Use the address that `meldwatch label` printed.")
_NOTHING: Final = say(
    "label.nothing",
    "There is nothing here. Use the address that `meldwatch label` printed.",
)
_NO_JSON: Final = say("label.no_json", "The page sends its changes as JSON. Reload it.")
_NO_PHOTO: Final = say("label.no_photo", "There is no such photo. Reload the page.")


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the page works with."""

    desk: Desk
    texts: Texts
    tongues: Tongues = field(default_factory=Tongues.load)


area = Blueprint("label", __name__, static_folder="static", template_folder="templates")


def create_app(desk: Desk, texts: Texts, token: str) -> Flask:
    """Return the page over these photos; only addresses with the token are answered."""
    site = resources.files("web.site")
    app = Flask(
        "web.label", static_folder=str(site / "static"), template_folder=str(site / "templates")
    )
    app.extensions["label"] = _Parts(desk, texts)
    app.config.update(MAX_CONTENT_LENGTH=_BODY_BYTES)
    app.before_request(lambda: _check(token))
    app.after_request(finish)
    app.after_request(lambda answer: remember(answer, texts))
    app.register_blueprint(area, url_prefix="/<token>", static_url_path="/static")
    app.register_error_handler(HTTPException, _http)
    for kind, status in (
        (ChangeError, 422),
        (PictureError, 422),
        (StaleError, 409),
        (ChangedElsewhereError, 409),
        (LabelError, 500),
    ):
        app.register_error_handler(kind, _refusal(status))
    return app


@area.url_value_preprocessor
def _take_token(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Put the token where `_check` looks for it; the views do without."""
    g.token = (values or {}).pop("token", "")


@area.get("/")
def index() -> ResponseReturnValue:
    """Show the page."""
    texts = _parts().texts
    spoken = chosen(texts)
    return render_template(
        "label.html",
        t=partial(texts.text, spoken),
        texts=texts.all(spoken),
        language=spoken,
        languages=texts.languages,
    )


@area.get("/photos.json")
def photos() -> ResponseReturnValue:
    """List the photos."""
    return jsonify(_parts().desk.overview())


@area.get("/photos/<int:number>.json")
def labels(number: int) -> ResponseReturnValue:
    """Return the labels of a photo."""
    return _told(_desk(number).labels(number))


@area.get("/photos/<int:number>.jpg")
def picture(number: int) -> ResponseReturnValue:
    """Return a photo."""
    # The token is new each time, so nothing else will ever be at this address.
    kept = {"Cache-Control": "private, max-age=86400, immutable"}
    return Response(_desk(number).jpeg(number), mimetype="image/jpeg", headers=kept)


@area.post("/photos/<int:number>")
def change(number: int) -> ResponseReturnValue:
    """Change the labels of a photo."""
    return _told(_desk(number).change(number, _sent(Change)))


@area.post("/photos/<int:number>/read")
def read(number: int) -> ResponseReturnValue:
    """Read one tile of a photo."""
    return _told(_desk(number).read(number, _sent(SentQuad)))


def _check(token: str) -> None:
    if host_name(request.host) not in _NAMES:
        abort(421, _ELSEWHERE)
    if request.endpoint == "static":
        return
    if not hmac.compare_digest(str(g.get("token", "")).encode(), token.encode()):
        abort(404, _NOTHING)
    if request.method not in {"GET", "HEAD"} and not same_origin():
        abort(403, FOREIGN)


def _parts() -> _Parts:
    return cast("_Parts", current_app.extensions["label"])


def _told(values: object) -> Response:
    """Answer in the page's language."""
    parts = _parts()
    return jsonify(parts.tongues.told(values, chosen(parts.texts)))


def _desk(number: int) -> Desk:
    desk = _parts().desk
    if number >= len(desk):
        abort(404, _NO_PHOTO)
    return desk


def _sent(kind: type[_SENT]) -> _SENT:
    if not request.is_json:
        abort(415, _NO_JSON)
    try:
        return kind.model_validate_json(request.get_data())
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        text = say(
            "label.wrong",
            "The page sent what it should not ({reason}). Reload it, and try again.",
            reason=": ".join(filter(None, (place, first["msg"]))),
        )
        return abort(400, text)


def _http(error: HTTPException) -> ResponseReturnValue:
    return _told({"error": in_words(error)}), error.code or 500


def _refusal(status: int) -> Any:  # noqa: ANN401 - a handler for any kind of error
    def answer(error: Exception) -> ResponseReturnValue:
        parts = _parts()
        text = str(parts.tongues.told(error.args[0], chosen(parts.texts)))
        return jsonify(error=sentence(text)), status

    return answer
