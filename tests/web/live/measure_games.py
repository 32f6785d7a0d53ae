"""Play recorded games before the live table, and count what it says rightly and wrongly.

    python -m tests.web.live.measure_games [--across] datasets/games/*.json

The films run in real time: while a frame is looked at the next ones come, and only the newest of
them is looked at then. At the end of each still stretch what is proposed is compared with the
label; a turn that is legal is then confirmed, as the players would. An unsure tile is told, and
counted. Late is how long after the hand had left the proposal stood. With `--across` a second
camera looks at the table, which takes the film as it looks from across; a look is then through
both in turn.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from tests.web.live.fake_store import FakeStore
from tests.web.live.recorded_games import as_it_is, show, word
from vision.evaluation.bench import machine
from vision.loading import load_table_reader
from vision.recordings import load_recording

if TYPE_CHECKING:
    from tests.web.live.recorded_games import Said, Showing
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


@dataclass
class Tally:
    """What was said, over all films."""

    counts: Counter[str] = field(default_factory=Counter)
    late_s: list[float] = field(default_factory=list)
    looked_ms: list[float] = field(default_factory=list)
    joined: int = 0
    notes: list[str] = field(default_factory=list)

    def count(self, film: str, showing: Showing) -> None:
        """Count one film."""
        self.looked_ms += showing.looked_ms
        self.joined += showing.joined
        for said in showing.said:
            where = f"{film} {said.still.scene} {said.still.kind}"
            if said.desync:
                self.counts["disagreement"] += 1
                self.notes.append(f"{where}: {said.desync}")
            if said.still.kind == "turn":
                self._count_turn(where, said)
            else:
                self.counts["nothing said, rightly" if not _spoke(said) else "said, wrongly"] += 1

    def _count_turn(self, where: str, said: Said) -> None:
        label = word(said.still.legal)
        self.counts[f"{label}: {said.word}"] += 1
        self.counts["table exact" if said.exact else "table not exact"] += 1
        if said.word != label or not said.exact:
            self.notes.append(
                f"{where}: label {label}: {said.still.table}\n"
                f"      {said.word}: {said.proposal} {said.refusal}"
            )
        if said.late_s is not None:
            self.late_s.append(said.late_s)


def _spoke(said: Said) -> bool:
    """Whether something was said of a stretch without a turn.

    While tiles are put back, what was said before they were stands.
    """
    return said.proposal is not None if said.still.kind == "restore" else said.spoke


def main() -> None:
    """Run all films and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", type=Path)
    parser.add_argument("--across", action="store_true", help="let a second camera look, too")
    given, reader, tally = parser.parse_args(), load_table_reader(), Tally()
    views = (as_it_is, across) if given.across else (as_it_is,)
    for path in given.games:
        recording = load_recording(path)
        video = path.parent / recording.video
        showing = show(recording, video, reader, FakeStore(), in_real_time=True, views=views)
        tally.count(path.stem, showing)
    looked = np.array(tally.looked_ms)
    print(*(f"{count:5} {what}" for what, count in sorted(tally.counts.items())), sep="\n")  # noqa: T201
    print(  # noqa: T201
        f"{machine()}: late: median {np.median(tally.late_s):.2f} s, "
        f"95 % {np.percentile(tally.late_s, 95):.2f} s, worst {max(tally.late_s):.2f} s; "
        f"a look: median {np.median(looked):.0f} ms, worst {looked.max():.0f} ms of processors; "
        f"all {len(views)} cameras counted in {tally.joined} of {len(looked)}"
    )
    print(*tally.notes, sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()
