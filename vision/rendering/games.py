"""The bundled recorded games: `python -m vision.rendering.games --out datasets/games`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import cv2

from vision.rendering.game import film
from vision.rendering.game_script import load_script
from vision.resources import resource_dir

if TYPE_CHECKING:
    from vision.rendering.game import Shot
    from vision.rendering.game_script import Script


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


@click.command()
@click.argument("names", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder to write to.")
def main(names: tuple[str, ...], out: Path) -> None:
    """Film the games called NAMES, or all of them: an MP4 each, and a JSON of what is true."""
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(resource_dir("games").glob("*.toml")):
        if names and path.stem not in names:
            continue
        truth = record(load_script(path), out / f"{path.stem}.mp4")
        lines = json.dumps(truth, indent=1, ensure_ascii=False)
        (out / f"{path.stem}.json").write_text(lines + "\n", encoding="utf-8")
        click.echo(f"{path.stem}: {truth['frames']} frames, {len(truth['stills'])} still tables")


if __name__ == "__main__":
    main()
