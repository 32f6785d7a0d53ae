"""Tell a turn in words, for the players."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from referee.melds import Kind, readings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from referee.jokers import Change
    from referee.networks import Network
    from referee.ruleset import Ruleset
    from referee.table import TileSet
    from referee.tiles import Tile


def tell(change: Change, rules: Ruleset) -> str:
    """Return what a turn did, one sentence for each place of the table that it touched.

    >>> from referee import judge_turn, parse_table
    >>> judge_turn(parse_table("B6 B7 B8 B9 B10"), parse_table("B6 B7 B8 | B8 B9 B10")).story
    'Blue 8 split Blue 6-10 into Blue 6-8 and Blue 8-10; 8 points from the rack.'
    """
    spare = Counter(change.added)
    sentences = [_sentence(gone, come, spare, rules) for gone, come in _places(change)]
    if not change.added:
        ending = "nothing from the rack."
    else:
        points = sum(rules.value(tile.number) for tile in change.added.elements() if tile.number)
        jokers = sum(tile.is_joker for tile in change.added.elements())
        extra = {0: "", 1: " and a joker"}.get(jokers, f" and {jokers} jokers")
        ending = f"{points} points{extra} from the rack."
    return _capital("; ".join([*sentences, ending]))


def _places(change: Change) -> list[tuple[list[Network], list[Network]]]:
    """Pair the networks that went with those that came of them, by shared faces."""
    places: list[tuple[list[Network], list[Network]]] = [([old], []) for old in change.gone]
    for new in change.come:
        faces = set(new.tiles)
        sharing = [place for place in places if any(faces & set(old.tiles) for old in place[0])]
        places = [place for place in places if not any(place is other for other in sharing)]
        gone = [old for place in sharing for old in place[0]]
        come = [other for place in sharing for other in place[1]]
        places.append((gone, [*come, new]))
    return places


def _sentence(
    gone: list[Network], come: list[Network], spare: Counter[Tile], rules: Ruleset
) -> str:
    before = Counter(tile for network in gone for tile in network.tiles)
    after = Counter(tile for network in come for tile in network.tiles)
    added = (after - before) & spare
    spare.subtract(added)
    new, old = _listed(come, rules), _listed(gone, rules)
    tiles = _join(tile.words for tile in sorted(added.elements(), key=lambda tile: tile.index))
    if not gone:
        return f"laid {new}"
    if not come:
        return f"{old} went away"
    if len(gone) == len(come) == 1:
        return f"{tiles} joined {old}, now {new}" if added else f"{old} became {new}"
    if len(gone) == 1:
        return f"{tiles} split {old} into {new}" if added else f"{old} was split into {new}"
    return f"with {tiles}, {old} became {new}" if added else f"{old} became {new}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(found: list[Network], rules: Ruleset) -> str:
    return _join(name_of(line, rules) for network in found for line in network.lines)


def name_of(line: TileSet, rules: Ruleset) -> str:
    """Name a set as players do.

    >>> from referee import load_ruleset, parse_set
    >>> for text in ("R8 R7 R6", "R7 B7 K7", "R7 J R9", "R2 B5"):
    ...     print(name_of(parse_set(text), load_ruleset("standard")))
    Red 6-8
    the 7s in red, blue and black
    Red 7, the joker, Red 9
    Red 2, Blue 5
    """
    found = readings(line, rules)
    kinds = {reading.kind for reading in found}
    tiles = sorted(line.tiles, key=lambda tile: tile.index)
    numbers = [tile.number for tile in tiles]
    if any(tile.is_joker for tile in tiles) or rules.compound_tiles:
        return line.words
    if kinds == {Kind.RUN} and numbers == sorted(set(numbers), key=lambda n: n or 0):
        straight = (numbers[-1] or 0) - (numbers[0] or 0) == len(numbers) - 1
        return f"{tiles[0].words}-{numbers[-1]}" if straight else line.words
    if kinds == {Kind.GROUP} and len(set(numbers)) == 1:
        colours = _join(tile.colour.word.lower() for tile in tiles if tile.colour)
        return f"the {numbers[0]}s in {colours}"
    return line.words


def _join(words: Iterable[str]) -> str:
    *most, last = [*words] or [""]
    return f"{', '.join(most)} and {last}" if most else last
