"""Commands about the match as a whole: its players, rounds and scores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from referee.events import (
    Adjusted,
    Dealt,
    DrewForStart,
    KeptTooMany,
    Played,
    PlayedOn,
    RoundEnded,
    Started,
    Stopped,
    decode,
    encode,
)
from referee.match import apply
from referee.match_state import Phase
from referee.notation import parse_tiles
from referee.phrases import say, several
from referee.rulesets import carried, override
from referee.tiles import Tile
from web.live.amend import amended_on
from web.live.aside import free_tiles_in
from web.live.errors import GONE_ON, CommandError
from web.live.leftovers import corrected, leftovers_in, leftovers_of, not_told
from web.live.names import player_names
from web.live.syncing import Sync

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from referee.events import Goal
    from referee.requests import Request
    from web.live.desk import Desk, Errand
    from web.live.game import Game


_GOALS: Final = {
    "games": say("goal.games", "games"),
    "rounds": say("goal.rounds", "rounds"),
    "points": say("goal.points", "points"),
}
_RACK_ANEW: Final = say(
    "refusal.rack_anew", "That rack was read anew in the meantime: look, and do it again."
)


def new_match(desk: Desk, values: Request) -> None:
    """Start a match; one that is under way is left as it stands, and can be opened again."""
    changes = dict(values.mapping("changes"))
    if values.has("timer_s"):
        changes["timer_s"] = values.whole("timer_s")
    goal = values.choice("goal", ("open", "games", "rounds", "points"), "open")
    rules = desk.game.settings.rules(values.text("ruleset", "standard"))
    base, own = carried(rules)
    started = Started(
        player_names(values.given.get("players"), override(rules, changes)),
        base,
        own | changes,
        cast("Goal", goal),
        values.whole("amount", 0),
    )
    if goal != "open" and started.amount < 1:
        text = say("refusal.amount", "To how many {goal} is the match played?", goal=_GOALS[goal])
        raise CommandError(text)
    desk.game.begin(started)
    _judge_by_the_match(desk)


def open_match(desk: Desk, values: Request) -> None:
    """Go on with an earlier match where it stood."""
    desk.game.open(values.whole("id"))
    _judge_by_the_match(desk)


def _judge_by_the_match(desk: Desk) -> None:
    settled = desk.watching.use_rules(desk.game.playing().rules)
    desk.take_in(settled)


def use_rules(desk: Desk, values: Request) -> None:
    """Judge by other rules while no match is played."""
    match = desk.game.match
    if match is not None and match.phase is not Phase.OVER:
        raise CommandError(
            say(
                "refusal.keeps_rules",
                "A match keeps its rules; start another one for other rules.",
            )
        )
    rules = desk.game.settings.rules(values.text("ruleset"))
    desk.game.free_rules = rules.name
    desk.take_in(desk.watching.use_rules(rules))


def draw_for_start(desk: Desk, values: Request) -> None:
    """Say who drew which tile to see who starts."""
    desk.game.playing(Phase.DRAWING)
    tiles = {str(k): str(v) for k, v in values.mapping("tiles").items()}
    for text in tiles.values():
        Tile.parse(text)
    desk.game.append(DrewForStart(tiles))


def start_round(desk: Desk, values: Request) -> None:
    """Begin a round."""
    match = desk.game.playing(Phase.DRAWING)
    racks = {str(k): str(v) for k, v in values.mapping("racks").items()}
    handfuls = {str(k): _two_whole(v) for k, v in values.mapping("handfuls").items()}
    free_tiles = _as_written(values.text("free_tiles", _lying_free(desk.game)))
    parse_tiles(free_tiles)
    event = Dealt(values.text("starter", ""), racks, handfuls, free_tiles)
    # Written down: a correction of the round before no longer changes who started this one.
    desk.game.append(replace(event, starter=apply(match, event).current.name))


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
    racks |= {str(name): _as_written(str(rack)) for name, rack in given.items()}
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


def _as_written(text: str) -> str:
    """Return typed tiles as the notation has them, whatever they were typed on.

    >>> _as_written("r7, j;k13")
    'R7 J K13'
    """
    return " ".join(text.upper().replace(",", " ").replace(";", " ").split())


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
            game.leftovers[name] = found

        return finish

    return errand


def set_leftovers(desk: Desk, values: Request) -> None:
    """Take a person's word for what is left on a player's rack, before it counts."""
    match = desk.game.playing(Phase.PLAYING, Phase.SCORING)
    name = match.player(values.text("player")).name
    tiles = parse_tiles(_as_written(values.text("tiles", "")))
    desk.game.leftovers[name] = leftovers_of(tiles, match, name, desk.game.leftovers.get(name))


def correct_leftover(desk: Desk, values: Request) -> None:
    """Take a person's word for one tile of a rack that was read; no tile: there is none."""
    match = desk.game.playing(Phase.PLAYING, Phase.SCORING)
    name, place = match.player(values.text("player")).name, values.whole("place")
    before, text = desk.game.leftovers.get(name), values.text("tile", "")
    shown = [str(tile) for tile in before.tiles] if before else []
    if before is None or [values.text("was")] != shown[place : place + 1]:
        raise CommandError(_RACK_ANEW)
    tile = Tile.parse(text) if text else None
    desk.game.leftovers[name] = corrected(before, place, tile, match, name)


