"""The sections of the settings: what each setting means, its unit, default and bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pydantic import Field, ValidationInfo, field_validator

from vision.cameras import FeedSettings
from web.settings_base import Section, setting
from web.settings_table import Table, Watching
from web.site.roles import Lifetimes
from web.site.streams import StreamLimits
from web.site.texts import Texts
from web.site.uploads import MILLION, UploadLimits
from web.store import Room

_PORT: Final = 65_535
_FEED: Final = FeedSettings()
_LIFE: Final = Lifetimes()
_STREAMS: Final = StreamLimits()
_UPLOADS: Final = UploadLimits()
_ROOM: Final = Room()


class Pages(Section):
    """Where the pages are served, and how they look."""

    host: str = setting(
        "0.0.0.0",  # noqa: S104 - phones come from there
        "The address to listen at; 0.0.0.0 for all networks, :: for IPv6 as well.",
    )
    port: int = setting(8765, "The port for http.", "port", ge=0, le=_PORT)
    https_port: int = setting(
        8443,
        "The port for https, which a phone's live picture needs; 0 for none.",
        "port",
        ge=0,
        le=_PORT,
    )
    hosts: tuple[str, ...] = setting((), "More names and addresses that this machine goes by.")
    language: str = setting("", "The pages' language, such as en; empty for the browser's.")
    browser: bool = setting(True, "Whether to open the dashboard in a browser at start.")

    @field_validator("host")
    @classmethod
    def _without_brackets(cls, host: str) -> str:
        """Take an IPv6 address as it stands in links, too; none would be that of nobody."""
        if not host.strip("[] "):
            raise ValueError("an address or a name")
        return host.removeprefix("[").removesuffix("]")

    @field_validator("language")
    @classmethod
    def _spoken(cls, language: str) -> str:
        """Refuse a language that the pages do not speak."""
        if language and language not in (spoken := Texts.load().languages):
            raise ValueError(f"one of {', '.join(spoken)}")
        return language

    @field_validator("https_port")
    @classmethod
    def _of_its_own(cls, https_port: int, info: ValidationInfo) -> int:
        if https_port and https_port == info.data.get("port"):
            raise ValueError("another port than for http")
        return https_port


class Keeping(Section):
    """Where matches, secrets and certificates are kept."""

    data: str = setting("", "The folder for all of it; empty for the usual place.")
    store: str = setting("", "A database's URL; empty for an SQLite file in that folder.")
    pictures_mb: int = setting(
        _ROOM.most_bytes // MILLION,
        "How much the pictures of turns may take up; the oldest go first, records never.",
        "MB",
        ge=1,
        le=1_000_000,
    )
    pictures_days: int = setting(
        _ROOM.days,
        "How long pictures of turns are kept; 0 for as long as there is room.",
        "days",
        ge=0,
        le=36_500,
    )

    @field_validator("data")
    @classmethod
    def _at_home(cls, data: str) -> str:
        """Take the sign for somebody's home folder; where there is nobody it would be a name."""
        try:
            return data and str(Path(data).expanduser())
        except RuntimeError:
            raise ValueError("a folder of somebody who has one") from None


class Cameras(Section):
    """What the table is looked at through."""

    camera: tuple[str, ...] = setting(
        (),
        "Cameras over one table, the best first: a number, a file or folder, or an http or rtsp "
        "URL; none where phones are used.",
    )
    models: str = setting("", "The folder of other networks; empty for those of the program.")
    set: str = setting(
        "",
        "The set of tiles to read by, as it was taught; a later choice on the dashboard goes "
        "before it.",
    )


class Feeds(Section):
    """When a camera counts as ill."""

    silent_s: float = setting(
        _FEED.silent_s, "How long it may give no picture.", "seconds", ge=0.5, le=60
    )
    frozen_s: float = setting(
        _FEED.frozen_s, "How long its picture may stay the very same.", "seconds", ge=0.5, le=600
    )
    black_s: float = setting(
        _FEED.black_s, "How long its picture may be dark.", "seconds", ge=0, le=600
    )
    swapped_s: float = setting(
        _FEED.swapped_s, "How long a change of its picture's size is told.", "seconds", ge=0, le=60
    )
    retry_s: float = setting(
        _FEED.retry_s, "How long to wait before it is opened again.", "seconds", ge=0.1, le=60
    )
    black_level: float = setting(
        _FEED.black_level, "A picture is dark up to this mean.", "of 255", ge=0, le=255
    )
    black_spread: float = setting(
        _FEED.black_spread, "A dark picture's standard deviation.", "of 255", ge=0, le=255
    )


class Links(Section):
    """How long links and cookies let somebody in."""

    organiser_link_h: float = setting(
        _LIFE.organiser_link_h, "An organiser's link, which works once.", "hours", gt=0, le=168
    )
    link_h: float = setting(_LIFE.link_h, "A camera's or spectator's link.", "hours", gt=0, le=720)
    session_h: float = setting(
        _LIFE.session_h, "A device that has entered.", "hours", gt=0, le=8760
    )


class Limits(Section):
    """What one client, and all together, may take up."""

    streams: int = setting(
        _STREAMS.most,
        "Open pages that follow the table, organisers aside; a thread each.",
        "streams",
        ge=1,
        le=500,
    )
    organiser_streams: int = setting(
        _STREAMS.organisers, "Open pages kept free for organisers.", "streams", ge=1, le=100
    )
    streams_per_device: int = setting(
        _STREAMS.per_device,
        "Open pages of one device; a further one ends its oldest.",
        "streams",
        ge=1,
        le=100,
    )
    streams_per_address: int = setting(
        _STREAMS.per_address,
        "Open pages behind one network address, organisers aside.",
        "streams",
        ge=1,
        le=500,
    )
    frame_mb: float = setting(
        _UPLOADS.frame_bytes / MILLION, "A frame of a phone's live picture.", "MB", gt=0, le=20
    )
    frame_mpx: float = setting(
        _UPLOADS.frame_pixels / MILLION, "Its pixels.", "million pixels", gt=0, le=60
    )
    photo_mb: float = setting(_UPLOADS.photo_bytes / MILLION, "A photo.", "MB", gt=0, le=60)
    photo_mpx: float = setting(
        _UPLOADS.photo_pixels / MILLION, "Its pixels.", "million pixels", gt=0, le=60
    )
    import_mb: float = setting(
        _UPLOADS.import_bytes / MILLION, "A match that is taken in.", "MB", gt=0, le=900
    )
    still_wait_ms: int = setting(
        _UPLOADS.still_wait_ms,
        "How long a phone waits after a frame where nothing moves.",
        "milliseconds",
        ge=50,
        le=10_000,
    )
    motion_wait_ms: int = setting(
        _UPLOADS.motion_wait_ms,
        "How long it waits where something moves.",
        "milliseconds",
        ge=50,
        le=10_000,
    )


class Settings(Section):
    """All settings, section by section."""

    pages: Pages = Field(default_factory=Pages)
    keeping: Keeping = Field(default_factory=Keeping)
    cameras: Cameras = Field(default_factory=Cameras)
    feeds: Feeds = Field(default_factory=Feeds)
    watching: Watching = Field(default_factory=Watching)
    table: Table = Field(default_factory=Table)
    links: Links = Field(default_factory=Links)
    limits: Limits = Field(default_factory=Limits)
