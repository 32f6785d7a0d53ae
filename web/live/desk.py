"""What commands work on, and how they take out what they were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from referee.phrases import expected, say
from web.live.errors import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.requests import Request
    from referee.ruleset import Ruleset
    from vision.pipeline import TableReading
    from vision.types import Pixels
    from vision.watching.sights import SettledTable
    from web.live.game import Game
    from web.live.watching import Watching
    from web.live.words import Words

WHOLE: Final = say("request.whole", "a whole number")
OBJECT: Final = say("request.object", "an object")

Errand: TypeAlias = "Callable[[], Callable[[], None]]"
"""What takes long, and is done while others go on; it gives what is then left to do."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command works on; commands are taken one after the other.

    A command that takes long gives back an errand. It is run while other commands are taken, so
    it may look only at what never changes; what it gives is done in turn again.

    Attributes
    ----------
    words
        Keeps what people say of tiles.
    now
        A clock that only goes forward, in seconds.
    picture
        Gives the picture that lies before the cameras now.
    read
        Reads a picture, which takes long.
    """

    game: Game
    watching: Watching
    words: Words
    now: Callable[[], float]
    picture: Callable[[], Pixels]
    read: Callable[[Pixels, Ruleset], TableReading]

    def take_in(self, settled: SettledTable | None) -> None:
        """Go on from a table that a person has corrected."""
        if settled is not None:
            self.game.corrected(settled)


def whole(values: Request, key: str, default: int | None = None) -> int:
    """Return a whole number."""
    value = values.given.get(key)
    value = default if value is None else value
    if type(value) is not int:
        raise CommandError(expected(key, WHOLE, repr(value)))
    return value


def mapping(values: Request, key: str) -> Mapping[str, Any]:
    """Return an object; none where nothing is given."""
    value = values.given.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CommandError(expected(key, OBJECT, repr(value)))
    return value
