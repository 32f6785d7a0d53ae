"""Scores of the evaluation suites: tiles, sets and whole tables that are read exactly."""

from __future__ import annotations

import csv
import logging
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TextIO

from referee import Grid, TileSet, judge_table, load_ruleset
from referee.verdicts import Status
from vision.evaluation.photos import Counts, added_up, columns_text, score_photo
from vision.evaluation.suite_tables import lesson, tables
from vision.evaluation.suites import suite_named
from vision.quads import within
from vision.types import Addable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from referee import Ruleset, Table, Verdict
    from vision.evaluation.suite_tables import Given
    from vision.pipeline import TableReader, TableReading
    from vision.types import Floats, Pixels


log: Final = logging.getLogger(__name__)
_NOTHING: Final = Counts()
SAME: Final = (0.3, 0.3)  # widths and heights of a tile: what lies so near is the same one


@dataclass(frozen=True, slots=True)
class Score(Addable):
    """What was counted in some tables; scores of several tables add up.

    Attributes
    ----------
    tiles
        The counts of tiles.
    tables, tables_exact
        Tables, and those of which every part is read exactly as it lies, and nothing else.
        Tables with a hidden tile count in neither.
    sets, sets_exact
        Sets and grids without a hidden tile, and those that are read exactly as they lie.
    accused
        On clear tables: parts that the referee calls invalid and that do not lie there so, as
        none of a rack does.
    excused
        On clear tables: parts that the referee calls valid and that do not lie there so.
    accused_covered
        On the other tables: parts that the referee calls invalid and that do not lie there so.
    """

    tiles: Counts = _NOTHING
    tables: int = 0
    tables_exact: int = 0
    sets: int = 0
    sets_exact: int = 0
    accused: int = 0
    excused: int = 0
    accused_covered: int = 0


@dataclass(frozen=True, slots=True)
class Scored:
    """What one table was read as, its score, and a line of words on all that is not right."""

    given: Given
    reading: TableReading
    score: Score
    failures: tuple[str, ...]


def run_suite(
    name: str,
    count: int,
    reader: TableReader,
    *,
    taught: bool = False,
    drawn_dir: Path | None = None,
) -> Iterator[Scored]:
    """Render and read `count` tables of a suite.

    `taught` teaches the reader the tiles of each table first, from one rendered photo of them.
    With `drawn_dir` the pictures are those in that folder.

    Raises
    ------
    KeyError
        If there is no suite of that name.
    DrawnError
        If a picture is not in that folder.
    """
    suite = suite_named(name)
    rules = load_ruleset(suite.rules)
    for given in tables(suite, name, count, drawn_dir):
        pupil = _taught(reader, lesson(given, name)) if taught else reader
        reading = pupil.read(given.pixels, rules)
        if suite.as_rack:
            yield score_rack(given, reading.as_rack)
        else:
            yield score_table(given, reading, rules)


def _taught(reader: TableReader, photo: Pixels) -> TableReader:
    """Teach the reader a set; it stays as it was, with a warning, if the photo is of no use."""
    from vision.teaching import TeachingError, look_over, teach  # noqa: PLC0415 - scipy takes its time

    try:
        return teach("lesson", [look_over(photo, reader)], reader).table_reader(reader)
    except TeachingError as error:
        log.warning("read as it was not taught: %s", error)
        return reader


def score_table(given: Given, reading: TableReading, rules: Ruleset) -> Scored:
    """Compare what was read, and judged by the rules, with what lies there."""
    result = score_photo(given.photo, reading.readings)
    seen = Counter(
        canonical(part)
        for part, placed in zip(reading.table.parts, reading.layout.placed, strict=True)
        if not _is_held(reading.readings.quads_img[list(placed.tiles)], given.held_img)
    )
    wanted = Counter(
        canonical(part) for number, part in enumerate(given.table.parts) if number in given.whole
    )
    clear = len(given.whole) == len(given.table.parts)
    lies = judge_table(given.table, rules)
    accused, excused = (
        tuple(
            (_judged(reading.table, reading.verdict, s) - _judged(given.table, lies, s)).elements()
        )
        for s in (Status.INVALID, Status.VALID)
    )
    excused = excused if clear else ()
    score = Score(
        result.counts,
        tables=int(clear),
        tables_exact=int(clear and seen == wanted),
        sets=wanted.total(),
        sets_exact=(wanted & seen).total(),
        accused=len(accused) if clear else 0,
        excused=len(excused),
        accused_covered=0 if clear else len(accused),
    )
    lost = tuple(f"set {part} is read otherwise" for part in (wanted - seen).elements())
    lost += tuple(f"{part} is accused" for part in accused)
    lost += tuple(f"{part} is excused" for part in excused)
    return Scored(given, reading, score, (*result.failures, *lost))


