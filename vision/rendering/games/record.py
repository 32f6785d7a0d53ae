"""From a script to a film, and what is true in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import cv2

from vision.rendering.games.film import film

if TYPE_CHECKING:
    from pathlib import Path

    from vision.rendering.games.film import Shot
    from vision.rendering.games.script import Script


def record(script: Script, video: Path) -> dict[str, Any]:
    """Film a script into `video`, an MP4; return what is true in it, as plain JSON."""
    filmed = script.camera
    size = (filmed.width_px, filmed.height_px)
    writer = cv2.VideoWriter(str(video), cv2.VideoWriter.fourcc(*"mp4v"), filmed.fps, size)
    if not writer.isOpened():
        raise click.ClickException(f"cannot write {video}: OpenCV has no MPEG-4 encoder here")
    stills: list[dict[str, Any]] = []
    moving: list[dict[str, Any]] = []
    frame = -1
    try:
        for frame, shot in enumerate(film(script)):
            writer.write(shot.pixels_bgr)
            spans = moving if shot.moving else stills
            if not (spans and spans[-1]["to_frame"] == frame - 1 and _same(spans[-1], shot)):
                spans.append(_span(shot, frame))
            spans[-1]["to_frame"] = frame
    finally:
        writer.release()
    return {
        "title": script.title,
        "ruleset": script.ruleset,
        "video": video.name,
        "width": filmed.width_px,
        "height": filmed.height_px,
        "fps": filmed.fps,
        "frames": frame + 1,
        "players": [{"name": p.name, "rack": p.rack, "opened": p.opened} for p in script.players],
        "stills": stills,
        "moving": moving,
    }


def _same(span: dict[str, Any], shot: Shot) -> bool:
    return bool(span["scene"] == shot.scene.number and span.get("what", "") == shot.moving)


def _span(shot: Shot, frame: int) -> dict[str, Any]:
    scene = shot.scene
    span = {"scene": scene.number, "from_frame": frame, "to_frame": frame}
    if shot.moving:
        return span | {"what": shot.moving, "player": scene.step.who}
    return span | {
        "kind": scene.step.kind if scene.number else "start",
        "player": scene.step.who,
        "before": str(scene.before),
        "table": str(scene.table),
        "added": " ".join(map(str, scene.added)),
        "legal": scene.legal,
        "codes": list(scene.codes),
        "wins": scene.step.wins,
        "racks": scene.racks,
        "tiles": [
            {
                "tile": label.name,
                "quad": [[round(float(v), 1) for v in corner] for corner in label.quad_img],
            }
            for label in shot.labels
        ],
    }
