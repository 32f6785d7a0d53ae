from __future__ import annotations

import http.client
import json
import socket

import pytest

from web.site.app import create_app
from web.site.connections import Crowd
from web.site.household import choose_port
from web.site.network import listener
from web.site.preview import Preview, canned_services, open_preview
from web.site.roles import Role
from web.site.server import Door, ServeError, Site

JSON = {"Content-Type": "application/json"}


def enter(preview: Preview, role: Role) -> tuple[http.client.HTTPConnection, dict[str, str]]:
    host = preview.url.removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=60)
    connection.request("GET", preview.link(role).removeprefix(preview.url))
    answer = connection.getresponse()
    answer.read()
    cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
    return connection, {"Cookie": cookie, "Origin": preview.url}


def event(stream: http.client.HTTPResponse) -> dict[str, str]:
    found = {}
    while (line := stream.readline().decode().rstrip("\n")) != "":
        key, _, value = line.partition(": ")
        found[key] = value
    return found


def test_many_follow_the_table_and_others_are_still_answered() -> None:
    with open_preview() as preview:
        followers = []
        for _ in range(20):
            connection, headers = enter(preview, Role.SPECTATOR)
            connection.request("GET", "/events", headers=headers)
            followers.append((connection, connection.getresponse()))
        for _, stream in followers:
            assert event(stream) == {"retry": "1000"}
            assert event(stream)["id"] == "1"
        preview.table.step()
        for _, stream in followers:
            assert json.loads(event(stream)["data"])["number"] == 2
        connection, headers = enter(preview, Role.ORGANISER)
        connection.request("POST", "/api/commands/undo", "{}", {**headers, **JSON})
        assert connection.getresponse().status == 200
        connection.close()
    for connection, stream in followers:
        stream.read()
        connection.close()


def test_a_frame_that_says_not_how_long_it_is_is_refused() -> None:
    with open_preview() as preview:
        connection, headers = enter(preview, Role.CAMERA)
        kind = {"Content-Type": "image/jpeg", "Transfer-Encoding": "chunked"}
        # It is refused by its headers; whoever sends on writes to one who has hung up.
        connection.putrequest("POST", "/camera/frame")
        for header in {**headers, **kind}.items():
            connection.putheader(*header)
        connection.endheaders()
        assert connection.getresponse().status == 411
        connection.close()
        assert not preview.table.frames


def test_who_sends_too_much_gets_to_read_why_it_was_refused() -> None:
    with open_preview() as preview:
        connection, headers = enter(preview, Role.CAMERA)
        # As browsers do: all is sent before the answer is looked at.
        kind = {"Content-Type": "image/jpeg"}
        connection.request("POST", "/camera/frame", bytes(20_000_000), {**headers, **kind})
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (
            413,
            b'{"error":"That is too large. Send a smaller file."}\n',
        )
        connection.close()
        assert not preview.table.frames


def test_what_is_refused_is_not_read_first() -> None:
    with open_preview() as preview:
        port = int(preview.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as sending:
            sending.sendall(
                b"POST /camera/frame HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: image/jpeg\r\nContent-Length: 900000000\r\n\r\n"
            )
            answer = http.client.HTTPResponse(sending)
            answer.begin()
            assert answer.status == 403
            assert answer.headers["Connection"] == "close"
            answer.close()


def test_one_address_leaves_threads_for_the_others() -> None:
    crowd = Crowd(most=2)
    with crowd.inside("a") as first, crowd.inside("a") as second, crowd.inside("a") as third:
        assert [first, second, third] == [True, True, False]
        with crowd.inside("b") as other:
            assert other
    with crowd.inside("a") as again:
        assert again


def test_a_taken_port_is_told_in_words() -> None:
    with open_preview() as preview, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        door = Door("127.0.0.1", taken.getsockname()[1])
        site = Site(lambda _environ, _start: [], preview.services.streams, (door,))  # type: ignore[arg-type]
        with pytest.raises(ServeError, match="choose another port"):
            site.start()


@pytest.mark.parametrize("host", ["::1", "::"])
def test_pages_are_served_over_ipv6(host: str) -> None:
    try:
        port = choose_port(host, 0)
    except (ServeError, OSError):
        pytest.skip("this machine has no IPv6")
    known = canned_services(port)
    with Site(create_app(known), known.streams, (Door(host, port),)):
        for at in ("::1",) if host == "::1" else ("::1", "127.0.0.1"):
            connection = http.client.HTTPConnection(at, port, timeout=60)
            connection.request("GET", f"/enter?token={known.links.token(Role.ORGANISER)}")
            answer = connection.getresponse()
            answer.read()
            cookie = str(answer.headers["Set-Cookie"]).partition(";")[0]
            own = known.hosts.http(at=at)
            headers = {"Cookie": cookie, "Origin": own, **JSON}
            connection.request("POST", "/api/commands/undo", "{}", headers)
            assert connection.getresponse().status == 200
            connection.close()


def test_a_port_that_is_taken_over_ipv6_is_told() -> None:
    with listener("::") as taken:
        try:
            taken.bind(("::", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
        taken.listen()
        with pytest.raises(ServeError, match="choose another port"):
            choose_port("::", taken.getsockname()[1])
