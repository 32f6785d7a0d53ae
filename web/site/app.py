"""The web application: made from its services, never at import."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Flask

from web.site import camera, commands, entry, errors, files, guard, live, pages, teach
from web.site.areas import may, services
from web.site.language import language, remember
from web.site.roles import Role
from web.site.spool import SpoolingRequest

if TYPE_CHECKING:
    from web.site.services import Services

_FORM_PARTS = 4
_FORM_BYTES = 64_000


def create_app(known: Services) -> Flask:
    """Return the pages over these services."""
    app = Flask("web.site", static_folder="static", template_folder="templates")
    app.request_class = SpoolingRequest
    app.extensions["meldwatch"] = known
    app.config.update(
        MAX_CONTENT_LENGTH=_FORM_BYTES, MAX_FORM_PARTS=_FORM_PARTS, TRUSTED_HOSTS=None
    )
    for area in (
        pages.area,
        entry.area,
        live.area,
        commands.area,
        camera.area,
        files.area,
        teach.area,
    ):
        app.register_blueprint(area)
    errors.install(app)
    guard.install(app)
    app.context_processor(_words)
    app.after_request(lambda answer: remember(answer, known.texts))
    return app


def _words() -> dict[str, Any]:
    """Give every template its words, and who looks at it."""
    known, spoken = services(), language()
    return {
        "t": partial(known.texts.text, spoken),
        "texts": known.texts.all(spoken),
        "language": spoken,
        "languages": known.texts.languages,
        "teaches": known.lessons is not None,
        "may_organise": may(Role.ORGANISER),
        "may_look": may(Role.SPECTATOR),
    }
