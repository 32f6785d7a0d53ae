"""How long an event takes from the table to a page, with many pages open."""

from __future__ import annotations

import http.client
import json
import multiprocessing
import threading
import time
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

from web.site.canned_states import table
from web.site.preview import open_preview
from web.site.roles import Role

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from web.site.preview import Preview

_SETS: Final = 15
_PAUSE_S: Final = 0.02
_PATIENCE_S: Final = 60.0
Arrivals = dict[int, list[float]]
"""When each snapshot reached each page, in seconds of the monotonic clock."""


def bench_events(pages: int, events: int) -> list[float]:
    """Return how many milliseconds each event took to each page.

    The pages are connections of another process to a server on this machine, and the state is
    that of a table of 60 tiles, sent whole.
    """
    here, there = multiprocessing.get_context("spawn").Pipe()
    with open_preview() as preview:
        reader = multiprocessing.get_context("spawn").Process(
            target=follow_pages, args=(there, preview.url, _tokens(preview, pages), events)
        )
        reader.start()
        try:
            _wait(here)
            began = _show(preview, events)
            _wait(here)
            arrived: Arrivals = here.recv()
        finally:
            reader.join()
    return [(at_s - began[n]) * 1000 for n, times in arrived.items() for at_s in times]


def events_text(taken_ms: list[float], pages: int) -> str:
    """Tell the figures in one line.

    >>> events_text([1.0, 2.0, 3.0, 4.0], 2)
    '2 pages, 4 arrivals: median 2.5 ms, 95th percentile 4.8 ms, longest 4.0 ms'
    """
    last = quantiles(taken_ms, n=20)[-1]
    return (
        f"{pages} pages, {len(taken_ms)} arrivals: median {median(taken_ms):.1f} ms, "
        f"95th percentile {last:.1f} ms, longest {max(taken_ms):.1f} ms"
    )


def _tokens(preview: Preview, pages: int) -> list[str]:
    return [preview.services.links.token(Role.SPECTATOR) for _ in range(pages)]


def _wait(pipe: Connection) -> None:
    if not pipe.poll(_PATIENCE_S):
        raise TimeoutError("the pages did not answer")
    pipe.recv()


def _show(preview: Preview, events: int) -> dict[int, float]:
    """Show states one after another; return when each began."""
    text = " | ".join(["R1 R2 R3 R4", "B5 B6 B7 B8", "K9 O9 B9 R9"] * (_SETS // 3))
    state, began = table(text), {}
    for _ in range(events):
        time.sleep(_PAUSE_S)
        began[preview.table.snapshot()["number"] + 1] = time.monotonic()
        preview.table.show(state)
    return began


def follow_pages(pipe: Connection, url: str, tokens: list[str], events: int) -> None:
    """Open a page for each token, and send back when every event reached them."""
    arrived: Arrivals = {}
    lock = threading.Lock()
    ready = threading.Barrier(len(tokens) + 1)
    threads = [
        threading.Thread(target=_follow, args=(url, token, events, ready, arrived, lock))
        for token in tokens
    ]
    for thread in threads:
        thread.start()
    ready.wait()
    pipe.send("ready")
    for thread in threads:
        thread.join()
    pipe.send("done")
    pipe.send(arrived)


def _follow(  # noqa: PLR0913, PLR0917 - what a thread shares with the others
    url: str,
    token: str,
    events: int,
    ready: threading.Barrier,
    arrived: Arrivals,
    lock: threading.Lock,
) -> None:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=_PATIENCE_S)
    connection.request("GET", f"/enter?token={token}")
    entered = connection.getresponse()
    entered.read()
    cookie = str(entered.headers["Set-Cookie"]).partition(";")[0]
    connection.request("GET", "/events", headers={"Cookie": cookie})
    stream = connection.getresponse()
    first = _next_number(stream)
    ready.wait()
    number = first
    while number < first + events:
        number = _next_number(stream)
        with lock:
            arrived.setdefault(number, []).append(time.monotonic())
    connection.close()


def _next_number(stream: http.client.HTTPResponse) -> int:
    """Read on until a whole snapshot has come."""
    while not (line := stream.readline()).startswith(b"data: "):
        if not line:
            raise ConnectionError("the server hung up")
    return int(json.loads(line.removeprefix(b"data: "))["number"])
