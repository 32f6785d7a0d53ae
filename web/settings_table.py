"""The sections about the table: when it lies still, and how turns are judged and told."""

from __future__ import annotations

from typing import Final

from vision.watching.settings import WatchSettings
from web.live.settings import LiveSettings
from web.settings_base import Section, setting

_WATCH: Final = WatchSettings()
_LIVE: Final = LiveSettings()


class Watching(Section):
    """When a table counts as lying still, and how often it is read."""

    width_px: int = setting(
        _WATCH.width_px,
        "Width of the small picture on which movement is looked for.",
        "pixels",
        ge=80,
        le=1920,
    )
    quiet_s: float = setting(
        _WATCH.quiet_s,
        "How long the table must have been still before it is read.",
        "seconds",
        ge=0,
        le=10,
    )
    least_votes: int = setting(
        _WATCH.least_votes,
        "Frames to read before a table counts, where all agree.",
        "frames",
        ge=1,
        le=20,
    )
    most_votes: int = setting(
        _WATCH.most_votes, "Frames to read where they do not agree.", "frames", ge=1, le=20
    )
    patience_s: float = setting(
        _WATCH.patience_s,
        "How long something may lie over the table, unmoving, before the "
        "table is read all the same.",
        "seconds",
        ge=0,
        le=600,
    )
    lost_patience_s: float = setting(
        _WATCH.lost_patience_s,
        "How long a wholly different view must hold before it is taken for a new table.",
        "seconds",
        ge=0,
        le=600,
    )
    fast_detection_s: float = setting(
        _WATCH.fast_detection_s,
        "How long finding the tiles may take for every frame to be looked at anew; where it "
        "takes longer, they are found once and read several times.",
        "seconds",
        ge=0,
        le=60,
    )


class Table(Section):
    """How turns are judged and told."""

    ruleset: str = setting(
        _LIVE.ruleset,
        "What is judged by while no match is played: a name of `meldwatch rules`, or a house "
        "ruleset's FILE.toml, which can then be chosen for matches, too.",
    )
    auto_accept: bool = setting(
        _LIVE.auto_accept, "Whether a turn that is legal, sure and still counts without a press."
    )
    still_s: float = setting(
        _LIVE.still_s, "How long the table must have been still for that.", "seconds", ge=0, le=600
    )
    grace_s: float = setting(
        _LIVE.grace_s,
        "How long table and record may differ, with no hand seen, before it is said.",
        "seconds",
        ge=0,
        le=600,
    )
    extensions: int = setting(
        _LIVE.extensions, "How often a turn's time can be extended.", "times", ge=0, le=100
    )
    extension_s: float = setting(_LIVE.extension_s, "By how much.", "seconds", ge=1, le=3600)
    picture_every_s: float = setting(
        _LIVE.picture_every_s,
        "At most how often pages are told of a new picture while nothing else happens.",
        "seconds",
        ge=0.1,
        le=60,
    )
    phone_stale_s: float = setting(
        _LIVE.phone_stale_s,
        "How long after its last frame a phone still counts as a camera.",
        "seconds",
        ge=1,
        le=600,
    )
    restart_s: float = setting(
        _LIVE.restart_s,
        "How long to wait before work that failed is taken up again.",
        "seconds",
        ge=0.1,
        le=60,
    )
    history_items: int = setting(
        _LIVE.history_items,
        "How many of the newest events the pages show.",
        "events",
        ge=1,
        le=10_000,
    )
    jpeg_width_px: int = setting(
        _LIVE.jpeg_width_px,
        "Width of the pictures for pages and of the evidence.",
        "pixels",
        ge=160,
        le=4096,
    )
    jpeg_quality: int = setting(
        _LIVE.jpeg_quality, "Their quality as JPEG.", "of 100", ge=10, le=100
    )
