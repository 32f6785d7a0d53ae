"""What commands work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.ruleset import Ruleset
    from vision.pipeline import TableReading
    from vision.types import Pixels
    from vision.watching.sights import SettledTable
    from web.live.game import Game
    from web.live.watching import Watching
    from web.live.words import Words

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
