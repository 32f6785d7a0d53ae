"""Read: number, colour and upright direction of every detected tile, in one batch.

Each box is first turned into a true quad (corner finder), then the straightened tile is read
both ways up (reader); the way that makes sense is up. Colours are settled by the whole picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from referee.tiles import Tile
from vision.colours import agree, ink_of
from vision.crops import balance, straighten
from vision.network import Network, load_network
from vision.types import Detections, Reading, Readings

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypeAlias

    from numpy.typing import NDArray

    from vision.types import Floats, Pixels

    Flags: TypeAlias = NDArray[np.bool_]

COLOURS = "RBOK"
FACES: tuple[Tile, ...] = (
    *(Tile.parse(f"{colour}{number}") for number in range(1, 14) for colour in COLOURS),
    Tile.parse("J"),
)
JOKER, NOT_UPRIGHT = 13, 14
# Where numbers and joker faces stand, as parts of the tile: left, top, right, bottom.
NUMBER_ZONE = (0.2, 0.14, 0.8, 0.58)
UNREADABLE = "I can't read this tile: is it covered, turned over or in glare?"
CUT_OFF = "The edge of the picture cuts this tile's number off."
NEARLY = "This could also be {other}."
UPSIDE_DOWN = "This lies upside down beside its neighbours: is it a {other}?"
TWINS = {6: 9, 9: 6}
SURE_DETECTION = 0.6
LOOKS = 2  # at a tile's corners
BESIDE = 2.6  # tile widths from centre to centre
STAGGER = 0.2  # tile heights up or down for each width to the side
ALIGNED = 0.96  # cosine of the angle between neighbours
LIKELY = 0.5
WIDE = 0.82  # wider for its height than a tile is from above: perhaps it lies on its side
MAYBE_NOTHING = 0.3
MOST_ALTERNATIVES = 3
LEAST_ALTERNATIVE = 5e-4
AREA_CHANGE = (0.4, 2.2)  # how much smaller or larger than its box a tile may turn out

_UNIT_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads detected tiles; holds its networks, so make one and keep it.

    Attributes
    ----------
    corners
        Network from crops around boxes to corners.
    faces
        Network from straightened tiles to number and colour.
    """

    corners: Network
    faces: Network

    @classmethod
    def load(cls, models_dir: Path | None = None) -> Reader:
        """Load the networks of a folder, or those that come with the program.

        Raises
        ------
        ResourceError
            If one is missing or damaged.
        """
        return cls(load_network("corners", models_dir), load_network("reader", models_dir))

    @property
    def network_ms(self) -> float:
        """Milliseconds spent inside the networks in the last call."""
        return self.corners.spent_ms + self.faces.spent_ms

    def read(self, pixels: Pixels, detections: Detections) -> Readings:
        """Read every detected tile of (h, w, 3) uint8 BGR pixels, and turn its quad upright."""
        self.corners.reset_clock()
        self.faces.reset_clock()
        if len(detections) == 0:
            return Readings(np.zeros((0, 4, 2), np.float32), ())
        quads = self.find_corners(pixels, detections.quads_img)
        quads = self._which_side_is_up(pixels, quads)
        numbers, colours, turned = self._read_faces(pixels, quads)
        quads[turned] = np.roll(quads[turned], 2, 1)
        cut = cut_off(quads, pixels.shape[1], pixels.shape[0])
        faces = face_probabilities(numbers, colours)
        alone = against_neighbours(quads)
        nothing = numbers[:, NOT_UPRIGHT]
        keep = (nothing < LIKELY) | (detections.confidences >= SURE_DETECTION) | cut
        readings = tuple(
            self._reading(faces[i], float(nothing[i]), is_cut=bool(cut[i]), turned=bool(alone[i]))
            for i in np.flatnonzero(keep)
        )
        return Readings(quads[keep], readings)

    def find_corners(self, pixels: Pixels, boxes: Floats) -> Floats:
        """Return the quads (n, 4, 2) that the tiles in the boxes really fill.

        The second look starts from where the first one ended, and so sees less slant.
        """
        quads = boxes
        for _ in range(LOOKS):
            found = self._corners_in(pixels, quads)
            plausible = [_is_plausible(*pair) for pair in zip(found, boxes, strict=True)]
            quads = np.where(np.array(plausible)[:, None, None], found, quads).astype(np.float32)
        return quads

    def _corners_in(self, pixels: Pixels, quads: Floats) -> Floats:
        size, margin = self._size(self.corners), float(self.corners.settings["margin"])
        crops = np.stack([straighten(pixels, quad, size, margin) for quad in quads])
        image = (crops[..., ::-1].transpose(0, 3, 1, 2) / np.float32(255)).astype(np.float32)
        corners = self.corners.run(image)[0].reshape(-1, 4, 2)
        pairs = zip(quads, corners, strict=True)
        return np.array([_inside(quad, unit) for quad, unit in pairs], np.float32)

    def face_logits(self, pixels: Pixels, quads: Floats) -> tuple[Floats, Floats, Floats]:
        """Look at n quads as cut out, then at the same turned round.

        Returns
        -------
        crops
            (2n, 3, h, w) float32, white-balanced.
        numbers, colours
            (2n, 15) and (2n, 4) float32 logits.
        """
        size, margin = self._size(self.faces), float(self.faces.settings["margin"])
        image = balance(np.stack([straighten(pixels, quad, size, margin) for quad in quads]))
        both = np.concatenate([image, image[:, :, ::-1, ::-1]])
        numbers, colours = self.faces.run(both)
        return both, numbers, colours

    def _which_side_is_up(self, pixels: Pixels, quads: Floats) -> Floats:
        """Return the quads, those a quarter turn back that make sense only on their side.

        Seen from very low a tile looks wider than tall, and its box is taken for one that lies.
        """
        wide = np.flatnonzero(_looks_wide(quads))
        if len(wide) == 0:
            return quads
        ways = np.concatenate([quads[wide], np.roll(quads[wide], 1, 1)])
        _, logits, _ = self.face_logits(pixels, ways)
        logs = log_softmax(logits / float(self.faces.settings["number_temperature"]))
        quads = quads.copy()
        quads[wide] = np.where(lies(logs)[:, None, None], np.roll(quads[wide], 1, 1), quads[wide])
        return quads

    def _read_faces(self, pixels: Pixels, quads: Floats) -> tuple[Floats, Floats, Flags]:
        """Return number (n, 15) and colour (n, 4) probabilities, and which quads to turn."""
        crops, number_logits, colour_logits = self.face_logits(pixels, quads)
        temperature = float(self.faces.settings["number_temperature"])
        numbers, turned = both_ways(log_softmax(number_logits / temperature))
        chosen = np.arange(len(quads)) + np.where(turned, len(quads), 0)
        temperature = float(self.faces.settings["colour_temperature"])
        colours = np.exp(log_softmax(colour_logits[chosen] / temperature))
        inked = numbers[:, :JOKER].sum(1) > LIKELY
        if inked.any():
            colours[inked] = agree(colours[inked], ink_of(crops[chosen[inked]]))
        return numbers, colours, turned

    def _reading(self, faces: Floats, nothing: float, *, is_cut: bool, turned: bool) -> Reading:
        """Turn one tile's probabilities (53,) into a reading, unsure where it must be.

        A 6 that lies the other way up from its neighbours is, more often than not, a 9.
        """
        order = np.argsort(-faces)[: MOST_ALTERNATIVES + 1]
        confidence = float(faces[order[0]])
        others = tuple(
            (FACES[i], float(faces[i])) for i in order[1:] if faces[i] >= LEAST_ALTERNATIVE
        )
        doubt = ""
        if is_cut:
            doubt = CUT_OFF
        elif confidence < float(self.faces.settings["sure"]):
            likely_nothing = nothing > MAYBE_NOTHING or not others
            doubt = UNREADABLE if likely_nothing else NEARLY.format(other=others[0][0].words)
        elif turned and FACES[order[0]].number in TWINS:
            doubt = UPSIDE_DOWN.format(other=TWINS[FACES[order[0]].number])
        return Reading(FACES[order[0]], confidence, others, doubt)

    @staticmethod
    def _size(network: Network) -> tuple[int, int]:
        width, height = network.settings["input"]["size"]
        return int(width), int(height)


