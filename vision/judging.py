"""Judge: what the referee says of a table that was seen, and where the picture leaves a doubt."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from referee.judge import judge_table
from vision.ends_in_doubt import ends_in_doubt
from vision.misread import hardly_told, is_poor, nearly_legal
from vision.neighbours import beside_neighbours
from vision.racks import on_racks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.ruleset import Ruleset
    from referee.table import Table
    from referee.verdicts import Place, Verdict
    from vision.types import Layout, Picture, Readings


def judge_seen(
    layout: Layout,
    table: Table,
    readings: Readings,
    rules: Ruleset,
    picture: Picture,
) -> tuple[Readings, Verdict]:
    """Judge a table that was seen in a picture, whose edge may have cut sets off.

    Returns
    -------
    Readings
        The same, with the doubts that the whole table raises and without those that it settles.
    Verdict
        What the referee says; a doubted tile is asked about, not held against its set.
    """

    def judged(readings: Readings) -> Verdict:
        return judge_table(table, rules, unsure=_unsure_places(layout, readings))

    def asked(doubts: Mapping[int, str]) -> tuple[Readings, Verdict]:
        if not doubts:
            return readings, verdict
        doubted = _doubt(readings, doubts)
        return doubted, judged(doubted)

    verdict = judged(readings)
    readings, verdict = asked(
        nearly_legal(layout, readings, verdict, rules, picture.pixels)
        | ends_in_doubt(layout, readings, verdict, rules, picture)
    )
    if is_poor(readings):
        readings, verdict = asked(hardly_told(layout, readings, verdict, rules))
    readings, verdict = asked(on_racks(layout, readings, verdict, rules))
    # Last, so that what wavers still tells where another set may go on.
    settled = beside_neighbours(layout, readings, rules)
    return (readings, verdict) if settled is readings else (settled, judged(settled))


def _unsure_places(layout: Layout, readings: Readings) -> frozenset[Place]:
    return frozenset(
        (part, position)
        for part, placed in enumerate(layout.placed)
        for position, tile in enumerate(placed.tiles)
        if readings.readings[tile].unsure
    )


def _doubt(readings: Readings, doubts: Mapping[int, str]) -> Readings:
    return readings.but(
        {number: replace(readings.readings[number], doubt=why) for number, why in doubts.items()}
    )
