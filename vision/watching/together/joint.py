"""The one table that several cameras settled together; its tiles keep their ids."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.quads import quad_iou
from vision.types import Picture, Reading
from vision.watching.registration import moved
from vision.watching.tables import settled_table
from vision.watching.together.joint_ends import asked, asked_as, open_to_cameras, unasked
from vision.watching.together.merge import CLASH, AlignedView, Merged, merge

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.types import Floats
    from vision.watching.sights import SeenTile, SettledTable, Status

OWN_IDS: Final = 1_000_000  # so many ids are kept for each watcher


class Joint:
    """Tiles that one or more cameras see; a camera that is lost leaves behind what it alone saw.

    Attributes
    ----------
    settled
        The table as it was settled last; None before the first that cameras settled together.
    """

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._ids: dict[tuple[int, int], int] = {}
        self._given: set[int] = set()
        self._cameras: dict[int, str] = {}
        self._number = 0
        self.forget()

    def forget(self) -> None:
        """Forget the table; ids and numbers go on."""
        self.settled: SettledTable | None = None
        self.views: tuple[AlignedView, ...] = ()
        self._merged: list[Merged] = []
        self._words: dict[int, tuple[Tile, frozenset[int]]] = {}  # by tile: and who was told
        self._marked: set[int] = set()
        self._shape = (0, 0)

    @property
    def behind(self) -> list[Merged]:
        """Tiles that only cameras saw which don't count at present."""
        here = {view.camera for view in self.views}
        return [one for one in self._merged if not self._cameras_of(one) & here]

    def seen_by(self, tile_id: int) -> tuple[tuple[int, int], ...]:
        """Return the watchers that see a tile, by number, with their own ids of it."""
        return next((one.seen_by for one in self._merged if one.tile.id == tile_id), ())

    def settle(
        self, views: Sequence[AlignedView], shape: tuple[int, int], *, after_hand: bool
    ) -> SettledTable:
        """Settle the table anew.

        Parameters
        ----------
        views
            Of all cameras that see it still and uncovered, that of the page's picture first.
        shape
            Height and width of the page's picture, pixels.
        """
        self.views, self._shape = tuple(views), shape
        self._cameras |= {view.source: view.camera for view in views}
        found = self._with_words(self._named(merge(views)))
        if found:
            found += [self._kept(one) for one in self.behind if not _overlaps(one, found)]
        self._merged = found
        return self._judge(after_hand=after_hand)

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        self._rules = rules
        if self.settled is None:
            return None
        return self._judge(after_hand=self.settled.after_hand)

    def told(
        self, news: Mapping[int, SettledTable], words: Mapping[int, Tile | None]
    ) -> SettledTable:
        """Take in what a person said of tiles; nothing else of those tables counts yet.

        Parameters
        ----------
        news
            The tables of watchers that were told, by their numbers.
        words
            What was said of the tiles with these ids; None where there is none.
        """
        gone = {number for number, tile in words.items() if tile is None}
        lost = {seen for number in gone for seen in self.seen_by(number)}
        self._merged = [
            _worded(one, words.get(one.tile.id)) for one in self._merged if one.tile.id not in gone
        ]
        views = [
            replace(view, table=_told(view, news.get(view.source), lost), accused=frozenset())
            for view in self.views
        ]
        after_hand = self.settled is not None and self.settled.after_hand
        return self.settle(views, self._shape, after_hand=after_hand)

    def move_to(self, move: Floats, shape: tuple[int, int]) -> None:
        """Go over to the picture of another camera, whose pixels `move` leads to."""
        self._shape = shape
        self._merged = [
            replace(one, tile=replace(one.tile, quad_img=moved(one.tile.quad_img, move)))
            for one in self._merged
        ]
        self.views = tuple(replace(view, move=move @ view.move) for view in self.views)
        if self.settled is not None:
            tiles = tuple(
                replace(tile, quad_img=moved(tile.quad_img, move)) for tile in self.settled.tiles
            )
            height, width = shape
            left_out = moved(self.settled.left_out_img, move)
            self.settled = replace(
                self.settled, tiles=tiles, width_px=width, height_px=height, left_out_img=left_out
            )

    def is_of(self, views: Sequence[AlignedView]) -> bool:
        """Tell whether the table was settled from just these views."""
        if self._marked or len(views) != len(self.views):
            return False
        return all(
            one.table is other.table and np.array_equal(one.move, other.move)
            for one, other in zip(views, self.views, strict=True)
        )

    def show_covered(
        self, covered: Mapping[int, SettledTable], views: Sequence[AlignedView]
    ) -> bool:
        """Mark the tiles that something covers and nobody else sees; tell whether there are any.

        Parameters
        ----------
        covered
            The tables of watchers before which something lies, by their numbers.
        views
            Of the cameras that see the table uncovered.
        """
        hidden = {
            (source, tile.id)
            for source, table in covered.items()
            for tile in table.tiles
            if tile.status == "covered"
        }
        here = {view.source for view in views}
        quads = [moved(tile.quad_img, view.move) for view in views for tile in view.table.tiles]
        lost = {
            one.tile.id
            for one in self._merged
            if hidden & set(one.seen_by)
            and not here & {source for source, _ in one.seen_by}
            and not any(quad_iou(one.tile.quad_img, quad) > CLASH for quad in quads)
        }
        if self.settled is not None and lost - self._marked:
            self._marked |= lost
            tiles = tuple(
                replace(tile, status="covered") if tile.id in lost else tile
                for tile in self.settled.tiles
            )
            self.settled = replace(self.settled, tiles=tiles)
        return bool(lost)

    def _judge(self, *, after_hand: bool) -> SettledTable:
        self._number += 1
        self._marked = set()
        tiles = [unasked(one.tile) for one in self._merged]
        self.settled = self._judged(tiles, after_hand=after_hand)
        if ends := open_to_cameras(self.settled, self._merged, self.views, self._rules):
            tiles = [asked(tile, ends.get(tile.id, "")) for tile in tiles]
            self.settled = self._judged(tiles, after_hand=after_hand)
        return self.settled

    def _judged(self, tiles: Sequence[SeenTile], *, after_hand: bool) -> SettledTable:
        picture = Picture(self._shape)
        judged = settled_table(self._number, tiles, self._rules, picture, after_hand=after_hand)
        left_out = [moved(view.table.left_out_img, view.move) for view in self.views]
        return replace(judged, left_out_img=np.concatenate(left_out))

    def _named(self, found: Sequence[Merged]) -> list[Merged]:
        """Give every tile the id that it had with any of the cameras."""
        taken: set[int] = set()
        named = []
        for one in found:
            known = [self._ids[seen] for seen in one.seen_by if seen in self._ids]
            number = next((number for number in known if number not in taken), None)
            number = self._new_id(one.seen_by[0], taken) if number is None else number
            taken.add(number)
            self._ids |= dict.fromkeys(one.seen_by, number)
            named.append(replace(one, tile=replace(one.tile, id=number)))
        self._given |= taken
        return named

    def _with_words(self, found: Sequence[Merged]) -> list[Merged]:
        """Keep a person's word for a tile that stays while the camera that was told is lost."""
        here = {view.source for view in self.views}
        told = {
            (view.source, tile.id)
            for view in self.views
            for tile in view.table.tiles
            if tile.status == "corrected"
        }
        worded, words = [], self._words
        self._words = {}
        for one in found:
            number, by = one.tile.id, frozenset(source for source, _ in told & {*one.seen_by})
            tile, before = words.get(number, (one.tile.reading.tile, by))
            if by:
                self._words[number] = one.tile.reading.tile, by
            elif before and not before & here:
                self._words[number] = tile, before
                worded.append(replace(one, tile=_by_word(one.tile, tile)))
                continue
            worded.append(one)
        return worded

    def _new_id(self, seen: tuple[int, int], taken: Collection[int]) -> int:
        source, own = seen
        number = own_id(source, own)
        while number in self._given or number in taken:
            number += OWN_IDS * OWN_IDS
        return number

    def _cameras_of(self, one: Merged) -> set[str]:
        return {self._cameras[source] for source, _ in one.seen_by}

    @staticmethod
    def _kept(one: Merged) -> Merged:
        return replace(one, tile=replace(one.tile, status="covered"))


