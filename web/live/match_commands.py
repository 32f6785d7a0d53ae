"""Commands about the match as a whole: its players, rules, scores and record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from referee.events import (
    Adjusted,
    KeptTooMany,
    Played,
    RoundEnded,
    Started,
    Stopped,
    decode,
    encode,
    renamed,
)
from referee.match_state import Phase
from referee.notation import as_written
from referee.phrases import say
from referee.rulesets import carried, override
from web.live.amend import amended_on
from web.live.errors import GONE_ON, CommandError
from web.live.names import player_names
from web.live.round_commands import handfuls_in
from web.live.syncing import Sync

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.events import Goal
    from referee.requests import Request
    from web.live.desk import Desk


_GOALS: Final = {
    "games": say("goal.games", "games"),
    "rounds": say("goal.rounds", "rounds"),
    "points": say("goal.points", "points"),
}


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


def rename_player(desk: Desk, values: Request) -> None:
    """Give a player another name, from the beginning of the match on."""
    game = desk.game
    match = game.playing()
    renaming = match.player(values.text("player"))
    before = [player.name for player in match.players]
    wanted = [values.text("new_name") if name == renaming.name else name for name in before]
    names = dict(zip(before, player_names(wanted, match.rules), strict=True))
    events = {place: renamed(one.event, names) for place, one in enumerate(game.kept.told)}
    changed = {k: event for k, event in events.items() if event != game.kept.told[k].event}
    game.replace(changed, game.sync)


def adjust(desk: Desk, values: Request) -> None:
    """Change a score by agreement."""
    player, points = values.text("player"), values.whole("points")
    desk.game.append(Adjusted(player, points, values.text("reason", "")))


def kept_too_many(desk: Desk, values: Request) -> None:
    """Note that a player keeps more tiles than the limit, although warned."""
    desk.game.append(KeptTooMany(values.text("player")))


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
    """Return an event with its tiles as the notation has them, whatever they were typed on.

    Raises
    ------
    CommandError
        If handfuls are not two whole numbers each.
    """
    written = ("table", "racks", "handfuls", "free_tiles")
    table, racks, handfuls, free_tiles = (event.get(key) for key in written)
    told = dict(event)
    if isinstance(table, str):
        told["table"] = " | ".join(as_written(part) for part in table.split("|"))
    if isinstance(racks, dict):
        told["racks"] = {str(name): as_written(str(rack)) for name, rack in racks.items()}
    if isinstance(handfuls, dict):
        told["handfuls"] = handfuls_in(handfuls)
    if isinstance(free_tiles, str):
        told["free_tiles"] = as_written(free_tiles)
    return told


def set_option(desk: Desk, values: Request) -> None:
    """Say whether a turn that is legal, sure and still counts without a person's word."""
    said = desk.game.said
    said.choose(values.flag("auto_accept", default=said.auto_accept), desk.game.settled)
