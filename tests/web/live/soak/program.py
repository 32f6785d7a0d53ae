"""The soaked program from outside: its process, its pages, and how it is killed."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.web.live.soak.memory import Memory
from tests.web.live.soak.table import FPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Lying = Sequence[tuple[int, int, str]]

PATIENCE_S = 30.0
"""Far longer than anything here takes."""
_REFUSED = 409
_OK = 200


class GoneError(Exception):
    """The program ended before it answered."""


class Follower:
    """Reads the event stream as a page does, and holds it to what is promised."""

    def __init__(self, port: int, cookie: str) -> None:
        self.most_records = 0
        self.out_of_order = 0
        self.disagreements: list[str] = []
        self.snapshots = 0
        self._newest: dict[str, Any] = {}
        self._changed = threading.Condition()
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._connection.request("GET", "/events", headers={"Cookie": cookie})
        self._stream = self._connection.getresponse()
        self._thread = threading.Thread(target=self._follow, name="follower")
        self._thread.start()

    def _follow(self) -> None:
        try:
            for line in self._stream:
                if line.startswith(b"data: "):
                    self._take(json.loads(line.removeprefix(b"data: ")))
        except (OSError, http.client.HTTPException, ValueError):
            pass  # it was killed; what was cut off is not a snapshot
        finally:
            self._connection.close()

    def _take(self, snapshot: dict[str, Any]) -> None:
        with self._changed:
            self.snapshots += 1
            self.out_of_order += snapshot["number"] <= self._newest.get("number", 0)
            self._newest = snapshot
            self.most_records = max(self.most_records, snapshot["records"])
            if snapshot["desync"]:
                self.disagreements.append(snapshot["desync"]["text"])
            self._changed.notify_all()

    def until(self, fits: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait for a snapshot that fits."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._newest and fits(self._newest), PATIENCE_S):
                raise AssertionError(f"it never came to be so: {self._shown()}")
            return self._newest

    def _shown(self) -> dict[str, Any]:
        keys = ("phase", "message", "proposal", "desync", "restore", "records", "cameras")
        tiles = self._newest.get("tiles", ())
        seen = " ".join(f"{tile['tile']}:{tile['status']}" for tile in tiles)
        return {**{key: self._newest.get(key) for key in keys}, "tiles": seen}

    def join(self) -> None:
        self._thread.join(PATIENCE_S)


class Program:
    """A table that is served by a process of its own; it can be killed and started again."""

    def __init__(self, folder: Path, speed: float) -> None:
        self.folder = folder
        self.now_s = 0.0
        self.followers: list[Follower] = []
        self._speed = speed
        self._stalled: list[socket.socket] = []
        self.start()

    def start(self) -> None:
        """Start it on the folder as it is."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", "tests.web.live.soak.table", self.folder,
                 str(self._speed), str(self.now_s)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, encoding="utf-8",
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                cwd=Path(__file__).parents[4],
            )  # fmt: skip
        hello = self._hear()
        self._port, self._tokens = hello["port"], hello["tokens"]
        self._cookie = self._enter("organiser")
        self.follower = Follower(self._port, self._cookie)
        self.followers.append(self.follower)

    @property
    def log(self) -> Path:
        """What it wrote on standard error in all its lives."""
        return self.folder / "log.txt"

    # Orders

    def show(self, tiles: Lying, frames: int, hand: tuple[int, int] | None = None) -> None:
        """Let the camera show tiles for so many frames."""
        self._order(do="show", tiles=list(tiles), hand=hand, frames=frames)

    def lose_camera(self, seconds: float) -> None:
        """Pull the camera's cable out for a while."""
        self._order(do="lose", seconds=seconds)

    def fill_disk(self, *, full: bool) -> None:
        """Let there be no room on the disk, or room again."""
        self._order(do="full", on=full)
        self.settle()

    def settle(self) -> None:
        """Wait until all orders are carried out."""
        self._order(do="tell")
        self.now_s = self._hear()["now_s"]

    def memory(self) -> Memory:
        """Return what memory it holds, once all orders are carried out."""
        self._order(do="remember")
        return Memory(**self._hear())

    def _order(self, **order: Any) -> None:  # noqa: ANN401 - JSON
        assert self._process.stdin is not None
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise GoneError(self.log.read_text(encoding="utf-8")[-2000:])
        return dict(json.loads(line))

    # Pages

    def command(self, name: str, **values: Any) -> str:  # noqa: ANN401 - JSON
        """Ask as the organiser's page does; return why it was refused, or nothing."""
        origin = f"http://127.0.0.1:{self._port}"
        headers = {"Cookie": self._cookie, "Origin": origin, "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        try:
            connection.request("POST", f"/api/commands/{name}", json.dumps(values), headers)
            answer = connection.getresponse()
            said = json.loads(answer.read())
        except (OSError, http.client.HTTPException) as error:
            raise GoneError(str(error)) from error
        finally:
            connection.close()
        if answer.status not in {_OK, _REFUSED}:
            raise AssertionError(f"{name}: {answer.status} {said}")
        return "" if answer.status == _OK else str(said["error"])

    def stall(self, most: int = 3) -> None:
        """Open one more page that follows and never reads."""
        cookie = self._enter("spectator")
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", self._port))
        stalled.sendall(
            f"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n\r\n".encode()
        )
        self._stalled.append(stalled)
        while len(self._stalled) > most:
            self._stalled.pop(0).close()

    def _enter(self, role: str) -> str:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE_S)
        connection.request("GET", f"/enter?token={self._tokens[role]}")
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return str(answer.headers["Set-Cookie"]).partition(";")[0]

    # The end

    def kill(self) -> None:
        """End it as a power cut does."""
        self._process.kill()
        self._clear()

    def stop(self) -> int:
        """End it as it should be; return what it ended with."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._clear()

    def _clear(self) -> int:
        ended = self._process.wait(PATIENCE_S)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):  # by an order that it was killed before
                pipe.close()
        self.follower.join()
        for stalled in self._stalled:
            stalled.close()
        self._stalled.clear()
        return ended

    @staticmethod
    def frames(seconds: float) -> int:
        """Return how many frames take so long."""
        return max(round(seconds * FPS), 1)
