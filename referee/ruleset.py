"""A ruleset: every choice that tile-rummy rule books make differently, as typed parameters.

Here is what each parameter means; values live in ``rulesets/*.toml``. `standard` gives every
value, the others say with ``extends`` what they change. A limit of 0 means that there is none.
"""

# ruff: noqa: RUF009 - what `_parameter` returns is no default
from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from referee.tiles import Colour

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

_SECTIONS: Final = {
    "colours": "Equipment and setting up",
    "min_set": "Sets",
    "tile_values": "Values",
    "opening_threshold": "Opening",
    "joker_pickup": "Jokers on the table",
    "play_obligation": "Turn",
    "timer_s": "Time and penalties",
    "pool_empty_rule": "End and scores",
}
"""What the parameters from each of these on are about."""
_MOST: Final = 10_000


def _parameter(
    meaning: str, source: str, unit: str = "", *, low: int = 0, high: int = _MOST
) -> Any:  # noqa: ANN401 - as `field`, whose result stands for the field's value
    return field(metadata={"meaning": meaning, "source": source, "unit": unit, "in": (low, high)})


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All parameters of one game; `parameters` tells what each means."""

    name: str
    """The name it is loaded by."""
    title: str
    """The name a player knows it by."""
    summary: str
    """What sets it apart, in one line."""
    extends: str
    """The ruleset whose values it takes over; empty for none."""

    # Equipment and setting up
    colours: int = _parameter(
        "Colours in the set of tiles, from 2 to 4.", "5.1", "colours", low=2, high=4
    )
    max_number: int = _parameter("The highest number on a tile.", "5.1", "number", low=3, high=13)
    copies: int = _parameter(
        "How often each numbered face exists.", "5.1, 9.1", "tiles a face", low=1, high=8
    )
    jokers: int = _parameter("How many jokers there are.", "5.1, 8.1, 9.1", "tiles", low=0, high=8)
    jokers_above_four_players: int = _parameter(
        "How many jokers there are when more than four play.", "8.1", "tiles", low=0, high=8
    )
    players_min: int = _parameter("The fewest players.", "5.1", "players", low=1, high=12)
    players_max: int = _parameter("The most players.", "5.1, 8.1", "players", low=1, high=12)
    deal: int = _parameter("Tiles dealt to each player.", "5.3, 6.2", "tiles")
    deal_two_players: int = _parameter(
        "Tiles dealt to each of two players; 0 for as many as usual.", "7.1", "tiles"
    )
    deal_jokers: bool = _parameter(
        "Whether jokers are dealt apart, shared evenly, instead of being drawn.", "9.2"
    )
    free_tiles_per_player: int = _parameter(
        "Tiles laid open at the side, a share for each player.", "9.4", "tiles"
    )
    starter_next: StarterNext = _parameter(
        "Who starts the rounds after the first, which the highest drawn tile starts.", "9.5, 10.10"
    )
    clockwise: bool = _parameter("Whether play goes clockwise.", "5.2")

    # Sets
    min_set: int = _parameter(
        "The fewest tiles in a set; in Crazy the fewest members that they stand for.",
        "2.1, 10.3",
        "tiles",
        low=2,
        high=13,
    )
    group_max: int = _parameter(
        "The most tiles in a group of different colours.", "2.1", "tiles", low=2, high=16
    )
    group_rule: GroupRule = _parameter(
        "Whether all tiles of a group differ in colour, or may also all share one.", "10.5"
    )
    group_colour_repeat: bool = _parameter(
        "House rule: whether a colour may come twice in a group.", "2.1"
    )
    run_rule: RunRule = _parameter(
        "Whether a run has one colour, or may also have all its colours different.", "11.2"
    )
    run_max: int = _parameter("The most members of a run; 0 for no limit.", "2.2, 10.4", "tiles")
    wrap: bool = _parameter("Whether 1 follows the highest number.", "2.3, 8.3")
    zero: bool = _parameter(
        "Whether the numbers form a circle with a zero, which only a joker or a 10 can be.", "10.4"
    )
    compound_tiles: bool = _parameter(
        "Whether 6 and 9 stand for each other and 10, 11, 12 for 0+1, 1+1, 1+2.", "10.3"
    )
    two_dimensional: bool = _parameter(
        "Whether sets may cross on the table, running rightwards and downwards only.", "10.2"
    )
    joker_cross_free_number: bool = _parameter(
        "Whether a joker where two sets cross may be two different numbers.", "10.6"
    )
    max_jokers_per_set: int = _parameter(
        "The most jokers in one set; 0 for no limit.", "2.5", "tiles"
    )
    accept_unsorted_sets: bool = _parameter(
        "Whether a run whose tiles lie out of order counts as it lies.", "1.6"
    )
    joker_position: JokerPosition = _parameter(
        "Whether a joker stands for the place where it lies, or for any place it fits.", "2.6"
    )

    # Values
    tile_values: tuple[int, ...] = _parameter(
        "Points of the numbers from 1 upwards.", "3.2, 8.2", "points"
    )
    zero_value: int = _parameter("Points of a joker that stands for zero.", "10.7", "points")
    joker_rack_value: int = _parameter("Points of a joker left on a rack.", "5.9, 8.2", "points")

    # Opening
    opening_threshold: int = _parameter(
        "The points that a player's first sets need together.", "3.1, 7.1, 9.7", "points"
    )
    opening_jokers: bool = _parameter("Whether jokers may be part of them.", "9.7")
    opening_multi_set: bool = _parameter("Whether several sets may make up the points.", "3.6")
    opening_same_turn_manipulation: bool = _parameter(
        "Whether the opening turn may also work on sets of the table.", "3.5"
    )

    # Jokers on the table
    joker_pickup: Pickup = _parameter(
        "Whether jokers move freely, or only when the tile they stand for takes their place.",
        "4.2",
    )
    joker_source: Source = _parameter("Where the replacing tile may come from.", "4.3")
    joker_reuse: Reuse = _parameter("Where a replaced joker must go.", "4.4, 10.9")
    joker_replacement: Replacement = _parameter(
        "Whether the replacing tile is the one stood for, or any that keeps the set legal.", "8.7"
    )
    joker_group3: GroupOfThree = _parameter(
        "How many missing colours must be given for a joker in a group of three.", "4.5"
    )
    joker_before_opening: bool = _parameter(
        "Whether a player who has not opened may replace a joker.", "4.9"
    )
    joker_set_locked: bool = _parameter(
        "Whether a set with a joker may not lose, split or move its other tiles.", "4.5"
    )
    wild_second_turn: bool = _parameter(
        "Whether a dealt joker is due on the turn after the opening.", "9.8"
    )

    # Turn
    play_obligation: Obligation = _parameter(
        "What a player must play: A all that can be, B something if possible, C nothing.",
        "5.5, 10.8",
    )
    must_play_from: int = _parameter(
        "Rack size from which drawing instead of a possible play is illegal; 0 for none.",
        "6.7",
        "tiles",
    )
    draw_count: int = _parameter(
        "Tiles drawn by a player who does not play.", "5.5, 9.10", "tiles"
    )
    hand_limit: int = _parameter(
        "Rack size above which a turn's end costs points; 0 for none.", "7.1, 7.2", "tiles"
    )
    hand_limit_two_players: int = _parameter(
        "The same limit for two players; 0 where it is no other.", "7.1, 7.3", "tiles"
    )
    hand_limit_step: int = _parameter("By how much that limit shrinks each time.", "7.4", "tiles")
    hand_limit_every_rounds: int = _parameter(
        "After how many rounds of turns it shrinks.", "7.4", "rounds"
    )
    hand_limit_floor: int = _parameter("Where it stops shrinking.", "7.4", "tiles")
    hand_limit_penalty: int = _parameter("Points that going over it costs.", "7.1, 7.6", "points")

    # Time and penalties
    timer_s: int = _parameter("Seconds a turn may take; 0 for no clock.", "5.13, 8.8", "seconds")
    timer_penalty_idle: int = _parameter(
        "Tiles drawn when time runs out over an untouched table.", "5.13, 8.8", "tiles"
    )
    timer_penalty_disturbed: int = _parameter(
        "Tiles drawn when time runs out over a disturbed table, which is restored.",
        "5.13, 8.8",
        "tiles",
    )
    illegal_penalty: int = _parameter(
        "Tiles drawn for an illegal table, which is restored.", "5.13", "tiles"
    )

    # End and scores
    pool_empty_rule: PoolEmpty = _parameter("How a round ends once the pool is empty.", "5.7")
    stalemate_winner: StalemateWinner = _parameter(
        "Who wins a round that nobody went out of.", "5.10"
    )
    stalemate_scoring: StalemateScoring = _parameter("How that win is scored.", "5.10, 10.12")
    scoring: Scoring = _parameter(
        "How a round is scored: A zero-sum, B winner only, C losers only, or not at all.",
        "5.9, 6.10, 8.10",
    )
    pick_bonus: bool = _parameter(
        "Whether hitting 14 tiles with a handful is worth points.", "9.3"
    )
    match_winner: MatchWinner = _parameter(
        "Who wins the match. Few points are good where C scores rounds, many where A or B does.",
        "5.12, 8.10, 10.12",
    )
    games_per_round_as_players: bool = _parameter(
        "Whether a round of the match has as many games as there are players.", "8.9"
    )

    def __hash__(self) -> int:
        """Hash by name alone: rulesets are cache keys, and names rarely clash."""
        return hash(self.name)

    @property
    def jokers_max(self) -> int:
        """The most jokers that can lie on a table, however many play."""
        return max(self.jokers, self.jokers_above_four_players)

    @property
    def palette(self) -> tuple[Colour, ...]:
        """The colours that its tiles have."""
        return tuple(Colour)[: self.colours]

    @property
    def low_wins(self) -> bool:
        """Whether fewer points are better (rules reference 10.12).

        >>> from referee.rulesets import load_ruleset, override
        >>> override(load_ruleset("crazy"), {"scoring": "C"}).low_wins
        True
        """
        return self.scoring == "C" or (self.scoring, self.match_winner) == ("none", "lowest_score")

    def value(self, number: int) -> int:
        """Points of a number as played; zero is a joker's only, one too high has none.

        >>> from referee.rulesets import load_ruleset
        >>> load_ruleset("standard").value(12)
        12
        """
        if number > len(self.tile_values):
            return 0
        return self.tile_values[number - 1] if number else self.zero_value


@dataclass(frozen=True, slots=True)
class Parameter:
    """What one parameter of a ruleset is."""

    name: str
    kind: Any
    """The type of its value."""
    section: str
    meaning: str
    source: str
    """The paragraphs of the rules reference that it comes from."""
    unit: str
    """What it counts; empty where its values say so themselves."""
    low: int
    high: int

    @property
    def choices(self) -> tuple[str, ...]:
        """The values it may have, where these are names."""
        return get_args(self.kind) if get_origin(self.kind) is Literal else ()


@lru_cache
def parameters() -> dict[str, Parameter]:
    """Return every parameter by name, in the order of the model.

    >>> parameters()["deal"].meaning, parameters()["deal"].unit
    ('Tiles dealt to each player.', 'tiles')
    """
    kinds, section, found = get_type_hints(Ruleset), "", {}
    for each in fields(Ruleset):
        about = each.metadata
        if not about:
            continue
        section = _SECTIONS.get(each.name, section)
        found[each.name] = Parameter(
            each.name,
            kinds[each.name],
            section,
            about["meaning"],
            about["source"],
            about["unit"],
            *about["in"],
        )
    return found
