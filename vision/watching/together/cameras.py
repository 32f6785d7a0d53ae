"""Several cameras over one table: what their watchers say becomes one sight."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from vision.watching.settings import WatchSettings
from vision.watching.sights import Phase, Sight
from vision.watching.together.joint import Joint, own_id
from vision.watching.together.lineup import Lineup, Standing
from vision.watching.together.merge import AlignedView, accused_by
from vision.watching.together.pace import Pace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.tiles import Tile
    from vision.watching.sights import SettledTable
    from vision.watching.together.pace import CameraSight

_THING_S: Final = WatchSettings().patience_s  # until what covers tiles is no resting hand


class Together:
    """Makes one sight of what the cameras' watchers say; for one thread at a time.

    A single camera is taken at its word.

    Attributes
    ----------
    standing
        Which cameras count.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.standing = Standing()
        self._joint = Joint(rules)
        self._pace = Pace()
        self._lineup = Lineup(self._pace)
        self._hand = False
        self._own: tuple[SettledTable, SettledTable] | None = None

    @property
    def joined(self) -> bool:
        """Whether the table was settled by several cameras together."""
        return self._joint.settled is not None

    def see(self, looks: Sequence[CameraSight], newest: CameraSight, now_s: float) -> Sight:
        """Say what all cameras make of the table.

        Parameters
        ----------
        looks
            What each camera in use said last, the best camera first.
        newest
            The one that has just been looked through.
        now_s
            The time, by the clock by which pictures are taken.
        """
        self._pace.note(newest)
        shown = self._lineup.primary
        primary, counting, self.standing = self._lineup.choose(looks, now_s)
        if self.joined and shown is not None and shown != primary.camera:
            self._show_through(shown, primary)
        sight = newest.sight
        if newest in counting and sight.fresh and sight.settled is not None:
            self._hand |= sight.settled.after_hand
        if len(counting) == 1 and not self.joined:
            return self._alone(primary, newest)
        return self._joined(primary, counting, newest)

    def seen_by(self, tile_id: int) -> tuple[tuple[int, int], ...]:
        """Return the watchers that see a tile, by number, with their own ids of it."""
        return self._joint.seen_by(tile_id)

    def told(
        self, news: Mapping[int, SettledTable], words: Mapping[int, Tile | None]
    ) -> SettledTable:
        """Take in what a person said of the joined table's tiles; as `Joint.told`."""
        return self._joint.told(news, words)

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        """Judge by other rules from now on."""
        return self._joint.use_rules(rules)

    def as_shown(self, look: CameraSight) -> SettledTable | None:
        """Return a camera's own table with ids that no other camera's tiles have."""
        settled = look.sight.settled
        if settled is None or not look.source:
            return settled
        if self._own is None or self._own[0] is not settled:
            tiles = tuple(replace(tile, id=own_id(look.source, tile.id)) for tile in settled.tiles)
            self._own = settled, replace(settled, tiles=tiles)
        return self._own[1]

    def _show_through(self, before: str, primary: CameraSight) -> None:
        """Go over to another camera's picture; where nothing joins the two, begin anew."""
        move, settled = self._lineup.known_map(before), primary.sight.settled
        if move is None or settled is None:
            self._joint.forget()
            self._hand = False
        else:
            self._joint.move_to(move, (settled.height_px, settled.width_px))

    def _alone(self, look: CameraSight, newest: CameraSight) -> Sight:
        self._hand = False
        sight, settled = look.sight, self.as_shown(look)
        if look is newest and settled is sight.settled:
            return sight
        number, fresh = newest.sight.frame_number, sight.fresh and look is newest
        return replace(sight, frame_number=number, settled=settled, fresh=fresh)

    def _joined(
        self, primary: CameraSight, counting: Sequence[CameraSight], newest: CameraSight
    ) -> Sight:
        """Wait until nobody sees anything move, then settle what all see."""
        for phase in (Phase.HAND, Phase.MOVING, Phase.LOST):
            busy = next((look for look in counting if look.sight.phase is phase), None)
            if busy is not None:
                return self._say(phase, newest, busy.sight.message)
        if any(self._pace.is_behind(look, counting) for look in counting):
            return self._say(Phase.MOVING, newest)
        still = [look for look in counting if look.still]
        covered = [look for look in counting if not look.still]
        hidden = self._joint.show_covered(
            {look.source: look.sight.settled for look in covered if look.sight.settled},
            self._views(still),
        )
        waits = [look for look in covered if self._pace.lasts_s(look) < _THING_S]
        if hidden or waits or not still:
            return self._say(Phase.COVERED, newest, (waits or covered)[0].sight.message)
        return self._settle(primary, still, newest)

    def _views(self, looks: Sequence[CameraSight]) -> list[AlignedView]:
        return [
            AlignedView(
                look.camera, look.source, table, self._lineup.map_of(look), accused_by(table)
            )
            for look in looks
            if (table := look.sight.settled) is not None
        ]

    def _settle(
        self, primary: CameraSight, still: Sequence[CameraSight], newest: CameraSight
    ) -> Sight:
        views = self._views(still)
        if self._joint.is_of(views):
            return self._say(Phase.STABLE, newest)
        settled = primary.sight.settled or views[0].table
        shape = settled.height_px, settled.width_px
        self._joint.settle(views, shape, after_hand=self._hand)
        self._hand = False
        return self._say(Phase.STABLE, newest, fresh=True)

    def _say(
        self, phase: Phase, newest: CameraSight, message: str = "", *, fresh: bool = False
    ) -> Sight:
        return Sight(phase, newest.sight.frame_number, self._joint.settled, fresh, message)