def both_ways(
    log_numbers: Floats,
) -> tuple[Floats, Flags]:
    """Weigh a tile's two readings, as cut out and turned round, against each other.

    A tile reads as a number one way up and as "not upright" the other way, or as nothing both
    ways; those are all the cases, so their joint probabilities are normalised over them.

    Parameters
    ----------
    log_numbers
        (2n, 15) float32: log probabilities of n tiles as cut out, then of the same turned round.

    Returns
    -------
    numbers
        (n, 15) float32; the last column is the probability that there is nothing to read.
    turned
        (n,) bool: the tile is upright when turned round.
    """
    here, there = np.split(log_numbers.astype(np.float64), 2)
    upright = here[:, :NOT_UPRIGHT] + there[:, NOT_UPRIGHT:]
    inverted = there[:, :NOT_UPRIGHT] + here[:, NOT_UPRIGHT:]
    neither = here[:, NOT_UPRIGHT:] + there[:, NOT_UPRIGHT:]
    joint = np.exp(log_softmax(np.concatenate([upright, inverted, neither], 1)))
    up, down = joint[:, :NOT_UPRIGHT], joint[:, NOT_UPRIGHT : 2 * NOT_UPRIGHT]
    turned = down.sum(1) > up.sum(1)
    numbers = np.concatenate([up + down, joint[:, -1:]], 1)
    return numbers.astype(np.float32), turned


