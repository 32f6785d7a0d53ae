"""Network cameras, as small as they can be."""

from __future__ import annotations

import threading
from http.server import ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from tests.vision.cameras.fakes import Stream
from tests.vision.cameras.rtsp import rtsp_camera

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def address() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stream) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/video"
        server.shutdown()
        thread.join()


@pytest.fixture
def rtsp_address() -> Iterator[str]:
    with rtsp_camera() as found:
        yield found
