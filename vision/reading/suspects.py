"""Which boxes are left out, and which stay in doubt whatever their face reads.

Both lean on what a box looks like beside the others: what is certainly no tile is not asked
about, and what may be one is never left out of a row, as a set that lost it would be accused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from vision.doubts import CROWDED, FOREIGN, LARGER, NARROWER, SMALLER
from vision.faces import LIKELY, NOT_UPRIGHT
from vision.outlines import (
    DWARF,
    ENOUGH_TO_FIT,
    GIANT,
    NARROW,
    collide,
    relative_size,
    relative_width,
)
from vision.reading.overlooked import READABLE

if TYPE_CHECKING:
    from vision.reading.sight import Sight
    from vision.types import Flags, Floats

SURE_DETECTION: Final = 0.6
# A tile: what is less, lies alone and is unreadable is left out. What reads is left out where it
# is likelier none, as the numbers of score sheets: of 30,330 surely read tiles of photographs and
# scenes two are less than 0.98, and none less than 0.95.
SURELY: Final = 0.9
# A tile, and how likely its likeliest face: what is less in both, and not surely found, is a gap
# between tiles, even in a row. Of 21 gaps that read as little 13 are, and of 62 tiles none.
NEVER, BLANK = 0.05, 0.4
# A tile, and its light against the middle one: what is less in both and does not read surely is
# none, even in a row. What a lamp drowns is as light as other tiles. Of 48 boxes there that are
# none and do not read surely 14 are less; of 93,000 tiles one, under a hand.
HARDLY, DULL = 0.2, 0.9
# A tile: what is less and has none so sure beside it is in doubt, as a letter of a cloth may be
# read surely, and a keypad's keys lie in rows. Of 1,016 lone tiles of scenes that are read surely
# 30 are less, and of 8 boxes that are none 5. Among 9,180 such tiles of 240 tables no sure one
# beside them puts 1 in doubt, and 16 of 27 boxes that are none. Where most boxes of a picture are
# less, but `SURELY` tiles, so are 48 that are read surely and are tiles, and 1 that is none.
ALONE: Final = 0.98
# Numbers that no half of another one looks like: an 11 may be what a thumb leaves of a 12 or 13.
WHOLE: Final = (10, 12, 13)
# A face's light against the picture's middle one: tiles in a hand's shadow send out a quarter,
# in a hard one an eighth; black plastic with a word on it sends out less, and may look like a
# joker. So what sends out less must be a tile with `ALONE`: of 590 tables and 828 photographs in
# other light 25 tiles that dark are, and none of 111 boxes that are none.
SHADED, UNLIT = 0.22, 0.125
ENOUGH_FACES: Final = 4
# Side by side, each as large as a tile is there, found and a tile with so much, and no back: a row
# of a set so like its table that nobody has met it, to be asked about. Of 60 tables each of nine
# suites and 2,000 scenes these are rows on three and something else on as many.
ENOUGH_IN_ROW: Final = 3
HALF_FOUND, HARDLY_EVER, BACK = 0.4, 0.03, 0.9
AS_LARGE: Final = (0.92, 1.08)


def remaining(sight: Sight, row: Flags, best: Floats, sure: float, cut: Flags) -> Flags:
    """Tell which of n boxes are not left out, (n,).

    Parameters
    ----------
    row
        (n, n) from `beside`.
    best
        (n,): how likely each one's likeliest face is.
    sure
        What that must be for the face to be sure.
    cut
        (n,): which the picture's edge cuts.
    """
    nothing = sight.numbers[:, NOT_UPRIGHT]
    vouched = _vouched(sight, row)
    # A tile that shows nothing: a lamp may drown it, or a hand lie on it.
    blank = sight.genuine >= np.where(vouched, NEVER, SURELY)
    keep = (nothing < LIKELY) | (sight.confidences >= SURE_DETECTION) | cut | blank
    least = np.where(best >= READABLE, LIKELY, SURELY)
    gap = (sight.genuine < NEVER) & (best < BLANK) & (sight.confidences < SURE_DETECTION)
    light = _relative(sight.light)
    dull = (sight.genuine < HARDLY) & (best < sure) & (light < DULL)
    tile = sight.genuine >= ALONE
    # Where nothing looks like a tile the set may be like no other; then what reads is asked about.
    strange = (best >= sure) & ~tile.any()
    keep &= (vouched & ~gap & ~dull) | (sight.genuine >= least) | strange
    keep |= _rows_like_tiles(sight, row, ~keep & ~cut)
    return np.asarray(keep & ((light >= UNLIT) | (tile & (best >= READABLE))))


def suspicions(
    sight: Sight, row: Flags, keep: Flags, unsure: Flags
) -> tuple[tuple[Flags, str], ...]:
    """Return doubts, the gravest last, each with the boxes it falls on of the m that stay, (m,).

    They outweigh a doubt about which face a box shows, which the tiles that lie elsewhere may
    settle: no face is sure of what may be no tile.

    Parameters
    ----------
    row
        (n, n) from `beside`.
    keep
        (n,): which stay.
    unsure
        (m,): which are unsure as they are read.
    """
    quads = sight.quads_img[keep]
    # Where the detector found nothing, the verifier was not asked.
    found = keep & (sight.confidences > 0)
    tile = found & (sight.genuine >= ALONE)
    # Where few surely are tiles the set may be like no other; then any beside it will do, and
    # where most nearly are, those that lie alone look no less like tiles than the others.
    usual = _most(tile, found)
    alike = not usual and found.sum() >= ENOUGH_FACES and _most(sight.genuine >= SURELY, found)
    among, lit = (row & (tile if usual else keep)).any(1), _relative(sight.light) >= SHADED
    enough = np.where(among, LIKELY, SURELY if alike else ALONE)
    foreign = sight.genuine < np.where(lit, enough, ALONE)
    size = relative_size(quads, ~unsure)
    width = relative_width(quads, row[np.ix_(keep, keep)] & ~unsure)
    number = sight.numbers[keep].argmax(1) + 1
    return (
        ((width < NARROW) & ~np.isin(number, WHOLE), NARROWER),
        (size > GIANT, LARGER),
        (size < DWARF, SMALLER),
        (foreign[keep], FOREIGN),
        (collide(quads), CROWDED),
    )


def _vouched(sight: Sight, row: Flags) -> Flags:
    """Tell which boxes lie in a row with what likely is a tile: beside one anything may be one."""
    return np.asarray((row & (sight.genuine > LIKELY)).any(1))


def _most(these: Flags, of: Flags) -> bool:
    """Tell whether more than half of some boxes (n,) are among `these`, (n,)."""
    return bool(2 * (these & of).sum() > of.sum())


def _rows_like_tiles(sight: Sight, row: Flags, left_out: Flags) -> Flags:
    """Tell which of what would be left out (n,) lies as the tiles of a row do, (n,)."""
    tile = sight.genuine >= ALONE
    somewhat = (sight.confidences >= HALF_FOUND) & (sight.genuine >= HARDLY_EVER)
    alike = left_out & somewhat & (sight.numbers[:, NOT_UPRIGHT] < BACK)
    if alike.sum() < ENOUGH_IN_ROW or tile.sum() < ENOUGH_TO_FIT:
        return np.zeros_like(alike)
    size = relative_size(sight.quads_img, tile)
    alike &= (size > AS_LARGE[0]) & (size < AS_LARGE[1])
    return np.asarray(alike & ((row & alike).sum(1) >= ENOUGH_IN_ROW - 1))


def _relative(light: Floats) -> Floats:
    """Return (n,) against the middle one; of too few nobody can say which is like the others."""
    if len(light) < ENOUGH_FACES:
        return np.ones_like(light)
    return np.asarray(light / max(float(np.median(light)), 1e-3), np.float32)
