"""What people say to a watcher: their word for a tile, and the rules to judge by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from threading import RLock

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.memory import Mark, Memory
    from vision.watching.recalled import Lying
    from vision.watching.sights import SettledTable


class Listener:
    """Takes people's words into a memory; its methods may be called from several threads."""

    def __init__(self, memory: Memory, lock: RLock) -> None:
        self._memory = memory
        self._lock = lock

    def _look_again(self) -> None:
        """Look at what lies there as if it was news."""

    def _read_anew(self) -> None:
        """Read the next frame, however little changed; what appears in it may lie there."""

    def correct(self, words: Mapping[int, Tile | None]) -> SettledTable:
        """Take a person's word for tiles, by their ids, until they move; None: none lies there.

        Raises
        ------
        WatchError
            If one of them does not lie on the table; then nothing was said of any.
        """
        with self._lock:
            return self._told(self._memory.correct(words))

    def leave_out(self, tile_ids: Sequence[int]) -> SettledTable:
        """Take a person's word that these tiles, by their ids, stand on a player's rack.

        What is read in their places from now on is none of the table's, until nothing stands there
        any more, the picture shows something else, or `leave_nothing_out`.

        Raises
        ------
        WatchError
            If one of them does not lie on the table; then nothing was said of any.
        """
        with self._lock:
            return self._told(self._memory.leave_out(tile_ids))

    def leave_nothing_out(self) -> SettledTable | None:
        """Read what stands on racks as tiles of the table again; return it as it is until then."""
        with self._lock:
            self._read_anew()
            return self._memory.leave_nothing_out()

    def add(self, quad_img: Floats, tile: Tile) -> SettledTable:
        """Take a person's word for a tile that was not seen, until it moves.

        Parameters
        ----------
        quad_img
            (4, 2) float32, image pixels, clockwise from the upright tile's top left.

        Raises
        ------
        WatchError
            If no table has settled yet.
        """
        with self._lock:
            return self._told(self._memory.add(quad_img, tile))

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on; return the table under them."""
        with self._lock:
            settled = self._memory.use_rules(rules)
            return None if settled is None else self._told(settled)

    def mark(self) -> Mark:
        """Return what is known, to `go_back` to if a person's word shall not count after all."""
        with self._lock:
            return self._memory.mark()

    def go_back(self, mark: Mark) -> None:
        """Take the table as it was marked."""
        with self._lock:
            self._memory.go_back(mark)

    def lying(self) -> tuple[Lying, ...]:
        """Return what another watcher has to `recall`, to know what people said to this one."""
        with self._lock:
            return self._memory.lying()

    def recall(self, kept: Sequence[Lying]) -> None:
        """Find tiles again that lay there before this watcher began, and what was said of them."""
        with self._lock:
            self._memory.recall(kept)

    def _told(self, settled: SettledTable) -> SettledTable:
        self._look_again()
        return settled
