"""Put a misread tile right wherever the record has it, so that all counts come out right."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from referee.events import Dealt, Played
from referee.notation import parse_table
from referee.table import Table
from web.live.comparing import compare, shared, with_tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from referee.events import Event
    from referee.table import Grid, TileSet
    from referee.tiles import Tile

Slip: TypeAlias = "tuple[Tile, Tile | None, TileSet | Grid]"
"""A recorded face, what it was all along (None: no tile), and a set that is like the one it
lies in."""


def slips(record: Table, seen: Table) -> tuple[Slip, ...] | None:
    """Return what the record has wrong, if the tables differ only in faces, or in tiles gone.

    None where they differ by more, so that somebody may have played.

    >>> from referee import parse_table
    >>> def told(record, seen):
    ...     found = slips(parse_table(record), parse_table(seen))
    ...     return found and [(str(old), str(new)) for old, new, _ in found]
    >>> told("R3 R4 O5 | K1 K2 K3", "R3 R4 R5 | K1 K2 K3")
    [('O5', 'R5')]
    >>> told("R3 R4 R5 | K1 K2 K3 K4", "R3 R4 R5 | K1 K2 K3")
    [('K4', 'None')]
    >>> told("R3 R4 R5", "R3 R4 | B1") is None
    True
    """
    found = compare(record, seen)
    if not found.extra:
        parts = [record.parts[part] for part in found.gone]
        return tuple(
            (tile, None, next(part for part in parts if tile in part.tiles))
            for tile in found.missing.elements()
        )
    left = [record.parts[part] for part in found.gone]
    pairs = []
    for part in (seen.parts[place] for place in found.come):
        old = max(left, key=lambda other: shared(part, other), default=None)
        if old is None:
            return None
        left.remove(old)
        gone = [*(Counter(old.tiles) - Counter(part.tiles)).elements()]
        come = [*(Counter(part.tiles) - Counter(old.tiles)).elements()]
        if len(gone) != 1 or len(come) != 1:
            return None
        pairs.append((gone[0], come[0], part))
    return None if left else tuple(pairs)


def put_right(table: Table, slip: Slip) -> Table:
    """Return the table with one tile of another face or without it.

    Of several such tiles the one in the set that is most like the slip's is meant.

    >>> from referee import Tile, parse_set, parse_table
    >>> table = parse_table("R7 R8 R9 | R7 B7 K7")
    >>> str(put_right(table, (Tile.parse("R7"), Tile.parse("O7"), parse_set("O7 B7 K7"))))
    'R7 R8 R9 | O7 B7 K7'
    """
    old, new, like = slip
    places = [place for place, part in enumerate(table.parts) if old in part.tiles]
    if not places:
        return table
    place = max(places, key=lambda place: shared(table.parts[place], like))
    part = table.parts[place]
    parts = list(table.parts)
    parts[place : place + 1] = with_tile(part, part.tiles.index(old), new)
    return Table(tuple(parts))


def amended_back(events: Sequence[Event], slip: Slip) -> dict[int, Played]:
    """Return the turns of this round in which a tile was misread, put right, by their places.

    From the last turn back to the one that brought the tile; of two equal tiles the later one
    is taken to be the misread one.
    """
    amended: dict[int, Played] = {}
    most = None
    for place, event in _played_back(events):
        table = parse_table(event.table)
        count = table.faces[slip[0]]
        most = count if most is None else most
        if not count or count < most:
            break
        amended[place] = Played(str(put_right(table, slip)))
    return amended


def amended_on(events: Sequence[Event], place: int, event: Played) -> dict[int, Played]:
    """Return an edited turn, and the later turns of its round that show the same mistake."""
    amended = {place: event}
    before = events[place]
    if not isinstance(before, Played):
        return amended
    found = slips(parse_table(before.table), parse_table(event.table)) or ()
    later = [(k, e) for k, e in enumerate(events) if k > place]
    for k, other in later:
        if isinstance(other, Dealt):
            break
        if not isinstance(other, Played):
            continue
        table = parse_table(other.table)
        for slip in found:
            table = put_right(table, slip)
        if str(table) != str(parse_table(other.table)):
            amended[k] = Played(str(table))
    return amended


def _played_back(events: Sequence[Event]) -> Iterator[tuple[int, Played]]:
    """Yield the turns of this round, the last one first."""
    for place in range(len(events) - 1, -1, -1):
        event = events[place]
        if isinstance(event, Dealt):
            return
        if isinstance(event, Played):
            yield place, event


def last_played(events: Sequence[Event]) -> int | None:
    """Return the place of this round's last turn; None where nobody has played."""
    return next((place for place, _ in _played_back(events)), None)
