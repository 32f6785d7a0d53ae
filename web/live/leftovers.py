"""What is left on a rack at the end of a round: read from a picture, or a person's word."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.judge import existing
from referee.notation import parse_tiles
from referee.phrases import say, several
from referee.scoring import rack_points
from referee.tiles import Tile
from vision.doubts import face_is_unsure
from web.live.comparing import part_key
from web.live.sentences import phrased, question

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from referee.events import RoundEnded
    from referee.match_state import Match
    from vision.pipeline import TableReading
    from vision.types import Reading


@dataclass(frozen=True, slots=True)
class LeftTile:
    """One tile on a rack.

    Attributes
    ----------
    question
        What a person should look at first; empty where it is sure.
    doubt
        Why it is unsure.
    alternatives
        What else it may be, likeliest first.
    quad
        Its corners, as parts of the picture's width and height; none where a person named it.
    """

    tile: Tile
    question: str = ""
    doubt: str = ""
    alternatives: tuple[Tile, ...] = ()
    quad: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Leftovers:
    """The tiles on a player's rack.

    Attributes
    ----------
    faces
        In the order in which they were seen or named.
    value
        What they count against their owner.
    expected
        How many there should be by the count of what was dealt, drawn and laid; where that
        count is not to be relied on, as many as there are.
    mark
        What the photo that was read is known by to the page that sent it.
    beyond
        Faces of which there are more, with those on the table, than exist.
    """

    faces: tuple[LeftTile, ...]
    value: int
    expected: int
    mark: str = ""
    beyond: tuple[Tile, ...] = ()

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The tiles alone."""
        return tuple(face.tile for face in self.faces)

    @property
    def notation(self) -> str:
        """The tiles as text, by colours and numbers."""
        return " ".join(map(str, sorted(self.tiles, key=lambda tile: tile.index)))

    @property
    def questions(self) -> tuple[str, ...]:
        """About the tiles that a person should look at."""
        return tuple(face.question for face in self.faces if face.question)

    @property
    def text(self) -> str:
        """What else to check, in words; often empty."""
        sentences = []
        if len(self.faces) != self.expected:
            sentences.append(
                say(
                    "look.leftovers",
                    "Tiles found: {count}; by the count there should be {expected}.",
                    count=len(self.faces),
                    expected=self.expected,
                )
            )
        if self.beyond:
            sentences.append(
                say(
                    "look.beyond",
                    "With those on the table there are more than exist: {tiles}. Look again.",
                    tiles=several("and", self.beyond),
                )
            )
        return say("look.sentences", "{sentences}", sentences=several(" ", sentences))


def leftovers_in(reading: TableReading, match: Match, player: str, mark: str = "") -> Leftovers:
    """Return what a picture shows of a rack; sets of the table that it also shows are left out.

    Raises
    ------
    MatchError
        If nobody of that name plays.
    """
    lying = Counter(part_key(part) for part in match.table.parts)
    numbers: list[int] = []
    for part, placed in zip(reading.table.parts, reading.layout.placed, strict=True):
        key = part_key(part)
        if lying[key] > 0:
            lying[key] -= 1
        else:
            numbers += placed.tiles
    rack, size = reading.as_rack, (reading.width_px, reading.height_px)
    seen = (_seen(rack, number, size) for number in numbers)
    return _worth(seen, match, player, mark)


def _seen(reading: TableReading, number: int, size: tuple[int, int]) -> LeftTile:
    found, quad = reading.readings.readings[number], reading.readings.quads_img[number]
    corners = tuple((float(x) / size[0], float(y) / size[1]) for x, y in quad)
    unsure = face_is_unsure(found)
    return _asked(found.tile, found.doubt if unsure else "", _others(found), corners)


def _asked(
    tile: Tile,
    doubt: str,
    others: tuple[Tile, ...],
    quad: tuple[tuple[float, float], ...],
) -> LeftTile:
    asks = question(tile, doubt) if doubt else ""
    return LeftTile(tile, asks, phrased(doubt), others, quad)


def _others(found: Reading) -> tuple[Tile, ...]:
    return tuple(tile for tile, _ in found.choices)


