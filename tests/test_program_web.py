"""The program when pages are not as they should be: huge, slow, bent, going in circles; the run goes on and answers."""

from __future__ import annotations

import gzip
import itertools
import json
import time

import pytest

from tests.program import NOT_FOUND, PAGE, QUESTION, SEARCHES, SENTENCE, Program, hits
from tests.scripted import act
from tests.scriptedserver import reading
from tests.site import Reply, bytewise, redirect

MIB = 1024 * 1024
ANSWER = act("answer", content=SENTENCE)
SLACK = 3.0


def gzipped(body: bytes) -> Reply:
    return Reply(gzip.compress(body), headers=(("Content-Encoding", "gzip"),))


def endless_page() -> Reply:
    return Reply(itertools.chain([b"<p>It is far away. </p>"], itertools.repeat(b"<p>and on it goes </p>" * 3000)))


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (Reply(bytewise(PAGE.encode()), every_s=1), "not complete within 1 s"),
        (Reply(raw=True, body=bytewise(b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n"), every_s=1), "not complete within 1 s"),
        (Reply(PAGE, after_s=60), "not complete within 1 s"),
        (redirect("/far"), "the page redirects in a circle"),
        (Reply(b"\x1f\x8bnonsense" * 9, headers=(("Content-Encoding", "gzip"),)), "the body does not decompress"),
        (Reply(b"%PDF-1.7 \0\1", type="application/pdf"), "PDF"),
        (Reply(PAGE, 404), "HTTP status 404"),
        (Reply(""), "the page is empty"),
    ],
    ids=["drip", "dripping header", "silent", "circle", "broken gzip", "pdf", "404", "empty"],
)
def test_a_page_that_cannot_be_had_is_one_observation_and_the_next_one_is_read(
    page: Reply, said: str, program: Program
) -> None:
    program.web.add("/search", hits(program.web.url("/far"), program.web.url("/tern")))
    program.web.add("/far", page)
    far = act("scrape", url=program.web.url("/far"))
    program.model.says(SEARCHES, far, reading, ANSWER)
    started = time.monotonic()
    ran = program.run("--json", "--max-requests", "12", QUESTION, SCOUT_PAGE_SECONDS="1")
    assert time.monotonic() - started < 3 * SLACK
    assert (ran.status, ran.json["sources"][0]["url"]) == (0, program.web.url("/tern"))
    assert said in program.model.asked[2]["messages"][-1]["content"]


@pytest.mark.parametrize(
    "page",
    [
        gzipped(b"<p>The beginning.</p>" + b"<p>and on it goes </p>" * (50 * MIB // 22)),
        endless_page(),
        Reply("<div>" * 2000 + "<p>The Tern Bridge is deep down here.</p>" + "</div>" * 2000),
        Reply("<table><tr><td>" * 2000 + "The Tern Bridge is deep down here."),
        Reply("<p>" + "Tern Bridge " * 150_000),
        Reply("<" * MIB),
        Reply("<a href='/tern?" + "x" * MIB + "'>Tern Bridge</a><p>Here.</p>"),
    ],
    ids=["gzip bomb", "endless", "nested", "nested tables", "one word", "brackets", "long link"],
)
def test_a_page_beyond_all_measure_is_cut_and_read_in_time(page: Reply, program: Program) -> None:
    program.web.add("/search", hits(program.web.url("/far"), program.web.url("/tern")))
    program.web.add("/far", page)
    far = act("scrape", url=program.web.url("/far"))
    program.model.says(SEARCHES, far, act("scrape", url=program.web.url("/tern")), ANSWER)
    started = time.monotonic()
    ran = program.run("--json", QUESTION)
    assert time.monotonic() - started < 4 * SLACK
    assert (ran.status, program.web.hits) == (0, ["/search", "/far", "/tern"])
    assert all(host["bytes"] < 3 * MIB for host in ran.json["egress"])


def test_redirects_without_end_stop_after_five_and_are_each_counted(program: Program) -> None:
    for n in range(20):
        program.web.add(f"/r{n}", redirect(f"/r{n + 1}"))
    program.web.add("/search", hits(program.web.url("/r0")))
    program.model.says(SEARCHES, reading, NOT_FOUND)
    ran = program.run("--json", "--max-requests", "20", QUESTION)
    assert (ran.status, program.web.hits) == (4, ["/search", *(f"/r{n}" for n in range(6))])
    assert ran.json["usage"]["requests"] == 7
    assert "more than 5 redirects" in program.model.asked[2]["messages"][-1]["content"]


def test_redirects_and_retries_spend_the_same_five_requests(program: Program) -> None:
    program.web.add("/far", Reply("busy", 503))
    program.web.add("/search", hits(program.web.url("/far"), program.web.url("/tern")))
    far = act("scrape", url=program.web.url("/far"))
    program.model.says(SEARCHES, far, NOT_FOUND)
    ran = program.run("--json", QUESTION)
    assert (ran.status, len(program.web.hits)) == (4, ran.json["usage"]["requests"])
    assert len(program.web.hits) <= 5


def test_no_page_that_could_be_read_is_no_answer_and_names_what_was_found(program: Program) -> None:
    program.web.add("/tern", Reply("gone", 410))
    program.model.says(SEARCHES, reading, NOT_FOUND)
    ran = program.run(QUESTION)
    assert ran.status == 4
    assert f"Search results not read:\nTern Bridge 1 — {program.web.url('/tern')}" in ran.out


def test_the_answer_is_clean_of_what_a_terminal_would_obey(program: Program) -> None:
    bent = PAGE.replace("The Tern Bridge is", "The \x1b[31mTern\u202e Bridge\x07 is").replace(
        "<title>", "<title>\x1b]0;x\x07"
    )
    program.web.add("/tern", Reply(bent))
    ran = program.run(QUESTION)
    assert ran.status in (0, 3)
    assert not set(ran.out + ran.err) & set("\x1b\x07\u202e")
    said = program.run("--json", QUESTION)
    assert json.loads(said.out)
    assert not set(said.out) & set("\x1b\x07\u202e")
