"""The tiles that are known to lie on the table, and what a new look at it makes of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.crops import straighten
from vision.doubts import IS_IT_ONE
from vision.watching.ballot import match_places
from vision.watching.sights import SeenTile
from vision.watching.votes import vote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.tiles import Tile
    from vision.types import Floats, Pixels, Reading
    from vision.watching.ballot import Place
    from vision.watching.sights import Status

PATCH_SIZE = (20, 28)
WITHIN = -0.25  # of the tile's sides: its edges and shadows say nothing about its face
SAME_PATCH = 0.85  # correlation
VERY_SAME_PATCH = 0.97  # faces that differ come close to it, but are told apart when read
MOST_VOTES = 6  # of a tile that stays
CHANGED = "This tile changed though no hand was seen: is it {now}, or still {before}?"
VANISHED = "This tile vanished though no hand was seen: does {before} still lie here?"
APPEARED = "This tile appeared though no hand was seen: does {now} lie here?"


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A tile that lies on the table.

    Attributes
    ----------
    votes
        Its last readings; a person's word is the only one.
    patch
        (h, w, 3) float32: its picture, standardised.
    pinned
        Whether a person said what it is.
    absent
        A person said that no tile lies here.
    read_as
        What was read where a person said otherwise.
    covered
        Whether its place is out of the picture, or something lies over it just now.
    doubt
        What is strange about it, beyond its readings.
    recalled
        Whether it was known to another watcher, before this one began: what it looks like is not
        known then, and its reading tells only where the table lies.
    """

    id: int
    quad_img: Floats
    votes: tuple[Reading, ...]
    patch: Floats
    pinned: bool = False
    absent: bool = False
    read_as: Tile | None = None
    covered: bool = False
    doubt: str = ""
    recalled: bool = False

    @property
    def said(self) -> bool:
        """Whether a person said what it is, or that it is none."""
        return self.pinned or self.absent

    @property
    def reading(self) -> Reading:
        """What it reads, with its doubts."""
        reading = vote(self.votes)
        return replace(reading, doubt=self.doubt) if self.doubt else reading

    def shown(self) -> SeenTile:
        """Return the tile as others see it."""
        status: Status = "corrected" if self.pinned else "seen"
        if self.doubt:
            status = "doubtful"
        elif self.covered:
            status = "covered"
        return SeenTile(self.id, self.reading, self.quad_img, status)

    def looks_the_same(self, look: Look, place: Place | None = None) -> bool:
        """Tell whether the frame shows the same picture in the tile's place.

        If a hand was there, and the tile in `place` is read with no doubt as another, it has to
        look very much the same.
        """
        other = look.hand_seen and place is not None and place.unanimous
        least = VERY_SAME_PATCH if other else SAME_PATCH
        return self.likeness(look.pixels, self.quad_img) > least

    def likeness(self, pixels: Pixels, quad_img: Floats) -> float:
        """Return how far what lies in a place looks like the tile, up to 1."""
        return float((self.patch * patch_of(pixels, quad_img)).mean())


@dataclass(frozen=True, slots=True)
class Look:
    """What is known of a still table beside the readings.

    Attributes
    ----------
    pixels
        (h, w, 3) uint8, the frame.
    hand_seen
        Whether a hand may have moved tiles since the table before.
    dim
        Whether the light is so low that faces that are not read mean nothing.
    is_covered
        Tells of a quad whether something that is no tile lies over it.
    was_visible
        Tells of a quad whether its place was in the picture before.
    refound
        Whether the tiles were known from another picture, in which nothing was seen of what has
        happened since. A person's word is not given up for that.
    unwatched
        Whether nobody looked for a while, so that tiles may have come and gone. One that lies in
        the place of another, and reads as something else, is asked about all the same.
    """

    pixels: Pixels
    hand_seen: bool
    dim: bool
    is_covered: Callable[[Floats], bool]
    was_visible: Callable[[Floats], bool]
    refound: bool = False
    unwatched: bool = False


def patch_of(pixels: Pixels, quad_img: Floats) -> Floats:
    """Cut a tile out, (h, w, 3) float32, so that light and shade drop out: mean 0, deviation 1.

    The colours keep their proportions: a red 7 differs from a blue one.
    """
    crop = straighten(pixels, quad_img, PATCH_SIZE, WITHIN).astype(np.float32)
    soft = np.asarray(cv2.GaussianBlur(crop, (0, 0), 0.8), np.float32)
    soft -= soft.mean((0, 1))
    return np.asarray(soft / max(float(soft.std()), 1.0), np.float32)


