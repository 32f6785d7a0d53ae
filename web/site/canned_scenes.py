"""States of a table that the canned table shows, one for each thing a page has to draw."""

from __future__ import annotations

from typing import Any, Final

from referee import Tile, load_ruleset, parse_tiles
from referee.scoring import rack_points
from vision.cameras.words import LOST
from vision.watching.together.lineup import OTHERWISE
from web.live.sentences import phrased
from web.site.canned_states import LEGAL, camera, current_match, table


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


_PLAYED: Final = f"{LEGAL} | B11 B12 B13"
_WRONG: Final = f"{LEGAL} | B11 K12 B13"
_GRID: Final = ". R8 . . / R7 B8 O9 . / . K8 . . | R1 R2 R3"


def _legal() -> dict[str, Any]:
    return table(LEGAL)


def _hand() -> dict[str, Any]:
    return {**table(LEGAL), "phase": "hand", "message": "A hand is over the table."}


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
    restore = {"table": LEGAL, "moves": moves, "evidence_id": 8}
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


def _grid() -> dict[str, Any]:
    match = {**current_match(), "ruleset": "runny", "rules_name": "Runny"}
    return {**table(_GRID, rules="runny"), "match": match}


def _lost() -> dict[str, Any]:
    message = phrased(LOST.format(name="USB camera 0"))
    aside = phrased(OTHERWISE.format(name="phone 3", first="phone 1"))
    cameras = [
        {**camera("USB camera 0", message), "health": "lost", "counts": False},
        camera("phone 1", active=True),
        camera("phone 2"),
        {**camera("phone 3", aside), "counts": False},
    ]
    return {**table(LEGAL), "phase": "lost", "message": message, "cameras": cameras}


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
    return {**table(LEGAL), "advice": advice}


def _scoring() -> dict[str, Any]:
    match = current_match()
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
    match = {**current_match(), "phase": "over", "winner": "Ann", "turn": None}
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
