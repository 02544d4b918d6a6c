"""Faults on the wire: each ends in one of Scout's own errors within its deadline, and services keep their keys."""

from __future__ import annotations

import gzip
import signal
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from agent.budget import Budget
from agent.doors.wire import system_resolver
from agent.errors import FetchFailed, PolicyDenied
from agent.types import Fetched, ServiceRequest
from tests.doors import PLENTY, PUBLIC, QUICK, House
from tests.site import Reply, Silent, Site, bytewise, json_reply, redirect

URL = "https://www.nasa.gov/moon"
HASTY = replace(QUICK, timeout_s=0.25, deadline_s=0.4)
STUBBORN = replace(QUICK, retries=2, deadline_s=10.0)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(tls=True) as site:
        yield site


def failed(house: House, url: str = URL) -> FetchFailed:
    with pytest.raises(FetchFailed) as caught:
        house.pages.get(url)
    assert caught.value.__cause__ is not None or caught.value.kind in ("status", "dns", "unreadable")
    return caught.value


# Foreign errors in our words


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"", "network"),
        (b"nonsense\r\n\r\n", "network"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\ncut", "network"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "network"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\nno gzip", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\r\n\x8b", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", "network"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "network"),
    ],
)
def test_broken_answer(site: Site, answer: bytes, kind: str) -> None:
    site.add("/moon", Reply(answer, raw=True))
    with House(site) as house:
        failure = failed(house)
    assert (failure.kind, len(str(failure).splitlines())) == (kind, 1)


def refusing(address: str, port: int, timeout_s: float | None) -> socket.socket:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    return socket.create_connection(("127.0.0.1", port), timeout_s)


def test_refused_connection_is_a_failure_of_the_network(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "dial", refusing)
    with House(site) as house:
        failure = failed(house)
    assert (failure.kind, failure.reason) == ("network", "the connection failed: connection refused")
    assert house.lines[1][1]["error"] == "network: the connection failed: connection refused"


@pytest.mark.parametrize(
    "err", [socket.gaierror(-2, "unknown"), UnicodeError("label too long"), OSError("no resolver")]
)
def test_failed_look_up_is_a_failure_of_dns(site: Site, err: Exception) -> None:
    def names(host: str, port: int) -> list[str]:
        raise err

    with House(site, names=names) as house:
        failure = failed(house)
    assert (failure.kind, failure.__cause__, house.meter.requests) == ("dns", err, 0)


def test_look_up_that_hangs_ends_in_time(site: Site) -> None:
    release = threading.Event()

    def names(host: str, port: int) -> list[str]:
        release.wait(10)
        return []

    started = time.monotonic()
    with House(site, names=names) as house:
        assert failed(house).kind == "dns"
    release.set()
    assert time.monotonic() - started < 0.9


def test_server_that_speaks_no_tls_ends_in_tls() -> None:
    with Site(tls=True) as trusted, Site() as plain:
        trusted.dial = plain.dial  # type: ignore[method-assign]
        with House(trusted) as house:
            assert failed(house).kind == "tls"


# Deadlines


def slow_replies() -> dict[str, Reply]:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    chunked = page + b"Transfer-Encoding: chunked\r\n\r\n"
    return {
        "status line": Reply(bytewise(page), raw=True, every_s=0.05),
        "headers": Reply((page, *[b"X-A: b\r\n"] * 99), raw=True, every_s=0.05),
        "body": Reply((page + b"Content-Length: 99\r\n\r\n", *bytewise(b"x" * 99)), raw=True, every_s=0.05),
        "body without a length": Reply((page + b"\r\n", *bytewise(b"x" * 99)), raw=True, every_s=0.05),
        "chunk size": Reply((chunked, *bytewise(b"0" * 99)), raw=True, every_s=0.05),
        "chunks": Reply(bytewise(b"x" * 99), every_s=0.05),
        "gzip": Reply(bytewise(gzip.compress(b"x" * 99)), headers=(("Content-Encoding", "gzip"),), every_s=0.05),
        "100 Continue": Reply([b"HTTP/1.1 100 Continue\r\n\r\n"] * 99, raw=True, every_s=0.05),
        "silence": Reply(after_s=9),
    }


@pytest.mark.parametrize("where", slow_replies())
def test_server_that_drips_ends_at_the_deadline(site: Site, where: str) -> None:
    site.add("/moon", slow_replies()[where])
    started = time.monotonic()
    with House(site, limits=HASTY) as house:
        assert failed(house).kind == "timeout"
    assert time.monotonic() - started < 0.8
    assert house.lines[-1][0] == "response"


def test_slow_redirects_share_one_deadline(site: Site) -> None:
    site.add("*", lambda seen: Reply(status=302, headers=(("Location", seen.path + "x"),), after_s=0.15))
    with House(site, limits=HASTY) as house:
        assert failed(house).kind == "timeout"
    assert len(site.hits) <= 3


