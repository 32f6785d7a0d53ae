"""Examine: what each box holds by itself, its corners, its way up, its number and ink.

Each box is first turned into a true quad (corner finder), then the straightened tile is looked
at both ways up (reader); the way that makes sense is up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.crops import balance, ink_above, printed_boxes, straighten_for
from vision.faces import (
    LIKELY,
    NOT_UPRIGHT,
    TWIN_COLUMNS,
    both_ways,
    four_ways,
    has_ink,
    is_plainly_upright,
    lies,
    log_softmax,
    ways_up_known,
)
from vision.network import Network, load_network
from vision.outlines import lie_alike, looks_wide, nearer, times_nearer
from vision.quads import axes, turned_round
from vision.reading.contrast import bring_out, grain_of, ink_on
from vision.reading.corners import CornerFinder
from vision.reading.sight import Look, upright_rows
from vision.tiers import hidden_feet

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Flags, Floats, Pixels

CERTAINLY = 30.0  # logit
# How likely a number is that needs no second look, and from how much nearer that one is.
CLEAR, NEAR = 0.98, 1.2
# How many times as near a number is small, and how wide a tile is, px, if more is to be seen so.
SMALL, SHARP_PX = 1.35, 28.0


class Corrects(Protocol):
    """Corrects the logits of n crops by what the network's last layers see."""

    def apply(
        self, numbers: Floats, colours: Floats, seen: Floats, tint: Floats
    ) -> tuple[Floats, Floats]:
        """Return (n, 15) and (n, 4) from such logits and from (n, f) and (n, g)."""


