"""How long, how much, how far: what the watching of a table can be tuned by."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """Settings of a `Watcher`.

    Attributes
    ----------
    width_px
        Width of the small picture on which movement is looked for.
    quiet_s
        How long the table must have been still before it is read, seconds.
    least_votes, most_votes
        Frames to read before a table counts: the least where all of them agree and are sure,
        the most where they do not.
    fast_detection_s
        Finding the tiles may take so long that it is done in every frame that is read, seconds.
        A slower machine finds them once, and only reads them again in the second frame.
    patience_s
        How long something may reach into the picture without moving before the table is read
        all the same, seconds: it may be a thing that was put there.
    lost_patience_s
        How long a wholly different view must hold before it is taken for a new table, seconds.
    """

    width_px: int = 320
    quiet_s: float = 0.4
    least_votes: int = 2
    most_votes: int = 3
    fast_detection_s: float = 0.15
    patience_s: float = 6.0
    lost_patience_s: float = 3.0

    def __post_init__(self) -> None:
        """Check the votes.

        Raises
        ------
        ValueError
            If fewer votes are allowed than are needed.
        """
        if not 1 <= self.least_votes <= self.most_votes:
            raise ValueError(
                "expected 1 <= least_votes <= most_votes, "
                f"got {self.least_votes} and {self.most_votes}"
            )
