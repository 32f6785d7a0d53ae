"""Which cameras count: those whose views can be laid over each other, or else one alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.watching.registration import LEAST_TILES
from vision.watching.together.aligning import align

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.types import Floats
    from vision.watching.sights import SettledTable
    from vision.watching.together.pace import CameraSight, Pace

NOT_YET: Final = "{name} joins in once {first} and it see the same four tiles or more."
OTHERWISE: Final = "{name} sees other tiles than {first}, so it does not count."
_SAME: Final = np.eye(3, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Standing:
    """Which cameras count.

    Attributes
    ----------
    primary
        The camera whose picture is shown, in whose pixels all tiles lie.
    counting
        Whose views make the table.
    notes
        Why others don't, in words, by camera.
    """

    primary: str | None = None
    counting: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)


class Lineup:
    """Keeps how the cameras' views lie over that of the primary one.

    Attributes
    ----------
    primary
        The camera whose picture is shown.
    """

    def __init__(self, pace: Pace) -> None:
        self.primary: str | None = None
        self._pace = pace
        self._maps: dict[str, Floats] = {}  # as the views lay over each other when they last did
        self._aligned: set[str] = set()
        self._tried: dict[str, tuple[SettledTable, SettledTable]] = {}

    def map_of(self, look: CameraSight) -> Floats:
        """Return the homography (3, 3) from a counting camera's pixels to the primary's."""
        return _SAME if look.camera == self.primary else self._maps[look.camera]

    def known_map(self, camera: str) -> Floats | None:
        """Return the homography from a camera's pixels to the primary's, if it ever was known."""
        return self._maps.get(camera)

    def choose(
        self, looks: Sequence[CameraSight], now_s: float
    ) -> tuple[CameraSight, list[CameraSight], Standing]:
        """Return the primary camera, all that count, and what to say of the others.

        The primary one stays the same as long as it can. Where it can't, one that is laid over
        it goes before others, and then the one that sees most.

        Parameters
        ----------
        looks
            What each camera in use said last, the best camera first.
        """
        notes = {look.camera: self._pace.ails(look, looks, now_s) for look in looks}
        fit = [look for look in looks if not notes[look.camera]]
        primary = self._first(fit or looks)
        self._aligned &= {look.camera for look in fit}
        if primary in fit:
            self._align(primary, fit)
            rivals = [look for look in fit if self._beats(look, primary)]
            if rivals:
                primary = max(rivals, key=_count)
                self._go_over_to(primary)
                self._align(primary, fit)
        counting = [primary, *(look for look in fit if look.camera in self._aligned)]
        for look in fit:
            if look not in counting:
                notes[look.camera] = _why_not(look, primary)
        names = tuple(look.camera for look in counting)
        said = {name: note for name, note in notes.items() if note and name not in names}
        return primary, counting, Standing(primary.camera, names, said)

    def _first(self, looks: Sequence[CameraSight]) -> CameraSight:
        """Return the primary camera, which is another one where it is no longer there."""
        now = next((look for look in looks if look.camera == self.primary), None)
        if now is None:
            now = max(looks, key=lambda look: (look.camera in self._aligned, _count(look)))
            self._go_over_to(now)
        return now

    def _beats(self, look: CameraSight, primary: CameraSight) -> bool:
        """Tell whether a camera that cannot be laid over the primary one sees more than that."""
        if self._aligned or look is primary or not (look.still and primary.still):
            return False
        return _count(look) > _count(primary)

    def _go_over_to(self, look: CameraSight) -> None:
        """Show another camera's picture from now on; how the views lay stays known."""
        before, self.primary = self.primary, look.camera
        self._tried.clear()
        if look.camera not in self._aligned:
            self._maps, self._aligned = {}, set()
            return
        move = self._maps.pop(look.camera)
        back = np.linalg.inv(move).astype(np.float32)
        self._maps = {name: back @ other for name, other in self._maps.items()}
        self._aligned.discard(look.camera)
        if before is not None:
            self._maps[before] = back
            self._aligned.add(before)

    def _align(self, primary: CameraSight, fit: Sequence[CameraSight]) -> None:
        """Lay the views that are at rest over the primary one, if that is not done yet."""
        onto = primary.sight.settled
        for look in fit:
            view, pair = look.sight.settled, (look, primary)
            if look is primary or view is None or onto is None:
                continue
            before = self._tried.get(look.camera)
            if before is not None and before[0] is view and before[1] is onto:
                continue
            if not all(one.still and not self._pace.is_behind(one, pair) for one in pair):
                continue
            self._tried[look.camera] = view, onto
            move = align(view, onto, self._maps.get(look.camera))
            if move is None:
                self._aligned.discard(look.camera)
            else:
                self._maps[look.camera] = move
                self._aligned.add(look.camera)


def _count(look: CameraSight) -> int:
    return len(look.sight.settled.tiles) if look.sight.settled is not None else -1


def _why_not(look: CameraSight, primary: CameraSight) -> str:
    """Say why a camera that works does not count."""
    few = min(_count(look), _count(primary)) < LEAST_TILES
    return (NOT_YET if few else OTHERWISE).format(name=look.camera, first=primary.camera)
