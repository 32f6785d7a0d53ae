"""Errors as a page or as JSON, each with what to do about it."""

from __future__ import annotations

import errno
import math
from typing import TYPE_CHECKING, Final

from flask import current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException, TooManyRequests

from referee.phrases import say, sentence
from vision.pictures import PictureError
from web.site.areas import services
from web.site.language import language
from web.site.roles import ExpiredLinkError, LinkError
from web.teaching.borders import LessonError

if TYPE_CHECKING:
    from flask import Flask
    from flask.typing import ResponseReturnValue

_JSON_PATHS: Final = ("/api/", "/camera/frame", "/events")
_WORDS: Final = {
    400: say(
        "error.400",
        "The request could not be understood. Reload the page and try again.",
    ),
    403: say(
        "error.403",
        "This page is not open to this device, or no longer. Scan the code that the organiser "
        "shows, or open a link that `meldwatch serve` or `meldwatch link` printed.",
    ),
    404: say(
        "error.404",
        "There is nothing here. Go back, or start at the first page.",
    ),
    405: say(
        "error.405",
        "This cannot be done in this way. Go back, and use the page's buttons.",
    ),
    411: say(
        "error.411",
        "The request does not say how long it is. Send it with a Content-Length.",
    ),
    413: say(
        "error.413",
        "That is too large. Send a smaller file.",
    ),
    415: say(
        "error.415",
        "This kind of file is not taken. Send a JPEG, PNG, WebP or HEIC picture.",
    ),
    421: say(
        "error.421",
        "This machine does not go by that name. Use an address that `meldwatch serve` printed, or"
        " add the name to `hosts` in the settings.",
    ),
    429: say(
        "error.429",
        "Too many requests from this device. Wait a moment, and try again.",
    ),
    500: say(
        "error.500",
        "Something went wrong here, and was written to the log. Try again; nothing that was "
        "recorded is lost.",
    ),
    503: say(
        "error.503",
        "Too much is going on at the moment. Wait a moment, and try again.",
    ),
    507: say(
        "error.507",
        "The disk of this machine is full, so this could not be taken in. Free some space, and "
        "try again; nothing that was recorded is lost.",
    ),
}
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class TooManyError(TooManyRequests):
    """More requests from one client than are taken."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(_WORDS[429])
        self.wait_s = wait_s


def install(app: Flask) -> None:
    """Answer every error in words."""
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(LinkError, _link)
    app.register_error_handler(PictureError, _refusal)
    app.register_error_handler(LessonError, _not_taught)
    app.register_error_handler(Exception, _unforeseen)


def wants_json() -> bool:
    """Tell whether a script asks rather than a person."""
    if request.path.startswith(_JSON_PATHS) or request.path.endswith(".json"):
        return True
    accepted = request.accept_mimetypes
    return accepted.best_match(["text/html", "application/json"]) == "application/json"


def _answer(status: int, text: str) -> ResponseReturnValue:
    """Answer with an error in words, in the form and the language that were asked for."""
    text = str(services().tongues.told(text, language()))
    if wants_json():
        return jsonify(error=text), status
    return render_template("error.html", status=status, text=text), status


def in_words(error: HTTPException) -> str:
    """Return what an error says: its own words, or those for its status."""
    if error.description and error.description != type(error).description:
        return error.description
    return _WORDS.get(error.code or 500, _WORDS[400])


def _http(error: HTTPException) -> ResponseReturnValue:
    answer = current_app.make_response(_answer(error.code or 500, in_words(error)))
    if isinstance(error, TooManyError):
        answer.headers["Retry-After"] = str(math.ceil(error.wait_s))
    if error.code == 405:  # noqa: PLR2004 - the status that must name the methods
        answer.headers.extend(
            (name, value) for name, value in error.get_headers() if name == "Allow"
        )
    return answer


def _link(error: Exception) -> ResponseReturnValue:
    return _answer(410 if isinstance(error, ExpiredLinkError) else 403, error.args[0])


def _refusal(error: Exception) -> ResponseReturnValue:
    text = str(services().tongues.told(error.args[0], language()))
    return _answer(422, sentence(text))


def _not_taught(error: Exception) -> ResponseReturnValue:
    return _answer(409, error.args[0])


def _unforeseen(error: Exception) -> ResponseReturnValue:
    """End a request that failed: in words for a person, with the traceback for the log."""
    if isinstance(error, services().refusals):
        return _answer(409, error.args[0] if error.args else "")
    current_app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    status = 507 if isinstance(error, OSError) and error.errno in _FULL else 500
    return _answer(status, _WORDS[status])
