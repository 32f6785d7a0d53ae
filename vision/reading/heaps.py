"""Heaps: inks that lie apart in a picture are told apart there, whatever they are called.

A set whose inks no training has met leaves the palette in doubt about tile after tile, whether it
is red or orange, though the picture shows plainly which of them are alike. So the inks are put
into heaps (expectation maximisation, Dempster, Laird and Rubin 1977), beginning with what the
palette takes them for; where two heaps lie well apart, a tile is of the nearer one. Where they
run into one another, nothing changes. Nor can two heaps that lie apart be the same ink: where the
palette takes them for the same, and none for another, one of them is that. Only where the tiles
of two sets lie mixed may both be, and that is asked.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from vision.faces import COLOURS, POSSIBLE, leave_traces, log_softmax

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.types import Flags, Floats, Indices

# How far the palette is trusted in each round: first less, or a heap that it takes for the same
# ink as another never parts from that.
TRUST: Final = (*np.linspace(0.5, 1, 12).tolist(), 1.0, 1.0, 1.0)
# Inks are directions: these are angles, in radians about. How far the tiles of a heap lie from its
# middle along each axis at least, and how uncertain the distance of two heaps is at least.
SPREAD: Final = 0.045
UNCERTAIN: Final = 0.03
# Half the distance of two heaps, in standard deviations, from which they count as apart, and from
# which wholly.
APART: Final = (1.75, 3.0)
# The root mean square of how far from its middle the tiles of a heap lie that begins to be too
# loose for one ink, and that is.
LOOSE: Final = (0.08, 0.12)
# Log reflectance: an ink that is no darker has no direction, and has one wholly from twice that.
PALE: Final = 0.3
# How far from the middle of its heap a tile may lie, of how far from another's: wholly in it up to
# the first, and in doubt from the second.
WITHIN: Final = (0.25, 0.4)
# A heap that the palette takes for another ink, by far more chance on average than this is of
# its, may be no ink at all, but what is printed on papers beside the tiles: it tells nothing.
POSSIBLE_NAME: Final = 0.2
# Two heaps that bear one name have so many tiles each, since a lamp may tint one alone, lie so far
# apart, and one may, beside that name, bear one that no tile bears: so it is in few pictures.
FEWEST: Final = 2
PARTED: Final = 0.3
NAMEABLE: Final = 0.003
ROUNDS: Final = 10  # at most, until they are parted
# What several tiles of one ink are called all of them are, right or wrong. So where an ink that no
# tile bears is likelier for them than this on average, it becomes a doubt of so much about each.
# Of 72 inks on several tiles of 99 photographs it is for one, whose tiles are in doubt anyway,
# and for no other more than 0.01; of five that pass for one and are two it is for all.
TOGETHER: Final = 0.02
DOUBT: Final = 0.1
# Of one ink's tiles two halves may be two inks that the palette takes for one: so far apart, as
# many times as far as they are spread, and a trace of another name at one. Halves of fewer tiles,
# as a lamp may tint them, lie farther apart, and the trace is larger.
CRISP, TIGHT = 5.0, 0.012
SEVERAL: Final = 3
FAR, TRACEABLE = 0.07, 1e-3
FAR_FEW, TRACEABLE_FEW = 0.3, 5e-3
# Out of focus the blank face shines through the strokes, so much about. Where that leads from one
# half to so near the other it makes them one. Of 205,684 inks in 15,931 pictures 67 are surely
# read then which were asked about, all rightly; at twice this 172, four of them wrongly.
SHINING: Final = np.linspace(0, 0.9, 46)[:, None]
SHONE: Final = 0.035
# Where an ink falls in halves the tiles may be of two sets: so it does in 10 of 200 tables of one,
# in 54 of 60 of two. The red of one may be the other's orange, and less of what it may be is left:
# of two tables read wrongly 1e-4 on these tiles, 1e-5 on the others.
POSSIBLE_OF_TWO: Final = 3e-5
# What the palette is so sure of is in doubt at most, if the heaps tell otherwise.
CONFIDENT: Final = 0.95
# How likely a tile is to lie in no heap, beside the middle of one.
STRAY: Final = 1e-3


def tell_apart(logs: Floats, ink: Floats) -> Floats:
    """Return how likely n tiles are of each ink, with those that lie in heaps told by these.

    Parameters
    ----------
    logs
        (n, 4): log probabilities of the inks, as the palette has them.
    ink
        (n, 3): log reflectance, of `ink_of`.

    Returns
    -------
    (n, 4) float32 log probabilities.
    """
    depth = np.linalg.norm(ink, axis=1)
    lie = _directions(ink)
    heaps = _heaps(logs, lie)
    own = heaps.chances.argmax(1)
    near = np.log(np.exp(-heaps.squares / (2 * heaps.variance)) + STRAY)
    beside = near - np.take_along_axis(near, own[:, None], 1)
    deep = _rise(depth, (PALE, 2 * PALE))[:, None]
    away = np.asarray(np.sqrt(heaps.squares) + 1e-9, np.float32)
    within = 1 - _rise(np.take_along_axis(away, own[:, None], 1) / away, WITHIN)
    apart = _apart(lie, heaps.middles, own) * _named(logs, own)
    told = log_softmax(logs + deep * within * apart[own] * beside)
    told = _doubted_together(_one_name_each(told, lie, depth > 2 * PALE))
    halved = _halved(told, ink, lie, depth > 2 * PALE)
    told = _doubted_halves(told, logs, halved)
    overturned = (logs.max(1) > np.log(CONFIDENT)) & (told.argmax(1) != logs.argmax(1))
    told[overturned] = np.logaddexp(told, logs)[overturned] - np.log(2)
    possible = POSSIBLE if all(ink.few for ink in halved) else POSSIBLE_OF_TWO
    return np.asarray(leave_traces(told, np.exp(logs), possible), np.float32)


class _Heaps(NamedTuple):
    """How likely n tiles lie in each heap, (n, 4), and where these are."""

    chances: Floats
    middles: Floats  # (4, 3)
    squares: Floats  # (n, 4): of the distances from the middles
    variance: float  # of the tiles about their middles, along each axis


def _heaps(logs: Floats, lie: Floats) -> _Heaps:
    chances = np.exp(log_softmax(TRUST[0] * logs))
    for trust in TRUST:
        weights = chances.sum(0) + 1e-3
        middles = chances.T @ lie / weights[:, None]
        squares = ((lie[:, None] - middles) ** 2).sum(2)
        variance = max(float((chances * squares).sum()) / lie.size, SPREAD**2)
        # Where the middle of a heap is, its tiles leave open; of none, it may be anywhere.
        wider = 1 + 1 / weights
        likely = -squares / (2 * variance * wider) - lie.shape[1] / 2 * np.log(wider)
        chances = np.exp(log_softmax(trust * logs + likely))
    return _Heaps(chances, middles, squares, variance)


def _apart(lie: Floats, middles: Floats, own: Floats) -> Floats:
    """Return how far each two heaps lie apart, (4, 4) from 0 to 1; 0 where one has but a tile."""
    apart = np.zeros((len(COLOURS), len(COLOURS)), np.float32)
    for one, other in combinations(range(len(COLOURS)), 2):
        tiles = lie[own == one], lie[own == other]
        if min(map(len, tiles)) > 1:
            found = _how_far_apart(tiles, (middles[one], middles[other]))
            apart[[one, other], [other, one]] = found
    return apart


def _how_far_apart(tiles: tuple[Floats, Floats], middles: tuple[Floats, Floats]) -> float:
    """Return how far two heaps (k, 3) and (l, 3) about their middles lie apart, 0 to 1."""
    tight = 1 - _rise(max(map(_radius, tiles)), LOOSE)
    distance, spread = _between(tiles, middles)
    return float(tight * _rise(distance / 2 / np.hypot(spread, UNCERTAIN), APART))


def _between(tiles: tuple[Floats, Floats], middles: tuple[Floats, Floats]) -> tuple[float, float]:
    """Return how far apart two heaps' middles lie, and how far their tiles spread that way."""
    between = middles[1] - middles[0]
    distance = float(np.linalg.norm(between)) + 1e-9
    off = np.concatenate([tiles[0] - middles[0], tiles[1] - middles[1]])
    return distance, float(np.sqrt(np.mean((off @ between / distance) ** 2)))


