"""What a match knows of the player to move, for the judge of the turn.

Racks are hidden as a rule, and nobody sees whether a tile came from one or from the free tiles at
the side. What cannot be known is held against nobody.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from referee.tiles import JOKER
from referee.turns import Situation

if TYPE_CHECKING:
    from referee.match_state import Match, Player
    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.tiles import Tile
    from referee.verdicts import Place


def equipment(rules: Ruleset, players: int = 2) -> Counter[str]:
    """Return how many tiles there are: numbered ones and jokers (rules reference 5.1, 8.1).

    >>> from referee import load_ruleset
    >>> equipment(load_ruleset("standard")).total()
    106
    """
    jokers = rules.jokers_above_four_players if players > 4 else rules.jokers  # noqa: PLR2004
    return Counter(numbered=rules.colours * rules.max_number * rules.copies, jokers=jokers)


def situation(match: Match, after: Table, unsure: frozenset[Place] = frozenset()) -> Situation:
    """Return what a turn that ends with this table is judged by.

    A dealt joker is due on every turn after the opening until it is played (rules reference
    9.8); whoever hides the rack is not reminded.
    """
    mover = match.current
    return Situation(
        opened=mover.opened,
        rack=mover.rack,
        unsure=unsure,
        free_tiles=match.free_tiles,
        dealt_jokers_played=dealt_jokers_played(match, after),
        joker_due=match.rules.wild_second_turn and mover.opened,
    )


def dealt_jokers_played(match: Match, table: Table) -> bool:
    """Whether no dealt joker is on a rack any more: jokers never go back to one."""
    if not match.rules.deal_jokers:
        return True
    return table.faces[JOKER] >= equipment(match.rules, len(match.players))["jokers"]


def from_the_side(match: Match, after: Table) -> Counter[Tile]:
    """Return the added tiles that were free ones, or may have been where the rack is hidden."""
    rack, added = match.current.rack, after.faces - match.table.faces
    del added[JOKER]
    lying = added if match.free_tiles is None else added & Counter(match.free_tiles)
    if rack is not None:
        return lying & (added - Counter(rack))
    return lying if dealt_jokers_played(match, after) else Counter()


def without_laid(match: Match, after: Table) -> Player:
    """Return the mover without what was laid, as far as it is known to be from the rack."""
    player, free = match.current, from_the_side(match, after)
    added, rack = after.faces - match.table.faces, None
    unsure = player.rack_unsure or (player.rack is None and free.total() > 0)
    if player.rack is not None:
        rack = tuple((Counter(player.rack) - added).elements())
        added -= free
    unsure = unsure or added.total() > player.rack_size
    left = max(player.rack_size - added.total(), 0)
    return replace(player, rack=rack, rack_size=left, rack_unsure=unsure, opened=True)


def left_free(match: Match, after: Table) -> tuple[Tile, ...] | None:
    """Return the free tiles that are left; those of hidden racks may lie there still."""
    if match.current.rack is None or match.free_tiles is None:
        return match.free_tiles
    used = from_the_side(match, after)
    return tuple((Counter(match.free_tiles) - used).elements())
