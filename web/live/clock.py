"""The clock of a turn: counts down, pauses, is extended; never reads the time itself."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class TurnClock:
    """What is left of a turn's time.

    Every method that depends on the moment takes it as `now_s`, in seconds of any clock that
    only goes forward.

    Attributes
    ----------
    total_s
        What the turn was given, extensions included.
    left_s
        What was left at `since_s`.
    since_s
        Since when it runs; None while it stands.
    paused
        Whether a person stopped it.
    held
        Whether the table stopped it: while record and table disagree, or the table is being
        restored, nobody's time runs.
    extensions
        How often it can still be extended.
    """

    total_s: float
    left_s: float
    since_s: float | None = None
    paused: bool = False
    held: bool = False
    extensions: int = 0

    @classmethod
    def started(cls, total_s: float, now_s: float, extensions: int = 0) -> TurnClock:
        """Return a clock that begins to run.

        >>> TurnClock.started(60, now_s=100).left(130)
        30
        """
        return cls(total_s, total_s, now_s, extensions=extensions)

    @property
    def running(self) -> bool:
        """Whether it counts down."""
        return self.since_s is not None

    def left(self, now_s: float) -> float:
        """Return the seconds that are left, never less than none."""
        gone = 0 if self.since_s is None else max(now_s - self.since_s, 0)
        return max(self.left_s - gone, 0)

    def expired(self, now_s: float) -> bool:
        """Whether the time is up."""
        return self.left(now_s) <= 0

    def pause(self, now_s: float) -> TurnClock:
        """Stop it for a person, until `resume`."""
        return _settled(self, now_s, paused=True, held=self.held)

    def resume(self, now_s: float) -> TurnClock:
        """Let it run on."""
        return _settled(self, now_s, paused=False, held=self.held)

    def hold(self, now_s: float, *, held: bool) -> TurnClock:
        """Stop it for the table, or let it go; what a person paused stays paused."""
        return self if held == self.held else _settled(self, now_s, paused=self.paused, held=held)

    def extend(self, now_s: float, seconds: float) -> TurnClock:
        """Give more time from now on, and use one extension up."""
        return replace(
            _settled(self, now_s, paused=self.paused, held=self.held),
            total_s=self.total_s + seconds,
            left_s=self.left(now_s) + seconds,
            extensions=self.extensions - 1,
        )


def _settled(clock: TurnClock, now_s: float, *, paused: bool, held: bool) -> TurnClock:
    """Return the clock as of now, running unless something stops it."""
    since_s = None if paused or held else now_s
    return replace(clock, left_s=clock.left(now_s), since_s=since_s, paused=paused, held=held)
