"""Whether the table may be believed: a turn under way, a disagreement, or tiles to put back.

Pure: each settled table, and each moment after it, leads from one state to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee.match_state import Phase
from web.live.comparing import compare_seen
from web.live.proposals import no_move

if TYPE_CHECKING:
    from referee.match_state import Match
    from vision.watching.sights import SettledTable
    from web.live.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Sync:
    """How the seen table stands to the record.

    Attributes
    ----------
    trusted
        Whether the player to move may have made the difference: a hand was seen, or a person
        said so.
    desync
        Whether table and record disagree; stays until they agree, or the whole difference is a
        legal turn of the player to move, or a person puts it right.
    restoring
        Whether tiles are being put back where the record has them.
    again
        Whether it is the player to move who puts them back, and then goes on.
    edited
        Whether the record was just changed by a person, so that no difference is a move.
    since_s
        Since when there is a difference that nothing explains; None while there is none.
    """

    trusted: bool = False
    desync: bool = False
    restoring: bool = False
    again: bool = False
    edited: bool = False
    since_s: float | None = None

    @property
    def holds_clock(self) -> bool:
        """Whether nobody's time should run."""
        return self.desync or self.restoring


@dataclass(frozen=True, slots=True)
class Step:
    """Where a settled table leads: the state, and the turn that is proposed, if any."""

    sync: Sync
    proposal: Proposal | None = None


def follow(  # noqa: PLR0913 - the table, the record, and the moment
    sync: Sync,
    match: Match,
    settled: SettledTable,
    proposal: Proposal | None,
    *,
    hand: bool,
    now_s: float,
    grace_s: float,
    still: bool = True,
) -> Step:
    """Return what a settled table means for the match.

    Parameters
    ----------
    proposal
        What `propose` makes of the two.
    hand
        Whether the table was settled just now, after a hand was over it.
    grace_s
        How long an unexplained difference is waited for before it is a disagreement.
    still
        Whether nothing moves over the table at present; a disagreement begins only then.
    """
    found = compare_seen(match.table, settled)
    if match.phase is not Phase.PLAYING or no_move(found, settled):
        return Step(Sync())
    if sync.again and hand and proposal and proposal.legal:
        return Step(Sync(trusted=True), proposal)
    if sync.desync and not (sync.restoring or sync.edited) and proposal and proposal.legal:
        # Half of a turn was seen first, as by a camera that comes back: now it is whole.
        return Step(Sync(), proposal)
    if sync.restoring or sync.desync or sync.edited:
        return Step(replace(sync, trusted=False, desync=not sync.restoring))
    trusted = sync.trusted or hand
    # A photo a turn shows no hand. Where nothing is gone and a tile cannot be read for sure, that
    # tile is asked about first: it may be all that keeps the turn from being legal.
    asked = bool(proposal and proposal.unsure and found.extra and not found.missing)
    if proposal and (trusted or proposal.legal or asked):
        return Step(Sync(trusted=trusted), proposal)
    since_s = now_s if sync.since_s is None else sync.since_s
    late = still and now_s - since_s >= grace_s
    return Step(Sync(desync=True) if late else replace(sync, trusted=trusted, since_s=since_s))
