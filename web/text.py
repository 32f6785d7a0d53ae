"""The answer about a picture as lines of text for a player."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from vision.findings import LOOSE_TILES, Mark, find, question, several_loose, standing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from vision.findings import SetFinding
    from vision.leftovers import Leftovers
    from vision.pipeline import TableReading

_WIDTH: Final = 79


def photo_text(photo: str, reading: TableReading) -> str:
    """Describe a table: each set with its mark, its reasons, and the verdict."""
    findings = find(reading)
    if not findings:
        return f"{photo}: no tiles found"
    tiles = count(len(reading.readings), "tile")
    lines = [f"{photo}: {tiles} in {count(len(findings), 'set')}"]
    several = several_loose(findings)
    for finding in findings:
        if not (several and finding.loose):
            lines += _set_lines(finding)
    if several:
        lines += _loose_lines(findings)
    lines += [f"  {message}" for message in _of_the_whole_table(reading)]
    lines.append(f"  {_verdict(standing(reading), findings)}")
    if _legal_but_for_loose(reading, findings):
        lines.append("  If what lies alone is no tile, the table is legal.")
    return "\n".join(lines)


def rack_text(photo: str, reading: TableReading, found: Leftovers) -> str:
    """List a rack's tiles, what they count, and which of them to look at."""
    if not found.tiles:
        return f"{photo}: no tiles found"
    value = (
        f"{found.value} points" if not found.unsure else f"{found.value} points if that is right"
    )
    lines = [f"{photo}: {count(len(found.tiles), 'tile')}, {value}"]
    lines += wrap(found.notation, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    readings = reading.readings.readings
    lines += [f"  {Mark.UNSURE.value:6} {question(readings[number])}" for number in found.unsure]
    return "\n".join(lines)


def _set_lines(finding: SetFinding) -> Iterator[str]:
    yield f"  {finding.mark.value:6} {finding.text}"
    for note in finding.notes:
        yield f"         {note}"


def _loose_lines(findings: Sequence[SetFinding]) -> Iterator[str]:
    """Say of all loose tiles at once what would be said of each."""
    tiles = " | ".join(finding.text for finding in findings if finding.loose)
    yield from wrap(
        tiles, _WIDTH, initial_indent=f"  {Mark.INVALID.value:6} ", subsequent_indent=" " * 9
    )
    yield f"         {LOOSE_TILES}"


def _of_the_whole_table(reading: TableReading) -> Iterator[str]:
    """Yield what is said of no set in particular."""
    yield from (v.message for v in reading.verdict.violations if not v.sets)
    yield from (h.message for h in reading.verdict.hints if not h.sets)


def _legal_but_for_loose(reading: TableReading, findings: Sequence[SetFinding]) -> bool:
    """Whether nothing is wrong with the sets, and tiles lie alone: nobody lays a single one."""
    rest = [finding.mark for finding in findings if not finding.loose]
    whole = any(not violation.sets for violation in reading.verdict.violations)
    return not whole and 0 < len(rest) < len(findings) and set(rest) == {Mark.VALID}


def _verdict(ok: bool | None, findings: Sequence[SetFinding]) -> str:
    wrong = sum(finding.mark is Mark.INVALID for finding in findings)
    unsure = sum(finding.mark is Mark.UNSURE for finding in findings)
    if ok:
        return "The table is legal."
    if ok is None:
        return f"Can't tell yet: look at {count(unsure, 'set')}."
    also = f"; look at {count(unsure, 'more set')}" if unsure else ""
    return f"The table is not legal: {count(wrong, 'set')} wrong{also}."


def count(number: int, thing: str) -> str:
    """Say how many things there are.

    >>> count(1, "tile"), count(2, "tile")
    ('1 tile', '2 tiles')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
