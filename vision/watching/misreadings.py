"""What people put right tells of other tiles, too: what was misread once may be so again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.tiles import Tile
from vision.misread import LEAST_ALIKE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from vision.types import Reading

    Misread: TypeAlias = tuple[Tile, Tile]
    """As what a tile was read, and what a person said that it is."""


def left_open(reading: Reading, misread: Iterable[Misread]) -> Reading:
    """Return a reading that leaves open what tiles that read like it turned out to be.

    An ink that passes for another does so with every number. What the tile reads as, and whether
    that is sure, stays: only a set that is wrong by it is asked about instead of accused.

    >>> from vision.types import Reading
    >>> eleven, five, joker, orange = map(Tile.parse, ("R11", "R5", "J", "O11"))
    >>> seen = left_open(Reading(eleven, 0.998), [(eleven, joker)])
    >>> str(seen.tile), [str(tile) for tile, _ in seen.alternatives], seen.unsure
    ('R11', ['J'], False)
    >>> [str(tile) for tile, _ in left_open(Reading(five, 1.0), [(eleven, orange)]).alternatives]
    ['O5']
    """
    chances = dict(reading.alternatives)
    for other in _others(reading.tile, misread):
        chances[other] = max(chances.get(other, 0), LEAST_ALIKE)
    if chances == dict(reading.alternatives):
        return reading
    alternatives = tuple(sorted(chances.items(), key=lambda face: -face[1]))
    return replace(reading, alternatives=alternatives)


def _others(tile: Tile, misread: Iterable[Misread]) -> Iterator[Tile]:
    """Yield what else a tile may be."""
    for read, said in misread:
        if read == said:
            continue
        if tile == read:
            yield said
        elif tile.colour is read.colour and read.number == said.number:
            yield Tile(said.colour, tile.number)
