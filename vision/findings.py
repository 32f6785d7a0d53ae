"""What there is to say about each set: the verdict in the shape that players are shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from referee.verdicts import Code, HintCode, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.verdicts import Place, SetVerdict
    from vision.pipeline import TableReading
    from vision.types import Layout, Placed, Reading, Readings

LOOSE_TILES: Final = "Tiles that lie alone are no sets."


class Mark(Enum):
    """How a set stands; the value is the word that players are shown."""

    VALID = "ok"
    INVALID = "wrong"
    UNSURE = "look"


@dataclass(frozen=True, slots=True)
class SetFinding:
    """One set or crossing group, and what there is to say about it.

    Attributes
    ----------
    text
        The set in notation, with `?` after each unsure tile.
    reasons
        Why it is wrong, or which tile to look at: sentences for a player.
    hints
        Advice that is no breach.
    loose
        Whether it is a single tile that is wrong for lying alone; of several, one sentence
        says enough.
    """

    mark: Mark
    text: str
    reasons: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    loose: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Reasons and hints."""
        return self.reasons + self.hints


def find(reading: TableReading) -> tuple[SetFinding, ...]:
    """Say how every set of a picture stands, in the order of its layout."""
    parts = zip(reading.layout.placed, reading.verdict.parts, strict=True)
    return tuple(
        _finding(number, placed, part, reading) for number, (placed, part) in enumerate(parts)
    )


def standing(reading: TableReading) -> bool | None:
    """Whether the table is legal; None while somebody has to look at a tile.

    A face that lies there more often than it exists is a slip of the reading, or a tile of
    another box: it is asked about like a tile in doubt, since no player is to blame.
    """
    ok = reading.verdict.ok
    broken = {violation.code for violation in reading.verdict.violations}
    return None if broken == {Code.TOO_MANY_OF_FACE} else ok


def several_loose(findings: Sequence[SetFinding]) -> bool:
    """Whether more than one tile lies alone, so that one sentence is said of all of them."""
    return sum(finding.loose for finding in findings) > 1


def tile_numbers(places: tuple[Place, ...], layout: Layout) -> tuple[int, ...]:
    """Turn the referee's places on the table into numbers of tiles in the picture."""
    return tuple(layout.placed[part].tiles[position] for part, position in places)


def _finding(number: int, placed: Placed, part: SetVerdict, reading: TableReading) -> SetFinding:
    readings, verdict = reading.readings, reading.verdict
    broken = tuple(v for v in verdict.violations if number in v.sets)
    hints = tuple(
        hint.message
        for hint in verdict.hints
        if number in hint.sets and hint.code is not HintCode.LOOK_AT_TILE
    )
    text = _text(placed, readings)
    if broken:
        reasons = tuple(violation.message for violation in broken)
        if {violation.code for violation in broken} == {Code.TOO_MANY_OF_FACE}:
            return SetFinding(Mark.UNSURE, text, (*reasons, *_questions(placed, readings)), hints)
        loose = len(placed.tiles) == 1 and all(
            violation.code in {Code.TOO_SHORT, Code.ONLY_JOKERS} for violation in broken
        )
        return SetFinding(Mark.INVALID, text, reasons, hints, loose)
    if part.status is Status.UNKNOWN:
        return SetFinding(Mark.UNSURE, text, _questions(placed, readings), hints)
    return SetFinding(Mark.VALID, text, (), hints)


def _text(placed: Placed, readings: Readings) -> str:
    return " / ".join(
        " ".join("." if tile is None else _face(tile, readings) for tile in row)
        for row in placed.cells
    )


def _face(tile: int, readings: Readings) -> str:
    reading = readings.readings[tile]
    return f"{reading.tile}?" if reading.unsure else str(reading.tile)


def _questions(placed: Placed, readings: Readings) -> tuple[str, ...]:
    read = (readings.readings[tile] for tile in placed.tiles)
    return tuple(question(reading) for reading in read if reading.unsure)


def question(reading: Reading) -> str:
    """Ask a person to look at an unsure tile.

    >>> from referee import JOKER
    >>> from vision.types import Reading
    >>> question(Reading(JOKER, 0.6, doubt="The edge of the picture cuts this tile off."))
    'The joker? The edge of the picture cuts this tile off.'
    """
    words = reading.tile.words
    return f"{words[0].upper()}{words[1:]}? {reading.doubt}"
