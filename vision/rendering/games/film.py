"""Film a scripted game: table, tiles, hands, a steady lamp, frame by frame, with what is true."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from vision.rendering.boxes import TileBox
from vision.rendering.camera import Camera, aim
from vision.rendering.canvas import Canvas
from vision.rendering.editions import edition_named
from vision.rendering.games.moves import Arm, Choreography, Moment
from vision.rendering.games.script import Scene, Script, scenes
from vision.rendering.games.tiles import Carry, Tiles, pool_poses
from vision.rendering.hands import SKINS, make_hand
from vision.rendering.labels import Label, label_tile
from vision.rendering.layouts import BACK
from vision.rendering.lighting import cast_shadows
from vision.rendering.reach import draw_hand
from vision.rendering.tables import fractal, table_of
from vision.rendering.tiles import draw_tile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.rendering.arrays import Array
    from vision.rendering.faces import Face
    from vision.rendering.hands import Hand
    from vision.rendering.layouts import Pose
    from vision.types import Pixels

_POOL_ID: Final = 10_000
_CLOTH_WIDTHS: Final = 60.0  # how many tile widths the painted table is wide
_CLOTH_PX: Final = 2048
_SWAY: Final = (0.7, 1.3, 0.85, 1.05, 1.0)  # how a bumped camera swings into its new place
_ADAPT: Final = 0.35  # share of the way to the right exposure that a camera goes in a frame
_NOTHING: Final = Moment(None)


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: which scene it leads to or shows, and what moves in it ("" for nothing)."""

    pixels_bgr: Pixels
    scene: Scene
    moving: str
    labels: tuple[Label, ...] = ()


class _SteadyBox(TileBox):
    """A set of tiles whose faces never change."""

    def face(self, name: str) -> Face:
        """Return the one face of that name."""
        if name not in self.drawn:
            super().face(name)
        return self.drawn[name][0]


class Studio:
    """Everything that stays the same through a film, and the camera's state."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._rng = np.random.default_rng(script.seed)
        edition = edition_named(script.edition)
        self.box = _SteadyBox(edition, np.random.default_rng(script.seed + 1))
        self._size = max(script.camera.width_px, script.camera.height_px)
        self._cloth = table_of(script.table, np.random.default_rng(script.seed), _CLOTH_PX)
        self._light_xyz = np.array([-0.45, -0.5, 1.1]) / np.linalg.norm([-0.45, -0.5, 1.1])
        self._lamp_light = self._steady_light()
        self._grain = [
            self._rng.standard_normal((*self._lamp_light.shape[:2], 3), dtype=np.float32)
            for _ in range(3)
        ]
        self.hands = {player.name: self._hand(player.name) for player in script.players}
        self.bumped = np.zeros(3)
        self.lamp = 1.0
        self._exposure = 1.0
        self._lying: tuple[object, Canvas] | None = None

    def camera(self) -> Camera:
        """Return the camera where it stands now."""
        filmed = self.script.camera
        dx, dy, roll = self.bumped
        camera = aim(filmed.tile_px, filmed.elevation_deg, roll, filmed.field_deg, self._size)
        shift = np.eye(4)
        shift[:2, 3] = dx, dy
        return Camera(camera.matrix @ shift, camera.eye - (dx, dy, 0))

    @property
    def window(self) -> tuple[slice, slice]:
        """The part of the square canvas that is filmed."""
        filmed = self.script.camera
        top, left = (self._size - filmed.height_px) // 2, (self._size - filmed.width_px) // 2
        return slice(top, top + filmed.height_px), slice(left, left + filmed.width_px)

    def arm(self, name: str) -> Arm:
        """Return a player's arm."""
        player = self.script.player(name)
        rows, columns = self.window
        box = (columns.start, rows.start, 0.0), (columns.stop, rows.stop, 0.0)
        return Arm(player.side, player.seat, self.camera(), box)

    def lie(self, poses: dict[int, Pose]) -> Canvas:
        """Draw the table and what lies on it; the same as last time is not drawn again."""
        key = (frozenset(poses), *self.bumped, *(tuple(p.centre) for p in poses.values()))
        if self._lying is None or self._lying[0] != key:
            canvas = self._table()
            self._put(canvas, poses)
            self._lying = key, canvas
        return self._lying[1]

    def shoot(self, lying: Canvas, moment: Moment, who: str) -> Pixels:
        """Photograph the table with a hand over it."""
        canvas = replace(lying, radiance=lying.radiance.copy(), owner=lying.owner.copy())
        self._put(canvas, moment.carried)
        if moment.reach is not None:
            draw_hand(canvas, self.hands[who], moment.reach)
        wanted = min(1 / max(self.lamp, 0.05), 3.2) ** 0.8
        self._exposure += (wanted - self._exposure) * _ADAPT
        radiance = canvas.radiance[self.window] * self._lamp_light * self._tint()
        return self._sense(radiance * np.float32(self._exposure))

    def labels(self, canvas: Canvas, poses: dict[int, Pose]) -> tuple[Label, ...]:
        """Return what is known of the tiles that lie face up, in pixels of the film."""
        rows, columns = self.window
        corner = np.array([columns.start, rows.start], np.float32)
        found = (
            label_tile(canvas, self._lift(pose), tile_id, self.box.tall)
            for tile_id, pose in poses.items()
            if pose.name != BACK
        )
        return tuple(replace(label, quad_img=label.quad_img - corner) for label in found if label)

    def _hand(self, name: str) -> Hand:
        player = self.script.player(name)
        skin = SKINS[player.skin]
        return make_hand(self._rng, skin, player.sleeve, left=player.left_handed)

    def _lift(self, pose: Pose) -> Pose:
        return replace(pose, centre=pose.centre + np.array([0, 0, self.box.thick]))

    def _table(self) -> Canvas:
        camera = self.camera()
        scale = _CLOTH_WIDTHS / _CLOTH_PX
        spread = np.array(
            [[scale, 0, -_CLOTH_WIDTHS / 2], [0, scale, -_CLOTH_WIDTHS / 2], [0, 0, 1]]
        )
        plane = camera.matrix[:, [0, 1, 3]] @ spread
        size = (self._size, self._size)
        seen = cv2.warpPerspective(self._cloth, plane, size, borderMode=cv2.BORDER_REFLECT_101)
        nobody = np.zeros(size, np.int16)
        return Canvas(camera, np.asarray(seen, np.float32), nobody, self._light_xyz, 0.4)

    def _put(self, canvas: Canvas, poses: dict[int, Pose]) -> None:
        lifted = {tile_id: self._lift(pose) for tile_id, pose in poses.items()}
        rng = np.random.default_rng(self.script.seed)
        cast_shadows(rng, canvas, list(lifted.values()), self.box.tall)
        far_first = sorted(
            lifted, key=lambda i: -float(np.linalg.norm(lifted[i].centre - canvas.camera.eye))
        )
        for tile_id in far_first:
            own = np.random.default_rng((self.script.seed, tile_id))
            draw_tile(own, canvas, self.box, lifted[tile_id], tile_id)

    def _steady_light(self) -> Array:
        rows, columns = self.window
        y, x = np.mgrid[: self._size, : self._size].astype(np.float32) / self._size - 0.5
        fall = 1.08 - 0.35 * ((x + 0.22) ** 2 + (y + 0.3) ** 2) - 0.25 * (x**2 + y**2)
        fall = fall * (0.97 + 0.06 * fractal(self._rng, self._size, 2, 2))
        warm = np.array([0.93, 0.98, 1.03], np.float32)
        return np.asarray((fall[..., None] * warm)[rows, columns], np.float32)

    def _tint(self) -> Array:
        """Return the lamp's share of the light, and the window's, which is blue."""
        lamp = np.array([1.0, 1.0, 1.0]) * self.lamp
        window = np.array([0.1, 0.085, 0.07])
        return np.asarray(lamp + window * (1 - min(self.lamp, 1.0)), np.float32)

    def _sense(self, radiance: Array) -> Pixels:
        noise = 0.006 * self._exposure
        grain = self._grain[int(self._rng.integers(len(self._grain)))]
        shift = tuple(int(v) for v in self._rng.integers(0, 400, 2))
        soft = cv2.GaussianBlur(radiance, (0, 0), 0.55)
        picture = soft + np.roll(grain, shift, (0, 1)) * np.float32(noise)
        return np.asarray(np.clip(picture, 0, 1) * 255, np.uint8)