def own_id(source: int, number: int = 0) -> int:
    """Return the id by which others know a tile that only one watcher sees."""
    return source * OWN_IDS + number


def _overlaps(one: Merged, others: Sequence[Merged]) -> bool:
    quad = one.tile.quad_img
    return any(quad_iou(quad, other.tile.quad_img) > CLASH for other in others)


def _worded(one: Merged, tile: Tile | None) -> Merged:
    """Return a tile with what a person said of it, for as long as no camera sees it."""
    return (
        one if tile is None else replace(one, tile=replace(one.tile, reading=Reading(tile, 1.0)))
    )


def _by_word(seen: SeenTile, tile: Tile) -> SeenTile:
    status: Status = "corrected" if seen.status == "seen" else seen.status
    return replace(seen, reading=Reading(tile, 1.0), status=status)


def _told(
    view: AlignedView, news: SettledTable | None, lost: Collection[tuple[int, int]]
) -> SettledTable:
    """Return a table with what a person said of its tiles, and what that leaves to be asked."""
    now = {tile.id: tile for tile in news.tiles} if news else {}
    said = {number: tile for number, tile in now.items() if tile.status == "corrected"}
    kept = [
        said.pop(tile.id, asked_as(tile, now.get(tile.id)))
        for tile in view.table.tiles
        if (view.source, tile.id) not in lost
    ]
    left_out = (news or view.table).left_out_img
    return replace(view.table, tiles=(*kept, *said.values()), left_out_img=left_out)
