"""Which language whoever asks reads."""

from __future__ import annotations

from flask import request

from web.site.areas import services
from web.site.texts import ENGLISH


def language() -> str:
    """Return the language of the pages for whoever asks."""
    known = services()
    wanted = request.args.get("lang") or request.cookies.get("lang") or known.language
    if wanted in known.texts.languages:
        return str(wanted)
    return request.accept_languages.best_match(known.texts.languages) or ENGLISH
