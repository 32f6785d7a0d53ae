"""Scripts of recorded games: who sits where, and what lies on the table step by step.

`docs/games.md` describes the files in `datasets/games/*.toml`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from referee import NotationError, Table, Tile, load_ruleset, parse_table
from referee.turns import Situation, judge_turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EMPTY: Literal["."] = "."
Rgb = tuple[int, int, int]
Spot = tuple[float, float, float]
"""Where a set's first cell lies, in tile widths from the middle, and its turn in degrees."""

Cells = tuple[tuple[str, ...], ...]
"""Rows of faces, "." for an empty cell."""


class ScriptError(ValueError):
    """A game script that cannot be played, and why."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Person(_Part):
    """A player: where they sit, and what their hand looks like."""

    name: str
    side: Literal["near", "far", "left", "right"]
    seat: float = Field(default=0.0, description="how far along that side, in tile widths")
    skin: int = Field(default=2, ge=0, le=8, description="0 is the palest, 8 the darkest")
    sleeve: Rgb | None = Field(default=None, description="RGB; none for a bare forearm")
    left_handed: bool = False
    rack: int = Field(default=14, ge=0, description="tiles on the rack when the film begins")
    opened: bool = Field(default=False, description="whether they have opened before that")


class Step(_Part):
    """What happens between two still tables."""

    kind: Literal["turn", "restore", "draw", "rest", "bump", "lamp"] = "turn"
    who: str = Field(default="", description="the player whose hand moves; empty for none")
    lay: dict[str, str] = Field(default={}, description="sets that change, by place")
    legal: bool = True
    codes: tuple[str, ...] = Field(default=(), description="of every violation, in any order")
    wins: bool = Field(default=False, description="whether this empties the rack")
    at: tuple[float, float] | None = Field(default=None, description="where the hand rests")
    rest_s: float = Field(default=0.0, ge=0, description="for how long it rests there")
    bump: Spot = Field(default=(0.0, 0.0, 0.0), description="what the camera is moved and rolled")
    lamp: float = Field(default=1.0, ge=0, le=1.5, description="how bright the lamp is then")
    still_s: float = Field(default=2.0, ge=1.5, description="how long nothing moves afterwards")


class Camera(_Part):
    """How the table is filmed."""

    width_px: int = Field(default=960, multiple_of=16)
    height_px: int = Field(default=544, multiple_of=16)
    tile_px: float = Field(default=50.0, gt=10, description="width of a tile in the middle")
    elevation_deg: float = Field(default=60.0, ge=20, le=90)
    field_deg: float = Field(default=42.0, ge=10, le=90)
    fps: int = Field(default=5, ge=1)


class Script(_Part):
    """A whole recorded game."""

    title: str
    ruleset: str
    edition: str = Field(description="file name in the editions folder, without .toml")
    seed: int = 1
    table: Literal["wood", "planks", "cloth", "stone", "plain"] = "wood"
    camera: Camera = Camera()
    pool: tuple[float, float, int] = Field(
        default=(0.0, 0.0, 0), description="middle of the face-down tiles, and how many lie there"
    )
    players: tuple[Person, ...]
    places: dict[str, Spot]
    start: dict[str, str] = Field(default={}, description="sets that lie there at the beginning")
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]

    def player(self, name: str) -> Person:
        """Return a player by name."""
        return next(player for player in self.players if player.name == name)


def load_script(path: Path) -> Script:
    """Read and check a game's script.

    Raises
    ------
    ScriptError
        If the file is not TOML, or says something that cannot be filmed; the message names it.
    """
    try:
        script = Script.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise ScriptError(f"{path.name} is not valid TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ScriptError(f"{path.name}: {where}: {first['msg']}") from error
    names = {player.name for player in script.players} | {""}
    for number, step in enumerate(script.steps, 1):
        if step.who not in names:
            raise ScriptError(f"{path.name}: step {number}: nobody here is called {step.who!r}")
        for place in step.lay:
            if place not in script.places:
                raise ScriptError(f"{path.name}: step {number}: {place!r} is not under [places]")
    try:
        for _ in scenes(script):
            pass
    except NotationError as error:
        raise ScriptError(f"{path.name}: {error}") from error
    return script


@dataclass(frozen=True, slots=True)
class Scene:
    """The table after a step (`number` 0: before the first), and what the referee says of it.

    Attributes
    ----------
    sets
        What lies at each place, row by row.
    before, table
        The last table that was legal, and this one, in the order of `sets`.
    legal, codes
        Of the turn that this table would end; a table as it was before is legal.
    racks, opened
        Tiles on each rack, and who has opened, with this turn if it is legal.
    """

    number: int
    step: Step
    sets: dict[str, Cells]
    before: Table
    table: Table
    legal: bool
    codes: tuple[str, ...]
    added: tuple[Tile, ...]
    racks: dict[str, int]
    opened: frozenset[str]


def scenes(script: Script) -> Iterator[Scene]:
    """Play a script through the referee, scene by scene."""
    rules = load_ruleset(script.ruleset)
    sets = {place: _cells(text) for place, text in script.start.items()}
    table = table_of_sets(sets)
    racks = {player.name: player.rack for player in script.players}
    opened = frozenset(player.name for player in script.players if player.opened)
    start = Step(kind="restore")
    yield Scene(0, start, sets, table, table, True, (), (), racks, opened)
    for number, step in enumerate(script.steps, 1):
        sets = sets | {place: _cells(text) for place, text in step.lay.items()}
        sets = {place: cells for place, cells in sets.items() if cells}
        before, after = table, table_of_sets(sets)
        legal, codes, added = True, tuple[str, ...](), tuple[Tile, ...]()
        if step.kind == "draw":
            racks = racks | {step.who: racks[step.who] + 1}
        if step.lay and not same_tiles_lie(before, after):
            verdict = judge_turn(before, after, rules, Situation(opened=step.who in opened))
            legal = bool(verdict.legal)
            codes = tuple(sorted(violation.code.value for violation in verdict.violations))
            added = verdict.added
        if legal and step.lay:
            racks = racks | {step.who: racks[step.who] - len(added)}
            opened = opened | ({step.who} if added else frozenset())
            table = after
        yield Scene(number, step, sets, before, after, legal, codes, added, racks, opened)


def same_tiles_lie(one: Table, other: Table) -> bool:
    """Whether two tables hold the same sets, in whatever order."""
    return sorted(map(str, one.parts)) == sorted(map(str, other.parts))


def table_of_sets(sets: dict[str, Cells]) -> Table:
    """Return what lies there as the referee's table; empty rows and columns do not count."""
    texts = []
    for cells in sets.values():
        rows = [row for row in cells if set(row) != {EMPTY}]
        used = [c for c in range(len(rows[0])) if any(row[c] != EMPTY for row in rows)]
        texts.append(" / ".join(" ".join(row[c] for c in used) for row in rows))
    return parse_table(" | ".join(texts))


def _cells(text: str) -> Cells:
    return tuple(tuple(row.split()) for row in text.split("/")) if text.strip() else ()
