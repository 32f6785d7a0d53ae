"""Meshes of bodies: closed, of the right size, and looking outwards."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from vision.rendering.editions import Body, all_editions
from vision.rendering.faces import draw_face
from vision.rendering.traced.bodies import (
    Mesh,
    box_mesh,
    cylinder_mesh,
    display,
    face_normals,
    linear,
    tile_mesh,
)

EDITIONS = all_editions()
BODIES = [edition.body for edition in EDITIONS]
BLOCK = Body(colour=(255, 255, 255), aspect=0.7, thickness=0.3)


def volume(mesh: Mesh) -> float:
    """Return what a mesh encloses; less than nothing if it looks inwards."""
    corners = [(loop[0], b, c) for loop in mesh.loops for b, c in pairwise(loop[1:])]
    return float(np.linalg.det(mesh.vertices[np.array(corners)]).sum() / 6)


@pytest.mark.parametrize(
    "mesh", [*map(tile_mesh, BODIES), cylinder_mesh(1.5, 3.0), box_mesh(2.0, 3.0, 0.5)]
)
def test_every_edge_is_shared_by_two_polygons_that_run_against_each_other(mesh: Mesh) -> None:
    edges = Counter(
        edge for loop in mesh.loops for edge in zip(loop, (*loop[1:], loop[0]), strict=True)
    )
    assert max(edges.values()) == 1
    assert all((b, a) in edges for a, b in edges)


def test_bodies_enclose_what_they_should() -> None:
    assert volume(box_mesh(2.0, 3.0, 0.5)) == pytest.approx(3.0)
    assert volume(cylinder_mesh(1.5, 3.0)) == pytest.approx(np.pi * 1.5**2 * 3, rel=0.01)
    assert 0.9 < volume(tile_mesh(BLOCK)) / (0.3 / 0.7) < 1


@pytest.mark.parametrize("body", BODIES)
def test_a_tile_fills_its_place_with_its_face_on_top(body: Body) -> None:
    mesh = tile_mesh(body)
    size = np.ptp(mesh.vertices, axis=0)
    assert size == pytest.approx([1, 1 / body.aspect, body.thickness])
    assert mesh.vertices[:, 2].max() == 0
    assert mesh.uv.min() == pytest.approx(0)
    assert mesh.uv.max() == pytest.approx(1)


def test_light_and_values_are_one_anothers_inverse() -> None:
    values = np.linspace(0, 1, 50)
    assert display(linear(values)) == pytest.approx(values, abs=1e-3)
    assert display(np.array([2.0])) > 1


def test_relief_leans_where_the_face_rises_and_its_edge_is_left_to_the_mesh() -> None:
    edition = next(edition for edition in EDITIONS if edition.dish.kind == "concave")
    face = draw_face(edition, "", np.random.default_rng(1))
    dished = draw_face(edition, "R7", np.random.default_rng(1))
    normals = face_normals(dished, edition.body.bevel)
    assert np.linalg.norm(normals, axis=-1) == pytest.approx(1)
    assert normals[0, 0] == pytest.approx([0, 0, 1])
    assert np.abs(face.slope[2]).max() > 0.1  # the rounded edge, which the mesh has
    inner = (slice(60, -60), slice(50, -50))
    assert (np.sign(normals[inner][..., 0]) == -np.sign(dished.slope[inner][..., 0])).all()
    assert (np.sign(normals[inner][..., 1]) == np.sign(dished.slope[inner][..., 1])).all()
