"""Commands about a round: who starts it, what is left on racks, and its end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from referee.events import Dealt, DrewForStart, PlayedOn, RoundEnded
from referee.match import apply
from referee.match_state import Phase
from referee.notation import as_written, parse_tiles
from referee.phrases import say, several
from referee.tiles import Tile
from web.live.aside import free_tiles_in
from web.live.errors import GONE_ON, CommandError
from web.live.leftovers import corrected, leftovers_in, leftovers_of, not_told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.requests import Request
    from web.live.desk import Desk, Errand
    from web.live.game import Game


_RACK_ANEW: Final = say(
    "refusal.rack_anew", "That rack was read anew in the meantime: look, and do it again."
)


def draw_for_start(desk: Desk, values: Request) -> None:
    """Say who drew which tile to see who starts."""
    desk.game.playing(Phase.DRAWING)
    tiles = {str(k): str(v) for k, v in values.mapping("tiles").items()}
    desk.game.append(DrewForStart(tiles))


def start_round(desk: Desk, values: Request) -> None:
    """Begin a round."""
    match = desk.game.playing(Phase.DRAWING)
    racks = {str(k): str(v) for k, v in values.mapping("racks").items()}
    handfuls = handfuls_in(values.mapping("handfuls"))
    free_tiles = as_written(values.text("free_tiles", _lying_free(desk.game)))
    event = Dealt(values.text("starter", ""), racks, handfuls, free_tiles)
    # Written down: a correction of the round before no longer changes who started this one.
    desk.game.append(replace(event, starter=apply(match, event).current.name))


def handfuls_in(given: Mapping[str, object]) -> dict[str, list[int]]:
    """Return the two handfuls of each player that took some.

    Raises
    ------
    CommandError
        If they are not two whole numbers.
    """
    return {str(name): _two_whole(value) for name, value in given.items()}


def _two_whole(value: object) -> list[int]:
    numbers = list(value) if isinstance(value, list | tuple) else []
    if [type(number) for number in numbers] != [int, int] or min(numbers) < 0:
        raise CommandError(
            say("refusal.handfuls", "Every player takes two handfuls, two whole numbers.")
        )
    return numbers


def _lying_free(game: Game) -> str:
    """Return the free tiles where the table shows nothing else, before anyone has laid any."""
    match = game.playing()
    count = match.rules.free_tiles_per_player * len(match.players)
    found = free_tiles_in(game.settled, count) if count and game.settled else ()
    return " ".join(map(str, found))


def end_round(desk: Desk, values: Request) -> None:
    """Score the racks: those that are given, else as they were read from pictures."""
    game = desk.game
    match = game.playing(Phase.PLAYING, Phase.SCORING)
    racks = {name: found.notation for name, found in game.leftovers.items()}
    given = values.mapping("racks")
    racks |= {str(name): as_written(str(rack)) for name, rack in given.items()}
    for name, rack in racks.items():
        match.player(name)
        parse_tiles(rack)
    if held := not_told(match, racks):
        text = say(
            "refusal.racks",
            "What is left on the rack of {players}? Photograph it.",
            players=several("and", held),
        )
        raise CommandError(text)
    game.append(RoundEnded(racks))


def read_leftovers(desk: Desk, values: Request) -> Errand:
    """Read what is left on a player's rack; it counts only when the round is ended."""
    game = desk.game
    match, number = game.playing(Phase.PLAYING, Phase.SCORING), game.kept.number
    name = match.player(values.text("player")).name
    before = game.leftovers.get(name)
    given, mark = values.given.get("pixels"), values.text("mark", "")
    pixels = desk.picture() if given is None else given

    def errand() -> Callable[[], None]:
        found = leftovers_in(desk.read(pixels, match.rules), match, name, mark)

        def finish() -> None:
            now = game.playing()
            if (game.kept.number, now.games_played) != (number, match.games_played):
                raise CommandError(GONE_ON)
            if game.leftovers.get(name) is not before:  # a person's word is newer than the photo
                raise CommandError(_RACK_ANEW)
            game.know({**game.leftovers, name: found})

        return finish

    return errand


def set_leftovers(desk: Desk, values: Request) -> None:
    """Take a person's word for what is left on a player's rack, before it counts."""
    game = desk.game
    match = game.playing(Phase.PLAYING, Phase.SCORING)
    name = match.player(values.text("player")).name
    tiles = parse_tiles(as_written(values.text("tiles", "")))
    found = leftovers_of(tiles, match, name, game.leftovers.get(name))
    game.know({**game.leftovers, name: found})


def correct_leftover(desk: Desk, values: Request) -> None:
    """Take a person's word for one tile of a rack that was read; no tile: there is none."""
    match = desk.game.playing(Phase.PLAYING, Phase.SCORING)
    name, place = match.player(values.text("player")).name, values.whole("place")
    before, text = desk.game.leftovers.get(name), values.text("tile", "")
    shown = [str(tile) for tile in before.tiles] if before else []
    if before is None or [values.text("was")] != shown[place : place + 1]:
        raise CommandError(_RACK_ANEW)
    tile = Tile.parse(text) if text else None
    found = corrected(before, place, tile, match, name)
    desk.game.know({**desk.game.leftovers, name: found})


def play_on(desk: Desk, _values: Request) -> None:
    """Go on with a round that by the count of tiles is over, and is not."""
    desk.game.playing(Phase.SCORING)
    desk.game.append(PlayedOn())
