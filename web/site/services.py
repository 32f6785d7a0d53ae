"""What the pages work with, all of it passed in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from web.site.crops import Pictures
from web.site.limits import Limits, Turnstile
from web.site.phones import Phones
from web.site.streams import Streams, Writer
from web.site.texts import Texts
from web.site.tongues import Tongues
from web.site.uploads import UploadLimits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from referee.ruleset import Ruleset
    from web.site.borders import Archive, Table
    from web.site.hosts import Hosts
    from web.site.roles import Links
    from web.teaching.lessons import Lessons


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the pages work with.

    Attributes
    ----------
    hosts
        The names and addresses that this machine answers to.
    lessons
        Teach the table sets of tiles; None where it cannot be taught.
    refusals
        The errors whose message is for a person: their request is answered with it.
    language
        The pages' language; empty for the browser's.
    tongues
        Who says in the pages' languages what the table says.
    house
        A house ruleset that can be played beside our own.
    rule_texts
        What the rulesets and their parameters mean, by language.
    authority
        Gives the certificate that phones have to trust for https; None where there is none.
    demo
        Whether a recorded game is played.
    spool
        The folder for what is too large for memory; None for the system's.
    """

    table: Table
    archive: Archive
    links: Links
    hosts: Hosts
    texts: Texts
    lessons: Lessons | None = None
    refusals: tuple[type[Exception], ...] = ()
    language: str = ""
    authority: Callable[[], bytes | None] = lambda: None
    demo: bool = False
    spool: Path | None = None
    uploads: UploadLimits = field(default_factory=UploadLimits)
    house: Ruleset | None = None
    rule_texts: Texts = field(default_factory=lambda: Texts.load("rules"))
    limits: Limits = field(default_factory=Limits)
    streams: Streams = field(default_factory=Streams)
    tongues: Tongues = field(default_factory=Tongues.load)
    writer: Writer = field(default_factory=lambda: Writer(Tongues.load()))
    pictures: Pictures = field(default_factory=Pictures)
    phones: Phones = field(default_factory=Phones)
    sending: Turnstile = field(default_factory=lambda: Turnstile(4))
