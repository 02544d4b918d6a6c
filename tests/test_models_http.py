"""The sender for model servers: its deadline holds whatever a server does, and Ctrl-C is heard at once."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from agent.doors.model_http import ModelSender
from agent.doors.proxies import Proxies
from agent.errors import FetchFailed
from tests.site import Reply, Silent, Site, bytewise, redirect

PATIENCE_S = 0.4


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


@pytest.fixture
def sender() -> Iterator[ModelSender]:
    sender = ModelSender()
    yield sender
    sender.close()


def fetch(sender: ModelSender, url: str, timeout_s: float = PATIENCE_S) -> bytes:
    with sender.open("POST", url, b"{}", {}, timeout_s) as incoming:
        return incoming.read()


DRIPPING = {
    "the headers": Reply(
        itertools.chain(bytewise(b"HTTP/1.1 200 OK\r\n"), itertools.repeat(b"x")), raw=True, every_s=0.05
    ),
    "a chunked body": Reply(itertools.repeat(b"."), every_s=0.05),
    "a body of known length": Reply(bytewise(b"x" * 999), headers=(("Content-Length", "999"),), every_s=0.05),
    "a body that ends with its connection": Reply(
        itertools.chain([b"HTTP/1.1 200 OK\r\n\r\n"], itertools.repeat(b".")), raw=True, every_s=0.05
    ),
}


@pytest.mark.parametrize("what", DRIPPING)
def test_a_server_that_drips_is_cut_at_the_deadline(what: str, site: Site, sender: ModelSender) -> None:
    site.add("/", DRIPPING[what])
    started = time.monotonic()
    with pytest.raises(FetchFailed) as error:
        fetch(sender, site.url("/"))
    assert error.value.kind == "timeout"
    assert PATIENCE_S * 0.9 <= time.monotonic() - started < PATIENCE_S + 0.5


def test_a_server_that_hangs_is_cut_at_the_deadline(sender: ModelSender) -> None:
    with Silent() as silent, pytest.raises(FetchFailed) as error:
        fetch(sender, f"http://127.0.0.1:{silent.port}/")
    assert error.value.kind == "timeout"


def test_a_body_that_has_no_end_is_refused_by_its_size(site: Site, sender: ModelSender) -> None:
    site.add("/", Reply(itertools.repeat(b"." * 1_000_000)))
    with pytest.raises(FetchFailed) as error:
        fetch(sender, site.url("/"), 30)
    assert error.value.kind == "too_large"


def test_pieces_are_given_as_they_arrive(site: Site, sender: ModelSender) -> None:
    site.add("/", Reply((b"one", b"two"), every_s=0.2))
    with sender.open("POST", site.url("/"), b"{}", {}, 5) as incoming:
        assert list(incoming) == [b"one", b"two"]


def test_a_redirect_is_handed_back_and_not_followed(site: Site, sender: ModelSender) -> None:
    site.add("/", redirect("/elsewhere"))
    with sender.open("POST", site.url("/"), b"{}", {"Authorization": "Bearer k"}, 5) as incoming:
        assert incoming.status == 302
    assert site.hits == ["/"]


def test_a_connection_is_used_again(site: Site, sender: ModelSender) -> None:
    ports: list[str] = []
    site.add("/", Reply("yes"))
    for _ in range(3):
        with sender.open("GET", site.url("/"), None, {}, 5) as incoming:
            incoming.read()
            ports.append(str(len(sender._sockets)))
    assert ports == ["1", "1", "1"]


def test_a_reply_that_is_left_early_ends_the_transfer(site: Site, sender: ModelSender) -> None:
    ended = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield b"." * 1000
        finally:
            ended.set()

    site.add("/", lambda seen: Reply(endless(), every_s=0.01))
    with sender.open("POST", site.url("/"), b"{}", {}, 30) as incoming:
        next(iter(incoming))
    assert ended.wait(5)


@pytest.mark.parametrize("moment", ["before the headers", "in the body"])
def test_ctrl_c_ends_a_call_within_a_second(moment: str, site: Site, sender: ModelSender) -> None:
    site.add("/", Reply("", after_s=30) if moment == "before the headers" else Reply((b"one", b"two"), every_s=30))
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        fetch(sender, site.url("/"), 30)
    assert time.monotonic() - started < 1


def test_what_is_wrong_with_an_address_is_said(sender: ModelSender) -> None:
    with Site() as gone:
        closed = gone.url("/")
    said = {
        closed: "nothing listens there",
        "http://nowhere.invalid/": "no such host",
        "http://[::g/": "no such address",
    }
    for url, reason in said.items():
        with pytest.raises(FetchFailed) as error:
            fetch(sender, url, 5)
        assert error.value.reason == reason


def test_a_certificate_nobody_trusts_is_refused_and_a_trusted_one_is_not() -> None:
    with Site(tls=True) as site:
        site.add("/", Reply("yes"))
        stranger, friend = ModelSender(), ModelSender(ca_bundle=site.ca_file)
        with pytest.raises(FetchFailed) as error:
            fetch(stranger, site.url("/"), 5)
        assert error.value.kind == "tls"
        assert fetch(friend, site.url("/"), 5) == b"yes"
        stranger.close()
        friend.close()


def test_the_proxy_is_the_one_that_is_set_and_never_for_this_machine(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.add("*", Reply("proxied"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    sender = ModelSender(Proxies(http=site.url()))
    assert fetch(sender, "http://model.example/v1") == b"proxied"
    assert fetch(sender, site.url("/own")) == b"proxied"
    assert [seen.host for seen in site.seen] == ["model.example", "127.0.0.1"]
    sender.close()


def test_a_key_that_no_header_can_hold_is_said_to_be_the_fault(site: Site, sender: ModelSender) -> None:
    for key in ("two\nlines", "schlüssel✓"):
        with pytest.raises(FetchFailed, match="the key holds what no header may hold"):
            sender.open("POST", site.url("/"), b"{}", {"Authorization": f"Bearer {key}"}, 5)
    assert site.hits == []


def test_a_deadline_that_has_passed_already_is_one_that_has_passed(site: Site, sender: ModelSender) -> None:
    site.add("/", Reply("", after_s=5))
    with pytest.raises(FetchFailed) as error:
        fetch(sender, site.url("/"), -1)
    assert error.value.kind == "timeout"
