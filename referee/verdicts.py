"""What the referee answers: violations, hints and verdicts, never exceptions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.melds import Reading
    from referee.table import TileSet

Place = tuple[int, int]
"""A tile on the table: which part, and which of the part's tiles in reading order, from 0."""


class Status(StrEnum):
    """How a set stands."""

    VALID = "valid"
    FIXABLE = "fixable"
    """Its tiles make a legal set, but not in the order in which they lie."""
    INVALID = "invalid"
    UNKNOWN = "unknown"
    """It holds a tile that the camera is unsure of, so nobody is accused."""


class Code(StrEnum):
    """What a violation is about."""

    TOO_SHORT = "TOO_SHORT"
    """Fewer tiles than a set needs, a single loose tile included."""
    TOO_LONG = "TOO_LONG"
    """More tiles than a group or run may have."""
    ONLY_JOKERS = "ONLY_JOKERS"
    """No numbered tile says what the jokers stand for."""
    TOO_MANY_JOKERS = "TOO_MANY_JOKERS"
    """More jokers than the rules allow in one set."""
    REPEATED_COLOUR = "REPEATED_COLOUR"
    """A colour comes twice in a group, or in a run of different colours."""
    WRONG_NUMBER = "WRONG_NUMBER"
    """A tile of another number in a group."""
    REPEATED_NUMBER = "REPEATED_NUMBER"
    """A number comes twice in a run."""
    WRONG_COLOUR = "WRONG_COLOUR"
    """A tile of another colour in a run."""
    GAP = "GAP"
    """A run misses a number that no joker stands for."""
    WRAPPED_RUN = "WRAPPED_RUN"
    """A run goes on from the highest number to 1."""
    NOT_A_SET = "NOT_A_SET"
    """Neither a group nor a run."""
    CROSSING_SETS = "CROSSING_SETS"
    """Sets share a tile where the rules keep them apart."""
    LOOSE_TILE = "LOOSE_TILE"
    """A tile of a grid that touches no other."""
    CROSSING_JOKER = "CROSSING_JOKER"
    """Lines are legal alone, but no one colour of their shared jokers fits them all."""
    TOO_MANY_OF_FACE = "TOO_MANY_OF_FACE"
    """A face lies there more often than it exists: misread, or a foreign tile."""

    TABLE_TILE_MISSING = "TABLE_TILE_MISSING"
    """A tile that lay on the table is gone."""
    TILE_NOT_FROM_RACK = "TILE_NOT_FROM_RACK"
    """A tile was added that the player did not hold."""
    NO_RACK_TILE = "NO_RACK_TILE"
    """Nothing was added from the rack: rearranging alone is no turn."""
    INVALID_SET = "INVALID_SET"
    """A set is not legal as it lies at the end of the turn."""
    OPENING_TABLE_CHANGED = "OPENING_TABLE_CHANGED"
    """A player who has not opened used or changed sets of the table."""
    OPENING_BELOW_THRESHOLD = "OPENING_BELOW_THRESHOLD"
    """The first sets are worth too little."""
    OPENING_JOKER = "OPENING_JOKER"
    """A joker is in the first sets where the rules forbid it."""
    JOKER_TAKEN = "JOKER_TAKEN"
    """A joker was taken and no tile took its place."""
    JOKER_GROUP_OF_THREE = "JOKER_GROUP_OF_THREE"
    """A joker was taken from a group of three without giving both missing colours."""
    JOKER_NOT_IN_NEW_SET = "JOKER_NOT_IN_NEW_SET"
    """A replaced joker went into a set that was there already."""
    JOKER_NEEDS_RACK_TILES = "JOKER_NEEDS_RACK_TILES"
    """A replaced joker's new set has too few tiles from the rack."""
    JOKER_SET_LOCKED = "JOKER_SET_LOCKED"
    """A set that holds a joker lost tiles."""
    FREE_TILE = "FREE_TILE"
    """A free tile was taken when it may not be."""
    LAID_TOO_MANY = "LAID_TOO_MANY"
    """More tiles were laid than the rack should hold."""
    HAND_LIMIT = "HAND_LIMIT"
    """More tiles on the rack than the limit."""
    MUST_PLAY = "MUST_PLAY"
    """Nothing was played although something could be."""
    WILD_MUST_BE_PLAYED = "WILD_MUST_BE_PLAYED"
    """A joker from the deal is due."""


class HintCode(StrEnum):
    """What a hint is about."""

    MOVE_JOKER = "MOVE_JOKER"
    """The joker fits at another place of its set."""
    SORT_RUN = "SORT_RUN"
    """The tiles make a run when put in order."""
    LOOK_AT_TILE = "LOOK_AT_TILE"
    """The camera is unsure of a tile."""
    TURN_GRID = "TURN_GRID"
    """The table is read from another side than the camera's."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why the table is not legal, with the parts and tiles it is about.

    They are those of the table after the turn; a tile that is gone, and a set that a player who
    has not opened changed, are found in the table before it.
    """

    code: Code
    message: str
    sets: tuple[int, ...] = ()
    tiles: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """Something worth saying that is no breach; `suggestion` is the set as it should lie."""

    code: HintCode
    message: str
    sets: tuple[int, ...] = ()
    tiles: tuple[Place, ...] = ()
    suggestion: TileSet | None = None


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """How one set, or one grid with all its lines, stands."""

    status: Status
    readings: tuple[Reading, ...] = ()
    violations: tuple[Violation, ...] = ()
    hints: tuple[Hint, ...] = ()
    points: tuple[int, ...] = ()
    """Every total it may be worth, ascending."""
    lines: tuple[SetVerdict, ...] = ()
    """A grid's verdicts line by line, in the order of `Grid.lines`."""

    @property
    def valid(self) -> bool:
        """Whether it is legal as it lies."""
        return self.status is Status.VALID

    def moved(self, part: int, positions: Iterable[int] | None = None) -> SetVerdict:
        """Return it renamed: as part `part`, its tiles at `positions` of that part."""
        where = None if positions is None else tuple(positions)

        def at(tiles: tuple[Place, ...]) -> tuple[Place, ...]:
            return tuple((part, tile if where is None else where[tile]) for _, tile in tiles)

        return replace(
            self,
            violations=tuple(replace(v, sets=(part,), tiles=at(v.tiles)) for v in self.violations),
            hints=tuple(replace(h, sets=(part,), tiles=at(h.tiles)) for h in self.hints),
            lines=tuple(line.moved(part, positions) for line in self.lines),
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a whole table stands."""

    parts: tuple[SetVerdict, ...]
    violations: tuple[Violation, ...] = ()
    hints: tuple[Hint, ...] = ()
    turned: int = 0
    """By how many degrees clockwise the table was turned to be read from its top."""

    @property
    def ok(self) -> bool | None:
        """True without violations, False with one, None while unsure tiles decide."""
        if self.violations:
            return False
        return None if self.unknown else True

    @property
    def unknown(self) -> bool:
        """Whether some part may be misread."""
        return any(part.status is Status.UNKNOWN for part in self.parts)

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """For every part the totals that it may be worth; empty where it is no legal set."""
        return tuple(part.points for part in self.parts)
