"""Sets that nobody has made yet: editions varied and crossed, so that no one look is learnt."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeVar, get_args

import cv2
import numpy as np

from vision.rendering import pictographs, typefaces
from vision.rendering.editions import (
    Body,
    Digit,
    Dish,
    Edition,
    Ground,
    Ink,
    Joker,
    Pip,
    Rgb,
    Wordmark,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

T = TypeVar("T")
LEAST_APART: Final = 20.0  # of any two inks, in CIELAB
LEAST_YELLOWER: Final = 0.02  # that orange is than red, in turns of the hue
PRINTED: Final = 0.75  # of letters on jokers are in a typeface, the others in plain strokes
PICTOGRAPHS: Final = 0.45  # of strange sets have them on their jokers
PIPS: tuple[Pip, ...] = get_args(Pip)


def _pick(rng: np.random.Generator, choices: Sequence[T]) -> T:
    return choices[int(rng.integers(len(choices)))]


def _shift(rng: np.random.Generator, rgb: Rgb, hue: float, saturation: float, value: float) -> Rgb:
    h, s, v = colorsys.rgb_to_hsv(*(channel / 255 for channel in rgb))
    h = (h + rng.normal(0, hue)) % 1
    s = min(max(s * (1 + rng.normal(0, saturation)), 0), 1)
    v = min(max(v * (1 + rng.normal(0, value)), 0), 1)
    return _hsv(h, s, v)


@dataclass(frozen=True, slots=True)
class Stock:
    """What sets that nobody has made yet are made from, beside the parts of editions.

    Attributes
    ----------
    typefaces
        Font files; what numbers are in that are not in an edition's own.
    pictographs
        Characters that some jokers show; some are in other inks than red and black then.
    any_inks
        Share of the sets whose inks are like those of no edition.
    other_inks
        Share of these of which one is green, violet or brown.
    wood
        Share of the sets that are of wood, as its grain shows.
    grounds
        Share of the sets whose numbers are left out of a disc or square of ink.
    lettering
        Share of the sets whose jokers show letters or a word, mostly in one of the typefaces.
    middle
        Share of the sets whose numbers and jokers are in the middle of their tiles.
    """

    typefaces: Sequence[str] = typefaces.USUAL
    pictographs: Sequence[str] = ()
    any_inks: float = 0.4
    other_inks: float = 0.0
    wood: float = 0.0
    grounds: float = 0.0
    lettering: float = 0.0
    middle: float = 0.0


LEARNT: Final = Stock(
    typefaces.TRAINED,
    pictographs.TRAINED,
    other_inks=0.5,
    wood=0.2,
    grounds=0.03,
    lettering=0.1,
    middle=0.15,
)
SPARE: Final = replace(LEARNT, typefaces=typefaces.SPARE, pictographs=pictographs.SPARE)
_NOTHING: Final = Stock(typefaces=())


def vary(
    edition: Edition, others: Sequence[Edition], rng: np.random.Generator, stock: Stock = LEARNT
) -> Edition:
    """Return a set like `edition`: every part jittered, some from other sets or the stock."""

    def source(chance: float) -> Edition:
        return _pick(rng, others) if rng.random() < chance else edition

    strange = rng.random() < 0.6
    stock = stock if strange else _NOTHING
    borrow = 0.35 if strange else 0.0
    varied = Edition(
        name=f"like {edition.name}",
        body=_body(source(borrow).body, rng, any_body=strange),
        ink=inks_apart(
            source(borrow).ink,
            rng,
            stock.other_inks,
            any_ink=strange and rng.random() < stock.any_inks,
        ),
        digit=_digit(source(borrow).digit, rng, stock),
        joker=_joker(source(borrow).joker, rng, stock, any_style=strange),
        dish=_any_dish(rng) if strange and rng.random() < 0.4 else _dish(source(borrow).dish, rng),
        wordmark=_wordmark(source(borrow).wordmark, rng),
        pip=_pick(rng, PIPS) if strange and rng.random() < 0.25 else source(0.1).pip,
    )
    if _falls(rng, stock.middle):
        varied = in_the_middle(varied, rng)
    return wooden(varied, rng) if _falls(rng, stock.wood) else varied


def _falls(rng: np.random.Generator, share: float) -> bool:
    """Tell whether this one is among a share; where there is none nothing is drawn."""
    return share > 0 and rng.random() < share


def _clip(value: float, low: float, high: float) -> float:
    return float(min(max(value, low), high))


def _hsv(hue: float, saturation: float, value: float) -> Rgb:
    r, g, b = (round(channel * 255) for channel in colorsys.hsv_to_rgb(hue % 1, saturation, value))
    return r, g, b


def wooden(edition: Edition, rng: np.random.Generator) -> Edition:
    """Return the same of wood, pale to brown, its grain faint to plain, its inks to be seen."""
    while True:
        colour = _hsv(rng.uniform(0.06, 0.12), rng.uniform(0.15, 0.6), rng.uniform(0.6, 0.95))
        if _least_apart((colour, *(ink for _, ink in edition.ink))) > LEAST_APART:
            break
    wood = {"colour": colour, "grain": float(rng.uniform(0.02, 0.13))}
    return edition.model_copy(update={"body": edition.body.model_copy(update=wood)})


def in_the_middle(edition: Edition, rng: np.random.Generator) -> Edition:
    """Return the same with all that is printed in the middle, so that no place tells what is up.

    Mostly something else marks a 6 and a 9 then.
    """
    height = float(rng.uniform(0.22, 0.5))
    mark = _pick(rng, ("dot", "dot", "bar", "bar", "none"))
    number = {"centre_y": float(rng.normal(0.5, 0.01)), "height": height, "mark": mark}
    face = {"centre_y": float(rng.normal(0.5, 0.01))}
    around = "around" if edition.pip == "around" else "none"
    return edition.model_copy(
        update={
            "digit": edition.digit.model_copy(update=number),
            "joker": edition.joker.model_copy(update=face),
            "dish": edition.dish.model_copy(update={"centre_y": 0.5}),
            "pip": around,
        }
    )


def _least_apart(colours: Sequence[Rgb]) -> float:
    """Return how far apart the two that are most alike are, in CIELAB."""
    rgb = np.array([colours], np.float32) / 255
    lab = cv2.cvtColor(rgb, cv2.COLOR_RGB2LAB)[0]
    return min(float(np.linalg.norm(one - other)) for one, other in combinations(lab, 2))


def _body(body: Body, rng: np.random.Generator, *, any_body: bool) -> Body:
    colour = _shift(rng, body.colour, 0.015, 0.35, 0.05)
    if any_body and rng.random() < 0.15:  # from grey plastic to light wood
        colour = _hsv(rng.uniform(0.06, 0.15), rng.uniform(0, 0.45), rng.uniform(0.7, 0.95))
    return Body(
        colour=colour,
        aspect=_clip(body.aspect + rng.normal(0, 0.025), 0.6, 0.82),
        corner=_clip(body.corner * rng.uniform(0.5, 1.6), 0.01, 0.3),
        bevel=_clip(body.bevel * rng.uniform(0.5, 1.6), 0.01, 0.15),
        thickness=_clip(body.thickness + rng.normal(0, 0.04), 0.12, 0.45),
        gloss=float(rng.uniform(0, 1)),
    )


def inks_apart(ink: Ink, rng: np.random.Generator, other_inks: float, *, any_ink: bool) -> Ink:
    """Draw inks until a person could name each: no two alike, and the orange not the redder.

    They are like `ink`, or with `any_ink` like those of no edition: `other_inks` is the share of
    these of which one is green, violet or brown.
    """
    other = any_ink and _falls(rng, other_inks)
    while True:
        drawn = _any_ink(rng) if any_ink else _ink(ink, rng)
        if other:
            drawn = _with_another(drawn, rng)
        apart = _least_apart([colour for _, colour in drawn])
        yellower = (_hue(drawn.orange) - _hue(drawn.red) + 0.5) % 1 - 0.5
        if apart > LEAST_APART and yellower > LEAST_YELLOWER:
            return drawn


def _hue(rgb: Rgb) -> float:
    return colorsys.rgb_to_hsv(*rgb)[0]


def _ink(ink: Ink, rng: np.random.Generator) -> Ink:
    return Ink(
        red=_shift(rng, ink.red, 0.016, 0.15, 0.12),
        blue=_shift(rng, ink.blue, 0.035, 0.25, 0.2),
        orange=_shift(rng, ink.orange, 0.016, 0.15, 0.08),
        black=_shift(rng, ink.black, 0.1, 0.4, 0.4),
    )


def _any_ink(rng: np.random.Generator) -> Ink:
    """Return the four colours as far apart as people still call them by these names.

    Red goes from magenta to vermilion, blue from green teal to violet, orange to yellow; red and
    orange of one set stay apart.
    """
    red = rng.uniform(-0.09, 0.025)
    return Ink(
        red=_hsv(red, rng.uniform(0.65, 1), rng.uniform(0.55, 0.95)),
        blue=_hsv(rng.uniform(0.44, 0.7), rng.uniform(0.5, 1), rng.uniform(0.35, 0.9)),
        orange=_hsv(
            rng.uniform(max(red, 0) + 0.05, 0.16), rng.uniform(0.6, 1), rng.uniform(0.8, 1)
        ),
        black=_hsv(rng.uniform(0, 1), rng.uniform(0, 0.4), rng.uniform(0.03, 0.32)),
    )


def _with_another(ink: Ink, rng: np.random.Generator) -> Ink:
    """Return inks of which one is as some makers have it: it is named as what is left is.

    Green for orange, black or blue, violet for black or blue, brown for black. What it may be
    mistaken for keeps away from it.
    """
    violet = (rng.uniform(0.72, 0.84), rng.uniform(0.4, 1), rng.uniform(0.3, 0.7))
    green = (rng.uniform(0.25, 0.41), rng.uniform(0.45, 1), rng.uniform(0.3, 0.8))
    brown = (rng.uniform(0.02, 0.08), rng.uniform(0.45, 0.85), rng.uniform(0.2, 0.45))
    blue = (rng.uniform(0.54, 0.66), rng.uniform(0.55, 1), rng.uniform(0.35, 0.9))
    hues = _pick(rng, (
        {"orange": green, "blue": blue}, {"orange": green, "blue": blue},
        {"black": green, "blue": blue}, {"blue": green},
        {"black": violet, "blue": blue}, {"blue": violet}, {"black": brown},
    ))  # fmt: skip
    return ink.model_copy(update={name: _hsv(*hsv) for name, hsv in hues.items()})


def _digit(digit: Digit, rng: np.random.Generator, stock: Stock) -> Digit:
    height = _clip(digit.height * rng.uniform(0.85, 1.18), 0.2, 0.58)
    centre_y = _clip(digit.centre_y + rng.normal(0, 0.02), height / 2 + 0.06, 0.5)
    stretch = digit.stretch * float(rng.uniform(0.85, 1.15))
    fonts = stock.typefaces
    if fonts and rng.random() < 0.45:  # as no maker has printed it yet
        height, stretch = float(rng.uniform(0.2, 0.56)), float(rng.uniform(0.7, 1.3))
        highest = max(height / 2 + 0.06, 0.22)
        centre_y = float(rng.uniform(highest, max(highest, 0.5)))
    own = tuple(str(font) for font in rng.permutation(digit.fonts))
    return Digit(
        fonts=(_pick(rng, fonts), *own) if fonts else own,
        height=height,
        centre_y=centre_y,
        stretch=stretch,
        bold=_clip(digit.bold + rng.normal(0.0, 0.015), 0, 0.06),
        engraved=digit.engraved if rng.random() < 0.7 else bool(rng.random() < 0.5),
        mark=digit.mark if rng.random() < 0.7 else _pick(rng, ("none", "dot", "bar")),
        max_width=_clip(digit.max_width * rng.uniform(0.85, 1.12), 0.5, 0.85),
        spacing=float(rng.uniform(-0.05, 0.25)) if rng.random() < 0.3 else digit.spacing,
        slant=_clip(rng.normal(0, 0.1), -0.25, 0.25) if rng.random() < 0.3 else 0.0,
        wobble=float(rng.uniform(0, 0.05)) if rng.random() < 0.4 else 0.0,
        wear=float(rng.uniform(0, 0.3)) if rng.random() < 0.15 else 0.0,
        ground=_ground(rng, stock.grounds),
    )


def _ground(rng: np.random.Generator, share: float) -> Ground:
    """Return what a number is left out of."""
    return _pick(rng, ("disc", "square")) if _falls(rng, share) else "none"


def _joker(joker: Joker, rng: np.random.Generator, stock: Stock, *, any_style: bool) -> Joker:
    kind = rng.random() if any_style else 1.0
    varied = Joker(
        style="mixed" if kind < 0.2 else "emblem" if kind < 0.6 else joker.style,
        diameter=_clip(joker.diameter * rng.uniform(0.85, 1.25), 0.35, 0.8),
        centre_y=_clip(joker.centre_y + rng.normal(0, 0.03), 0.28, 0.5),
        ring=joker.ring * float(rng.uniform(0.5, 1.5)),
        line=_clip(joker.line * rng.uniform(0.6, 1.4), 0.012, 0.09),
    )
    if not stock.pictographs:
        return varied
    inks: dict[str, object] = {"inks": str(rng.choice(("two", "any", "many"), p=(0.5, 0.3, 0.2)))}
    if rng.random() < PICTOGRAPHS:
        inks |= {"style": "pictograph", "pictograph": _pick(rng, stock.pictographs)}
        inks |= {"ring": 0.0} | ({"inks": "own"} if rng.random() < 0.5 else {})
    varied = varied.model_copy(update=inks)
    if _falls(rng, stock.lettering):
        typeface = _pick(rng, stock.typefaces) if rng.random() < PRINTED else ""
        written = {"style": "lettering", "typeface": typeface}
        many = {"inks": "any"} if varied.inks == "own" else {}
        return varied.model_copy(update=written | many | {"ring": 0.0})
    return varied


def _dish(dish: Dish, rng: np.random.Generator) -> Dish:
    embossed = dish.kind == "concave" and rng.random() < 0.2
    return Dish(
        kind="raised" if embossed else dish.kind,
        diameter=_clip(dish.diameter * rng.uniform(0.85, 1.1), 0.2, 0.95),
        centre_y=_clip(dish.centre_y + rng.normal(0, 0.02), 0.2, 0.8),
        depth=_clip(dish.depth * rng.uniform(0.3, 1.5), 0, 1),
    )


def _any_dish(rng: np.random.Generator) -> Dish:
    """Return a disc or ring anywhere: behind the number, half over it, or below."""
    return Dish(
        kind=_pick(rng, ("concave", "raised", "outline")),
        diameter=float(rng.uniform(0.35, 0.95)),
        centre_y=float(rng.uniform(0.25, 0.72)),
        depth=float(rng.uniform(0.1, 1)),
    )


def _wordmark(mark: Wordmark, rng: np.random.Generator) -> Wordmark:
    return Wordmark(
        relief=_clip(mark.relief * rng.uniform(0.2, 1.6), 0, 1),
        centre_y=_clip(mark.centre_y + rng.normal(0, 0.02), 0.72, 0.9),
        height=_clip(mark.height * rng.uniform(0.7, 1.3), 0.04, 0.14),
    )
