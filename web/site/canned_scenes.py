"""States of a table that the canned table shows, one for each thing a page has to draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee import Grid, Tile, judge_table, load_ruleset, parse_table, parse_tiles
from referee.scoring import rack_points
from referee.verdicts import Status
from vision.cameras.words import LOST
from vision.watching.lineup import OTHERWISE
from web.live.sentences import phrased

if TYPE_CHECKING:
    from referee import TileSet

WIDTH_PX: Final = 1280
HEIGHT_PX: Final = 720
_TILE: Final = (44, 60)
_MARKS: Final = {Status.VALID: "valid", Status.INVALID: "invalid", Status.UNKNOWN: "unsure"}


def base() -> dict[str, Any]:
    """Return a state with every key there is: a match in its first turn, nothing on the table."""
    return {
        "version": 1,
        "cameras": [_camera("evening.mp4", active=True)],
        "phase": "stable",
        "message": "",
        "picture": {"width": WIDTH_PX, "height": HEIGHT_PX, "number": 1},
        "tiles": [],
        "parts": [],
        "rules": "standard",
        "options": {"auto_accept": False},
        "records": 8,
        "ending": None,
        "advice": [],
        "leftovers": None,
        "answer": None,
        "proposal": None,
        "desync": None,
        "restore": None,
        "match": _match(),
        "clock": {
            "left_s": 42.0,
            "total_s": 60,
            "running": True,
            "paused": False,
            "expired": False,
            "extensions": 1,
        },
        "history": _history(),
        "can": {"undo": True, "redo": False},
    }


def table(text: str, unsure: str = "", rules: str = "standard") -> dict[str, Any]:
    """Return tiles and parts for a table in notation; tiles whose face is `unsure` are doubted."""
    laid = parse_table(text)
    tiles: list[dict[str, Any]] = []
    cells = [_place(part, row, tiles) for row, part in enumerate(laid.parts)]
    doubted = frozenset(
        (p, i)
        for p, part in enumerate(laid.parts)
        for i, tile in enumerate(part.tiles)
        if str(tile) == unsure
    )
    verdict = judge_table(laid, load_ruleset(rules), unsure=doubted)
    for tile in tiles:
        if tile["tile"] == unsure:
            tile |= {"unsure": True, "doubt": "Glare covers the number.", "status": "doubtful"}
            tile["alternatives"] = [["O7", 0.31], ["B1", 0.04]]
    parts = [
        {
            "cells": grid,
            "status": _MARKS[part.status],
            "points": part.points[-1] if part.points else None,
            "codes": [str(violation.code) for violation in part.violations],
            "texts": [violation.message for violation in part.violations],
        }
        for grid, part in zip(cells, verdict.parts, strict=True)
    ]
    return {"tiles": tiles, "parts": parts}


def _place(part: TileSet | Grid, row: int, tiles: list[dict[str, Any]]) -> list[list[int | None]]:
    """Lay a part in its row of the picture; return the numbers of its tiles by cell."""
    rows = part.rows if isinstance(part, Grid) else (part.tiles,)
    wide, high = _TILE
    top = 40 + row * 110
    cells: list[list[int | None]] = []
    for r, line in enumerate(rows):
        cells.append([])
        for c, tile in enumerate(line):
            if tile is None:
                cells[-1].append(None)
                continue
            x, y, number = 60 + c * (wide + 3), top + r * (high + 3), len(tiles) + 1
            quad = [[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]]
            tiles.append(
                {
                    "id": number,
                    "tile": str(tile),
                    "quad": quad,
                    "status": "seen",
                    "unsure": False,
                    "doubt": "",
                    "alternatives": [],
                    "declared": None,
                }
            )
            cells[-1].append(number)
    return cells


def _match() -> dict[str, Any]:
    players = [
        ("Ann", 35, 9, False, True, 1, 1),
        ("Bob", -10, 14, False, False, 0, 2),
        ("Chidi", -25, 17, False, True, 0, 3),
    ]
    keys = ("name", "score", "rack", "rack_unsure", "opened", "games", "rank")
    return {
        "id": 1,
        "ruleset": "standard",
        "rules_name": "Standard",
        "handfuls": False,
        "phase": "playing",
        "goal": "games",
        "amount": 3,
        "players": [dict(zip(keys, player, strict=True)) for player in players],
        "turn": "Bob",
        "drawing": [],
        "table": _LEGAL,
        "pool": 58,
        "penalty": 3,
        "round": 2,
        "rounds": [{"winner": "Ann", "scores": {"Ann": 35, "Bob": -10, "Chidi": -25}}],
        "winner": None,
        "shared": [],
    }


def _history() -> list[dict[str, Any]]:
    rows = [
        ("Dealt", "", "Round 2 began with Ann.", None, False),
        ("Played", "Ann", "Laid Red 10-12; 33 points from the rack.", 33, True),
        ("Drew", "Bob", "Bob drew a tile.", None, False),
        ("Played", "Chidi", "Blue 8 split Blue 6-10 into Blue 6-8 and Blue 8-10.", 8, True),
    ]
    return [
        {
            "seq": seq,
            "event": event,
            "player": player,
            "story": story,
            "points": points,
            "evidence": evidence,
            "evidence_id": seq if evidence else None,
            "table": _LEGAL if event == "Played" else None,
        }
        for seq, (event, player, story, points, evidence) in enumerate(rows, 5)
    ]


def _proposal(text: str, *broken: tuple[str, str], unsure: bool = False) -> dict[str, Any]:
    return {
        "kind": "turn",
        "player": "Bob",
        "legal": not broken,
        "unsure": unsure,
        "story": "Laid Blue 11-13; 36 points from the rack.",
        "points": 36,
        "table": text,
        "violations": [{"code": code, "text": words} for code, words in broken],
        "warnings": [],
        "look": {"id": 11, "text": "Orange 5? Glare covers the number."} if unsure else None,
    }


_LEGAL: Final = "R10 R11 R12 | B6 B7 B8 | B8 B9 B10 | R5 O5 K5 B5"
_PLAYED: Final = f"{_LEGAL} | B11 B12 B13"
_WRONG: Final = f"{_LEGAL} | B11 K12 B13"
_GRID: Final = ". R8 . . / R7 B8 O9 . / . K8 . . | R1 R2 R3"


def _legal() -> dict[str, Any]:
    return table(_LEGAL)


def _hand() -> dict[str, Any]:
    return {**table(_LEGAL), "phase": "hand", "message": "A hand is over the table."}


def _played() -> dict[str, Any]:
    return {**table(_PLAYED), "proposal": _proposal(_PLAYED)}


def _unsure() -> dict[str, Any]:
    return {**table(_PLAYED, unsure="O5"), "proposal": _proposal(_PLAYED, unsure=True)}


def _illegal() -> dict[str, Any]:
    laid = table(_WRONG)
    broken = [("INVALID_SET", text) for part in laid["parts"] for text in part["texts"]]
    moves = [
        {"tile": "K12", "text": "back to Bob's rack"},
        {"tile": "B11", "text": "back to Bob's rack"},
    ]
    restore = {"table": _LEGAL, "moves": moves, "evidence_id": 8}
    return {**laid, "proposal": _proposal(_WRONG, *broken), "restore": restore}


def _desync() -> dict[str, Any]:
    laid = table("R10 R11 R12 | B6 B7 B8 | B8 B9 B10 | R5 O5 K5 | K2")
    return {
        **laid,
        "desync": {
            "text": "The table does not fit the record: look at these tiles, or take one of them.",
            "missing": ["B5"],
            "extra": [{"id": laid["tiles"][-1]["id"], "tile": "K2"}],
        },
    }


def _camera(name: str, message: str = "", *, active: bool = False) -> dict[str, Any]:
    name = phrased(name)
    return {"name": name, "health": "ok", "message": message, "active": active, "counts": True}


def _grid() -> dict[str, Any]:
    match = {**_match(), "ruleset": "runny", "rules_name": "Runny"}
    return {**table(_GRID, rules="runny"), "match": match}


def _lost() -> dict[str, Any]:
    message = phrased(LOST.format(name="USB camera 0"))
    aside = phrased(OTHERWISE.format(name="phone 3", first="phone 1"))
    cameras = [
        {**_camera("USB camera 0", message), "health": "lost", "counts": False},
        _camera("phone 1", active=True),
        _camera("phone 2"),
        {**_camera("phone 3", aside), "counts": False},
    ]
    return {**table(_LEGAL), "phase": "lost", "message": message, "cameras": cameras}


def _rack(text: str, expected: int, unsure: str = "") -> dict[str, Any]:
    """Return a rack as it was read from a photo; one face is unsure."""
    tiles = parse_tiles(text)
    doubt = "Glare covers the number."
    faces = [
        {
            "tile": str(tile),
            "doubt": doubt if str(tile) == unsure else "",
            "alternatives": ["B6", "O5"] if str(tile) == unsure else [],
            "quad": [],
        }
        for tile in tiles
    ]
    return {
        "tiles": " ".join(map(str, sorted(tiles, key=lambda tile: tile.index))),
        "value": rack_points(tiles, load_ruleset("standard")),
        "questions": [f"{Tile.parse(unsure).words}? {doubt}"] if unsure else [],
        "text": "",
        "expected": expected,
        "mark": "",
        "faces": faces,
    }


def _advised() -> dict[str, Any]:
    words = {
        "dark": ("The picture is too dark.", "Switch on more light."),
        "oblique": ("The camera looks too flatly.", "Hold it higher above the table."),
    }
    advice = [{"code": code, "text": one, "advice": two} for code, (one, two) in words.items()]
    return {**table(_LEGAL), "advice": advice}


def _scoring() -> dict[str, Any]:
    match = _match()
    for player, held in zip(match["players"], (0, 3, 5), strict=True):
        player["rack"] = held
    leftovers = {
        "racks": {"Bob": _rack("B5 R3", 3, unsure="B5"), "Chidi": _rack("K1 K2 O9 O13 J", 5)},
        "missing": [],
        "scores": {"Ann": 63, "Bob": -8, "Chidi": -55},
    }
    scoring = {**match, "phase": "scoring", "turn": None}
    return {**table(_PLAYED), "match": scoring, "clock": None, "leftovers": leftovers}


def _over() -> dict[str, Any]:
    match = {**_match(), "phase": "over", "winner": "Ann", "turn": None}
    return {**table(_PLAYED), "match": match, "clock": None, "can": {"undo": True, "redo": True}}


def _before() -> dict[str, Any]:
    nothing: dict[str, Any] = {"match": None, "clock": None, "history": []}
    return {**table("R1 R2 R3 J"), **nothing, "can": {"undo": False, "redo": False}}


SCENES: Final = (
    _legal,
    _hand,
    _played,
    _unsure,
    _illegal,
    _desync,
    _grid,
    _lost,
    _advised,
    _scoring,
    _over,
    _before,
)
"""What the canned table goes through."""
