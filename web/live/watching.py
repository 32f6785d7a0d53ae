"""The watchers, shared between the worker that looks and the people who correct it."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from vision.quads import shortest_side
from vision.watching import WatchError
from vision.watching.together import CameraSight, Together
from vision.watching.together.joint import own_id
from web.live.errors import NO_TABLE, CommandError
from web.live.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.recalled import Lying
    from vision.watching.sights import SettledTable, Sight
    from vision.watching.together.lineup import Standing
    from web.live.borders import Watcher
    from web.live.eyes import Frame
    from web.live.words import Keep, Tables

    Words: TypeAlias = Mapping[int, Tile | None]
    """What tiles are, by their ids; None where there is none."""


@dataclass(slots=True, eq=False)
class _Seat:
    """A camera's watcher, and what it said last.

    Attributes
    ----------
    left
        Whether the camera is not in use at present, or was not when it was looked through last.
    without_it
        The table as it was when the camera left.
    """

    source: int
    watcher: Watcher
    last: CameraSight | None = None
    left: bool = False
    without_it: SettledTable | None = None


class Watching:
    """A watcher for each camera; several cameras make the table together.

    Parameters
    ----------
    make
        Makes a watcher that judges by the given rules.
    rules
        The rules to judge by.

    Attributes
    ----------
    lying
        What lies there, as each camera's watcher knew it when the table was settled last.
    """

    def __init__(self, make: Callable[[Ruleset], Watcher], rules: Ruleset) -> None:
        self.gate = Gate()
        self.corrections = 0
        self._make = make
        self._rules = rules
        self._begin()

    def _begin(self) -> None:
        self._seats: dict[str, _Seat] = {}
        self._sources = 0
        self._together = Together(self._rules)
        self._shown: SettledTable | None = None
        self._recalled: dict[str, Sequence[Lying]] = {}
        self.lying: Tables = {}

    @property
    def standing(self) -> Standing:
        """Which cameras count, as of the last look."""
        return self._together.standing

    def look(self, frame: Frame, cameras: Sequence[str]) -> tuple[Sight, int]:
        """Take in a frame, for the worker; tell how many corrections it takes into account.

        Parameters
        ----------
        cameras
            All that are in use, the best first.
        """
        with self.gate.for_the_worker():
            self._part_with(cameras)
            seat = self._seat(frame.camera)
            sight = seat.watcher.look(frame, photo=frame.photo)
            seat.last = CameraSight(frame.camera, seat.source, sight, frame.seen_s)
            used = dict.fromkeys((*cameras, frame.camera))
            seats = (self._seats.get(camera) for camera in used)
            looks = [one.last for one in seats if one is not None and one.last is not None]
            sight = self._together.see(looks, seat.last, frame.taken_s)
            self._shown = sight.settled
            if sight.fresh:
                self._note_lying(sight.settled)
            return sight, self.corrections

    def _part_with(self, cameras: Sequence[str]) -> None:
        """Note which cameras are no longer in use."""
        for camera, seat in self._seats.items():
            if camera not in cameras and not seat.left:
                seat.left, seat.without_it = True, self._shown

    def _seat(self, camera: str) -> _Seat:
        """Return the place of a camera; where it missed a change of the table it begins anew."""
        seat = self._seats.get(camera)
        if seat is None or (seat.left and seat.without_it is not self._shown):
            seat = _Seat(self._sources, self._make(self._rules))
            if camera not in self._seats:
                seat.watcher.recall(self._recall(camera))
            self._seats[camera] = seat
            self._sources += 1
        seat.left = False
        return seat

    def aside(self, tile_id: int) -> tuple[str, Floats] | None:
        """Return the camera that sees a tile best, and where; None if that is the primary one."""
        seen_by = dict(self._together.seen_by(tile_id))
        best: tuple[float, str, Floats] | None = None
        for seat in tuple(self._seats.values()):
            if seat.source not in seen_by or seat.left or seat.last is None:
                continue
            settled = seat.last.sight.settled
            for tile in settled.tiles if settled is not None else ():
                size = shortest_side(tile.quad_img)
                if tile.id == seen_by[seat.source] and tile.status != "covered":
                    found = size, seat.last.camera, tile.quad_img
                    best = found if best is None or size > best[0] else best
        return None if best is None or best[1] == self.standing.primary else best[1:]

    def forget(self) -> None:
        """Begin again with the next frame, but for what people said of the tiles."""
        with self.gate.for_a_person():
            recalled = self._lying()
            self._begin()
            self._recalled = self.lying = recalled

    def recall(self, tables: Tables) -> None:
        """Find tiles again that lay there before, by camera, and what was said of them.

        A camera of another name finds them by what the first one saw.
        """
        with self.gate.for_a_person():
            self._recalled = dict(tables)
            for camera, seat in self._seats.items():
                seat.watcher.recall(self._recall(camera))
            self.lying = self._lying()

    def _recall(self, camera: str) -> Sequence[Lying]:
        others = next(iter(self._recalled.values()), ())
        return self._recalled.get(camera, others)

    def _note_lying(self, settled: SettledTable | None) -> None:
        if settled is not None and settled.after_hand:
            self._recalled = {}
        self.lying = self._lying()

    def _lying(self) -> dict[str, Sequence[Lying]]:
        current = {
            camera: seat.watcher.lying()
            for camera, seat in self._seats.items()
            if not seat.left or seat.without_it is self._shown
        }
        return {**self._recalled, **current}

    def correct(self, words: Words, keep: Keep) -> SettledTable:
        """Take a person's word for one or more tiles, by their ids.

        Parameters
        ----------
        words
            What they are; None says that there is none.
        keep
            Writes down what lies there now; if that fails nothing was said.
        """
        return self._tell(words, keep, lambda watcher, own: watcher.correct(own))

    def leave_out(self, tile_ids: Sequence[int], keep: Keep) -> SettledTable:
        """Take a person's word that tiles, by their ids, stand on a player's rack.

        Parameters
        ----------
        keep
            Writes down what lies there now; if that fails nothing was said.
        """
        none: Words = dict.fromkeys(tile_ids)
        return self._tell(none, keep, lambda watcher, own: watcher.leave_out(list(own)))

    def leave_nothing_out(self) -> SettledTable | None:
        """Read what stands on racks as tiles of the table again; return it as it is until then."""
        with self.gate.for_a_person():
            self.corrections += 1
            tables = {}
            for seat in self._seats.values():
                settled = seat.watcher.leave_nothing_out()
                if settled is not None:
                    tables[seat.source] = self._keep(seat, settled)
            primary = self._seats.get(self.standing.primary or "")
            if self._together.joined:
                self._shown = self._together.told(tables, {})
            elif primary is not None and primary.source in tables:
                self._heard(primary, tables[primary.source])
            return self._shown

    def _tell(
        self, words: Words, keep: Keep, tell: Callable[[Watcher, Words], SettledTable]
    ) -> SettledTable:
        """Tell whoever sees these tiles, each by its own ids of them."""
        with self.gate.for_a_person():
            self.corrections += 1
            if not self._together.joined:
                seat = self._primary()
                own = {number - own_id(seat.source): tile for number, tile in words.items()}
                with self._kept(keep):
                    settled = tell(seat.watcher, own)
                return self._heard(seat, settled)
            with self._kept(keep):
                news = self._tell_all_who_see(words, tell)
            tables = {seat.source: self._keep(seat, settled) for seat, settled in news.items()}
            self._shown = self._together.told(tables, words)
            return self._shown

    def _tell_all_who_see(
        self, words: Words, tell: Callable[[Watcher, Words], SettledTable]
    ) -> dict[_Seat, SettledTable]:
        news = {}
        for number, tile in words.items():
            seen_by = dict(self._together.seen_by(number))
            for seat in self._seats.values():
                if seat.source in seen_by:
                    with suppress(WatchError):
                        news[seat] = tell(seat.watcher, {seen_by[seat.source]: tile})
        return news

    def add(self, quad_img: Floats, tile: Tile, keep: Keep) -> SettledTable:
        """Take a person's word that a tile lies there, in pixels of the picture that is shown."""
        with self.gate.for_a_person():
            self.corrections += 1
            seat = self._primary()
            with self._kept(keep):
                added = seat.watcher.add(quad_img, tile)
            if not self._together.joined:
                return self._heard(seat, added)
            self._shown = self._together.told({seat.source: self._keep(seat, added)}, {})
            return self._shown

    @contextmanager
    def _kept(self, keep: Keep) -> Iterator[None]:
        """Let what is said meanwhile be kept before it counts."""
        marks = [(seat.watcher, seat.watcher.mark()) for seat in self._seats.values()]
        try:
            yield
            lying = self._lying()
            keep(lying)
            self.lying = lying
        except BaseException:
            for watcher, mark in marks:
                watcher.go_back(mark)
            raise

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        with self.gate.for_a_person():
            self._rules = rules
            self.corrections += 1
            for seat in self._seats.values():
                settled = seat.watcher.use_rules(rules)
                if settled is not None:
                    self._keep(seat, settled)
            judged = self._together.use_rules(rules)
            primary = self._seats.get(self.standing.primary or "")
            if judged is None and primary is not None and primary.last is not None:
                judged = self._together.as_shown(primary.last)
            self._shown = judged
            return judged

    def _primary(self) -> _Seat:
        seat = self._seats.get(self.standing.primary or "")
        if seat is None:
            raise CommandError(NO_TABLE)
        return seat

    def _keep(self, seat: _Seat, settled: SettledTable) -> SettledTable:
        """Remember what a watcher makes of its table since a person spoke."""
        if seat.last is not None:
            sight = replace(seat.last.sight, settled=settled, fresh=False)
            seat.last = replace(seat.last, sight=sight)
        return settled

    def _heard(self, seat: _Seat, settled: SettledTable) -> SettledTable:
        """Return the table of the only camera that counts, as others know it."""
        self._keep(seat, settled)
        shown = None if seat.last is None else self._together.as_shown(seat.last)
        self._shown = settled if shown is None else shown
        return self._shown
