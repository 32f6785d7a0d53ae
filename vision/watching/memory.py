"""What a watcher remembers: the tiles, the table they form, and the picture it was seen in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from vision.types import Reading, stack
from vision.watching.ballot import match_places
from vision.watching.known import Known, patch_of, reconcile
from vision.watching.left_out import LeftOut
from vision.watching.misreadings import left_open
from vision.watching.recalled import Lying, lying, recalled
from vision.watching.reference import Reference
from vision.watching.tables import settled_table
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats, Picture, Pixels
    from vision.watching.ballot import Place
    from vision.watching.finding import View
    from vision.watching.glance import Glance
    from vision.watching.known import Look
    from vision.watching.misreadings import Misread
    from vision.watching.sights import SeenTile, SettledTable, Status

    Mark: TypeAlias = tuple[Sequence[Known], SettledTable | None, Mapping[int, Misread], LeftOut]


class WatchError(ValueError):
    """A person's word about a tile or a table that is not there; says what to do."""


class Memory:
    """Tiles keep their ids here; every change of them makes a new settled table.

    Attributes
    ----------
    earlier
        The tiles of a table that was forgotten, until another one with tiles settles: they may be
        found again in another picture, with what a person said of them.
    awaited
        The tiles of a table of another time, until it is seen, or tiles are laid on a bare one.
    left_out
        Where racks stand that are none of the table's.
    """

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.known: list[Known] = []
        self.earlier: list[Known] = []
        self.awaited: list[Known] = []
        self._kept: tuple[Lying, ...] = ()
        self._misread: Mapping[int, Misread] = {}  # by the ids of tiles that were put right
        self._number = 0
        self._next_id = 1
        self.forget()

    def forget(self) -> None:
        """Forget the table; numbers and ids go on rising."""
        self.earlier = self.known or self.earlier
        self.known = []
        self.left_out = LeftOut()
        self.settled: SettledTable | None = None
        self.reference: Reference | None = None
        self._pixels: Pixels | None = None
        self._picture: Picture | None = None  # what was read: the negative, where tiles are dark

    def mark(self) -> Mark:
        """Return what is known, to go back to."""
        return tuple(self.known), self.settled, self._misread, self.left_out

    def go_back(self, mark: Mark) -> None:
        """Know again what was known then; numbers and ids go on rising."""
        known, self.settled, self._misread, self.left_out = mark
        self.known = [*known]

    def lying(self) -> tuple[Lying, ...]:
        """Return what another watcher needs, to know by what people said here.

        As long as nothing else is known, that is what was given to `recall`, the very same.
        """
        there = self.known or self.earlier
        return lying(there) if there or not self.awaited else self._kept

    def recall(self, kept: Sequence[Lying]) -> None:
        """Look for these tiles from now on, where none is known."""
        self._kept = tuple(kept)
        self.awaited = recalled(kept, self._next_id)
        self._note_misread(self.awaited)
        self._next_id += len(kept)

    @property
    def quads_img(self) -> Floats:
        """(n, 4, 2) float32: where the known tiles lie."""
        return stack(tile.quad_img for tile in self.known)

    def reconciled(
        self, known: Sequence[Known], places: Sequence[Place], look: Look
    ) -> list[Known]:
        """Bring known tiles up to what was read; nothing is remembered yet."""
        return reconcile(known, places, look, self._next_id)

    def settle(
        self, known: list[Known], view: View, picture: Picture, *, after_hand: bool, moved: bool
    ) -> bool:
        """Remember a table that lies still and uncovered; tell whether it is news.

        Parameters
        ----------
        picture
            What was read in the view's frame.
        """
        before = None if self.settled is None else [_key(tile) for tile in self.known]
        news = after_hand or moved or before != [_key(tile) for tile in known]
        if self.settled is not None:  # a rack may have been taken away
            news |= len(self.settled.left_out_img) != len(self.left_out.quads_img)
        awaited = {tile.id for tile in self.awaited}
        if (after_hand and not self.known) or any(tile.id in awaited for tile in known):
            self.awaited = []
        self.known = known
        self.earlier = [] if known or after_hand else self.earlier
        self._next_id = max([self._next_id, *(tile.id + 1 for tile in known)])
        self._pixels, self._picture = view.frame.pixels, picture
        bare = None
        if self.reference is not None and view.change is not None and not moved:
            arms = self.reference.resting_arms(view.glance, view.change)
            bare = self.reference.without(arms, view.glance)
        self.refer_to(view.glance, bare)
        if news:
            self._judge(after_hand=after_hand)
        return news

    def refer_to(self, glance: Glance, bare: Glance | None = None) -> None:
        """Compare with this picture from now on, or with the same without the arms in it."""
        self.reference = replace(Reference.of(glance, self.quads_img), bare=bare)

    def show_covered(self, hidden: Sequence[Known] = ()) -> None:
        """Mark what is covered just now in the settled table, which stays the same otherwise."""
        if self.settled is None:
            return
        status: dict[int, Status] = {tile.id: tile.shown().status for tile in self.known}
        for tile in hidden:
            status[tile.id] = "covered"
        if any(seen.status != status[seen.id] for seen in self.settled.tiles):
            tiles = tuple(replace(seen, status=status[seen.id]) for seen in self.settled.tiles)
            self.settled = replace(self.settled, tiles=tiles)

    def correct(self, words: Mapping[int, Tile | None]) -> SettledTable:
        """Pin a person's word to the places of tiles, by their ids, and judge once."""
        places = self._places_of(words)
        for place, tile in zip(places, words.values(), strict=True):
            self.known[place] = self._pinned(self.known[place], tile)
        return self._judge_again()

    def leave_out(self, tile_ids: Sequence[int]) -> SettledTable:
        """Leave out the places of these tiles, and what will stand there, from now on."""
        places = self._places_of(tile_ids)
        self.left_out = self.left_out.beside(self.quads_img[places])
        inside = self.left_out.holds(self.quads_img)
        self.known = [held for held, out in zip(self.known, inside, strict=True) if not out]
        return self._judge_again()

    def leave_nothing_out(self) -> SettledTable | None:
        """Read what stands on racks as tiles of the table again."""
        self.left_out = LeftOut()
        return None if self.settled is None else self._judge_again()

    def _places_of(self, tile_ids: Iterable[int]) -> list[int]:
        """Return where in `known` tiles are that lie on the table."""
        there = {held.id: place for place, held in enumerate(self.known) if not held.absent}
        for tile_id in tile_ids:
            if tile_id not in there:
                raise WatchError(f"no tile with the id {tile_id} lies on the table any more")
        return [there[tile_id] for tile_id in tile_ids]

    def add(self, quad_img: Floats, tile: Tile) -> SettledTable:
        """Pin a tile to a place where none was seen; one that was seen there is corrected."""
        if self._pixels is None:
            raise WatchError("no table has been seen yet; wait until it has been still")
        quad = np.asarray(quad_img, np.float32)
        if quad.shape != (4, 2):
            raise WatchError(f"quad_img: expected shape (4, 2), got {quad.shape}")
        seats = match_places([held.quad_img for held in self.known], [quad])
        if 0 in seats:
            held = self.known[seats[0]]
        else:
            held = Known(self._next_id, quad, (), patch_of(self._pixels, quad))
            self._next_id += 1
            self.known.append(held)
        self.known[self.known.index(held)] = self._pinned(held, tile)
        return self._judge_again()

    @property
    def rules(self) -> Ruleset:
        """What tables are judged by."""
        return self._rules

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        self._rules = rules
        return None if self.settled is None else self._judge_again()

    def _pinned(self, held: Known, tile: Tile | None) -> Known:
        told = _pinned(held, tile)
        if not held.doubt:  # else another tile may lie there than the one that was read
            self._note_misread([told])
        if not told.recalled or self._pixels is None:
            return told
        return replace(told, patch=patch_of(self._pixels, held.quad_img), recalled=False)

    def _note_misread(self, told: Iterable[Known]) -> None:
        """Note what tiles that people put right were read as, also for when they are moved."""
        found = {
            tile.id: (tile.read_as, tile.reading.tile)
            for tile in told
            if tile.pinned and tile.read_as is not None
        }
        self._misread = {**self._misread, **found}

    def _shown(self, tile: Known) -> SeenTile:
        """Return a tile as others see it, with what else it may be."""
        shown = tile.shown()
        if tile.pinned:
            return shown
        return replace(shown, reading=left_open(shown.reading, self._misread.values()))

    def _judge_again(self) -> SettledTable:
        return self._judge(after_hand=self.settled is not None and self.settled.after_hand)

    def _judge(self, *, after_hand: bool) -> SettledTable:
        if self._picture is None:
            raise WatchError("no table has been seen yet; wait until it has been still")
        tiles = [self._shown(tile) for tile in self.known if not tile.absent]
        self._number += 1
        self.settled = settled_table(
            self._number, tiles, self._rules, self._picture, after_hand=after_hand
        )
        self.settled = replace(self.settled, left_out_img=self.left_out.quads_img)
        return self.settled


def _pinned(held: Known, tile: Tile | None) -> Known:
    read_as = held.read_as
    if not held.pinned and held.votes:
        read_as = vote(held.votes).tile
    told = replace(held, read_as=read_as, covered=False, doubt="")
    if tile is None:
        return replace(told, absent=True, pinned=False)
    return replace(told, votes=(Reading(tile, 1.0),), pinned=True, absent=False)


def _key(tile: Known) -> tuple[object, ...]:
    reading = tile.reading
    return (tile.id, reading.tile, reading.unsure, tile.covered, tile.pinned, tile.absent)
