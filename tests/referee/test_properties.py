"""What must never change a verdict, on generated legal tables."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee import (
    JOKER,
    Code,
    Table,
    TileSet,
    check_set,
    judge_table,
    judge_turn,
    load_ruleset,
    readings,
)
from referee.rulesets import JOKER_PRESETS, with_joker_preset
from referee.templates import templates
from referee.tiles import Colour, Tile

STANDARD = load_ruleset("standard")
NATURAL = [t.tiles for t in templates(STANDARD) if JOKER not in t.tiles]
LONG = [tuple(Tile(t[0].colour, n) for n in range(1, 14)) for t in NATURAL if t[0].number == 1]


def legal_table(seed: int) -> Table:
    """Some legal sets that two boxes' worth of copies allow."""
    random = Random(seed)
    sets: list[TileSet] = []
    while len(sets) < 8:
        found = TileSet(random.choice(NATURAL))
        table = Table((*sets, found))
        if max(table.faces.values()) > 2:
            break
        sets.append(found)
    return Table(tuple(sets))


tables = st.integers(0, 10_000).map(legal_table)


@given(tables, st.integers(0, 100))
@settings(deadline=None)
def test_a_joker_in_a_tiles_place_keeps_the_set_legal(table: Table, pick: int) -> None:
    for part in table.parts:
        place = pick % len(part.tiles)
        tiles = (*part.tiles[:place], JOKER, *part.tiles[place + 1 :])
        found = readings(TileSet(tiles), STANDARD)
        stood = {(reading.tiles[place].colour, reading.tiles[place].number) for reading in found}
        assert (part.tiles[place].colour, part.tiles[place].number) in stood


@given(st.sampled_from(LONG), st.integers(3, 10))
def test_runs_split_and_merge(run: tuple[Tile, ...], cut: int) -> None:
    whole, parts = Table((TileSet(run),)), Table((TileSet(run[:cut]), TileSet(run[cut:])))
    assert judge_table(whole).ok is judge_table(parts).ok is True
    assert sum(judge_table(parts).points[0] + judge_table(parts).points[1]) == 91


@given(tables, st.randoms(), st.sampled_from(list(JOKER_PRESETS)))
@settings(deadline=None)
def test_a_turn_on_a_shuffled_or_mirrored_table_is_judged_the_same(
    table: Table, random: Random, preset: str
) -> None:
    sets = [part.tiles for part in table.parts]
    for place in random.sample(range(len(sets)), min(2, len(sets))):
        joker = random.randrange(len(sets[place]))
        sets[place] = (*sets[place][:joker], JOKER, *sets[place][joker + 1 :])
    rules = with_joker_preset(STANDARD, preset)
    for played in range(len(sets)):
        before = [TileSet(tiles) for tiles in (*sets[:played], *sets[played + 1 :])]
        after = [TileSet(tiles[:: random.choice([1, -1])]) for tiles in sets]
        random.shuffle(after)
        verdict = judge_turn(Table(tuple(before)), Table(tuple(after)), rules)
        assert (verdict.legal, verdict.warnings) == (True, ())


@given(tables, st.permutations(list(Colour)), st.integers(0, 100))
@settings(deadline=None)
def test_colours_by_other_names_change_nothing(
    table: Table, order: list[Colour], pick: int
) -> None:
    names = dict(zip(Colour, order, strict=True))
    spoilt = Table((*table.parts, TileSet(table.tiles[pick % len(table.tiles) :][:3])))

    def renamed(lying: Table) -> Table:
        sets = (
            tuple(Tile(names[tile.colour], tile.number) for tile in part.tiles if tile.colour)
            for part in lying.parts
        )
        return Table(tuple(map(TileSet, sets)))

    for lying in (table, spoilt):
        plain, other = judge_table(lying), judge_table(renamed(lying))
        assert (plain.ok, plain.points) == (other.ok, other.points)


@given(tables, st.randoms())
@settings(deadline=None)
def test_copies_are_one_and_the_same(table: Table, random: Random) -> None:
    """Equal tiles of two sets change places: the verdict, and the turn's, stay the same."""
    places = [
        (part, at) for part, lying in enumerate(table.parts) for at in range(len(lying.tiles))
    ]
    tiles = {place: table.parts[place[0]].tiles[place[1]] for place in places}
    for face in set(tiles.values()):
        holding = [place for place in places if tiles[place] == face]
        for place, other in zip(holding, random.sample(holding, len(holding)), strict=True):
            tiles[place] = table.parts[other[0]].tiles[other[1]]
    swapped = Table(
        tuple(
            TileSet(tuple(tiles[part, at] for at in range(len(lying.tiles))))
            for part, lying in enumerate(table.parts)
        )
    )
    assert judge_table(swapped) == judge_table(table)
    assert [v.code for v in judge_turn(table, swapped).violations] == [Code.NO_RACK_TILE]


@given(tables)
@settings(deadline=None)
def test_nothing_may_leave_the_table(table: Table) -> None:
    for place in range(len(table.parts)):
        less = Table(table.parts[:place] + table.parts[place + 1 :])
        assert judge_turn(table, less).legal is False


@given(st.lists(st.sampled_from(sorted({t for s in NATURAL for t in s}, key=str)), min_size=3))
@settings(deadline=None)
def test_sets_have_only_readings_that_show_their_tiles(tiles: list[Tile]) -> None:
    for reading in check_set(TileSet(tuple(tiles[:6]))).readings:
        assert [str(tile) for tile in reading.tiles] == [str(tile) for tile in tiles[:6]]
