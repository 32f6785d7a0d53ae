"""What happens in a match, as events that are only ever appended.

Every field is plain text, a number or a mapping of these, so that an event is stored as JSON
without loss; tiles and tables are in notation.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin, get_type_hints

from referee.phrases import say

if TYPE_CHECKING:
    from collections.abc import Mapping

Goal = Literal["games", "rounds", "points", "open"]
"""What a match is played to: games that one player has won, rounds played, points that one has.

An open one, or one on the clock, ends with `Stopped`.
"""


_SHOWN: Final = 60
"""How much of a wrong value is shown."""


class MatchError(ValueError):
    """An event that cannot happen where it stands in the match."""


@dataclass(frozen=True, slots=True)
class Started:
    """A match began; the players are named in clockwise order of their seats."""

    players: tuple[str, ...]
    ruleset: str = "standard"
    changes: dict[str, Any] = field(default_factory=dict)
    goal: Goal = "open"
    amount: int = 0


@dataclass(frozen=True, slots=True)
class DrewForStart:
    """Each player of the draw, or of a redraw after a tie, drew a tile to see who starts."""

    tiles: dict[str, str]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A round began. Known racks are given, and tiles laid open at the side.

    A McGraw pick gives the sizes of the handfuls.
    """

    starter: str = ""
    racks: dict[str, str] = field(default_factory=dict)
    handfuls: dict[str, list[int]] = field(default_factory=dict)
    free_tiles: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """The player whose turn it is left this table, judged legal or accepted."""

    table: str


@dataclass(frozen=True, slots=True)
class Drew:
    """The player drew instead of playing, or passed because the pool is empty."""

    tiles: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The table was illegal: it was restored and the penalty drawn."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """Time ran out; a disturbed table was restored."""

    disturbed: bool = False


@dataclass(frozen=True, slots=True)
class KeptTooMany:
    """A player ended a turn over the hand limit, although warned."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """The round was not over, though by the count of tiles it was: play went on."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The racks were turned up and scored."""

    racks: dict[str, str]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The players agreed to change someone's score."""

    player: str
    points: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match ended by agreement or by the clock."""


Event = (
    Started
    | DrewForStart
    | Dealt
    | Played
    | Drew
    | Refused
    | TimedOut
    | KeptTooMany
    | PlayedOn
    | RoundEnded
    | Adjusted
    | Stopped
)
TURNS: Final = Played | Drew | Refused | TimedOut
"""What a turn may end with."""
_KINDS: Final[dict[str, type[Event]]] = {kind.__name__: kind for kind in get_args(Event)}


def encode(event: Event) -> dict[str, Any]:
    """Return an event as JSON values.

    >>> encode(Drew("R7"))
    {'event': 'Drew', 'tiles': 'R7'}
    """
    return {"event": type(event).__name__, **asdict(event)}


def decode(values: Mapping[str, Any]) -> Event:
    """Return the event that JSON values stand for.

    >>> decode({"event": "Drew", "tiles": "R7"})
    Drew(tiles='R7')

    Raises
    ------
    MatchError
        If it is none; the message names what is wrong.
    """
    given = dict(values)
    kind = _KINDS.get(str(given.pop("event", "")))
    if kind is None:
        text = say(
            "match.kind",
            "expected an event of {kinds}, got {given}",
            kinds=", ".join(_KINDS),
            given=repr(values.get("event")),
        )
        raise MatchError(text)
    if kind is Started and isinstance(given.get("players"), list):
        given["players"] = tuple(given["players"])
    try:
        event = kind(**given)
    except TypeError as error:
        text = say("match.event", "{event}: {reason}", event=kind.__name__, reason=str(error))
        raise MatchError(text) from None
    for name, wanted in _hints(kind.__name__).items():
        if not _fits(getattr(event, name), wanted):
            text = say(
                "match.value",
                "{event}: {name} cannot be {given}",
                event=kind.__name__,
                name=name,
                given=repr(getattr(event, name))[:_SHOWN],
            )
            raise MatchError(text)
    return event


def renamed(event: Event, names: Mapping[str, str]) -> Event:
    """Return an event with other names for players, by those that they had.

    >>> renamed(RoundEnded({"Amn": "", "Bob": "R5"}), {"Amn": "Ann"})
    RoundEnded(racks={'Ann': '', 'Bob': 'R5'})
    """

    def name(old: str) -> str:
        return names.get(old, old)

    def owners(given: dict[str, Any]) -> dict[str, Any]:
        return {name(old): value for old, value in given.items()}

    match event:
        case Started():
            return replace(event, players=tuple(map(name, event.players)))
        case DrewForStart():
            return replace(event, tiles=owners(event.tiles))
        case Dealt():
            racks, handfuls = owners(event.racks), owners(event.handfuls)
            return replace(event, starter=name(event.starter), racks=racks, handfuls=handfuls)
        case RoundEnded():
            return replace(event, racks=owners(event.racks))
        case KeptTooMany() | Adjusted():
            return replace(event, player=name(event.player))
    return event


@cache
def _hints(kind: str) -> dict[str, Any]:
    return get_type_hints(_KINDS[kind])


def _fits(value: object, wanted: Any) -> bool:  # noqa: ANN401 - any type there is
    """Whether a value of JSON is what an event holds there; true is no number."""
    inner = get_args(wanted)
    match get_origin(wanted):
        case None:
            return wanted is Any or type(value) is wanted
        case origin if origin is Literal:
            return value in inner
        case origin if origin is dict:
            items = value.items() if isinstance(value, dict) else [(None, None)]
            return all(isinstance(key, str) and _fits(one, inner[1]) for key, one in items)
        case origin:
            return isinstance(value, origin) and all(_fits(one, inner[0]) for one in value)
