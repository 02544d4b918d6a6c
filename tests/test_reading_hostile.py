"""Pages made to hurt: each is read in bounded time, and what is honest in it comes through."""

from __future__ import annotations

import time

import pytest

from agent.doors.sender import Limits
from agent.types import Page
from tests.doors import House
from tests.site import Reply, Site
from tools.scrape import read
from tools.scrape.passages import candidates, select

URL = "https://example.org/"
LAST = "<p>The last line is honest.</p>"
SECONDS = 5.0  # of one processor, on any machine; two at most on ours
BOMB = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
HOSTILE = {
    "100,000 nested tags": "<div>" * 100_000,
    "100,000 nested items": "<ul><li>" * 100_000,
    "100,000 nested tables": "<table><tr><td>" * 100_000 + "</table>" * 100_000,
    "100,000 nested links": "<a href=/x>" * 100_000 + "</a>" * 100_000,
    "100,000 nested raised texts": "<sup>" * 100_000 + "</sup>" * 100_000,
    "100,000 closing tags": "</div>" * 100_000,
    "300,000 attributes": f"<p {' '.join(f'a{n}=1' for n in range(300_000))}>x</p>",
    "300,000 classes": f"<p class='{' '.join(f'c{n}' for n in range(300_000))}'>x</p>",
    "50,000 links": "<a href=/x>go</a> " * 50_000,
    "60,000 cells": "<table>" + "<tr><td>a</td><td>b</td></tr>" * 30_000 + "</table>",
    "spans of a million": "<table>"
    + "<tr><td rowspan=1000000 colspan=1000000>abc</td><td>d</td></tr>" * 500
    + "</table>",
    "10,000 style rules": f"<style>{''.join(f'.a .b .k{n}{{display:none}}' for n in range(10_000))}</style>",
    "a style without end": "<p style='" + "color:" * 100_000 + "'>x</p>",
    "two million NULs": "\0" * 2_000_000,
    "a NUL in each tag": "<p\0>a\0b</p\0>" * 20_000,
    "an entity bomb": f"<!DOCTYPE html [<!ENTITY l0 'ha'>{BOMB}]><p>&l11;</p>",
    "a million references": "&amp;" * 1_000_000,
    "JSON-LD of braces": "<script type='application/ld+json'>" + '{"a":' * 100_000 + "</script>",
    "brackets of chat templates": "<p>" + "&lt;|" * 200_000 + "</p>",
    "blanks of a refresh": f"<meta http-equiv=refresh content='0;{' ' * 200_000}'>",
    "a word of a million letters": "<p>" + "é" * 1_000_000 + "</p>",
    "digits of a million": "<p>" + "1" * 1_000_000 + "</p>",
    "commas between figures": "<p>" + "1," * 500_000 + "</p>",
    "sentences of one letter": "<p>" + "A. b! " * 60_000 + "</p>",
    "a million breaks": "<p>a" + "<br>" * 300_000 + "b</p>",
    "unclosed quotes": "<a href='" * 50_000,
    "lone surrogates as references": "<p>&#xD800;" * 20_000,
}


def timed(body: str) -> tuple[Page, float]:
    start = time.process_time()
    page = read(f"<html><body>{body}</body></html>".encode("utf-8", "replace"), "text/html", URL)
    return page, time.process_time() - start


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_read_in_bounded_time_with_what_stands_around_the_trap(name: str) -> None:
    page, seconds = timed(f"<p>The first line stands.</p>{HOSTILE[name]}{LAST}")
    assert seconds < SECONDS
    assert "The first line stands." in page.text
    assert "The last line is honest." in page.text or name == "unclosed quotes"
    assert "\0" not in page.text


@pytest.mark.parametrize("name", ["a word of a million letters", "sentences of one letter", "60,000 cells"])
def test_the_passages_of_a_hostile_page_are_found_in_bounded_time(name: str) -> None:
    page, _ = timed(HOSTILE[name] + LAST)
    start = time.process_time()
    shown = select(page, "which line is honest?", 1500, "read_fragment id=1 start=$start")
    best = candidates(page, "which line is honest?", 5)
    assert time.process_time() - start < SECONDS
    assert "The last line is honest." in shown
    assert best[0].text == "The last line is honest."


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "text/markdown", "application/rss+xml"])
@pytest.mark.parametrize(
    "body", ["[" * 200_000, "{" * 200_000, "|" * 200_000, "`" * 200_000, "<a>" * 100_000, "*_" * 99_999]
)
def test_a_hostile_document_of_another_kind_is_read_in_bounded_time(kind: str, body: str) -> None:
    start = time.process_time()
    read(body.encode(), kind, URL)
    assert time.process_time() - start < SECONDS


def test_of_a_page_of_fifty_megabytes_the_first_two_are_read() -> None:
    piece = b"<p>The line is long and goes on.</p>" * 2900
    limits = Limits(timeout_s=2.0, deadline_s=20.0, max_bytes=2 * 1024 * 1024, retries=0)
    with Site(tls=True) as site, House(site, limits=limits) as house:
        site.add("/long", Reply(piece for _ in range(500)))
        fetched = house.pages.get("http://www.nasa.gov/long")
    start = time.process_time()
    page = read(fetched.body, fetched.content_type, fetched.url)
    assert time.process_time() - start < SECONDS
    assert (len(fetched.body), fetched.truncated) == (2 * 1024 * 1024, True)
    assert page.text.startswith("The line is long and goes on.")
