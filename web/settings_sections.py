"""The sections of the settings: what each setting means, its unit, default and bounds."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from vision.cameras import FeedSettings
from vision.watching.settings import WatchSettings
from web.live.settings import LiveSettings
from web.site.roles import Lifetimes
from web.site.streams import StreamLimits
from web.site.uploads import UploadLimits
from web.store import Room

_PORT: Final = 65_535
_FEED: Final = FeedSettings()
_WATCH: Final = WatchSettings()
_LIVE: Final = LiveSettings()
_LIFE: Final = Lifetimes()
_STREAMS: Final = StreamLimits()
_UPLOADS: Final = UploadLimits()
_ROOM: Final = Room()
_MILLION: Final = 1_000_000


def _setting(default: object, meaning: str, unit: str = "", **bounds: Any) -> Any:  # noqa: ANN401 - as `Field`
    return Field(default, description=meaning, json_schema_extra={"unit": unit}, **bounds)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool) and kind in {int, float}:
            raise ValueError("a number")
        return value


class Pages(_Section):
    """Where the pages are served, and how they look."""

    host: str = _setting(
        "0.0.0.0",  # noqa: S104 - phones come from there
        "The address to listen at; 0.0.0.0 for all networks, :: for IPv6 as well.",
    )
    port: int = _setting(8765, "The port for http.", "port", ge=0, le=_PORT)
    https_port: int = _setting(
        8443,
        "The port for https, which a phone's live picture needs; 0 for none.",
        "port",
        ge=0,
        le=_PORT,
    )
    hosts: tuple[str, ...] = _setting((), "More names and addresses that this machine goes by.")
    language: str = _setting("", "The pages' language, such as en; empty for the browser's.")
    browser: bool = _setting(True, "Whether to open the dashboard in a browser at start.")

    @field_validator("host")
    @classmethod
    def _without_brackets(cls, host: str) -> str:
        """Take an IPv6 address as it stands in links, too."""
        return host.removeprefix("[").removesuffix("]")

    @field_validator("https_port")
    @classmethod
    def _of_its_own(cls, https_port: int, info: ValidationInfo) -> int:
        if https_port and https_port == info.data.get("port"):
            raise ValueError("another port than for http")
        return https_port


class Keeping(_Section):
    """Where matches, secrets and certificates are kept."""

    data: str = _setting("", "The folder for all of it; empty for the usual place.")
    store: str = _setting("", "A database's URL; empty for an SQLite file in that folder.")
    pictures_mb: int = _setting(
        _ROOM.most_bytes // _MILLION,
        "How much the pictures of turns may take up; the oldest go first, records never.",
        "MB",
        ge=1,
        le=1_000_000,
    )
    pictures_days: int = _setting(
        _ROOM.days,
        "How long pictures of turns are kept; 0 for as long as there is room.",
        "days",
        ge=0,
        le=36_500,
    )


class Cameras(_Section):
    """What the table is looked at through."""

    camera: tuple[str, ...] = _setting(
        (),
        "Cameras over one table, the best first: a number, a file or folder, or an http or rtsp "
        "URL; none where phones are used.",
    )
    models: str = _setting("", "The folder of other networks; empty for those of the program.")
    set: str = _setting(
        "",
        "The set of tiles to read by, as it was taught; a later choice on the dashboard goes "
        "before it.",
    )


class Feeds(_Section):
    """When a camera counts as ill."""

    silent_s: float = _setting(
        _FEED.silent_s, "How long it may give no picture.", "seconds", ge=0.5, le=60
    )
    frozen_s: float = _setting(
        _FEED.frozen_s, "How long its picture may stay the very same.", "seconds", ge=0.5, le=600
    )
    black_s: float = _setting(
        _FEED.black_s, "How long its picture may be dark.", "seconds", ge=0, le=600
    )
    swapped_s: float = _setting(
        _FEED.swapped_s, "How long a change of its picture's size is told.", "seconds", ge=0, le=60
    )
    retry_s: float = _setting(
        _FEED.retry_s, "How long to wait before it is opened again.", "seconds", ge=0.1, le=60
    )
    black_level: float = _setting(
        _FEED.black_level, "A picture is dark up to this mean.", "of 255", ge=0, le=255
    )
    black_spread: float = _setting(
        _FEED.black_spread, "A dark picture's standard deviation.", "of 255", ge=0, le=255
    )


class Watching(_Section):
    """When a table counts as lying still, and how often it is read."""

    width_px: int = _setting(
        _WATCH.width_px,
        "Width of the small picture on which movement is looked for.",
        "pixels",
        ge=80,
        le=1920,
    )
    quiet_s: float = _setting(
        _WATCH.quiet_s,
        "How long the table must have been still before it is read.",
        "seconds",
        ge=0,
        le=10,
    )
    least_votes: int = _setting(
        _WATCH.least_votes,
        "Frames to read before a table counts, where all agree.",
        "frames",
        ge=1,
        le=20,
    )
    most_votes: int = _setting(
        _WATCH.most_votes, "Frames to read where they do not agree.", "frames", ge=1, le=20
    )
    patience_s: float = _setting(
        _WATCH.patience_s,
        "How long something may lie over the table, unmoving, before the "
        "table is read all the same.",
        "seconds",
        ge=0,
        le=600,
    )
    lost_patience_s: float = _setting(
        _WATCH.lost_patience_s,
        "How long a wholly different view must hold before it is taken for a new table.",
        "seconds",
        ge=0,
        le=600,
    )
    fast_detection_s: float = _setting(
        _WATCH.fast_detection_s,
        "How long finding the tiles may take for every frame to be looked at anew; where it "
        "takes longer, they are found once and read several times.",
        "seconds",
        ge=0,
        le=60,
    )


class Table(_Section):
    """How turns are judged and told."""

    ruleset: str = _setting(
        _LIVE.ruleset,
        "What is judged by while no match is played: a name of `meldwatch rules`, or a house "
        "ruleset's FILE.toml, which can then be chosen for matches, too.",
    )
    auto_accept: bool = _setting(
        _LIVE.auto_accept, "Whether a turn that is legal, sure and still counts without a press."
    )
    still_s: float = _setting(
        _LIVE.still_s, "How long the table must have been still for that.", "seconds", ge=0, le=600
    )
    grace_s: float = _setting(
        _LIVE.grace_s,
        "How long table and record may differ, with no hand seen, before it is said.",
        "seconds",
        ge=0,
        le=600,
    )
    extensions: int = _setting(
        _LIVE.extensions, "How often a turn's time can be extended.", "times", ge=0, le=100
    )
    extension_s: float = _setting(_LIVE.extension_s, "By how much.", "seconds", ge=1, le=3600)
    picture_every_s: float = _setting(
        _LIVE.picture_every_s,
        "At most how often pages are told of a new picture while nothing else happens.",
        "seconds",
        ge=0.1,
        le=60,
    )
    phone_stale_s: float = _setting(
        _LIVE.phone_stale_s,
        "How long after its last frame a phone still counts as a camera.",
        "seconds",
        ge=1,
        le=600,
    )
    restart_s: float = _setting(
        _LIVE.restart_s,
        "How long to wait before work that failed is taken up again.",
        "seconds",
        ge=0.1,
        le=60,
    )
    history_items: int = _setting(
        _LIVE.history_items,
        "How many of the newest events the pages show.",
        "events",
        ge=1,
        le=10_000,
    )
    jpeg_width_px: int = _setting(
        _LIVE.jpeg_width_px,
        "Width of the pictures for pages and of the evidence.",
        "pixels",
        ge=160,
        le=4096,
    )
    jpeg_quality: int = _setting(
        _LIVE.jpeg_quality, "Their quality as JPEG.", "of 100", ge=10, le=100
    )


class Links(_Section):
    """How long links and cookies let somebody in."""

    organiser_link_h: float = _setting(
        _LIFE.organiser_link_h, "An organiser's link, which works once.", "hours", gt=0, le=168
    )
    link_h: float = _setting(
        _LIFE.link_h, "A camera's or spectator's link.", "hours", gt=0, le=720
    )
    session_h: float = _setting(
        _LIFE.session_h, "A device that has entered.", "hours", gt=0, le=8760
    )


class Limits(_Section):
    """What one client, and all together, may take up."""

    streams: int = _setting(
        _STREAMS.most,
        "Open pages that follow the table, organisers aside; a thread each.",
        "streams",
        ge=1,
        le=500,
    )
    organiser_streams: int = _setting(
        _STREAMS.organisers, "Open pages kept free for organisers.", "streams", ge=1, le=100
    )
    streams_per_device: int = _setting(
        _STREAMS.per_device,
        "Open pages of one device; a further one ends its oldest.",
        "streams",
        ge=1,
        le=100,
    )
    streams_per_address: int = _setting(
        _STREAMS.per_address,
        "Open pages behind one network address, organisers aside.",
        "streams",
        ge=1,
        le=500,
    )
    frame_mb: float = _setting(
        _UPLOADS.frame_bytes / _MILLION, "A frame of a phone's live picture.", "MB", gt=0, le=20
    )
    frame_mpx: float = _setting(
        _UPLOADS.frame_pixels / _MILLION, "Its pixels.", "million pixels", gt=0, le=60
    )
    photo_mb: float = _setting(_UPLOADS.photo_bytes / _MILLION, "A photo.", "MB", gt=0, le=60)
    photo_mpx: float = _setting(
        _UPLOADS.photo_pixels / _MILLION, "Its pixels.", "million pixels", gt=0, le=60
    )
    import_mb: float = _setting(
        _UPLOADS.import_bytes / _MILLION, "A match that is taken in.", "MB", gt=0, le=900
    )
    still_wait_ms: int = _setting(
        _UPLOADS.still_wait_ms,
        "How long a phone waits after a frame where nothing moves.",
        "milliseconds",
        ge=50,
        le=10_000,
    )
    motion_wait_ms: int = _setting(
        _UPLOADS.motion_wait_ms,
        "How long it waits where something moves.",
        "milliseconds",
        ge=50,
        le=10_000,
    )


class Settings(_Section):
    """All settings, section by section."""

    pages: Pages = Field(default_factory=Pages)
    keeping: Keeping = Field(default_factory=Keeping)
    cameras: Cameras = Field(default_factory=Cameras)
    feeds: Feeds = Field(default_factory=Feeds)
    watching: Watching = Field(default_factory=Watching)
    table: Table = Field(default_factory=Table)
    links: Links = Field(default_factory=Links)
    limits: Limits = Field(default_factory=Limits)
