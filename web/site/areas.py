"""Routes that say who may use them: what says nothing is refused at start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flask import Blueprint, current_app, g

from web.site.limits import Rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask

    from web.site.roles import Role, Session
    from web.site.services import Services

_View = TypeVar("_View", bound="Callable[..., Any]")


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use a route, and how often; no roles: everybody."""

    roles: frozenset[Role]
    rate: Rate


class Area(Blueprint):
    """A blueprint whose routes each say who may use them."""

    def __init__(self, name: str) -> None:
        super().__init__(name, __name__)
        self.access: dict[str, Access] = {}

    def page(
        self, rule: str, *roles: Role, method: str = "GET", rate: Rate = Rate.READ
    ) -> Callable[[_View], _View]:
        """Register a view under `rule` for these roles; without any, for everybody."""

        def register(view: _View) -> _View:
            self.add_url_rule(rule, view_func=view, methods=[method])
            self.access[f"{self.name}.{view.__name__}"] = Access(frozenset(roles), rate)
            return view

        return register


def access_of(app: Flask) -> dict[str, Access]:
    """Return who may use which endpoint."""
    found: dict[str, Access] = {}
    for blueprint in app.blueprints.values():
        if isinstance(blueprint, Area):
            found |= blueprint.access
    return found


def services() -> Services:
    """Return what this application works with."""
    return cast("Services", current_app.extensions["meldwatch"])


def may(*roles: Role) -> bool:
    """Tell whether whoever asks has one of these roles; without any, everybody may."""
    held: Session | None = g.get("session")
    return not roles or (held is not None and held.may(frozenset(roles)))


def session() -> Session:
    """Return the session of whoever asks; a view for everybody may not ask for it."""
    return cast("Session", g.session)
