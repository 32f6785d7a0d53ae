"""Put the parts together: settings in, a table that is served out."""

from __future__ import annotations

import json
import logging
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.watching import Watcher, WatchSettings
from web.house_rules import house_rules
from web.live.archive import Archive
from web.live.errors import CommandError
from web.live.live_table import LiveTable
from web.live.settings import LiveSettings
from web.site.app import create_app
from web.site.network import listener
from web.site.roles import Lifetimes, Links, steady
from web.site.server import Door, ServeError, Site
from web.site.services import Services
from web.site.streams import StreamLimits, Streams
from web.site.texts import Texts
from web.site.tls import TlsAdapter
from web.site.uploads import MILLION, UploadLimits
from web.store import Room, StoreError, open_store
from web.teaching.lessons import Lessons
from web.teaching.sets import Sets

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterator, Sequence

    from referee.ruleset import Ruleset
    from vision.pipeline import TableReader
    from web.live.borders import Feed, Phone
    from web.settings_sections import Settings
    from web.site.data_folder import DataFolder
    from web.site.hosts import Hosts

_log = logging.getLogger(__name__)
REFUSALS: Final = (CommandError, StoreError)
"""What is answered with its own words, since they are for a person."""
SERVED: Final = "served"
"""The key under which the store keeps where the table was served last: host and port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a table is served with.

    Attributes
    ----------
    reader, tiles
        What reads tables, and the set of tiles that it begins with: its name or file, or none.
    feeds, open_phone
        The fixed cameras, and what takes a phone's frames.
    tls
        Gives what makes https; None for http only.
    authority
        Gives the certificate that phones have to trust.
    demo
        Whether a recorded game is played.
    """

    reader: TableReader
    feeds: Sequence[Feed]
    open_phone: Callable[[str], Phone]
    hosts: Hosts
    tiles: str = ""
    tls: Callable[[], ssl.SSLContext] | None = None
    authority: Callable[[], bytes | None] = lambda: None
    demo: bool = False


@dataclass(frozen=True, slots=True)
class Household:
    """A table that is served."""

    table: LiveTable
    services: Services


@contextmanager
def open_household(settings: Settings, folder: DataFolder, given: Given) -> Iterator[Household]:
    """Serve a table until the end of the block.

    Raises
    ------
    ProfileError
        If the set of tiles to begin with cannot be used.
    ServeError
        If a port cannot be used.
    StoreError
        If the matches cannot be reached.
    """
    live = _live_settings(settings)
    sets = Sets(given.reader, folder.sets, given.tiles)
    lessons = Lessons(sets)
    with ExitStack() as stack:
        store = stack.enter_context(
            open_store(settings.keeping.store or folder.store, _room(settings))
        )
        store.clear_unfinished()
        table = LiveTable(
            sets.reader,
            store,
            given.feeds,
            live,
            make_watcher=_watchers(settings),
            open_phone=given.open_phone,
        )
        sets.follow(table.use_reader)
        archive = Archive(store)
        streams = Streams(_stream_limits(settings))
        services = Services(
            table=table,
            archive=archive,
            links=Links(
                folder.secret(),
                archive,
                Lifetimes(**settings.links.model_dump()),
                lasting=steady(),
            ),
            hosts=given.hosts,
            texts=Texts.load(),
            lessons=lessons,
            refusals=REFUSALS,
            language=settings.pages.language,
            authority=given.authority,
            demo=given.demo,
            spool=folder.path,
            house=live.house,
            uploads=_upload_limits(settings),
            streams=streams,
        )
        # The doors first: a taken port is told before the cameras are opened.
        stack.enter_context(Site(create_app(services), streams, _doors(settings, given)))
        _note_address(archive, settings.pages.host, given.hosts.http_port)
        stack.enter_context(table)
        stack.callback(streams.close)
        stack.callback(lessons.close)
        yield Household(table, services)


def _note_address(archive: Archive, host: str, port: int) -> None:
    """Keep where the table is served, so that `meldwatch link` knows it."""
    try:
        archive.set(SERVED, json.dumps({"host": host, "port": port}))
    except StoreError:
        _log.warning("where the table is served is not kept for `meldwatch link`", exc_info=True)


def choose_port(host: str, port: int) -> int:
    """Return the port, or one that is free where it is 0.

    Raises
    ------
    ServeError
        If it cannot be listened at.
    """
    with listener(host) as trial:
        try:
            trial.bind((host, port))
        except OSError as error:
            raise ServeError.at(host, port, error) from error
        return int(trial.getsockname()[1])


def _room(settings: Settings) -> Room:
    return Room(settings.keeping.pictures_mb * MILLION, settings.keeping.pictures_days)


def _live_settings(settings: Settings) -> LiveSettings:
    house, values = house_rules(settings.table.ruleset), settings.table.model_dump()
    if house is not None:
        values["ruleset"] = house.name
    return LiveSettings(**values, house=house)


def _watchers(settings: Settings) -> Callable[[TableReader, Ruleset], Watcher]:
    watching = WatchSettings(**settings.watching.model_dump())
    return lambda reader, rules: Watcher(reader, rules, watching)


def _doors(settings: Settings, given: Given) -> tuple[Door, ...]:
    doors = [Door(settings.pages.host, given.hosts.http_port)]
    if given.tls is not None:
        doors.append(Door(settings.pages.host, given.hosts.https_port, TlsAdapter(given.tls)))
    return tuple(doors)


def _stream_limits(settings: Settings) -> StreamLimits:
    limits = settings.limits
    return StreamLimits(
        most=limits.streams,
        organisers=limits.organiser_streams,
        per_device=limits.streams_per_device,
        per_address=limits.streams_per_address,
    )


def _upload_limits(settings: Settings) -> UploadLimits:
    limits = settings.limits
    return UploadLimits(
        frame_bytes=int(limits.frame_mb * MILLION),
        frame_pixels=int(limits.frame_mpx * MILLION),
        photo_bytes=int(limits.photo_mb * MILLION),
        photo_pixels=int(limits.photo_mpx * MILLION),
        import_bytes=int(limits.import_mb * MILLION),
        still_wait_ms=limits.still_wait_ms,
        motion_wait_ms=limits.motion_wait_ms,
    )