def reconcile(
    known: Sequence[Known], places: Sequence[Place], look: Look, next_id: int
) -> list[Known]:
    """Bring what is known up to what was read.

    Parameters
    ----------
    known
        The tiles as they lay, their quads where the camera sees them now.
    places
        Where tiles were read now, and what.
    next_id
        Id for the first tile that is new.
    """
    seats = match_places([tile.quad_img for tile in known], [place.quad_img for place in places])
    read = {held: places[number] for number, held in seats.items()}
    result: list[Known] = []
    for number, tile in enumerate(known):
        if tile.recalled and not tile.said:
            continue
        kept = _again(tile, read[number], look) if number in read else _unread(tile, look)
        if kept is not None:
            result.append(_pictured(kept, look) if look.refound else kept)
    kept_ids = {tile.id for tile in result}
    lost_seats = {held for held in read if known[held].id not in kept_ids}
    pushed = [tile for tile in known if tile.absent and tile.id not in kept_ids]
    for number, place in enumerate(places):
        if number in seats and seats[number] not in lost_seats:
            continue
        thing = next((tile for tile in pushed if _is_pushed_to(tile, place, look)), None)
        if thing is not None:
            pushed.remove(thing)
            patch = patch_of(look.pixels, place.quad_img)
            result.append(replace(thing, quad_img=place.quad_img, patch=patch, covered=False))
            continue
        doubt = "" if number in seats else _appeared(place, look)
        result.append(_new(next_id, place, look, doubt))
        next_id += 1
    return result


def _is_pushed_to(tile: Known, place: Place, look: Look) -> bool:
    """Tell whether what a person said is no tile lies in another place now.

    A tile that surely is one counts, however much it looks like that thing.
    """
    seen = place.reading
    return (
        seen.doubt in IS_IT_ONE
        and seen.tile == tile.read_as
        and tile.likeness(look.pixels, place.quad_img) > VERY_SAME_PATCH
    )


def _pictured(tile: Known, look: Look) -> Known:
    """Return a tile that was known from another picture with what it looks like in this one."""
    if tile.covered or tile.doubt:
        return tile
    return replace(tile, patch=patch_of(look.pixels, tile.quad_img), recalled=False)


def _new(number: int, place: Place, look: Look, doubt: str) -> Known:
    quad = place.quad_img
    votes = tuple(place.readings)
    return Known(number, quad, votes, patch_of(look.pixels, quad), doubt=doubt)


def _appeared(place: Place, look: Look) -> str:
    if look.hand_seen or look.unwatched or not look.was_visible(place.quad_img):
        return ""
    return APPEARED.format(now=place.reading.tile.words)


def _again(tile: Known, place: Place, look: Look) -> Known | None:
    """Return a tile in whose place one was read; None if that is another one."""
    if tile.said:
        return _word_kept(tile, place, look)
    fresh = place.reading
    votes = (*tile.votes, *place.readings)[-MOST_VOTES:]
    if fresh.tile == vote(tile.votes).tile:
        quad = place.quad_img
        patch = patch_of(look.pixels, quad)
        return Known(tile.id, quad, _settled_votes(tile, place, votes), patch)
    if tile.looks_the_same(look, place):
        return replace(tile, votes=votes, covered=False, doubt="")
    if look.hand_seen:
        return None
    if look.dim and fresh.unsure:
        return replace(tile, covered=False)
    before, now = vote(tile.votes).tile.words, fresh.tile.words
    # Where nobody looked it may well be another tile by now: what is read is what is asked about.
    earlier = () if look.unwatched else tile.votes[-len(place.readings) :]
    votes = (*earlier, *place.readings)
    return replace(tile, votes=votes, covered=False, doubt=CHANGED.format(now=now, before=before))


def _settled_votes(tile: Known, place: Place, votes: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """Count old votes, too, unless they were doubts that are gone."""
    if place.unanimous and vote(tile.votes).unsure:
        return tuple(place.readings)
    return votes


def _word_kept(tile: Known, place: Place, look: Look) -> Known | None:
    """Keep a person's word until the tile moves."""
    expected = {tile.read_as} if tile.absent else {tile.read_as, vote(tile.votes).tile}
    if place.reading.tile in expected or tile.looks_the_same(look, place):
        return replace(tile, covered=False, doubt="")
    if look.hand_seen and not look.refound:
        return None
    if tile.absent or look.dim:
        return tile
    before, now = vote(tile.votes).tile.words, place.reading.tile.words
    return replace(tile, covered=False, doubt=CHANGED.format(now=now, before=before))


def _unread(tile: Known, look: Look) -> Known | None:
    """Return a tile in whose place none was read; None if it is gone."""
    height, width = look.pixels.shape[:2]
    x, y = tile.quad_img.mean(0)
    if not (0 <= x <= width and 0 <= y <= height):
        return replace(tile, covered=True, doubt="")
    if tile.looks_the_same(look):
        return replace(tile, covered=False)
    if look.is_covered(tile.quad_img):
        # What is not there hides nowhere: nobody need uncover it.
        return tile if tile.absent else replace(tile, covered=True, doubt="")
    unseen = look.unwatched and not (tile.said or look.dim)
    if unseen or (look.hand_seen and not (look.refound and tile.said)):
        return None
    never_read = tile.recalled and tile.read_as is None
    if look.dim or tile.absent or never_read:
        return tile
    before = vote(tile.votes).tile.words
    return replace(tile, covered=False, doubt=VANISHED.format(before=before))
