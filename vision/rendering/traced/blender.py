"""Blender, as far as it is needed: bodies, lamps, a camera, and the light that reaches it.

Positions come in the tables' frame, whose y axis points to the viewer: Blender's points away.
"""

from __future__ import annotations

import tempfile
from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO
from math import atan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.rendering.arrays import Array
    from vision.rendering.camera import Camera
    from vision.rendering.layouts import Pose
    from vision.rendering.traced.bodies import Mesh

MISSING: Final = "Blender's module is not there; `make trace`, with Python 3.11, installs it"
_MIRRORED: Final = np.array([1.0, -1.0, 1.0])


def is_installed() -> bool:
    """Whether Blender's Python module is there; `MISSING` says what to do if not."""
    return find_spec("bpy") is not None


def placed(camera: Camera, size_px: int) -> tuple[Array, float]:
    """Return where a camera stands and looks, (4, 4), in Blender's frame, and its angle of view.

    The angle, in radians, is that over `size_px`.
    """
    middle = size_px / 2
    forward = camera.matrix[2, :3]
    right = camera.matrix[0, :3] - middle * forward
    down = camera.matrix[1, :3] - middle * forward
    focal_px = float(np.linalg.norm(right))
    world = np.eye(4)
    world[:3, 0] = right / focal_px * _MIRRORED
    world[:3, 1] = -down / focal_px * _MIRRORED
    world[:3, 2] = -forward * _MIRRORED
    world[:3, 3] = camera.eye * _MIRRORED
    return world, 2 * atan(middle / focal_px)


def posed(pose: Pose) -> Array:
    """Return where a tile lies, (4, 4), in Blender's frame, for a mesh with its face at z = 0."""
    right, up = pose.right * _MIRRORED, -pose.down * _MIRRORED
    world = np.eye(4)
    world[:3, :3] = np.column_stack([right, up, np.cross(right, up)])
    world[:3, 3] = pose.centre * _MIRRORED
    return world


