"""Whether several cameras show the same moment, and which of them is to be waited for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.watching.sights import Phase, Sight
from vision.watching.watcher import READING

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE_S: Final = 3.0  # for a camera that has not shown the latest yet
RESTLESS_S: Final = 8.0  # of movement that no other camera sees and that is no hand
SILENT: Final = "{name} has sent no newer picture, so it does not count just now."
RESTLESS: Final = "{name} does not come to rest, so it does not count just now."


@dataclass(frozen=True, slots=True)
class CameraSight:
    """What a camera's watcher said last.

    Attributes
    ----------
    source
        The watcher's number; a camera that comes back may have another one.
    taken_s
        When the picture was taken.
    """

    camera: str
    source: int
    sight: Sight
    taken_s: float

    @property
    def still(self) -> bool:
        """Whether the table is known to lie as it was settled."""
        return self.sight.still and self.sight.settled is not None

    @property
    def busy(self) -> bool:
        """Whether something moves; a table that lies still and is being read does not."""
        return self.sight.moving and self.sight.message != READING


class Pace:
    """Remembers since when each camera has been as it is, and when it last saw movement."""

    def __init__(self) -> None:
        self._since: dict[int, tuple[tuple[Phase, bool], float]] = {}
        self._moved_s: dict[int, float] = {}

    def note(self, look: CameraSight) -> None:
        """Take in what a camera's watcher said just now."""
        state = look.sight.phase, look.busy
        known = self._since.get(look.source)
        if known is None or known[0] != state:
            self._since[look.source] = state, look.taken_s
        # Before its first table a watcher calls any picture movement.
        if look.busy and look.sight.settled is not None:
            self._moved_s[look.source] = look.taken_s

    def lasts_s(self, look: CameraSight) -> float:
        """Return how long a camera has been in its phase."""
        known = self._since.get(look.source)
        return look.taken_s - known[1] if known else 0.0

    def is_behind(self, look: CameraSight, others: Sequence[CameraSight]) -> bool:
        """Tell whether another camera saw something move after this picture was taken."""
        moved_s = (
            self._moved_s.get(other.source, look.taken_s)
            for other in others
            if other.source != look.source
        )
        return any(look.taken_s < time_s for time_s in moved_s)

    def ails(self, look: CameraSight, looks: Sequence[CameraSight], now_s: float) -> str:
        """Say why a camera cannot be waited for; nothing where all is well."""
        if look.sight.phase is Phase.LOST:
            return look.sight.message or SILENT.format(name=look.camera)
        late = look.busy or self.is_behind(look, looks)
        if late and now_s - look.taken_s > PATIENCE_S:
            return SILENT.format(name=look.camera)
        restless = look.sight.phase is Phase.MOVING and self.lasts_s(look) > RESTLESS_S
        if restless and any(other.still for other in looks):
            return RESTLESS.format(name=look.camera)
        return ""
