"""What the watcher and the reader say in plain English, taken apart again for other languages."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from referee.phrases import Phrase, say
from referee.tiles import ALL_FACES
from vision.doubts import (
    BESIDE,
    BEYOND,
    CROWDED,
    CUT_OFF,
    DISPUTED,
    FOREIGN,
    GAP,
    LARGER,
    MIRRORED,
    NARROWER,
    NEARLY,
    OFTEN,
    PARTED,
    RACK,
    SMALLER,
    UNCLEAR,
    UNDER,
    UNREADABLE,
    UPSIDE_DOWN,
)
from vision.reading.overlooked import FAINT
from vision.watching.known import APPEARED, CHANGED, VANISHED
from vision.watching.states import BLACK
from vision.watching.watcher import DIFFERENT, READING, RESTLESS
from web.live.camera_sentences import CAMERA_SENTENCES

if TYPE_CHECKING:
    from referee.phrases import Value
    from referee.tiles import Tile
    from vision.watching.sights import SeenTile

DOUBTFUL: Final = "It changed though no hand was seen."
COVERED: Final = "Something covers it."
SENTENCES: Final = {
    "refusal.no_such_tile": "no tile with the id {id} lies on the table any more",
    "refusal.not_seen": "no table has been seen yet; wait until it has been still",
    "doubt.unreadable": UNREADABLE,
    "doubt.cut_off": CUT_OFF,
    "doubt.crowded": CROWDED,
    "doubt.smaller": SMALLER,
    "doubt.larger": LARGER,
    "doubt.narrower": NARROWER,
    "doubt.foreign": FOREIGN,
    "doubt.faint": FAINT,
    "doubt.nearly": NEARLY,
    "doubt.disputed": DISPUTED,
    "doubt.often": OFTEN,
    "doubt.unclear": UNCLEAR,
    "doubt.upside_down": UPSIDE_DOWN,
    "doubt.beyond": BEYOND,
    "doubt.beside": BESIDE,
    "doubt.parted": PARTED,
    "doubt.gap": GAP,
    "doubt.under": UNDER,
    "doubt.rack": RACK,
    "doubt.mirrored": MIRRORED,
    "doubt.changed": CHANGED,
    "doubt.vanished": VANISHED,
    "doubt.appeared": APPEARED,
    "doubt.doubtful": DOUBTFUL,
    "doubt.covered": COVERED,
    "message.black": BLACK,
    "message.different": DIFFERENT,
    "message.reading": READING,
    "message.restless": RESTLESS,
    "message.covered": "Something lies over {tiles}: take it away, and the table is read.",
    **CAMERA_SENTENCES,
}
"""What may be said, with places for tiles, numbers and notation."""
_PLACE: Final = re.compile(r"\\\{(\w+)\\\}")
_TILES: Final = {tile.words: tile for tile in ALL_FACES}


def phrased(text: str) -> str:
    """Return a sentence as a phrase, if it is a known one, and else as it is.

    >>> found = phrased("This could also be Red 7.")
    >>> found, found.key, str(found.values["other"])
    ('This could also be Red 7.', 'doubt.nearly', 'R7')
    >>> phrased("Glare covers the number.")
    'Glare covers the number.'
    """
    return text if isinstance(text, Phrase) else _found(text)


@lru_cache(maxsize=512)
def _found(text: str) -> str:
    for key, pattern in _patterns():
        found = pattern.fullmatch(text)
        if found:
            return Phrase(text, key, {k: _value(v) for k, v in found.groupdict().items()})
    return text


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (key, re.compile(_PLACE.sub(r"(?P<\1>.+?)", re.escape(sentence))))
        for key, sentence in SENTENCES.items()
    )


def _value(words: str) -> Value:
    """Return what stands in a place: a tile, a camera's name or a reason, or words as they are."""
    return _TILES.get(words) or phrased(words)


def why(seen: SeenTile) -> str:
    """Say why a tile is not known for certain; "" where it is."""
    if seen.status == "covered":
        return phrased(COVERED)
    return phrased(seen.reading.doubt or (DOUBTFUL if seen.status == "doubtful" else ""))


def question(tile: Tile, doubt: str) -> Phrase:
    """Ask a person to look at a tile, as `vision.findings.question` does.

    >>> from referee import JOKER
    >>> question(JOKER, DOUBTFUL)
    'The joker? It changed though no hand was seen.'
    """
    return say("look.tile", "{tile}? {doubt}", tile=tile, doubt=phrased(doubt)).begun()


def no_tile(written: str) -> Phrase:
    """Say that something is no tile, and how tiles are written."""
    return say(
        "refusal.no_tile",
        "{written} is no tile. Write Red 7 as R7: R, B, O, or K for black, then the number; "
        "J is the joker.",
        written=written,
    )
