"""Commands about single tiles: a person's word against the camera's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from referee.match_state import Phase
from referee.phrases import say, several
from referee.tiles import Tile
from web.live.amend import amended_back
from web.live.answers import joker_identities
from web.live.errors import NO_TABLE, CommandError
from web.live.snapshot import picture_scale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.events import Event
    from referee.phrases import Phrase
    from referee.requests import Request
    from referee.table import Grid, TileSet
    from vision.watching.sights import SeenTile, SettledTable
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
    _corrected(desk, values, Tile.parse(values.text("tile")))


def delete_tile(desk: Desk, values: Request) -> None:
    """Take a person's word that there is no tile."""
    _corrected(desk, values, None)


def _corrected(desk: Desk, values: Request, tile: Tile | None) -> None:
    """Correct what is seen; if the record had the tile as it was read, correct that, too."""
    game, seen, tile_id = desk.game, desk.game.settled, values.whole("id")
    tiles = seen.tiles if seen else ()
    number = next((n for n, one in enumerate(tiles) if one.id == tile_id), None)
    # Where looking began anew, as after a restart, the number may be that of another tile.
    if seen is None or number is None or not _is_as_shown(seen.tiles[number], values):
        raise CommandError(
            say("refusal.tile_gone", "That tile is no longer there; tap the one that is.")
        )
    before, amended = game.match, _amended(game, seen, number, tile)
    both = desk.words.keep_with(lambda words: game.kept.amend(amended, words))
    corrected = desk.watching.correct({tile_id: tile}, both if amended else desk.words.keep)
    game.corrections.note(seen, corrected, tile_id)
    if amended:
        game.go_on(before, game.sync, corrected)
        game.struck = seen.tiles[number].reading.tile if tile is None else None
    desk.take_in(corrected)


def _is_as_shown(one: SeenTile, values: Request) -> bool:
    read = str(one.reading.tile)
    return values.text("was", read) == read


def _amended(
    game: Game, seen: SettledTable, number: int, tile: Tile | None
) -> Mapping[int, Event]:
    """Return the turns to put right with a tile: none, if the record never had it as it was read.

    It had not where more of its face are seen than are on the record.
    """
    match, read = game.match, seen.tiles[number].reading.tile
    if match is None or match.phase is not Phase.PLAYING or read == tile:
        return {}
    if match.table.faces[read] < seen.table.faces[read]:
        return {}
    slip = (read, tile, _part_of(seen, number))
    return amended_back([one.event for one in game.kept.told], slip)


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
