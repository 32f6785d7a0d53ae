"""The watcher: frames in, settled tables out; it never reads a hand."""

from __future__ import annotations

from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING

from vision.watching.ballot import Ballot
from vision.watching.bare import is_bare
from vision.watching.finding import HIDDEN, Finding, View, covers
from vision.watching.glance import Glance
from vision.watching.listener import Listener
from vision.watching.looker import Looker
from vision.watching.memory import Memory
from vision.watching.regions import share_of
from vision.watching.settings import WatchSettings
from vision.watching.sights import Phase, Sight
from vision.watching.states import BLACK, Hands, Stillness, trouble_of

if TYPE_CHECKING:
    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader
    from vision.types import Picture
    from vision.watching.glance import Mask
    from vision.watching.motion import Change
    from vision.watching.sights import FrameLike

BLIND_S = 2.5  # without a frame: hands may have come and gone
RELIABLE = 0.7  # of the contrast before: good enough to compare with from now on
# Without a moment's rest: a turn may take hands long.
RESTLESS_S = {Phase.MOVING: 30.0, Phase.HAND: 120.0}
READING = "Reading the table ..."
RESTLESS = (
    "Something in the picture keeps moving or flickering: the table is read once nothing does. "
    "Let the camera see the table alone, in steady light."
)
DIFFERENT = "The picture shows something else: point the camera at the table again."