def _one_name_each(told: Floats, lie: Floats, deep: Flags) -> Floats:
    """Give one of two heaps that bear the same name another that no tile bears, (n, 4).

    That is the one which is likelier to bear it, as far as it is.
    """
    own = told.argmax(1)
    unused = [name for name in range(len(COLOURS)) if not (own == name).any()]
    for name in set(own.tolist()):
        if not unused:
            break
        tiles = np.flatnonzero((own == name) & deep)
        halves = _halves(lie[tiles])
        parts = tiles[~halves], tiles[halves]
        if min(map(len, parts)) < FEWEST:
            continue
        one, other = lie[parts[0]], lie[parts[1]]
        if _how_far_apart((one, other), (one.mean(0), other.mean(0))) < PARTED:
            continue
        odds = np.array([(told[part] - told[part][:, [name]]).mean(0) for part in parts])
        free = max(unused, key=lambda ink: odds[:, ink].max())
        if odds[:, free].max() < np.log(NAMEABLE):
            continue
        second = 1 / (1 + np.exp(odds[0, free] - odds[1, free]))  # how likely it is the second
        swap = np.arange(len(COLOURS))
        swap[[name, free]] = free, name
        told = told.copy()
        for part, chance in zip(parts, (1 - second, second), strict=True):
            swapped = told[part][:, swap]
            told[part] = np.logaddexp(told[part] + np.log1p(-chance), swapped + np.log(chance))
        unused.remove(free)
    return told


class _Halved(NamedTuple):
    """Two halves of an ink's tiles that lie plainly apart, and whether one has but a few."""

    name: int
    parts: tuple[Indices, Indices]
    few: bool


