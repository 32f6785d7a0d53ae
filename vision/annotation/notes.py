"""What an annotated picture says, and where: beside the tiles, or below with a number at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.annotation.plates import Plate, wrap
from vision.annotation.pointing import Desk, Target
from vision.findings import LOOSE_TILES, Mark, question, several_loose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.findings import SetFinding
    from vision.types import Floats, Layout, Placed, Reading, Readings

_FONT_SIZE: Final = 0.028  # of a picture's width
_MOST_BESIDE: Final = 12  # more plates than that crowd a picture
_PLATE_SIZES: Final = (0.45, 0.3, 0.7)  # of a picture's width, the likeliest to fit first


@dataclass(frozen=True, slots=True)
class Note:
    """What is said of some tiles.

    Attributes
    ----------
    texts
        Sentences.
    about
        Tiles that are spoken of, each alone or a whole set together; none if frames say enough.
    """

    mark: Mark
    texts: tuple[str, ...]
    about: tuple[tuple[int, ...], ...]

    def plate(self, font_px: int, width_px: float) -> Plate:
        """Write the sentences on a plate, each on lines of its own."""
        lines = (line for text in self.texts for line in wrap(text, font_px, width_px))
        return Plate(tuple(lines), font_px)


@dataclass(frozen=True, slots=True)
class Pointed:
    """A note whose plate stands at a place (4,), and a line (2, 2) from there to its tiles."""

    note: Note
    plate: Plate
    place: Floats
    line: Floats


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything that is to be said stands.

    Attributes
    ----------
    pointed
        Notes that stand beside their tiles.
    numbered
        Notes that stand below the picture, and the places (4,) of their numbers, counted from 1.
    general
        Notes that stand below the picture without a number.
    """

    font_px: int
    pointed: tuple[Pointed, ...]
    numbered: tuple[tuple[Note, tuple[Floats, ...]], ...]
    general: tuple[Note, ...]


def plan(notes: Sequence[Note], quads: Floats, size: tuple[int, int]) -> Plan:
    """Find places for notes in a picture of that size with tiles (n, 4, 2)."""
    desk = Desk(size, quads, max(12, round(size[0] * _FONT_SIZE)))
    aims = {note: [Target.of(tiles, quads, size) for tiles in note.about] for note in notes}
    numbers = {n: tuple(map(desk.at, aim)) for n, aim in aims.items() if len(aim) > 1}
    single = sorted((n for n in notes if len(n.about) == 1), key=lambda note: len(note.about[0]))
    beside = single if len(single) <= _MOST_BESIDE else []
    found = [_beside(desk, note, aims[note][0]) for note in beside]
    pointed = {point.note: point for point in found if point is not None}
    numbers |= {note: (desk.at(aims[note][0]),) for note in single if note not in pointed}
    numbered = tuple((note, numbers[note]) for note in notes if note in numbers)
    general = tuple(note for note in notes if not note.about)
    return Plan(desk.font_px, tuple(pointed.values()), numbered, general)


def _beside(desk: Desk, note: Note, target: Target) -> Pointed | None:
    for share in _PLATE_SIZES:
        plate = note.plate(desk.font_px, desk.size[0] * share)
        if (found := desk.beside(plate.size, target)) is not None:
            return Pointed(note, plate, *found)
    return None


def notes_of(findings: Sequence[SetFinding], layout: Layout, readings: Readings) -> list[Note]:
    """Gather what is said of the same tiles in one note each, wrong sets first."""
    said: dict[tuple[Mark, str], list[tuple[int, ...]]] = {}
    if several_loose(findings):
        said[Mark.INVALID, LOOSE_TILES] = []
    for placed, finding in zip(layout.placed, findings, strict=True):
        if finding.loose and several_loose(findings):
            continue
        for mark, texts in ((finding.mark, finding.reasons), (Mark.VALID, finding.hints)):
            for text in dict.fromkeys(texts):
                said.setdefault((mark, text), []).extend(_about(text, placed, readings))
    gathered: dict[tuple[Mark, tuple[tuple[int, ...], ...]], list[str]] = {}
    for (mark, text), about in said.items():
        gathered.setdefault((mark, tuple(about)), []).append(text)
    order = [Mark.INVALID, Mark.UNSURE, Mark.VALID]
    notes = [Note(mark, tuple(texts), about) for (mark, about), texts in gathered.items()]
    return sorted(notes, key=lambda note: order.index(note.mark))


def _about(text: str, placed: Placed, readings: Readings) -> list[tuple[int, ...]]:
    """Return the tiles that a sentence begins with, each alone, or else the whole set."""
    named: list[tuple[int, ...]] = [
        (tile,) for tile in placed.tiles if _names(text, readings.readings[tile])
    ]
    return named or [placed.tiles]


def _names(text: str, reading: Reading) -> bool:
    return text == question(reading) or text.startswith(f"{reading.tile.words} ")
