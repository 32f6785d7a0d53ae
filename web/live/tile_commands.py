"""Commands about single tiles: a person's word against the camera's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.match_state import Phase
from referee.phrases import say, several
from referee.requests import Request
from referee.tiles import Tile
from web.live.amend import amended_back
from web.live.answers import joker_identities
from web.live.errors import NO_TABLE, CommandError
from web.live.snapshot import picture_scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.events import Event
    from referee.phrases import Phrase
    from referee.table import Grid, TileSet
    from vision.watching.sights import SettledTable
    from web.live.desk import Desk
    from web.live.game import Game


def declare_joker(desk: Desk, values: Request) -> None:
    """Note what a player says that a joker stands for."""
    game = desk.game
    tile_id, tile = values.whole("id"), Tile.parse(values.text("tile"))
    if game.settled is None:
        raise CommandError(NO_TABLE)
    possible = joker_identities(game.settled, tile_id, game.rules)
    if tile not in possible:
        raise CommandError(_impossible(tile, possible))
    game.said.declare(tile_id, tile, game.settled)


def _impossible(tile: Tile, possible: Iterable[Tile]) -> Phrase:
    """Say what a joker can be instead."""
    can = sorted(possible, key=lambda one: one.words)
    if not can:
        return say(
            "refusal.joker_nothing",
            "That joker cannot be {tile}; it can be nothing where it lies.",
            tile=tile,
        )
    return say(
        "refusal.joker",
        "That joker cannot be {tile}; it can be {tiles}.",
        tile=tile,
        tiles=several(", ", can),
    )


def correct_tile(desk: Desk, values: Request) -> None:
    """Take a person's word for what a tile is."""
    _corrected(desk, _one(values), Tile.parse(values.text("tile")))


def delete_tile(desk: Desk, values: Request) -> None:
    """Take a person's word that there is no tile."""
    _corrected(desk, _one(values), None)


def delete_tiles(desk: Desk, values: Request) -> None:
    """Take a person's word that several things are no tiles, as a paper with numbers."""
    _corrected(desk, _several(values), None)


def leave_out_rack(desk: Desk, values: Request) -> None:
    """Take a person's word that things stand on a rack, whose place is left out from now on."""
    _corrected(desk, _several(values), None, rack=True)


def look_at_racks(desk: Desk, _: Request) -> None:
    """Leave no rack out any more."""
    table = desk.watching.leave_nothing_out()
    if table is not None:
        desk.take_in(table)


def _one(values: Request) -> dict[str, str]:
    """Return a tile's number with what it was shown as; "" where that is not told."""
    return {str(values.whole("id")): values.text("was", "")}


def _several(values: Request) -> dict[str, str]:
    """Return the numbers of tiles, each with what it was shown as."""
    shown = Request(values.mapping("tiles"))
    return {number: shown.text(number) for number in shown.given}


def _corrected(
    desk: Desk, shown: Mapping[str, str], tile: Tile | None, *, rack: bool = False
) -> None:
    """Correct what is seen; if the record had the tiles as they were read, correct that, too.

    Parameters
    ----------
    shown
        What the tiles were shown as, by their numbers; all are what is said, or none is.
    rack
        Whether they are none as they stand on a rack: then they were not misread.
    """
    game = desk.game
    seen, places = _shown_ones(game.settled, shown)
    told = [seen.tiles[place] for place in places]
    before, amended = game.match, _amended(game, seen, places, tile)
    both = desk.words.keep_with(lambda words: game.kept.amend(amended, words))
    said, keep = {one.id: tile for one in told}, both if amended else desk.words.keep
    if rack:
        corrected = desk.watching.leave_out(list(said), keep)
    else:
        corrected = desk.watching.correct(said, keep)
        for one in told:
            game.corrections.note(seen, corrected, one.id)
    if amended:
        game.go_on(before, game.sync, corrected)
        game.struck = told[0].reading.tile if tile is None and len(told) == 1 else None
    desk.take_in(corrected)


def _shown_ones(
    seen: SettledTable | None, shown: Mapping[str, str]
) -> tuple[SettledTable, list[int]]:
    """Return a table and the places of tiles among its own, if all are there as they were shown.

    Where looking began anew, as after a restart, a number may be that of another tile.
    """
    there = {str(one.id): place for place, one in enumerate(seen.tiles)} if seen else {}
    places = [there[number] for number in shown if number in there]
    if (
        seen is None
        or len(places) < max(len(shown), 1)
        or not all(
            was in {"", str(seen.tiles[place].reading.tile)}
            for place, was in zip(places, shown.values(), strict=True)
        )
    ):
        raise CommandError(
            say("refusal.tile_gone", "That tile is no longer there; tap the one that is.")
            if len(shown) == 1
            else say("refusal.tiles_gone", "Something has changed there since: look again.")
        )
    return seen, places


def _amended(
    game: Game, seen: SettledTable, places: Iterable[int], tile: Tile | None
) -> dict[int, Event]:
    """Return the turns to put right with tiles: none, if the record never had them as read.

    It had not where more of a face are seen than are on the record.
    """
    match = game.match
    if match is None or match.phase is not Phase.PLAYING:
        return {}
    events = [one.event for one in game.kept.told]
    amended: dict[int, Event] = {}
    beyond = seen.table.faces - match.table.faces
    for place in places:
        read = seen.tiles[place].reading.tile
        if read == tile:
            continue
        if beyond[read] > 0:
            beyond[read] -= 1
            continue
        for number, event in amended_back(events, (read, tile, _part_of(seen, place))).items():
            events[number] = amended[number] = event
    return amended


def _part_of(settled: SettledTable, number: int) -> TileSet | Grid:
    """Return the set in which a tile lies."""
    parts = zip(settled.table.parts, settled.layout.placed, strict=True)
    return next(part for part, placed in parts if number in placed.tiles)


def add_tile(desk: Desk, values: Request) -> None:
    """Take a person's word that a tile lies there, by its corners in the page's picture."""
    game = desk.game
    try:
        with np.errstate(over="ignore"):  # what is too large is said below
            quad = np.array(values.given.get("quad"), np.float32)
    except (TypeError, ValueError):
        quad = np.zeros(0, np.float32)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        raise CommandError(say("refusal.quad", "quad: expected four corners, each of two numbers"))
    scale = 1.0
    if game.settled is not None:
        scale = picture_scale(game.settled, game.settings.jpeg_width_px)
    tile = Tile.parse(values.text("tile"))
    # Who says that there is no tile, and then that there is, has played nothing.
    before, again = game.match, game.match is not None and game.struck == tile
    both = desk.words.keep_with(game.kept.undo)
    keep = both if again else desk.words.keep
    added = desk.watching.add(quad / np.float32(scale), tile, keep)
    game.corrections.note(game.settled, added)
    if again:
        game.go_on(before, game.sync, added)
    desk.take_in(added)
