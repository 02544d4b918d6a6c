"""The program in the hands of a person: Ctrl-C wherever it is, and a session on a terminal."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from tests.program import ANSWERS, PAGE, QUESTION, SEARCHES, SENTENCE, Program, hits, interrupted
from tests.scripted import act
from tests.scriptedserver import Line, endless, hanging, reading
from tests.site import Reply

ENDS_WITHIN_S = 1.5
SLACK = 3.0


def dripping() -> Reply:
    return Reply(itertools.repeat(b"<p>slowly</p>"), every_s=0.2)


@pytest.mark.parametrize("line", [hanging(), endless(" ", 0.2)], ids=["waiting", "streaming"])
def test_an_interrupt_in_a_reply_of_the_model_prints_and_keeps_what_was_found(line: Line, program: Program) -> None:
    program.model.reads = SENTENCE
    program.model.says(*ANSWERS[:2], line)
    with program.started("--guide", "steps", QUESTION) as process:
        ran, seconds = interrupted(process, lambda: len(program.model.asked) == 3)
    assert (ran.status, ran.err) == (130, "")
    assert seconds < ENDS_WITHIN_S * SLACK
    assert ran.out.startswith("interrupted before an answer")
    assert f"“{SENTENCE}”" in ran.out
    assert (program.outcome["status"], program.outcome["found"]) == (
        "interrupted",
        [{"source": 1, "text": SENTENCE}],
    )


@pytest.mark.parametrize("page", [dripping(), Reply(PAGE, after_s=60)], ids=["dripping", "silent"])
def test_an_interrupt_in_a_page_prints_and_keeps_what_was_found(page: Reply, program: Program) -> None:
    program.web.add("/slow", page)
    program.web.add("/search", hits(program.web.url("/tern"), program.web.url("/slow")))
    program.model.says(SEARCHES, reading)
    with program.started("--json", QUESTION) as process:
        ran, seconds = interrupted(process, lambda: "/slow" in program.web.hits)
    document = ran.json
    assert (ran.status, document["status"], ran.err) == (130, "interrupted", "")
    assert seconds < ENDS_WITHIN_S * SLACK
    assert [source["url"] for source in document["sources"]] == [program.web.url("/tern")]
    assert program.outcome == document
    assert program.recorded("SELECT error FROM requests ORDER BY n")[-1] == ("interrupted",)


@pytest.mark.parametrize("where", ["search", "start"])
def test_an_interrupt_before_anything_was_found_is_status_130_and_no_traceback(where: str, program: Program) -> None:
    program.web.add("/search", Reply(after_s=60))
    if where == "start":
        program.model.says(hanging())
    reached: dict[str, Callable[[], bool]] = {
        "search": lambda: "/search" in program.web.hits,
        "start": lambda: bool(program.model.asked),
    }
    with program.started(QUESTION) as process:
        ran, seconds = interrupted(process, reached[where])
    assert (ran.status, ran.out) == (130, "")
    assert ran.err == "scout: interrupted before an answer\n"
    assert seconds < ENDS_WITHIN_S * SLACK


def test_a_session_answers_goes_on_after_an_interrupt_and_ends_well(program: Program) -> None:
    program.model.says(*ANSWERS, hanging(), *ANSWERS)
    with program.terminal(NO_COLOR="1") as screen:
        screen.wait_for("> ")
        screen.type(f"{QUESTION}\n")
        screen.wait_for(f"{SENTENCE} [1]")
        screen.wait_for("> ")
        screen.type("And how wide is it?\n")
        screen.wait_for("thinking")
        while len(program.model.asked) < 4:
            screen.wait_for(" s")
        screen.interrupt()
        screen.wait_for("nterrupted")
        screen.wait_for("> ")
        screen.type("/sources\n")
        screen.wait_for("> ")
        screen.type(f"{QUESTION}\n")
        screen.wait_for(f"{SENTENCE} [1]")
        screen.wait_for("> ")
        screen.type("\x04")
        assert screen.end() == 0
    statuses = program.recorded("SELECT json_extract(data, '$.status') FROM events WHERE kind = 'outcome' ORDER BY id")
    assert [status for (status,) in statuses] == ["supported", "interrupted", "supported"]


def test_on_a_terminal_one_live_line_tells_what_is_done_and_is_gone_at_the_end(program: Program) -> None:
    program.web.add("/tern", Reply(PAGE, after_s=0.5))
    with program.terminal(QUESTION, "--no-input", NO_COLOR="1") as screen:
        screen.wait_for("reading 127.0.0.1/tern")
        screen.wait_for(f"{SENTENCE} [1]")
        assert screen.end() == 0
    assert "Sources:" in screen.seen


def test_a_question_about_two_pages_is_answered_from_both(program: Program) -> None:
    program.web.add("/heron", Reply("<h1>Heron Bridge</h1><p>The Heron Bridge is 98 metres long.</p>"))
    program.web.add("/search", hits(program.web.url("/tern"), program.web.url("/heron")))
    both = f"{SENTENCE} The Heron Bridge is 98 metres long."
    program.model.says(SEARCHES, reading, reading, act("answer", content=both))
    ran = program.run("--json", "How long are the Tern Bridge and the Heron Bridge?")
    assert (ran.status, ran.json["answer"]) == (0, f"{SENTENCE} [1] The Heron Bridge is 98 metres long. [2]")