@dataclass(frozen=True, slots=True)
class Examiner:
    """Looks at each tile alone.

    Attributes
    ----------
    corners
        Finds the corners of what is in a box.
    faces
        Network from straightened tiles to number and colour.
    correction
        What its answers are corrected by, for a set that was taught.
    """

    corners: CornerFinder
    faces: Network
    correction: Corrects | None = None

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Examiner:
        """Load the networks of a folder, or those that come with the program.

        Raises
        ------
        ResourceError
            If one is missing or damaged.
        """
        return cls(CornerFinder.load(models_dir), load_network("reader", models_dir))

    @property
    def networks(self) -> tuple[Network, Network]:
        """The networks that it looks with."""
        return self.corners.network, self.faces

    def examine(self, pixels: Pixels, boxes: Floats) -> tuple[Floats, Look, Floats]:
        """Return what is in n boxes, upright: quads (n, 4, 2), a look, numbers (n, 15)."""
        quads = self.corners.find(pixels, boxes)
        quads, look = self._right_way_up(pixels, quads)
        look = self.look_closer(pixels, quads, look)
        look = self.look_past_grain(pixels, quads, look)
        look = self.look_whole(pixels, quads, look)
        numbers, turned = self.weigh(look, quads)
        return turned_round(quads, turned), look.upright(turned), numbers

    def face_logits(self, pixels: Pixels, quads: Floats, *, sparing: bool = False) -> Look:
        """Look at n quads as cut out, then at the same turned round.

        A sparing look begins with the way up that has more ink above. What is plainly upright so
        is not looked at the other way up, and there counts as showing nothing.
        """
        image = self._cut(pixels, quads)
        both = np.concatenate([image, image[:, :, ::-1, ::-1]])
        if not sparing:
            return Look(both, *self._logits(both))
        rows = np.arange(len(quads))
        first = np.where(ink_above(image), rows, rows + len(quads))
        second = (first + len(quads)) % len(both)
        seen = self._logits(both[first])
        plain = is_plainly_upright(log_softmax(seen[0] / self._number_temperature))
        looks = [np.zeros((len(both), logits.shape[1]), np.float32) for logits in seen]
        looks[0][:, NOT_UPRIGHT] = CERTAINLY
        for look, logits in zip(looks, seen, strict=True):
            look[first] = logits
        if not plain.all():
            unseen = second[~plain]
            for look, logits in zip(looks, self._logits(both[unseen]), strict=True):
                look[unseen] = logits
        return Look(both, *looks)

    def look_closer(self, pixels: Pixels, quads: Floats, look: Look) -> Look:
        """Return how n quads look when numbers in doubt are looked at from nearer, too.

        Makers print numbers large and small, and a reader is best at what is usual. A small one
        counts as it looks from nearer, and from so near that it is as large as most; the colours
        stay as they were seen. A set that was taught is known at the size that its numbers have.
        """
        if self.correction is not None:
            return look
        numbers, turned = self.weigh(look)
        rows, upright = upright_rows(turned), turned_round(quads, turned)
        # Every other pixel is plenty for where a number is.
        coarse = look.crops[rows, :, ::2, ::2]
        times = times_nearer(printed_boxes(coarse, float(self.faces.settings["margin"])))
        _, _, width_px, _ = axes(quads)
        small = (times >= SMALL) & (width_px >= SHARP_PX) & (numbers[:, NOT_UPRIGHT] < LIKELY)
        asked = np.flatnonzero(small | (has_ink(numbers) & (numbers.max(1) < CLEAR)))
        if len(asked) == 0:
            return look
        small, rows, upright = small[asked], rows[asked], upright[asked]
        number, _, seen, _ = self._logits(
            self._cut(pixels, nearer(upright, np.where(small, times[asked], NEAR)))
        )
        first_number, first_seen = look.numbers[rows], look.seen[rows]
        if small.any():
            first_number[small], _, first_seen[small], _ = self._logits(
                self._cut(pixels, nearer(upright[small], NEAR))
            )
        numbers, all_seen = look.numbers.copy(), look.seen.copy()
        numbers[rows], all_seen[rows] = (number + first_number) / 2, (seen + first_seen) / 2
        return look._replace(numbers=numbers, seen=all_seen)

    def look_past_grain(self, pixels: Pixels, quads: Floats, look: Look) -> Look:
        """Return how n quads look when numbers in doubt on a grained face are brought out of it.

        Where that makes ink stand out far better, they count as they look so.
        """
        if self.correction is not None:
            return look
        numbers, turned = self.weigh(look)
        asked = np.flatnonzero(numbers[:, :NOT_UPRIGHT].max(1) < CLEAR)
        rows = upright_rows(turned)
        if len(asked) == 0 or (grain := grain_of(look.crops[rows[has_ink(numbers)]])) is None:
            return look
        ink, stands_out = ink_on(look.crops[rows[asked]], grain)
        if not stands_out.any():  # as on most that is not wood
            return look
        asked, ink = asked[stands_out], ink[stands_out]
        near = self._cut(pixels, nearer(turned_round(quads, turned)[asked], NEAR))
        views = np.concatenate(
            [bring_out(crops, ink, grain) for crops in (look.crops[rows[asked]], near)]
        )
        number, _, seen, _ = self._logits(np.concatenate([views, views[:, :, ::-1, ::-1]]))
        numbers, all_seen = look.numbers.copy(), look.seen.copy()
        both = np.concatenate([rows[asked], upright_rows(~turned)[asked]])
        for of_all, brought_out in ((numbers, number), (all_seen, seen)):
            of_all[both] = brought_out.reshape(2, 2, len(asked), -1).mean(1).reshape(len(both), -1)
        return look._replace(numbers=numbers, seen=all_seen)

    def look_whole(self, pixels: Pixels, quads: Floats, look: Look) -> Look:
        """Return how n quads look when those of which another tile hides the foot have one.

        What is clear as it is stays so, but for a 6 and a 9: which of them it is, where it stands
        on the tile tells.
        """
        count = len(quads)
        whole, hidden = hidden_feet(quads)
        if not hidden.any():  # as on most tables
            return look
        numbers, _ = self.weigh(look)
        clear = (numbers.max(1) >= CLEAR) & (numbers[:, TWIN_COLUMNS].sum(1) < LIKELY)
        hidden = (hidden & ~clear).ravel()
        rows = np.flatnonzero(hidden)
        if len(rows) == 0:
            return look
        shown = turned_round(whole.reshape(-1, 4, 2)[rows], rows >= count)
        number, _, seen, _ = self._logits(self._cut(pixels, shown))
        numbers, all_seen = look.numbers.copy(), look.seen.copy()
        numbers[rows], all_seen[rows] = number, seen
        # Where nothing hides the other end the foot is not there, if this one reads.
        logs = log_softmax(number / self._number_temperature)
        other = (rows + count) % (2 * count)
        other = other[~hidden[other] & (logs[:, :NOT_UPRIGHT].max(1) >= np.log(CLEAR))]
        numbers[other] = 0
        numbers[other, NOT_UPRIGHT] = CERTAINLY
        return look._replace(numbers=numbers, seen=all_seen)

    def _cut(self, pixels: Pixels, quads: Floats) -> Floats:
        """Return n quads straightened and balanced, as the reader looks at them."""
        return balance(straighten_for(self.faces, pixels, quads))

    def _logits(self, image: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return numbers, colours and what tells them of (n, 3, h, w), as a taught set has it."""
        numbers, colours, seen, tint = self.faces.run(image)
        if self.correction is not None:
            numbers, colours = self.correction.apply(numbers, colours, seen, tint)
        return numbers, colours, seen, tint

    def weigh(self, look: Look, quads: Floats | None = None) -> tuple[Floats, Flags]:
        """Return the number probabilities (n, 15) of n tiles, and which to turn round, (n,).

        Where quads (n, 4, 2) are given, too, the tiles of a row likely lie the same way up.
        """
        logs = log_softmax(look.numbers / self._number_temperature)
        numbers, turned = both_ways(logs)
        if quads is None:
            return numbers, turned
        lean = lie_alike(turned_round(quads, turned), ways_up_known(numbers))
        return both_ways(logs, np.where(turned, -lean, lean))

    def _right_way_up(self, pixels: Pixels, quads: Floats) -> tuple[Floats, Look]:
        """Return the quads, those a quarter turn on that make sense only so, and how they look.

        Seen from low a tile looks as wide as tall, or wider, and its box may be on its side. Then
        either its outline is too wide for a tile, or there is nothing to read either way up.

        Returns
        -------
        quads, look
            (n, 4, 2), and `face_logits` of them.
        """
        look = self.face_logits(pixels, quads, sparing=True)
        logs = log_softmax(look.numbers / self._number_temperature)
        blank = both_ways(logs)[0][:, NOT_UPRIGHT] > LIKELY
        plain = np.logical_or(*np.split(is_plainly_upright(logs), 2))
        doubtful = np.flatnonzero(blank | (looks_wide(quads) & ~plain))
        if len(doubtful) == 0:
            return quads, look
        on_their_side = np.roll(quads[doubtful], 1, 1)
        side = self.face_logits(pixels, on_their_side)
        side_logs = log_softmax(side.numbers / self._number_temperature)
        both = np.concatenate([doubtful, doubtful + len(quads)])
        readable = both_ways(side_logs)[0][:, :NOT_UPRIGHT].max(1) > LIKELY
        lying = lies(four_ways(logs[both], side_logs)) & readable
        turned, sides = doubtful[lying], np.tile(lying, 2)
        rows = np.concatenate([turned, turned + len(quads)])
        quads = quads.copy()
        quads[turned] = on_their_side[lying]
        for here, there in zip(look, side, strict=True):
            here[rows] = there[sides]
        return quads, look

    @property
    def _number_temperature(self) -> float:
        return float(self.faces.settings["number_temperature"])
