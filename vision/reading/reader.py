"""Read: number, colour and upright direction of every detected tile, all weighed together.

Each tile is first looked at alone (`examine.py`). Numbers and colours are settled by the whole
picture (typeface; palette and `heaps.py`), and so is which boxes hold a tile at all (verifier).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import face_light
from vision.doubts import reading_of
from vision.faces import NOT_UPRIGHT, face_probabilities, has_ink, log_softmax
from vision.network import Network, load_network
from vision.outlines import beside, cut_off, lie_alike
from vision.reading.colours import INK, UNSEEN, clues, is_grey
from vision.reading.examine import Examiner
from vision.reading.heaps import tell_apart
from vision.reading.overlooked import next_in_rows
from vision.reading.sight import Look, Sight
from vision.reading.suspects import SURELY, remaining, suspicions
from vision.reading.typeface import settled
from vision.reading.verify import HINTED, chances, evidence
from vision.types import Readings

if TYPE_CHECKING:
    from pathlib import Path

    from vision.types import Detections, Flags, Floats, Indices, Pixels


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads detected tiles; holds its networks, so make one and keep it.

    Attributes
    ----------
    examiner
        Looks at each tile alone.
    palette
        Network that settles the colours of all tiles of a picture together; without it each
        tile's own reading counts.
    verifier
        Network that weighs which boxes hold a tile; without it all may.
    typeface
        Network that settles the numbers of all tiles of a picture together; without it each
        tile's own reading counts.
    """

    examiner: Examiner
    palette: Network | None = None
    verifier: Network | None = None
    typeface: Network | None = None

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Reader:
        """Load the networks of a folder, or those that come with the program.

        Raises
        ------
        ResourceError
            If one is missing or damaged.
        """
        return cls(
            Examiner.load(models_dir),
            load_network("palette", models_dir),
            load_network("verifier", models_dir),
            load_network("typeface", models_dir),
        )

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
        temperature = float(self.examiner.faces.settings["colour_temperature"])
        if is_grey(pixels):
            temperature *= UNSEEN
        judge = partial(self._judge, pixels, temperature)
        found = self._sight(pixels, detections.quads_img, detections.confidences)
        readings, kept = judge(found)
        found = found.take(kept)

        def unfound(places: Floats) -> Readings:
            # Beside what was found: its colours and its light say more of a place's.
            both = found.beside(self._sight(pixels, places))
            seen, rows = judge(both)
            new = np.flatnonzero(rows >= len(kept))
            if len(new):  # mostly nothing can be read there, and weighing all takes time
                new = new[self._tiles(pixels, both)[rows[new]]]
            return Readings(seen.quads_img[new], tuple(seen.readings[i] for i in new))

        stands, missed = next_in_rows(readings, detections, unfound)
        if len(missed) == 0:
            return readings
        found = found.take(np.flatnonzero(stands))
        return judge(found.beside(self._sight(pixels, missed)))[0]

    def _sight(self, pixels: Pixels, boxes: Floats, confidences: Floats | None = None) -> Sight:
        """See what is in boxes (n, 4, 2), n above nought, found with confidences (n,) or not."""
        quads, look, numbers = self.examiner.examine(pixels, boxes)
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

    def _judge(self, pixels: Pixels, temperature: float, sight: Sight) -> tuple[Readings, Indices]:
        """Say what n tiles show, all weighed together; return which of them remain, too.

        `temperature` is of their colours.
        """
        quads, numbers = sight.quads_img, self.settle_numbers(sight.look.seen, sight.numbers)
        settings = self.examiner.faces.settings
        faces = self._faces(sight, numbers, temperature)
        cut = cut_off(quads, pixels.shape[1], pixels.shape[0])
        against = lie_alike(quads, np.ones(len(quads), np.bool_)) < -1
        row, sure = beside(quads), float(settings["sure"])
        keep = remaining(sight, row, faces.max(1), sure, cut)
        rows = np.flatnonzero(keep)
        if 0 < len(rows) < len(keep):  # what is no tile tells nothing of inks
            faces[rows] = self._faces(sight.take(rows), numbers[rows], temperature)
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

    def _faces(self, sight: Sight, numbers: Floats, temperature: float) -> Floats:
        """Return the face probabilities of n tiles, (n, 53), their colours settled together."""
        colours = self.settle_colours(sight.look, numbers, sight.light, sight.quads_img)
        return face_probabilities(numbers, np.exp(log_softmax(colours / temperature)))

    def settle_numbers(self, seen: Floats, numbers: Floats) -> Floats:
        """Return the number probabilities of n upright tiles, (n, 15), weighed together.

        Parameters
        ----------
        seen
            (n, f): what tells the number, of a `Look`.
        numbers
            (n, 15), as each tile alone has them.
        """
        return numbers if self.typeface is None else settled(self.typeface, seen, numbers)

    def settle_colours(self, look: Look, numbers: Floats, light: Floats, quads: Floats) -> Floats:
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
            logs = log_softmax(colours[inked] + self.palette.run(told)[0])
            colours[inked] = tell_apart(logs, told[:, INK])
        return colours

    @property
    def _networks(self) -> tuple[Network, ...]:
        given = *self.examiner.networks, self.palette, self.verifier, self.typeface
        return tuple(network for network in given if network is not None)
