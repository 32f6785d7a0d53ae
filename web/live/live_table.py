"""The live table: one worker looks, people command, everyone is told."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any, Final, Self

from referee.events import MatchError
from referee.match_state import Phase
from referee.phrases import say
from vision.watching import Watcher as RealWatcher
from web.live import commands
from web.live.adviser import Adviser
from web.live.desk import Desk
from web.live.ending import Ending
from web.live.errors import CommandError
from web.live.eyes import Eyes
from web.live.game import Game
from web.live.pictures import Pictures
from web.live.reading import ReaderInUse
from web.live.settings import LiveSettings
from web.live.telling import Teller
from web.live.watching import Watching
from web.live.words import Words
from web.store import StaleMatchError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from referee.phrases import Phrase
    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader
    from vision.types import Floats, Pixels
    from web.live.borders import Feed, Phone, Snapshot, Store, Watcher
    from web.live.desk import Errand
    from web.live.eyes import Frame
    from web.live.subscriptions import Subscription

_log = logging.getLogger(__name__)
_WAIT_S: Final = 0.25
"""How long the worker waits for a frame before it looks at the time again."""
_BY_THE_TABLE: Final = frozenset({"end_turn", "time_out"})
"""Commands that end a turn by what lies there; time that runs out may leave it disturbed."""


class LiveTable:
    """Cameras, watcher, referee and store as one table; for many threads.

    Parameters
    ----------
    reader
        Reads pictures, until `use_reader`; shared with the watcher, so two threads may use it at a
        time.
    store
        Keeps the match. The one that was played last, if it is not over, goes on where it stood.
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
        self._reader = ReaderInUse(reader)
        self._lock = threading.RLock()
        self._eyes = Eyes(feeds, open_phone, clock, settings.phone_stale_s)
        rules = settings.rules(settings.ruleset)
        self._watching = Watching(lambda rules: make_watcher(self._reader.now, rules), rules)
        self._pictures = Pictures(self._eyes, settings)
        self._game = Game(store, settings, clock, self._pictures.evidence)
        self._words = Words(self._game.kept)
        self._desk = Desk(
            self._game,
            self._watching,
            self._words,
            clock,
            self._pictures.nearest,
            self._reader.read,
        )
        self._adviser = Adviser()
        self._afresh: Sequence[Frame] = ()
        self._unread = False
        self._closed = threading.Event()
        self._worker = threading.Thread(target=self._work, name="live-table", daemon=True)
        self._resume()
        self._follow_words()
        self._teller = Teller(self._eyes, self._game, settings, clock)
        self._ending = Ending(self._game, self._teller, clock, self._run)

    def _resume(self) -> None:
        """Go on with the match that was opened last, or else the newest, unless it is over."""
        for number in self._game.kept.latest():
            try:
                self._game.open(number)
            except MatchError as error:
                _log.warning("match %d was not taken up again: %s", number, error)
                continue
            match = self._game.playing()
            if match.phase is not Phase.OVER:
                self._watching.use_rules(match.rules)
                return
            self._game.leave()

    def _follow_words(self) -> None:
        """Keep what people's words for tiles are now; recall those of a match that is opened."""
        recalled = self._words.open(self._watching.lying)
        if recalled is not None:
            self._watching.recall(recalled)
            if not (self._game.settled and self._game.settled.tiles):
                self._game.corrections.recall(recalled)
        self._words.follow(self._watching.lying)

    def _forget(self) -> None:
        """Begin to look anew; what people said of the tiles stands."""
        self._watching.forget()
        with self._lock:
            self._game.corrections.recall(self._watching.lying)

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
        self._teller.close()

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    # For the pages

    def snapshot(self) -> Snapshot:
        """Return the state as it is now."""
        return self._teller.snapshot()

    def subscribe(self) -> Subscription:
        """Follow the changes from now on; close the subscription when done."""
        return self._teller.subscribe()

    def command(self, name: str, values: Mapping[str, Any]) -> None:
        """Do what a person asked for.

        Raises
        ------
        CommandError
            If it cannot be done; the message says why, and what to do.
        """
        with self._lock:
            self._ending.forget()
            try:
                if name in _BY_THE_TABLE and self._ending.has_to_wait:
                    commands.check_records(self._desk, values)
                    self._ending.wait(name, values)
                    return
                errand = self._run(name, values)
                self._follow_words()
            finally:
                self._teller.publish()
        if errand is not None:
            self._go(errand)

    def _go(self, errand: Errand) -> None:
        """Do what takes long while others command, and then what is left to do."""
        with commands.in_words():
            finish = errand()
            with self._lock:
                finish()
                self._follow_words()
                self._teller.publish()

    def _run(self, name: str, values: Mapping[str, Any]) -> Errand | None:
        try:
            return commands.run(self._desk, name, values)
        except StaleMatchError as error:
            self._game.reload()
            raise CommandError(error.args[0]) from error
        except StoreError as error:
            raise CommandError(error.args[0]) from error

    def picture_jpeg(self) -> bytes | None:
        """Return the newest picture; None where there is none yet."""
        return self._pictures.jpeg()

    def tile_aside(self, tile_id: int) -> tuple[Pixels, Floats] | None:
        """Return the picture in which a tile is seen best, and its corners there.

        None where the picture that is shown is that.
        """
        with self._lock:
            return self._pictures.aside(self._watching.aside(tile_id))

    def picture_pixels(self) -> Pixels | None:
        """Return the newest picture as the camera gave it, (h, w, 3) uint8 BGR."""
        return self._pictures.pixels()

    def use_reader(self, reader: TableReader) -> None:
        """Read by another reader from now on, beginning with the table as it lies.

        Tiles that were known stay known until it has been read, and a table that lies still is
        read at once: no camera need give another picture for it.
        """
        self._reader.now = reader
        self._forget()
        with self._lock:
            sight = self._teller.sight
            still = sight is not None and sight.still
            self._afresh = self._pictures.again(self._eyes.names()) if still else ()
            self._unread = True

    def _next(self, timeout_s: float) -> Frame | None:
        """Return what is to be looked at anew, else wait for a frame."""
        with self._lock:
            if self._afresh:
                frame, *self._afresh = self._afresh
                return frame
        return self._eyes.newest(timeout_s)

    def push_frame(self, pixels: Pixels, camera: str, *, photo: bool = False) -> None:
        """Take (h, w, 3) uint8 BGR pixels from a phone, of its live picture or of a photo."""
        self._eyes.push(pixels, camera, photo=photo)

    # The worker

    def _work(self) -> None:
        """Look until the end; whatever fails is logged, said, and begun again."""
        while not self._closed.is_set():
            try:
                self.look_once(_WAIT_S)
            except Exception as error:  # noqa: BLE001 - a thread ends here
                _log.exception("looking at the table failed")
                self._forget()
                with self._lock:
                    if isinstance(error, StaleMatchError):
                        self._game.reload()
                    self._teller.notice(_restarted(error))
                    self._teller.publish()
                self._closed.wait(self._settings.restart_s)

    def look_once(self, timeout_s: float) -> None:
        """Wait for one frame and take in what it shows; without one, look at the time."""
        frame = self._next(timeout_s)
        if frame is None:
            with self._lock:
                self._game.moment()
                self._ending.end_if_still()
                self._teller.publish_if_changed()
            return
        sight, corrections = self._watching.look(frame, self._eyes.names())
        with self._lock:
            standing = self._teller.standing = self._watching.standing
            frame = self._pictures.take(frame, standing.primary, fresh=sight.fresh)
            self._teller.frame, self._teller.sight = frame, sight
            self._teller.advice = self._adviser.look(frame, sight)
            hand = sight.fresh and sight.settled is not None and sight.settled.after_hand
            # What a person corrected in the meantime is newer than what was looked at.
            current = corrections == self._watching.corrections
            self._unread = self._unread and sight.settled is None
            settled = self._game.settled if self._unread or not current else sight.settled
            self._game.see(settled, hand=hand, still=sight.still)
            if sight.fresh:
                self._follow_words()
            self._ending.see(sight)
            self._ending.end_if_still()
            self._teller.publish_if_changed()


def _restarted(error: Exception) -> Phrase:
    return say(
        "message.restarted",
        "Looking at the table failed and was begun again: {reason}",
        reason=str(error) or type(error).__name__,
    )
