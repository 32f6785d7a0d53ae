"""Answer each kind of request, as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee.errors import NotationError
from referee.judge import TURNED, check_set, judge_table
from referee.networks import networks
from referee.opening import opening_points
from referee.requests import RequestError
from referee.scoring import rack_points, score_round, stalemate_winners
from referee.table import Grid, Table, TileSet
from referee.turns import Situation, judge_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from referee.requests import Request
    from referee.ruleset import Ruleset
    from referee.table import Flips
    from referee.verdicts import Hint, Place, SetVerdict, Verdict, Violation

# Half as many tiles again as four boxes hold.
_MOST_TILES_TO_ARRANGE: Final = 320


def _set(request: Request, rules: Ruleset) -> dict[str, Any]:
    table = request.table("set")
    if len(table.parts) != 1 or not isinstance(table.parts[0], TileSet):
        raise NotationError(request.text("set"), "one set")
    return _verdict(check_set(table.parts[0], rules))


def _table(request: Request, rules: Ruleset) -> dict[str, Any]:
    table = request.grid("grid") if request.has("grid") else request.table("table")
    verdict = judge_table(table, rules, _unsure(request, table), _flipped(request))
    return {
        "valid": _valid(verdict),
        "points": [list(points) for points in verdict.points],
        "hints": _hints(verdict.hints),
        "violations": _violations(verdict.violations),
        "turned": verdict.turned,
        "sets": [
            _part(lying, found) for lying, found in zip(table.parts, verdict.parts, strict=True)
        ],
    }


def _valid(verdict: Verdict) -> bool | None:
    """As the table lies: a set that only needs sorting is not valid yet."""
    if verdict.ok is not True:
        return verdict.ok
    return all(part.valid for part in verdict.parts)


def _part(lying: TileSet | Grid, found: SetVerdict) -> dict[str, Any]:
    if not isinstance(lying, Grid):
        return {"tiles": str(lying), **_verdict(found)}
    lines = [
        {
            "tiles": str(line.tiles),
            "cells": [list(cell) for cell in line.cells],
            **_verdict(judged),
        }
        for line, judged in zip(lying.lines(), found.lines, strict=False)
    ]
    return {"grid": str(lying), **_verdict(found), "lines": lines}


def _verdict(found: SetVerdict) -> dict[str, Any]:
    return {
        "valid": found.valid,
        "status": found.status.value,
        "readings": [
            {
                "kind": reading.kind.value,
                "points": reading.points,
                "jokers": [str(joker) for joker in reading.jokers],
            }
            for reading in found.readings
        ],
        "points": list(found.points),
        "hints": _hints(found.hints),
        "violations": _violations(found.violations),
    }


def _hints(hints: Iterable[Hint]) -> list[dict[str, Any]]:
    return [
        {
            "code": hint.code.value,
            "message": hint.message,
            "sets": list(hint.sets),
            "tiles": [list(place) for place in hint.tiles],
            "suggestion": None if hint.suggestion is None else str(hint.suggestion),
        }
        for hint in hints
    ]


def _violations(violations: Iterable[Violation]) -> list[dict[str, Any]]:
    return [
        {
            "code": violation.code.value,
            "message": violation.message,
            "sets": list(violation.sets),
            "tiles": [list(place) for place in violation.tiles],
        }
        for violation in violations
    ]


def _opening(request: Request, rules: Ruleset) -> dict[str, Any]:
    table = request.table("sets")
    rack = next((request.tiles(key) for key in ("rack", "hand") if request.has(key)), None)
    situation = Situation(opened=False, rack=rack, flipped=_flipped(request))
    verdict = judge_turn(Table(), table, rules, situation)
    found = networks(table, rules, TURNED[verdict.table.turned])
    scored = all(network.points for network in found)
    return {
        "legal": verdict.legal,
        "points": opening_points(found, rules) if scored else None,
        "violations": _violations(verdict.violations),
        "hints": _hints(verdict.table.hints),
    }


def _turn(request: Request, rules: Ruleset) -> dict[str, Any]:
    before, after = (request.table(when, f"board_{when}") for when in ("before", "after"))
    racks = [key for key in ("rack_before", "rack") if request.has(key)]
    situation = Situation(
        opened=request.flag("opened", default=True),
        rack=request.tiles(racks[0]) if racks else None,
        unsure=_unsure(request, after),
        flipped=_flipped(request),
        free_tiles=request.tiles("free_tiles"),
        dealt_jokers_played=request.flag("dealt_jokers_played", default=False),
        joker_due=request.flag("joker_due", default=False),
    )
    verdict = judge_turn(before, after, rules, situation)
    return {
        "legal": verdict.legal,
        "violations": _violations(verdict.violations),
        "warnings": _violations(verdict.warnings),
        "hints": _hints(verdict.table.hints),
        "turned": verdict.table.turned,
        "added": " ".join(map(str, verdict.added)),
        "story": verdict.story,
    }


def _unsure(request: Request, table: Table) -> frozenset[Place]:
    """Return the tiles of a table that the camera is unsure of."""
    unsure = request.places("unsure")
    lying = {(part, at) for part, one in enumerate(table.parts) for at in range(len(one.tiles))}
    for place in sorted(unsure - lying):
        raise RequestError(f"unsure: expected tiles of the table, got {list(place)}")
    return unsure


def _flipped(request: Request) -> Flips | None:
    """Return how the table lies to the camera: by how many degrees clockwise it is turned."""
    if not request.has("turned"):
        return None
    degrees = request.given["turned"]
    if type(degrees) is not int or degrees not in TURNED:
        raise RequestError(f"turned: expected one of {', '.join(map(str, TURNED))}")
    return TURNED[degrees]


def _score(request: Request, rules: Ruleset) -> dict[str, Any]:
    racks = request.racks("racks")
    end = request.choice("end", ("out", "stalemate"), "out")
    best = stalemate_winners(racks, rules)
    if request.has("winner"):
        winner: str | None = request.choice("winner", tuple(racks))
    elif end == "out":
        winner = next((name for name, rack in racks.items() if not rack), None)
    else:
        winner = best[0] if len(best) == 1 else None
    if end == "out" and (winner is None or racks[winner]):
        raise RequestError(
            "racks: expected the winner's to be empty; where nobody went out, end is stalemate"
        )
    return {
        "scores": score_round(racks, rules, winner),
        "rack_points": {name: rack_points(rack, rules) for name, rack in racks.items()},
        "winner": winner,
    }


def _best_play(request: Request, rules: Ruleset) -> dict[str, Any]:
    from referee.best_play import best_play  # noqa: PLC0415 - scipy only for those who ask

    table, rack = request.table("board", "board_tiles"), request.tiles("rack")
    if len(table.tiles) + len(rack) > _MOST_TILES_TO_ARRANGE:
        raise RequestError(f"board: expected at most {_MOST_TILES_TO_ARRANGE} tiles with the rack")
    play = best_play(
        table,
        rack,
        rules,
        opened=request.flag("opened", default=True),
        goal="points"
        if request.choice("goal", ("tiles", "points"), "tiles") == "points"
        else "tiles",
    )
    return {
        "tiles": len(play.tiles),
        "play": " ".join(map(str, play.tiles)),
        "points": rack_points(play.tiles, rules),
        "table": [str(part) for part in play.table.parts],
        "goes_out": play.goes_out,
        "proven": play.proven,
        "story": play.story,
    }


ANSWERS: Final[dict[str, Callable[[Request, Ruleset], dict[str, Any]]]] = {
    "set": _set,
    "table": _table,
    "opening": _opening,
    "turn": _turn,
    "score": _score,
    "best_play": _best_play,
}
"""What answers each kind of request."""
KEYS: Final = frozenset(
    """set grid table unsure turned sets rack hand before after board_before board_after
    rack_before opened free_tiles dealt_jokers_played joker_due racks winner end board
    board_tiles goal""".split()  # noqa: SIM905 - one word a key reads better
)
"""What requests of these kinds are about."""
