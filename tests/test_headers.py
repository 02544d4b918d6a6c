"""Readings of response headers, and who is asked through a proxy."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.doors.headers import media_type, readable, retry_after, sniffed, untold
from agent.doors.proxies import Proxies

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "kind",
    [
        "text/html; charset=utf-8",
        "TEXT/PLAIN",
        "application/xhtml+xml",
        "application/ld+json",
        "application/pdf",
        "text/html, text/html",
    ],
)
def test_readable_types(kind: str) -> None:
    assert readable(kind)


@pytest.mark.parametrize("kind", ["image/png", "video/mp4", "application/zip", "image/svg+xml", "", "html"])
def test_types_that_are_nothing_to_read(kind: str) -> None:
    assert not readable(kind)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\xef\xbb\xbf \n<!doctype html>", "text/html"),
        (b"%PDF-1.7\n\x00\x01", "application/pdf"),
        (b"<?xml version='1.0'?><rss>", "application/xml"),
        (b'{"a": 1}', "application/json"),
        (b"plain words", "text/plain"),
        (b"\xff\xfeh\x00i\x00", "text/plain"),
        (b"", "text/plain"),
        (b"\x89PNG\r\n\x1a\n", ""),
        (b"PK\x03\x04", ""),
    ],
)
def test_sniffed_type(head: bytes, kind: str) -> None:
    assert sniffed(head) == kind
    assert untold("application/octet-stream")
    assert media_type("nonsense") == ""


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "30"}, 30.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:45 GMT"}, 45.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 13:00:09 GMT", "date": "Mon, 30 Nov 2026 13:00:00 GMT"}, 9.0),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "1.5"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "٣"}, None),
        ({}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, NOW) == seconds


def test_proxy_by_scheme_with_exceptions() -> None:
    proxies = Proxies("http://p:1", "http://p:2", "nasa.gov, .lan,10.0.0.0/8,x.org:8443")
    asked = [("https", "wikipedia.org", 443), ("http", "wikipedia.org", 80), ("https", "www.nasa.gov", 443)]
    assert [proxies.of(*who) for who in asked] == ["http://p:2", "http://p:1", ""]
    assert [proxies.of("https", host, port) for host, port in (("w.lan", 443), ("10.1.1.1", 443), ("x.org", 8443))] == [
        ""
    ] * 3
    assert proxies.of("https", "x.org", 443) == "http://p:2"
    assert proxies.of("https", "fakenasa.gov", 443) == "http://p:2"


def test_this_machine_is_never_asked_through_a_proxy() -> None:
    proxies = Proxies("http://p:1", "http://p:2")
    assert [proxies.of("http", host, 1) for host in ("localhost", "127.0.0.1", "[::1]")] == ["", "", ""]
    assert Proxies("http://p:1", no_proxy="*").of("http", "x.org", 80) == ""
