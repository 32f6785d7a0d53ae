"""Read: number, colour and upright direction of every detected tile, in one batch.

Each box is first turned into a true quad (corner finder), then the straightened tile is read
both ways up (reader); the way that makes sense is up. Colours are settled by the whole picture
(palette), and so is which boxes hold a tile at all (verifier).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from vision.colours import clues
from vision.crops import balance, face_light, ink_above, straighten
from vision.doubts import reading_of
from vision.faces import (
    LIKELY,
    NOT_UPRIGHT,
    both_ways,
    face_probabilities,
    four_ways,
    has_ink,
    is_plainly_upright,
    lies,
    log_softmax,
    ways_up_known,
)
from vision.network import Network, load_network
from vision.outlines import (
    beside,
    cut_off,
    inside,
    is_plausible,
    lie_alike,
    looks_wide,
)
from vision.overlooked import next_in_rows
from vision.sight import Look, Sight
from vision.suspects import SURELY, remaining, suspicions
from vision.types import Readings
from vision.verify import HINTED, chances, evidence

if TYPE_CHECKING:
    from pathlib import Path

    from vision.adjacency import Indices
    from vision.types import Detections, Flags, Floats, Pixels

CERTAINLY = 30.0  # logit
LOOKS = 2  # at a tile's corners


class Corrects(Protocol):
    """Corrects the logits of n crops by what the network's last layers see."""

    def apply(
        self, numbers: Floats, colours: Floats, seen: Floats, tint: Floats
    ) -> tuple[Floats, Floats]:
        """Return (n, 15) and (n, 4) from such logits and from (n, f) and (n, g)."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads detected tiles; holds its networks, so make one and keep it.

    Attributes
    ----------
    corners
        Network from crops around boxes to corners.
    faces
        Network from straightened tiles to number and colour.
    palette
        Network that settles the colours of all tiles of a picture together; without it each
        tile's own reading counts.
    verifier
        Network that weighs which boxes hold a tile; without it all may.
    correction
        What its answers are corrected by, for a set that was taught.
    looks
        How often the corners are looked for, each time from where they were found before.
    """

    corners: Network
    faces: Network
    palette: Network | None = None
    verifier: Network | None = None
    correction: Corrects | None = None
    looks: int = LOOKS

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Reader:
        """Load the networks of a folder, or those that come with the program.

        Raises
        ------
        ResourceError
            If one is missing or damaged.
        """
        return replace(
            cls.alone(models_dir),
            palette=load_network("palette", models_dir),
            verifier=load_network("verifier", models_dir),
        )

    @classmethod
    def alone(cls, models_dir: Path | None = None) -> Reader:
        """Load those that look at each tile alone, as `load`."""
        return cls(load_network("corners", models_dir), load_network("reader", models_dir))

    @property
    def network_ms(self) -> float:
        """Milliseconds spent inside the networks in the last call."""
        return sum(network.spent_ms for network in self._networks)

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        """Read every detected tile of (h, w, 3) uint8 BGR pixels, and turn its quad upright.

        Tiles of a row that the detector all but missed are found from those beside them.
        """
        for network in self._networks:
            network.reset_clock()
        if len(detections) == 0:
            return Readings(detections.quads_img, ())
        found = self._sight(pixels, detections.quads_img, detections.confidences)
        readings, kept = self._judge(pixels, found)
        found = found.take(kept)

        def unfound(places: Floats) -> Readings:
            # Beside what was found: its colours and its light say more of a place's.
            both = found.beside(self._sight(pixels, places))
            seen, rows = self._judge(pixels, both)
            new = np.flatnonzero(rows >= len(kept))
            if len(new):  # mostly nothing can be read there, and weighing all takes time
                new = new[self._tiles(pixels, both)[rows[new]]]
            return Readings(seen.quads_img[new], tuple(seen.readings[i] for i in new))

        stands, missed = next_in_rows(readings, detections.hints_img, unfound)
        if len(missed) == 0:
            return readings
        found = found.take(np.flatnonzero(stands))
        return self._judge(pixels, found.beside(self._sight(pixels, missed)))[0]

    def _sight(self, pixels: Pixels, boxes: Floats, confidences: Floats | None = None) -> Sight:
        """See what is in boxes (n, 4, 2), n above nought, found with confidences (n,) or not."""
        quads, look, numbers = self.examine(pixels, boxes)
        if confidences is None:
            confidences = np.zeros(len(quads), np.float32)
            genuine = np.ones(len(quads), np.float32)
        else:
            genuine = self._genuine(pixels, quads, numbers, look, confidences)
        return Sight(look, quads, numbers, face_light(pixels, quads), genuine, confidences)

    def _genuine(
        self, pixels: Pixels, quads: Floats, numbers: Floats, look: Look, confidences: Floats
    ) -> Floats:
        """Return how likely each of n boxes holds a tile, (n,), from the same as `evidence`."""
        if self.verifier is None:
            return np.ones(len(quads), np.float32)
        return chances(self.verifier, evidence(pixels, quads, numbers, look, confidences))

    def _tiles(self, pixels: Pixels, sight: Sight) -> Flags:
        """Tell which of n boxes surely hold tiles, found or not, (n,)."""
        scores = np.maximum(sight.confidences, HINTED)
        genuine = self._genuine(pixels, sight.quads_img, sight.numbers, sight.look, scores)
        return np.asarray(genuine >= SURELY)

    def _judge(self, pixels: Pixels, sight: Sight) -> tuple[Readings, Indices]:
        """Say what n tiles show, all weighed together; return which of them remain, too."""
        quads, numbers = sight.quads_img, sight.numbers
        colours = self.settle(sight.look, numbers, sight.light, quads)
        temperature = float(self.faces.settings["colour_temperature"])
        faces = face_probabilities(numbers, np.exp(log_softmax(colours / temperature)))
        cut = cut_off(quads, pixels.shape[1], pixels.shape[0])
        against = lie_alike(quads, np.ones(len(quads), np.bool_)) < -1
        row, sure = beside(quads), float(self.faces.settings["sure"])
        keep = remaining(sight, row, faces.max(1), sure, cut)
        rows = np.flatnonzero(keep)
        nothing = numbers[:, NOT_UPRIGHT]
        readings = [
            reading_of(
                faces[i], float(nothing[i]), sure, is_cut=bool(cut[i]), turned=bool(against[i])
            )
            for i in rows
        ]
        unsure = np.array([reading.unsure for reading in readings], np.bool_)
        for where, doubt in suspicions(sight, row, keep, unsure):
            for i in np.flatnonzero(where & ~cut[rows]):
                readings[i] = replace(readings[i], doubt=doubt)
        return Readings(quads[keep], tuple(readings)), rows

    def examine(self, pixels: Pixels, boxes: Floats) -> tuple[Floats, Look, Floats]:
        """Return what is in n boxes, upright: quads (n, 4, 2), a look, numbers (n, 15)."""
        quads = self.find_corners(pixels, boxes)
        quads, look = self._right_way_up(pixels, quads)
        numbers, turned = self.weigh(look, quads)
        quads[turned] = np.roll(quads[turned], 2, 1)
        return quads, look.upright(turned), numbers

    def find_corners(self, pixels: Pixels, boxes: Floats) -> Floats:
        """Return the quads (n, 4, 2) that the tiles in the boxes really fill.

        The second look starts from where the first one ended, and so sees less slant.
        """
        quads = boxes
        for _ in range(self.looks):
            found = self._corners_in(pixels, quads)
            plausible = [is_plausible(*pair) for pair in zip(found, boxes, strict=True)]
            quads = np.where(np.array(plausible)[:, None, None], found, quads).astype(np.float32)
        return quads

    def _corners_in(self, pixels: Pixels, quads: Floats) -> Floats:
        size, margin = self._size(self.corners), float(self.corners.settings["margin"])
        crops = np.stack([straighten(pixels, quad, size, margin) for quad in quads])
        image = (crops[..., ::-1].transpose(0, 3, 1, 2) / np.float32(255)).astype(np.float32)
        corners = self.corners.run(image)[0].reshape(-1, 4, 2)
        pairs = zip(quads, corners, strict=True)
        return np.array([inside(quad, unit) for quad, unit in pairs], np.float32)

    def face_logits(self, pixels: Pixels, quads: Floats, *, sparing: bool = False) -> Look:
        """Look at n quads as cut out, then at the same turned round.

        A sparing look begins with the way up that has more ink above. What is plainly upright so
        is not looked at the other way up, and there counts as showing nothing.
        """
        size, margin = self._size(self.faces), float(self.faces.settings["margin"])
        image = balance(np.stack([straighten(pixels, quad, size, margin) for quad in quads]))
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
        upright = np.where(turned[:, None, None], np.roll(quads, 2, 1), quads)
        lean = lie_alike(upright, ways_up_known(numbers))
        return both_ways(logs, np.where(turned, -lean, lean))

    def settle(self, look: Look, numbers: Floats, light: Floats, quads: Floats) -> Floats:
        """Return the colour logits of n upright tiles, reconsidered in the light of them all.

        Parameters
        ----------
        look
            Of the tiles as they are upright, n of each.
        numbers
            (n, 15) probabilities; only what bears a number has an ink.
        light
            (n,) from `face_light`.
        quads
            (n, 4, 2) px.
        """
        colours = look.colours.copy()
        inked = has_ink(numbers)
        if self.palette is not None and inked.any():
            told = clues(look.crops[inked], look.tint[inked], light[inked], quads[inked])
            colours[inked] += self.palette.run(told)[0]
        return colours

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
    def _networks(self) -> tuple[Network, ...]:
        given = self.corners, self.faces, self.palette, self.verifier
        return tuple(network for network in given if network is not None)

    @property
    def _number_temperature(self) -> float:
        return float(self.faces.settings["number_temperature"])

    @staticmethod
    def _size(network: Network) -> tuple[int, int]:
        width, height = network.settings["input"]["size"]
        return int(width), int(height)
