"""Rooms for traced tables: what lies under and around the tiles, and the lamps above."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from vision.rendering.traced.bodies import box_mesh, cylinder_mesh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.arrays import Array
    from vision.rendering.layouts import Pose
    from vision.rendering.traced.blender import Studio

# Blender's node for a kind of table, and its least and largest scale.
TEXTURES: Final = {
    "wood": ("TexWave", 0.1, 0.5),
    "cloth": ("TexVoronoi", 8.0, 20.0),
    "checks": ("TexChecker", 0.2, 1.2),
    "stone": ("TexNoise", 0.1, 1.0),
}
TABLES: Final = (*TEXTURES, "plain")
KELVINS: Final = (2600.0, 7000.0)
_FAR: Final = 60.0  # tile widths from one end of the table to the other, at most
_ROOM: Final = 1.6  # tile widths that things keep from tiles


def furnish(studio: Studio, rng: np.random.Generator, poses: Sequence[Pose]) -> Array:
    """Put a table under the tiles, lamps above them, and things around them.

    Returns the colour of the light that falls on them, (3,) RGB.
    """
    _table(studio, rng)
    taken = np.array([pose.centre[:2] for pose in poses]).reshape(-1, 2)
    for _ in range(int(rng.integers(0, 7))):
        _thing(studio, rng, taken)
    return _lamps(studio, rng)


def colour(rng: np.random.Generator, saturation: float, least: float, most: float) -> Array:
    """Return the light that something of any hue reflects, (3,) RGB."""
    value = rng.uniform(least, most)
    return np.array(colorsys.hsv_to_rgb(rng.random(), rng.random() * saturation, value))


def warmth(kelvin: float) -> Array:
    """Return the colour of a lamp, (3,) RGB, at most 1: Planck's law at 610, 550 and 465 nm."""
    nm = np.array([610.0, 550.0, 465.0])
    light = nm**-5 / np.expm1(1.4388e7 / (nm * kelvin))
    white = nm**-5 / np.expm1(1.4388e7 / (nm * 6500))
    return np.asarray(light / white / (light / white).max())


def _table(studio: Studio, rng: np.random.Generator) -> None:
    kind = str(rng.choice(TABLES))
    material, surface = studio.material(Roughness=float(rng.uniform(0.15, 0.9)))
    first = colour(rng, 0.8, 0.02, 0.8)
    second = np.clip(first * rng.uniform(0.4, 1.6) + rng.normal(0, 0.03, 3), 0, 1)
    if kind == "wood":
        first = np.array([0.45, 0.24, 0.11]) * rng.uniform(0.25, 1.5)
        second = first * rng.uniform(0.3, 0.8)
    if kind == "plain":
        surface.inputs["Base Color"].default_value = (*first.tolist(), 1.0)
    else:
        _pattern(studio, rng, material, surface, kind, (first, second))
    size = rng.uniform(0.5, 1.0, 2) * _FAR
    place = np.eye(4)
    place[:3, 3] = (0.0, 0.0, -1.0)
    studio.add(box_mesh(float(size[0]), float(size[1]), 1.0), material, place, smooth=False)
    floor, _ = studio.material(Base_Color=(*colour(rng, 0.4, 0.05, 0.5).tolist(), 1.0))
    place[:3, 3] = (0.0, 0.0, -rng.uniform(20, 35))
    studio.add(box_mesh(900.0, 900.0, 0.1), floor, place, smooth=False)


def _pattern(
    studio: Studio,
    rng: np.random.Generator,
    material: Any,
    surface: Any,
    kind: str,
    colours: tuple[Array, Array],
) -> None:
    """Let a texture lead from one colour to another, and lift the surface where it is rough."""
    links = material.node_tree.links
    where = studio.node(material, "TexCoord", {})
    node, least, most = TEXTURES[kind]
    texture = studio.node(material, node, {})
    texture.inputs["Scale"].default_value = float(rng.uniform(least, most))
    if kind == "wood":
        texture.inputs["Distortion"].default_value = float(rng.uniform(2, 12))
        texture.inputs["Detail"].default_value = 4.0
    if kind == "stone":
        texture.inputs["Detail"].default_value = 8.0
    links.new(where.outputs["Object"], texture.inputs["Vector"])
    ramp = studio.node(material, "ValToRGB", {})
    for element, rgb in zip(ramp.color_ramp.elements, colours, strict=True):
        element.color = (*rgb.tolist(), 1.0)
    strength = texture.outputs["Distance" if kind == "cloth" else "Fac"]
    links.new(strength, ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], surface.inputs["Base Color"])
    if kind in {"wood", "cloth"}:
        bump = studio.node(material, "Bump", {})
        bump.inputs["Strength"].default_value = float(rng.uniform(0.02, 0.3))
        links.new(strength, bump.inputs["Height"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])


def _lamps(studio: Studio, rng: np.random.Generator) -> Array:
    """Hang one to three lamps of one or several warmths, in a room that is never quite dark.

    Returns the colour of all their light, (3,) RGB.
    """
    kelvin = rng.uniform(*KELVINS)
    room, strength = warmth(rng.uniform(4500, 8000)), float(rng.uniform(0.05, 0.5))
    studio.surroundings(room, strength)
    light = room * strength
    for _ in range(int(rng.integers(1, 4))):
        turn, high, away = rng.uniform(0, 2 * np.pi), rng.uniform(15, 50), rng.uniform(2, 40)
        place = np.array([away * np.cos(turn), away * np.sin(turn), high])
        far = float(np.linalg.norm(place))
        shine = float(rng.uniform(0.3, 2.5))  # on what lies in the middle and faces the lamp
        own = warmth(kelvin if rng.random() < 0.6 else rng.uniform(*KELVINS))
        size = float(np.exp(rng.uniform(np.log(0.8), np.log(15))))
        studio.lamp(place, size, 4 * np.pi * far**2 * shine, own)
        light += own * shine * high / far
    return light


def _thing(studio: Studio, rng: np.random.Generator, taken: Array) -> None:
    """Stand a cup or a glass, or lay a book or a pen where there is room."""
    kind = str(rng.choice(["cup", "glass", "book", "pen"]))
    reach = {"cup": 1.7, "glass": 1.4, "book": 4.5, "pen": 2.8}[kind]
    for _ in range(20):
        at = rng.uniform(-14, 14, 2)
        away = np.linalg.norm(taken - at, axis=1)
        if not len(away) or away.min() > reach + _ROOM:
            break
    else:
        return
    turn = rng.uniform(0, 2 * np.pi)
    place = np.eye(4)
    place[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    place[:2, 3] = at * (1, -1)
    values: dict[str, Any] = {"Roughness": float(rng.uniform(0.05, 0.7))}
    values["Base_Color"] = (*colour(rng, 0.9, 0.03, 0.9).tolist(), 1.0)
    if kind == "glass":
        values |= {"Transmission_Weight": 1.0, "Roughness": 0.0, "Base_Color": (1, 1, 1, 1)}
    material, _ = studio.material(**values)
    if kind == "book":
        mesh = box_mesh(*rng.uniform((4, 5.5, 0.3), (6, 8, 1.5)).tolist())
    elif kind == "pen":
        mesh = box_mesh(0.3, float(rng.uniform(4.5, 5.5)), 0.3)
    else:
        mesh = cylinder_mesh(float(rng.uniform(0.7, 1.0)) * reach, float(rng.uniform(2.5, 4.5)))
    studio.add(mesh, material, place, smooth=kind in {"cup", "glass"})
