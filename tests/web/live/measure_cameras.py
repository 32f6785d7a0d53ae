"""Play recorded games before one camera, and before two that see the table from two sides.

    python -m tests.web.live.measure_cameras datasets/games/*.json

The second camera is the film itself, seen from across the table. The films run in real time, as
`measure_games` has them; one look is through both cameras in turn. Late is how long after a
movement had ended the right proposal stood.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tests.web.live.fake_store import FakeStore
from tests.web.live.recorded_games import as_it_is, show, word
from vision.loading import load_table_reader
from vision.recordings import load_recording

if TYPE_CHECKING:
    from tests.web.live.recorded_games import Said
    from vision.types import Pixels

# Parts of the picture's size: where its corners come to lie for who sits across.
CORNERS: Final = np.array([(0.98, 0.99), (0.03, 0.97), (0.08, 0.04), (0.94, 0.02)], np.float32)


def across(pixels: Pixels) -> Pixels:
    """Return a film's frame as the other camera takes it."""
    height, width = pixels.shape[:2]
    size = np.array([width, height], np.float32)
    here = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * size
    move = cv2.getPerspectiveTransform(here, CORNERS * size)
    seen = cv2.warpPerspective(pixels, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def tell(cameras: int, said: list[Said]) -> None:
    """Sum up what was said of all stretches."""
    turns = [one for one in said if one.still.kind == "turn"]
    wrong = [one for one in turns if not one.exact or one.word != word(one.still.legal)]
    quiet = [one for one in said if one.still.kind != "turn"]
    late = [one.late_s for one in turns if one.late_s is not None]
    print(  # noqa: T201
        f"{cameras} cameras: {len(turns) - len(wrong)} of {len(turns)} turns right; "
        f"something said in {sum(one.spoke for one in quiet)} of {len(quiet)} other stretches; "
        f"{sum(bool(one.desync) for one in said)} disagreements; "
        f"late: median {np.median(late):.2f} s, 95 % {np.percentile(late, 95):.2f} s, "
        f"worst {max(late):.2f} s"
    )
    for one in wrong:
        print(f"  {one.still.scene}: {one.word}: {one.proposal and one.proposal['story']}")  # noqa: T201


def main() -> None:
    """Run all films twice, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    reader, games = load_table_reader(), parser.parse_args().games
    for views in ((as_it_is,), (as_it_is, across)):
        said: list[Said] = []
        for path in games:
            recording, video = load_recording(path), path.with_suffix(".mp4")
            showing = show(recording, video, reader, FakeStore(), in_real_time=True, views=views)
            said += showing.said
            seen = len(showing.looked_ms)
            print(  # noqa: T201
                f"{recording.title}: all {len(views)} counted in {showing.joined} of {seen} frames"
            )
        tell(len(views), said)


if __name__ == "__main__":
    main()
