"""Stand-ins for cameras and watcher, and tables settled by a word."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from referee import judge_table, load_ruleset, parse_table
from referee.tiles import Tile
from tests.fakes import blank, quad_at
from vision.types import Layout, Placed, Reading, stack
from vision.watching.left_out import LeftOut
from vision.watching.recalled import Lying
from vision.watching.sights import Phase, SeenTile, SettledTable, Sight

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from referee.ruleset import Ruleset
    from referee.table import Grid, TileSet
    from vision.types import Floats, Pixels
    from vision.watching.memory import Mark
    from vision.watching.sights import Status
    from web.live.borders import Frame as AnyFrame

STANDARD = load_ruleset("standard")


def settled(  # noqa: PLR0913 - every kind of tile
    table: str,
    *,
    doubts: Mapping[str, str] | None = None,
    doubtful: Sequence[str] = (),
    covered: Sequence[str] = (),
    alternatives: Mapping[str, tuple[tuple[str, float], ...]] | None = None,
    number: int = 1,
    after_hand: bool = True,
    rules: Ruleset = STANDARD,
) -> SettledTable:
    """A table as notation says; marks go by face, all tiles of it."""
    parts = parse_table(table).parts
    tiles: list[SeenTile] = []
    placed = []
    for row, part in enumerate(parts):
        cells = []
        for r, line in enumerate(_rows(part)):
            numbers: list[int | None] = []
            for column, tile in enumerate(line):
                if tile is None:
                    numbers.append(None)
                    continue
                others = (alternatives or {}).get(str(tile), ())
                reading = Reading(
                    tile,
                    0.5 if str(tile) in (doubts or {}) else 0.99,
                    tuple((Tile.parse(face), chance) for face, chance in others),
                    (doubts or {}).get(str(tile), ""),
                )
                place = quad_at(50 + 61 * column, 40 + 160 * row + 95 * r)
                seen = SeenTile(len(tiles), reading, place, _status(str(tile), doubtful, covered))
                numbers.append(len(tiles))
                tiles.append(seen)
            cells.append(tuple(numbers))
        placed.append(Placed(tuple(cells)))
    return judged(tuple(tiles), Layout(tuple(placed)), number, rules, after_hand=after_hand)


def _rows(part: TileSet | Grid) -> Sequence[Sequence[Tile | None]]:
    return getattr(part, "rows", None) or (part.tiles,)


def _status(face: str, doubtful: Sequence[str], covered: Sequence[str]) -> Status:
    return "doubtful" if face in doubtful else "covered" if face in covered else "seen"


def judged(
    tiles: tuple[SeenTile, ...], layout: Layout, number: int, rules: Ruleset, *, after_hand: bool
) -> SettledTable:
    text = " | ".join(
        " / ".join(
            " ".join("." if t is None else str(tiles[t].reading.tile) for t in row)
            for row in placed.cells
        )
        for placed in layout.placed
    )
    table = parse_table(text)
    unsure = frozenset(
        (part, position)
        for part, placed in enumerate(layout.placed)
        for position, tile in enumerate(placed.tiles)
        if tiles[tile].unsure
    )
    verdict = judge_table(table, rules, unsure)
    return SettledTable(number, tiles, layout, table, verdict, 1000, 750, after_hand)


BROKEN = object()
_SCENES: list[tuple[object, Phase]] = []


def picture_of(shows: object, phase: Phase = Phase.STABLE) -> Pixels:
    """A picture in which a fake watcher sees this; its first pixel says which scene it is."""
    _SCENES.append((shows, phase))
    pixels = blank()
    pixels[0, 0] = list((len(_SCENES) - 1).to_bytes(3, "big"))
    return pixels


@dataclass(frozen=True)
class FakeFrame:
    pixels: Pixels
    number: int
    taken_s: float = 0.0
    camera: str = "fake"


class FakeFeed:
    """Gives the frames that a test shows."""

    def __init__(self, name: str = "fake") -> None:
        self.name, self.health, self.message = name, "ok", ""
        self.started = self.stopped = self.closed = False
        self._changed = threading.Condition()
        self._newest: FakeFrame | None = None

    def start(self) -> None:
        self.started = True

    def stop(self) -> None:
        self.stopped = True

    def close(self) -> None:
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def show(self, shows: object, phase: Phase = Phase.STABLE) -> None:
        self.give(picture_of(shows, phase))

    def give(self, pixels: Pixels, taken_s: float = 0.0) -> None:
        with self._changed:
            number = self._newest.number + 1 if self._newest else 0
            self._newest = FakeFrame(pixels, number, taken_s, self.name)
            self._changed.notify_all()

    def newest(self, after: int = -1, timeout_s: float = 1.0) -> FakeFrame | None:
        def there() -> bool:
            return self._newest is not None and self._newest.number > after

        with self._changed:
            self._changed.wait_for(lambda: there() or self.closed, timeout_s)
            return self._newest if there() else None


class FakePhone:
    def __init__(self, name: str) -> None:
        self.feed = FakeFeed(name)

    def push(self, pixels: Pixels) -> None:
        self.feed.give(pixels)


class FakeWatcher:
    """Sees what a frame shows; takes a person's word."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.recalled: tuple[Lying, ...] = ()
        self._settled: SettledTable | None = None
        self._number = 0
        self.left_out: list[Floats] = []

    def look(self, frame: AnyFrame, *, photo: bool = False) -> Sight:
        del photo
        shows, phase = _SCENES[int.from_bytes(frame.pixels[0, 0].tobytes(), "big")]
        if shows is BROKEN:
            raise RuntimeError("the watcher is broken")
        if isinstance(shows, SettledTable):
            self._number += 1
            self._settled = replace(shows, number=self._number)
        return Sight(phase, frame.number, self._settled, isinstance(shows, SettledTable))

    def correct(self, words: Mapping[int, Tile | None]) -> SettledTable:
        for tile_id, tile in words.items():
            self._correct(tile_id, tile)
        assert self._settled is not None
        return self._settled

    def _correct(self, tile_id: int, tile: Tile | None) -> SettledTable:
        assert self._settled is not None
        tiles = list(self._settled.tiles)
        place = next(place for place, seen in enumerate(tiles) if seen.id == tile_id)
        if tile is None:
            return self._without(place)
        tiles[place] = replace(tiles[place], reading=Reading(tile, 1.0), status="corrected")
        return self._now(tuple(tiles), self._settled.layout)

    def _without(self, place: int) -> SettledTable:
        assert self._settled is not None
        tiles = self._settled.tiles[:place] + self._settled.tiles[place + 1 :]
        rows = (
            tuple(t - (t > place) for t in placed.tiles if t != place)
            for placed in self._settled.layout.placed
        )
        return self._now(tiles, Layout(tuple(Placed((row,)) for row in rows if row)))

    def leave_out(self, tile_ids: Sequence[int]) -> SettledTable:
        assert self._settled is not None
        told = [one.quad_img for one in self._settled.tiles if one.id in tile_ids]
        self.left_out = [*self.left_out, *told]
        return self.correct(dict.fromkeys(tile_ids))

    def leave_nothing_out(self) -> SettledTable | None:
        self.left_out = []
        return self._settled and self._now(self._settled.tiles, self._settled.layout)

    def add(self, quad_img: Floats, tile: Tile) -> SettledTable:
        assert self._settled is not None
        old = self._settled
        seen = SeenTile(900 + self._number, Reading(tile, 1.0), quad_img, "corrected")
        rows = [placed.tiles for placed in old.layout.placed]
        before = [row for row in rows if _right_of(old.tiles[row[-1]].quad_img, quad_img)]
        longer = [(*row, len(old.tiles)) if row in before else row for row in rows]
        alone = [] if before else [(len(old.tiles),)]
        layout = Layout(tuple(Placed((row,)) for row in (*longer, *alone)))
        return self._now((*old.tiles, seen), layout)

    def use_rules(self, rules: Ruleset) -> SettledTable | None:
        self.rules = rules
        return self._settled and self._now(self._settled.tiles, self._settled.layout)

    def mark(self) -> Mark:
        return (), self._settled, {}, LeftOut()

    def go_back(self, mark: Mark) -> None:
        self._settled = mark[1]

    def lying(self) -> tuple[Lying, ...]:
        tiles = self._settled.tiles if self._settled else ()
        return tuple(
            Lying(one.quad_img, one.reading.tile, one.reading.tile, one.status == "corrected")
            for one in tiles
        )

    def recall(self, kept: Sequence[Lying]) -> None:
        self.recalled = tuple(kept)

    def _now(self, tiles: tuple[SeenTile, ...], layout: Layout) -> SettledTable:
        self._number += 1
        now = judged(tiles, layout, self._number, self.rules, after_hand=False)
        self._settled = replace(now, left_out_img=stack(self.left_out))
        return self._settled


def _right_of(quad_img: Floats, other: Floats) -> bool:
    """Whether the other tile lies close to the right of one."""
    return bool(abs(other[0] - quad_img[1]).max() < 5)


@dataclass
class Time:
    """A clock that a test moves."""

    now_s: float = 0.0

    def __call__(self) -> float:
        return self.now_s
