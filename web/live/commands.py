"""What people can ask the table for, by name."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from referee.errors import NotationError, RulesetError
from referee.events import MatchError
from referee.phrases import say
from referee.requests import Request, RequestError
from vision.watching import WatchError
from web.live import match_commands, round_commands, tile_commands, turn_commands
from web.live.errors import GONE_ON, CommandError
from web.live.sentences import no_tile, phrased

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from referee.phrases import Phrase
    from web.live.desk import Desk, Errand

COMMANDS: Final[dict[str, Callable[[Desk, Request], Errand | None]]] = {
    command.__name__: command
    for command in (
        match_commands.new_match,
        match_commands.open_match,
        match_commands.use_rules,
        match_commands.set_option,
        round_commands.draw_for_start,
        round_commands.start_round,
        round_commands.read_leftovers,
        round_commands.set_leftovers,
        round_commands.correct_leftover,
        round_commands.end_round,
        match_commands.rename_player,
        match_commands.adjust,
        match_commands.kept_too_many,
        round_commands.play_on,
        match_commands.stop,
        match_commands.undo,
        match_commands.redo,
        match_commands.edit_event,
        turn_commands.end_turn,
        turn_commands.drew,
        turn_commands.time_out,
        turn_commands.challenge,
        turn_commands.hint,
        turn_commands.restore,
        turn_commands.restored,
        turn_commands.put_right,
        turn_commands.pause_clock,
        turn_commands.resume_clock,
        turn_commands.extend_clock,
        tile_commands.declare_joker,
        tile_commands.correct_tile,
        tile_commands.delete_tile,
        tile_commands.delete_tiles,
        tile_commands.leave_out_rack,
        tile_commands.look_at_racks,
        tile_commands.add_tile,
    )
}


def run(desk: Desk, name: str, values: Mapping[str, Any]) -> Errand | None:
    """Do what a person asked for; what takes long is given back to be done.

    Raises
    ------
    CommandError
        If it cannot be done; the message says why.
    """
    command = COMMANDS.get(name)
    if command is None:
        text = say(
            "refusal.no_command",
            "There is no command {name}; there are {known}.",
            name=repr(name),
            known=", ".join(COMMANDS),
        )
        raise CommandError(text)
    check_records(desk, values)
    with in_words():
        return command(desk, Request(values))


@contextmanager
def in_words() -> Iterator[None]:
    """Turn what can be wrong with a request into `CommandError`."""
    try:
        yield
    except NotationError as error:
        text = no_tile(error.token) if error.token else _unfinished(error)
        raise CommandError(text) from error
    except WatchError as error:
        raise CommandError(phrased(str(error))) from error
    except (RequestError, MatchError, RulesetError) as error:
        raise CommandError(error.args[0]) from error


def _unfinished(error: NotationError) -> Phrase:
    return say(
        "refusal.unfinished",
        "Set {number} is not finished: write its tiles with spaces between them, as in R7 R8 J, "
        "and a | between two sets.",
        number=error.part + 1,
    )


def check_records(desk: Desk, values: Mapping[str, Any]) -> None:
    """Refuse what was asked for on a page that shows an older state of the match, or another one.

    A page may send `match` and `records`, the number of the match that it shows, if any, and of
    its records; then a double tap, or a tap of two people at once, counts only once.
    """
    kept = desk.game.kept
    shown = {"match": kept.number, "records": kept.records, **values}
    if (shown["match"], shown["records"]) != (kept.number, kept.records):
        raise CommandError(GONE_ON)
