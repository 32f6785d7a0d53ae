"""Tell a turn in words, for the players."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from referee.melds import Kind, readings
from referee.phrases import Series, say, several
from referee.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.jokers import Change
    from referee.melds import Reading
    from referee.networks import Joker, Network
    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from referee.table import TileSet

_MOST_NAMED: Final = 3  # faces of one joker; more are too much to listen to


def tell(change: Change, rules: Ruleset) -> Phrase:
    """Return what a turn did, one sentence for each place of the table that it touched.

    >>> from referee import judge_turn, parse_table
    >>> judge_turn(parse_table("B6 B7 B8 B9 B10"), parse_table("B6 B7 B8 | B8 B9 B10")).story
    'Blue 8 split Blue 6-10 into Blue 6-8 and Blue 8-10; 8 points from the rack.'
    """
    spare = Counter(change.added)
    sentences = [_sentence(gone, come, spare, rules) for gone, come in _places(change)]
    steps = several("; ", [*sentences, _ending(change, rules)])
    return say("story.turn", "{steps}", steps=steps).begun()


def _ending(change: Change, rules: Ruleset) -> Phrase:
    """Say what the rack gave."""
    if not change.added:
        return say("story.nothing", "nothing from the rack.")
    points = sum(rules.value(tile.number) for tile in change.added.elements() if tile.number)
    jokers = sum(tile.is_joker for tile in change.added.elements())
    if not jokers:
        return say("story.points", "{points} points from the rack.", points=points)
    if jokers == 1:
        return say("story.joker", "{points} points and a joker from the rack.", points=points)
    return say(
        "story.jokers",
        "{points} points and {jokers} jokers from the rack.",
        points=points,
        jokers=jokers,
    )


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
) -> Phrase:
    before = Counter(tile for network in gone for tile in network.tiles)
    after = Counter(tile for network in come for tile in network.tiles)
    added = (after - before) & spare
    spare.subtract(added)
    new, old = _listed(come, rules), _listed(gone, rules)
    if not gone:
        return say("story.laid", "laid {new}", new=new)
    if not come:
        return say("story.went", "{old} went away", old=old)
    if added:
        return _with_tiles(added, gone, come, rules)
    if len(gone) == 1 < len(come):
        return say("story.was_split", "{old} was split into {new}", old=old, new=new)
    return say("story.became", "{old} became {new}", old=old, new=new)


def _with_tiles(
    added: Counter[Tile], gone: list[Network], come: list[Network], rules: Ruleset
) -> Phrase:
    """Say what tiles from the rack did to sets."""
    new, old = _listed(come, rules), _listed(gone, rules)
    ordered = sorted(added.elements(), key=lambda tile: tile.index)
    tiles = several("and", ordered)
    if len(gone) == len(come) == 1:
        return say(
            "story.joined", "{tiles} joined {old}, now {new}", tiles=tiles, old=old, new=new
        )
    if len(gone) == 1:
        return say("story.split", "{tiles} split {old} into {new}", tiles=tiles, old=old, new=new)
    return say("story.with", "with {tiles}, {old} became {new}", tiles=tiles, old=old, new=new)


def _listed(found: list[Network], rules: Ruleset) -> Series:
    return several("and", [name for network in found for name in names_of(network, rules)])


def names_of(network: Network, rules: Ruleset) -> list[Phrase]:
    """Name sets as players do; a joker with what it stands for, if that is not too much to say.

    >>> from referee import load_ruleset, parse_table
    >>> from referee.networks import networks
    >>> standard = load_ruleset("standard")
    >>> for network in networks(parse_table("R8 R7 R6 | R7 J R9 | R7 J B7 | R2 B5"), standard):
    ...     print(*names_of(network, standard))
    Red 6-8
    Red 7, the joker as Red 8, Red 9
    Red 7, the joker as Orange 7 or Black 7, Blue 7
    Red 2, Blue 5
    """
    if len(network.lines) > 1 or rules.compound_tiles:
        # Where sets cross, a joker may not be all that one of them lets it be.
        return [_name_of(line, rules, ()) for line in network.lines]
    return [_name_of(line, rules, network.jokers) for line in network.lines]


def _name_of(line: TileSet, rules: Ruleset, jokers: Sequence[Joker]) -> Phrase:
    """Name a set, with what is known of its jokers one after the other."""
    found = readings(line, rules)
    kinds = {reading.kind for reading in found}
    tiles = sorted(line.tiles, key=lambda tile: tile.index)
    numbers = [tile.number or 0 for tile in tiles]
    plain = not any(tile.is_joker for tile in tiles) and not rules.compound_tiles
    straight = numbers == list(range(numbers[0], numbers[-1] + 1))
    if plain and kinds == {Kind.RUN} and straight:
        return say("story.run", "{first}-{last}", first=tiles[0], last=numbers[-1])
    if plain and kinds == {Kind.GROUP} and len(set(numbers)) == 1:
        colours = several("and", [tile.colour for tile in tiles if tile.colour])
        return say("story.group", "the {number}s in {colours}", number=numbers[0], colours=colours)
    left = iter(jokers)
    named = [
        _stands_for(place, tile, found, next(left, None)) if tile.is_joker else tile
        for place, tile in enumerate(line.tiles)
    ]
    return say("story.tiles", "{tiles}", tiles=several(", ", named))


def _stands_for(
    place: int, tile: Tile, found: Sequence[Reading], joker: Joker | None
) -> Tile | Phrase:
    """Name a joker; of one that may be many tiles no more is said."""
    ways = {(reading.tiles[place].colour, reading.tiles[place].members) for reading in found}
    if len(ways) != 1:
        return tile if joker is None else _may_be(tile, joker)
    colour, members = ways.pop()
    if len(members) != 1 or not members[0]:  # Crazy's zero, and two numbers in one
        return tile
    return say("story.joker_as", "{joker} as {tile}", joker=tile, tile=Tile(colour, members[0]))


def _may_be(tile: Tile, joker: Joker) -> Tile | Phrase:
    """Name a joker of which the rules leave open what it stands for."""
    faces = {Tile(colour, number) for colour, number in joker.identities if number}
    if not 1 < len(faces) == len(joker.identities) <= _MOST_NAMED:
        return tile
    ordered = sorted(faces, key=lambda face: face.index)
    return say("story.joker_as", "{joker} as {tile}", joker=tile, tile=several("or", ordered))
