"""The JSON answer about a picture, as described in `docs/json.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypedDict

from vision.findings import standing, tile_numbers

if TYPE_CHECKING:
    from typing import NotRequired

    from referee.verdicts import Hint, Violation
    from vision.leftovers import Leftovers
    from vision.pipeline import TableReading

VERSION: Final = 1


class RackTileReport(TypedDict):
    """One tile of a rack; `doubt` is there only if the tile is unsure."""

    id: int
    tile: str
    confidence: float
    alternatives: list[tuple[str, float]]
    quad: list[tuple[float, float]]
    doubt: NotRequired[str]


class TileReport(RackTileReport):
    """One tile of a table, with its set and its place there."""

    set: int
    pos: int


class SetReport(TypedDict):
    """One set or crossing group."""

    id: int
    tiles: str


class FindingReport(TypedDict):
    """A violation or a hint; `suggestion` comes with some hints."""

    code: str
    sets: list[int]
    tiles: list[int]
    message: str
    suggestion: NotRequired[str]


class VerdictReport(TypedDict):
    """What the referee says; `ok` is None while an unsure tile decides."""

    ok: bool | None
    violations: list[FindingReport]
    hints: list[FindingReport]
    points: list[list[int]]


class TimingsReport(TypedDict):
    """Milliseconds per stage."""

    detect: float
    read: float
    lay_out: float
    judge: float


class ErrorReport(TypedDict):
    """The answer about a picture that could not be read."""

    version: int
    photo: str
    error: str


class _PictureReport(TypedDict):
    version: int
    photo: str
    width: int
    height: int
    unsure: list[int]


class PhotoReport(_PictureReport):
    """The whole answer about one picture."""

    tiles: list[TileReport]
    sets: list[SetReport]
    table: str
    verdict: VerdictReport
    timings_ms: TimingsReport


class RackReport(_PictureReport):
    """The answer about a picture of a rack."""

    tiles: list[RackTileReport]
    rack: str
    value: int


def error_report(photo: str, error: str) -> ErrorReport:
    """Say that a picture could not be read, and why."""
    return {"version": VERSION, "photo": photo, "error": error}


def rack_report(photo: str, reading: TableReading, found: Leftovers) -> RackReport:
    """Say which tiles a picture of a rack shows, and what they count."""
    return {
        "version": VERSION,
        "photo": photo,
        "width": reading.width_px,
        "height": reading.height_px,
        "tiles": [_rack_tile(number, reading, found) for number in range(len(reading.readings))],
        "rack": found.notation,
        "value": found.value,
        "unsure": list(found.unsure),
    }


def _rack_tile(number: int, reading: TableReading, found: Leftovers) -> RackTileReport:
    report = _tile(number, reading)
    if number in found.unsure:
        report["doubt"] = reading.readings.readings[number].doubt
    return report


def photo_report(photo: str, reading: TableReading) -> PhotoReport:
    """Say everything that is known about a picture."""
    return {
        "version": VERSION,
        "photo": photo,
        "width": reading.width_px,
        "height": reading.height_px,
        "tiles": _tiles(reading),
        "sets": [
            {"id": number, "tiles": str(part)} for number, part in enumerate(reading.table.parts)
        ],
        "table": str(reading.table),
        "unsure": [n for n, read in enumerate(reading.readings.readings) if read.unsure],
        "verdict": _verdict(reading),
        "timings_ms": {
            "detect": round(reading.timings.detect, 2),
            "read": round(reading.timings.read, 2),
            "lay_out": round(reading.timings.lay_out, 2),
            "judge": round(reading.timings.judge, 2),
        },
    }


def _tiles(reading: TableReading) -> list[TileReport]:
    places = _places(reading)
    reports: list[TileReport] = []
    for number, read in enumerate(reading.readings.readings):
        set_number, cell = places[number]
        report: TileReport = {**_tile(number, reading), "set": set_number, "pos": cell}
        if read.unsure:
            report["doubt"] = read.doubt
        reports.append(report)
    return reports


def _places(reading: TableReading) -> dict[int, tuple[int, int]]:
    """Set and cell of every tile, cells counted row by row."""
    return {
        tile: (set_number, row_number * len(row) + column)
        for set_number, placed in enumerate(reading.layout.placed)
        for row_number, row in enumerate(placed.cells)
        for column, tile in enumerate(row)
        if tile is not None
    }


def _tile(number: int, reading: TableReading) -> RackTileReport:
    """Say what a tile reads as, and where it is, without its doubt."""
    read, quad_img = reading.readings.readings[number], reading.readings.quads_img[number]
    return {
        "id": number,
        "tile": str(read.tile),
        "confidence": round(read.confidence, 4),
        "alternatives": [(str(tile), round(chance, 4)) for tile, chance in read.choices],
        "quad": [(round(float(x), 1), round(float(y), 1)) for x, y in quad_img],
    }


def _verdict(reading: TableReading) -> VerdictReport:
    verdict = reading.verdict
    return {
        "ok": standing(reading),
        "violations": [_finding(violation, reading) for violation in verdict.violations],
        "hints": [_hint(hint, reading) for hint in verdict.hints],
        "points": [list(points) for points in verdict.points],
    }


def _finding(finding: Violation | Hint, reading: TableReading) -> FindingReport:
    return {
        "code": str(finding.code),
        "sets": list(finding.sets),
        "tiles": list(tile_numbers(finding.tiles, reading.layout)),
        "message": finding.message,
    }


def _hint(hint: Hint, reading: TableReading) -> FindingReport:
    report = _finding(hint, reading)
    if hint.suggestion is not None:
        report["suggestion"] = str(hint.suggestion)
    return report
