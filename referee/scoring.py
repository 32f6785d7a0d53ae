"""Score a round (rules reference 5.9-5.10, 6.10, 8.10, 9.3, 10.12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from referee.ruleset import Ruleset
    from referee.tiles import Tile

_PICK_BONUS: Final = {14: -5, 13: -3, 15: -3}


def rack_points(rack: Iterable[Tile], rules: Ruleset) -> int:
    """Return what tiles left on a rack count (rules reference 5.9, 8.2).

    >>> from referee import load_ruleset, parse_tiles
    >>> rack_points(parse_tiles("R2 R9 R10 R13 R1 J"), load_ruleset("keadle"))
    70
    """
    return sum(
        rules.value(tile.number) if tile.number else rules.joker_rack_value for tile in rack
    )


def stalemate_winners(racks: Mapping[str, tuple[Tile, ...]], rules: Ruleset) -> tuple[str, ...]:
    """Return who wins a round that nobody went out of; several share it, as nobody's win.

    >>> from referee import load_ruleset, parse_tiles
    >>> racks = {"A": parse_tiles("R12"), "B": parse_tiles("R2 R3")}
    >>> stalemate_winners(racks, load_ruleset("standard"))
    ('B',)
    >>> stalemate_winners(racks, load_ruleset("rummibug"))
    ('A',)
    """
    if rules.stalemate_winner == "nobody":
        return ()
    by_tiles = rules.stalemate_winner == "fewest_tiles"
    worth = {
        name: len(rack) if by_tiles else rack_points(rack, rules) for name, rack in racks.items()
    }
    return tuple(name for name in racks if worth[name] == min(worth.values()))


def score_round(
    racks: Mapping[str, tuple[Tile, ...]],
    rules: Ruleset,
    winner: str | None = None,
    bonus: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Return every player's score for a round, from the racks at its end.

    The winner of a stalemate still holds tiles; that alone tells it from going out. Without a
    winner nobody gains, and only option C writes down what the racks hold.

    >>> from referee import load_ruleset, parse_tiles
    >>> racks = {"A": (), "B": parse_tiles("R5"), "C": parse_tiles("R10"), "D": parse_tiles("R3")}
    >>> score_round(racks, load_ruleset("standard"), "A")
    {'A': 18, 'B': -5, 'C': -10, 'D': -3}
    """
    points = {name: rack_points(rack, rules) for name, rack in racks.items()}
    scores = _scores(points, rules, winner)
    return {name: score + (bonus or {}).get(name, 0) for name, score in scores.items()}


def _scores(points: dict[str, int], rules: Ruleset, winner: str | None) -> dict[str, int]:
    if rules.scoring == "C":
        return {name: 0 if name == winner else own for name, own in points.items()}
    if winner is None or rules.scoring == "none":
        return dict.fromkeys(points, 0)
    own = points[winner]
    losses = {name: other for name, other in points.items() if name != winner}
    if rules.scoring == "B":
        return {name: sum(losses.values()) if name == winner else 0 for name in points}
    if rules.stalemate_scoring == "difference":
        losses = {name: other - own for name, other in losses.items()}
    gain = sum(losses.values())
    if rules.stalemate_scoring == "winner_subtracts_own":
        gain -= own
    return {name: gain if name == winner else -losses[name] for name in points}


def pick_bonus(handfuls: Iterable[int]) -> int:
    """Return the bonus for handfuls that hit 14 tiles or nearly (rules reference 9.3).

    >>> pick_bonus([14, 13]), pick_bonus([12, 16])
    (-8, 0)
    """
    return sum(_PICK_BONUS.get(handful, 0) for handful in handfuls)