def score_rack(given: Given, reading: TableReading) -> Scored:
    """Compare what was read with a player's tiles, which make no sets: only the list counts."""
    result = score_photo(given.photo, reading.readings)
    clear = result.counts.tiles == len(given.table.tiles)  # what hides half a tile hides no number
    exact = clear and bool(result.counts.photos_right)
    score = Score(result.counts, tables=int(clear), tables_exact=int(exact))
    return Scored(given, reading, score, result.failures)


def _judged(table: Table, verdict: Verdict, status: Status) -> Counter[str]:
    """Return the parts of that status."""
    pairs = zip(table.parts, verdict.parts, strict=True)
    return Counter(canonical(part) for part, judged in pairs if judged.status is status)


def _is_held(quads_img: Floats, held_img: Floats) -> bool:
    """Whether all tiles of a set are those of a rack."""
    return bool(within(held_img, quads_img, SAME).any(0).all())


def canonical(part: TileSet | Grid) -> str:
    """Return a part in notation, the same from whichever side of the table it is read.

    >>> from referee import parse_set, parse_grid
    >>> canonical(parse_set("R7 R6 R5")) == canonical(parse_set("R5 R6 R7"))
    True
    >>> canonical(parse_grid("R7 . / R8 B8")) == canonical(parse_grid("R8 R7 / B8 ."))
    True
    >>> canonical(parse_grid("R7 / R8"))
    'R7 / R8'
    """
    if isinstance(part, TileSet):
        return min(str(part), str(TileSet(part.tiles[::-1])))
    turned, ways = part.rows, list[str]()
    for _ in range(4):
        turned = tuple(zip(*turned[::-1], strict=True))
        rows = (" ".join("." if tile is None else str(tile) for tile in row) for row in turned)
        ways.append(" / ".join(rows))
    return min(ways)


def by_edition(results: Iterable[Scored]) -> dict[str, Score]:
    """Add up the scores of each edition."""
    return added_up(((result.given.edition, result.score) for result in results), Score())


COLUMNS: Final[dict[str, Callable[[Score], float | int | None]]] = {
    "tables": lambda s: s.tiles.photos,
    "tiles": lambda s: s.tiles.tiles,
    "recall": lambda s: s.tiles.recall,
    "precision": lambda s: s.tiles.precision,
    "tile_f1": lambda s: s.tiles.f1,
    "sets": lambda s: s.sets,
    "sets_exact": lambda s: s.sets_exact / s.sets if s.sets else None,
    "clear_tables": lambda s: s.tables,
    "tables_exact": lambda s: s.tables_exact / s.tables if s.tables else None,
    "accused": lambda s: s.accused,
    "excused": lambda s: s.excused,
    "accused_covered": lambda s: s.accused_covered,
    "unsure": lambda s: s.tiles.unsure,
    "ends_asked": lambda s: s.tiles.ends_asked,
    "confident_wrong": lambda s: s.tiles.confident_wrong,
}


def score_rows(suite: str, groups: dict[str, Score]) -> list[list[str]]:
    """Return the figures as rows of text, one an edition; a share of nothing is empty."""
    rows = []
    for name, score in groups.items():
        values = [column(score) for column in COLUMNS.values()]
        shown = [
            "" if v is None else f"{v:.4f}" if isinstance(v, float) else str(v) for v in values
        ]
        rows.append([suite, name, *shown])
    return rows


HEADER: Final = ("suite", "edition", *COLUMNS)


def write_scores(rows: Iterable[list[str]], file: TextIO, header: Sequence[str] = HEADER) -> None:
    """Write rows of figures as CSV."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def scores_text(rows: list[list[str]]) -> str:
    """Lay the figures out in columns for a terminal."""
    return columns_text([HEADER, *rows], names=2)
