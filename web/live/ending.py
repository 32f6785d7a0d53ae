"""The end of a turn, which waits for the table to be still so that nothing laid last is missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.match_state import Phase
from referee.phrases import say
from web.live.errors import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vision.watching.sights import Sight
    from web.live.game import Game
    from web.live.telling import Teller

_PATIENCE_S: Final = 10.0
"""How long a turn that was ended is waited for to lie still."""
_SHOWN: Final = frozenset({"match", "records", "table"})
"""What a page sends of what it shows."""
NOT_STILL: Final = say(
    "message.not_still",
    "The turn was not ended: something still moves over the table. End it again.",
)


class Ending:
    """Ends turns that were ended while the table moved; used under the table's lock.

    Parameters
    ----------
    now
        A clock that only goes forward, in seconds.
    end
        Ends the turn by a person's command, with the values that it gave.
    """

    def __init__(
        self,
        game: Game,
        teller: Teller,
        now: Callable[[], float],
        end: Callable[[str, Mapping[str, Any]], object],
    ) -> None:
        self._game = game
        self._teller = teller
        self._now = now
        self._end = end
        self._waiting: tuple[str, Mapping[str, Any], float] | None = None
        self._touched = True

    def see(self, sight: Sight) -> None:
        """Note whether there was a hand since the table lay still: flicker lays no tiles."""
        self._touched = sight.hand or (self._touched and not sight.still)

    @property
    def has_to_wait(self) -> bool:
        """Whether a hand is over the table, or what it left is not read yet."""
        match, sight = self._game.match, self._teller.sight
        playing = match is not None and match.phase is Phase.PLAYING
        return playing and sight is not None and sight.moving and self._touched

    def wait(self, name: str, values: Mapping[str, Any]) -> None:
        """End the turn by this command once the table is still."""
        # The table that was shown is not the one that will be ended; words for tiles that are
        # moved meanwhile fall away, which is a record, too; and what else happens ends the wait.
        later = {key: value for key, value in values.items() if key not in _SHOWN}
        self._waiting = name, later, self._now() + _PATIENCE_S
        self._teller.ending = True

    def forget(self) -> None:
        """End no turn later: it has ended, or something else was asked for since."""
        self._waiting, self._teller.ending = None, False

    def end_if_still(self) -> None:
        """End the turn that waits, if the table is still; after a while, say that it is not."""
        if self._waiting is None:
            return
        name, values, until_s = self._waiting
        if not self.has_to_wait:
            self.forget()
            try:
                self._end(name, values)
            except CommandError as error:
                self._teller.notice(error.args[0])
        elif self._now() >= until_s:
            self.forget()
            self._teller.notice(NOT_STILL)
