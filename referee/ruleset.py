"""A ruleset: every choice that tile-rummy rule books make differently, as typed parameters.

Values live in ``rulesets/*.toml``; here are only their meanings. `standard` gives every value,
the others say with ``extends`` what they change. A limit of 0 means that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GroupRule = Literal["colours", "colours_or_one"]
RunRule = Literal["one_colour", "one_or_all_colours"]
JokerPosition = Literal["physical", "reseat"]
Pickup = Literal["free", "replace"]
Source = Literal["any", "rack"]
Reuse = Literal["any", "new", "new2", "new_rack_only", "network2"]
Replacement = Literal["exact", "any_legitimate"]
GroupOfThree = Literal["one", "both"]
Obligation = Literal["A", "B", "C"]
PoolEmpty = Literal["pass_round", "end_at_once", "one_more_turn_each", "must_play_if_able"]
StalemateWinner = Literal["lowest_value", "fewest_tiles", "nobody"]
StalemateScoring = Literal["normal", "difference", "winner_subtracts_own"]
Scoring = Literal["A", "B", "C", "none"]
MatchWinner = Literal["highest_score", "lowest_score", "most_games"]
StarterNext = Literal["high_tile", "winner", "loser"]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All parameters of one game; ``docs/rulesets.md`` gives each one's unit and source."""

    name: str
    """The name it is loaded by."""
    title: str
    """The name a player knows it by."""

    # Equipment and setting up (rules reference 5.1-5.3)
    colours: int
    """Colours in the set of tiles, from 2 to 4."""
    max_number: int
    """The highest number on a tile."""
    copies: int
    """How often each numbered face exists."""
    jokers: int
    """How many jokers there are."""
    jokers_above_four_players: int
    """How many jokers there are when more than four play."""
    players_min: int
    """The fewest players."""
    players_max: int
    """The most players."""
    deal: int
    """Tiles dealt to each player."""
    deal_two_players: int
    """Tiles dealt to each of two players."""
    deal_jokers: bool
    """Whether jokers are dealt apart, shared evenly, instead of being drawn."""
    free_tiles_per_player: int
    """Tiles laid open at the side, a share for each player."""
    starter_next: StarterNext
    """Who starts the rounds after the first, which the highest drawn tile starts."""
    clockwise: bool
    """Whether play goes clockwise."""

    # Sets (rules reference 2, 8.3, 10, 11.2)
    min_set: int
    """The fewest tiles in a set; in Crazy the fewest members that they stand for."""
    group_max: int
    """The most tiles in a group of different colours."""
    group_rule: GroupRule
    """Whether all tiles of a group differ in colour, or may also all share one."""
    group_colour_repeat: bool
    """House rule: whether a colour may come twice in a group."""
    run_rule: RunRule
    """Whether a run has one colour, or may also have all its colours different."""
    run_max: int
    """The most members of a run; 0 for no limit."""
    wrap: bool
    """Whether 1 follows the highest number."""
    zero: bool
    """Whether the numbers form a circle with a zero, which only a joker or a 10 can be."""
    compound_tiles: bool
    """Whether 6 and 9 stand for each other and 10, 11, 12 for 0+1, 1+1, 1+2."""
    two_dimensional: bool
    """Whether sets may cross on the table, running rightwards and downwards only."""
    joker_cross_free_number: bool
    """Whether a joker where two sets cross may be two different numbers."""
    max_jokers_per_set: int
    """The most jokers in one set; 0 for no limit."""
    accept_unsorted_sets: bool
    """Whether a run whose tiles lie out of order counts as it lies."""
    joker_position: JokerPosition
    """Whether a joker stands for the place where it lies, or for any place it fits."""

    # Values (rules reference 3.2, 5.9, 8.2, 10.7)
    tile_values: tuple[int, ...]
    """Points of the numbers from 1 upwards."""
    zero_value: int
    """Points of a joker that stands for zero."""
    joker_rack_value: int
    """Points of a joker left on a rack."""

    # Opening (rules reference 3)
    opening_threshold: int
    """The points that a player's first sets need together."""
    opening_jokers: bool
    """Whether jokers may be part of them."""
    opening_multi_set: bool
    """Whether several sets may make up the points."""
    opening_same_turn_manipulation: bool
    """Whether the opening turn may also work on sets of the table."""

    # Jokers on the table (rules reference 4)
    joker_pickup: Pickup
    """Whether jokers move freely, or only when the tile they stand for takes their place."""
    joker_source: Source
    """Where the replacing tile may come from."""
    joker_reuse: Reuse
    """Where a replaced joker must go."""
    joker_replacement: Replacement
    """Whether the replacing tile is the one stood for, or any that keeps the set legal."""
    joker_group3: GroupOfThree
    """How many missing colours must be given for a joker in a group of three."""
    joker_before_opening: bool
    """Whether a player who has not opened may replace a joker."""
    joker_set_locked: bool
    """Whether a set with a joker may not lose, split or move its other tiles."""
    wild_second_turn: bool
    """Whether a dealt joker is due on the turn after the opening."""

    # Turn (rules reference 5.5, 6.7, 7.4, 9.10, 10.8)
    play_obligation: Obligation
    """What a player must play: A all that can be, B something if possible, C nothing."""
    must_play_from: int
    """Rack size from which drawing instead of a possible play is illegal; 0 for none."""
    draw_count: int
    """Tiles drawn by a player who does not play."""
    hand_limit: int
    """Rack size above which a turn's end costs points; 0 for none."""
    hand_limit_step: int
    """By how much that limit shrinks each time."""
    hand_limit_every_rounds: int
    """After how many rounds of turns it shrinks."""
    hand_limit_floor: int
    """Where it stops shrinking."""
    hand_limit_penalty: int
    """Points that going over it costs."""

    # Time and penalties (rules reference 5.13)
    timer_s: int
    """Seconds a turn may take; 0 for no clock."""
    timer_penalty_idle: int
    """Tiles drawn when time runs out over an untouched table."""
    timer_penalty_disturbed: int
    """Tiles drawn when time runs out over a disturbed table, which is restored."""
    illegal_penalty: int
    """Tiles drawn for an illegal table, which is restored."""

    # End and scores (rules reference 5.7-5.12)
    pool_empty_rule: PoolEmpty
    """How a round ends once the pool is empty."""
    stalemate_winner: StalemateWinner
    """Who wins a round that nobody went out of."""
    stalemate_scoring: StalemateScoring
    """How that win is scored."""
    scoring: Scoring
    """How a round is scored: A zero-sum, B winner only, C losers only, or not at all."""
    pick_bonus: bool
    """Whether hitting 14 tiles with a handful is worth points."""
    match_winner: MatchWinner
    """Who wins the match."""
    games_per_round_as_players: bool
    """Whether a round of the match has as many games as there are players."""

    def __hash__(self) -> int:
        """Hash by name alone: rulesets are cache keys, and names rarely clash."""
        return hash(self.name)

    @property
    def jokers_max(self) -> int:
        """The most jokers that can lie on a table, however many play."""
        return max(self.jokers, self.jokers_above_four_players)

    def value(self, number: int) -> int:
        """Points of a number as played; zero is a joker's only.

        >>> from referee.rulesets import load_ruleset
        >>> load_ruleset("standard").value(12)
        12
        """
        return self.tile_values[number - 1] if number else self.zero_value
