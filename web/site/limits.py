"""How often, how much at once: per client, in memory."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_CLIENTS: Final = 2000


class Rate(Enum):
    """Requests a second in the long run, and how many may come at once."""

    READ = (60.0, 300)
    """Pages, pictures and what belongs to them."""
    COMMAND = (4.0, 20)
    FRAME = (6.0, 12)
    PHOTO = (0.2, 6)
    ENTER = (0.5, 40)
    FILE = (0.1, 6)
    """Imports, exports and reports."""

    @property
    def per_s(self) -> float:
        """Requests a second in the long run."""
        return self.value[0]

    @property
    def burst(self) -> int:
        """How many may come at once."""
        return self.value[1]


@dataclass(slots=True)
class _Bucket:
    left: float
    at_s: float


class Limits:
    """Counts what each client asks for; the clients that were quiet longest are forgotten."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[tuple[str, Rate], _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, client: str, rate: Rate) -> float:
        """Count a request; return 0, or how long to wait because there were too many."""
        with self._lock:
            now = self._clock()
            bucket = self._buckets.setdefault((client, rate), _Bucket(rate.burst, now))
            self._buckets.move_to_end((client, rate))
            if len(self._buckets) > _CLIENTS:
                self._buckets.popitem(last=False)
            earned = (now - bucket.at_s) * rate.per_s
            bucket.left, bucket.at_s = min(rate.burst, bucket.left + earned), now
            if bucket.left < 1:
                return (1 - bucket.left) / rate.per_s
            bucket.left -= 1
            return 0.0


class Turnstile:
    """Lets a client do one thing at a time, and all together only so many."""

    def __init__(self, together: int) -> None:
        self._together = together
        self._inside: set[str] = set()
        self._left = threading.Condition()

    def enter(self, client: str, patience_s: float = 0.0) -> bool:
        """Tell whether the client may go in, at least after a while; who may must `leave`."""
        with self._left:
            free = self._left.wait_for(lambda: self._has_room(client), patience_s)
            if free:
                self._inside.add(client)
            return free

    def _has_room(self, client: str) -> bool:
        return client not in self._inside and len(self._inside) < self._together

    def leave(self, client: str) -> None:
        """Let the next one in."""
        with self._left:
            self._inside.discard(client)
            self._left.notify_all()