def adjust(desk: Desk, values: Request) -> None:
    """Change a score by agreement."""
    player, points = values.text("player"), values.whole("points")
    desk.game.append(Adjusted(player, points, values.text("reason", "")))


def kept_too_many(desk: Desk, values: Request) -> None:
    """Note that a player keeps more tiles than the limit, although warned."""
    desk.game.append(KeptTooMany(values.text("player")))


def play_on(desk: Desk, _values: Request) -> None:
    """Go on with a round that by the count of tiles is over, and is not."""
    desk.game.playing(Phase.SCORING)
    desk.game.append(PlayedOn())


def stop(desk: Desk, _values: Request) -> None:
    """End the match by agreement."""
    if desk.game.playing().phase is Phase.OVER:
        raise CommandError(say("refusal.over", "The match is over already."))
    desk.game.append(Stopped())


def undo(desk: Desk, _values: Request) -> None:
    """Take the last event back."""
    desk.game.undo()


def redo(desk: Desk, _values: Request) -> None:
    """Let what was last taken back happen again."""
    desk.game.redo()


def edit_event(desk: Desk, values: Request) -> None:
    """Put another event in the place of one; everything after it is worked out again."""
    game = desk.game
    game.playing()
    seq, given = values.whole("seq"), _well_written(values.mapping("event"))
    place = next((k for k, one in enumerate(game.kept.told) if one.seq == seq), None)
    if place is None:
        raise CommandError(
            say("refusal.event_gone", "That event no longer counts; look at the history again.")
        )
    events = [one.event for one in game.kept.told]
    before = encode(events[place])
    if not values.mapping("was").items() <= before.items():
        raise CommandError(GONE_ON)
    event = decode(_merged(before, given) if given.get("event") == before["event"] else given)
    if isinstance(event, RoundEnded):
        for name in event.racks:
            game.playing().player(name)
    if isinstance(event, Played):
        game.replace(amended_on(events, place, event), Sync(edited=True))
    else:
        game.replace({place: event}, Sync(edited=True))


def _merged(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event with other values; of those by player the others stay as they were."""
    kept = {key: value for key, value in before.items() if isinstance(value, dict)}
    whole = {key: kept[key] | given[key] for key in kept if isinstance(given.get(key), dict)}
    return {**before, **given, **whole}


def _well_written(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event with its tiles as the notation has them, whatever they were typed on."""
    table, racks, free_tiles = (event.get(key) for key in ("table", "racks", "free_tiles"))
    told = dict(event)
    if isinstance(table, str):
        told["table"] = " | ".join(_as_written(part) for part in table.split("|"))
    if isinstance(racks, dict):
        told["racks"] = {str(name): _as_written(str(rack)) for name, rack in racks.items()}
    if isinstance(free_tiles, str):
        told["free_tiles"] = _as_written(free_tiles)
    return told


def set_option(desk: Desk, values: Request) -> None:
    """Say whether a turn that is legal, sure and still counts without a person's word."""
    said = desk.game.said
    said.choose(values.flag("auto_accept", default=said.auto_accept), desk.game.settled)
