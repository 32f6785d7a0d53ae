"""Evaluation suites: rendered tables of one difficulty each, always the same ones.

A suite is a recipe with its own seeds, not a folder of pictures; `docs/evaluation.md` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import load_ruleset
from vision.rendering import pictographs, typefaces
from vision.rendering.capture import capture
from vision.rendering.clutter import add_hands, add_prints, no_clutter
from vision.rendering.crossings import crossing_sets, crossing_words
from vision.rendering.editions import Edition, edition_names
from vision.rendering.held import hand_on_a_rack, hand_spread, sets_before_a_rack
from vision.rendering.lighting import even_light, no_glare, sunlight, washout
from vision.rendering.rows import (
    close_rows_of_sets,
    loose_rows_of_sets,
    rows_of_sets,
    rows_of_sets_with_jokers,
    rows_of_spoilt_sets,
    sets_from_all_sides,
)
from vision.rendering.scene import Style
from vision.rendering.variety import in_the_middle, inks_apart, wooden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.rendering.layouts import Pose

Range = tuple[float, float]
Change = Callable[[Edition, int, np.random.Generator], Edition]
Layout = Callable[[np.random.Generator, int, float], "tuple[list[Pose], tuple[str, ...]]"]
_THICK: Final = (0.3, 0.5)  # tile widths


def _dark(edition: Edition, _: int, __: np.random.Generator) -> Edition:
    return edition.with_dark_tiles()


def _in_unmet_typeface(edition: Edition, number: int, _: np.random.Generator) -> Edition:
    return edition.in_typeface(typefaces.UNMET[number % len(typefaces.UNMET)])


def _with_unmet_joker(edition: Edition, _: int, rng: np.random.Generator) -> Edition:
    picture = str(rng.choice(pictographs.UNMET))
    return edition.with_pictograph(picture, coloured=bool(rng.integers(2)))


def _in_another_ink(edition: Edition, _: int, rng: np.random.Generator) -> Edition:
    ink = inks_apart(edition.ink, rng, 1.0, any_ink=True)
    return edition.model_copy(update={"ink": ink})


def _wooden(edition: Edition, _: int, rng: np.random.Generator) -> Edition:
    return wooden(edition, rng)


def _in_the_middle(edition: Edition, _: int, rng: np.random.Generator) -> Edition:
    return in_the_middle(edition, rng)


def _thick(edition: Edition, _: int, rng: np.random.Generator) -> Edition:
    thick = {"thickness": float(rng.uniform(*_THICK))}
    return edition.model_copy(update={"body": edition.body.model_copy(update=thick)})


NEAT: Final = Style(even_light, no_glare, no_clutter, capture)


@dataclass(frozen=True, slots=True)
class Suite:
    """A recipe for tables of one difficulty.

    Attributes
    ----------
    about
        What is hard about it.
    tiles, tile_px, elevation_deg, field_deg
        How many tiles, how wide in the picture's middle, how high the camera stands, its angle of
        view; least and most.
    size_px
        Side of the square picture.
    style
        Light and camera.
    layout
        How tiles are laid.
    rules
        Name of the ruleset that the table is judged by.
    edition
        The only edition used, or None for all in turn.
    varied
        Whether every table's set is one that nobody has made, put together from the editions'.
    change
        What is changed in each table's set, given its number and a generator; None for nothing.
    as_rack
        Whether it is a player's tiles that are to be seen, which need not make sets.
    mixed
        Whether the tiles of a second set lie among each table's.
    """

    about: str
    tiles: tuple[int, int] = (40, 40)
    tile_px: Range = (40, 52)
    elevation_deg: Range = (65, 90)
    field_deg: Range = (30, 50)
    size_px: int = 960
    style: Style = NEAT
    layout: Layout = rows_of_sets
    rules: str = "standard"
    edition: str | None = None
    varied: bool = False
    change: Change | None = None
    as_rack: bool = False
    mixed: bool = False


DARK: Final = partial(capture, exposure=(0.15, 0.35), noise=(0.02, 0.05), blur_px=(0.5, 1.0))
SHAKEN: Final = partial(capture, shake_px=(4, 10))
SQUEEZED: Final = partial(capture, scale=(0.5, 0.8), quality=(8, 25))


def _networks(rules: str) -> Suite:
    return Suite(
        "sets that cross, others close by", (40, 60), (34, 40), (50, 90), size_px=1120,
        layout=partial(crossing_sets, rules=load_ruleset(rules)), rules=rules,
    )  # fmt: skip


SUITES: Final = {
    "plain": Suite("60 tiles in good light", (60, 60), (44, 50), size_px=1120),
    "oblique": Suite("from 25 to 45 degrees", (30, 30), (34, 44), (25, 45)),
    "close": Suite(
        "sets a few millimetres apart", (60, 60), (44, 50), (45, 90), size_px=1120,
        layout=close_rows_of_sets,
    ),
    "loose": Suite("sets laid carelessly", elevation_deg=(45, 90), layout=loose_rows_of_sets),
    "evening": Suite(
        "from all sides, among cups and cards", (50, 50), (42, 48), (40, 90), size_px=1120,
        style=Style(), layout=sets_from_all_sides,
    ),
    "small": Suite("tiles 12 to 20 pixels wide", (60, 60), (12, 20), size_px=640),
    "large": Suite("tiles 150 to 300 pixels wide", (3, 4), (150, 300), size_px=1600),
    "dim-noisy": Suite("little light, much grain", style=replace(NEAT, photograph=DARK)),
    "motion-blur": Suite("a shaken camera", style=replace(NEAT, photograph=SHAKEN)),
    "compressed": Suite("a poor video call", style=replace(NEAT, photograph=SQUEEZED)),
    "glare": Suite("lamps mirrored in the tiles", style=replace(NEAT, glare=washout)),
    "sunlit": Suite(
        "hard shadows of a window's bars", style=replace(NEAT, lamps=sunlight), varied=True
    ),
    "crossing": Suite(
        "40 to 104 tiles in crossing sets", (40, 104), (34, 40), (70, 90), size_px=1120,
        layout=crossing_words, rules="crazy",
    ),
    "runny": _networks("runny"),
    "crazy": _networks("crazy"),
    "illegal": Suite("a wrong tile in every set", layout=rows_of_spoilt_sets),
    "hands": Suite("hands over the sets", style=replace(NEAT, clutter=add_hands)),
    "crowded": Suite(
        "hands over sets a few millimetres apart", (60, 60), (44, 50), (45, 90), size_px=1120,
        style=replace(NEAT, clutter=add_hands), layout=close_rows_of_sets,
    ),
    "printed": Suite("cards, papers and keys about", style=replace(NEAT, clutter=add_prints)),
    "made-up": Suite("sets that nobody has made", varied=True),
    "dark-tiles": Suite("dark tiles with light numbers", change=_dark),
    "unmet": Suite("typefaces that are in no training", varied=True, change=_in_unmet_typeface),
    "jokers": Suite(
        "jokers that are in no training", varied=True, change=_with_unmet_joker,
        layout=rows_of_sets_with_jokers,
    ),
    "other-inks": Suite("a green, violet or brown ink", varied=True, change=_in_another_ink),
    "wooden": Suite("tiles of wood with its grain", varied=True, change=_wooden),
    "middle": Suite(
        "numbers in the middle of their tiles", varied=True, change=_in_the_middle,
        layout=sets_from_all_sides,
    ),
    "phone": Suite(
        "thick tiles before a phone that leans on a glass", (30, 30), (32, 40), (33, 48), (55, 75),
        1120, layout=sets_from_all_sides, varied=True, change=_thick,
    ),
    "mixed": Suite("tiles of two sets, as two boxes give", varied=True, mixed=True),
    "held": Suite(
        "legal sets before a player's rack", (12, 36), (34, 44), (35, 88), (30, 60), 1120,
        layout=sets_before_a_rack, varied=True,
    ),
    "rack": Suite(
        "a player's tiles on the rack", (4, 28), (40, 56), (20, 60), (40, 65), 1120,
        layout=hand_on_a_rack, varied=True, as_rack=True,
    ),
    "spread": Suite(
        "a player's tiles spread on the table", (4, 28), (40, 56), (40, 90), (40, 65), 1120,
        layout=hand_spread, varied=True, as_rack=True,
    ),
}  # fmt: skip
_SPOILT: Final = {
    f"spoilt-{name}": replace(
        suite, about=f"{suite.about}, none legal", layout=rows_of_spoilt_sets
    )
    for name, suite in SUITES.items()
    if suite.layout is rows_of_sets
}


def recipe_of(name: str) -> str:
    """Return the recipe in a suite's name, without the word for other tables of it.

    >>> recipe_of("plain@2")
    'plain'
    """
    return name.partition("@")[0]


def suite_named(name: str) -> Suite:
    """Return a suite; `edition-e` is the plain one with the tiles of edition E only.

    `spoilt-small` is `small` with a wrong tile in every set, as they lie in `illegal`; there is
    none of a recipe that lays its tiles otherwise. `plain@2`, or any other word after the @, is
    the same recipe from other seeds: tables that nobody has looked at yet.

    Raises
    ------
    KeyError
        If there is none of that name.
    """
    recipe = recipe_of(name)
    if recipe.startswith("edition-") and recipe[8:] in edition_names():
        return Suite(f"edition {recipe[8:].upper()} alone", edition=recipe[8:])
    return {**SUITES, **_SPOILT}[recipe]


def suite_names() -> tuple[str, ...]:
    """Return all names that there are."""
    editions = (f"edition-{edition}" for edition in edition_names())
    return (*SUITES, *editions, *_SPOILT)


def named_suites(wanted: Iterable[str]) -> list[str]:
    """Return the suites that are meant, each once; `all` means every recipe of `SUITES`.

    Raises
    ------
    ValueError
        If there is none of a name; the message says which there are.
    """
    named = chain.from_iterable(SUITES if name == "all" else (name,) for name in wanted)
    names = list(dict.fromkeys(named))
    unknown = [name for name in names if recipe_of(name) not in suite_names()]
    if unknown:
        known = ", ".join(suite_names())
        raise ValueError(f"there is no suite {unknown[0]!r}; there are {known}, and all")
    return names
