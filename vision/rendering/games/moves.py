"""How the hands of a recorded game move: along which way, when, and with which tiles."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import hypot
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.rendering.layouts import flat
from vision.rendering.reach import Reach

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.camera import Camera
    from vision.rendering.games.script import Spot
    from vision.rendering.games.tiles import Carry
    from vision.rendering.layouts import Pose

SPEED: Final = 14.0  # tile widths a second, as an unhurried arm moves
_GRASP_S, _RELEASE_S = 0.3, 0.4
_SHOULDER: Final = 24.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What differs from the lying tiles at one moment.

    Attributes
    ----------
    reach
        Where the hand is, None for out of the picture.
    carried
        The tiles in it, and where they are.
    gone, waiting
        Tiles that are not on the table, and those that still lie where they lay before.
    """

    reach: Reach | None
    carried: dict[int, Pose] = field(default_factory=dict)
    gone: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()


class Arm:
    """One player's arm: where it comes from, and where it is out of the picture."""

    def __init__(self, side: str, seat: float, camera: Camera, box: tuple[Spot, Spot]) -> None:
        self._side = side
        self._seat = seat
        self._camera = camera
        (self._left, self._top, _), (self._right, self._bottom, _) = box

    def shoulder(self, tip: tuple[float, float]) -> tuple[float, float]:
        """Return where the arm comes from when its fingers are at `tip`."""
        along = {"near": tip[0], "far": tip[0], "left": tip[1], "right": tip[1]}[self._side]
        lean = self._seat * 0.6 + along * 0.4 + (1.5 if self._side in {"near", "right"} else -1.5)
        return {
            "near": (lean, _SHOULDER),
            "far": (lean, -_SHOULDER),
            "left": (-_SHOULDER, lean),
            "right": (_SHOULDER, lean),
        }[self._side]

    def outside(self, tip: tuple[float, float]) -> tuple[float, float]:
        """Return the nearest place back along the arm where no finger can be seen."""
        shoulder = self.shoulder(tip)
        back = np.subtract(shoulder, tip) / hypot(*np.subtract(shoulder, tip))
        at = np.array(tip, float)
        for _ in range(200):
            x, y = self._camera.project(np.array([[*at, 1.0]]))[0]
            if not (self._left < x < self._right and self._top < y < self._bottom):
                break
            at += back * 0.25
        at += back * 2.0  # and the tiles in it
        return float(at[0]), float(at[1])


@dataclass(frozen=True, slots=True)
class _Leg:
    """A stretch of the hand's way, and the tiles in it meanwhile."""

    start: tuple[float, float]
    end: tuple[float, float]
    seconds: float
    carry: Carry | None = None
    gone: frozenset[int] = frozenset()
    waiting: frozenset[int] = frozenset()
    lift: float = 0.0


class Choreography:
    """The way of one hand through the carries of a step."""

    def __init__(self, arm: Arm, carries: Sequence[Carry]) -> None:
        self._arm = arm
        self._legs: list[_Leg] = []
        self._gone = {i for carry in carries if not carry.source for i in carry.ids}
        self._waiting = {i for carry in carries if carry.source for i in carry.ids}
        for carry in carries:
            self._bring(carry)
        if self._legs:
            self._go(arm.outside(self._legs[-1].end))

    def rest(self, at: tuple[float, float], seconds: float) -> None:
        """Reach in, rest there, and go."""
        out = self._arm.outside(at)
        self._add(out, at, _time(out, at), lift=0.6)
        self._add(at, at, seconds)
        self._go(out)

    @property
    def seconds(self) -> float:
        """How long it all takes."""
        return sum(leg.seconds for leg in self._legs)

    def _add(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        seconds: float,
        carry: Carry | None = None,
        lift: float = 0.0,
    ) -> None:
        gone, waiting = frozenset(self._gone), frozenset(self._waiting)
        self._legs.append(_Leg(start, end, seconds, carry, gone, waiting, lift))

    def _go(self, end: tuple[float, float], carry: Carry | None = None) -> None:
        start = self._legs[-1].end
        self._add(start, end, _time(start, end), carry, 0.06 if carry else 0.6)

    def _bring(self, carry: Carry) -> None:
        grip = _grip(carry.source or carry.target, self._arm)
        out = self._arm.outside(grip)
        if not self._legs:
            self._add(out, out, 0.0)
        if carry.source:
            self._go(grip)
            self._add(grip, grip, _GRASP_S, carry)
        else:
            self._go(out)
        self._gone -= set(carry.ids)
        self._waiting -= set(carry.ids)
        end = _grip(carry.target, self._arm) if carry.target else out
        self._go(end, carry)
        if carry.target:
            self._add(end, end, _RELEASE_S)
        else:
            self._gone |= set(carry.ids)

    def at(self, seconds: float) -> Moment:
        """Return what is seen `seconds` after the hand sets out."""
        for leg in self._legs:
            if seconds < leg.seconds:
                return self._moment(leg, seconds / leg.seconds)
            seconds -= leg.seconds
        return Moment(None, {}, frozenset(self._gone))

    def _moment(self, leg: _Leg, share: float) -> Moment:
        eased = share * share * (3 - 2 * share)
        x, y = (a + (b - a) * eased for a, b in zip(leg.start, leg.end, strict=True))
        height = leg.lift * 4 * eased * (1 - eased)
        reach = Reach((x, y), self._arm.shoulder((x, y)), height)
        carried = {} if leg.carry is None else _carried(leg, eased, (x, y), height)
        return Moment(reach, carried, leg.gone, leg.waiting)


def _carried(leg: _Leg, eased: float, tip: tuple[float, float], height: float) -> dict[int, Pose]:
    """Return where carried tiles are: turning from how they lay to how they will lie."""
    carry = leg.carry
    if carry is None:
        return {}
    share = eased if leg.start != leg.end else 0.0
    sources = carry.source or carry.target
    targets = carry.target or carry.source
    start, end = _middle(sources), _middle(targets)
    if not carry.source:
        start = end
    if not carry.target:
        end = start
    hold_start = np.subtract(leg.start, start) if carry.source else np.subtract(leg.end, end)
    hold_end = np.subtract(leg.end, end) if carry.target else hold_start
    middle = np.array(tip) - (hold_start + (hold_end - hold_start) * share)
    poses = {}
    for i, one, other in zip(carry.ids, sources, targets, strict=True):
        offset = one.centre[:2] - start
        offset = offset + (other.centre[:2] - end - offset) * share
        x, y = middle + offset
        turn = _angle(one) + _shortest(_angle(other) - _angle(one)) * share
        poses[i] = flat(one.name, x, y, turn, 0, lift=height)
    return poses


def _grip(poses: Sequence[Pose], arm: Arm) -> tuple[float, float]:
    """Return where the finger tips hold tiles: a little on the player's side of their middle."""
    x, y = _middle(poses)
    shoulder = np.array(arm.shoulder((x, y)))
    back = shoulder - (x, y)
    x, y = np.array([x, y]) + back / np.linalg.norm(back) * 0.15
    return float(x), float(y)


def _middle(poses: Sequence[Pose]) -> tuple[float, float]:
    x, y = np.mean([pose.centre[:2] for pose in poses], axis=0)
    return float(x), float(y)


def _angle(pose: Pose) -> float:
    return float(np.arctan2(pose.right[1], pose.right[0]))


def _shortest(turn: float) -> float:
    return float((turn + np.pi) % (2 * np.pi) - np.pi)


def _time(start: tuple[float, float], end: tuple[float, float]) -> float:
    return max(0.4, hypot(end[0] - start[0], end[1] - start[1]) / SPEED)
