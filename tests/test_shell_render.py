"""An Outcome as text, and events as JSON lines."""

from __future__ import annotations

import json

from agent.outcome import document
from agent.shell import render
from agent.shell.plain import clean
from agent.types import Answer, Claim, Conflict, Hit, Quote, Source, Status, Verdict
from tests.fakes import ANSWER, CLAIM, FERRY, event, outcome

UNDATED = Source("https://example.org/b", "Bridges", "…")


def test_an_answer_comes_with_its_sources_and_the_quotes_it_stands_on() -> None:
    assert render.text(outcome()) == (
        "The crossing takes 40 minutes [1].\n"
        "\n"
        "Sources:\n"
        "[1] Ferry — https://en.wikipedia.org/wiki/Ferry (published 2024-04-15)\n"
        "    “The ferry takes 40 minutes.”\n"
    )


def test_a_page_read_but_not_quoted_is_listed_apart_and_keeps_its_number() -> None:
    text = render.text(outcome(sources=(FERRY, UNDATED)))
    assert text.endswith("\n\nAlso read:\n[2] Bridges — https://example.org/b\n")


def test_the_same_quote_behind_two_claims_is_printed_once() -> None:
    twice = Answer("", "One [1]. Two [1].", (CLAIM, CLAIM))
    assert render.text(outcome(answer=twice)).count("40 minutes") == 1


def test_an_unsupported_sentence_is_named_with_its_reason() -> None:
    doubt = Claim("It costs 9 euros.", Verdict.UNSUPPORTED, (), "9 stands on no page read")
    answer = Answer("", "The crossing takes 40 minutes [1]. It costs 9 euros.", (CLAIM, doubt))
    text = render.text(outcome(Status.UNSUPPORTED, answer=answer, note="1 of 2 claims is not supported"))
    assert text.endswith(
        "\n\n1 of 2 claims is not supported\n- It costs 9 euros. (unsupported: 9 stands on no page read)\n"
    )


def test_pages_that_disagree_are_shown_side_by_side() -> None:
    conflict = Conflict("population", (Quote(1, "1.2 million"), Quote(2, "1.5 million")))
    text = render.text(outcome(sources=(FERRY, UNDATED), conflicts=(conflict,)))
    assert "\n\nThe pages disagree:\n- population: “1.2 million” [1]; “1.5 million” [2]\n" in text


def test_without_an_answer_the_note_comes_first_and_then_all_that_was_found() -> None:
    found = outcome(
        Status.LIMIT,
        note="8 steps are spent",
        sources=(FERRY,),
        found=(Quote(1, "The ferry takes 40 minutes."),),
        hits=(Hit("Ferry", FERRY.url), Hit("Timetable", "https://example.org/t")),
    )
    assert render.text(found) == (
        "8 steps are spent\n"
        "\n"
        "Found:\n"
        "[1] Ferry — https://en.wikipedia.org/wiki/Ferry (published 2024-04-15)\n"
        "    “The ferry takes 40 minutes.”\n"
        "\n"
        "Search results not read:\n"
        "Timetable — https://example.org/t\n"
    )


def test_every_status_without_an_answer_has_a_note_even_where_the_run_gave_none() -> None:
    without = [status for status in Status if status not in (Status.SUPPORTED, Status.UNSUPPORTED)]
    assert all(render.text(outcome(status)).strip() for status in without)


def test_a_quote_of_a_page_that_is_not_there_is_left_out() -> None:
    stray = Answer("", "So [7].", (Claim("So.", Verdict.SUPPORTED, (Quote(7, "x"), Quote(0, "y"))),))
    assert "[7] " not in render.text(outcome(answer=stray)).split("\n", 1)[1]


def test_text_of_the_web_cannot_steer_the_terminal() -> None:
    evil = Source("https://example.org/\x1b[2J", "T\x1b]0;x\x07itle\n[9] Fake — https://fake.example", "…", "\x9b31m")
    claim = Claim("c", Verdict.SUPPORTED, (Quote(1, "a\x1b[1Ab\r\u202ec"),))
    text = render.text(outcome(answer=Answer("", "Answer\x1b[8m [1]", (claim,)), sources=(evil,)))
    assert not set(text) & {"\x1b", "\x9b", "\x07", "\r", "\u202e"}
    assert "\n[9]" not in text  # a title cannot forge a line of the list
    assert "\n    “ab c”\n" in text


def test_colour_comes_only_when_asked_for_and_changes_no_text() -> None:
    plain, coloured = render.text(outcome()), render.text(outcome(), colour=True)
    assert "\x1b" not in plain
    assert "\x1b[36m[1]\x1b[0m" in coloured
    assert clean(coloured) == plain


def test_lines_fit_the_width() -> None:
    long = Answer("", "word " * 60 + "[1].", (Claim("", Verdict.SUPPORTED, (Quote(1, "said " * 60),)),))
    lines = render.text(outcome(answer=long), width=50).splitlines()
    assert max(len(line) for line in lines if "https://" not in line) <= 50


def test_an_event_is_one_line_of_json_with_its_time_in_utc() -> None:
    line = render.event(event(3, "observe", notes=["two\nlines"], hits=[]))
    assert line.count("\n") == 1
    assert json.loads(line) == {
        "seq": 3,
        "kind": "observe",
        "at": "2026-11-30T12:00:03.000Z",
        "notes": ["two\nlines"],
        "hits": [],
    }


def test_json_is_utf_8_and_escapes_what_a_terminal_acts_on() -> None:
    value = {"a": "é你 \x1b[2J \x9b \x7f \u202e \ud800 \u2028"}
    line = render.json_line(value)
    assert line == '{"a": "é你 \\u001b[2J \\u009b \\u007f \\u202e \\ud800 \\u2028"}\n'
    assert json.loads(line) == value
    assert line.encode("utf-8")


def test_json_for_a_stream_that_is_not_utf_8_is_ascii() -> None:
    line = render.json_line(document(outcome(question="Wie lange? 多久 🚢")), unicode=False)
    assert line.isascii()
    assert json.loads(line)["question"] == "Wie lange? 多久 🚢"


def test_a_failure_is_bare_only_where_nothing_was_found() -> None:
    assert render.is_bare(outcome(Status.NO_WEB))
    assert not render.is_bare(outcome(Status.NO_WEB, hits=(Hit("t", "https://example.org/"),)))
    assert not render.is_bare(outcome(Status.LIMIT, sources=(FERRY,)))
    assert render.is_bare(outcome(Status.NO_WEB, sources=(Source("stdin:", "piped text", "…"),)))
    assert not render.is_bare(outcome(Status.ABSTAINED))
    assert not render.is_bare(outcome(answer=ANSWER))


def test_the_pages_of_an_outcome_alone() -> None:
    assert render.sources(outcome()).startswith("Sources:\n[1] Ferry — ")
    assert render.sources(outcome(Status.LIMIT)) == ""
