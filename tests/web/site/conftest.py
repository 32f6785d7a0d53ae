from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from web.site.app import create_app
from web.site.canned import CannedArchive, CannedTable, CommandRefusedError
from web.site.canned_lessons import CannedTeacher
from web.site.hosts import Hosts
from web.site.limits import Limits
from web.site.roles import Links, Role
from web.site.services import Services
from web.site.streams import StreamLimits, Streams
from web.site.texts import Texts
from web.site.uploads import UploadLimits
from web.teaching.lessons import Lessons

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from werkzeug.test import TestResponse

SECRET = b"a secret of at least 32 bytes...."
OWN = {"Origin": "http://localhost"}


@dataclass
class Clock:
    """Time that passes when a test says so."""

    at_s: float = 1_000_000.0

    def __call__(self) -> float:
        return self.at_s


@dataclass
class Site:
    """An application over a canned table, and clients that have entered it."""

    clock: Clock = field(default_factory=Clock)
    table: CannedTable = field(default_factory=CannedTable)
    archive: CannedArchive = field(default_factory=CannedArchive)
    https_port: int = 8443
    demo: bool = False
    lessons: Lessons = field(default_factory=lambda: Lessons(CannedTeacher(pause_s=0)))

    def __post_init__(self) -> None:
        self.services = Services(
            table=self.table,
            archive=self.archive,
            links=Links(SECRET, self.archive, now=self.clock),
            hosts=Hosts(
                frozenset({"localhost"}),
                https_port=self.https_port,
                addresses=lambda: ("10.0.0.4",),
            ),
            texts=Texts({"en": {"hello": "Hello {name}"}, "de": {"hello": "Hallo {name}"}}),
            demo=self.demo,
            lessons=self.lessons,
            refusals=(CommandRefusedError,),
            uploads=UploadLimits(
                frame_bytes=100_000, frame_pixels=400_000, photo_bytes=200_000, import_bytes=50_000
            ),
            limits=Limits(self.clock),
            streams=Streams(StreamLimits(most=3, organisers=1, per_device=2, per_address=3)),
        )
        self.app: Flask = create_app(self.services)

    def client(self, *roles: Role | str) -> FlaskClient:
        client = self.app.test_client()
        for role in roles:
            token = self.services.links.token(Role(role))
            assert client.get(f"/enter?token={token}").status_code == 302
        return client


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def organiser(site: Site) -> FlaskClient:
    return site.client(Role.ORGANISER)


@pytest.fixture
def camera(site: Site) -> FlaskClient:
    return site.client(Role.CAMERA)


@pytest.fixture
def spectator(site: Site) -> FlaskClient:
    return site.client(Role.SPECTATOR)


def picture(width: int = 320, height: int = 240, kind: str = ".jpg", grey: int = 90) -> bytes:
    pixels = np.full((height, width, 3), grey, np.uint8)
    return cv2.imencode(kind, pixels)[1].tobytes()


def error_of(answer: TestResponse) -> str:
    values: dict[str, str] = answer.get_json()
    return values["error"]
