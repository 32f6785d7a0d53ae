"""Which language whoever asks reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import request

from web.site.areas import services
from web.site.texts import ENGLISH

if TYPE_CHECKING:
    from flask import Response

    from web.site.texts import Texts

_REMEMBERED_S: Final = 365 * 24 * 3600


def language() -> str:
    """Return the language of the pages for whoever asks."""
    known = services()
    return chosen(known.texts, known.language)


def chosen(texts: Texts, usual: str = "") -> str:
    """Return the language that a request asks for, or else the usual one or the browser's."""
    wanted = request.args.get("lang") or request.cookies.get("lang") or usual
    if wanted in texts.languages:
        return str(wanted)
    return request.accept_languages.best_match(texts.languages) or ENGLISH


def remember(answer: Response, texts: Texts) -> Response:
    """Let a browser keep the language that was chosen on a page."""
    wanted = request.args.get("lang")
    if wanted in texts.languages and answer.mimetype == "text/html":
        answer.set_cookie("lang", str(wanted), max_age=_REMEMBERED_S, samesite="Lax")
    return answer
