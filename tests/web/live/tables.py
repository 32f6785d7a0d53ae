"""Tables for Hypothesis: any tiles in any sets, legal or not."""

from hypothesis import strategies as st

from referee import ALL_FACES
from referee.table import Table, TileSet

FACES = st.sampled_from(ALL_FACES)
SETS = st.lists(FACES, min_size=1, max_size=5).map(lambda tiles: TileSet(tuple(tiles)))


def tables(most: int = 5) -> st.SearchStrategy[Table]:
    """Up to `most` sets of up to five tiles."""
    return st.lists(SETS, max_size=most).map(lambda sets: Table(tuple(sets)))