class Studio:
    """A scene in Blender; there is one at a time.

    Raises
    ------
    ModuleNotFoundError
        If Blender's Python module is not installed; `make trace` installs it.
    """

    def __init__(self) -> None:
        with redirect_stderr(StringIO()):  # its sound wants an older numpy, and says so at length
            import bpy  # noqa: PLC0415 - the module is Blender itself, and not there elsewhere
            from mathutils import Matrix  # noqa: PLC0415 - comes with it

        self._matrix: Any = Matrix
        self.bpy: Any = bpy
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene: Any = bpy.context.scene

    def add(
        self,
        mesh: Mesh,
        material: Any,
        world: Array,
        *,
        smooth: bool = True,
    ) -> Any:
        """Put a body of a material at its place, (4, 4)."""
        data = self.bpy.data.meshes.new("body")
        data.from_pydata(mesh.vertices.tolist(), [], [list(loop) for loop in mesh.loops])
        layer = data.uv_layers.new(name="face")
        order = np.concatenate([np.asarray(loop) for loop in mesh.loops])
        layer.data.foreach_set("uv", mesh.uv[order].astype(np.float32).ravel())
        data.materials.append(material)
        if smooth:
            flat = [len(loop) > 4 for loop in mesh.loops]
            data.polygons.foreach_set("use_smooth", [not one for one in flat])
        body = self.bpy.data.objects.new("body", data)
        body.matrix_world = self._matrix(world.tolist())
        self.scene.collection.objects.link(body)
        return body

    def picture(self, pixels: Array) -> Any:
        """Take over a picture, (h, w, 3), first row on top; its values stay as they are."""
        height, width = pixels.shape[:2]
        image = self.bpy.data.images.new("picture", width, height, float_buffer=True)
        image.colorspace_settings.name = "Non-Color"
        rgba = np.dstack([pixels, np.ones((height, width))])[::-1]
        image.pixels.foreach_set(np.ascontiguousarray(rgba, np.float32).ravel())
        return image

    def material(self, **values: Any) -> tuple[Any, Any]:
        """Return a material and its surface, with values such as `Roughness` set."""
        material = self.bpy.data.materials.new("material")
        material.use_nodes = True
        surface = material.node_tree.nodes["Principled BSDF"]
        for name, value in values.items():
            surface.inputs[name.replace("_", " ")].default_value = value
        return material, surface

    def printed(self, albedo_rgb: Array, normals: Array, **values: Any) -> Any:
        """Return the material of a tile: what its face reflects, and its relief."""
        material, surface = self.material(**values)
        links = material.node_tree.links
        colour = self.node(material, "TexImage", {"extension": "EXTEND"})
        colour.image = self.picture(albedo_rgb)
        links.new(colour.outputs["Color"], surface.inputs["Base Color"])
        relief = self.node(material, "TexImage", {"extension": "EXTEND"})
        relief.image = self.picture(normals / 2 + 0.5)
        bend = self.node(material, "NormalMap", {"uv_map": "face"})
        links.new(relief.outputs["Color"], bend.inputs["Color"])
        links.new(bend.outputs["Normal"], surface.inputs["Normal"])
        return material

    @staticmethod
    def node(material: Any, kind: str, settings: Mapping[str, object]) -> Any:
        """Add a node to a material, such as `TexNoise`."""
        node = material.node_tree.nodes.new(f"ShaderNode{kind}")
        for name, value in settings.items():
            setattr(node, name, value)
        return node

    def lamp(self, place: Array, size: float, power: float, rgb: Array) -> None:
        """Hang a square lamp over the table that shines on its middle."""
        light = self.bpy.data.lights.new("lamp", "AREA")
        light.energy, light.size, light.color = power, size, rgb.tolist()
        lamp = self.bpy.data.objects.new("lamp", light)
        back = place / np.linalg.norm(place)  # lamps shine along their -z
        right = np.cross((0.0, 1.0, 0.0), back)
        right /= np.linalg.norm(right)
        world = np.eye(4)
        world[:3] = np.column_stack([right, np.cross(back, right), back, place])
        lamp.matrix_world = self._matrix(world.tolist())
        self.scene.collection.objects.link(lamp)

    def surroundings(self, rgb: Array, strength: float) -> None:
        """Set the light that comes from everywhere."""
        world = self.bpy.data.worlds.new("room")
        world.use_nodes = True
        background = world.node_tree.nodes["Background"]
        background.inputs["Color"].default_value = (*rgb.tolist(), 1.0)
        background.inputs["Strength"].default_value = strength
        self.scene.world = world

    def look(self, camera: Camera, size_px: int) -> None:
        """Stand the camera where a table's stands."""
        world, angle = placed(camera, size_px)
        lens = self.bpy.data.cameras.new("camera")
        lens.angle, lens.clip_end = angle, 1e4
        body = self.bpy.data.objects.new("camera", lens)
        body.matrix_world = self._matrix(world.tolist())
        self.scene.collection.objects.link(body)
        self.scene.camera = body

    def radiance(self, size_px: int, samples: int, threads: int) -> Array:
        """Trace the light that reaches the camera, (size, size, 3) BGR, linear."""
        scene, render = self.scene, self.scene.render
        render.engine = "CYCLES"
        scene.cycles.device, scene.cycles.samples = "CPU", samples
        scene.cycles.use_denoising = scene.cycles.use_adaptive_sampling = True
        scene.cycles.adaptive_threshold = 0.05
        scene.cycles.denoising_quality, scene.cycles.denoising_prefilter = "BALANCED", "NONE"
        scene.cycles.max_bounces = 5
        scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
        render.resolution_x = render.resolution_y = size_px
        render.threads_mode, render.threads = "FIXED", threads
        render.image_settings.file_format = "OPEN_EXR"
        render.image_settings.color_depth = "32"
        with tempfile.TemporaryDirectory() as folder:
            render.filepath = str(Path(folder) / "light.exr")
            self.bpy.ops.render.render(write_still=True)
            image = self.bpy.data.images.load(render.filepath)
            light = np.empty(size_px * size_px * 4, np.float32)
            image.pixels.foreach_get(light)
        return light.reshape(size_px, size_px, 4)[::-1, :, 2::-1].copy()

    def sees(self, camera: Camera, points: Array, body: Any) -> Array:
        """Tell of which points of a body, (n, 3), nothing hides the sight, (n,) bool."""
        graph = self.bpy.context.evaluated_depsgraph_get()
        eye = camera.eye * _MIRRORED
        seen = []
        for point in points * _MIRRORED:
            way = point - eye
            _, place, _, _, hit, _ = self.scene.ray_cast(graph, eye.tolist(), way.tolist())
            near = hit is not None and np.linalg.norm(np.array(place) - point) < 0.05
            seen.append(near and hit.name == body.name)
        return np.array(seen, bool)