class Watcher(Listener):
    """Watches one camera's frames; its methods may be called from several threads.

    Parameters
    ----------
    reader
        Reads a frame once the table lies still.
    rules
        What the tables are judged by.
    """

    def __init__(
        self, reader: TableReader, rules: Ruleset, settings: WatchSettings | None = None
    ) -> None:
        self._settings = settings or WatchSettings()
        self._looker = Looker(reader, self._settings.fast_detection_s)
        super().__init__(Memory(rules), RLock())
        self._forget()

    def _forget(self) -> None:
        self._still = Stillness()
        self._hands = Hands()
        self._ballot = Ballot()
        self._rest: Phase | None = None
        self._message = ""
        self._must_read = True
        self._strange_since_s: float | None = None
        self._meanwhile = Phase.LOST, DIFFERENT
        self._troubled_since_s: float | None = None
        self._shape: tuple[int, ...] = ()
        self._photo = False
        self._seen_s: float | None = None
        self._restless_since_s: float | None = None

    def look(self, frame: FrameLike, *, photo: bool = False) -> Sight:
        """Look at the next frame; cheap where nothing changed.

        Parameters
        ----------
        photo
            Whether it is a photo instead of a frame of a film. Somebody took it of the table as
            it is to be read: between two of them there were hands, but in it there are none, and
            however different it looks, it is the table.
        """
        with self._lock:
            if frame.pixels.shape != self._shape:
                self._forget()
                self._memory.forget()
                self._shape = frame.pixels.shape
            self._photo = photo
            self._note_gap(frame)
            glance = Glance.of(frame.pixels, self._settings.width_px)
            sight = self._sight(View(frame, glance, self._memory.reference))
            return self._unless_restless(sight, frame.taken_s)

    def _note_gap(self, frame: FrameLike) -> None:
        """Note whether nobody has looked for a while: the camera was lost, or the machine busy."""
        if self._seen_s is not None and frame.taken_s - self._seen_s >= BLIND_S:
            self._hands.unwatched = True
        self._seen_s = frame.taken_s

    def _unless_restless(self, sight: Sight, time_s: float) -> Sight:
        """Say so where the table has not come to rest for long."""
        longest_s = RESTLESS_S.get(sight.phase)
        if longest_s is None:
            self._restless_since_s = None
            return sight
        if self._restless_since_s is None:
            self._restless_since_s = time_s
        restless = time_s - self._restless_since_s >= longest_s
        return replace(sight, message=RESTLESS) if restless and not sight.message else sight

    def _look_again(self) -> None:
        if self._rest is Phase.COVERED:  # what lies under the thing may be settled now
            self._rest = None
            self._must_read = True

    def _read_anew(self) -> None:
        self._rest = None
        self._must_read = self._hands.unwatched = True

    def _sight(self, view: View) -> Sight:
        if self._rest and self._still.is_as_before(view.glance):
            return self._still_so(view, self._rest)
        if view.glance.is_black:
            self._troubled_since_s = None  # what lay there may be gone when there is light again
            return self._lose(view, BLACK)
        if not self._still.moved(view.glance, view.frame.taken_s):
            return self._still_so(view, self._rest) if self._rest else self._quiet(view)
        trouble = trouble_of(view.glance, view.reference, view.change)
        if trouble and not self._may_be_read(view):
            return self._lose(view, trouble)
        self._troubled_since_s = None
        busy = self._moving(view)
        return self._quiet(view) if self._photo else busy

    def _still_so(self, view: View, rest: Phase) -> Sight:
        """Nothing has changed, not even while nobody looked."""
        self._hands.unwatched = False
        return self._say(view, rest, self._message)

    def _may_be_read(self, view: View) -> bool:
        """Tell whether so little has been seen for so long that it is to be read all the same.

        A plain table from which all tiles were taken, or most, looks as if it was out of focus.
        """
        if self._troubled_since_s is None:
            self._troubled_since_s = view.frame.taken_s
        held_s = view.frame.taken_s - self._troubled_since_s
        if held_s >= self._settings.patience_s:
            return True
        return held_s >= self._settings.lost_patience_s and self._looks_bare(view)

    def _looks_bare(self, view: View) -> bool:
        reference = view.reference
        return reference is not None and is_bare(
            reference.glance, self._memory.quads_img, view.glance
        )

    def _say(self, view: View, phase: Phase, message: str = "", *, fresh: bool = False) -> Sight:
        return Sight(phase, view.frame.number, self._memory.settled, fresh, message)

    def _lose(self, view: View, message: str) -> Sight:
        self._still.forget()
        self._ballot = Ballot()
        self._rest = None
        self._must_read = True
        return self._say(view, Phase.LOST, message)

    def _moving(self, view: View) -> Sight:
        self._memory.show_covered()
        self._rest = None
        self._ballot = Ballot()
        self._strange_since_s = None
        reference = self._memory.reference
        if reference is not None and view.change is not None and not self._photo:
            self._hands.note(reference, view.glance, view.change)
        return self._say(view, self._busy)

    @property
    def _busy(self) -> Phase:
        return Phase.HAND if self._hands.here else Phase.MOVING

    def _quiet(self, view: View) -> Sight:
        """Nothing moves any more, but whether the table is as it was is not known yet."""
        quiet_s = view.frame.taken_s - self._still.since_s
        if quiet_s < self._settings.quiet_s and not self._photo:
            return self._say(view, self._busy)
        reference, change = self._memory.reference, view.change
        if reference is None or change is None:
            return self._read(view)
        if self._is_lately_strange(view):
            return self._say(view, *self._meanwhile)
        if not (self._must_read or self._hands.seen or change.any):
            return self._as_before(view, change)
        if not (self._ballot.frames or self._photo) and quiet_s < self._settings.patience_s:
            arms = reference.resting_arms(view.glance, change)
            moved = not arms.any() or reference.move_to(view.glance, change) is not None
            if not moved and not self._looks_bare(view):
                return self._arm_rests(view, arms)
        return self._read(view)

    def _as_before(self, view: View, change: Change) -> Sight:
        """Something moved, and all lies as it lay."""
        if change.light_differs and change.gain > RELIABLE:
            self._memory.refer_to(view.glance)
        self._still.rest_on(view.glance)
        self._hands.unwatched = False
        self._rest, self._message = Phase.STABLE, ""
        return self._say(view, Phase.STABLE)

    def _arm_rests(self, view: View, arms: Mask) -> Sight:
        """Something that reached in holds still: a hand at rest, or a thing that was put there."""
        hidden = [
            tile
            for tile in self._memory.known
            if not tile.absent and share_of(tile.quad_img, arms, view.glance.scale) > HIDDEN
        ]
        if not hidden:
            return self._say(view, Phase.HAND)
        self._memory.show_covered(hidden)
        return self._say(view, Phase.COVERED, covers(hidden))

    def _read(self, view: View) -> Sight:
        crossing = self._memory.rules.two_dimensional
        pixels, before = view.frame.pixels, self._ballot.frames
        seen = self._looker.read(pixels, before, two_dimensional=crossing)
        self._ballot.add(seen.readings)
        if not self._ballot.is_complete(self._settings):
            return self._say(view, Phase.MOVING, READING)
        places = self._ballot.elected()
        self._ballot = Ballot()
        finding = Finding.of(self._memory, places, view.glance)
        return self._conclude(view, finding, seen.picture)

    def _conclude(self, view: View, finding: Finding, picture: Picture) -> Sight:
        if self._is_strange(view, finding):
            return self._strange(view, finding)
        moved = finding.move is not None
        hand = self._hands.sure or (self._hands.maybe and not moved)
        explained = hand or self._photo or self._memory.settled is None
        unwatched = self._hands.unwatched
        look = finding.look(view.frame.pixels, hand_seen=explained, unwatched=unwatched)
        known = self._memory.reconciled(finding.known, finding.places, look)
        hidden = [tile for tile in known if tile.covered and finding.in_view(tile)]
        self._still.rest_on(view.glance)
        if hidden:
            self._memory.show_covered(hidden)
            self._rest, self._message = Phase.COVERED, covers(hidden)
            return self._say(view, Phase.COVERED, self._message)
        self._memory.left_out = finding.still_left_out(hand_seen=hand or self._photo)
        fresh = self._memory.settle(known, view, picture, after_hand=hand, moved=moved)
        self._hands.forget()
        self._must_read = False
        self._rest, self._message = Phase.STABLE, ""
        return self._say(view, Phase.STABLE, fresh=fresh)

    def _is_lately_strange(self, view: View) -> bool:
        since_s = self._strange_since_s
        patience_s = self._settings.lost_patience_s
        return since_s is not None and view.frame.taken_s - since_s < patience_s

    def _is_strange(self, view: View, finding: Finding) -> bool:
        """Tell whether hands that were seen don't explain what is seen now."""
        if not self._hands.sure:
            return finding.is_strange or finding.is_cleared
        # A hand that covers the lens leaves nothing to be seen, too, but not the table.
        nothing = not finding.places and not finding.is_cleared
        trouble = trouble_of(view.glance, view.reference, view.change)
        return finding.is_strange and nothing and bool(trouble)

    def _strange(self, view: View, finding: Finding) -> Sight:
        """Nothing is where it was: the camera looks elsewhere, or was put elsewhere for good.

        Or else the table was cleared, and nobody saw the hands.
        """
        self._must_read = True
        trouble = trouble_of(view.glance, view.reference, view.change)
        self._meanwhile = Phase.LOST, trouble or DIFFERENT
        if finding.is_cleared:
            self._meanwhile = Phase.MOVING, READING
        if not finding.is_cleared and not finding.shows_tiles(sure=bool(trouble)):
            self._rest, self._message = self._meanwhile
        elif self._strange_since_s is None and not self._photo:
            self._strange_since_s = view.frame.taken_s
        elif self._photo or not self._is_lately_strange(view):
            self._meanwhile = Phase.MOVING, READING
            self._strange_since_s = None
            self._memory.forget()
            self._hands.forget()
        return self._say(view, *self._meanwhile)
