"""The program when pages are not as they should be: huge, slow, bent, going in circles; the run goes on and answers."""

from __future__ import annotations

import gzip
import itertools
import json
import time

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


UNREADABLE = {
    "/drip": (Reply(bytewise(PAGE.encode()), every_s=1), "not complete within 1 s"),
    "/header": (
        Reply(raw=True, body=bytewise(b"HTTP/1.1 200 OK\r\nX: y\r\n\r\n"), every_s=1),
        "not complete within 1 s",
    ),
    "/silent": (Reply(PAGE, after_s=60), "not complete within 1 s"),
    "/circle": (redirect("/circle"), "the page redirects in a circle"),
    "/gzip": (Reply(b"\x1f\x8bnonsense" * 9, headers=(("Content-Encoding", "gzip"),)), "the body does not decompress"),
    "/pdf": (Reply(b"%PDF-1.7 \0\1", type="application/pdf"), "PDF"),
    "/404": (Reply(PAGE, 404), "HTTP status 404"),
}
BEYOND_MEASURE = {
    "/bomb": gzipped(b"<p>The beginning.</p>" + b"<p>and on it goes </p>" * (50 * MIB // 22)),
    "/endless": endless_page(),
    "/nested": Reply("<div>" * 2000 + "<p>The Tern Bridge is deep down here.</p>" + "</div>" * 2000),
    "/tables": Reply("<table><tr><td>" * 2000 + "The Tern Bridge is deep down here."),
    "/words": Reply("<p>" + "Tern Bridge " * 150_000),
    "/link": Reply("<a href='/tern?" + "x" * MIB + "'>Tern Bridge</a><p>Here.</p>"),
}
GENEROUS = {"SCOUT_RESULTS": "8", "SCOUT_FAILURES_IN_A_ROW": "99", "SCOUT_MAX_STEPS": "20", "SCOUT_MAX_REQUESTS": "30"}


def read_all(program: Program, *paths: str) -> None:
    """Let the model read these pages in turn, and then the one that answers."""
    urls = [program.web.url(path) for path in (*paths, "/tern")]
    program.web.add("/search", hits(*urls))
    program.model.says(SEARCHES, *(act("scrape", url=url) for url in urls), ANSWER)
    program.environ |= GENEROUS


def test_pages_that_cannot_be_had_are_one_observation_each_and_the_next_one_is_read(program: Program) -> None:
    for path, (page, _) in UNREADABLE.items():
        program.web.add(path, page)
    read_all(program, *UNREADABLE)
    started = time.monotonic()
    ran = program.run("--json", QUESTION, SCOUT_PAGE_SECONDS="1")
    assert time.monotonic() - started < 6 * SLACK
    assert (ran.status, [source["url"] for source in ran.json["sources"]]) == (0, [program.web.url("/tern")])
    seen = [asked["messages"][-1]["content"] for asked in program.model.asked[2:]]
    for (path, (_, said)), observation in zip(UNREADABLE.items(), seen, strict=False):
        assert observation.startswith(f"[Error] {program.web.url(path)}: "), observation
        assert said in observation.partition("\n")[0]


def test_pages_beyond_all_measure_are_cut_and_read_in_time(program: Program) -> None:
    for path, page in BEYOND_MEASURE.items():
        program.web.add(path, page)
    read_all(program, *BEYOND_MEASURE)
    ran = program.run("--json", QUESTION)
    assert ran.status == 0, ran.out
    assert program.web.hits == ["/search", *BEYOND_MEASURE, "/tern"]
    assert ran.json["egress"][0]["bytes"] < len(BEYOND_MEASURE) * 2.1 * MIB
    assert ran.json["usage"]["seconds"] < 10 * SLACK
    cut = [seen["messages"][-1]["content"] for seen in program.model.asked[2:4]]
    assert all("longer than the size limit" in observation for observation in cut)


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
