"""The state of the table as JSON values; every function here is pure."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from referee.verdicts import HintCode, Status
from vision.doubts import MIRRORED, RACK
from web.live.jpeg import jpeg_size
from web.live.match_json import (
    clock_json,
    desync_json,
    history_json,
    leftovers_json,
    match_json,
    proposal_json,
    restore_json,
)
from web.live.sentences import phrased, question, why

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from referee.tiles import Tile
    from referee.verdicts import SetVerdict
    from vision.types import Floats, Placed
    from vision.watching.sights import SeenTile, SettledTable
    from web.live.borders import Snapshot
    from web.live.settings import LiveSettings
    from web.live.views import PictureView, View

VERSION = 1
_STATUSES = {
    Status.VALID: "valid",
    Status.FIXABLE: "invalid",
    Status.INVALID: "invalid",
    Status.UNKNOWN: "unsure",
}


def build(
    view: View, number: int, time: datetime, now_s: float, settings: LiveSettings
) -> Snapshot:
    """Return the whole snapshot.

    Parameters
    ----------
    time
        By the calendar, with its zone.
    now_s
        By the clock that turns are timed with.
    """
    play = view.play
    return {
        "version": VERSION,
        "number": number,
        "time": time.isoformat(timespec="milliseconds"),
        "cameras": [
            {
                "name": phrased(c.name),
                "health": c.health,
                "message": phrased(c.message),
                "active": c.active,
                "counts": c.counts,
            }
            for c in view.cameras
        ],
        "phase": view.phase,
        "message": phrased(view.message),
        "picture": _picture(view.picture, settings.jpeg_width_px),
        "tiles": tiles_json(view.settled, settings.jpeg_width_px, view.declared),
        "corrections": corrections_json(view, settings.jpeg_width_px),
        "left_out": left_out_json(view.settled, settings.jpeg_width_px),
        "parts": parts_json(view.settled),
        "rules": play.match.rules.name if play else view.rules,
        "options": {"auto_accept": view.auto_accept},
        "records": play.records if play else 0,
        "ending": view.ending,
        "advice": [asdict(one) for one in view.advice],
        "proposal": proposal_json(play) if play else None,
        "desync": desync_json(play, view.settled) if play else None,
        "restore": restore_json(play, view.settled) if play else None,
        "match": match_json(play) if play else None,
        "clock": clock_json(play.clock, now_s) if play else None,
        "leftovers": leftovers_json(play) if play else None,
        "answer": play.answer if play else None,
        "history": history_json(play.told, settings.history_items) if play else [],
        "can": {
            "undo": play is not None and play.can_undo,
            "redo": play is not None and play.can_redo,
        },
    }


def _picture(picture: PictureView | None, most_px: int) -> dict[str, int] | None:
    if picture is None:
        return None
    width, height = jpeg_size(picture.width_px, picture.height_px, most_px)
    return {"width": width, "height": height, "number": picture.number}


def picture_scale(settled: SettledTable, most_px: int) -> float:
    """Return by how much a page's picture is smaller than the camera's."""
    return jpeg_size(settled.width_px, settled.height_px, most_px)[0] / settled.width_px


def tiles_json(
    settled: SettledTable | None, most_px: int, declared: Mapping[int, Tile]
) -> list[dict[str, Any]]:
    """Return every tile; quads are pixels of the page's picture."""
    if settled is None:
        return []
    scale = picture_scale(settled, most_px)
    return [_tile(tile, scale, declared.get(tile.id)) for tile in settled.tiles]


def _tile(tile: SeenTile, scale: float, declared: Tile | None) -> dict[str, Any]:
    reading = tile.reading
    return {
        "id": tile.id,
        "tile": str(reading.tile),
        "quad": _quad(tile.quad_img, scale),
        "status": tile.status,
        "unsure": tile.unsure,
        "doubt": why(tile),
        "rack": reading.doubt == RACK,
        "alternatives": [[str(face), round(chance, 4)] for face, chance in reading.choices],
        "declared": str(declared) if declared else None,
    }


def corrections_json(view: View, most_px: int) -> list[dict[str, Any]]:
    """Return what people put right on the table as it lies."""
    scale = 1.0 if view.settled is None else picture_scale(view.settled, most_px)
    return [
        {
            "id": one.id,
            "was": str(one.was) if one.was else None,
            "tile": str(one.tile) if one.tile else None,
            "quad": _quad(one.quad_img, scale),
        }
        for one in view.corrections
    ]


def left_out_json(settled: SettledTable | None, most_px: int) -> list[list[list[float]]]:
    """Return where racks stand that are none of the table's; pixels of the page's picture."""
    if settled is None:
        return []
    scale = picture_scale(settled, most_px)
    return [_quad(quad, scale) for quad in settled.left_out_img]


def _quad(quad_img: Floats, scale: float) -> list[list[float]]:
    return [[round(float(x) * scale, 1), round(float(y) * scale, 1)] for x, y in quad_img]


def parts_json(settled: SettledTable | None) -> list[dict[str, Any]]:
    """Return every set or grid with its verdict; cells hold tile ids."""
    if settled is None:
        return []
    return [
        _part(number, placed, verdict, settled)
        for number, (placed, verdict) in enumerate(
            zip(settled.layout.placed, settled.verdict.parts, strict=True)
        )
    ]


def _part(
    number: int, placed: Placed, verdict: SetVerdict, settled: SettledTable
) -> dict[str, Any]:
    tiles = [settled.tiles[tile] for tile in placed.tiles]
    asked = [tile for tile in tiles if tile.unsure]
    broken = [v for v in settled.verdict.violations if number in v.sets]
    hints = [
        hint
        for hint in settled.verdict.hints
        if number in hint.sets and hint.code is not HintCode.LOOK_AT_TILE
    ]
    if asked:
        status, codes = "unsure", ["LOOK_AT_TILE"]
        reasons = [why(tile) for tile in asked]
        texts: list[str] = [
            question(tile.reading.tile, reason)
            for tile, reason in zip(asked, reasons, strict=True)
        ]
        if set(reasons) == {MIRRORED}:  # no tile is worth a look of its own
            texts = reasons[:1]
    else:
        status = "invalid" if broken else _STATUSES[verdict.status]
        codes = [str(v.code) for v in broken] + [str(hint.code) for hint in hints]
        texts = [v.message for v in broken] + [hint.message for hint in hints]
    return {
        "cells": [
            [None if t is None else settled.tiles[t].id for t in row] for row in placed.cells
        ],
        "status": status,
        "points": max(verdict.points, default=0),
        "codes": codes,
        "texts": texts,
    }