def film(script: Script) -> Iterator[Shot]:
    """Play a script; the same script, the same frames."""
    studio = Studio(script)
    tiles = Tiles(script, studio.box.tall)
    pool = dict(
        enumerate(
            pool_poses(script, np.random.default_rng(script.seed), studio.box.tall), _POOL_ID
        )
    )
    for scene in scenes(script):
        before = {i: tiles.pose(tile) for i, tile in tiles.lying.items()} | pool
        carries = tiles.rearrange(scene.sets)
        after = {i: tiles.pose(tile) for i, tile in tiles.lying.items()}
        if scene.step.kind == "draw":
            drawn = next(iter(pool))
            carries = [Carry((drawn,), (pool.pop(drawn),), ())]
        after |= pool
        if scene.number:
            yield from _moving(studio, scene, before, after, carries)
        yield from _still(studio, scene, after)


def _still(studio: Studio, scene: Scene, poses: dict[int, Pose]) -> Iterator[Shot]:
    canvas = studio.lie(poses)
    labels = studio.labels(canvas, poses)
    for _ in range(ceil(scene.step.still_s * studio.script.camera.fps)):
        yield Shot(studio.shoot(canvas, _NOTHING, ""), scene, "", labels)


def _moving(
    studio: Studio,
    scene: Scene,
    before: dict[int, Pose],
    after: dict[int, Pose],
    carries: list[Carry],
) -> Iterator[Shot]:
    step = scene.step
    if step.kind == "lamp":
        studio.lamp = step.lamp
        for _ in range(ceil(1.2 * studio.script.camera.fps)):
            yield Shot(studio.shoot(studio.lie(after), _NOTHING, ""), scene, "lamp")
    elif step.kind == "bump":
        yield from _bump(studio, scene, after)
    elif step.who:
        way = Choreography(studio.arm(step.who), carries)
        if step.at is not None:
            way.rest(step.at, step.rest_s)
        yield from _hand(studio, scene, before, after, way)


def _hand(
    studio: Studio,
    scene: Scene,
    before: dict[int, Pose],
    after: dict[int, Pose],
    way: Choreography,
) -> Iterator[Shot]:
    """Film a hand on its way; tiles lie as before until it has let go of them."""
    fps = studio.script.camera.fps
    for frame in range(ceil(way.seconds * fps)):
        moment = way.at((frame + 0.5) / fps)
        away = moment.gone | set(moment.carried)
        places = after | {i: before[i] for i in moment.waiting}
        lying = {i: pose for i, pose in places.items() if i not in away}
        yield Shot(studio.shoot(studio.lie(lying), moment, scene.step.who), scene, "hand")


def _bump(studio: Studio, scene: Scene, poses: dict[int, Pose]) -> Iterator[Shot]:
    start, change = studio.bumped.copy(), np.array(scene.step.bump)
    for share in _SWAY:
        studio.bumped = start + change * share
        yield Shot(studio.shoot(studio.lie(poses), _NOTHING, ""), scene, "bump")
