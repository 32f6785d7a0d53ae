"""Evaluation suites: rendered tables of one difficulty each, always the same ones.

A suite is a recipe with its own seeds, not a folder of pictures; `docs/evaluation.md` lists them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from referee import load_ruleset, parse_table
from vision.evaluation.drawn import drawn_path, taken_from
from vision.labels import NUMBER_SEEN, LabelledPhoto, LabelledTile, is_cut
from vision.rendering import pictographs, typefaces
from vision.rendering.boxes import TileBox
from vision.rendering.camera import aim
from vision.rendering.capture import capture
from vision.rendering.clutter import add_hands, add_prints, no_clutter
from vision.rendering.crossings import crossing_sets, crossing_words
from vision.rendering.editions import Edition, load_edition, load_editions
from vision.rendering.held import hand_on_a_rack, hand_spread, sets_before_a_rack
from vision.rendering.layouts import FACES
from vision.rendering.lighting import even_light, no_glare, sunlight, washout
from vision.rendering.rows import (
    close_rows_of_sets,
    loose_rows_of_sets,
    rows_of_sets,
    rows_of_sets_with_jokers,
    rows_of_spoilt_sets,
    set_laid_out,
    sets_from_all_sides,
)
from vision.rendering.scene import Style, render
from vision.rendering.variety import Stock, in_the_middle, inks_apart, vary, wooden
from vision.resources import resource_dir
from vision.types import stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from referee import Table
    from vision.rendering.labels import Label
    from vision.rendering.layouts import Pose
    from vision.rendering.scene import Draw
    from vision.types import Floats, Pixels

Range = tuple[float, float]
Change = Callable[[Edition, int, np.random.Generator], Edition]
Layout = Callable[[np.random.Generator, int, float], "tuple[list[Pose], tuple[str, ...]]"]
_SEED: Final = 77_000
_THICK: Final = (0.3, 0.5)  # tile widths
_WHOLE: Final = 0.8  # in small tiles a few pixels at the rim are a tenth of the face


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
    if recipe.startswith("edition-") and (_editions() / f"{recipe[8:]}.toml").is_file():
        return Suite(f"edition {recipe[8:].upper()} alone", edition=recipe[8:])
    return {**SUITES, **_SPOILT}[recipe]


def suite_names() -> tuple[str, ...]:
    """Return all names that there are."""
    editions = (f"edition-{path.stem}" for path in _edition_paths())
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


def _editions() -> Path:
    return resource_dir("editions")


def _edition_paths() -> list[Path]:
    return sorted(_editions().glob("*.toml"))


@dataclass(frozen=True, slots=True)
class Given:
    """One table of a suite.

    Attributes
    ----------
    number, edition
        Which one, and whose tiles.
    pixels
        The picture.
    photo
        The labels of its tiles; tiles with a partly hidden number count as cut.
    table
        What lies there.
    whole
        The parts of `table` of which every tile is wholly to be seen.
    held_img
        (n, 4, 2) px: tiles of a rack beside it.
    """

    number: int
    edition: str
    pixels: Pixels
    photo: LabelledPhoto
    table: Table
    whole: frozenset[int]
    held_img: Floats


def tables(suite: Suite, name: str, count: int, drawn_dir: Path | None = None) -> Iterator[Given]:
    """Render the tables of a suite; the same name, the same tables.

    With `drawn_dir` their pictures are those that another program has drawn into that folder.

    Raises
    ------
    DrawnError
        If a picture is not there.
    """
    for number in range(count):
        kept = drawn_dir and taken_from(drawn_path(drawn_dir, name, number))
        yield table(suite, name, number, kept or render)


def table(suite: Suite, name: str, number: int, draw: Draw = render) -> Given:
    """Lay one table of a suite, and draw it."""
    paths = _edition_paths()
    if suite.edition is not None:
        paths = [path for path in paths if path.stem == suite.edition]
    path = paths[number % len(paths)]
    rng = np.random.default_rng((_SEED, number, *name.encode()))
    box = _box(suite, path, number, name)
    tiles = int(rng.integers(suite.tiles[0], suite.tiles[1] + 1))
    poses, texts = suite.layout(rng, tiles, box.tall)
    width_px = float(np.exp(rng.uniform(*np.log(suite.tile_px))))
    elevation = rng.uniform(*suite.elevation_deg)
    camera = aim(
        width_px, elevation, rng.normal(0, 3), rng.uniform(*suite.field_deg), suite.size_px
    )
    scene = draw(rng, box, camera, poses, suite.size_px, style=suite.style)
    laid = parse_table(" | ".join(texts))
    return Given(
        number,
        path.stem,
        scene.pixels_bgr,
        LabelledPhoto(Path(f"{number}"), path.stem, _labels(scene.labels, suite)),
        laid,
        _whole(poses, scene.labels, suite.size_px) & frozenset(range(len(laid.parts))),
        stack(label.quad_img for label in scene.labels if label.group >= len(laid.parts)),
    )


def lesson(given: Given, name: str) -> Pixels:
    """Render a photo of the laid-out set that a table was laid with, to teach from."""
    rng = np.random.default_rng((_SEED, given.number, 1, *name.encode()))
    path = _editions() / f"{given.edition}.toml"
    box = _box(suite_named(name), path, given.number, name)
    poses = set_laid_out(rng, box.tall)
    suite = Suite("a set laid out", size_px=1120)
    camera = aim(
        rng.uniform(44, 54), rng.uniform(60, 88), rng.normal(0, 3), rng.uniform(30, 50), 1120
    )
    return render(rng, box, camera, poses, suite.size_px, style=suite.style).pixels_bgr


def _box(suite: Suite, path: Path, number: int, name: str) -> TileBox:
    """Make one physical set; all faces are drawn, so that they are the same in all pictures."""
    rng = np.random.default_rng((_SEED, number, 2, *name.encode()))
    box = TileBox(_edition(suite, path, number, rng), rng)
    if suite.mixed:
        paths = _edition_paths()
        other = paths[int(rng.integers(len(paths)))]
        box.mix(TileBox(_edition(suite, other, number, rng), rng))
    for one, face in product(box.sets, FACES):
        one.face(face)
    return box


def _edition(suite: Suite, path: Path, number: int, rng: np.random.Generator) -> Edition:
    edition = load_edition(path)
    if suite.varied:
        edition = vary(edition, load_editions(_editions()), rng, Stock())
    return suite.change(edition, number, rng) if suite.change else edition


def _labels(labels: Iterable[Label], suite: Suite) -> tuple[LabelledTile, ...]:
    """Return tiles as a person labels them; one whose number is partly hidden counts as cut.

    Of a rack's tiles that are partly hidden any part may be found.
    """
    found = []
    for label in labels:
        number, colour = (
            (None, None) if label.name == "J" else (int(label.name[1:]), label.name[0])
        )
        cut = not _is_seen(label, suite.size_px)
        loose = suite.as_rack and label.visible < _WHOLE
        found.append(LabelledTile(number, colour, label.quad_img, loose=loose, cut=cut))
    return tuple(found)


def _is_seen(label: Label, size_px: int) -> bool:
    return label.number_visible >= NUMBER_SEEN and not is_cut(label.quad_img, (size_px, size_px))


def _whole(poses: Sequence[Pose], labels: Iterable[Label], size_px: int) -> frozenset[int]:
    clear = Counter(
        label.group for label in labels if label.visible >= _WHOLE and _is_seen(label, size_px)
    )
    laid = Counter(pose.group for pose in poses)
    return frozenset(part for part, tiles in laid.items() if clear[part] == tiles)
