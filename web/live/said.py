"""What people said of a match that is no event of it, kept so that it outlasts the program."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from web.live.answers import joker_identities
from web.live.declared import described, found_again
from web.store import StoreError, said_key
from web.store.declared import decoded, encoded

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from web.live.borders import Store
    from web.store.declared import Declared

_log = logging.getLogger(__name__)


class Said:
    """What people said of the match; used under the table's lock.

    Attributes
    ----------
    auto_accept
        Whether a turn that is legal, sure and still counts without a person's word.
    declared
        What jokers stand for, by tile.
    racks
        What is known of racks before they count, as `web.live.leftovers.written` has it.
    """

    def __init__(self, store: Store, auto_accept: bool) -> None:
        self.auto_accept = auto_accept
        self.declared: dict[int, Tile] = {}
        self.racks: dict[str, Any] = {}
        self._store = store
        self._default = auto_accept
        self._match_id: int | None = None
        self._waiting: tuple[Declared, ...] = ()
        self._seen: SettledTable | None = None
        self._kept: dict[str, Any] = {}

    def open(self, match_id: int) -> None:
        """Go on from what was said of this match; where nothing was, all stays as it is."""
        text = self._store.get(said_key(match_id))
        self._match_id = match_id
        self._kept = json.loads(text) if text else {}
        self.auto_accept = bool(self._kept.get("auto_accept", self.auto_accept))
        if text:
            self.declared = {}
        self._waiting = decoded(self._kept.get("declared", ()))
        self.racks = self._kept.get("racks", {})

    def leave(self) -> None:
        """Go back to what the settings say, without a match."""
        self._match_id, self._kept = None, {}
        self.auto_accept, self.declared, self._waiting = self._default, {}, ()
        self.racks = {}

    def see(self, settled: SettledTable, rules: Ruleset) -> None:
        """Forget jokers that are gone or became others, and find those told of before again."""
        ids = {tile.id for tile in settled.tiles if tile.reading.tile.is_joker}
        self.declared = {i: tile for i, tile in self.declared.items() if i in ids}
        if self._waiting:
            again = found_again(settled, self._waiting)
            self.declared = {i: one.tile for i, one in again.items()} | self.declared
            self._waiting = tuple(one for one in self._waiting if one not in again.values())
        if settled is not self._seen:
            self._seen = settled
            self.declared = {
                i: tile for i, tile in self.declared.items() if _may_be(settled, i, tile, rules)
            }

    def declare(self, tile_id: int, tile: Tile, settled: SettledTable) -> None:
        """Take a player's word for what a joker stands for."""
        self._keep(self.auto_accept, {**self.declared, tile_id: tile}, settled)
        self.declared[tile_id] = tile

    def choose(self, auto_accept: bool, settled: SettledTable | None) -> None:
        """Take a person's choice."""
        self._keep(auto_accept, self.declared, settled)
        self.auto_accept = auto_accept

    def went_on(
        self, racks: dict[str, Any], settled: SettledTable | None, *, played: bool
    ) -> None:
        """Keep it as it is after an event, with the racks that are known still.

        After a turn, what lies there is the match's table.
        """
        if settled is not None and played:
            self._waiting = ()
        self.know(racks, settled)

    def know(self, racks: dict[str, Any], settled: SettledTable | None) -> None:
        """Keep what is known of racks, should the program end before they count."""
        self.racks = racks
        self._try_to_keep(settled)

    def _try_to_keep(self, settled: SettledTable | None) -> None:
        try:
            self._keep(self.auto_accept, self.declared, settled)
        except StoreError:
            _log.exception("what was said of jokers and racks is not kept; the match is")

    def _keep(
        self, auto_accept: bool, declared: dict[int, Tile], settled: SettledTable | None
    ) -> None:
        """Write it down if it is another than before; without a match it is not kept."""
        now: dict[str, Any] = {}
        if auto_accept != self._default or "auto_accept" in self._kept:
            now["auto_accept"] = auto_accept
        found = (*(described(settled, declared) if settled else ()), *self._waiting)
        if found:
            now["declared"] = encoded(found)
        if self.racks:
            now["racks"] = self.racks
        if self._match_id is not None and now != self._kept:
            self._store.set(said_key(self._match_id), json.dumps(now))
            self._kept = now


def _may_be(settled: SettledTable, joker: int, tile: Tile, rules: Ruleset) -> bool:
    """Whether a joker can still stand for this; a set that is none for now tells nothing."""
    possible = joker_identities(settled, joker, rules)
    return not possible or tile in possible
