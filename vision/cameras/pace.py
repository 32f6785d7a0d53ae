"""The pace at which a recording plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Pace:
    """Waits until the next frame is due; who comes late does not hurry afterwards."""

    def __init__(self, clock: Callable[[], float], wait: Callable[[float], object]) -> None:
        self._clock = clock
        self._wait = wait
        self._due_s = 0.0

    def begin(self) -> None:
        """Let the first frame be due now."""
        self._due_s = self._clock()

    def delay(self, by_s: float) -> None:
        """Let the next frame be due so much later."""
        self._due_s += by_s

    def keep(self, step_s: float) -> None:
        """Wait until this frame is due; the next one is so `step_s` later."""
        early_s = self._due_s - self._clock()
        if early_s > 0:
            self._wait(early_s)
        self._due_s = max(self._due_s, self._clock()) + step_s