def leftovers_of(
    tiles: Iterable[Tile], match: Match, player: str, before: Leftovers | None = None
) -> Leftovers:
    """Return a rack that a person names; what was seen of the same tiles before stays known.

    >>> from referee import parse_tiles
    >>> from referee.events import Started
    >>> from referee.match import replay
    >>> match = replay([Started(("Ann", "Bob"))])
    >>> leftovers_of(parse_tiles("R5 J"), match, "Bob").value
    35
    """
    seen = list(before.faces) if before else []
    faces = []
    for tile in tiles:
        known = next((face for face in seen if face.tile == tile), LeftTile(tile))
        if known in seen:
            seen.remove(known)
        faces.append(known)
    return _worth(faces, match, player, before.mark if before else "")


def counted(ended: RoundEnded, match: Match) -> dict[str, Leftovers]:
    """Return the racks that a round was ended with."""
    return {
        player.name: leftovers_of(parse_tiles(rack), match, player.name)
        for player in match.players
        if (rack := ended.racks.get(player.name))
    }


def corrected(
    before: Leftovers, place: int, tile: Tile | None, match: Match, player: str
) -> Leftovers:
    """Return a rack with a person's word for one of its tiles; None: there is no such tile."""
    faces = list(before.faces)
    faces[place : place + 1] = [] if tile is None else [LeftTile(tile, quad=faces[place].quad)]
    return _worth(faces, match, player, before.mark)


def _worth(faces: Iterable[LeftTile], match: Match, player: str, mark: str) -> Leftovers:
    held = tuple(faces)
    value = rack_points([face.tile for face in held], match.rules)
    owner = match.player(player)
    expected = len(held) if owner.rack_unsure else owner.rack_size
    return Leftovers(held, value, expected, mark, _beyond(held, match))


def _beyond(held: tuple[LeftTile, ...], match: Match) -> tuple[Tile, ...]:
    """Return faces of which there are more than exist: one was misread, or mistyped."""
    lying = match.table.faces
    counts = Counter(face.tile for face in held)
    return tuple(
        tile for tile, count in counts.items() if lying[tile] + count > existing(tile, match.rules)
    )


def not_told(match: Match, known: Container[str]) -> list[str]:
    """Return the players who may hold tiles, but for those whose racks are known."""
    return [
        player.name for player in match.players if player.may_hold and player.name not in known
    ]


def still_there(
    known: Mapping[str, Leftovers], before: Match | None, match: Match
) -> dict[str, Leftovers]:
    """Return what is known of racks that are as they were when it was said."""
    if before is None or before.games_played != match.games_played:
        return {}
    seats = zip(before.players, match.players, strict=False)  # who is renamed keeps the seat
    return {
        new.name: known[old.name]
        for old, new in seats
        if old.name in known
        and (old.rack_size, old.rack_unsure) == (new.rack_size, new.rack_unsure)
    }


def written(known: Mapping[str, Leftovers], match: Match) -> dict[str, Any]:
    """Return racks as JSON values, to be kept until they count; nothing where there are none."""
    racks = {
        name: {
            "mark": found.mark,
            "expected": found.expected,
            "faces": [
                [str(face.tile), face.doubt, [*map(str, face.alternatives)], face.quad]
                for face in found.faces
            ],
        }
        for name, found in known.items()
    }
    return {"round": match.games_played, "of": racks} if racks else {}


def read_back(kept: Mapping[str, Any], match: Match) -> dict[str, Leftovers]:
    """Return the racks that were `written`, as far as they are of this round and as they were."""
    if kept.get("round") != match.games_played:
        return {}
    owners = [player.name for player in match.players if player.name in kept["of"]]
    known = {name: _read_back(kept["of"][name], match, name) for name in owners}
    return {n: found for n, found in known.items() if found.expected == kept["of"][n]["expected"]}


def _read_back(rack: Mapping[str, Any], match: Match, player: str) -> Leftovers:
    faces = (
        _asked(
            Tile.parse(tile),
            doubt,
            tuple(map(Tile.parse, others)),
            tuple((x, y) for x, y in quad),
        )
        for tile, doubt, others, quad in rack["faces"]
    )
    return _worth(faces, match, player, rack["mark"])