def lies(log_numbers: Floats) -> Flags:
    """Tell which tiles make more sense a quarter turn on than as they were cut out.

    Of the four ways up of a readable tile one gives a number and the others give nothing, so
    either pair of ways is weighed as a whole against the other.

    Parameters
    ----------
    log_numbers
        (4n, 15) float32: log probabilities of n tiles as cut out, then a quarter turn on, then of
        both turned round.
    """
    here, side, there, other = np.split(log_numbers, 4)
    upright = np.logaddexp(_reads(here, there), _reads(there, here))
    lying = np.logaddexp(_reads(side, other), _reads(other, side))
    nothing_upright = here[:, NOT_UPRIGHT] + there[:, NOT_UPRIGHT]
    nothing_lying = side[:, NOT_UPRIGHT] + other[:, NOT_UPRIGHT]
    return np.asarray(lying + nothing_upright > upright + nothing_lying)


def _reads(up: Floats, down: Floats) -> Floats:
    """Return the log probability that one way up gives a number and the other nothing, (n,)."""
    read: Floats = np.logaddexp.reduce(up[:, :NOT_UPRIGHT], 1) + down[:, NOT_UPRIGHT]
    return read


def _looks_wide(quads: Floats) -> Flags:
    """Tell which quads (n, 4, 2) could be tiles on their side, (n,)."""
    across = np.linalg.norm(quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3], axis=1)
    along = np.linalg.norm(quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1], axis=1)
    return np.asarray(across > WIDE * along)


def face_probabilities(numbers: Floats, colours: Floats) -> Floats:
    """Return (n, 53) probabilities of `FACES` from numbers (n, 15) and colours (n, 4)."""
    plain = numbers[:, :JOKER, None] * colours[:, None, :]
    return np.concatenate([plain.reshape(len(numbers), -1), numbers[:, JOKER:NOT_UPRIGHT]], 1)


def cut_off(quads: Floats, width: int, height: int) -> Flags:
    """Tell which upright quads (n, 4, 2) have part of their number outside the picture."""
    left, top, right, bottom = NUMBER_ZONE
    zone = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    corners = [_inside(quad, zone) for quad in quads]
    x, y = np.moveaxis(np.array(corners, np.float32).reshape(-1, 4, 2), -1, 0)
    outside = (x < 0) | (x > width) | (y < 0) | (y > height)
    return np.asarray(np.any(outside, axis=1))


def against_neighbours(quads: Floats) -> Flags:
    """Tell which upright quads (n, 4, 2) lie the other way up from most of their row.

    A tile's row is what lies beside it, up to two tiles away on each side, and is turned like
    it or opposite; opposite ones must be in the majority by two.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 2
    along = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 2
    width, height = np.linalg.norm(across, axis=1), np.linalg.norm(along, axis=1)
    right, down = across / width[:, None], along / height[:, None]
    away = quads.mean(1)[None] - quads.mean(1)[:, None]
    sideways = np.abs((away * right[:, None]).sum(2)) / width[:, None]
    upwards = np.abs((away * down[:, None]).sum(2)) / height[:, None]
    alike = down @ down.T
    row = (sideways < BESIDE) & (upwards < STAGGER * sideways) & (np.abs(alike) > ALIGNED)
    np.fill_diagonal(row, val=False)
    same, opposite = (row & (alike > 0)).sum(1), (row & (alike < 0)).sum(1)
    return np.asarray(opposite > same + 1)


def _inside(quad: Floats, points: Floats) -> Floats:
    """Map points (n, 2) of the unit square into a quad, in perspective."""
    warp = cv2.getPerspectiveTransform(_UNIT_SQUARE, np.ascontiguousarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(points[None], warp)[0], np.float32)


def _is_plausible(quad: Floats, box: Floats) -> bool:
    """Whether a corner finder's quad may be the tile that its box was about."""
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    ratio = cv2.contourArea(quad.astype(np.float32)) / max(cv2.contourArea(box), 1e-6)
    return AREA_CHANGE[0] < ratio < AREA_CHANGE[1]


def log_softmax(logits: Floats) -> Floats:
    """Return log probabilities, row by row."""
    shifted = logits - logits.max(1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(1, keepdims=True)))