def test_server_that_never_shakes_hands_ends_in_time(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with Silent() as silent:
        monkeypatch.setattr(site, "dial", lambda a, p, t: socket.create_connection(("127.0.0.1", silent.port), t))
        started = time.monotonic()
        with House(site) as house:
            failure = failed(house)
    assert (failure.kind, failure.reason) == ("timeout", "no answer within 0.5 s")
    assert time.monotonic() - started < 0.9


def test_ctrl_c_ends_a_slow_page_at_once_and_settles_its_ticket(site: Site) -> None:
    site.add("/moon", Reply(bytewise(b"x" * 999), every_s=0.1))
    me = threading.main_thread().ident
    assert me is not None
    timer = threading.Timer(0.2, signal.pthread_kill, (me, signal.SIGINT))
    started = time.monotonic()
    timer.start()
    with House(site, limits=replace(QUICK, deadline_s=9.0)) as house, pytest.raises(KeyboardInterrupt):
        house.pages.get(URL)
    assert time.monotonic() - started < 0.6
    assert house.lines[-1][1]["error"] == "interrupted"


# Sizes


def test_page_above_the_limit_is_cut_and_says_so(site: Site) -> None:
    site.add("/moon", Reply(b"x" * 5_000_000))
    with House(site) as house:
        page = house.pages.get(URL)
    assert (len(page.body), page.truncated) == (QUICK.max_bytes, True)
    assert house.lines[1][1]["received"] == QUICK.max_bytes


def test_page_above_the_limit_is_not_read_to_its_end(site: Site) -> None:
    site.add("/moon", Reply((b"x" * 200_000, b"y"), every_s=5.0))
    with House(site) as house:
        assert house.pages.get(URL).truncated


def test_page_of_exactly_the_limit_is_whole(site: Site) -> None:
    site.add("/moon", Reply(b"x" * QUICK.max_bytes))
    with House(site) as house:
        assert not house.pages.get(URL).truncated


def bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()


@pytest.mark.parametrize("chunked", [False, True])
def test_decompression_bomb_costs_no_memory(site: Site, chunked: bool) -> None:
    body = bomb(50)
    site.add("/moon", Reply((body,) if chunked else body, headers=(("Content-Encoding", "gzip"),)))
    with House(site) as house:
        tracemalloc.start()
        page = house.pages.get(URL)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (len(page.body), page.truncated) == (QUICK.max_bytes, True)
    assert peak < 4_000_000


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "GZIP"])
def test_compressed_page_is_unpacked(site: Site, encoding: str) -> None:
    packed = zlib.compress(b"Tides") if encoding == "deflate" else gzip.compress(b"Tides")
    site.add("/moon", Reply(packed, headers=(("Content-Encoding", encoding),)))
    with House(site) as house:
        assert house.pages.get(URL).body == b"Tides"


# Trying again


def test_5xx_is_tried_again_with_growing_pauses_and_each_try_is_charged(site: Site) -> None:
    site.add("/moon", Reply(status=500), Reply(status=503), Reply("Tides"))
    with House(site, limits=STUBBORN) as house:
        assert house.pages.get(URL).body == b"Tides"
    assert (house.clock.slept, house.meter.requests) == ([0.25, 0.5], 3)


def test_after_two_more_tries_the_status_stands(site: Site) -> None:
    site.add("/moon", Reply(status=502))
    with House(site, limits=STUBBORN) as house:
        failure = failed(house)
    assert (failure.kind, failure.status, len(site.hits)) == ("status", 502, 3)


def test_failed_connection_is_tried_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.add("/moon", Reply(b"", raw=True), Reply("Tides"))
    with House(site, limits=STUBBORN) as house:
        assert house.pages.get(URL).body == b"Tides"
        monkeypatch.setattr(site, "dial", refusing)
        house.sender.close()
        assert failed(house).kind == "network"
    assert house.dialled == [PUBLIC] * 5


def test_retry_after_is_honoured(site: Site) -> None:
    site.add("/moon", Reply(status=429, headers=(("Retry-After", "3"),)), Reply("Tides"))
    with House(site, limits=STUBBORN) as house:
        assert house.pages.get(URL).body == b"Tides"
    assert house.clock.slept == [3.0]


def test_retry_after_beyond_the_deadline_gives_up_at_once_and_says_how_long(site: Site) -> None:
    site.add("/moon", Reply(status=503, headers=(("Retry-After", "3600"),)))
    with House(site, limits=STUBBORN) as house:
        failure = failed(house)
    assert (house.clock.slept, len(site.hits), failure.kind) == ([], 1, "status")
    assert str(failure) == f"{URL}: HTTP status 503, and the server asks to wait 3600 s"


