"""What the states of the canned table are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referee import Grid, judge_table, load_ruleset, parse_table
from referee.verdicts import Status
from web.live.sentences import phrased

if TYPE_CHECKING:
    from referee import TileSet

WIDTH_PX: Final = 1280
HEIGHT_PX: Final = 720
LEGAL: Final = "R10 R11 R12 | B6 B7 B8 | B8 B9 B10 | R5 O5 K5 B5"
_TILE: Final = (44, 60)
_MARKS: Final = {Status.VALID: "valid", Status.INVALID: "invalid", Status.UNKNOWN: "unsure"}


def base() -> dict[str, Any]:
    """Return a state with every key there is: a match in its first turn, nothing on the table."""
    return {
        "version": 1,
        "cameras": [camera("evening.mp4", active=True)],
        "phase": "stable",
        "message": "",
        "picture": {"width": WIDTH_PX, "height": HEIGHT_PX, "number": 1},
        "tiles": [],
        "corrections": [],
        "left_out": [],
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
        "match": current_match(),
        "clock": {
            "left_s": 42.0,
            "total_s": 60,
            "running": True,
            "paused": False,
            "expired": False,
            "extensions": 1,
        },
        "history": history(),
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
                    "rack": False,
                    "alternatives": [],
                    "declared": None,
                }
            )
            cells[-1].append(number)
    return cells


def current_match() -> dict[str, Any]:
    """Return a match of three in its second round."""
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
        "wins": True,
        "free_tiles": 0,
        "phase": "playing",
        "goal": "games",
        "amount": 3,
        "players": [dict(zip(keys, player, strict=True)) for player in players],
        "turn": "Bob",
        "drawing": [],
        "starts": None,
        "table": LEGAL,
        "pool": 58,
        "penalty": 3,
        "must_play": False,
        "games_per_round": 1,
        "round": 2,
        "rounds": [{"winner": "Ann", "scores": {"Ann": 35, "Bob": -10, "Chidi": -25}}],
        "winner": None,
        "shared": [],
    }


def history() -> list[dict[str, Any]]:
    """Return what happened in that round."""
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
            "table": LEGAL if event == "Played" else None,
        }
        for seq, (event, player, story, points, evidence) in enumerate(rows, 5)
    ]


def camera(name: str, message: str = "", *, active: bool = False) -> dict[str, Any]:
    """Return a camera that works."""
    name = phrased(name)
    return {"name": name, "health": "ok", "message": message, "active": active, "counts": True}
