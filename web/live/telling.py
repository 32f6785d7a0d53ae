"""Tell everyone how the table stands, when there is something to tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from vision.watching.together.lineup import Standing
from web.live.match_json import clock_json
from web.live.snapshot import build
from web.live.subscriptions import Subscription, Subscriptions
from web.live.views import PictureView, View

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.advice import Advice
    from vision.watching.sights import Sight
    from web.live.borders import Snapshot
    from web.live.eyes import Eyes, Frame
    from web.live.game import Game
    from web.live.settings import LiveSettings

_NOTICE_S: Final = 10.0
"""How long a notice is shown."""
_LOST: Final = "lost"


class Teller:
    """What was last told, and to whom; used under the table's lock, but for `snapshot`.

    Attributes
    ----------
    frame, sight
        The newest picture, and what it showed; None before the first.
    standing
        Which cameras count.
    ending
        Whether a turn is to be ended as soon as the table is still.
    advice
        What keeps the tiles from being read well.
    """

    def __init__(
        self, eyes: Eyes, game: Game, settings: LiveSettings, clock: Callable[[], float]
    ) -> None:
        self.frame: Frame | None = None
        self.sight: Sight | None = None
        self.standing = Standing()
        self.ending = False
        self.advice: tuple[Advice, ...] = ()
        self._eyes = eyes
        self._game = game
        self._settings = settings
        self._clock = clock
        self._notice = ""
        self._notice_until_s = float("-inf")
        self._subscriptions = Subscriptions()
        self._number = 0
        self._told, self._told_s = self._view(), clock()
        self._latest = self._told, self._built()

    def snapshot(self) -> Snapshot:
        """Return the state as it was last told, with the clock as it is now."""
        told, last = self._latest
        play = told.play
        if play is None or play.clock is None or not play.clock.running:
            return last
        return {**last, "clock": clock_json(play.clock, self._clock())}

    def subscribe(self) -> Subscription:
        """Return a place for one more follower."""
        return self._subscriptions.open()

    def notice(self, text: str) -> None:
        """Show a message for a while, before all others; an empty one ends it."""
        self._notice, self._notice_until_s = text, self._clock() + _NOTICE_S

    def publish_if_changed(self) -> None:
        """Tell everyone, unless all there is to tell is that there are newer pictures."""
        view, now_s = self._view(), self._clock()
        newer = view.picture is not None and view.picture != self._told.picture
        due = newer and now_s - self._told_s >= self._settings.picture_every_s
        if due or _what_matters(view, now_s) != _what_matters(self._told, self._told_s):
            self.publish(view)

    def publish(self, view: View | None = None) -> None:
        """Tell everyone."""
        self._told, self._told_s = view or self._view(), self._clock()
        self._latest = self._told, self._built()
        self._subscriptions.publish(self._latest[1])

    def close(self) -> None:
        """Let all followers go."""
        self._subscriptions.close()

    def _built(self) -> Snapshot:
        self._number += 1
        now = datetime.now(UTC)
        return build(self._told, self._number, now, self._told_s, self._settings)

    def _view(self) -> View:
        cameras = self._eyes.views(self.standing)
        active = next((camera for camera in cameras if camera.active), None)
        sight, noticed = self.sight, self._clock() < self._notice_until_s
        messages = (
            self._notice if noticed else "",
            sight.message if sight is not None else "",
            active.message if active is not None else "",
        )
        lost = sight is None or active is None or active.health == _LOST
        return View(
            cameras=cameras,
            phase=_LOST if lost or sight is None else str(sight.phase),
            message=next(filter(None, messages), ""),
            picture=_picture(self.frame),
            settled=self._game.settled,
            rules=self._game.free_rules,
            auto_accept=self._game.auto_accept,
            ending=self.ending,
            advice=() if lost else self.advice,
            declared=dict(self._game.declared),
            corrections=self._game.corrections(),
            play=self._game.view(),
        )


def _picture(frame: Frame | None) -> PictureView | None:
    if frame is None:
        return None
    height_px, width_px = frame.pixels.shape[:2]
    return PictureView(width_px, height_px, frame.number)


def _what_matters(view: View, now_s: float) -> tuple[Any, ...]:
    """Return what followers are told of at once when it changes."""
    play = view.play
    expired = play is not None and play.clock is not None and play.clock.expired(now_s)
    quiet = None if play is None else replace(play, sync=replace(play.sync, since_s=None))
    return replace(view, picture=None, settled=None, play=quiet), id(view.settled), expired