def test_trying_again_stops_at_the_budget_and_tells_the_first_failure(site: Site) -> None:
    site.add("/moon", Reply(status=500))
    with House(site, limits=STUBBORN, budget=Budget(requests=2, reserve=0)) as house:
        assert failed(house).status == 500
    assert (len(site.hits), house.meter.requests) == (2, 2)


@pytest.mark.parametrize("status", [403, 404, 501])
def test_what_will_not_change_is_not_tried_again(site: Site, status: int) -> None:
    site.add("/moon", Reply(status=status))
    with House(site, limits=STUBBORN) as house:
        assert failed(house).status == status
    assert len(site.hits) == 1


# Services


@pytest.fixture
def api() -> Iterator[Site]:
    with Site() as site:
        site.add("/search", lambda seen: json_reply({"q": dict(seen.query), "key": seen.headers.get("x-api-key")}))
        yield site


def served(api: Site, request: ServiceRequest, budget: Budget = PLENTY) -> Fetched:
    with House(api, origins=(api.url("").rstrip("/"),), names=system_resolver, budget=budget) as house:
        return house.services.send(request)


def test_service_on_this_machine_gets_its_parameters_and_headers(api: Site) -> None:
    reply = served(
        api, ServiceRequest(api.url("/search?a=1"), params=(("q", "tides & moon"),), headers=(("X-API-Key", "K"),))
    )
    assert (reply.status, reply.content_type) == (200, "application/json")
    assert reply.body == b'{"q": {"a": "1", "q": "tides & moon"}, "key": "K"}'


def test_service_is_posted_json_or_a_form(api: Site) -> None:
    served(api, ServiceRequest(api.url("/search"), json={"q": "tides"}))
    served(api, ServiceRequest(api.url("/search"), form=(("q", "tides"), ("b", ""))))
    assert [seen.method for seen in api.seen] == ["POST", "POST"]
    assert (api.seen[0].json, api.seen[1].form) == ({"q": "tides"}, {"q": "tides", "b": ""})


@pytest.mark.parametrize("status", [202, 403, 429, 500])
def test_reply_of_a_service_comes_back_whatever_its_status(api: Site, status: int) -> None:
    api.add("/search", Reply("<h1>no</h1>", status))
    reply = served(api, ServiceRequest(api.url("/search")))
    assert (reply.status, reply.body, len(api.hits)) == (status, b"<h1>no</h1>", 1)


def test_no_redirect_of_a_service_is_followed_and_its_key_stays(api: Site) -> None:
    with Silent() as silent:
        api.add("/search", redirect(f"http://127.0.0.1:{silent.port}/"))
        reply = served(api, ServiceRequest(api.url("/search"), headers=(("X-API-Key", "K"),)))
        assert (reply.status, silent.touched) == (302, False)


def test_service_off_its_origin_gets_nothing(api: Site) -> None:
    with Silent() as silent:
        with pytest.raises(PolicyDenied):
            served(api, ServiceRequest(f"http://127.0.0.1:{silent.port}/search?key=K"))
        assert not silent.touched


def test_key_in_the_query_is_in_no_message_and_no_record(api: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    request = ServiceRequest(api.url("/search"), params=(("key", "GEHEIM"),))
    api.add("/search", Reply(b"", raw=True))
    with House(api, origins=(api.url(""),), names=system_resolver) as house, pytest.raises(FetchFailed) as caught:
        house.services.send(request)
    assert caught.value.kind == "network"
    assert "GEHEIM" not in f"{caught.value} {house.lines}"


def test_service_429_is_left_to_the_caller_and_5xx_tried_again_where_limits_say_so(api: Site) -> None:
    api.add("/search", Reply(status=429), Reply(status=500), Reply("ok"))
    with House(api, origins=(api.url(""),), names=system_resolver, limits=STUBBORN) as house:
        statuses = [house.services.send(ServiceRequest(api.url("/search"))).status for _ in range(2)]
    assert (statuses, len(api.hits)) == ([429, 200], 3)


def test_service_password_in_the_url_becomes_an_authorization(api: Site) -> None:
    url = api.url("/search").replace("://", "://anna:geheim@")
    with House(api, origins=(api.url(""),), names=system_resolver) as house:
        house.services.send(ServiceRequest(url))
    assert api.seen[0].headers["authorization"] == "Basic YW5uYTpnZWhlaW0="


def test_service_that_drips_ends_at_the_deadline(api: Site) -> None:
    api.add("/search", Reply(bytewise(b"x" * 99), every_s=0.05))
    started = time.monotonic()
    house = House(api, origins=(api.url(""),), names=system_resolver, limits=HASTY)
    with house, pytest.raises(FetchFailed) as caught:
        house.services.send(ServiceRequest(api.url("/search")))
    assert (caught.value.kind, time.monotonic() - started < 0.8) == ("timeout", True)
