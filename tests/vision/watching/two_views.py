"""Two cameras over one made table, each with its own watcher and a reader that knows the truth."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tests.vision.watching.made_scenes import STANDARD, Frame, MadeReader, Scene
from vision.pipeline import TableReader
from vision.watching import Watcher
from vision.watching.together import CameraSight, Together

if TYPE_CHECKING:
    from vision.types import Floats
    from vision.watching import Sight

# From the other side of the table, a little nearer to one end of it.
ACROSS: Final = ((-0.9, 0.04, 890.0), (0.03, -0.92, 500.0), (0.00005, 0.0001, 1.0))
BACK: Final = np.linalg.inv(np.array(ACROSS)).astype(np.float32)


def across(scene: Scene) -> Scene:
    """The same table from the other side."""
    return replace(scene, seen_from=ACROSS)


@dataclass
class Camera:
    """A camera by its name, its watcher, and what that said last."""

    name: str
    source: int
    reader: MadeReader = field(default_factory=MadeReader)
    watcher: Watcher = field(init=False)
    last: CameraSight | None = None

    def __post_init__(self) -> None:
        self.watcher = Watcher(TableReader(self.reader, self.reader), STANDARD)

    def look(self, scene: Scene, number: int, now_s: float) -> CameraSight:
        self.reader.scene = scene
        frame = Frame(scene.pixels(number), number, now_s, self.name)
        self.last = CameraSight(self.name, self.source, self.watcher.look(frame), now_s)
        return self.last


class Cameras:
    """Two cameras that are looked through in turn, ten times a second in all."""

    def __init__(self) -> None:
        self.near = Camera("near", 0)
        self.far = Camera("far", 1)
        self.together = Together(STANDARD)
        self.number = 0

    def show(self, near: Scene | None, far: Scene | None, turns: int = 1) -> list[Sight]:
        """Let both look, in turn; one that sees nothing at all is not in use."""
        shown = []
        for _ in range(turns):
            used = [
                (camera, scene)
                for camera, scene in ((self.near, near), (self.far, far))
                if scene is not None
            ]
            for camera, scene in used:
                self.number += 1
                newest = camera.look(scene, self.number, self.number / 10)
                looks = [one.last for one, _ in used if one.last is not None]
                shown.append(self.together.see(looks, newest, newest.taken_s))
        return shown

    def both(self, scene: Scene, turns: int = 9) -> Sight:
        """Let both see the same table until it lies still."""
        return self.show(scene, across(scene), turns)[-1]

    def reach(self, before: Scene, after: Scene) -> list[Sight]:
        """A hand comes in, changes the table, and leaves; both see it."""
        shown = []
        steps = [(before, 480), (before, 390), (after, 300), (after, 390), (after, 480)]
        for scene, y in steps:
            handed = replace(scene, hand=(480, y))
            shown += self.show(handed, across(handed))
        return [*shown, *self.show(after, across(after), 9)]


def places(sight: Sight) -> dict[str, Floats]:
    """Where the tiles lie, by their faces."""
    assert sight.settled is not None
    return {str(tile.reading.tile): tile.quad_img for tile in sight.settled.tiles}