def _halved(told: Floats, ink: Floats, lie: Floats, deep: Flags) -> list[_Halved]:
    """Return the inks that fall in halves, of which neither is the other out of focus."""
    own, found = told.argmax(1), []
    for name in set(own.tolist()):
        tiles = np.flatnonzero((own == name) & deep)
        halves = _halves(lie[tiles])
        one, other = tiles[~halves], tiles[halves]
        few = min(len(one), len(other)) < SEVERAL
        if not (len(one) and len(other)):
            continue
        parted = _is_parted(lie[one], lie[other], FAR_FEW if few else FAR)
        if parted and not _shines_through(ink[one].mean(0), ink[other].mean(0)):
            found.append(_Halved(name, (one, other), few))
    return found


def _doubted_halves(told: Floats, logs: Floats, halved: Iterable[_Halved]) -> Floats:
    """Doubt the half of an ink that is plainly not the other's, and may bear another name, (n, 4).

    What bears that name may be a few jokers in colours, or the ink of another set whose tiles lie
    among these.
    """
    told = told.copy()
    for name, parts, few in halved:
        odds = np.array([(logs[part] - logs[part][:, [name]]).mean(0) for part in parts])
        odds[:, name] = -np.inf
        if odds.max() > np.log(TRACEABLE_FEW if few else TRACEABLE):
            part, instead = np.unravel_index(odds.argmax(), odds.shape)
            sure = told[parts[part], instead] < np.log(DOUBT)
            _doubt(told, parts[part][sure], int(instead))
    return told


def _is_parted(one: Floats, other: Floats, far: float) -> bool:
    """Whether two halves of a heap, (k, 3) and (l, 3), lie so far apart, and for their spread."""
    distance, spread = _between((one, other), (one.mean(0), other.mean(0)))
    return distance > far and distance > CRISP * max(spread, TIGHT)


def _shines_through(one: Floats, other: Floats) -> bool:
    """Whether the paler of two inks (3,) may be the deeper through which the blank face shines."""
    paler, deeper = sorted((one, other), key=lambda ink: float(ink @ ink))
    shone = np.log((1 - SHINING) * np.exp(deeper) + SHINING)
    off = np.linalg.norm(_directions(shone) - _directions(paler), axis=1)
    return bool(off.min() <= SHONE)


def _directions(ink: Floats) -> Floats:
    """Return where inks (..., 3) lie, whatever their depth; pale ones lie in no direction."""
    depth = np.linalg.norm(ink, axis=-1, keepdims=True)
    return np.asarray(ink / np.maximum(depth, PALE), np.float32)


def _doubt(told: Floats, tiles: Indices, instead: int) -> None:
    """Leave a doubt whether tiles do not bear another ink."""
    told[tiles] += np.log1p(-DOUBT)
    told[tiles, instead] = np.logaddexp(told[tiles, instead], np.log(DOUBT))


def _doubted_together(told: Floats) -> Floats:
    """Doubt all tiles of an ink that may as well bear a name that no tile bears, (n, 4)."""
    own, chances, told = told.argmax(1), np.exp(told), told.copy()
    unused = [name for name in range(len(COLOURS)) if not (own == name).any()]
    for name in set(own.tolist()):
        tiles = np.flatnonzero(own == name)
        if len(tiles) < FEWEST or not unused:
            continue
        instead = max(unused, key=lambda ink: chances[tiles, ink].mean())
        if chances[tiles, instead].mean() > TOGETHER:
            _doubt(told, tiles, instead)
    return told


def _halves(points: Floats) -> Flags:
    """Part points (n, 3) in two about two middles, (n,): whether they are of the second.

    As k-means does (Lloyd 1982), beginning with the sides along which they lie farthest.
    """
    if len(points) < 2 * FEWEST:
        return np.zeros(len(points), np.bool_)
    off = points - points.mean(0)
    second = np.asarray(off @ np.linalg.svd(off, full_matrices=False)[2][0] > 0)
    for _ in range(ROUNDS):
        if second.all() or not second.any():
            break
        middles = [points[~second].mean(0), points[second].mean(0)]
        away = [((points - middle) ** 2).sum(1) for middle in middles]
        second = np.asarray(away[1] < away[0])
    return second


def _radius(tiles: Floats) -> float:
    """Return how far from its middle the tiles of a heap lie, in root mean square."""
    return float(np.sqrt(((tiles - tiles.mean(0)) ** 2).sum(1).mean()))


def _named(logs: Floats, own: Floats) -> Floats:
    """Return which two heaps bear names that the palette has for possible, (4, 4) of 0 and 1."""
    named = np.ones(len(COLOURS), np.float32)
    for name in set(own.tolist()):
        usual = logs[own == name].mean(0)
        named[name] = usual[name] > usual.max() + np.log(POSSIBLE_NAME)
    return np.outer(named, named)


def _rise(value: Floats | float, between: tuple[float, float]) -> Floats:
    """Return 0 up to the first of two values, 1 from the second, and what lies between."""
    low, high = between
    return np.asarray(np.clip((value - low) / (high - low), 0, 1), np.float32)
