"""Commands about the turn: what was played, who drew, who is right, and the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.events import Drew, Played, Refused, TimedOut
from referee.match_state import Phase
from referee.phrases import say, several
from web.live.amend import amended_back, last_played, slips
from web.live.answers import challenged, hinted
from web.live.comparing import compare_seen, tiles_of_parts
from web.live.errors import GONE_ON, NO_TABLE, CommandError
from web.live.proposals import propose
from web.live.syncing import Sync

if TYPE_CHECKING:
    from collections.abc import Callable

    from referee.match_state import Match
    from referee.phrases import Phrase
    from referee.requests import Request
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from web.live.amend import Slip
    from web.live.clock import TurnClock
    from web.live.desk import Desk, Errand
    from web.live.game import Game
    from web.live.proposals import Proposal

CHANGED: Final = say(
    "refusal.changed", "The table has changed in the meantime: look, and end the turn again."
)
LEGAL: Final = say("refusal.legal", "This turn is legal, so it cannot be refused.")
RESTORING: Final = say("refusal.restoring", "The table is being put back; say so when it is done.")
DISAGREE: Final = say("refusal.disagree", "Table and record disagree: put that right first.")


def end_turn(desk: Desk, values: Request) -> None:
    """Let the proposed turn count, or refuse it."""
    match = desk.game.playing(Phase.PLAYING)
    found = _proposed(desk.game, match)
    shown = values.text("table", str(found.table))
    if shown != str(found.table):
        raise CommandError(CHANGED)
    accept_unsure = values.flag("accept_unsure", default=False)
    accept_illegal = values.flag("accept_illegal", default=False)
    refuse = values.flag("refuse", default=False)
    if found.unsure and not (accept_unsure or accept_illegal) and found.look:
        text = say("refusal.look", "{text} Tap the tile to say what it is.", text=found.look.text)
        raise CommandError(text)
    if refuse:
        if found.legal is not False:
            raise CommandError(LEGAL)
        desk.game.append(Refused(), picture=True)
        return
    if found.legal is False and not accept_illegal:
        reasons = several(" ", [violation.message for violation in found.violations])
        raise CommandError(
            say("refusal.illegal", "This turn is not legal: {reasons}", reasons=reasons)
        )
    turn = Played(str(found.table))
    vouched = _unsure(match, desk.game.settled) if found.unsure else {}
    if not vouched:
        desk.game.append(turn, picture=True)
        return
    both = desk.words.keep_with(lambda words: desk.game.write(turn, words, picture=True))
    settled = desk.watching.correct(vouched, both)
    desk.game.go_on(match, Sync(), settled)
    desk.take_in(settled)


def _proposed(game: Game, match: Match) -> Proposal:
    """Return what the table proposes, or say why it proposes nothing."""
    if game.sync.restoring:
        raise CommandError(RESTORING)
    if game.sync.desync:
        raise CommandError(DISAGREE)
    if game.settled is None:
        raise CommandError(NO_TABLE)
    if game.proposal is None:
        raise CommandError(_nothing(match))
    return game.proposal


def _nothing(match: Match) -> Phrase:
    """Say what there is to do instead of ending a turn in which nothing was played."""
    player = match.current.name
    if not match.pool:
        return say(
            "refusal.nothing_left",
            "Nothing was added to the table: {player} plays something, or passes.",
            player=player,
        )
    return say(
        "refusal.nothing",
        "Nothing was added to the table: {player} plays something, or draws.",
        player=player,
    )


def _unsure(match: Match, settled: SettledTable | None) -> dict[int, Tile | None]:
    """Return what a person vouches for: every unsure tile of a changed set as it is read now."""
    if settled is None:
        return {}
    found = compare_seen(match.table, settled)
    tiles = [settled.tiles[number] for number in tiles_of_parts(settled, found.come)]
    return {tile.id: tile.reading.tile for tile in tiles if tile.unsure}


def drew(desk: Desk, values: Request) -> None:
    """Let the player to move draw, or pass where nothing is left."""
    desk.game.playing(Phase.PLAYING)
    desk.game.append(Drew(values.text("tiles", "")))


def time_out(desk: Desk, _values: Request) -> None:
    """Let the player's time have run out, with the penalty of the rules."""
    game = desk.game
    game.playing(Phase.PLAYING)
    if game.clock is None or not game.clock.expired(desk.now()):
        raise CommandError(say("refusal.time_left", "There is time left."))
    # Who is putting tiles back has not done so yet.
    disturbed = game.proposal is not None or game.sync.desync or game.sync.restoring
    game.append(TimedOut(disturbed=disturbed), picture=True)


