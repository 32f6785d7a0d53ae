"""Why a reading is unsure, in words for a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vision.faces import FACES, TWINS
from vision.types import Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.tiles import Tile
    from vision.types import Floats

UNREADABLE = "I can't read this tile: is it covered, turned over or in glare?"
CUT_OFF = "The edge of the picture cuts this tile's number off."
SMALLER = "This is smaller than the tiles around it: is it one?"
NARROWER = "This is narrower than the tiles beside it: is a part of it covered?"
LARGER = "This is larger than the tiles around it: is it one?"
FOREIGN = "This looks unlike the tiles around it: is it one?"
# Doubts whether there is a tile at all.
IS_IT_ONE = frozenset({SMALLER, LARGER, FOREIGN})
CROWDED = "This tile's outline reaches into the next one's: I can't tell them apart."
NEARLY = "This could also be {other}."
# Of looks that are sure of different faces; nothing else on the table settles that.
DISPUTED = "Another look says {other}."
OFTEN = "More of this tile lie here than there are: is it another one?"
UNCLEAR = "I am not quite sure of this tile."
UPSIDE_DOWN = "This lies upside down beside its neighbours: is it a {other}?"
BEYOND = "Does this set go on beyond the edge of the picture?"
BESIDE = "Does the tile beside it, which I can't read, belong to this set?"
PARTED = "Does the tile beside it belong to this set?"
GAP = "Does a tile that I don't see lie in the gap beside it?"
MIRRORED = "This picture is mirrored: turn that off in the camera, and take it again."
RACK = "Does this stand on a player's rack, and is no set?"
UNDER = "Does this set go on under what lies beside it?"
# Doubts about where a set ends, or whether it is one: what its tiles read is not in doubt.
OPEN_ENDS = frozenset({BEYOND, BESIDE, PARTED, GAP, UNDER, RACK})
MAYBE_NOTHING = 0.3
NO_RIVAL = 0.02  # an alternative that is less likely is not worth naming
# What leaves so small a trace may still be what lies there, in the dark or in squeezed video. Of
# 1,100 sets that are wrong and surely read 43 are asked about for a trace of what would mend them.
LEAST_ALTERNATIVE = 1e-4
MOST_ALTERNATIVES = 14  # as many as numbers and the joker: each may have left such a trace


def reading_of(
    faces: Floats, nothing: float, sure: float, *, is_cut: bool, turned: bool
) -> Reading:
    """Turn one tile's probabilities into a reading, unsure where it must be.

    A 6 that lies the other way up from its neighbours is, more often than not, a 9.

    Parameters
    ----------
    faces
        (53,) of `vision.faces.FACES`.
    nothing
        How likely there is nothing to read.
    sure
        Below it the likeliest face is in doubt.
    is_cut, turned
        Whether the picture's edge cuts the tile, and whether it lies upside down in its row.
    """
    order = np.argsort(-faces)[: MOST_ALTERNATIVES + 1]
    confidence = float(faces[order[0]])
    others = tuple((FACES[i], float(faces[i])) for i in order[1:] if faces[i] >= LEAST_ALTERNATIVE)
    doubt = ""
    if is_cut:
        doubt = CUT_OFF
    elif confidence < sure:
        doubt = why_unsure(nothing, others)
    elif turned and FACES[order[0]].number in TWINS:
        doubt = UPSIDE_DOWN.format(other=TWINS[FACES[order[0]].number])
    return Reading(FACES[order[0]], confidence, others, doubt)


def why_unsure(nothing: float, others: Sequence[tuple[Tile, float]]) -> str:
    """Say why a tile is unsure that is likeliest one thing.

    >>> from referee.tiles import Tile
    >>> why_unsure(0.05, [(Tile.parse("O7"), 0.1)])
    'This could also be Orange 7.'
    >>> why_unsure(0.05, [(Tile.parse("O7"), 0.004)])
    'I am not quite sure of this tile.'
    """
    if nothing > MAYBE_NOTHING or not others:
        return UNREADABLE
    rival, chance = others[0]
    return NEARLY.format(other=rival.words) if chance >= NO_RIVAL else UNCLEAR


def names_rival(reading: Reading) -> bool:
    """Whether a tile is in doubt for its likeliest alternative, and for nothing else.

    >>> from referee import parse_tiles
    >>> one, seven = parse_tiles("O1 O7")
    >>> names_rival(Reading(one, 0.9, ((seven, 0.1),), "This could also be Orange 7."))
    True
    """
    return bool(reading.alternatives) and reading.doubt == NEARLY.format(
        other=reading.alternatives[0][0].words
    )


def face_is_unsure(reading: Reading) -> bool:
    """Whether what a tile reads is in doubt, and not only whether its set goes on."""
    return reading.unsure and reading.doubt not in OPEN_ENDS
