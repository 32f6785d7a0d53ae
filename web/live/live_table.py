"""The live table: one worker looks, people command, everyone is told."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Self

from referee.match_state import Phase
from referee.rulesets import load_ruleset
from vision.watching import Watcher as RealWatcher
from web.live import commands
from web.live.desk import Desk
from web.live.errors import CommandError
from web.live.evidence import encode_jpeg
from web.live.eyes import Eyes, Frame
from web.live.game import Game
from web.live.match_json import clock_json
from web.live.settings import LiveSettings
from web.live.snapshot import build
from web.live.subscriptions import Subscription, Subscriptions
from web.live.views import PictureView, View
from web.live.watching import Watching
from web.store import StaleMatchError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader, TableReading
    from vision.types import Pixels
    from vision.watching.sights import Sight
    from web.live.borders import Feed, Phone, Snapshot, Store, Watcher

_log = logging.getLogger(__name__)
_WAIT_S: Final = 0.25
"""How long the worker waits for a frame before it looks at the time again."""
_TROUBLE_S: Final = 10.0
"""How long a failure is told of after it is over."""
_STILL: Final = "stable"
_LOST: Final = "lost"
RESTARTED: Final = "Looking at the table failed and was begun again: {}"


class LiveTable:
    """Cameras, watcher, referee and store as one table; for use from many threads.

    Parameters
    ----------
    reader
        Reads pictures; shared with the watcher and used by one thread at a time.
    store
        Keeps the match. The newest match in it, if it is not over, goes on where it stood.
    feeds
        The fixed cameras, the best first; started and closed with the table.
    clock
        A clock that only goes forward, in seconds.
    make_watcher, open_phone
        Make what follows the frames, and what takes those of a phone.
    """

    def __init__(  # noqa: PLR0913 - everything is passed in
        self,
        reader: TableReader,
        store: Store,
        feeds: Sequence[Feed] = (),
        settings: LiveSettings = LiveSettings(),  # noqa: B008 - frozen
        clock: Callable[[], float] = time.monotonic,
        *,
        make_watcher: Callable[[TableReader, Ruleset], Watcher] = RealWatcher,
        open_phone: Callable[[str], Phone],
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._reader = reader
        self._lock = threading.RLock()
        self._eyes = Eyes(feeds, open_phone, clock, settings.phone_stale_s)
        rules = load_ruleset(settings.ruleset)
        self._watching = Watching(lambda rules: make_watcher(reader, rules), rules)
        self._game = Game(store, settings, clock, self._evidence)
        self._desk = Desk(self._game, self._watching, clock, self._read_picture)
        self._subscriptions = Subscriptions()
        self._frame: Frame | None = None
        self._settled_frame: Frame | None = None
        self._sight: Sight | None = None
        self._trouble = ""
        self._trouble_until_s = float("-inf")
        self._number = 0
        self._closed = threading.Event()
        self._worker = threading.Thread(target=self._work, name="live-table", daemon=True)
        self._resume(store)
        self._told, self._told_s = self._view(), clock()
        self._last = self._built()

    def _resume(self, store: Store) -> None:
        """Go on with the newest match, unless it is over."""
        newest = max((row.id for row in store.matches()), default=None)
        if newest is None:
            return
        self._game.open(newest)
        match = self._game.playing()
        if match.phase is Phase.OVER:
            self._game.leave()
        else:
            self._watching.use_rules(match.rules)

    def start(self) -> None:
        """Start the cameras, and begin to look."""
        self._eyes.start()
        self._worker.start()

    def close(self) -> None:
        """Stop looking, and let the cameras and all followers go."""
        self._closed.set()
        self._eyes.close()
        if self._worker.is_alive():
            self._worker.join()
        self._subscriptions.close()

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    # For the pages

    def snapshot(self) -> Snapshot:
        """Return the state as it is now; only its clock is newer than what was last told."""
        play, last = self._told.play, self._last
        if play is None or play.clock is None or not play.clock.running:
            return last
        return {**last, "clock": clock_json(play.clock, self._clock())}

    def subscribe(self) -> Subscription:
        """Follow the changes from now on; close the subscription when done."""
        return self._subscriptions.open()

    def command(self, name: str, values: Mapping[str, Any]) -> None:
        """Do what a person asked for.

        Raises
        ------
        CommandError
            If it cannot be done; the message says why, and what to do.
        """
        with self._lock:
            try:
                commands.run(self._desk, name, values)
            except StaleMatchError as error:
                self._game.reload()
                raise CommandError(str(error)) from error
            except StoreError as error:
                raise CommandError(str(error)) from error
            finally:
                self._publish()

    def picture_jpeg(self) -> bytes | None:
        """Return the newest picture; None where there is none yet."""
        return self._jpeg(self._frame)

    def push_frame(self, pixels: Pixels, camera: str) -> None:
        """Take (h, w, 3) uint8 BGR pixels from a phone."""
        self._eyes.push(pixels, camera)

    def _jpeg(self, frame: Frame | None) -> bytes | None:
        if frame is None:
            return None
        settings = self._settings
        return encode_jpeg(frame.pixels, settings.jpeg_width_px, settings.jpeg_quality)

    def _evidence(self) -> bytes | None:
        return self._jpeg(self._settled_frame or self._frame)

    def _read_picture(self, pixels: Pixels | None) -> TableReading:
        """Read the given picture, else a phone's newest, else the table camera's."""
        if pixels is None:
            pixels = self._eyes.phone_pixels()
        if pixels is None and self._frame is not None:
            pixels = self._frame.pixels
        if pixels is None:
            raise CommandError("There is no picture yet: point a camera at the rack.")
        match = self._game.playing()
        with self._watching.gate.for_a_person():
            return self._reader.read(pixels, match.rules)

    # The worker

    def _work(self) -> None:
        """Look until the end; whatever fails is logged, said, and begun again."""
        while not self._closed.is_set():
            try:
                self.look_once(_WAIT_S)
            except Exception as error:  # noqa: BLE001 - a thread ends here
                _log.exception("looking at the table failed")
                self._watching.forget()
                with self._lock:
                    self._trouble = RESTARTED.format(error or type(error).__name__)
                    self._trouble_until_s = self._clock() + _TROUBLE_S
                    self._publish()
                self._closed.wait(self._settings.restart_s)

    def look_once(self, timeout_s: float) -> None:
        """Wait for one frame and take in what it shows; without one, look at the time."""
        frame = self._eyes.newest(timeout_s)
        if frame is None:
            with self._lock:
                self._game.moment()
                self._publish_if_changed()
            return
        sight, corrections = self._watching.look(frame)
        with self._lock:
            self._frame, self._sight = frame, sight
            hand = sight.fresh and sight.settled is not None and sight.settled.after_hand
            if sight.fresh:
                self._settled_frame = frame
            # What a person corrected in the meantime is newer than what was looked at.
            current = corrections == self._watching.corrections
            settled = sight.settled if current else self._game.settled
            self._game.see(settled, hand=hand, still=str(sight.phase) == _STILL)
            self._publish_if_changed()

    # Telling

    def _view(self) -> View:
        frame, sight, now_s = self._frame, self._sight, self._clock()
        cameras = self._eyes.views()
        active = next((camera for camera in cameras if camera.active), None)
        lost = sight is None or active is None or active.health == _LOST
        message = self._trouble if now_s < self._trouble_until_s else ""
        if not message and sight is not None:
            message = sight.message
        if not message and active is not None:
            message = active.message
        return View(
            cameras=cameras,
            phase=_LOST if lost or sight is None else str(sight.phase),
            message=message,
            picture=_picture(frame),
            settled=self._game.settled,
            rules=self._game.free_rules,
            auto_accept=self._game.auto_accept,
            declared=dict(self._game.declared),
            play=self._game.view(),
        )

    def _publish_if_changed(self) -> None:
        """Tell everyone, unless all there is to tell is that there are newer pictures."""
        view, now_s = self._view(), self._clock()
        frame = self._frame
        newer = frame is not None and (
            self._told.picture is None or frame.number != self._told.picture.number
        )
        due = newer and now_s - self._told_s >= self._settings.picture_every_s
        if due or _what_matters(view, now_s) != _what_matters(self._told, self._told_s):
            self._publish(view)

    def _publish(self, view: View | None = None) -> None:
        self._told, self._told_s = view or self._view(), self._clock()
        self._last = self._built()
        self._subscriptions.publish(self._last)

    def _built(self) -> Snapshot:
        self._number += 1
        now = datetime.now(UTC)
        return build(self._told, self._number, now, self._told_s, self._settings)


def _picture(frame: Frame | None) -> PictureView | None:
    if frame is None:
        return None
    height_px, width_px = frame.pixels.shape[:2]
    return PictureView(width_px, height_px, frame.number)


def _what_matters(view: View, now_s: float) -> tuple[Any, ...]:
    """Return what followers are told of at once when it changes."""
    play = view.play
    settled = view.settled
    expired = play is not None and play.clock is not None and play.clock.expired(now_s)
    quiet = None if play is None else replace(play, sync=replace(play.sync, since_s=None))
    return replace(view, picture=None, settled=None, play=quiet), id(settled), expired
