"""What the logits of a tile's two or four ways up say: which way is up, and what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.tiles import Tile

if TYPE_CHECKING:
    from vision.types import Flags, Floats, Indices, Reals

COLOURS = "RBOK"
FACES: tuple[Tile, ...] = (
    *(Tile.parse(f"{colour}{number}") for number in range(1, 14) for colour in COLOURS),
    Tile.parse("J"),
)
JOKER = 13  # class 0 is the number 1
NOT_UPRIGHT = 14  # upside down, or nothing that can be read
TWINS = {6: 9, 9: 6}
TWIN_COLUMNS = [number - 1 for number in TWINS]  # of the number probabilities
# What each number, and the joker, may look like upside down: columns of the probabilities.
UPSIDE_DOWN = np.arange(NOT_UPRIGHT)
UPSIDE_DOWN[TWIN_COLUMNS] = TWIN_COLUMNS[::-1]
LIKELY = 0.5
TINY = 1e-12
# Of what reads both ways up, how much of "not upright" is no more than a guess which way that is.
BY_CHANCE = 0.5
NEVER, PLAIN = 0.005, 0.95
# Odds that a tile lies the same way up as its neighbour. On photographed tables 13 pairs of 14 do,
# and beside two that agree 303 tiles of 305. Two neighbours may break a near-tie, as between a 6
# and a 9; with odds of 16 they never overturn what is surer than 0.95.
ALIKE, COUNTED = 4.0, 2
# What a first look has for possible stays so, if only by a trace, however plainly all tiles
# together tell something else: who accuses has to know of it.
POSSIBLE, TRACE = 1e-3, 2e-4


def both_ways(log_numbers: Floats, lean: Indices | None = None) -> tuple[Floats, Flags]:
    """Weigh a tile's two readings, as cut out and turned round, against each other.

    A tile reads as a number one way up and as "not upright" the other way, or as nothing both
    ways; those are all the cases, so their joint probabilities are normalised over them. In the
    middle of a tile some read both ways up, as an 8 does, or a 6 and a 9: there "not upright" is
    in part a guess, and says so much less against them.

    Parameters
    ----------
    log_numbers
        (2n, 15) float32: log probabilities of n tiles as cut out, then of the same turned round.
    lean
        (n,): by how many neighbours of its row each tile lies as these do when it is as cut out;
        less than nought where it does so when turned round.

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
    neither = _log_blank(here, there)
    if lean is not None:
        odds = ALIKE ** np.clip(lean, -COUNTED, COUNTED)[:, None]
        upright += np.log(2 * odds / (1 + odds))
        inverted += np.log(2 / (1 + odds))
    joint = np.exp(log_softmax(np.concatenate([upright, inverted, neither], 1)))
    up, down = joint[:, :NOT_UPRIGHT], joint[:, NOT_UPRIGHT : 2 * NOT_UPRIGHT]
    turned = down.sum(1) > up.sum(1)
    numbers = np.concatenate([up + down, joint[:, -1:]], 1)
    return numbers.astype(np.float32), turned


def _log_blank(here: Reals, there: Reals) -> Reals:
    """Return how likely there is nothing to read either way up, (n, 1) log, of n tiles."""
    both = np.minimum(np.exp(here[:, :NOT_UPRIGHT]), np.exp(there[:, UPSIDE_DOWN]))
    guessed = BY_CHANCE * both.sum(1, keepdims=True)
    left = [np.maximum(np.exp(look[:, NOT_UPRIGHT:]) - guessed, TINY) for look in (here, there)]
    return np.asarray(np.log(left[0]) + np.log(left[1]))


def is_plainly_upright(log_numbers: Floats) -> Flags:
    """Tell which readings, (n, 15) log probabilities, need no look at the tile turned round.

    It would have to show nothing, as all that is readable does upside down; but a 6 and a 9 may
    both be readable, and the better one counts.
    """
    chances = np.exp(log_numbers)
    best = chances.argmax(1)
    twins = np.isin(best, TWIN_COLUMNS)
    sure = (chances[:, NOT_UPRIGHT] < NEVER) & (chances.max(1) > PLAIN)
    return np.asarray(sure & (best != NOT_UPRIGHT) & ~twins)


def ways_up_known(numbers: Floats) -> Flags:
    """Tell which number probabilities (n, 15) leave no doubt which way up the tile is, (n,)."""
    readable, twins = numbers[:, :NOT_UPRIGHT].sum(1), numbers[:, TWIN_COLUMNS].sum(1)
    return np.asarray(readable - twins > PLAIN)


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


def four_ways(upright: Floats, lying: Floats) -> Floats:
    """Order two ways up and the two a quarter turn on as `lies` wants them."""
    here, there = np.split(upright, 2)
    side, other = np.split(lying, 2)
    return np.concatenate([here, side, there, other])


def face_probabilities(numbers: Floats, colours: Floats) -> Floats:
    """Return (n, 53) probabilities of `FACES` from numbers (n, 15) and colours (n, 4)."""
    plain = numbers[:, :JOKER, None] * colours[:, None, :]
    return np.concatenate([plain.reshape(len(numbers), -1), numbers[:, JOKER:NOT_UPRIGHT]], 1)


def number_column(face: str) -> int:
    """Return which of the number probabilities is that of a face, as it is written.

    >>> [number_column(face) for face in ("R1", "?13", "J")]
    [0, 12, 13]
    """
    return JOKER if face == "J" else int(face[1:]) - 1


def ink_column(face: str) -> int:
    """Return which of the colours is that of a face; -1 for a joker and ink that nobody named.

    >>> [ink_column(face) for face in ("R1", "?13", "J")]
    [0, -1, -1]
    """
    return COLOURS.find(face[0])


def has_ink(numbers: Floats) -> Flags:
    """Tell which of the number probabilities (n, 15) are those of a number, (n,)."""
    return np.asarray(numbers[:, :JOKER].sum(1) > LIKELY)


def leave_traces(logs: Floats, before: Floats, possible: float = POSSIBLE) -> Floats:
    """Return log probabilities (n, k) in which nothing is gone that was `possible` before.

    Parameters
    ----------
    logs
        (n, k) log probabilities, as they are settled.
    before
        (n, k) probabilities, as they were.
    """
    least = np.where(before >= possible, np.log(TRACE), -np.inf)
    return log_softmax(np.maximum(logs, least))


def log_softmax(logits: Floats) -> Floats:
    """Return log probabilities, row by row."""
    shifted = logits - logits.max(1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(1, keepdims=True)))