def restore(desk: Desk, _values: Request) -> None:
    """Let the table be put back as it was before the turn, which goes on; nobody is penalised."""
    game = desk.game
    game.playing(Phase.PLAYING)
    if game.proposal is None and not game.sync.desync:
        raise CommandError(say("refusal.as_recorded", "The table lies as on the record."))
    game.trust(Sync(restoring=True, again=game.proposal is not None))


def restored(desk: Desk, _values: Request) -> None:
    """Take a person's word that the table lies as it was."""
    if not desk.game.sync.restoring:
        raise CommandError(say("refusal.not_restoring", "Nothing has to be put back."))
    desk.game.trust(Sync())


def put_right(desk: Desk, values: Request) -> None:
    """End a disagreement: the table is right, or the record is."""
    game = desk.game
    match = game.playing(Phase.PLAYING)
    take = values.choice("take", ("table", "record"))
    if not game.sync.desync or game.settled is None:
        raise CommandError(say("refusal.agree", "Table and record agree."))
    if take == "record":
        game.trust(Sync(restoring=True))
        return
    edited = game.sync.edited
    vouched = _unsure(match, game.settled)
    if vouched:
        desk.take_in(desk.watching.correct(vouched, desk.words.keep))
    found = propose(game.settled, match)
    wrong = None if edited or (found and found.legal) else slips(match.table, game.settled.table)
    last = last_played([one.event for one in game.kept.told])
    if wrong is None or last is None:
        game.trust(Sync(trusted=True))
    else:
        _amend(game, wrong, last, game.settled)


def _amend(game: Game, wrong: tuple[Slip, ...], last: int, settled: SettledTable) -> None:
    """Let the record say that the seen table was there all along."""
    events = [one.event for one in game.kept.told]
    amended: dict[int, Played] = {}
    changed = list(events)
    for slip in wrong:
        amended |= amended_back(changed, slip)
        changed = [amended.get(place, event) for place, event in enumerate(events)]
    amended[last] = Played(str(settled.table))
    game.replace(amended, Sync())


def challenge(desk: Desk, _values: Request) -> Errand:
    """Judge the turn that is proposed, or else the last one, aloud."""
    match = desk.game.playing()
    told, proposal = desk.game.kept.told, desk.game.proposal
    return _answered(desk.game, match, lambda: challenged(told, proposal))


def hint(desk: Desk, _values: Request) -> Errand:
    """Say what the player to move could play, where the rack is known."""
    match = desk.game.playing(Phase.PLAYING)
    return _answered(desk.game, match, lambda: hinted(match))


def _answered(game: Game, match: Match, think: Callable[[], dict[str, Any]]) -> Errand:
    """Return the errand of thinking about a match, and of saying what came of it."""

    def errand() -> Callable[[], None]:
        answer = think()

        def finish() -> None:
            if game.match is not match:
                raise CommandError(GONE_ON)
            game.answer = answer

        return finish

    return errand


def pause_clock(desk: Desk, _values: Request) -> None:
    """Stop the clock."""
    desk.game.clock = _clock(desk).pause(desk.now())


def resume_clock(desk: Desk, _values: Request) -> None:
    """Let the clock run on."""
    desk.game.clock = _clock(desk).resume(desk.now())


def extend_clock(desk: Desk, _values: Request) -> None:
    """Give the player to move more time."""
    clock = _clock(desk)
    if clock.extensions < 1:
        raise CommandError(say("refusal.extended", "This turn cannot be extended again."))
    desk.game.clock = clock.extend(desk.now(), desk.game.settings.extension_s)


def _clock(desk: Desk) -> TurnClock:
    if desk.game.clock is None:
        raise CommandError(say("refusal.no_clock", "This match is played without a clock."))
    return desk.game.clock
